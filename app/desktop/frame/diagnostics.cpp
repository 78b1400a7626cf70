// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/diagnostics.h"

#include <QDir>
#include <QGuiApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QScreen>
#include <QSysInfo>
#include <QThread>

namespace pal::desktop {

QString withoutHome(const QString& path) {
    QString out = path;
    const QString home = QDir::homePath();
    if (home.size() > 1) out.replace(home, QStringLiteral("~"));
    const QString user = qEnvironmentVariable("USER");
    if (user.size() > 2) out.replace(QLatin1Char('/') + user + QLatin1Char('/'), QStringLiteral("/<user>/"));
    return out;
}

QString diagnostics(const std::optional<ModelInfo>& model, const QStringList& problems) {
    QStringList lines;
    lines << QStringLiteral("Palimpsest %1").arg(QStringLiteral(PAL_VERSION));
    lines << QStringLiteral("Qt %1 (%2), locale %3")
                 .arg(QString::fromLatin1(qVersion()), QGuiApplication::platformName(), QLocale().name());
    lines << QStringLiteral("%1, kernel %2, %3, %4 cores")
                 .arg(QSysInfo::prettyProductName(), QSysInfo::kernelVersion(), QSysInfo::currentCpuArchitecture())
                 .arg(QThread::idealThreadCount());
    for (const QScreen* screen : QGuiApplication::screens()) {
        lines << QStringLiteral("screen %1x%2 at %3")
                     .arg(screen->size().width())
                     .arg(screen->size().height())
                     .arg(screen->devicePixelRatio());
    }
    if (model) {
        lines << QStringLiteral("model %1 in %2")
                     .arg(QString::fromStdString(model->architecture),
                          withoutHome(QString::fromStdString(model->folder.string())));
        lines << QStringLiteral("device %1, context %2, vocabulary %3, vision %4")
                     .arg(QString::fromStdString(model->device))
                     .arg(model->contextTokens)
                     .arg(model->vocabulary)
                     .arg(model->vision ? QStringLiteral("yes") : QStringLiteral("no"));
    } else {
        lines << QStringLiteral("no model");
    }
    for (const QString& problem : problems) lines << withoutHome(problem);
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace pal::desktop
