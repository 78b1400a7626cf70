// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/about.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QVBoxLayout>

namespace pal::desktop {
namespace {

QString resource(const QString& name) {
    QFile file(QStringLiteral(":/palimpsest/licenses/") + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

void addPage(QTabWidget& tabs, const QString& name, const QString& file, const Theme& theme) {
    auto* view = new QPlainTextEdit(resource(file), &tabs);
    view->setAccessibleName(name);
    view->setReadOnly(true);
    view->setFont(theme.mono());
    view->setTabChangesFocus(true);
    tabs.addTab(view, name);
}

}  // namespace

About::About(const Theme& theme, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("About Palimpsest"));
    auto* name = new QLabel(QStringLiteral("Palimpsest %1").arg(QStringLiteral(PAL_VERSION)), this);
    name->setFont(theme.heading(1));
    auto* text = new QLabel(tr("Chat with documents, pictures and clips on a Kimi model that runs on this machine.\n"
                               "Nothing leaves it: this program opens no network connection."),
                            this);
    text->setWordWrap(true);
    auto* tabs = new QTabWidget(this);
    tabs->setAccessibleName(tr("Licences"));
    addPage(*tabs, tr("Licence"), QStringLiteral("LICENSE"), theme);
    addPage(*tabs, tr("Third-party notices"), QStringLiteral("THIRD_PARTY_NOTICES.md"), theme);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* all = new QVBoxLayout(this);
    all->setSpacing(theme.space(3));
    all->addWidget(name);
    all->addWidget(text);
    all->addWidget(tabs, 1);
    all->addWidget(buttons);
    resize(theme.readingWidth(), theme.space(140));
}

}  // namespace pal::desktop
