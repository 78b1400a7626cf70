// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/style/system_scheme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QGuiApplication>
#include <QPalette>

namespace pal::desktop {
namespace {

// https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.Settings.html
const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kArea = QStringLiteral("org.freedesktop.appearance");
const QString kKey = QStringLiteral("color-scheme");

Scheme paletteScheme() {
    const QPalette palette = QGuiApplication::palette();
    const bool dark = palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
    return dark ? Scheme::kDark : Scheme::kLight;
}

// Answers come as variants inside variants.
QVariant plain(QVariant value) {
    while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
    return value;
}

}  // namespace

SystemScheme::SystemScheme(QObject* parent) : QObject(parent), scheme_(paletteScheme()) {
    ask();
}

void SystemScheme::ask() {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                SLOT(settingChanged(QString, QString, QDBusVariant)));
    QDBusMessage read = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    read << kArea << kKey;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(read), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* call) {
        const QDBusPendingReply<QDBusVariant> reply = *call;
        if (!reply.isError()) take(reply.value().variant());
        call->deleteLater();
    });
}

void SystemScheme::settingChanged(const QString& area, const QString& key, const QDBusVariant& value) {
    if (area == kArea && key == kKey) take(value.variant());
}

// 0: no preference, 1: dark, 2: light.
void SystemScheme::take(const QVariant& value) {
    bool isNumber = false;
    const uint preference = plain(value).toUInt(&isNumber);
    if (!isNumber || preference == 0) return;
    const Scheme scheme = preference == 1 ? Scheme::kDark : Scheme::kLight;
    if (scheme == scheme_) return;
    scheme_ = scheme;
    Q_EMIT changed(scheme_);
}

}  // namespace pal::desktop
