// SPDX-License-Identifier: Apache-2.0
#include "engine/text/tool_results.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace pal {
namespace {

struct Call {
    size_t position = 0;
    std::string name;
};
using Calls = std::unordered_map<std::string, Call>;

Calls callsOf(const ChatMessage& assistant) {
    Calls calls;
    for (size_t i = 0; i < assistant.toolCalls.size(); ++i) {
        const ToolCall& call = assistant.toolCalls[i];
        if (!call.id.empty()) calls.try_emplace(call.id, Call{i, call.name});  // the first of equal ids counts
    }
    return calls;
}

}  // namespace

void sortToolResults(std::vector<ChatMessage>& messages) {
    Calls calls;
    for (auto run = messages.begin(); run != messages.end();) {
        if (run->role == "assistant") calls = callsOf(*run);
        if (run->role != "tool") {
            ++run;
            continue;
        }
        const auto end = std::find_if(run, messages.end(), [](const ChatMessage& m) { return m.role != "tool"; });
        const bool allKnown = std::all_of(run, end, [&](const ChatMessage& m) { return calls.contains(m.toolCallId); });
        if (allKnown) {
            std::stable_sort(run, end, [&](const ChatMessage& a, const ChatMessage& b) {
                return calls.at(a.toolCallId).position < calls.at(b.toolCallId).position;
            });
            std::for_each(run, end, [&](ChatMessage& m) { m.toolName = calls.at(m.toolCallId).name; });
        }
        run = end;
    }
}

}  // namespace pal
