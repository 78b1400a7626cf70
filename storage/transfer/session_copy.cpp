// SPDX-License-Identifier: Apache-2.0
#include "storage/transfer/session_copy.h"

#include <algorithm>
#include <map>

#include "storage/chats/clock.h"
#include "storage/chats/sha256.h"

namespace pal {
namespace {

// Collects the sources of a session, each once.
class SourceCollector {
  public:
    SourceCollector(ChatDatabase& database, SessionDocument& document) : database_(database), document_(document) {}

    Result<AttachmentDocument> add(const Attachment& attachment) {
        const auto [known, isNew] = indices_.try_emplace(attachment.source, document_.sources.size());
        if (isNew) {
            PAL_ASSIGN(std::vector<Extraction> made, database_.sources().extractions(attachment.source));
            document_.sources.push_back({attachment.sha256, attachment.bytes, attachment.mediaType, std::move(made)});
        }
        AttachmentDocument out{known->second, std::nullopt, attachment.kind, attachment.name, attachment.options};
        const auto& made = document_.sources[known->second].extractions;
        for (size_t i = 0; i < made.size(); ++i)
            if (attachment.extraction == made[i].id) out.extraction = i;
        return out;
    }

  private:
    ChatDatabase& database_;
    SessionDocument& document_;
    std::map<SourceId, size_t> indices_;
};

Result<MessageDocument> readMessage(ChatDatabase& database, const Message& message, SourceCollector& sources) {
    MessageDocument out;
    out.role = message.node.role;
    out.state = message.node.state;
    out.createdMs = message.node.createdMs;
    out.tokens = message.node.tokens;
    out.pathTokens = message.node.pathTokens;
    out.text = message.text;
    out.reasoning = message.reasoning;
    out.details = message.details;
    PAL_ASSIGN(out.ids, database.messages().ids(message.node.id));
    for (const Attachment& attachment : message.attachments) {
        PAL_ASSIGN(AttachmentDocument copy, sources.add(attachment));
        out.attachments.push_back(std::move(copy));
    }
    return out;
}

Extraction imported(Extraction made) {
    const std::string prefix(kImportedIds);
    if (!made.extractor.starts_with(prefix)) made.extractor = prefix + made.extractor;
    // The text is part of the name: two archives may differ in it.
    const std::string text = toHex(sha256(std::as_bytes(std::span(made.text)))).substr(0, 16);
    made.version = made.version.substr(0, made.version.find(' ')) + " " + text;
    return made;
}

std::optional<MessageIds> importedIds(const MessageDocument& message) {
    if (!message.ids || message.role != Role::kAssistant) return std::nullopt;
    const std::string prefix(kImportedIds);
    const std::string& vocabulary = message.ids->vocabulary;
    return MessageIds{vocabulary.starts_with(prefix) ? vocabulary : prefix + vocabulary, message.ids->ids};
}

Result<std::vector<NewAttachment>> addAttachments(const MessageDocument& message, const SessionDocument& document,
                                                  const std::vector<SourceId>& sources,
                                                  const std::vector<std::vector<int64_t>>& extractions) {
    std::vector<NewAttachment> out;
    for (const AttachmentDocument& attachment : message.attachments) {
        if (attachment.source >= document.sources.size())
            return fail(ErrorCode::kInternal, "an attachment refers to source {} of {}", attachment.source,
                        document.sources.size());
        NewAttachment copy{sources[attachment.source], std::nullopt, attachment.kind, attachment.name,
                           attachment.options};
        if (attachment.extraction) copy.extraction = extractions[attachment.source].at(*attachment.extraction);
        out.push_back(std::move(copy));
    }
    return out;
}

}  // namespace

Result<SessionDocument> readSession(ChatDatabase& database, SessionId session) {
    PAL_ASSIGN(const SessionSummary summary, database.sessions().get(session));
    PAL_ASSIGN(const std::vector<MessageNode> nodes, database.messages().tree(session));
    SessionDocument out;
    out.name = summary.name;
    out.createdMs = summary.createdMs;
    out.changedMs = summary.changedMs;
    out.settings = summary.settings;
    out.model = summary.model;
    out.fingerprint = summary.fingerprint;
    SourceCollector sources(database, out);
    std::map<MessageId, std::optional<size_t>> indices;  // of a message that cannot be read: its parent's
    for (const MessageNode& node : nodes) {
        const auto parent = indices.find(node.parent);
        const std::optional<size_t> above = parent == indices.end() ? std::nullopt : parent->second;
        const auto message = database.messages().get(node.id);
        if (!message && message.error().code != ErrorCode::kCorrupt) return fail(message.error());
        auto copy = message ? readMessage(database, *message, sources) : fail(message.error());
        if (!copy && copy.error().code != ErrorCode::kCorrupt) return fail(copy.error());
        if (!copy) {
            out.warnings.push_back(fmt::format("message {} cannot be read: {}", node.id, copy.error().message));
            indices[node.id] = above;
            continue;
        }
        copy->parent = above;
        indices[node.id] = out.messages.size();
        out.messages.push_back(std::move(*copy));
    }
    if (const auto head = indices.find(summary.head); head != indices.end()) out.head = head->second;
    return out;
}

Result<SessionId> addSession(ChatDatabase& database, const SessionDocument& document) {
    PAL_ASSIGN(const SessionId session,
               database.sessions().add(document.name, document.settings, std::max<int64_t>(0, document.createdMs)));
    PAL_TRY(database.sessions().setModel(session, document.model, document.fingerprint, ""));
    std::vector<SourceId> sources;
    std::vector<std::vector<int64_t>> extractions;
    for (const SourceDocument& source : document.sources) {
        PAL_ASSIGN(const SourceId id, database.sources().add(source.sha256, source.bytes, source.mediaType, nowMs()));
        sources.push_back(id);
        extractions.emplace_back();
        for (const Extraction& made : source.extractions) {
            PAL_ASSIGN(const int64_t extraction, database.sources().addExtraction(id, imported(made), nowMs()));
            extractions.back().push_back(extraction);
        }
    }
    std::vector<MessageId> ids;
    for (const MessageDocument& message : document.messages) {
        NewMessage copy{session,
                        message.parent ? ids.at(*message.parent) : 0,
                        message.role,
                        message.state,
                        message.createdMs,
                        message.text,
                        message.reasoning,
                        message.details,
                        {},
                        importedIds(message),
                        message.tokens};
        PAL_ASSIGN(copy.attachments, addAttachments(message, document, sources, extractions));
        PAL_ASSIGN(const MessageId id, database.messages().add(copy));
        ids.push_back(id);
    }
    if (document.head) PAL_TRY(database.sessions().setHead(session, ids.at(*document.head), document.changedMs));
    return session;
}

}  // namespace pal
