// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace pal::cli {

struct Word {
    std::string name;  // as --help shows it
    std::string help;
};

// Two words beside the flags, both optional, gathered in `words`, which must live as long as `command`. After `--` a word may begin with
// a dash.
void addTwoWords(CLI::App& command, std::vector<std::string>& words, const Word& first, const Word& second);

}  // namespace pal::cli
