// SPDX-License-Identifier: Apache-2.0
#include "app/composition/session_source.h"

#include <algorithm>
#include <limits>

#include "app/composition/prompt_regions.h"

namespace pal {
namespace {

constexpr int64_t kEver = std::numeric_limits<int64_t>::max();

// Where each message is, the tags around it left out.
std::map<MessageId, inspect::TokenSpan> spansOf(const PromptMap& map) {
    std::map<MessageId, inspect::TokenSpan> out;
    for (int64_t token = 0; token < std::ssize(map.prompt.prompt().ids); ++token) {
        const TokenOrigin origin = map.prompt.originOf(token, map.composed);
        if (origin.kind == TokenOrigin::Kind::kMarkup || origin.message >= map.messages.size()) continue;
        const auto [span, isNew] = out.try_emplace(map.messages[origin.message], inspect::TokenSpan{token, token + 1});
        if (!isNew) span->second.end = token + 1;
    }
    return out;
}

}  // namespace

Result<SessionSource> sessionSource(ChatRunner& runner, SessionId session, MessageId head,
                                    const inspect::Words& words) {
    PAL_ASSIGN(const PromptMap map, runner.promptMap(session, head));
    SessionSource out;
    out.source = std::make_unique<inspect::MemorySource>();
    out.regions = regionsOf(map, words);
    out.messages = spansOf(map);
    out.ids = std::make_shared<std::vector<TokenId>>(map.prompt.prompt().ids);
    out.source->setTokens(std::ssize(*out.ids));
    out.source->setRegions({0, kEver}, out.regions);
    const Tokenizer& tokenizer = runner.tokenizer();
    const auto name = [tokenizer](TokenId id) { return validUtf8(tokenizer.tokenBytes(id)); };
    out.source->setNames(name);
    out.source->setText([ids = out.ids, name](int64_t token) {
        return token >= 0 && token < std::ssize(*ids) ? name((*ids)[static_cast<size_t>(token)]) : std::string();
    });
    return out;
}

void addLive(SessionSource& session, const std::shared_ptr<const TokenProbe>& probe) {
    if (probe->position == std::ssize(*session.ids)) session.ids->push_back(probe->token);
    session.source->add(probe, inspect::Capture::kLive);
}

}  // namespace pal
