// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "engine/api/tokenizer.h"
#include "engine/text/atoms.h"
#include "engine/text/control_tokens.h"
#include "engine/text/pretokenizer.h"
#include "engine/text/vocabulary.h"

namespace pal {

// What copies of a Tokenizer share.
struct Tokenizer::Tables {
    explicit Tables(Vocabulary parsed) : vocabulary(std::move(parsed)), atoms(vocabulary) {}

    Vocabulary vocabulary;
    Atoms atoms;
    ControlTokens control;
    ChatStyle style = ChatStyle::kK3;
    std::vector<TokenId> stopIds;
    std::optional<TokenId> mediaPadId;
    std::array<uint64_t, 2> fingerprint{};
    pretokenizer::CutLimits cuts;
};

// The steps of loading that need a Tokenizer's inside. Errors as Tokenizer::load.
struct TokenizerLoader {
    static Result<Tokenizer> load(const std::filesystem::path& vocabulary,
                                  const std::optional<std::filesystem::path>& config, ChatStyle fallback);
    static Result<Tokenizer> loadModelFolder(const std::filesystem::path& folder);
    static Result<Tokenizer::Tables> loadTables(const std::filesystem::path& vocabulary,
                                                const std::optional<std::filesystem::path>& config, ChatStyle fallback);
    static void addNamedStops(Tokenizer::Tables& tables);
    static Tokenizer wrap(Tokenizer::Tables tables);
    // A copy with other cut limits, for tests: the real ones need megabytes to show.
    static Tokenizer withCuts(const Tokenizer& tokenizer, pretokenizer::CutLimits cuts);
};

}  // namespace pal
