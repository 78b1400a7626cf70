// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace pal::cli {

// llama.cpp's names of several letters behind one dash, which the parser would split (-ctk is -c with the value tk): each becomes the name
// with two dashes that the commands register. What follows "--" stays. A value that is such a name needs the form --stop=-ts.
[[nodiscard]] std::vector<std::string> withLongNames(std::vector<std::string> arguments);

}  // namespace pal::cli
