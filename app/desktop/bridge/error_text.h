// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include "engine/base/result.h"

namespace pal::desktop {

// An error for people: what kind of thing went wrong in their language, and its own words as far as they are known (plain_words.h).
[[nodiscard]] QString errorText(const Error& error);

}  // namespace pal::desktop
