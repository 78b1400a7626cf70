// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QSettings>
#include <optional>

#include "app/composition/session_settings.h"
#include "engine/api/engine.h"
#include "storage/chats/chat_types.h"

namespace pal::desktop {

// What the user chose for this program, in an INI file: $XDG_CONFIG_HOME/palimpsest/window.ini, or beside the data when its folder was named.
// Values of another type or out of range count as not chosen. UI thread.
class Preferences : public QObject {
    Q_OBJECT

  public:
    // `folder`: the data folder that was named, empty for the usual places.
    explicit Preferences(const QString& folder, QObject* parent = nullptr);

    enum class SchemeChoice { kSystem, kLight, kDark };
    [[nodiscard]] SchemeChoice scheme() const;
    void setScheme(SchemeChoice scheme);
    [[nodiscard]] double zoom() const;
    void setZoom(double zoom);

    // Folder or Hugging Face name; empty: PALIMPSEST_MODEL, else the embedded one.
    [[nodiscard]] QString model() const;
    [[nodiscard]] EngineOptions engine() const;
    void setModel(const QString& model, const EngineOptions& engine);

    // How new sessions ask.
    [[nodiscard]] SessionSettings session() const;
    void setSession(const SessionSettings& settings);

    [[nodiscard]] SessionId lastSession() const;
    void setLastSession(SessionId session);
    [[nodiscard]] QByteArray geometry(const QString& part) const;
    void setGeometry(const QString& part, const QByteArray& geometry);

    [[nodiscard]] QString presetFolder() const;
    // Where all this lies.
    [[nodiscard]] QString file() const { return settings_.fileName(); }
    void sync() { settings_.sync(); }

  private:
    QSettings settings_;
};

}  // namespace pal::desktop
