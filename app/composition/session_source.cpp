// SPDX-License-Identifier: Apache-2.0
#include "app/composition/session_source.h"

#include <algorithm>
#include <limits>
#include <span>

#include "app/composition/prompt_regions.h"
#include "engine/api/model_files.h"

namespace pal {
namespace {

constexpr int64_t kEver = std::numeric_limits<int64_t>::max();

// Where each message is, the tags around it left out.
std::map<MessageId, inspect::TokenSpan> spansOf(const PromptMap& map) {
    std::map<MessageId, inspect::TokenSpan> out;
    for (const TokenStretch& stretch : map.prompt.stretches(map.composed)) {
        if (stretch.kind == TokenOrigin::Kind::kMarkup || stretch.message >= map.messages.size()) continue;
        const inspect::TokenSpan span{stretch.begin, stretch.end};
        const auto [known, isNew] = out.try_emplace(map.messages[stretch.message], span);
        if (!isNew) known->second.end = span.end;
    }
    return out;
}

std::map<int64_t, ComposedMedium> mediaOf(const PromptMap& map) {
    std::map<int64_t, ComposedMedium> out;
    for (const TokenStretch& stretch : map.prompt.stretches(map.composed))
        if (stretch.medium != nullptr && stretch.medium->input) out.emplace(stretch.begin, *stretch.medium);
    return out;
}

// The regions that a reply's records were summed over, by the names that they have in the branch; the last one goes on to the end of its prompt.
// Where another version cut the prompt otherwise, its parts have none.
std::vector<inspect::Region> regionsOfReply(const StoredReply& reply, const std::vector<inspect::Region>& branch,
                                            const inspect::Words& words) {
    std::vector<inspect::Region> out;
    int64_t begin = 0;
    for (const int64_t end : reply.regionEnds) {
        const auto known =
            std::lower_bound(branch.begin(), branch.end(), begin,
                             [](const inspect::Region& region, int64_t at) { return region.begin < at; });
        inspect::Region& region = out.emplace_back();
        const bool last = end == reply.regionEnds.back();
        if (known != branch.end() && known->begin == begin && (known->end == end || (last && known->end < end))) {
            region = *known;
        } else {
            region.begin = region.gridBegin = begin;
            region.name = words.say("tokens {}–{}", begin, end - 1);
        }
        region.end = end;
        begin = end;
    }
    return out;
}

// The branch's replies that this model wrote and that are kept: those of another one have other layers and heads.
Result<std::vector<StoredReply>> keptReplies(ProbeLibrary& probes, ChatDatabase& reader, const BranchRequest& wanted,
                                             const std::string& model, std::span<const TokenId> ids) {
    PAL_ASSIGN(std::vector<StoredReply> replies, probes.replies(wanted.session));
    PAL_ASSIGN(const std::vector<Message> branch, reader.messages().path(wanted.head));
    std::erase_if(replies, [&](const StoredReply& reply) {
        const bool here = std::any_of(branch.begin(), branch.end(),
                                      [&](const Message& message) { return message.node.id == reply.message; });
        return !here || reply.model != model || reply.begin >= std::ssize(ids);
    });
    for (StoredReply& reply : replies) PAL_TRY(cutToText(probes, ids, reply));
    std::sort(replies.begin(), replies.end(),
              [](const StoredReply& a, const StoredReply& b) { return a.begin < b.begin; });
    return replies;
}

}  // namespace

BranchReading branchReading(const ChatRunner& runner) {
    const PromptBuilder& prompts = runner.prompts();
    return {prompts.tokenizer(), prompts.media(), prompts.documentPassword(), runner.model(), runner.probes()};
}

Result<SessionSource> sessionSource(const BranchReading& with, const SourceFiles& sources, ChatDatabase& reader,
                                    const BranchRequest& branch, const inspect::Words& words) {
    PromptBuilder prompts(with.tokenizer, with.media, sources, reader);
    prompts.setDocumentPassword(with.documentPassword);
    PAL_ASSIGN(const PromptMap map, promptMapOf(prompts, reader, branch.session, branch.head));
    SessionSource out;
    out.regions = regionsOf(map, words);
    out.messages = spansOf(map);
    out.media = mediaOf(map);
    const std::vector<TokenId>& ids = map.prompt.prompt().ids;
    const ModelInfo& model = with.model;
    PAL_ASSIGN(const ModelSummary summary, describeModel(model.folder / "config.json", 0));
    std::vector<StoredReply> replies;
    const std::shared_ptr<ProbeLibrary> probes = with.probes.lock();
    if (probes) {
        PAL_ASSIGN(replies, keptReplies(*probes, reader, branch, model.fingerprint, ids));
    }
    inspect::MemorySource::Options options;
    options.model = model.fingerprint;
    options.experts = summary.experts;
    options.names = [tokenizer = with.tokenizer](TokenId id) { return validUtf8(tokenizer.tokenBytes(id)); };
    options.wish = branch.wish;
    if (probes) options.store = std::make_shared<const StoredReplies>(probes, replies, branch.growing);
    out.source = std::make_unique<inspect::MemorySource>(std::move(options));
    out.source->setIds(ids);
    out.source->setRegions({0, kEver}, out.regions);
    for (const StoredReply& reply : replies)
        out.source->setRegions({reply.begin, reply.end}, regionsOfReply(reply, out.regions, words));
    return out;
}

}  // namespace pal
