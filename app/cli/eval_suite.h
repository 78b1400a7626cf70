// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/api/chat.h"
#include "engine/base/result.h"

namespace pal::cli {

// Evaluation suites as files; resources/nano/train/suites.py writes them and defines what is right.

// A picture, or the frames of a clip below each other in one picture.
struct EvalMedia {
    std::filesystem::path file;
    int64_t frames = 0;  // 0: a picture
    double rate = 0;     // frames per second of a clip
};

struct EvalPart {
    std::string text;
    std::optional<EvalMedia> media;  // then there is no text
};

struct EvalTurn {
    std::vector<EvalPart> user;
    std::string think, answer;
    std::vector<std::string> accept;  // other right answers
    bool scored = true;               // else it only leads up to the next ones
};

struct EvalConversation {
    std::string id;
    std::string system;
    Thinking thinking = Thinking::kOff;
    ThinkingEffort effort = ThinkingEffort::kUnset;
    std::vector<EvalTurn> turns;
};

// One SUITE.jsonl. Errors: kNotFound, kIo, kFormat with file and line.
Result<std::vector<EvalConversation>> readEvalSuite(const std::filesystem::path& file);

// Whether a reply is the gold answer or an accepted one, without regard to case (of ASCII letters), spacing, final full stops and the
// spelling of gray and center.
[[nodiscard]] bool isRightReply(std::string_view reply, const EvalTurn& turn);

// What a suite must and should reach, per cent of its questions.
struct EvalFloor {
    double floor = 0, expected = 0;
};
// floors.json of a folder of suites; empty where there is none. Errors: kIo, kFormat.
Result<std::map<std::string, EvalFloor>> readEvalFloors(const std::filesystem::path& folder);

// Names of all suites of a folder, sorted. Errors: kNotFound (no folder, or none in it).
Result<std::vector<std::string>> listEvalSuites(const std::filesystem::path& folder);

}  // namespace pal::cli
