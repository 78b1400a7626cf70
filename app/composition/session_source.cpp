// SPDX-License-Identifier: Apache-2.0
#include "app/composition/session_source.h"

#include <algorithm>
#include <limits>
#include <utility>

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

// The regions that a reply's records were summed over: those of its question's prompt, as they were.
Result<std::vector<inspect::Region>> regionsOfReply(ChatRunner& runner, SessionId session, MessageId question,
                                                    const StoredReply& reply, const inspect::Words& words) {
    PAL_ASSIGN(const PromptMap map, runner.promptMap(session, question));
    std::vector<inspect::Region> out = regionsOf(map, words);
    if (endsOf(out) == reply.regionEnds) return out;
    // Another version cut the prompt otherwise: its parts have no names.
    out.clear();
    int64_t begin = 0;
    for (const int64_t end : reply.regionEnds) {
        inspect::Region& region = out.emplace_back();
        region.begin = region.gridBegin = std::exchange(begin, end);
        region.end = end;
        region.name = words.say("tokens {}–{}", region.begin, end - 1);
    }
    return out;
}

Result<> addKept(SessionSource& into, ChatRunner& runner, SessionId session, MessageId head,
                 const inspect::Words& words) {
    PAL_ASSIGN(const std::vector<StoredReply> replies, runner.probes()->replies(session));
    PAL_ASSIGN(const std::vector<Message> branch, runner.branch(head));
    for (const Message& message : branch) {
        const auto reply = std::find_if(replies.begin(), replies.end(),
                                        [&](const StoredReply& kept) { return kept.message == message.node.id; });
        if (reply == replies.end() || reply->end > std::ssize(*into.ids)) continue;
        PAL_ASSIGN(auto regions, regionsOfReply(runner, session, message.node.parent, *reply, words));
        into.source->setRegions({reply->begin, reply->end}, std::move(regions));
        PAL_ASSIGN(std::vector<TokenProbe> records, runner.probes()->read(reply->message, reply->begin, reply->end));
        for (TokenProbe& record : records)
            into.source->add(std::make_shared<const TokenProbe>(std::move(record)), inspect::Capture::kLive);
    }
    return {};
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
    if (runner.probes() != nullptr) PAL_TRY(addKept(out, runner, session, head, words));
    return out;
}

}  // namespace pal
