// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace pal::cli {

// An SVG drawing as PNG, `scale` pixels to a length of it; without a display. Errors: kInvalidArgument for a picture of more than 100 million
// pixels, with the number; kInternal with librsvg's words.
Result<std::string> pngOf(std::string_view svg, int scale);

}  // namespace pal::cli
