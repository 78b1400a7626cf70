// SPDX-License-Identifier: Apache-2.0
#include "storage/transfer/session_json.h"

#include "storage/chats/sha256.h"
#include "storage/transfer/json_input.h"

namespace pal {
namespace {

using nlohmann::json;

constexpr std::string_view kFormatName = "palimpsest-session";
constexpr int64_t kVersion = 1;

// What we wrote as text is an object; anything else would not have been stored.
json objectFrom(const std::string& text) {
    json value = json::parse(text, nullptr, false);
    return value.is_object() ? value : json::object();
}

json toJson(const SourceDocument& source) {
    json extractions = json::array();
    for (const Extraction& made : source.extractions) {
        json map = json::parse(made.map, nullptr, false);
        extractions.push_back({{"extractor", made.extractor},
                               {"version", made.version},
                               {"text", made.text},
                               {"map", map.is_array() ? map : json::array()},
                               {"warnings", made.warnings}});
    }
    return {{"sha256", toHex(source.sha256)},
            {"bytes", source.bytes},
            {"media_type", source.mediaType},
            {"extractions", std::move(extractions)}};
}

json toJson(const MessageDocument& message) {
    json out{{"parent", message.parent ? json(*message.parent) : json()},
             {"role", roleName(message.role)},
             {"state", messageStateName(message.state)},
             {"created_ms", message.createdMs},
             {"tokens", message.tokens},
             {"path_tokens", message.pathTokens},
             {"text", message.text}};
    if (!message.reasoning.empty()) out["reasoning"] = message.reasoning;
    if (message.details != "{}") out["details"] = objectFrom(message.details);
    if (message.ids) out["ids"] = {{"vocabulary", message.ids->vocabulary}, {"ids", message.ids->ids}};
    for (const AttachmentDocument& attachment : message.attachments) {
        out["attachments"].push_back({{"source", attachment.source},
                                      {"extraction", attachment.extraction ? json(*attachment.extraction) : json()},
                                      {"kind", attachmentKindName(attachment.kind)},
                                      {"name", attachment.name}});
        if (attachment.options != "{}") out["attachments"].back()["options"] = objectFrom(attachment.options);
    }
    return out;
}

// An index below `count`, or nothing for null. Errors: kFormat.
Result<std::optional<size_t>> indexAt(const json& object, std::string_view key, size_t count, std::string_view where) {
    const json* member = memberAt(object, key);
    if (member == nullptr || member->is_null()) return std::optional<size_t>();
    if (!member->is_number_unsigned() || member->get<uint64_t>() >= count)
        return fail(ErrorCode::kFormat, "{}.{} is no index below {}", where, key, count);
    return std::optional<size_t>(member->get<size_t>());
}

Result<SourceDocument> readSource(const json& value, std::string_view where) {
    const auto hash = sha256FromHex(textAt(value, "sha256"));
    if (!hash) return fail(ErrorCode::kFormat, "{}.sha256 is no SHA-256 in 64 lower-case digits", where);
    SourceDocument source{
        *hash, static_cast<uint64_t>(std::max<int64_t>(0, wholeAt(value, "bytes"))), textAt(value, "media_type"), {}};
    const json* extractions = memberAt(value, "extractions");
    for (const json& made : extractions != nullptr && extractions->is_array() ? *extractions : json::array()) {
        Extraction extraction{0, textAt(made, "extractor"), textAt(made, "version"), textAt(made, "text"), "[]", {}};
        if (const json* map = memberAt(made, "map"); map != nullptr && map->is_array()) extraction.map = jsonText(*map);
        if (const json* warnings = memberAt(made, "warnings"); warnings != nullptr && warnings->is_array()) {
            for (const json& warning : *warnings)
                if (warning.is_string()) extraction.warnings.push_back(warning.get<std::string>());
        }
        source.extractions.push_back(std::move(extraction));
    }
    return source;
}

Result<MessageIds> readIds(const json& value, std::string_view where) {
    MessageIds out{textAt(value, "vocabulary"), {}};
    const json* ids = memberAt(value, "ids");
    if (ids == nullptr || !ids->is_array()) return fail(ErrorCode::kFormat, "{}.ids.ids is no array", where);
    for (const json& id : *ids) {
        if (!id.is_number_unsigned() || id.get<uint64_t>() > static_cast<uint64_t>(INT32_MAX))
            return fail(ErrorCode::kFormat, "{}.ids.ids[{}] is no token id", where, out.ids.size());
        out.ids.push_back(id.get<int32_t>());
    }
    return out;
}

Result<> readAttachments(const json& list, const SessionDocument& document, MessageDocument& out,
                         const std::string& where) {
    if (!list.is_array()) return fail(ErrorCode::kFormat, "{}.attachments is no array", where);
    for (const json& value : list) {
        const std::string here = fmt::format("{}.attachments[{}]", where, out.attachments.size());
        PAL_ASSIGN(const auto source, indexAt(value, "source", document.sources.size(), here));
        if (!source) return fail(ErrorCode::kFormat, "{}.source is missing", here);
        const size_t made = document.sources[*source].extractions.size();
        PAL_ASSIGN(const auto extraction, indexAt(value, "extraction", made, here));
        const auto kind = attachmentKindNamed(textAt(value, "kind"));
        if (!kind) return fail(ErrorCode::kFormat, "{}.kind is no kind of attachment", here);
        out.attachments.push_back({*source, extraction, *kind, textAt(value, "name"), objectTextAt(value, "options")});
    }
    return {};
}

Result<MessageDocument> readMessage(const json& value, const SessionDocument& document) {
    const std::string where = fmt::format("messages[{}]", document.messages.size());
    MessageDocument message;
    // A parent stands before its children, so there are no cycles.
    PAL_ASSIGN(message.parent, indexAt(value, "parent", document.messages.size(), where));
    const auto role = roleNamed(textAt(value, "role"));
    if (!role) return fail(ErrorCode::kFormat, "{}.role is no role", where);
    const auto state = messageStateNamed(textAt(value, "state"));
    if (!state) return fail(ErrorCode::kFormat, "{}.state is no state of a message", where);
    message.role = *role;
    message.state = *state == MessageState::kStreaming ? MessageState::kInterrupted : *state;
    message.createdMs = wholeAt(value, "created_ms");
    message.tokens = std::max<int64_t>(0, wholeAt(value, "tokens"));
    message.pathTokens = std::max<int64_t>(0, wholeAt(value, "path_tokens"));
    message.text = textAt(value, "text");
    message.reasoning = textAt(value, "reasoning");
    message.details = objectTextAt(value, "details");
    if (const json* ids = memberAt(value, "ids")) {
        PAL_ASSIGN(message.ids, readIds(*ids, where));
    }
    if (const json* list = memberAt(value, "attachments")) PAL_TRY(readAttachments(*list, document, message, where));
    return message;
}

Result<const json*> arrayAt(const json& object, std::string_view key) {
    const json* member = memberAt(object, key);
    if (member == nullptr || !member->is_array()) return fail(ErrorCode::kFormat, "{} is no array", key);
    return member;
}

Result<SessionDocument> readDocument(const json& root) {
    if (textAt(root, "format") != kFormatName) return fail(ErrorCode::kFormat, "this is no {} file", kFormatName);
    const int64_t version = wholeAt(root, "version");
    if (version < 1) return fail(ErrorCode::kFormat, "version is {}", version);
    if (version > kVersion) {
        return fail(ErrorCode::kUnsupported, "version {} of {}, this program reads up to {}", version, kFormatName,
                    kVersion);
    }
    SessionDocument document;
    document.name = textAt(root, "name");
    document.createdMs = wholeAt(root, "created_ms");
    document.changedMs = wholeAt(root, "changed_ms");
    document.settings = objectTextAt(root, "settings");
    document.model = textAt(root, "model");
    document.fingerprint = textAt(root, "fingerprint");
    PAL_ASSIGN(const json* sources, arrayAt(root, "sources"));
    for (const json& value : *sources) {
        PAL_ASSIGN(SourceDocument source, readSource(value, fmt::format("sources[{}]", document.sources.size())));
        document.sources.push_back(std::move(source));
    }
    PAL_ASSIGN(const json* messages, arrayAt(root, "messages"));
    for (const json& value : *messages) {
        PAL_ASSIGN(MessageDocument message, readMessage(value, document));
        document.messages.push_back(std::move(message));
    }
    PAL_ASSIGN(document.head, indexAt(root, "head", document.messages.size(), "session"));
    return document;
}

}  // namespace

std::string writeSessionJson(const SessionDocument& document) {
    json root{{"format", kFormatName},
              {"version", kVersion},
              {"name", document.name},
              {"created_ms", document.createdMs},
              {"changed_ms", document.changedMs},
              {"settings", objectFrom(document.settings)},
              {"model", document.model},
              {"fingerprint", document.fingerprint},
              {"head", document.head ? json(*document.head) : json()},
              {"messages", json::array()},
              {"sources", json::array()}};
    for (const MessageDocument& message : document.messages) root["messages"].push_back(toJson(message));
    for (const SourceDocument& source : document.sources) root["sources"].push_back(toJson(source));
    return jsonText(root);
}

Result<SessionDocument> readSessionJson(std::string_view bytes, std::string_view name) {
    PAL_ASSIGN(const json root, parseJsonInput(bytes, name));
    auto document = readDocument(root);
    if (!document) return fail(document.error().withContext(name));
    return document;
}

std::vector<size_t> pathToHead(const SessionDocument& document) {
    std::vector<size_t> path;
    for (std::optional<size_t> at = document.head; at; at = document.messages[*at].parent) path.push_back(*at);
    return {path.rbegin(), path.rend()};
}

}  // namespace pal
