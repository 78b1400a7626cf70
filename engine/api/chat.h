// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/api/tokenizer.h"
#include "engine/base/result.h"

namespace pal {

// A piece of prompt that is encoded on its own. Joining neighbours would change ids and let user text form control tokens.
struct Segment {
    std::string text;
    SpecialTokens special = SpecialTokens::kForbid;
    friend bool operator==(const Segment&, const Segment&) = default;
};

// One part of a message. For media, `text` is their prompt, imagePrompt(w, h) or videoChunkPrompt(t); empty renders the placeholder of the reference.
struct ContentPart {
    enum class Kind { kText, kImage };
    Kind kind = Kind::kText;
    std::string text;
};

struct ToolCall {
    std::string id;         // opaque; never part of a K3 prompt, only matched with ChatMessage::toolCallId
    std::string name;       // function name
    std::string arguments;  // JSON object as text, or raw text that is no JSON; blank: none
    friend bool operator==(const ToolCall&, const ToolCall&) = default;
};

struct ChatMessage {
    std::string role;  // "system", "user", "assistant", "tool"; K3 renders nothing for others
    std::string name;  // optional name of the speaker; for a tool message the function's
    std::vector<ContentPart> content;
    std::string reasoning;            // assistant: the think channel, exactly as generated
    std::vector<ToolCall> toolCalls;  // assistant
    std::string toolCallId;           // tool: the call this answers
    std::string toolName;             // tool: function name, when known; else `name`, else by position
    std::string tools;                // system: JSON array of tools declared here ("dynamic"); content is then ignored
};

enum class Thinking { kOff, kOn };
enum class ThinkingEffort { kUnset, kLow, kHigh, kMax };  // kUnset: no effort message. The product's default is kMax
enum class ToolChoice {
    kUnset,
    kAuto,
    kNone,
    kRequired
};  // kUnset means kAuto, but a request that says so needs tools
enum class ResponseFormat { kText, kJsonObject, kJsonSchema };
enum class GenerationPrompt { kNone, kAdd };

struct ChatRequest {
    std::vector<ChatMessage> messages;
    std::string tools;  // JSON array of tool declarations; empty: the request has none
    ToolChoice toolChoice = ToolChoice::kUnset;
    ResponseFormat responseFormat = ResponseFormat::kText;
    std::string jsonSchema;      // for kJsonSchema: JSON object with name and schema, as in response_format.json_schema
    std::string responseSchema;  // JSON of a schema that goes before the one in jsonSchema; mostly empty
    Thinking thinking = Thinking::kOn;
    ThinkingEffort effort = ThinkingEffort::kUnset;
    GenerationPrompt generationPrompt = GenerationPrompt::kAdd;
};

// A request in the OpenAI-like JSON of the reference renderer: messages, tools, tool_choice, response_format, response_schema,
// thinking, thinking_effort, add_generation_prompt, image_prompts; other keys are ignored. Nesting is limited to 256 levels.
// An object whose member `request` is such a request is one, too.
// Errors: kFormat with line and column for bad JSON, kInvalidArgument naming the field ("messages[2].tool_calls[0].function.name"),
// kUnsupported for more than 64 MiB or 4,000,000 JSON values, kOutOfMemory.
Result<ChatRequest> parseChatRequest(std::string_view json);

// Rules a server enforces beyond what can be rendered: tool_choice with an empty list of tools or `required` without any, tools outside system messages or beside content,
// duplicate tool names, tool messages without a call id, tool types other than function, json_schema without name or schema.
Result<> validateChatRequest(const ChatRequest& request);

// The prompt as segments. Tool results are put into call order first. Errors: kInvalidArgument.
Result<std::vector<Segment>> renderChat(const ChatRequest& request, ChatStyle style);

// Ids of the segments, each encoded on its own.
[[nodiscard]] std::vector<TokenId> encodeSegments(const Tokenizer& tokenizer, std::span<const Segment> segments);

// Prompt of one image of `width` x `height` original pixels; it holds one media pad.
[[nodiscard]] std::string imagePrompt(uint32_t width, uint32_t height);

// Prompt of one chunk of video frames, the first of them at `timestamp` ("00:00:01.500"); it holds one media pad.
[[nodiscard]] std::string videoChunkPrompt(std::string_view timestamp);

// Repeats the n-th `pad` in `ids` counts[n] times (>= 1, embeddings of that image). Errors: kInvalidArgument when the numbers differ.
Result<std::vector<TokenId>> expandMediaPads(std::span<const TokenId> ids, std::span<const uint32_t> counts,
                                             TokenId pad);

enum class FinishReason { kStop, kLength, kToolCalls };

// What one more token told about the reply.
struct OutputDelta {
    enum class Kind {
        kReasoning,           // text: more of the think channel
        kContent,             // text: more of the answer
        kReasoningIsContent,  // the model skipped its think channel: all reasoning so far was content; text: it again
        kToolCallStarted,     // call.name is known
        kToolCall,            // call is complete
        kDone,                // the message ended; nothing follows
    };
    Kind kind = Kind::kContent;
    std::string text;
    ToolCall call;
};

// A reply put together from its deltas.
struct ParsedMessage {
    std::vector<std::pair<std::string, std::string>> attributes;  // role, name, ... when the ids began with a header
    std::string reasoning;
    std::string content;
    std::vector<ToolCall> toolCalls;
    FinishReason finishReason = FinishReason::kLength;
};

// Where the ids fed to the parser begin.
enum class OutputStart {
    kThink,     // after a prompt that opened the think channel
    kResponse,  // after a prompt that opened the answer
    kMessage,   // at the start of a whole message, as in a recorded prompt
};

// Reads a reply of the model token by token. Structure comes from control ids alone, so text that spells a marker stays text. Takes
// any ids in any order: what breaks the grammar is dropped or kept as text, never an error. Confined to one thread.
class OutputParser {
  public:
    // `stops`: texts that end the reply as soon as one stands in the content (thinking and calls are not searched). Neither the text
    // nor what follows it comes out; bytes that may be the beginning of one are held back until that is decided.
    OutputParser(Tokenizer tokenizer, OutputStart start, std::vector<std::string> stops = {});
    OutputParser(OutputParser&&) noexcept;
    OutputParser& operator=(OutputParser&&) noexcept;
    ~OutputParser();

    // Takes one id and appends what it completes to `out`.
    void push(TokenId id, std::vector<OutputDelta>& out);
    // No more ids: flushes held-back bytes and drops an unfinished call. `message()` is final after this or kDone.
    void finish(std::vector<OutputDelta>& out);

    [[nodiscard]] bool done() const;
    // Whether one of `stops` ended the reply: the model does not know and would go on.
    [[nodiscard]] bool metStop() const;
    // Everything so far; calls are numbered "call_1", "call_2", ... where the model gives no id.
    [[nodiscard]] const ParsedMessage& message() const;

    class Grammar;  // one per ChatStyle, in engine/text

  private:
    std::unique_ptr<Grammar> grammar_;
};

// All messages of a recorded token stream, each up to where the parser is done: at any stop token. One that begins with no header is read from `start` on.
std::vector<ParsedMessage> parseTranscript(const Tokenizer& tokenizer, std::span<const TokenId> ids, OutputStart start);

}  // namespace pal
