// SPDX-License-Identifier: Apache-2.0
#include "app/cli/eval_suite.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/cli/text_input.h"

namespace pal::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

EvalPart readPart(const Json& part, const fs::path& folder) {
    if (part.is_string()) return {part.get<std::string>(), std::nullopt};
    EvalMedia media;
    if (part.contains("image")) {
        media.file = folder / part.at("image").get<std::string>();
    } else {
        media.file = folder / part.at("video").get<std::string>();
        media.frames = part.at("frames").get<int64_t>();
        media.rate = part.at("rate").get<double>();
    }
    return {{}, media};
}

EvalTurn readTurn(const Json& turn, const fs::path& folder) {
    EvalTurn out;
    for (const Json& part : turn.at("user")) out.user.push_back(readPart(part, folder));
    out.think = turn.at("think").get<std::string>();
    out.answer = turn.at("answer").get<std::string>();
    out.accept = turn.at("accept").get<std::vector<std::string>>();
    out.scored = turn.at("scored").get<bool>();
    return out;
}

EvalConversation readConversation(const Json& line, const fs::path& folder) {
    EvalConversation out;
    out.id = line.at("id").get<std::string>();
    out.system = line.at("system").get<std::string>();
    out.thinking = line.at("thinking").get<bool>() ? Thinking::kOn : Thinking::kOff;
    const auto effort = line.at("effort").get<std::string>();
    out.effort = effort == "low"    ? ThinkingEffort::kLow
                 : effort == "high" ? ThinkingEffort::kHigh
                 : effort == "max"  ? ThinkingEffort::kMax
                                    : ThinkingEffort::kUnset;
    for (const Json& turn : line.at("turns")) out.turns.push_back(readTurn(turn, folder));
    return out;
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

std::string normal(std::string_view reply) {
    std::string lower(reply);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    replaceAll(lower, "grey", "gray");
    replaceAll(lower, "centre", "center");
    std::istringstream words(lower);
    std::string out;
    for (std::string word; words >> word;) out += (out.empty() ? "" : " ") + word;
    out.erase(out.find_last_not_of('.') + 1);
    return out;
}

}  // namespace

Result<std::vector<EvalConversation>> readEvalSuite(const fs::path& file) {
    PAL_ASSIGN(const std::string text, readInput(file.string()));
    std::vector<EvalConversation> out;
    std::istringstream lines(text);
    int64_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        try {
            out.push_back(readConversation(Json::parse(line), file.parent_path()));
        } catch (const Json::exception& error) {
            return fail(ErrorCode::kFormat, "{}:{}: {}", file.string(), number, error.what());
        }
    }
    return out;
}

bool isRightReply(std::string_view reply, const EvalTurn& turn) {
    const std::string said = normal(reply);
    return said == normal(turn.answer) || std::any_of(turn.accept.begin(), turn.accept.end(),
                                                      [&](const std::string& text) { return said == normal(text); });
}

Result<std::map<std::string, EvalFloor>> readEvalFloors(const fs::path& folder) {
    const fs::path file = folder / "floors.json";
    std::map<std::string, EvalFloor> out;
    std::error_code error;
    if (!fs::exists(file, error)) return out;
    PAL_ASSIGN(const std::string text, readInput(file.string()));
    try {
        const Json floors = Json::parse(text);
        for (const auto& [name, floor] : floors.items()) {
            out[name] = {floor.at("floor").get<double>(), floor.at("expected").get<double>()};
        }
    } catch (const Json::exception& wrong) {
        return fail(ErrorCode::kFormat, "{}: {}", file.string(), wrong.what());
    }
    return out;
}

Result<std::vector<std::string>> listEvalSuites(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        if (entry->path().extension() == ".jsonl") names.push_back(entry->path().stem().string());
    }
    if (error) return fail(ErrorCode::kNotFound, "{}: {}", folder.string(), error.message());
    if (names.empty()) return fail(ErrorCode::kNotFound, "{}: no suites (*.jsonl)", folder.string());
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace pal::cli
