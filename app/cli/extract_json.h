// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "app/compose/message.h"

namespace pal::cli {

// Everything about the first attachment of a message: kind, pages with text, warnings and the places of lines, pictures with their
// cost, frames of a clip with their times.
[[nodiscard]] nlohmann::ordered_json extractJson(const ComposedMessage& message);

}  // namespace pal::cli
