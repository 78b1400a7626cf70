// SPDX-License-Identifier: Apache-2.0
// Requests as JSON: reading them, and the rules a server enforces.
#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "engine/api/chat.h"
#include "engine/text/json_value.h"
#include "engine/text/memory_guard.h"
#include "engine/text/tool_results.h"

namespace pal {
namespace {

using Kind = JsonValue::Kind;

tl::unexpected<Error> invalid(std::string_view path, std::string_view what) {
    return fail(ErrorCode::kInvalidArgument, "{}: {}", path, what);
}

// The member `key`, or null when it is missing or the JSON value null.
const JsonValue* fieldOf(const JsonValue& object, std::string_view key) {
    const JsonValue* value = object.find(key);
    return value != nullptr && !value->is(Kind::kNull) ? value : nullptr;
}

// A field with the value's kind checked; null when it is not there.
Result<const JsonValue*> typedField(const JsonValue& object, std::string_view key, Kind kind, std::string_view path) {
    static constexpr std::array<std::string_view, 6> kNames = {"null",     "true or false", "a number",
                                                               "a string", "an array",      "an object"};
    const JsonValue* value = fieldOf(object, key);
    if (value != nullptr && !value->is(kind)) {
        return invalid(fmt::format("{}{}", path, key), fmt::format("not {}", kNames[static_cast<size_t>(kind)]));
    }
    return value;
}

Result<std::string> stringField(const JsonValue& object, std::string_view key, std::string_view path) {
    PAL_ASSIGN(const JsonValue* value, typedField(object, key, Kind::kString, path));
    return value != nullptr ? value->text : std::string();
}

// An array as JSON text, or nothing when the field is missing.
Result<std::string> arrayText(const JsonValue& object, std::string_view key, std::string_view path) {
    PAL_ASSIGN(const JsonValue* value, typedField(object, key, Kind::kArray, path));
    return value != nullptr ? writeJson(*value, JsonLayout::kSpaced) : std::string();
}

Result<std::vector<ContentPart>> parseContent(const JsonValue& message, std::string_view path) {
    std::vector<ContentPart> parts;
    const JsonValue* content = fieldOf(message, "content");
    if (content == nullptr) return parts;
    if (content->is(Kind::kString)) {
        parts.push_back({ContentPart::Kind::kText, content->text});
        return parts;
    }
    if (!content->is(Kind::kArray))
        return invalid(fmt::format("{}content", path), "neither a string nor an array of parts");
    for (size_t i = 0; i < content->items.size(); ++i) {
        const JsonValue& item = content->items[i];
        const std::string at = fmt::format("{}content[{}]", path, i);
        if (!item.is(Kind::kObject)) return invalid(at, "not an object");
        const JsonValue* type = fieldOf(item, "type");
        if (type != nullptr && type->is(Kind::kString) && (type->text == "image" || type->text == "image_url")) {
            parts.push_back({ContentPart::Kind::kImage, {}});
            continue;
        }
        const JsonValue* text = fieldOf(item, "text");
        if (text == nullptr || !text->is(Kind::kString)) {
            const std::string name = type != nullptr && type->is(Kind::kString) ? type->text : "without a type";
            return invalid(at, fmt::format("a part '{}' needs a string 'text'", name));
        }
        parts.push_back({ContentPart::Kind::kText, text->text});
    }
    return parts;
}

Result<ToolCall> parseToolCall(const JsonValue& call, const std::string& path) {
    if (!call.is(Kind::kObject)) return invalid(path, "not an object");
    ToolCall out;
    PAL_ASSIGN(out.id, stringField(call, "id", path + "."));
    PAL_ASSIGN(const JsonValue* function, typedField(call, "function", Kind::kObject, path + "."));
    if (function == nullptr) return invalid(path + ".function", "missing");
    PAL_ASSIGN(out.name, stringField(*function, "name", path + ".function."));
    if (out.name.empty()) return invalid(path + ".function.name", "missing");
    const JsonValue* arguments = fieldOf(*function, "arguments");
    if (arguments == nullptr) return out;
    if (arguments->is(Kind::kString)) {
        out.arguments = arguments->text;
    } else if (arguments->is(Kind::kObject)) {
        out.arguments = writeJson(*arguments, JsonLayout::kSpaced);
    } else {
        return invalid(path + ".function.arguments", "neither a string nor an object");
    }
    return out;
}

Result<ChatMessage> parseMessage(const JsonValue& message, const std::string& path) {
    const std::string inside = path + ".";
    if (!message.is(Kind::kObject)) return invalid(path, "not an object");
    ChatMessage out;
    PAL_ASSIGN(out.role, stringField(message, "role", inside));
    if (out.role.empty()) return invalid(path + ".role", "missing");
    PAL_ASSIGN(const JsonValue* partial, typedField(message, "partial", Kind::kBoolean, inside));
    if (partial != nullptr && partial->text == "true")
        return invalid(path + ".partial", "continuing a message is not supported");
    PAL_ASSIGN(out.name, stringField(message, "name", inside));
    PAL_ASSIGN(out.content, parseContent(message, inside));
    PAL_ASSIGN(out.reasoning, stringField(message, "reasoning_content", inside));
    if (out.reasoning.empty()) {
        PAL_ASSIGN(out.reasoning, stringField(message, "reasoning", inside));
    }
    PAL_ASSIGN(const JsonValue* calls, typedField(message, "tool_calls", Kind::kArray, inside));
    for (size_t i = 0; calls != nullptr && i < calls->items.size(); ++i) {
        PAL_ASSIGN(ToolCall call, parseToolCall(calls->items[i], fmt::format("{}tool_calls[{}]", inside, i)));
        out.toolCalls.push_back(std::move(call));
    }
    PAL_ASSIGN(out.toolCallId, stringField(message, "tool_call_id", inside));
    if (out.toolCallId.empty() && out.role == "tool") {
        PAL_ASSIGN(out.toolCallId, stringField(message, "id", inside));
    }
    PAL_ASSIGN(out.toolName, stringField(message, "tool", inside));
    PAL_ASSIGN(out.tools, arrayText(message, "tools", inside));
    if (out.tools == "[]") out.tools.clear();
    return out;
}

Result<ToolChoice> parseToolChoice(const JsonValue& request) {
    const JsonValue* choice = fieldOf(request, "tool_choice");
    if (choice == nullptr) return ToolChoice::kUnset;
    if (!choice->is(Kind::kString))
        return invalid("tool_choice", "not one of auto, none, required (a named function is not supported)");
    if (choice->text == "auto") return ToolChoice::kAuto;
    if (choice->text == "none") return ToolChoice::kNone;
    if (choice->text == "required") return ToolChoice::kRequired;
    return invalid("tool_choice", fmt::format("'{}' is not one of auto, none, required", choice->text));
}

Result<> parseResponseFormat(const JsonValue& json, ChatRequest& request) {
    PAL_ASSIGN(const JsonValue* schema, typedField(json, "response_schema", Kind::kObject, ""));
    if (schema != nullptr) request.responseSchema = writeJson(*schema, JsonLayout::kSpaced);
    PAL_ASSIGN(const JsonValue* format, typedField(json, "response_format", Kind::kObject, ""));
    if (format == nullptr) return {};
    PAL_ASSIGN(const std::string type, stringField(*format, "type", "response_format."));
    if (type == "json_object") {
        request.responseFormat = ResponseFormat::kJsonObject;
    } else if (type == "json_schema") {
        request.responseFormat = ResponseFormat::kJsonSchema;
        PAL_ASSIGN(const JsonValue* wrapper, typedField(*format, "json_schema", Kind::kObject, "response_format."));
        if (wrapper == nullptr && schema == nullptr) return invalid("response_format.json_schema", "missing");
        if (wrapper != nullptr) request.jsonSchema = writeJson(*wrapper, JsonLayout::kSpaced);
    } else if (type != "text") {
        return invalid("response_format.type", fmt::format("'{}' is not one of text, json_object, json_schema", type));
    }
    return {};
}

Result<> parseThinking(const JsonValue& json, ChatRequest& request) {
    PAL_ASSIGN(const JsonValue* thinking, typedField(json, "thinking", Kind::kBoolean, ""));
    if (thinking != nullptr && thinking->text == "false") request.thinking = Thinking::kOff;
    if (request.thinking == Thinking::kOff) return {};  // without thinking the effort is not looked at
    PAL_ASSIGN(const std::string effort, stringField(json, "thinking_effort", ""));
    if (effort == "low") {
        request.effort = ThinkingEffort::kLow;
    } else if (effort == "high") {
        request.effort = ThinkingEffort::kHigh;
    } else if (effort == "max") {
        request.effort = ThinkingEffort::kMax;
    } else if (!effort.empty()) {
        return invalid("thinking_effort", fmt::format("'{}' is not one of low, high, max", effort));
    }
    return {};
}

bool showsContent(const ChatMessage& message) {
    return message.role == "user" || message.role == "assistant" || message.role == "tool" ||
           (message.role == "system" && message.tools.empty());
}

// Exactly what imagePrompt(width, height) makes. An image's prompt becomes control tokens, so no other text may stand there.
bool isImagePrompt(std::string_view text) {
    const size_t start = imagePrompt(1, 1).find('1');
    const char* const end = text.data() + text.size();
    uint32_t width = 0;
    uint32_t height = 0;
    if (text.size() < start) return false;
    const auto afterWidth = std::from_chars(text.data() + start, end, width);
    if (afterWidth.ec != std::errc{} || afterWidth.ptr == end) return false;
    const auto afterHeight = std::from_chars(afterWidth.ptr + 1, end, height);
    return afterHeight.ec == std::errc{} && width > 0 && height > 0 && text == imagePrompt(width, height);
}

// Image parts take the prompts in the order they are rendered in.
Result<> assignImagePrompts(const JsonValue& json, ChatRequest& request) {
    PAL_ASSIGN(const JsonValue* prompts, typedField(json, "image_prompts", Kind::kArray, ""));
    if (prompts == nullptr || prompts->items.empty()) return {};
    sortToolResults(request.messages);
    size_t images = 0;
    for (ChatMessage& message : request.messages) {
        if (!showsContent(message)) continue;
        for (ContentPart& part : message.content) {
            if (part.kind != ContentPart::Kind::kImage) continue;
            if (images < prompts->items.size()) part.text = prompts->items[images].text;
            ++images;
        }
    }
    if (images != prompts->items.size()) {
        return invalid("image_prompts", fmt::format("{} prompts for {} images", prompts->items.size(), images));
    }
    for (size_t i = 0; i < images; ++i) {
        const JsonValue& prompt = prompts->items[i];
        if (!prompt.is(Kind::kString) || !isImagePrompt(prompt.text)) {
            return invalid(fmt::format("image_prompts[{}]", i),
                           "not of the form '" + imagePrompt(1, 1) + "' with the image's width and height");
        }
    }
    return {};
}

// Adds the names of a tools array to `seen`; each entry must be a function with a new name.
Result<> checkTools(std::string_view json, const std::string& path, std::set<std::string>& seen) {
    auto tools = parseJson(json);
    if (!tools) return fail(tools.error().withContext(path));
    if (!tools->is(Kind::kArray)) return invalid(path, "not an array");
    for (size_t i = 0; i < tools->items.size(); ++i) {
        const std::string at = fmt::format("{}[{}]", path, i);
        const JsonValue* type = tools->items[i].find("type");
        if (type == nullptr || type->text != "function") return invalid(at + ".type", "only 'function' is supported");
        const JsonValue* function = tools->items[i].find("function");
        const JsonValue* name = function != nullptr ? function->find("name") : nullptr;
        if (name == nullptr || !name->is(Kind::kString) || name->text.empty())
            return invalid(at + ".function.name", "missing");
        if (!seen.insert(name->text).second) return invalid(at, fmt::format("a second tool named '{}'", name->text));
    }
    return {};
}

bool hasContent(const ChatMessage& message) {
    return std::any_of(message.content.begin(), message.content.end(), [](const ContentPart& part) {
        return part.kind == ContentPart::Kind::kImage || !part.text.empty();
    });
}

Result<> checkResponseFormat(const ChatRequest& request) {
    if (request.responseFormat != ResponseFormat::kJsonSchema) return {};
    auto wrapper = parseJson(request.jsonSchema);
    const JsonValue* name = wrapper ? wrapper->find("name") : nullptr;
    const JsonValue* schema = wrapper ? wrapper->find("schema") : nullptr;
    if (name == nullptr || !name->is(Kind::kString) || name->text.empty())
        return invalid("response_format.json_schema.name", "missing");
    if (schema == nullptr || !schema->is(Kind::kObject))
        return invalid("response_format.json_schema.schema", "missing");
    return {};
}

Result<ChatRequest> parseRequest(std::string_view text) {
    PAL_ASSIGN(const JsonValue document, parseJson(text));
    const JsonValue* inner = document.find("request");
    const JsonValue& json = inner != nullptr ? *inner : document;
    if (!json.is(Kind::kObject)) return invalid("request", "not an object");
    ChatRequest request;
    PAL_ASSIGN(const JsonValue* messages, typedField(json, "messages", Kind::kArray, ""));
    if (messages == nullptr) return invalid("messages", "missing");
    for (size_t i = 0; i < messages->items.size(); ++i) {
        PAL_ASSIGN(ChatMessage message, parseMessage(messages->items[i], fmt::format("messages[{}]", i)));
        request.messages.push_back(std::move(message));
    }
    PAL_ASSIGN(request.tools, arrayText(json, "tools", ""));
    PAL_ASSIGN(request.toolChoice, parseToolChoice(json));
    PAL_TRY(parseResponseFormat(json, request));
    PAL_TRY(parseThinking(json, request));
    PAL_ASSIGN(const JsonValue* prompt, typedField(json, "add_generation_prompt", Kind::kBoolean, ""));
    if (prompt != nullptr && prompt->text == "false") request.generationPrompt = GenerationPrompt::kNone;
    PAL_TRY(assignImagePrompts(json, request));
    return request;
}

}  // namespace

Result<ChatRequest> parseChatRequest(std::string_view text) {
    return guardMemory("request", [&] { return parseRequest(text); });
}

Result<> validateChatRequest(const ChatRequest& request) {
    std::set<std::string> names;
    if (!request.tools.empty()) PAL_TRY(checkTools(request.tools, "tools", names));
    if (!request.tools.empty() && names.empty() && request.toolChoice != ToolChoice::kUnset) {
        return invalid("tools", "empty, but there is a tool_choice");
    }
    for (size_t i = 0; i < request.messages.size(); ++i) {
        const ChatMessage& message = request.messages[i];
        const std::string path = fmt::format("messages[{}]", i);
        if (message.role == "tool" && message.toolCallId.empty()) return invalid(path + ".tool_call_id", "missing");
        if (message.tools.empty()) continue;
        if (message.role != "system") return invalid(path + ".tools", "only a system message may declare tools");
        if (hasContent(message)) return invalid(path + ".content", "must be empty beside tools");
        PAL_TRY(checkTools(message.tools, path + ".tools", names));
    }
    if (request.toolChoice == ToolChoice::kRequired && names.empty())
        return invalid("tool_choice", "'required' without any tools");
    return checkResponseFormat(request);
}

}  // namespace pal
