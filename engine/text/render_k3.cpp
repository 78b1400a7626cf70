// SPDX-License-Identifier: Apache-2.0
#include <initializer_list>
#include <optional>
#include <utility>

#include "engine/text/json_value.h"
#include "engine/text/python_text.h"
#include "engine/text/render.h"

namespace pal {
namespace {

constexpr std::string_view kImagePlaceholder = "<|kimi_image_placeholder|>";  // plain text to the tokenizer
constexpr std::string_view kToolsHead = "# Tools\nHere are the available tools, described in JSONSchema.\n\n```json\n";
constexpr std::string_view kDynamicToolsHead =
    "## New Tools Available\nThe system dynamically extends the toolset via lazy-loading.\n"
    "You have access to all existing and extended tools.\nHere are the specs for the extended tools.\n\n```json\n";
constexpr std::string_view kFenceEnd = "\n```";
constexpr std::string_view kEffortHead =
    "`thinking_effort` guides on how much to think in your thinking channel (not including the response channel), "
    "supported values "
    "include `low`, `medium`, `high`, and `max`.\nNow the system is invoked with `thinking_effort=";
constexpr std::string_view kChoiceRequired =
    "The system is invoked with `tool_choice=required`.\nYou MUST call tools in the next message.";
constexpr std::string_view kChoiceNone =
    "The system is invoked with `tool_choice=none`.\nYou MUST NOT call any tools in the next message.";
constexpr std::string_view kFormatTail =
    "`.\nYour response must be raw JSON data without markdown code blocks (```json) or any additional formatting.";
constexpr std::string_view kSchemaHead = "\nThe JSON data must match the following schema:\n```json\n";

std::string escapeAttribute(std::string_view value) {
    std::string out;
    for (const char c : value) {
        if (c == '&') {
            out += "&amp;";
        } else if (c == '"') {
            out += "&quot;";
        } else {
            out += c;
        }
    }
    return out;
}

std::string_view effortName(ThinkingEffort effort) {
    switch (effort) {
        case ThinkingEffort::kLow:
            return "low";
        case ThinkingEffort::kHigh:
            return "high";
        case ThinkingEffort::kMax:
            return "max";
        case ThinkingEffort::kUnset:
            break;
    }
    return "";
}

std::string_view argumentType(JsonValue::Kind kind) {
    switch (kind) {
        case JsonValue::Kind::kNull:
            return "null";
        case JsonValue::Kind::kBoolean:
            return "boolean";
        case JsonValue::Kind::kNumber:
            return "number";
        case JsonValue::Kind::kString:
            return "string";
        case JsonValue::Kind::kArray:
            return "array";
        case JsonValue::Kind::kObject:
            break;
    }
    return "object";
}

// The schema of a json_schema object: under "schema", else under "json_schema", else the object itself.
const JsonValue& schemaIn(const JsonValue& wrapper) {
    for (const std::string_view key : {"schema", "json_schema"}) {
        const JsonValue* inner = wrapper.find(key);
        if (inner != nullptr && !inner->is(JsonValue::Kind::kNull)) return *inner;
    }
    return wrapper;
}

// Keys with their values; without a value the attribute is left out.
using Attributes = std::initializer_list<std::pair<std::string_view, std::optional<std::string_view>>>;

std::optional<std::string_view> speakerName(const ChatMessage& message) {
    return message.name.empty() ? std::nullopt : std::optional<std::string_view>(message.name);
}

class K3Renderer {
  public:
    explicit K3Renderer(const ChatRequest& request) : request_(request) {}

    Result<std::vector<Segment>> render() {
        PAL_TRY(renderTools());
        if (request_.thinking == Thinking::kOn && request_.effort != ThinkingEffort::kUnset) {
            renderSystem("thinking-effort", fmt::format("{}{}`.", kEffortHead, effortName(request_.effort)));
        }
        for (size_t i = 0; i < request_.messages.size(); ++i) {
            if (auto done = renderMessage(request_.messages[i]); !done) {
                return fail(done.error().withContext(fmt::format("messages[{}]", i)));
            }
        }
        if (request_.toolChoice == ToolChoice::kRequired) renderSystem("tool-choice", kChoiceRequired);
        if (request_.toolChoice == ToolChoice::kNone) renderSystem("tool-choice", kChoiceNone);
        PAL_TRY(renderResponseFormat());
        if (request_.generationPrompt == GenerationPrompt::kAdd) {
            open("message", {{"role", "assistant"}});
            open(request_.thinking == Thinking::kOn ? "think" : "response", {});
        }
        return out_.take();
    }

  private:
    void open(std::string_view tag, Attributes attributes) {
        out_.control("<|open|>");
        out_.text(tag);
        for (const auto& [key, value] : attributes) {
            if (!value) continue;
            out_.text(fmt::format(" {}", key));
            out_.text("=\"");
            out_.text(escapeAttribute(*value));
            out_.text("\"");
        }
        out_.control("<|sep|>");
    }

    void close(std::string_view tag) {
        out_.control("<|close|>");
        out_.text(tag);
        out_.control("<|sep|>");
    }

    void closeMessage() {
        close("message");
        out_.control("<|end_of_msg|>");
    }

    void renderSystem(std::string_view type, std::string_view body) {
        open("message", {{"role", "system"}, {"type", type}});
        out_.text(body);
        closeMessage();
    }

    // `json` is an array of declarations; an empty one declares nothing.
    Result<> declareTools(std::string_view json, std::string_view head) {
        auto tools = parseJson(json);
        if (!tools) return fail(tools.error().withContext("tools"));
        if (!tools->is(JsonValue::Kind::kArray)) return fail(ErrorCode::kInvalidArgument, "tools: not an array");
        if (tools->items.empty()) return {};
        renderSystem("tool-declare",
                     fmt::format("{}{}{}", head, writeJson(*tools, JsonLayout::kSortedCompact), kFenceEnd));
        return {};
    }

    Result<> renderTools() { return request_.tools.empty() ? Result<>{} : declareTools(request_.tools, kToolsHead); }

    Result<> renderResponseFormat() {
        if (request_.responseFormat == ResponseFormat::kText) return {};
        if (request_.responseFormat == ResponseFormat::kJsonObject) {
            renderSystem("response-format",
                         fmt::format("The system is invoked with `response_format=json_object{}", kFormatTail));
            return {};
        }
        const bool overridden = !request_.responseSchema.empty();
        auto json = parseJson(overridden ? request_.responseSchema : request_.jsonSchema);
        if (!json) return fail(json.error().withContext("response_format.json_schema"));
        const std::string schema = writeJson(overridden ? *json : schemaIn(*json), JsonLayout::kSortedCompact);
        renderSystem("response-format", fmt::format("The system is invoked with `response_format=json_schema{}{}{}{}",
                                                    kFormatTail, kSchemaHead, schema, kFenceEnd));
        return {};
    }

    Result<> renderMessage(const ChatMessage& message) {
        if (message.role == "assistant") return renderAssistant(message);
        if (message.role == "tool") return renderToolResult(message);
        if (message.role == "system" && !message.tools.empty()) return declareTools(message.tools, kDynamicToolsHead);
        if (message.role != "system" && message.role != "user") return {};
        open("message", {{"role", message.role}, {"name", speakerName(message)}});
        renderContent(message);
        closeMessage();
        return {};
    }

    void renderContent(const ChatMessage& message) {
        for (const ContentPart& part : message.content) {
            if (part.kind == ContentPart::Kind::kText) {
                out_.text(part.text);
            } else {
                out_.control(part.text.empty() ? kImagePlaceholder : part.text);
            }
        }
    }

    Result<> renderAssistant(const ChatMessage& message) {
        calls_ = &message.toolCalls;
        toolResults_ = 0;
        open("message", {{"role", "assistant"}, {"name", speakerName(message)}});
        if (request_.thinking == Thinking::kOn) {  // an empty think channel, too, is part of the format
            open("think", {});
            if (!isBlank(message.reasoning)) out_.text(message.reasoning);
            close("think");
        }
        open("response", {});
        renderContent(message);
        close("response");
        if (!message.toolCalls.empty()) {
            open("tools", {});
            for (size_t i = 0; i < message.toolCalls.size(); ++i) {
                const ToolCall& call = message.toolCalls[i];
                open("call", {{"tool", call.name}, {"index", std::to_string(i + 1)}});
                if (auto done = renderArguments(call.arguments); !done) {
                    return fail(done.error().withContext(fmt::format("tool_calls[{}].function.arguments", i)));
                }
                close("call");
            }
            close("tools");
        }
        closeMessage();
        return {};
    }

    Result<> renderArguments(std::string_view arguments) {
        if (isBlank(arguments)) return {};
        const auto json = parseJson(arguments);
        if (!json) {  // what the model wrote, though it is no JSON
            open("json", {{"type", "object"}});
            out_.text(arguments);
            close("json");
            return {};
        }
        if (!json->is(JsonValue::Kind::kObject)) return fail(ErrorCode::kInvalidArgument, "JSON, but not an object");
        for (const JsonMember& member : json->members) {
            const bool isString = member.value.is(JsonValue::Kind::kString);
            open("argument", {{"key", member.key}, {"type", argumentType(member.value.kind)}});
            out_.text(isString ? member.value.text : writeJson(member.value, JsonLayout::kSpaced));
            close("argument");
        }
        return {};
    }

    Result<> renderToolResult(const ChatMessage& message) {
        const size_t index = ++toolResults_;  // counted since the last assistant message
        std::string_view name = message.toolName.empty() ? message.name : message.toolName;
        if (name.empty() && calls_ != nullptr && index <= calls_->size()) name = (*calls_)[index - 1].name;
        if (name.empty()) {
            return fail(ErrorCode::kInvalidArgument, "tool result {} names no tool, and there are {} calls before it",
                        index, calls_ != nullptr ? calls_->size() : 0);
        }
        open("message", {{"role", "tool"}, {"tool", name}, {"index", std::to_string(index)}});
        renderContent(message);
        closeMessage();
        return {};
    }

    const ChatRequest& request_;
    SegmentWriter out_;
    const std::vector<ToolCall>* calls_ = nullptr;  // of the last assistant message
    size_t toolResults_ = 0;
};

}  // namespace

Result<std::vector<Segment>> renderK3(const ChatRequest& request) {
    return K3Renderer(request).render();
}

}  // namespace pal
