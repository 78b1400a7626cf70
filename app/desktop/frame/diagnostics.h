// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>
#include <optional>

#include "engine/api/engine.h"

namespace pal::desktop {

// What a report about a problem needs, as text: versions, machine, model, recent problems. No prompt, no file's content; the home folder and
// the user's name are left out of paths.
[[nodiscard]] QString diagnostics(const std::optional<ModelInfo>& model, const QStringList& problems);

// A path without the home folder: "~/models/x".
[[nodiscard]] QString withoutHome(const QString& path);

}  // namespace pal::desktop
