// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/terminal.h"
#include "app/composition/model_choice.h"

namespace pal::cli {

// Adds MODEL, -m and --model; `model` must live as long as the command and stays empty when nobody names one.
void addModelOption(CLI::App& command, std::string& model);

// Whether `word` shall be read as a model and not as a question: an existing folder, or a word that can only be a path or a name
// because it has a slash and no blank. Then chooseModel tells what is wrong with it.
[[nodiscard]] bool namesModel(const std::string& word);

// Says on standard error which model is used when the command line does not.
void tellModel(Terminal& terminal, const ModelChoice& model);

}  // namespace pal::cli
