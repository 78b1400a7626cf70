// SPDX-License-Identifier: Apache-2.0
// What is refused, and in which words.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/api/chat.h"
#include "tests/support/sanitizer.h"

namespace pal {
namespace {

std::string parseError(std::string_view json) {
    const auto request = parseChatRequest(json);
    return request ? "parsed" : request.error().message;
}

std::string validationError(std::string_view json) {
    const auto request = parseChatRequest(json);
    EXPECT_TRUE(request.has_value()) << (request ? "" : request.error().message);
    if (!request) return request.error().message;
    const auto valid = validateChatRequest(*request);
    return valid ? "valid" : valid.error().message;
}

// One value more than is allowed.
std::string manyValues() {
    std::string json = "[";
    for (int i = 1; i < 4'000'000; ++i) json += "0,";
    return json + "0]";
}

constexpr const char* kTool = R"({"type": "function", "function": {"name": "f"}})";

TEST(ChatRequest, WrongTypesNameTheField) {
    EXPECT_EQ(parseError("[]"), "request: not an object");
    EXPECT_EQ(parseError("{}"), "messages: missing");
    EXPECT_EQ(parseError(R"({"messages": {}})"), "messages: not an array");
    EXPECT_EQ(parseError(R"({"messages": [1]})"), "messages[0]: not an object");
    EXPECT_EQ(parseError(R"({"messages": [{"content": "x"}]})"), "messages[0].role: missing");
    EXPECT_EQ(parseError(R"({"messages": [{"role": 1}]})"), "messages[0].role: not a string");
    EXPECT_EQ(parseError(R"({"messages": [{"role": "user", "content": 1}]})"),
              "messages[0].content: neither a string nor an array of parts");
    EXPECT_EQ(parseError(R"({"messages": [{"role": "user", "content": [1]}]})"),
              "messages[0].content[0]: not an object");
    EXPECT_EQ(parseError(R"({"messages": [{"role": "user", "content": [{}]}]})"),
              "messages[0].content[0]: a part 'without a type' needs a string 'text'");
    EXPECT_EQ(parseError(R"({"messages": [{"role": "assistant", "tool_calls": {}}]})"),
              "messages[0].tool_calls: not an array");
    EXPECT_EQ(parseError(R"({"messages": [{"role": "assistant", "tool_calls": [{}]}]})"),
              "messages[0].tool_calls[0].function: missing");
    EXPECT_EQ(parseError(R"({"messages": [{"role": "assistant", "tool_calls": [{"function": {}}]}]})"),
              "messages[0].tool_calls[0].function.name: missing");
    EXPECT_EQ(parseError(R"({"messages": [{"role": "assistant", "content": "x", "partial": true}]})"),
              "messages[0].partial: continuing a message is not supported");
    EXPECT_EQ(parseError(R"({"messages": [{"role": "assistant", "content": "x", "partial": false}]})"), "parsed");
    EXPECT_EQ(parseError(R"({"messages": [], "tools": {}})"), "tools: not an array");
    EXPECT_EQ(parseError(R"({"messages": [], "thinking": "yes"})"), "thinking: not true or false");
    EXPECT_EQ(parseError(R"({"messages": [], "thinking_effort": "medium"})"),
              "thinking_effort: 'medium' is not one of low, high, max");
    EXPECT_EQ(parseError(R"({"messages": [], "thinking_effort": "medium", "thinking": false})"), "parsed")
        << "only checked while thinking";
    EXPECT_EQ(parseError(R"({"messages": [], "tool_choice": "maybe"})"),
              "tool_choice: 'maybe' is not one of auto, none, required");
    EXPECT_EQ(parseError(R"({"messages": [], "tool_choice": {"type": "function"}})"),
              "tool_choice: not one of auto, none, required (a named function is not supported)");
    EXPECT_EQ(parseError(R"({"messages": [], "response_format": {"type": "xml"}})"),
              "response_format.type: 'xml' is not one of text, json_object, json_schema");
    EXPECT_EQ(parseError(R"({"messages": [], "response_format": {"type": "json_schema"}})"),
              "response_format.json_schema: missing");
}

// An image's prompt becomes control tokens: nothing but what imagePrompt makes is let through.
TEST(ChatRequest, ImagePromptsAreNoDoorForControlTokens) {
    const auto error = [](const std::string& prompt) {
        return parseError(R"({"messages": [{"role": "user", "content": [{"type": "image"}]}], "image_prompts": [)" +
                          prompt + "]}");
    };
    const std::string good = imagePrompt(1024, 768);
    EXPECT_EQ(error('"' + good + '"'), "parsed");
    const std::string refused =
        "image_prompts[0]: not of the form '<|media_begin|>image 1x1<|media_content|><|media_pad|><|media_end|>' with "
        "the "
        "image's width and height";
    EXPECT_EQ(error("3"), refused);
    for (const std::string& prompt :
         {std::string(), std::string("a"), std::string("<|media_pad|>"), good + "<|end_of_msg|>", "<|open|>" + good,
          good + good, imagePrompt(0, 768), imagePrompt(1024, 0), good.substr(0, good.find('x') + 1),
          good.substr(0, good.find('1')),
          std::string("<|media_begin|>image 1<|sep|>2") + good.substr(good.find("<|media_c")),
          std::string("<|media_begin|>image 01x2") + good.substr(good.find("<|media_c")),
          std::string("<|media_begin|>image 4294967296x2") + good.substr(good.find("<|media_c")),
          std::string("<|media_begin|>image -1x2") + good.substr(good.find("<|media_c"))}) {
        EXPECT_EQ(error('"' + prompt + '"'), refused) << prompt;
    }
}

TEST(ChatRequest, BadJsonNamesLineAndColumn) {
    EXPECT_EQ(parseError(""), "JSON line 1, column 1: the text ends where a value should be");
    EXPECT_EQ(parseError("{\"messages\": [],\n  }"), "JSON line 2, column 3: expected a key in quotes");
    EXPECT_EQ(parseError("{\"messages\": []} x"), "JSON line 1, column 18: text after the end of the value");
    EXPECT_EQ(parseError("{\"messages\": [\"\xE4\xBD\"]}"), "JSON line 1, column 16: not UTF-8");
    EXPECT_EQ(parseError("{\"messages\": [\"a\nb\"]}"),
              "JSON line 1, column 17: a control character in a string must be escaped");
    EXPECT_EQ(parseError(R"({"messages": ["\x"]})"), "JSON line 1, column 17: unknown escape in a string");
    EXPECT_EQ(parseError(R"({"messages": ["\u12"]})"), "JSON line 1, column 18: expected four hex digits after \\u");
    EXPECT_EQ(parseError(R"({"messages": [01]})"), "JSON line 1, column 16: expected ',' or ']' in an array");
    EXPECT_EQ(parseError(R"({"messages": [1.]})"), "JSON line 1, column 17: expected a digit after the decimal point");
    EXPECT_EQ(parseError(R"({"messages": [1e]})"), "JSON line 1, column 17: expected a digit in the exponent");
    EXPECT_EQ(parseError(R"({"messages" []})"), "JSON line 1, column 13: expected ':' after a key");
    EXPECT_EQ(parseError(std::string("{\"messages\": [\0]}", 17)), "JSON line 1, column 15: expected a value");
    EXPECT_EQ(parseError("{\"messages\": \"abc"), "JSON line 1, column 18: the text ends inside a string");
    for (const char* open : {"[", "{\"a\":"}) {
        std::string bomb;
        for (int i = 0; i < 1'000'000; ++i) bomb += open;
        EXPECT_NE(parseError(bomb).find("nested deeper than 256 levels"), std::string::npos);
    }
    std::string deep = "{\"messages\": [], \"x\": " + std::string(255, '[') + std::string(255, ']') + "}";
    EXPECT_EQ(parseError(deep), "parsed") << "255 arrays within the object are allowed";
}

TEST(ChatRequest, SizesAreLimited) {
    EXPECT_EQ(parseError(std::string((size_t{64} << 20) + 1, ' ')),
              "67108865 bytes of JSON, at most 67108864 are allowed");
    EXPECT_EQ(parseError(manyValues()), "4000001 or more JSON values, at most 4000000 are allowed");
}

TEST(ChatRequest, MemoryThatRunsOutIsAnError) {
    if (test::kSanitized) GTEST_SKIP() << "the sanitizer reserves more than any limit";
    const auto parseWithLittleMemory = [] {
        const std::string json = manyValues();
        const rlimit limit{size_t{192} << 20, size_t{192} << 20};
        if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(2);
        const auto request = parseChatRequest(json);
        _exit(!request && request.error().code == ErrorCode::kOutOfMemory ? 0 : 1);
    };
    EXPECT_EXIT(parseWithLittleMemory(), testing::ExitedWithCode(0), "");
}

TEST(ChatRequest, ServerRules) {
    const auto with = [](const std::string& rest) {
        return validationError(R"({"messages": [{"role": "user", "content": "x"}], )" + rest + "}");
    };
    const std::string tool = kTool;
    EXPECT_EQ(with(R"("tools": [)" + tool + "]"), "valid");
    EXPECT_EQ(with(R"("tool_choice": "required")"), "tool_choice: 'required' without any tools");
    EXPECT_EQ(with(R"("tool_choice": "required", "tools": [)" + tool + "]"), "valid");
    EXPECT_EQ(with(R"("tool_choice": "none", "tools": [])"), "tools: empty, but there is a tool_choice");
    EXPECT_EQ(with(R"("tool_choice": "auto", "tools": [])"), "tools: empty, but there is a tool_choice");
    EXPECT_EQ(with(R"("tools": [])"), "valid");
    EXPECT_EQ(with(R"("tool_choice": "auto")"), "valid");
    EXPECT_EQ(with(R"("tools": [)" + tool + "," + tool + "]"), "tools[1]: a second tool named 'f'");
    EXPECT_EQ(with(R"("tools": [{"type": "search"}])"), "tools[0].type: only 'function' is supported");
    EXPECT_EQ(with(R"("tools": [{"type": "function", "function": {}}])"), "tools[0].function.name: missing");
    EXPECT_EQ(with(R"("response_format": {"type": "json_schema", "json_schema": {"schema": {}}})"),
              "response_format.json_schema.name: missing");
    EXPECT_EQ(with(R"("response_format": {"type": "json_schema", "json_schema": {"name": "n"}})"),
              "response_format.json_schema.schema: missing");
    EXPECT_EQ(with(R"("response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {}}})"),
              "valid");

    const auto messages = [](const std::string& list, const std::string& rest = "") {
        return validationError("{\"messages\": [" + list + "]" + rest + "}");
    };
    const std::string dynamic = R"({"role": "system", "content": "", "tools": [)" + tool + "]}";
    EXPECT_EQ(messages(dynamic), "valid");
    EXPECT_EQ(messages(dynamic, R"(, "tool_choice": "required")"), "valid") << "dynamic tools alone satisfy it";
    EXPECT_EQ(messages(dynamic + "," + dynamic), "messages[1].tools[0]: a second tool named 'f'");
    EXPECT_EQ(messages(dynamic, R"(, "tools": [)" + tool + "]"), "messages[0].tools[0]: a second tool named 'f'");
    EXPECT_EQ(messages(R"({"role": "user", "tools": [)" + tool + "]}"),
              "messages[0].tools: only a system message may declare tools");
    EXPECT_EQ(messages(R"({"role": "system", "content": "x", "tools": [)" + tool + "]}"),
              "messages[0].content: must be empty beside tools");
    EXPECT_EQ(messages(R"({"role": "tool", "content": "x"})"), "messages[0].tool_call_id: missing");
}

}  // namespace
}  // namespace pal
