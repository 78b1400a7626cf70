// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tokenizer_option.h"

#include <filesystem>
#include <optional>

#include "app/cli/model_option.h"
#include "engine/api/model_files.h"

namespace pal::cli {

void addTokenizerOptions(CLI::App& command, TokenizerFlags& flags, ModelForm form) {
    auto* model = command.add_option(form == ModelForm::kFlag ? "-m,--model" : "model,-m,--model", flags.model,
                                     "Model folder or Hugging Face name with a tiktoken.model");
    auto* vocabulary =
        command.add_option("--vocab", flags.vocabulary, "A tiktoken file, instead of a model")->excludes(model);
    command
        .add_option("--tokenizer-config", flags.config,
                    "A tokenizer_config.json with the names of the control tokens (for --vocab)")
        ->needs(vocabulary);
    command
        .add_option("--style", flags.style,
                    "Whose published control tokens a --vocab without --tokenizer-config has: k3 (Kimi K3) or k2 (Kimi "
                    "K2, Kimi-Linear)")
        ->check(CLI::IsMember({"k3", "k2"}))
        ->capture_default_str();
}

Result<Tokenizer> loadTokenizer(const TokenizerFlags& flags) {
    if (!flags.vocabulary.empty()) {
        const auto config = flags.config.empty() ? std::nullopt : std::optional<std::filesystem::path>(flags.config);
        return Tokenizer::load(flags.vocabulary, config, flags.style == "k2" ? ChatStyle::kK2 : ChatStyle::kK3);
    }
    PAL_ASSIGN(const ModelChoice model, chooseModel(flags.model));
    PAL_ASSIGN(const std::filesystem::path folder, findModelFolder(model.path));
    return Tokenizer::loadModelFolder(folder);
}

}  // namespace pal::cli
