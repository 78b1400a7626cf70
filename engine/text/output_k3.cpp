// SPDX-License-Identifier: Apache-2.0
// XTML as Kimi K3 writes it, read by a state machine over ids. After a prompt that opened the think channel:
//   REASONING </think> <response> TEXT </response>
//   [ <tools> ( <call tool= index=> ( <argument key= type=> VALUE </argument> )* | <json> RAW </json> </call> )+ </tools> ]
//   </message> <|end_of_msg|>
// where <x> stands for <|open|>x<|sep|> and </x> for <|close|>x<|sep|>.
#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "engine/text/json_value.h"
#include "engine/text/output_grammar.h"

namespace pal {
namespace {

constexpr size_t kMaxElements = 64;  // open at once; the format needs five

enum class Tag { kMessage, kThink, kResponse, kTools, kCall, kArgument, kJson, kUnknown };

constexpr std::array<std::pair<std::string_view, Tag>, 7> kTags = {{{"message", Tag::kMessage},
                                                                    {"think", Tag::kThink},
                                                                    {"response", Tag::kResponse},
                                                                    {"tools", Tag::kTools},
                                                                    {"call", Tag::kCall},
                                                                    {"argument", Tag::kArgument},
                                                                    {"json", Tag::kJson}}};

// What stands between <|open|> or <|close|> and <|sep|>.
struct Header {
    bool closes = false;
    std::string bytes;
};

struct Element {
    Tag tag = Tag::kUnknown;
    std::string name;
};

using Attributes = std::vector<std::pair<std::string, std::string>>;

bool isWordCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The text of an attribute, in one pass: values reach megabytes.
std::string unescapeAttribute(std::string_view value) {
    constexpr std::array<std::pair<std::string_view, char>, 2> kEscapes = {{{"&quot;", '"'}, {"&amp;", '&'}}};
    std::string out;
    while (!value.empty()) {
        const auto escape = std::find_if(kEscapes.begin(), kEscapes.end(),
                                         [&](const auto& entry) { return value.starts_with(entry.first); });
        out += escape != kEscapes.end() ? escape->second : value.front();
        value.remove_prefix(escape != kEscapes.end() ? escape->first.size() : 1);
    }
    return out;
}

// The element's name: the first word of a header.
std::string nameIn(std::string_view header) {
    const size_t start = std::min(header.find_first_not_of(" \n\t"), header.size());
    return std::string(header.substr(start, header.find_first_of(" \n\t", start) - start));
}

Tag tagOf(std::string_view name) {
    const auto entry = std::find_if(kTags.begin(), kTags.end(), [&](const auto& t) { return t.first == name; });
    return entry != kTags.end() ? entry->second : Tag::kUnknown;
}

// All key="value" in a header, in order.
Attributes attributesIn(std::string_view header) {
    Attributes out;
    for (size_t at = header.find("=\""); at != std::string_view::npos; at = header.find("=\"", at)) {
        size_t keyStart = at;
        while (keyStart > 0 && isWordCharacter(header[keyStart - 1])) --keyStart;
        const size_t valueEnd = header.find('"', at + 2);
        if (valueEnd == std::string_view::npos) break;
        if (keyStart < at) {
            out.emplace_back(header.substr(keyStart, at - keyStart),
                             unescapeAttribute(header.substr(at + 2, valueEnd - at - 2)));
        }
        at = valueEnd + 1;
    }
    return out;
}

std::optional<std::string> attribute(const Attributes& attributes, std::string_view key) {
    const auto found =
        std::find_if(attributes.begin(), attributes.end(), [&](const auto& entry) { return entry.first == key; });
    return found != attributes.end() ? std::optional(found->second) : std::nullopt;
}

bool isFinite(const JsonValue& value) {
    if (value.is(JsonValue::Kind::kNumber)) return value.text != "NaN" && !value.text.ends_with("Infinity");
    return std::all_of(value.items.begin(), value.items.end(), isFinite) &&
           std::all_of(value.members.begin(), value.members.end(),
                       [](const JsonMember& m) { return isFinite(m.value); });
}

// The JSON text of an argument. What is no JSON despite its type stays a string.
std::string argumentJson(std::string_view type, const std::string& text) {
    if (type != "string") {
        if (const auto value = parseJson(text); value && isFinite(*value))
            return writeJson(*value, JsonLayout::kSpaced);
    }
    std::string out;
    appendJsonString(out, text);
    return out;
}

// A call while its element is open.
class CallBuilder {
  public:
    explicit CallBuilder(ToolCall call) : call_(std::move(call)) {}

    void openValue(std::optional<std::string> key, std::string type) {
        key_ = std::move(key);
        type_ = std::move(type);
        value_.clear();
    }
    void append(std::string_view bytes) { value_ += bytes; }
    void closeArgument() {
        if (!key_) return;
        std::string json = argumentJson(type_, validUtf8(value_));
        const auto [place, isNew] = indices_.try_emplace(*key_, members_.size());
        if (isNew) {
            members_.emplace_back(std::move(*key_), std::move(json));
        } else {
            members_[place->second].second = std::move(json);
        }
        key_.reset();
    }
    void closeJson() { raw_ = validUtf8(value_); }

    ToolCall finish() {
        if (raw_) {
            call_.arguments = std::move(*raw_);
            return std::move(call_);
        }
        call_.arguments = "{";
        for (size_t i = 0; i < members_.size(); ++i) {
            if (i > 0) call_.arguments += ", ";
            appendJsonString(call_.arguments, members_[i].first);
            call_.arguments += ": " + members_[i].second;
        }
        call_.arguments += "}";
        return std::move(call_);
    }

  private:
    ToolCall call_;
    std::optional<std::string> key_;  // of the argument that is open
    std::string type_;
    std::string value_;
    Attributes members_;                               // key and JSON text
    std::unordered_map<std::string, size_t> indices_;  // of members_, by key
    std::optional<std::string> raw_;                   // of a json element: the arguments as they are
};

class K3Grammar final : public OutputParser::Grammar {
  public:
    K3Grammar(Tokenizer tokenizer, OutputStart start) : tokenizer_(std::move(tokenizer)) {
        open_ = *tokenizer_.controlId("<|open|>");
        close_ = *tokenizer_.controlId("<|close|>");
        sep_ = *tokenizer_.controlId("<|sep|>");
        if (start == OutputStart::kThink) stack_.push_back({Tag::kThink, "think"});
        if (start == OutputStart::kResponse) stack_.push_back({Tag::kResponse, "response"});
        thinkIsAssumed_ = start == OutputStart::kThink;
    }

    void push(TokenId id, Deltas& out) override {
        if (id == open_ || id == close_) {
            header_ = Header{id == close_, {}};
        } else if (id == sep_) {
            if (!header_) return;
            const Header header = *std::exchange(header_, std::nullopt);
            header.closes ? closeElement(header.bytes, out) : openElement(header.bytes, out);
        } else if (std::find(tokenizer_.stopIds().begin(), tokenizer_.stopIds().end(), id) !=
                   tokenizer_.stopIds().end()) {
            reply.end(FinishReason::kStop, out);
        } else if (header_) {
            header_->bytes += tokenizer_.tokenBytes(id);
        } else {
            routeText(tokenizer_.tokenBytes(id), out);
        }
    }

  private:
    [[nodiscard]] auto findOpen(Tag tag, std::string_view name) {
        return std::find_if(stack_.rbegin(), stack_.rend(),
                            [&](const Element& e) { return e.tag == tag && e.name == name; });
    }
    // Closes the innermost element of that name with all inside it; false when there is none.
    bool popThrough(Tag tag, std::string_view name) {
        const auto found = findOpen(tag, name);
        if (found == stack_.rend()) return false;
        stack_.erase(found.base() - 1, stack_.end());
        return true;
    }

    [[nodiscard]] auto innermostKnown() {
        return std::find_if(stack_.rbegin(), stack_.rend(), [](const Element& e) { return e.tag != Tag::kUnknown; });
    }

    // Text belongs to the innermost element that is known.
    void routeText(std::string_view bytes, Deltas& out) {
        const auto known = innermostKnown();
        switch (known != stack_.rend() ? known->tag : Tag::kMessage) {
            case Tag::kThink:
                reply.write(ReplyWriter::Channel::kReasoning, bytes, out);
                break;
            case Tag::kArgument:
            case Tag::kJson:
                if (call_) call_->append(bytes);
                break;
            case Tag::kTools:
            case Tag::kCall:
                break;  // nothing but elements belongs there
            default:
                reply.write(ReplyWriter::Channel::kContent, bytes, out);
        }
    }

    void openElement(const std::string& header, Deltas& out) {
        const std::string name = nameIn(header);
        const Tag tag = tagOf(name);
        const Attributes attributes = attributesIn(validUtf8(header));
        reply.flush(out);
        if (tag == Tag::kResponse || tag == Tag::kTools) {
            popThrough(Tag::kThink, "think");  // an unclosed think channel ends here
        }
        if (tag != Tag::kUnknown) thinkIsAssumed_ = false;
        if (tag == Tag::kMessage && stack_.empty() && reply.message().attributes.empty())
            reply.setAttributes(attributes);
        if (tag == Tag::kCall) startCall(attributes, out);
        if (tag == Tag::kArgument && call_)
            call_->openValue(attribute(attributes, "key"), attribute(attributes, "type").value_or("string"));
        if (tag == Tag::kJson && call_) call_->openValue(std::nullopt, {});
        if (stack_.size() < kMaxElements) stack_.push_back({tag, name});
    }

    void startCall(const Attributes& attributes, Deltas& out) {
        popThrough(Tag::kCall, "call");  // an unclosed call before it is lost
        call_.reset();
        const auto tool = attribute(attributes, "tool");
        if (!tool || tool->empty()) return;
        ToolCall call{fmt::format("call_{}", ++calls_), *tool, {}};
        reply.startCall(call, out);
        call_.emplace(std::move(call));
    }

    void closeElement(const std::string& header, Deltas& out) {
        const std::string name = nameIn(header);
        const Tag tag = tagOf(name);
        const bool endsReply = tag == Tag::kResponse || tag == Tag::kMessage;
        const auto known = innermostKnown();
        if (endsReply && thinkIsAssumed_ && known != stack_.rend() && known->tag == Tag::kThink) {
            // The model never thought: it answered where its think channel was open.
            stack_.erase(known.base() - 1, stack_.end());
            thinkIsAssumed_ = false;
            reply.reasoningIsContent(out);
        }
        const bool wasOpen = popThrough(tag, name);
        reply.flush(out);
        if (tag == Tag::kMessage) {
            reply.end(FinishReason::kStop, out);
        } else if (wasOpen && call_ && tag == Tag::kArgument) {
            call_->closeArgument();
        } else if (wasOpen && call_ && tag == Tag::kJson) {
            call_->closeJson();
        } else if (wasOpen && call_ && tag == Tag::kCall) {
            reply.addCall(call_->finish(), out);
        }
        if (findOpen(Tag::kCall, "call") == stack_.rend()) call_.reset();
    }

    Tokenizer tokenizer_;
    TokenId open_ = 0;
    TokenId close_ = 0;
    TokenId sep_ = 0;
    std::vector<Element> stack_;  // open elements, the innermost last
    std::optional<Header> header_;
    std::optional<CallBuilder> call_;
    size_t calls_ = 0;
    bool thinkIsAssumed_ = false;  // the prompt opened the think channel, and nothing shows yet that the model uses it
};

}  // namespace

std::unique_ptr<OutputParser::Grammar> makeK3Grammar(Tokenizer tokenizer, OutputStart start) {
    return std::make_unique<K3Grammar>(std::move(tokenizer), start);
}

}  // namespace pal
