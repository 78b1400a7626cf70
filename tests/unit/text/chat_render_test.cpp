// SPDX-License-Identifier: Apache-2.0
// Requests to segments and ids, against the recorded segments of the reference renderer and published ids.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/api/chat.h"
#include "tests/unit/text/support.h"

namespace pal {
namespace {

using Ids = std::vector<TokenId>;

std::vector<Segment> render(std::string_view json, ChatStyle style = ChatStyle::kK3) {
    const auto request = parseChatRequest(json);
    EXPECT_TRUE(request.has_value()) << (request ? "" : request.error().message);
    if (!request) return {};
    const auto segments = renderChat(*request, style);
    EXPECT_TRUE(segments.has_value()) << (segments ? "" : segments.error().message);
    return segments ? *segments : std::vector<Segment>{};
}

std::string joined(const std::vector<Segment>& segments) {
    std::string out;
    for (const Segment& segment : segments) out += segment.text;
    return out;
}

std::string text(std::string_view json, ChatStyle style = ChatStyle::kK3) {
    return joined(render(json, style));
}

std::string renderError(std::string_view json, ChatStyle style = ChatStyle::kK3) {
    const auto request = parseChatRequest(json);
    if (!request) return request.error().message;
    const auto segments = renderChat(*request, style);
    return segments ? "rendered" : segments.error().message;
}

TEST(ChatRender, EqualsTheReferenceSegmentBySegment) {
    const auto golden =
        nlohmann::ordered_json::parse(test::readFile("tests/golden/chat.json"));  // the order of keys counts
    size_t cases = 0;
    for (const auto& entry : golden.at("cases")) {
        std::vector<Segment> expected;
        for (const auto& segment : entry.at("segments")) {
            expected.push_back({segment.at(0).get<std::string>(),
                                segment.at(1).get<bool>() ? SpecialTokens::kAllow : SpecialTokens::kForbid});
        }
        const auto actual = render(entry.at("request").dump());
        EXPECT_EQ(actual, expected) << entry.at("name") << "\n" << joined(actual) << "\n" << joined(expected);
        EXPECT_TRUE(validateChatRequest(*parseChatRequest(entry.at("request").dump())).has_value()) << entry.at("name");
        ++cases;
    }
    EXPECT_EQ(cases, 26U);
}

struct Prompt {
    const char* name;
    const char* request;
    Ids begin;    // ids at the start
    size_t size;  // of all ids
    Ids middle;   // ids somewhere, in this order
    Ids end;      // ids at the end
};

// Prompts of Kimi K3 with the ids of the first-party code (renderer and tokenizer together).
const Prompt kPrompts[] = {
    {"A: plain",
     R"({"messages": [{"role": "user", "content": "Hi"}]})",
     {163587, 2778, 6244, 878, 2482, 1, 163589, 18699, 163588, 2778, 163589, 163586},
     22,
     {},
     {163587, 2778, 6244, 878, 69702, 1, 163589, 163587, 39964, 163589}},
    {"B: no thinking",
     R"({"messages": [{"role": "user", "content": "Hi"}], "thinking": false})",
     {163587, 2778},
     22,
     {},
     {163587, 12092, 163589}},
    {"C: effort max",
     R"({"messages": [{"role": "user", "content": "Hi"}], "thinking_effort": "max"})",
     {163587, 2778,   6244,  878,    14062, 1,      1798,   878,    130400, 59991, 470,   1,    163589, 63,     130400,
      123074, 470,    63,    28560,  418,   1632,   2455,   308,    2704,   306,   651,   9545, 8491,   347,    2976,
      3411,   276,    4503,  8491,   904,   9141,   4661,   3867,   1268,   1332,  5713,  1268, 50004,  5713,   1268,
      19421,  5713,   316,   1268,   5354,  16518,  10048,  276,    2403,   387,   42070, 472,  1268,   130400, 123074,
      470,    105281, 11369, 163588, 2778,  163589, 163586, 163587, 2778,   6244,  878,   2482, 1,      163589, 18699},
     89,
     {},
     {163587, 39964, 163589}},
    {"D: effort low and a system message",
     R"({"messages": [{"role": "system", "content": "You are helpful"}, {"role": "user", "content": "Hi"}], "thinking_effort": "low"})",
     {163587, 2778, 6244, 878, 14062, 1, 1798},
     104,
     {470,  28,  1332,  11369,  163588, 2778,   163589, 163586, 163587, 2778, 6244, 878,  14062, 1,      163589,
      3900, 554, 13205, 163588, 2778,   163589, 163586, 163587, 2778,   6244, 878,  2482, 1,     163589, 18699},
     {163587, 39964, 163589}},
    {"E: escaped name",
     R"({"messages": [{"role": "user", "name": "A&B \"x\"", "content": "hi"}], "thinking": false})",
     {163587, 2778,  6244,   878,   2482, 1, 1530,   878,  32,     42055, 26,     33,
      841,    13847, 148205, 39877, 26,   1, 163589, 9663, 163588, 2778,  163589, 163586},
     34,
     {},
     {163587, 2778, 6244, 878, 69702, 1, 163589, 163587, 12092, 163589}},
    {"F: call and result",
     R"({"messages": [{"role": "user", "content": "weather?"}, {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type":
        "function", "function": {"name": "get_weather", "arguments":
        "{\"city\": \"Paris\", \"days\": 3, \"metric\": true, \"x\": null, \"o\": {\"a\": [1, 2]}}"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "sunny"}]})",
     {163587, 2778,   6244,   878,    2482,   1,      163589, 50171,  30,     163588, 2778,   163589, 163586, 163587,
      2778,   6244,   878,    69702,  1,      163589, 163587, 39964,  163589, 163588, 39964,  163589, 163587, 12092,
      163589, 163588, 12092,  163589, 163587, 25385,  163589, 163587, 10257,  4453,   878,    618,    21055,  2800,
      1,      4002,   878,    16,     1,      163589, 163587, 47185,  2355,   878,    37666,  1,      1798,   878,
      2033,   1,      163589, 113476, 163588, 47185,  163589, 163587, 47185,  2355,   878,    21030,  1,      1798,
      878,    10006,  1,      163589, 18,     163588, 47185,  163589, 163587, 47185,  2355,   878,    25051,  1,
      1798,   878,    16849,  1,      163589, 4130,   163588, 47185,  163589, 163587, 47185,  2355,   878,    87,
      1,      1798,   878,    6562,   1,      163589, 6562,   163588, 47185,  163589, 163587, 47185,  2355,   878,
      78,     1,      1798,   878,    3721,   1,      163589, 8264,   64,     1289,   793,    16,     11,     220,
      17,     24216,  163588, 47185,  163589, 163588, 10257,  163589, 163588, 25385,  163589, 163588, 2778,   163589,
      163586, 163587, 2778,   6244,   878,    20960,  1,      4453,   878,    618,    21055,  2800,   1,      4002,
      878,    16,     1,      163589, 82,     38975,  163588, 2778,   163589, 163586, 163587, 2778,   6244,   878,
      69702,  1,      163589, 163587, 39964,  163589},
     174,
     {},
     {}},
    {"G: arguments that are no JSON",
     R"({"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "1", "function":
        {"name": "f", "arguments": "{oops"}}]}], "thinking": false})",
     {163587},
     71,
     {163587, 5534, 1798, 878, 3721, 1, 163589, 90, 133194, 163588, 5534, 163589},
     {163587, 12092, 163589}},
    {"H: image",
     R"({"messages": [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "What is this?"}]}], "image_prompts":
        ["<|media_begin|>image 1024x768<|media_content|><|media_pad|><|media_end|>"]})",
     {163587},
     35,
     {163589, 163602, 4017, 220, 8040, 19, 87, 27955, 163603, 163605, 163604, 5376, 387, 566, 30, 163588},
     {39964, 163589}},
    {"I: choice and format",
     R"({"messages": [{"role": "user", "content": "q"}], "tool_choice": "required", "response_format": {"type": "json_object"},
        "thinking": false})",
     {163587},
     105,
     {163587, 2778,  6244,  878,   14062,  1,      1798,   878,    20960,  135230, 1,     163589, 1008,  2403,
      387,    42070, 472,   1268,  20960,  79535,  28,     20331,  16518,  3900,   44322, 2390,   7697,  306,
      276,    2897,  3996,  13,    163588, 2778,   163589, 163586, 163587, 2778,   6244,  878,    14062, 1,
      1798,   878,   12092, 46906, 1,      163589, 1008,   2403,   387,    42070,  472,   1268,   12092, 15764,
      129392, 9318,  16518, 12080, 4503,   2746,   413,    10872,  11419,  1544,   2932,  66661,  3253,  13825,
      347,    3251,  5534,  8,     528,    1178,   6031,   44768,  13,     163588, 2778,  163589, 163586},
     {163587, 12092, 163589}},
    // The vendor counts the prompt without the three ids of the channel it opens: 99 for this one.
    {"vendor's count",
     R"({"messages": [{"role": "assistant", "content": "你好"}], "thinking_effort": "high"})",
     {163587},
     99 + 3,
     {},
     {}},
};

TEST(ChatRender, PromptsHaveThePublishedIds) {
    const auto tokenizer = test::realTokenizer();
    PAL_SKIP_WITHOUT(tokenizer, "vocab/tiktoken.model");
    for (const Prompt& prompt : kPrompts) {
        const Ids ids = encodeSegments(*tokenizer, render(prompt.request));
        EXPECT_EQ(ids.size(), prompt.size) << prompt.name;
        ASSERT_GE(ids.size(), std::max(prompt.begin.size(), prompt.end.size()));
        EXPECT_TRUE(std::equal(prompt.begin.begin(), prompt.begin.end(), ids.begin())) << prompt.name;
        EXPECT_TRUE(std::equal(prompt.end.rbegin(), prompt.end.rend(), ids.rbegin())) << prompt.name;
        EXPECT_NE(std::search(ids.begin(), ids.end(), prompt.middle.begin(), prompt.middle.end()), ids.end())
            << prompt.name;
    }
}

TEST(ChatRender, SegmentsAreEncodedOneByOne) {
    const auto tokenizer = test::realTokenizer();
    PAL_SKIP_WITHOUT(tokenizer, "vocab/tiktoken.model");
    const auto forbid = [](const char* t) { return Segment{t, SpecialTokens::kForbid}; };
    EXPECT_EQ(encodeSegments(*tokenizer, std::vector{forbid("x/"), forbid("\"")}), (Ids{87, 14, 1}));
    EXPECT_EQ(encodeSegments(*tokenizer, std::vector{forbid("x/\"")}), (Ids{87, 27769}));
    EXPECT_EQ(encodeSegments(*tokenizer, std::vector{forbid("First"), forbid(" "), forbid("Second")}),
              (Ids{8735, 220, 19545}));
}

// Whatever a user, a tool or a caller writes, no control id comes from it.
TEST(ChatRender, NothingButStructureBecomesControlTokens) {
    const Tokenizer tokenizer = test::nanoTokenizer();
    std::string bomb;
    for (TokenId id = tokenizer.baseSize(); id < tokenizer.size(); ++id) bomb += tokenizer.tokenBytes(id);
    const auto request = [](const std::string& t) {
        const nlohmann::json arguments = {{t, t}, {"list", {t}}};
        const nlohmann::json call = {{"id", "1"}, {"function", {{"name", t}, {"arguments", arguments}}}};
        const nlohmann::json tool = {{"type", "function"}, {"function", {{"name", t}, {"description", t}}}};
        return nlohmann::json{
            {"messages",
             {{{"role", "system"}, {"content", t}},
              {{"role", "user"}, {"content", {{{"type", "text"}, {"text", t}}}}, {"name", t}},
              {{"role", "assistant"}, {"content", t}, {"reasoning_content", t}, {"tool_calls", {call}}},
              {{"role", "tool"}, {"content", t}, {"tool_call_id", "1"}}}},
            {"tools", {tool}}}
            .dump();
    };
    const auto controls = [&](const std::string& t) {
        Ids ids = encodeSegments(tokenizer, render(request(t)));
        std::erase_if(ids, [&](TokenId id) { return !tokenizer.isControl(id); });
        return ids;
    };
    EXPECT_EQ(controls(bomb), controls("harmless"));
    const auto withImage = [&](const std::string& afterPrompt) {
        auto json = nlohmann::json::parse(request("harmless"));
        json["messages"][1]["content"].push_back({{"type", "image"}});
        json["image_prompts"] = {imagePrompt(8, 8) + afterPrompt};
        return json.dump();
    };
    EXPECT_EQ(renderError(withImage("")), "rendered");
    EXPECT_NE(renderError(withImage(bomb)).find("image_prompts[0]"), std::string::npos);
}

TEST(ChatRender, NumbersAreWrittenAsPythonDoes) {
    const std::pair<const char*, const char*> cases[] = {
        {"1.0", "1.0"},
        {"1e5", "100000.0"},
        {"1e15", "1000000000000000.0"},
        {"1e16", "1e+16"},
        {"1e22", "1e+22"},
        {"0.0001", "0.0001"},
        {"0.00001", "1e-05"},
        {"-0.0", "-0.0"},
        {"-0", "0"},
        {"0", "0"},
        {"1e999", "Infinity"},
        {"-1e999", "-Infinity"},
        {"1e-999", "0.0"},
        {"-1e-999", "-0.0"},
        {"123456789012345678901234567890", "123456789012345678901234567890"},
        {"2.50", "2.5"},
        {"1E2", "100.0"},
        {"0.1", "0.1"},
        {"0.30000000000000004", "0.30000000000000004"},
        {"123456.789e3", "123456789.0"},
        {"1.7976931348623157e308", "1.7976931348623157e+308"},
        {"5e-324", "5e-324"},
        {"9007199254740993.0", "9007199254740992.0"},
        {"-12.5e-7", "-1.25e-06"},
        {"0e999999999999999999999999", "0.0"},
        {"1e99999999999999999999", "Infinity"},
        {"1e-99999999999999999999", "0.0"},
        {"NaN", "NaN"},
        {"12345678901234567.0", "1.2345678901234568e+16"},
        {"1234567890123456.0", "1234567890123456.0"}};
    for (const auto& [written, expected] : cases) {
        const std::string prompt = text(fmt::format(
            R"({{"messages": [{{"role": "assistant", "tool_calls": [{{"function": {{"name": "f", "arguments": "{{\"n\": {0}}}"}}}}]}},
                {{"role": "system", "tools": [{0}]}}], "add_generation_prompt": false}})",
            written));
        EXPECT_NE(prompt.find(fmt::format("key=\"n\" type=\"number\"<|sep|>{}<|close|>argument", expected)),
                  std::string::npos)
            << prompt;
        EXPECT_NE(prompt.find(fmt::format("```json\n[{}]\n```", expected)), std::string::npos) << prompt;
    }
}

TEST(ChatRender, JsonTextIsPythons) {
    const std::string prompt = text(
        R"({"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments":
            {"b": {"z": [], "a": {}, "s": "\u0000\u001f\u007f\u2028/\"\\\b\f\n\r\t\ud83d\udd25\ud800x"}, "a": [1, [2, null]], "b": 3, "": ""}}}]}]})");
    EXPECT_NE(prompt.find("<|open|>argument key=\"b\" type=\"number\"<|sep|>3<|close|>argument<|sep|>"
                          "<|open|>argument key=\"a\" type=\"array\"<|sep|>[1, [2, null]]<|close|>argument<|sep|>"
                          "<|open|>argument key=\"\" type=\"string\"<|sep|><|close|>argument<|sep|><|close|>call"),
              std::string::npos)
        << "of equal keys the last value at the first place: " << prompt;
    const std::string nested = text(
        R"({"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments":
            {"o": {"z": [], "a": {}, "s": "\u0000\u001f\u007f\u2028/\"\\\b\f\n\r\t\ud83d\udd25\ud800x"}}}}]}]})");
    EXPECT_NE(
        nested.find("{\"z\": [], \"a\": {}, \"s\": \"\\u0000\\u001f\x7F\u2028/\\\"\\\\\\b\\f\\n\\r\\t🔥\uFFFDx\"}"),
        std::string::npos)
        << nested;
}

TEST(ChatRender, ArgumentsThatAreBlankBrokenOrNoObject) {
    const auto withArguments = [](const char* arguments) {
        return fmt::format(
            R"({{"messages": [{{"role": "assistant", "tool_calls": [{{"function": {{"name": "f", "arguments": {}}}}}]}}]}})",
            arguments);
    };
    for (const char* nothing : {"null", "\"\"", "\" \\n\\u3000\"", "{}", "\"{}\""}) {
        EXPECT_NE(text(withArguments(nothing)).find("index=\"1\"<|sep|><|close|>call"), std::string::npos) << nothing;
    }
    EXPECT_NE(text(withArguments("\"{a\"")).find("<|open|>json type=\"object\"<|sep|>{a<|close|>json<|sep|>"),
              std::string::npos);
    EXPECT_EQ(renderError(withArguments("\"[1]\"")),
              "messages[0]: tool_calls[0].function.arguments: JSON, but not an object");
    EXPECT_EQ(renderError(withArguments("[1]")),
              "messages[0].tool_calls[0].function.arguments: neither a string nor an object");
}

std::string toolMessages(std::string_view prompt) {
    std::string out;
    for (size_t at = prompt.find("role=\"tool\""); at != std::string_view::npos;
         at = prompt.find("role=\"tool\"", at + 1)) {
        const size_t body = prompt.find("<|sep|>", at);
        out += std::string(prompt.substr(at + 12, body - at - 12)) + "=" +
               std::string(prompt.substr(body + 7, prompt.find("<|close|>", body) - body - 7)) + ";";
    }
    return out;
}

TEST(ChatRender, ToolResultsFollowTheirCalls) {
    const auto results = [](const std::string& messages) {
        const std::string calls = R"({"role": "assistant", "tool_calls": [{"id": "p", "function": {"name": "F"}},
            {"id": "q", "function": {"name": "G"}}, {"id": "p", "function": {"name": "H"}}]})";
        return toolMessages(text(R"({"messages": [)" + calls + "," + messages + "]}"));
    };
    const auto tool = [](const char* id, const char* more = "") {
        return fmt::format(R"({{"role": "tool", "tool_call_id": "{0}", "content": "r{0}"{1}}})", id, more);
    };
    EXPECT_EQ(results(tool("q") + "," + tool("p")), "tool=\"F\" index=\"1\"=rp;tool=\"G\" index=\"2\"=rq;");
    EXPECT_EQ(results(tool("q") + "," + tool("x", R"(, "name": "N")")),
              "tool=\"F\" index=\"1\"=rq;tool=\"N\" index=\"2\"=rx;")
        << "an unknown id leaves the run as it is, names come by position";
    EXPECT_EQ(results(tool("q", R"(, "name": "wrong")")), "tool=\"G\" index=\"1\"=rq;") << "the matched name wins";
    EXPECT_EQ(results(tool("q") + R"(,{"role": "user", "content": "u"},)" + tool("p")),
              "tool=\"G\" index=\"1\"=rq;tool=\"F\" index=\"2\"=rp;")
        << "runs are sorted on their own, counting goes on";
    EXPECT_EQ(results(tool("q") + "," + tool("q") + "," + tool("p")),
              "tool=\"F\" index=\"1\"=rp;tool=\"G\" index=\"2\"=rq;tool=\"G\" index=\"3\"=rq;");
    EXPECT_EQ(results(R"({"role": "tool", "id": "q", "content": "r"})"), "tool=\"G\" index=\"1\"=r;")
        << "`id` stands in for the call id";
    EXPECT_EQ(results(R"({"role": "tool", "content": "r", "tool": "T"})"), "tool=\"T\" index=\"1\"=r;");
    EXPECT_EQ(results(R"({"role": "tool", "content": "r"})"), "tool=\"F\" index=\"1\"=r;");
    EXPECT_EQ(renderError(R"({"messages": [{"role": "tool", "content": "r"}]})"),
              "messages[0]: tool result 1 names no tool, and there are 0 calls before it");
}

TEST(ChatRender, BlankReasoningIsAnEmptyChannel) {
    const auto channel = [](const char* reasoning) {
        const std::string prompt =
            text(fmt::format(R"({{"messages": [{{"role": "assistant", "content": "b", {}}}]}})", reasoning));
        const size_t start = prompt.find("think<|sep|>") + 12;
        return prompt.substr(start, prompt.find("<|close|>") - start);
    };
    EXPECT_EQ(channel(R"("reasoning_content": " \n\u00a0")"), "");
    EXPECT_EQ(channel(R"("reasoning_content": " x\n")"), " x\n");
    EXPECT_EQ(channel(R"("reasoning_content": "", "reasoning": "y")"), "y");
    EXPECT_EQ(channel(R"("reasoning_content": "x", "reasoning": "y")"), "x");
}

TEST(ChatRender, ImagePromptsMustMatchTheImages) {
    const nlohmann::json request = {
        {"messages", {{{"role", "user"}, {"content", {{{"type", "image"}}}}}}},
        {"image_prompts", {imagePrompt(1024, 768), imagePrompt(1, 1)}},
    };
    EXPECT_EQ(renderError(request.dump()), "image_prompts: 2 prompts for 1 images");
    EXPECT_EQ(renderError(R"({"messages": [{"role": "user", "content": [{"type": "video"}]}]})"),
              "messages[0].content[0]: a part 'video' needs a string 'text'");
    EXPECT_EQ(imagePrompt(1024, 768), "<|media_begin|>image 1024x768<|media_content|><|media_pad|><|media_end|>");
    EXPECT_EQ(videoChunkPrompt("00:00:01.500"),
              "00:00:01.500<|media_begin|>video<|media_content|><|media_pad|><|media_end|>");
}

TEST(MediaPads, Expand) {
    const Ids ids = {1, 9, 2, 9};
    EXPECT_EQ(*expandMediaPads(ids, std::vector<uint32_t>{2, 3}, 9), (Ids{1, 9, 9, 2, 9, 9, 9}));
    EXPECT_EQ(expandMediaPads(ids, std::vector<uint32_t>{2}, 9).error().message,
              "the prompt has 2 media placeholders for 1 media items");
    EXPECT_EQ(expandMediaPads(ids, std::vector<uint32_t>{2, 0}, 9).error().message, "media item 1 has no embeddings");
}

TEST(K2Render, FollowsThePublishedTemplate) {
    EXPECT_EQ(text(R"({"messages": [{"role": "user", "content": "Hi"}]})", ChatStyle::kK2),
              "<|im_system|>system<|im_middle|>You are Kimi, an AI assistant created by Moonshot AI.<|im_end|>"
              "<|im_user|>user<|im_middle|>Hi<|im_end|><|im_assistant|>assistant<|im_middle|>");
    EXPECT_EQ(
        text(
            R"({"messages": [{"role": "system", "content": "S"}, {"role": "user", "name": "Ann", "content": [{"type": "text", "text": "a"},
                     {"type": "text", "text": "b"}]}, {"role": "assistant", "content": "c", "reasoning_content": "hidden"}],
                     "add_generation_prompt": false})",
            ChatStyle::kK2),
        "<|im_system|>system<|im_middle|>S<|im_end|><|im_user|>Ann<|im_middle|>ab<|im_end|>"
        "<|im_assistant|>assistant<|im_middle|>c<|im_end|>");
    EXPECT_EQ(
        text(R"({"tools": [{"type": "function", "function": {"name": "f", "description": "x"}}], "messages": [
                     {"role": "system", "content": "S"},
                     {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": {"a": [1, 2]}}},
                      {"id": "functions.g:7", "function": {"name": "g", "arguments": "{}"}}]},
                     {"role": "tool", "tool_call_id": "c1", "content": "R"}]})",
             ChatStyle::kK2),
        "<|im_system|>tool_declare<|im_middle|>[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"description\":"
        "\"x\"}}]<|im_end|>"
        "<|im_system|>system<|im_middle|>S<|im_end|>"
        "<|im_assistant|>assistant<|im_middle|><|tool_calls_section_begin|>"
        "<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{\"a\": [1, 2]}<|tool_call_end|>"
        "<|tool_call_begin|>functions.g:7<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|><|im_"
        "end|>"
        "<|im_system|>tool<|im_middle|>## Return of functions.f:0\nR<|im_end|><|im_assistant|>assistant<|im_middle|>");
    const std::string user = R"({"messages": [{"role": "user", "content": [{"type": "image"}]}]})";
    EXPECT_EQ(renderError(user, ChatStyle::kK2), "messages[0]: this model takes no images");
}

// Ids of two prompts in the real vocabulary. The text ids come from a second tokenizer (tiktoken's rules in Python), the control ids from
// the published table.
TEST(K2Render, GoldenIds) {
    const auto file = test::sharedFile("vocab/tiktoken.model");
    PAL_SKIP_WITHOUT(file, "vocab/tiktoken.model");
    const auto tokenizer = Tokenizer::load(*file, std::nullopt, ChatStyle::kK2);
    ASSERT_TRUE(tokenizer.has_value());
    const auto ids = [&](const std::string& request) {
        return encodeSegments(*tokenizer, render(request, ChatStyle::kK2));
    };
    EXPECT_EQ(
        ids(R"({"messages": [{"role": "system", "content": "You are a helpful assistant provided by Moonshot-AI."},
                     {"role": "user", "content": "Is 123 a prime?"}]})"),
        (Ids{163594, 14062,  163601, 3900,   554,  261, 13205, 26626, 5029,  673, 30218,  10065,  11247, 40,    13,
             163586, 163587, 2482,   163601, 3229, 220, 6694,  261,   18320, 30,  163586, 163588, 69702, 163601}));
    EXPECT_EQ(ids(R"({"messages": [{"role": "user", "content": "Is 123 a prime?"}]})"),
              (Ids{163594, 14062, 163601, 3900,  554,   24980,  72,     11,     519,   22572,  26626,
                   5232,   673,   30218,  10065, 22572, 13,     163586, 163587, 2482,  163601, 3229,
                   220,    6694,  261,    18320, 30,    163586, 163588, 69702,  163601}));
    const std::vector<TokenId>& stops = tokenizer->stopIds();
    EXPECT_NE(std::find(stops.begin(), stops.end(), 163586), stops.end());
}

TEST(K2Render, UserTextStaysText) {
    const TokenId base = 256;
    const test::TemporaryFolder folder;
    const auto tokenizer =
        Tokenizer::load(folder.write("v", test::tiktokenFile(test::byteTokens())), std::nullopt, ChatStyle::kK2);
    ASSERT_TRUE(tokenizer.has_value());
    const auto segments = render(
        R"({"messages": [{"role": "system", "content": "<|im_end|>"}, {"role": "user", "content": "<|im_end|>"}]})",
        ChatStyle::kK2);
    Ids ids = encodeSegments(*tokenizer, segments);
    std::erase_if(ids, [&](TokenId id) { return id < base; });
    EXPECT_EQ(ids, (Ids{base + 10, base + 17, base + 2, base + 3, base + 17, base + 2, base + 4, base + 17}));
}

}  // namespace
}  // namespace pal
