// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/preferences.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>

namespace pal::desktop {
namespace {

QString fileIn(const QString& folder) {
    const QString place = folder.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
                                                 QStringLiteral("/palimpsest")
                                           : folder;
    return QDir(place).filePath(QStringLiteral("window.ini"));
}

int64_t wholeIn(const QSettings& settings, const QString& key, int64_t fallback, int64_t least, int64_t most) {
    bool isNumber = false;
    const qlonglong value = settings.value(key).toLongLong(&isNumber);
    return isNumber && value >= least && value <= most ? value : fallback;
}

}  // namespace

Preferences::Preferences(const QString& folder, QObject* parent)
    : QObject(parent), settings_(fileIn(folder), QSettings::IniFormat) {}

Preferences::SchemeChoice Preferences::scheme() const {
    const QString text = settings_.value(QStringLiteral("look/scheme")).toString();
    if (text == QStringLiteral("light")) return SchemeChoice::kLight;
    if (text == QStringLiteral("dark")) return SchemeChoice::kDark;
    return SchemeChoice::kSystem;
}

void Preferences::setScheme(SchemeChoice scheme) {
    constexpr const char* kNames[] = {"system", "light", "dark"};
    settings_.setValue(QStringLiteral("look/scheme"), QString::fromLatin1(kNames[static_cast<size_t>(scheme)]));
}

double Preferences::zoom() const {
    bool isNumber = false;
    const double zoom = settings_.value(QStringLiteral("look/zoom")).toDouble(&isNumber);
    return isNumber && zoom >= 0.5 && zoom <= 3 ? zoom : 1;
}

void Preferences::setZoom(double zoom) {
    settings_.setValue(QStringLiteral("look/zoom"), zoom);
}

QString Preferences::model() const {
    return settings_.value(QStringLiteral("model/place")).toString();
}

EngineOptions Preferences::engine() const {
    EngineOptions out;
    if (settings_.value(QStringLiteral("model/device")).toString() == QStringLiteral("cuda"))
        out.device = Device::kCuda;
    if (settings_.value(QStringLiteral("model/latents")).toString() == QStringLiteral("bf16"))
        out.latents = LatentType::kBFloat16;
    out.threads = static_cast<int>(wholeIn(settings_, QStringLiteral("model/threads"), 0, 0, 4096));
    out.contextTokens = wholeIn(settings_, QStringLiteral("model/context"), 0, 0, INT64_C(1) << 40);
    return out;
}

void Preferences::setModel(const QString& model, const EngineOptions& engine) {
    settings_.setValue(QStringLiteral("model/place"), model);
    settings_.setValue(QStringLiteral("model/device"),
                       engine.device == Device::kCuda ? QStringLiteral("cuda") : QStringLiteral("cpu"));
    settings_.setValue(QStringLiteral("model/latents"),
                       engine.latents == LatentType::kBFloat16 ? QStringLiteral("bf16") : QStringLiteral("f32"));
    settings_.setValue(QStringLiteral("model/threads"), engine.threads);
    settings_.setValue(QStringLiteral("model/context"), qlonglong(engine.contextTokens));
}

SessionSettings Preferences::session() const {
    return settingsFrom(settings_.value(QStringLiteral("session/settings")).toString().toStdString());
}

void Preferences::setSession(const SessionSettings& settings) {
    settings_.setValue(QStringLiteral("session/settings"), QString::fromStdString(settingsText(settings)));
}

SessionId Preferences::lastSession() const {
    return wholeIn(settings_, QStringLiteral("window/session"), 0, 0, INT64_MAX);
}

void Preferences::setLastSession(SessionId session) {
    settings_.setValue(QStringLiteral("window/session"), qlonglong(session));
}

QByteArray Preferences::geometry(const QString& part) const {
    return settings_.value(QStringLiteral("window/") + part).toByteArray();
}

void Preferences::setGeometry(const QString& part, const QByteArray& geometry) {
    settings_.setValue(QStringLiteral("window/") + part, geometry);
}

QString Preferences::presetFolder() const {
    return QFileInfo(settings_.fileName()).dir().filePath(QStringLiteral("presets"));
}

}  // namespace pal::desktop
