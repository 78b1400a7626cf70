// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/terminal.h"

namespace pal::cli {

// The same JSON with DEL and the C1 control characters escaped, which the standard allows inside strings and terminals may obey.
[[nodiscard]] std::string escapeControls(const std::string& json);

enum class JsonLayout { kIndented, kOneLine };

// Prints a document; strings that are no UTF-8 (paths may be any bytes) have U+FFFD where they are malformed.
template <typename Json>
void printJson(Terminal& terminal, const Json& document, JsonLayout layout = JsonLayout::kIndented) {
    const int indent = layout == JsonLayout::kIndented ? 2 : -1;
    terminal.out(escapeControls(document.dump(indent, ' ', false, Json::error_handler_t::replace)) + "\n");
}

}  // namespace pal::cli
