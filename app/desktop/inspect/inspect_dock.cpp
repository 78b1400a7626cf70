// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/inspect/inspect_dock.h"

#include <QVBoxLayout>

namespace pal::desktop {

InspectDock::InspectDock(Bridge& bridge, Chat& chat, const Theme& theme, QWidget* parent)
    : QDockWidget(tr("Look inside"), parent),
      theme_(theme),
      feed_(bridge, chat, model_),
      panel_(new InspectPanel(model_, theme, this)),
      capture_(new CaptureBar(feed_, model_, chat, theme, this)) {
    setObjectName(QStringLiteral("inspect"));
    setAllowedAreas(Qt::AllDockWidgetAreas);
    auto* inside = new QWidget(this);
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(panel_, 1);
    column->addWidget(capture_);
    setWidget(inside);
    connect(this, &QDockWidget::visibilityChanged, &feed_, &InspectFeed::setWatched);
    connect(panel_, &InspectPanel::windowWanted, this, &InspectDock::openWindow);
    connect(panel_, &InspectPanel::branchChosen, &feed_, &InspectFeed::loadOther);
    connect(panel_, &InspectPanel::failed, this, &InspectDock::failed);
    connect(&feed_, &InspectFeed::failed, this, &InspectDock::failed);
    connect(&model_, &InspectModel::regionOpened, this, &InspectDock::regionOpened);
}

InspectPanel* InspectDock::openWindow() {
    auto* window = new InspectPanel(model_, theme_, this);
    window->setWindowFlag(Qt::Window);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->setWindowTitle(tr("Look inside"));
    window->resize(theme_.space(180), theme_.space(130));
    connect(window, &InspectPanel::branchChosen, &feed_, &InspectFeed::loadOther);
    connect(window, &InspectPanel::failed, this, &InspectDock::failed);
    connect(window, &InspectPanel::windowWanted, this, &InspectDock::openWindow);
    window->show();
    return window;
}

void InspectDock::selectWord(MessageId message, const QString& word, int before) {
    const auto tokens = feed_.wordOf(message, word, before);
    if (const auto span = tokens ? tokens : feed_.spanOf(message)) model_.selectTokens(*span);
}

}  // namespace pal::desktop
