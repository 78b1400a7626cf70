// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include "engine/base/result.h"

namespace pal::desktop {

// An error for people: what kind of thing went wrong in their language, and the technical words, which name the file and the numbers.
[[nodiscard]] QString errorText(const Error& error);

}  // namespace pal::desktop
