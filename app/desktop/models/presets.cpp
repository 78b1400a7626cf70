// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/models/presets.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <nlohmann/json.hpp>

namespace pal::desktop {
namespace {

constexpr qint64 kMostBytes = 1 << 20;

SessionSettings sampled(float temperature, float topP) {
    SessionSettings out;
    out.sampling.temperature = temperature;
    out.sampling.topP = topP;
    return out;
}

Result<Preset> read(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorCode::kIo, "{}: {}", path.toStdString(), file.errorString().toStdString());
    const QByteArray bytes = file.read(kMostBytes + 1);
    const nlohmann::json object = nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr, false);
    if (bytes.size() > kMostBytes || !object.is_object() || !object.contains("sampling"))
        return fail(ErrorCode::kFormat, "{}: this is no preset", path.toStdString());
    return Preset{QFileInfo(path).completeBaseName(), settingsFrom(bytes.toStdString())};
}

}  // namespace

std::vector<Preset> Presets::all() const {
    const auto tr = [](const char* text) { return QCoreApplication::translate("pal::desktop::Presets", text); };
    std::vector<Preset> out;
    out.push_back({tr(QT_TRANSLATE_NOOP("pal::desktop::Presets", "As the model was made")), sampled(1, 0.95F), true});
    out.push_back({tr(QT_TRANSLATE_NOOP("pal::desktop::Presets", "To the point")), sampled(0.3F, 0.9F), true});
    out.push_back({tr(QT_TRANSLATE_NOOP("pal::desktop::Presets", "Always the same")), sampled(0, 1), true});
    const QStringList files = QDir(folder_).entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name);
    for (const QString& file : files)
        if (auto preset = read(QDir(folder_).filePath(file))) out.push_back(std::move(*preset));
    return out;
}

QString Presets::fileOf(const QString& name) const {
    return QDir(folder_).filePath(name + QStringLiteral(".json"));
}

Result<> Presets::save(const QString& name, const SessionSettings& settings) {
    if (name.isEmpty() || name.startsWith(QLatin1Char('.')) || name.contains(QLatin1Char('/')) || name.size() > 100)
        return fail(ErrorCode::kInvalidArgument, "a preset cannot be called \"{}\"", name.toStdString());
    QDir().mkpath(folder_);
    QSaveFile file(fileOf(name));
    const QByteArray bytes = QByteArray::fromStdString(settingsText(settings));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return fail(ErrorCode::kIo, "{}: {}", file.fileName().toStdString(), file.errorString().toStdString());
    return {};
}

Result<> Presets::remove(const QString& name) {
    QFile file(fileOf(name));
    if (file.remove()) return {};
    return fail(ErrorCode::kIo, "{}: {}", file.fileName().toStdString(), file.errorString().toStdString());
}

Result<Preset> Presets::import(const QString& path) {
    PAL_ASSIGN(Preset preset, read(path));
    PAL_TRY(save(preset.name, preset.settings));
    return preset;
}

}  // namespace pal::desktop
