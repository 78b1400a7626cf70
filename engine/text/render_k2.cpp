// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>

#include "engine/text/json_value.h"
#include "engine/text/render.h"

namespace pal {
namespace {

constexpr std::string_view kDefaultSystem = "You are Kimi, an AI assistant created by Moonshot AI.";

class K2Renderer {
  public:
    explicit K2Renderer(const ChatRequest& request) : request_(request) {}

    Result<std::vector<Segment>> render() {
        PAL_TRY(refuseWhatHasNoForm());
        PAL_TRY(renderTools());
        if (request_.messages.empty() || request_.messages.front().role != "system") {
            open("<|im_system|>", "system");
            out_.text(kDefaultSystem);
            close();
        }
        for (size_t i = 0; i < request_.messages.size(); ++i) {
            if (auto done = renderMessage(request_.messages[i]); !done) {
                return fail(done.error().withContext(fmt::format("messages[{}]", i)));
            }
        }
        if (request_.generationPrompt == GenerationPrompt::kAdd) open("<|im_assistant|>", "assistant");
        return out_.take();
    }

  private:
    void open(std::string_view token, std::string_view speaker) {
        out_.control(token);
        out_.text(speaker);
        out_.control("<|im_middle|>");
    }
    void close() { out_.control("<|im_end|>"); }

    Result<> refuseWhatHasNoForm() {
        if (request_.toolChoice == ToolChoice::kNone || request_.toolChoice == ToolChoice::kRequired) {
            return fail(ErrorCode::kUnsupported, "tool_choice: only 'auto' has a form in the prompt of this model");
        }
        if (request_.responseFormat != ResponseFormat::kText) {
            return fail(ErrorCode::kUnsupported, "response_format: only 'text' has a form in the prompt of this model");
        }
        return {};
    }

    Result<> renderTools() {
        if (request_.tools.empty()) return {};
        auto tools = parseJson(request_.tools);
        if (!tools) return fail(tools.error().withContext("tools"));
        if (!tools->is(JsonValue::Kind::kArray)) return fail(ErrorCode::kInvalidArgument, "tools: not an array");
        if (tools->items.empty()) return {};
        open("<|im_system|>", "tool_declare");
        out_.text(writeJson(*tools, JsonLayout::kCompact));
        close();
        return {};
    }

    Result<> renderMessage(const ChatMessage& message) {
        if (!message.tools.empty()) {
            return fail(ErrorCode::kUnsupported,
                        "tools within the conversation have no form in the prompt of this model");
        }
        const bool isAssistant = message.role == "assistant";
        const std::string_view token = isAssistant              ? "<|im_assistant|>"
                                       : message.role == "user" ? "<|im_user|>"
                                                                : "<|im_system|>";
        // One segment for the body: without control tokens in between, the reference encodes it as one text.
        std::string body;
        if (message.role == "tool") body = fmt::format("## Return of {}\n", resultId(message.toolCallId));
        for (const ContentPart& part : message.content) {
            if (part.kind == ContentPart::Kind::kImage)
                return fail(ErrorCode::kUnsupported, "this model takes no images");
            body += part.text;
        }
        open(token, message.name.empty() ? message.role : message.name);
        out_.text(body);
        if (isAssistant && !message.toolCalls.empty()) renderCalls(message.toolCalls);
        close();
        return {};
    }

    void renderCalls(const std::vector<ToolCall>& calls) {
        out_.control("<|tool_calls_section_begin|>");
        for (const ToolCall& call : calls) {
            // Ids have the form functions.NAME:N, N counted over the conversation; others are translated into it.
            const bool isOwn = call.id.starts_with("functions.");
            const std::string id = isOwn ? call.id : fmt::format("functions.{}:{}", call.name, callCount_);
            if (!call.id.empty()) ids_[call.id] = id;
            ++callCount_;
            out_.control("<|tool_call_begin|>");
            out_.text(id);
            out_.control("<|tool_call_argument_begin|>");
            out_.text(call.arguments.empty() ? "{}" : call.arguments);
            out_.control("<|tool_call_end|>");
        }
        out_.control("<|tool_calls_section_end|>");
    }

    [[nodiscard]] std::string resultId(const std::string& callId) const {
        const auto known = ids_.find(callId);
        return known != ids_.end() ? known->second : callId;
    }

    const ChatRequest& request_;
    SegmentWriter out_;
    std::unordered_map<std::string, std::string> ids_;  // call id of the request -> id in the prompt
    size_t callCount_ = 0;
};

}  // namespace

Result<std::vector<Segment>> renderK2(const ChatRequest& request) {
    return K2Renderer(request).render();
}

}  // namespace pal
