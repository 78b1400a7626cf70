// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <vector>

#include "app/composition/session_settings.h"
#include "engine/base/result.h"

namespace pal::desktop {

// A way to ask: system prompt and sampling under a name.
struct Preset {
    QString name;
    SessionSettings settings;
    bool builtIn = false;
};

// Presets that come with the program, and the user's own: one JSON file each in a folder, named as the file is. Small files; UI thread.
class Presets {
  public:
    explicit Presets(QString folder) : folder_(std::move(folder)) {}

    // Those of the program first, then the user's by name. Files that are no presets are left out.
    [[nodiscard]] std::vector<Preset> all() const;
    // Writes one of the user's, over an older one of the name. Errors: kInvalidArgument for a name that no file can have; kIo.
    Result<> save(const QString& name, const SessionSettings& settings);
    Result<> remove(const QString& name);
    // Takes over a file that somebody exported. Errors: kIo, kFormat.
    Result<Preset> import(const QString& file);

  private:
    [[nodiscard]] QString fileOf(const QString& name) const;
    QString folder_;
};

}  // namespace pal::desktop
