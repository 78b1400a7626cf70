// SPDX-License-Identifier: Apache-2.0
#include "app/cli/model_option.h"

#include <filesystem>
#include <system_error>

namespace pal::cli {

void addModelOption(CLI::App& command, std::string& model) {
    command.add_option("model,-m,--model", model,
                       "Model folder or Hugging Face name; without one the embedded model (or PALIMPSEST_MODEL)");
}

bool namesModel(const std::string& word) {
    std::error_code ignored;
    if (std::filesystem::is_directory(word, ignored)) return true;
    return word.find('/') != std::string::npos && word.find_first_of(" \t\n") == std::string::npos;
}

void tellModel(Terminal& terminal, const ModelChoice& model) {
    terminal.log("model", model.path.string());
    if (model.origin == ModelChoice::Origin::kNamed) return;
    terminal.errLine("Model: {} ({})", model.path.string(),
                     model.origin == ModelChoice::Origin::kEmbedded ? "embedded" : kModelVariable);
}

}  // namespace pal::cli
