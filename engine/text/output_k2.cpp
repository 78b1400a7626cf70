// SPDX-License-Identifier: Apache-2.0
// Replies of Kimi K2 and Kimi-Linear:
//   [ REASONING </think> ] TEXT [ <|tool_calls_section_begin|>
//     ( <|tool_call_begin|>functions.NAME:N<|tool_call_argument_begin|>JSON<|tool_call_end|> )+ <|tool_calls_section_end|> ] <|im_end|>
// A whole message begins with <|im_user|>, <|im_assistant|> or <|im_system|>, the speaker and <|im_middle|>.
#include <algorithm>
#include <array>
#include <optional>

#include "engine/text/output_grammar.h"

namespace pal {
namespace {

// NAME of "functions.NAME:N".
std::string functionName(std::string_view id) {
    constexpr std::string_view kPrefix = "functions.";
    if (id.starts_with(kPrefix)) id.remove_prefix(kPrefix.size());
    return std::string(id.substr(0, id.rfind(':')));
}

std::string_view trimmed(std::string_view text) {
    const size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

class K2Grammar final : public OutputParser::Grammar {
  public:
    K2Grammar(Tokenizer tokenizer, OutputStart start) : tokenizer_(std::move(tokenizer)) {
        constexpr std::array<std::pair<std::string_view, Mark>, 11> kMarks = {
            {{"<|im_user|>", Mark::kUser},
             {"<|im_assistant|>", Mark::kAssistant},
             {"<|im_system|>", Mark::kSystem},
             {"<|im_middle|>", Mark::kMiddle},
             {"<think>", Mark::kThink},
             {"</think>", Mark::kThinkEnd},
             {"<|tool_calls_section_begin|>", Mark::kSection},
             {"<|tool_calls_section_end|>", Mark::kSectionEnd},
             {"<|tool_call_begin|>", Mark::kCall},
             {"<|tool_call_argument_begin|>", Mark::kArguments},
             {"<|tool_call_end|>", Mark::kCallEnd}}};
        for (const auto& [name, mark] : kMarks) {
            if (const auto id = tokenizer_.controlId(name)) marks_.emplace_back(*id, mark);
        }
        // A model without a think token has no such channel: what it writes is content.
        const bool thinks = tokenizer_.controlId("</think>").has_value();
        state_ = start == OutputStart::kThink && thinks ? State::kReasoning : State::kContent;
    }

    void push(TokenId id, Deltas& out) override {
        if (std::find(tokenizer_.stopIds().begin(), tokenizer_.stopIds().end(), id) != tokenizer_.stopIds().end()) {
            reply.end(FinishReason::kStop, out);
            return;
        }
        const auto mark =
            std::find_if(marks_.begin(), marks_.end(), [&](const auto& entry) { return entry.first == id; });
        if (mark != marks_.end()) {
            apply(mark->second, out);
        } else {
            routeText(tokenizer_.tokenBytes(id), out);
        }
    }

  private:
    enum class State { kContent, kReasoning, kSpeaker, kSection, kCallId, kArguments };
    enum class Mark {
        kUser,
        kAssistant,
        kSystem,
        kMiddle,
        kThink,
        kThinkEnd,
        kSection,
        kSectionEnd,
        kCall,
        kArguments,
        kCallEnd
    };

    void routeText(std::string_view bytes, Deltas& out) {
        switch (state_) {
            case State::kContent:
                reply.write(ReplyWriter::Channel::kContent, bytes, out);
                break;
            case State::kReasoning:
                reply.write(ReplyWriter::Channel::kReasoning, bytes, out);
                break;
            case State::kSection:
                break;  // nothing but calls belongs there
            default:
                buffer_ += bytes;
        }
    }

    void apply(Mark mark, Deltas& out) {
        reply.flush(out);
        switch (mark) {
            case Mark::kUser:
                return startMessage("user");
            case Mark::kAssistant:
                return startMessage("assistant");
            case Mark::kSystem:
                return startMessage("system");
            case Mark::kMiddle:
                if (state_ == State::kSpeaker) nameSpeaker();
                break;
            case Mark::kThink:
                state_ = State::kReasoning;
                break;
            case Mark::kThinkEnd:
            case Mark::kSectionEnd:
                state_ = State::kContent;
                break;
            case Mark::kSection:
                state_ = State::kSection;
                break;
            case Mark::kCall:
                state_ = State::kCallId;
                buffer_.clear();
                break;
            case Mark::kArguments:
                if (state_ == State::kCallId) startCall(out);
                break;
            case Mark::kCallEnd:
                if (state_ == State::kArguments) finishCall(out);
                state_ = State::kSection;
                break;
        }
    }

    void startMessage(std::string_view role) {
        role_ = role;
        state_ = State::kSpeaker;
        buffer_.clear();
    }

    // The word after the role's token is the role or a name; tool results and declarations are system messages by token.
    void nameSpeaker() {
        const std::string speaker = validUtf8(buffer_);
        const bool isRole = speaker.empty() || speaker == role_ ||
                            (role_ == "system" && (speaker == "tool" || speaker == "tool_declare"));
        std::vector<std::pair<std::string, std::string>> attributes = {
            {"role", isRole && !speaker.empty() ? speaker : role_}};
        if (!isRole) attributes.emplace_back("name", speaker);
        if (reply.message().attributes.empty()) reply.setAttributes(std::move(attributes));
        state_ = State::kContent;
    }

    void startCall(Deltas& out) {
        call_ = ToolCall{std::string(trimmed(validUtf8(buffer_))), {}, {}};
        call_.name = functionName(call_.id);
        state_ = State::kArguments;
        buffer_.clear();
        if (!call_.name.empty()) reply.startCall(call_, out);
    }

    void finishCall(Deltas& out) {
        call_.arguments = validUtf8(buffer_);
        if (!call_.name.empty()) reply.addCall(std::move(call_), out);
    }

    Tokenizer tokenizer_;
    std::vector<std::pair<TokenId, Mark>> marks_;
    State state_ = State::kContent;
    std::string role_;
    std::string buffer_;  // speaker, call id or arguments
    ToolCall call_;
};

}  // namespace

std::unique_ptr<OutputParser::Grammar> makeK2Grammar(Tokenizer tokenizer, OutputStart start) {
    return std::make_unique<K2Grammar>(std::move(tokenizer), start);
}

}  // namespace pal
