// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>

#include "storage/transfer/foreign_formats.h"
#include "storage/transfer/json_input.h"
#include "storage/transfer/loose_messages.h"

namespace pal {
namespace {

using nlohmann::json;

const json* chatIn(const json& value) {
    const json* chat = memberAt(value, "chat");
    return chat != nullptr && chat->is_object() ? chat : nullptr;
}

const json* messagesIn(const json& chat) {
    const json* history = memberAt(chat, "history");
    const json* messages = history == nullptr ? nullptr : memberAt(*history, "messages");
    return messages != nullptr && messages->is_object() ? messages : nullptr;
}

std::string unescaped(std::string_view html) {
    constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
        {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#x27;", '\''}, {"&amp;", '&'}}};
    std::string out;
    while (!html.empty()) {
        bool found = false;
        for (const auto& [entity, character] : kEntities) {
            if (!html.starts_with(entity)) continue;
            out += character;
            html.remove_prefix(entity.size());
            found = true;
            break;
        }
        if (found) continue;
        out += html.front();
        html.remove_prefix(1);
    }
    return out;
}

// The quoted lines of a <details> block without their "> ".
std::string unquoted(std::string_view block) {
    std::string out;
    while (!block.empty()) {
        const size_t end = std::min(block.find('\n'), block.size());
        std::string_view line = block.substr(0, end);
        block.remove_prefix(std::min(end + 1, block.size()));
        if (line.starts_with("&gt;")) line.remove_prefix(4);
        if (line.starts_with(">")) line.remove_prefix(1);
        if (line.starts_with(" ")) line.remove_prefix(1);
        if (!out.empty()) out += '\n';
        out += line;
    }
    return out;
}

// Moves <details type="reasoning" ...><summary>...</summary> ... </details> from the content to the reasoning.
void splitReasoning(const std::string& content, MessageDocument& message) {
    constexpr std::string_view kBegin = "<details type=\"reasoning\"", kSummaryEnd = "</summary>", kEnd = "</details>";
    std::string_view rest = content;
    while (true) {
        const size_t begin = rest.find(kBegin);
        const size_t end = begin == std::string_view::npos ? begin : rest.find(kEnd, begin);
        if (end == std::string_view::npos) break;
        message.text += rest.substr(0, begin);
        std::string_view block = rest.substr(begin, end - begin);
        const size_t summary = block.find(kSummaryEnd);
        const size_t head = summary != std::string_view::npos ? summary + kSummaryEnd.size() : block.find('>') + 1;
        block.remove_prefix(std::min(head, block.size()));
        while (block.starts_with('\n')) block.remove_prefix(1);
        while (block.ends_with('\n')) block.remove_suffix(1);
        if (!message.reasoning.empty()) message.reasoning += "\n\n";
        message.reasoning += unescaped(unquoted(block));
        rest.remove_prefix(end + kEnd.size());
        while (rest.starts_with('\n')) rest.remove_prefix(1);
    }
    message.text += rest;
}

int base64Digit(char c) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const size_t at = kDigits.find(c);
    return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

// The bytes of a "data:...;base64,..." URL; nothing for other URLs and broken ones.
std::optional<std::string> dataUrlBytes(std::string_view url) {
    const size_t comma = url.find(',');
    if (!url.starts_with("data:") || comma == std::string_view::npos || !url.substr(0, comma).ends_with(";base64"))
        return std::nullopt;
    std::string out;
    uint32_t bits = 0;
    int count = 0;
    for (const char c : url.substr(comma + 1)) {
        if (c == '=') break;
        const int digit = base64Digit(c);
        if (digit < 0) return std::nullopt;
        bits = (bits << 6) | static_cast<uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out += static_cast<char>((bits >> count) & 0xFF);
    }
    return out;
}

SourceFiles::Reader readerOf(const std::string& bytes) {
    return [&bytes, at = size_t{0}](std::span<std::byte> buffer) mutable -> Result<size_t> {
        const size_t count = std::min(buffer.size(), bytes.size() - at);
        if (count > 0) std::memcpy(buffer.data(), bytes.data() + at, count);
        at += count;
        return count;
    };
}

class ChatReader {
  public:
    explicit ChatReader(const KeepSource& keep) : keep_(keep) {}

    Result<SessionDocument> read(const json& value) {
        const json& chat = *chatIn(value);
        SessionDocument document;
        document.name = textAt(value, "title").empty() ? textAt(chat, "title") : textAt(value, "title");
        document.createdMs = timeAt(value, "created_at");
        document.changedMs = timeAt(value, "updated_at");
        std::vector<LooseMessage> messages;
        for (const auto& [id, message] : messagesIn(chat)->items()) {
            PAL_ASSIGN(LooseMessage loose, readMessage(id, message, document));
            messages.push_back(std::move(loose));
        }
        addLooseMessages(std::move(messages), textAt(*memberAt(chat, "history"), "currentId"), document);
        return document;
    }

  private:
    Result<LooseMessage> readMessage(const std::string& id, const json& message, SessionDocument& document) {
        LooseMessage out{id, textAt(message, "parentId"), std::nullopt, {}};
        const auto role = roleNamed(textAt(message, "role"));
        if (!role || *role == Role::kTool) {
            document.warnings.push_back(fmt::format("message {} has no role that this program knows", id));
            return out;
        }
        MessageDocument copy;
        copy.role = *role;
        copy.createdMs = timeAt(message, "timestamp");
        splitReasoning(textAt(message, "content"), copy);
        const json* files = memberAt(message, "files");
        for (const json& file : files != nullptr && files->is_array() ? *files : json::array())
            PAL_TRY(readFile(file, document, copy));
        out.message = std::move(copy);
        return out;
    }

    Result<> readFile(const json& file, SessionDocument& document, MessageDocument& message) {
        const std::string name = textAt(file, "name");
        if (textAt(file, "type") == "image") {
            const auto bytes = dataUrlBytes(textAt(file, "url"));
            if (bytes) return attachImage(document, message, name.empty() ? "picture" : name, readerOf(*bytes), keep_);
        } else if (const json* inner = memberAt(file, "file")) {
            const json* data = memberAt(*inner, "data");
            const std::string text = data == nullptr ? "" : textAt(*data, "content");
            if (!text.empty())
                return attachText(text, name.empty() ? textAt(*inner, "filename") : name, document, message);
        }
        document.warnings.push_back(fmt::format("the file {} is not in the export", name));
        return {};
    }

    // The export has the text that was made of a file, not the file.
    Result<> attachText(const std::string& text, std::string name, SessionDocument& document,
                        MessageDocument& message) {
        PAL_ASSIGN(const SourceFiles::Kept kept, keep_(readerOf(text)));
        const Extraction made{0, "open-webui", "1", text, "[]", {"only the extracted text was exported, not the file"}};
        message.attachments.push_back({document.sources.size(), 0, AttachmentKind::kDocument, std::move(name)});
        document.sources.push_back({kept.sha256, kept.bytes, "text/plain", {made}});
        return {};
    }

    const KeepSource& keep_;
};

}  // namespace

bool isOpenWebUi(const json& root) {
    if (root.is_array()) return !root.empty() && isOpenWebUi(root.front());
    const json* chat = chatIn(root);
    return chat != nullptr && messagesIn(*chat) != nullptr;
}

Result<std::vector<SessionDocument>> readOpenWebUi(const json& root, const KeepSource& keep) {
    std::vector<SessionDocument> out;
    const json list = root.is_array() ? json() : json::array({root});
    ChatReader reader(keep);
    for (const json& chat : root.is_array() ? root : list) {
        if (!isOpenWebUi(chat) || chat.is_array())
            return fail(ErrorCode::kFormat, "chat {} has no history of messages", out.size());
        PAL_ASSIGN(SessionDocument document, reader.read(chat));
        out.push_back(std::move(document));
    }
    return out;
}

}  // namespace pal
