// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "engine/api/tokenizer.h"

namespace pal::cli {

// Which vocabulary a command works with: a model folder, or files given one by one.
struct TokenizerFlags {
    std::string model;
    std::string vocabulary;
    std::string config;
    std::string style = "k3";
    [[nodiscard]] bool given() const { return !model.empty() || !vocabulary.empty(); }
};

// Adds MODEL (a word, or -m alone), --vocab, --tokenizer-config and --style; `flags` must live as long as the command.
enum class ModelForm { kWordOrFlag, kFlag };
void addTokenizerOptions(CLI::App& command, TokenizerFlags& flags, ModelForm form = ModelForm::kWordOrFlag);

// The vocabulary, else that of the model; without either the embedded model's (chooseModel). Errors: those of loading.
Result<Tokenizer> loadTokenizer(const TokenizerFlags& flags);

}  // namespace pal::cli
