// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/models/form_page.h"

#include <QEvent>
#include <QScreen>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>

namespace pal::desktop {
namespace {

// What a page needs is known when its texts have their fonts and its layout was made: after each event that may change it.
class Grower : public QObject {
  public:
    Grower(QScrollArea& area, QDialog& dialog) : QObject(&dialog), area_(area), dialog_(dialog) {
        dialog.installEventFilter(this);
        area.widget()->installEventFilter(this);
        soon_.setSingleShot(true);
        soon_.setInterval(0);
        connect(&soon_, &QTimer::timeout, this, &Grower::grow);
    }

    bool eventFilter(QObject* /*of*/, QEvent* event) override {
        if (event->type() == QEvent::Show || event->type() == QEvent::LayoutRequest) soon_.start();
        return false;
    }

  private:
    void grow() {
        area_.setMinimumWidth(area_.widget()->minimumSizeHint().width() +
                              area_.verticalScrollBar()->sizeHint().width());
        const int needed = area_.widget()->layout()->totalHeightForWidth(area_.viewport()->width());
        const int lacks = needed - area_.viewport()->height();
        const int most =
            dialog_.screen()->availableGeometry().height() - (dialog_.frameGeometry().height() - dialog_.height());
        const int high = std::min(dialog_.height() + lacks, most);
        if (high > dialog_.height()) dialog_.resize(dialog_.width(), high);
    }

    QScrollArea& area_;
    QDialog& dialog_;
    QTimer soon_;
};

}  // namespace

QScrollArea* makeFormPage(QFormLayout* form, QDialog& dialog) {
    auto* page = new QWidget;
    form->setContentsMargins(0, 0, 0, 0);
    page->setLayout(form);
    auto* area = new QScrollArea(&dialog);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidgetResizable(true);
    area->setWidget(page);
    new Grower(*area, dialog);  // the dialog's
    return area;
}

}  // namespace pal::desktop
