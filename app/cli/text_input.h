// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "engine/api/tokenizer.h"

namespace pal::cli {

// All bytes of a file, or of standard input for "-". Errors: kNotFound, kIo with the system's words.
Result<std::string> readInput(const std::string& path);

// The same as UTF-8, whatever encoding the text has. Errors: also those of readDocument; kUnsupported for what is no text.
Result<std::string> readTextInput(const std::string& path);

// How messages call an input: its path, or "standard input".
[[nodiscard]] std::string inputName(const std::string& path);

// Token ids in decimal, apart by blanks, line ends or commas; the brackets of a JSON array may stand around them. Errors: kFormat with
// the line, for what is no id of the tokenizer.
Result<std::vector<TokenId>> parseIds(const std::string& text, const std::string& path, const Tokenizer& tokenizer);

// Text in quotes on one line: C escapes for quotes, backslashes, control characters and for bytes that are no UTF-8.
[[nodiscard]] std::string inQuotes(std::string_view bytes);

}  // namespace pal::cli
