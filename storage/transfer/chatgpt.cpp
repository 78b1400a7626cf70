// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "storage/transfer/foreign_formats.h"
#include "storage/transfer/json_input.h"
#include "storage/transfer/loose_messages.h"

namespace pal {
namespace {

using nlohmann::json;

std::string_view baseName(std::string_view path) {
    return path.substr(path.find_last_of('/') + 1);
}

class ConversationReader {
  public:
    ConversationReader(const ZipReader* files, const KeepSource& keep) : files_(files), keep_(keep) {}

    Result<SessionDocument> read(const json& conversation) {
        SessionDocument document;
        document.name = textAt(conversation, "title");
        document.createdMs = timeAt(conversation, "create_time");
        document.changedMs = timeAt(conversation, "update_time");
        leftOut_ = 0;
        std::vector<LooseMessage> messages;
        const json* mapping = memberAt(conversation, "mapping");
        for (const auto& [id, node] : mapping->items()) {
            PAL_ASSIGN(LooseMessage message, readNode(id, node, document));
            messages.push_back(std::move(message));
        }
        addLooseMessages(std::move(messages), textAt(conversation, "current_node"), document);
        if (leftOut_ > 0)
            document.warnings.push_back(fmt::format("{} messages of tools and of the system were left out", leftOut_));
        return document;
    }

  private:
    Result<LooseMessage> readNode(const std::string& id, const json& node, SessionDocument& document) {
        LooseMessage out{id, textAt(node, "parent"), std::nullopt, {}};
        const json* message = memberAt(node, "message");
        if (message == nullptr || !message->is_object()) return out;
        const json* content = memberAt(*message, "content");
        if (content == nullptr) return out;
        const json* author = memberAt(*message, "author");
        const std::string role = author == nullptr ? "" : textAt(*author, "role");
        const std::string type = textAt(*content, "content_type");
        if (type == "thoughts") {
            out.reasoning = thoughts(*content);
            return out;
        }
        const std::string recipient = textAt(*message, "recipient");
        const bool talk = role == "user" || (role == "assistant" && (recipient.empty() || recipient == "all"));
        MessageDocument spoken;
        spoken.role = role == "user" ? Role::kUser : Role::kAssistant;
        spoken.createdMs = timeAt(*message, "create_time");
        PAL_TRY(readParts(*content, document, spoken));
        const bool said = !spoken.text.empty() || !spoken.attachments.empty();
        if (talk && said && type != "reasoning_recap" && type != "user_editable_context") {
            out.message = std::move(spoken);
        } else if (said) {
            ++leftOut_;
        }
        return out;
    }

    static std::string thoughts(const json& content) {
        std::string out;
        const json* list = memberAt(content, "thoughts");
        if (list == nullptr || !list->is_array()) return out;
        for (const json& thought : *list) {
            const std::string text = textAt(thought, "content");
            if (!out.empty() && !text.empty()) out += "\n\n";
            out += text;
        }
        return out;
    }

    Result<> readParts(const json& content, SessionDocument& document, MessageDocument& message) {
        message.text = textAt(content, "text");
        const json* parts = memberAt(content, "parts");
        if (parts == nullptr || !parts->is_array()) return {};
        for (const json& part : *parts) {
            const std::string text = part.is_string() ? part.get<std::string>() : textAt(part, "text");
            if (!text.empty() && !message.text.empty()) message.text += "\n";
            message.text += text;
            if (textAt(part, "content_type") == "image_asset_pointer")
                PAL_TRY(readPicture(textAt(part, "asset_pointer"), document, message));
        }
        return {};
    }

    // "file-service://file-abc" lies in the zip as "file-abc-<name>".
    Result<> readPicture(const std::string& pointer, SessionDocument& document, MessageDocument& message) {
        const std::string id(baseName(pointer));
        if (files_ != nullptr && !id.empty()) {
            if (!listed_) {
                entries_ = files_->entries();
                listed_ = true;
            }
            for (const ZipReader::Entry& entry : entries_) {
                const std::string_view name = baseName(entry.name);
                const bool found = name.starts_with(id) &&
                                   (name.size() == id.size() || name[id.size()] == '-' || name[id.size()] == '.');
                if (!found) continue;
                // One picture in many messages is read once.
                if (const auto known = pictures_.find(id); known != pictures_.end()) {
                    attachKept(document, message, std::string(name), known->second);
                    return {};
                }
                PAL_ASSIGN(const SourceFiles::Reader bytes, files_->stream(entry));
                PAL_ASSIGN(const SourceFiles::Kept kept, keep_(bytes));
                pictures_.emplace(id, kept);
                attachKept(document, message, std::string(name), kept);
                return {};
            }
        }
        document.warnings.push_back(fmt::format("the picture {} is not in the export", id));
        return {};
    }

    const ZipReader* files_;
    const KeepSource& keep_;
    std::vector<ZipReader::Entry> entries_;
    bool listed_ = false;
    std::map<std::string, SourceFiles::Kept> pictures_;  // by their ids
    int64_t leftOut_ = 0;
};

}  // namespace

bool isChatGpt(const json& root) {
    if (root.is_array()) return !root.empty() && isChatGpt(root.front());
    const json* mapping = memberAt(root, "mapping");
    return mapping != nullptr && mapping->is_object();
}

Result<std::vector<SessionDocument>> readChatGpt(const json& root, const ZipReader* files, const KeepSource& keep) {
    std::vector<SessionDocument> out;
    const json list = root.is_array() ? json() : json::array({root});
    ConversationReader reader(files, keep);
    for (const json& conversation : root.is_array() ? root : list) {
        if (!isChatGpt(conversation) || conversation.is_array())
            return fail(ErrorCode::kFormat, "conversation {} has no mapping", out.size());
        PAL_ASSIGN(SessionDocument document, reader.read(conversation));
        out.push_back(std::move(document));
    }
    return out;
}

}  // namespace pal
