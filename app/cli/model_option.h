// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "app/cli/terminal.h"
#include "engine/base/result.h"

namespace pal::cli {

// The model a command works with.
struct ModelChoice {
    enum class Origin { kNamed, kEnvironment, kEmbedded };
    std::filesystem::path path;  // as the engine takes it
    Origin origin = Origin::kNamed;
};

// Adds MODEL, -m and --model; `model` must live as long as the command and stays empty when nobody names one.
void addModelOption(CLI::App& command, std::string& model);

// A path as it is; ORG/NAME from the Hugging Face cache; nothing: the folder in PALIMPSEST_MODEL, else the embedded model, which
// lies in ../share/palimpsest/nano beside the program or, in a build tree, among the sources. Errors: kNotFound.
Result<ModelChoice> chooseModel(const std::string& named);

// Whether `word` shall be read as a model and not as a question: an existing folder, or a word that can only be a path or a name
// because it has a slash and no blank. Then chooseModel tells what is wrong with it.
[[nodiscard]] bool namesModel(const std::string& word);

// Says on standard error which model is used when the command line does not.
void tellModel(Terminal& terminal, const ModelChoice& model);

}  // namespace pal::cli
