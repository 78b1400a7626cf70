// SPDX-License-Identifier: Apache-2.0
// Replies read token by token: the grammar, what breaks it, and the way back from rendered messages.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "engine/api/chat.h"
#include "engine/text/json_value.h"
#include "tests/unit/text/support.h"

namespace pal {
namespace {

using test::Random;
using Ids = std::vector<TokenId>;
using Kind = OutputDelta::Kind;

const Tokenizer& k3() {
    static const Tokenizer kTokenizer = test::nanoTokenizer();
    return kTokenizer;
}

// K2's control tokens on a vocabulary of bytes; with `extra`, also a think channel.
Tokenizer k2Tokenizer(bool thinks) {
    const test::TemporaryFolder folder;
    std::string names;
    int id = 256;
    for (const char* name : {"<|im_end|>", "<|im_user|>", "<|im_assistant|>", "<|im_system|>", "<|im_middle|>",
                             "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>", "<|tool_call_begin|>",
                             "<|tool_call_argument_begin|>", "<|tool_call_end|>", "<think>", "</think>"}) {
        if (!thinks && std::string_view(name).find("think") != std::string_view::npos) continue;
        names += fmt::format(R"({}"{}": {{"content": "{}"}})", names.empty() ? "" : ",", id++, name);
    }
    auto tokenizer = Tokenizer::load(folder.write("v", test::tiktokenFile(test::byteTokens())),
                                     folder.write("c", R"({"added_tokens_decoder": {)" + names + "}}"));
    EXPECT_TRUE(tokenizer.has_value());
    return *tokenizer;
}

struct Parsed {
    ParsedMessage message;
    std::vector<OutputDelta> deltas;
    bool done = false;  // before finish()
};

Parsed parse(const Tokenizer& tokenizer, const Ids& ids, OutputStart start) {
    OutputParser parser(tokenizer, start);
    Parsed out;
    for (const TokenId id : ids) parser.push(id, out.deltas);
    out.done = parser.done();
    parser.finish(out.deltas);
    out.message = parser.message();
    EXPECT_TRUE(parser.done());

    ParsedMessage fromDeltas;  // the deltas tell the same story as the message
    size_t dones = 0;
    for (const OutputDelta& delta : out.deltas) {
        EXPECT_TRUE(utf8::isValid(delta.text));
        if (delta.kind == Kind::kReasoning) fromDeltas.reasoning += delta.text;
        if (delta.kind == Kind::kContent) fromDeltas.content += delta.text;
        if (delta.kind == Kind::kReasoningIsContent)
            fromDeltas.content.insert(0, std::exchange(fromDeltas.reasoning, {}));
        if (delta.kind == Kind::kToolCall) fromDeltas.toolCalls.push_back(delta.call);
        dones += delta.kind == Kind::kDone ? 1 : 0;
    }
    EXPECT_EQ(dones, 1U);
    EXPECT_EQ(out.deltas.back().kind, Kind::kDone);
    EXPECT_EQ(fromDeltas.reasoning, out.message.reasoning);
    EXPECT_EQ(fromDeltas.content, out.message.content);
    EXPECT_EQ(fromDeltas.toolCalls, out.message.toolCalls);
    return out;
}

// <x> and </x> in the examples below stand for the elements, <end> for <|end_of_msg|>.
std::string spelled(std::string text) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        const size_t close = text.find('>', i);
        if (text[i] != '<' || close == std::string::npos) {
            out += text[i];
            continue;
        }
        const std::string inside = text.substr(i + 1, close - i - 1);
        if (inside == "end") {
            out += "<|end_of_msg|>";
        } else if (inside.starts_with('/')) {
            out += "<|close|>" + inside.substr(1) + "<|sep|>";
        } else {
            out += "<|open|>" + inside + "<|sep|>";
        }
        i = close;
    }
    return out;
}

Parsed parseK3(const std::string& example, OutputStart start = OutputStart::kThink) {
    return parse(k3(), k3().encode(spelled(example), SpecialTokens::kAllow), start);
}

ToolCall call(const char* id, const char* name, const char* arguments) {
    return {id, name, arguments};
}

TEST(OutputParser, ReadsTheGrammar) {
    const Parsed all = parseK3(
        "why</think><response>text</response><tools><call tool=\"f\" index=\"1\"><argument key=\"a\" type=\"string\"> "
        "x\n</argument>"
        "<argument key=\"b\" type=\"number\">3</argument></call><call tool=\"g\" "
        "index=\"2\"></call></tools></message><end>");
    EXPECT_TRUE(all.done);
    EXPECT_EQ(all.message.reasoning, "why");
    EXPECT_EQ(all.message.content, "text");
    EXPECT_EQ(all.message.toolCalls,
              (std::vector{call("call_1", "f", R"({"a": " x\n", "b": 3})"), call("call_2", "g", "{}")}));
    EXPECT_EQ(all.message.finishReason, FinishReason::kToolCalls);
    std::vector<Kind> kinds;
    for (const OutputDelta& delta : all.deltas) {
        if (kinds.empty() || kinds.back() != delta.kind) kinds.push_back(delta.kind);
    }
    EXPECT_EQ(kinds, (std::vector{Kind::kReasoning, Kind::kContent, Kind::kToolCallStarted, Kind::kToolCall,
                                  Kind::kToolCallStarted, Kind::kToolCall, Kind::kDone}));

    const Parsed plain = parseK3("text</response></message><end>", OutputStart::kResponse);
    EXPECT_EQ(plain.message.content, "text");
    EXPECT_EQ(plain.message.finishReason, FinishReason::kStop);
    EXPECT_EQ(plain.message.toolCalls.size(), 0U);
}

TEST(OutputParser, MarkersThatAreTextStayText) {
    Ids ids = k3().encode("<|close|>think<|sep|> [EOS] <|end_of_msg|>", SpecialTokens::kForbid);
    const Ids rest = k3().encode(spelled("</think><response>"), SpecialTokens::kAllow);
    ids.insert(ids.end(), rest.begin(), rest.end());
    const Ids content = k3().encode("<|open|>tools<|sep|>", SpecialTokens::kForbid);
    ids.insert(ids.end(), content.begin(), content.end());
    const Parsed parsed = parse(k3(), ids, OutputStart::kThink);
    EXPECT_EQ(parsed.message.reasoning, "<|close|>think<|sep|> [EOS] <|end_of_msg|>");
    EXPECT_EQ(parsed.message.content, "<|open|>tools<|sep|>");
}

TEST(OutputParser, ArgumentValues) {
    const auto argument = [](const std::string& type, const std::string& value) {
        const Parsed parsed = parseK3("<response></response><tools><call tool=\"f\"><argument key=\"k\"" + type + ">" +
                                      value + "</argument></call>");
        return parsed.message.toolCalls.empty() ? "no call" : parsed.message.toolCalls[0].arguments;
    };
    EXPECT_EQ(argument(" type=\"string\"", "1"), R"({"k": "1"})");
    EXPECT_EQ(argument("", "1"), R"({"k": "1"})") << "without a type it is a string";
    EXPECT_EQ(argument(" type=\"number\"", " 1.50 "), R"({"k": 1.5})");
    EXPECT_EQ(argument(" type=\"number\"", "one"), R"({"k": "one"})") << "no JSON: the text itself";
    EXPECT_EQ(argument(" type=\"number\"", "NaN"), R"({"k": "NaN"})") << "the result is always JSON";
    EXPECT_EQ(argument(" type=\"array\"", "[1, 1e999]"), R"({"k": "[1, 1e999]"})");
    EXPECT_EQ(argument(" type=\"object\"", R"({"b":[1,2],"a":null})"), R"({"k": {"b": [1, 2], "a": null}})");
    EXPECT_EQ(argument(" type=\"boolean\"", "true"), R"({"k": true})");
    EXPECT_EQ(argument(" type=\"array\"", std::string(1000, '[')), "{\"k\": \"" + std::string(1000, '[') + "\"}");
}

TEST(OutputParser, CallsThatBreakTheGrammar) {
    const auto calls = [](const std::string& inside) {
        return parseK3("<response></response><tools>" + inside).message.toolCalls;
    };
    using Calls = std::vector<ToolCall>;
    const std::string a = R"(<argument key="a" type="number">1</argument>)";
    EXPECT_EQ(calls("<call index=\"1\">" + a + "</call>"), Calls{}) << "no tool name";
    EXPECT_EQ(calls("<call tool=\"\">" + a + "</call>"), Calls{});
    EXPECT_EQ(calls("<call tool=\"f\">" + a), Calls{}) << "an unclosed call is dropped";
    EXPECT_EQ(calls("<call tool=\"f\">" + a + "</tools>"), Calls{});
    EXPECT_EQ(calls("<call tool=\"f\">" + a + "<call tool=\"g\">" + a + "</call></tools>"),
              (Calls{call("call_2", "g", R"({"a": 1})")}));
    EXPECT_EQ(calls("<call tool=\"f\" index=\"7\"></call><call tool=\"g\" index=\"7\"></call>"),
              (Calls{call("call_1", "f", "{}"), call("call_2", "g", "{}")}))
        << "numbered by arrival";
    EXPECT_EQ(calls("<call tool=\"f\">noise" + a + "noise</call>noise"), (Calls{call("call_1", "f", R"({"a": 1})")}));
    EXPECT_EQ(calls("<call tool=\"f\">" + a + R"(<argument key="b">2</argument><argument key="a">3</argument></call>)"),
              (Calls{call("call_1", "f", R"({"a": "3", "b": "2"})")}))
        << "of equal keys the last value at the first place";
    EXPECT_EQ(calls("<call tool=\"f\"><argument type=\"number\">1</argument></call>"),
              (Calls{call("call_1", "f", "{}")}))
        << "no key";
    EXPECT_EQ(calls("<call tool=\"f\"><json type=\"object\">{oops</json></call>"),
              (Calls{call("call_1", "f", "{oops")}));
    EXPECT_EQ(calls("<call tool=\"f\"><json type=\"object\"></json></call>"), (Calls{call("call_1", "f", "")}));
    EXPECT_EQ(calls("<call tool=\"a&amp;quot;&quot;b\"></call>"), (Calls{call("call_1", "a&quot;\"b", "{}")}))
        << "&quot; before &amp;";
    EXPECT_EQ(parseK3("<call tool=\"f\">" + a + "</call>", OutputStart::kResponse).message.toolCalls.size(), 1U)
        << "tools may be missing";
    EXPECT_EQ(parseK3(a, OutputStart::kResponse).message.content, "") << "an argument without a call";
}

TEST(OutputParser, ChannelsThatBreakTheGrammar) {
    const Parsed unclosed = parseK3("why<response>text</response></message><end>");
    EXPECT_EQ(unclosed.message.reasoning, "why") << "opening the response closes the think channel";
    EXPECT_EQ(unclosed.message.content, "text");

    const Parsed skipped = parseK3("text</response></message><end>");
    EXPECT_EQ(skipped.message.reasoning, "") << "the think channel was only assumed";
    EXPECT_EQ(skipped.message.content, "text");
    EXPECT_EQ(parseK3("text</message><end>").message.content, "text");
    const Parsed unknownOpen = parseK3("text<b>more</response></message><end>");
    EXPECT_EQ(unknownOpen.message.reasoning, "") << "an element that nobody knows changes nothing";
    EXPECT_EQ(unknownOpen.message.content, "textmore");
    EXPECT_EQ(parseK3("text</response><tools><call tool=\"f\"></call></tools></message><end>").message.toolCalls.size(),
              1U);
    EXPECT_EQ(parseK3("<think>text</message><end>").message.reasoning, "text") << "this one the model opened itself";

    const Parsed cut = parseK3("why");
    EXPECT_EQ(cut.message.reasoning, "why") << "an unfinished think channel is reasoning";
    EXPECT_EQ(cut.message.finishReason, FinishReason::kLength);
    EXPECT_FALSE(cut.done);
    const Parsed stopped = parseK3("why<end>");
    EXPECT_EQ(stopped.message.reasoning, "why");
    EXPECT_EQ(stopped.message.finishReason, FinishReason::kStop);

    const auto content = [](const std::string& text) {
        return parse(k3(), k3().encode(text, SpecialTokens::kAllow), OutputStart::kResponse).message.content;
    };
    EXPECT_EQ(content("a<|sep|>b"), "ab") << "a stray separator";
    EXPECT_EQ(content("a<|open|>respon"), "a") << "an unfinished header is dropped";
    EXPECT_EQ(content("a<|open|>x<|open|>y<|sep|>b<|close|>y<|sep|>c"), "abc") << "a header in a header starts anew";
    EXPECT_EQ(content("a<|close|>nothing<|sep|>b"), "ab");
    EXPECT_EQ(content("a<|open|><|sep|>b<|close|><|sep|>c"), "abc") << "elements without a name";
    EXPECT_EQ(content("a<|end_of_msg|>b"), "a") << "nothing follows the end";
    EXPECT_EQ(content("a[EOS]b"), "a");
    EXPECT_EQ(content("a<|media_pad|>b"), "a<|media_pad|>b") << "other control tokens are shown";
}

TEST(OutputParser, WholeMessages) {
    const Parsed user = parseK3("<message role=\"user\" name=\"A&amp;B\">hi</message><end>", OutputStart::kMessage);
    EXPECT_EQ(user.message.attributes,
              (std::vector<std::pair<std::string, std::string>>{{"role", "user"}, {"name", "A&B"}}));
    EXPECT_EQ(user.message.content, "hi");
    const Parsed reply = parseK3("<message role=\"assistant\"><think>w</think><response>t</response></message><end>",
                                 OutputStart::kMessage);
    EXPECT_EQ(reply.message.reasoning, "w");
    EXPECT_EQ(reply.message.content, "t");
}

TEST(Transcript, EveryStopTokenEndsAMessage) {
    const auto contents = [](const std::string& example) {
        std::vector<std::string> out;
        for (const ParsedMessage& message :
             parseTranscript(k3(), k3().encode(spelled(example), SpecialTokens::kAllow), OutputStart::kResponse))
            out.push_back(message.content);
        return out;
    };
    using Contents = std::vector<std::string>;
    EXPECT_EQ(contents("a[EOS]b[EOT]c"), (Contents{"a", "b", "c"}));
    EXPECT_EQ(contents("<message role=\"user\">a</message><end><message role=\"user\">b</message><end>"),
              (Contents{"a", "b"}));
    EXPECT_EQ(contents("<message role=\"user\">a</message><message role=\"user\">b</message>[EOS]c"),
              (Contents{"a", "b", "c"}))
        << "the end-of-message token may be missing or another stop token";
    EXPECT_EQ(contents(""), Contents{});
}

// Any bytes a token may hold, split at every token boundary, come out as valid UTF-8 and complete.
TEST(OutputParser, CodePointsAcrossTokens) {
    const std::string text = "é🔥你𠀀";
    Ids ids;
    for (const char c : text) ids.push_back(k3().encode(std::string(1, c), SpecialTokens::kForbid)[0]);
    EXPECT_EQ(parse(k3(), ids, OutputStart::kResponse).message.content, text);
    ids.pop_back();
    EXPECT_EQ(parse(k3(), ids, OutputStart::kResponse).message.content, "é🔥你\uFFFD");
    ids.resize(1);
    const Ids closing = k3().encode(spelled("</think><response>x"), SpecialTokens::kAllow);
    ids.insert(ids.end(), closing.begin(), closing.end());
    const Parsed parsed = parse(k3(), ids, OutputStart::kThink);
    EXPECT_EQ(parsed.message.reasoning, "\uFFFD") << "a channel's end ends its text";
    EXPECT_EQ(parsed.message.content, "x");
}

TEST(OutputParser, RandomIdsTellOneStory) {
    Random random(11);
    const std::vector<std::string> parts = {"<|open|>",
                                            "<|close|>",
                                            "<|sep|>",
                                            "message",
                                            "think",
                                            "response",
                                            "tools",
                                            "call tool=\"f\"",
                                            "argument key=\"k\" type=\"number\"",
                                            "json",
                                            "call",
                                            "argument",
                                            "x",
                                            " ",
                                            "\"",
                                            "7"};
    for (int round = 0; round < 3'000; ++round) {
        Ids ids;
        for (size_t i = 0; i < 1 + random.below(60); ++i) {
            const Ids some = random.below(8) == 0 ? Ids{static_cast<TokenId>(random.below(5'000)) - 100}
                                                  : k3().encode(random.oneOf(parts), SpecialTokens::kAllow);
            ids.insert(ids.end(), some.begin(), some.end());
        }
        for (const OutputStart start : {OutputStart::kThink, OutputStart::kResponse, OutputStart::kMessage}) {
            const Parsed parsed = parse(k3(), ids, start);
            for (const ToolCall& c : parsed.message.toolCalls) EXPECT_FALSE(c.name.empty());
        }
    }
}

// 16 times the input may take 64 times the processor time at most: a step that looks at all before it takes 256 times.
TEST(OutputParser, LinearTime) {
    struct Case {
        const char* name;
        std::string before;
        std::string (*part)(int);
        std::string after;
    };
    const std::vector<Case> cases = {
        {"elements", "", [](int) { return spelled("<x></y>"); }, ""},
        {"escapes", "<|open|>call tool=\"", [](int) { return std::string("&quot;"); }, "\"<|sep|>"},
        {"attributes", "<|open|>call tool=\"f\"", [](int i) { return fmt::format(" k{}=\"\"", i); }, "<|sep|>"},
        {"arguments", spelled("<call tool=\"f\">"),
         [](int i) { return spelled(fmt::format("<argument key=\"{}\">1</argument>", i)); }, spelled("</call>")},
    };
    for (const Case& c : cases) {
        const auto seconds = [&](int parts) {
            std::string text;
            for (int i = 0; i < parts; ++i) text += c.part(i);
            const Ids ids = k3().encode(c.before + text + c.after, SpecialTokens::kAllow);
            double best = 1e9;  // of three, so that another process cannot spoil it
            for (int round = 0; round < 3; ++round) {
                const std::clock_t start = std::clock();
                OutputParser parser(k3(), OutputStart::kResponse);
                std::vector<OutputDelta> deltas;
                for (const TokenId id : ids) parser.push(id, deltas);
                parser.finish(deltas);
                best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
            }
            return best;
        };
        EXPECT_LT(seconds(160'000), 64 * seconds(10'000)) << c.name;
    }
}

class MessageMaker {
  public:
    explicit MessageMaker(uint64_t seed) : random_(seed) {}

    ChatMessage make() {
        ChatMessage message;
        message.role = "assistant";
        if (random_.below(2) == 0) message.reasoning = text() + "!";
        message.content = {{ContentPart::Kind::kText, text()}};
        for (size_t i = random_.below(4); i > 0; --i) {
            const bool raw = random_.below(6) == 0;
            message.toolCalls.push_back(
                {fmt::format("call_{}", message.toolCalls.size() + 1), "f" + text(), raw ? "{" + text() : object()});
        }
        return message;
    }

  private:
    std::string text() {
        static const std::vector<std::string> kBombs = {"<|open|>",
                                                        "<|close|>think<|sep|>",
                                                        "<|end_of_msg|>",
                                                        "<|close|>argument<|sep|>",
                                                        "&quot;",
                                                        "&amp;",
                                                        "\"",
                                                        "=\"",
                                                        "tools",
                                                        " key=\"a\"",
                                                        "<|sep|>",
                                                        "[EOS]"};
        std::string out;
        for (size_t i = random_.below(5); i > 0; --i) {
            out += random_.below(2) == 0 ? random_.oneOf(kBombs)
                                         : test::toUtf8(test::randomCodePoints(random_, random_.below(6)));
        }
        return out;
    }
    std::string quoted() {
        std::string out;
        appendJsonString(out, text());
        return out;
    }
    std::string value(int depth) {
        static const std::vector<std::string> kScalars = {"null", "true", "false", "0",
                                                          "-7",   "1.5",  "1e+22", "12345678901234567890123"};
        const size_t kind = random_.below(depth > 2 ? 2 : 4);
        if (kind == 0) return random_.oneOf(kScalars);
        if (kind == 1) return quoted();
        if (kind == 2) return object(depth + 1);
        std::string out = "[";
        for (size_t i = random_.below(3); i > 0; --i) out += value(depth + 1) + (i > 1 ? ", " : "");
        return out + "]";
    }
    std::string object(int depth = 0) {
        std::string out;
        for (size_t i = random_.below(4); i > 0; --i) {
            std::string key;
            appendJsonString(key, fmt::format("{}{}", text(), i));  // the number keeps keys apart
            out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", key, value(depth));
        }
        return "{" + out + "}";
    }

    Random random_;
};

TEST(OutputParser, RenderedMessagesComeBack) {
    MessageMaker maker(12);
    size_t calls = 0;
    for (int i = 0; i < 5'000; ++i) {
        ChatRequest request;
        request.messages = {maker.make()};
        request.generationPrompt = GenerationPrompt::kNone;
        const auto segments = renderChat(request, ChatStyle::kK3);
        ASSERT_TRUE(segments.has_value()) << segments.error().message;
        Ids ids = encodeSegments(k3(), *segments);
        const ChatMessage& sent = request.messages[0];
        const auto expectSame = [&](const ParsedMessage& read) {
            ASSERT_EQ(read.reasoning, sent.reasoning);
            ASSERT_EQ(read.content, sent.content[0].text);
            ASSERT_EQ(read.toolCalls, sent.toolCalls);
        };
        expectSame(parse(k3(), ids, OutputStart::kMessage).message);
        // As the model writes it, after a prompt that holds the headers of the message and of its think channel.
        for (int header = 0; header < 2; ++header) {
            ids.erase(ids.begin(), std::find(ids.begin(), ids.end(), *k3().controlId("<|sep|>")) + 1);
        }
        expectSame(parse(k3(), ids, OutputStart::kThink).message);
        calls += sent.toolCalls.size();
    }
    EXPECT_GT(calls, 5'000U);
}

TEST(K2OutputParser, ReadsTheGrammar) {
    const Tokenizer thinks = k2Tokenizer(true);
    const Tokenizer plain = k2Tokenizer(false);
    const auto parseK2 = [](const Tokenizer& t, const std::string& s, OutputStart start) {
        return parse(t, t.encode(s, SpecialTokens::kAllow), start).message;
    };
    const std::string calls =
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{\"a\": "
        "1}<|tool_call_end|>"
        "<|tool_call_begin|> functions.a.b:12 "
        "<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|><|im_end|>";
    const ParsedMessage all = parseK2(thinks, "why</think>text" + calls, OutputStart::kThink);
    EXPECT_EQ(all.reasoning, "why");
    EXPECT_EQ(all.content, "text");
    EXPECT_EQ(all.toolCalls,
              (std::vector{call("functions.f:0", "f", "{\"a\": 1}"), call("functions.a.b:12", "a.b", "{}")}));
    EXPECT_EQ(all.finishReason, FinishReason::kToolCalls);
    EXPECT_EQ(parseK2(plain, "why", OutputStart::kThink).content, "why") << "a model without a think channel";
    EXPECT_EQ(parseK2(plain, "a<|im_end|>b", OutputStart::kResponse).content, "a");
    EXPECT_EQ(parseK2(plain, "a<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{", OutputStart::kResponse)
                  .toolCalls.size(),
              0U)
        << "an unclosed call is dropped";
    const ParsedMessage user = parseK2(plain, "<|im_user|>Ann<|im_middle|>hi<|im_end|>", OutputStart::kMessage);
    EXPECT_EQ(user.attributes, (std::vector<std::pair<std::string, std::string>>{{"role", "user"}, {"name", "Ann"}}));
    EXPECT_EQ(user.content, "hi");
}

// The content that comes out with `stops`, and what each id let out.
ParsedMessage parseWithStops(const Tokenizer& tokenizer, const Ids& ids, OutputStart start,
                             std::vector<std::string> stops, std::vector<std::string>& pieces) {
    OutputParser parser(tokenizer, start, std::move(stops));
    const auto take = [&](std::vector<OutputDelta>& deltas) {
        std::string piece;
        for (const OutputDelta& delta : deltas) piece += delta.kind == Kind::kContent ? delta.text : "";
        pieces.push_back(piece);
        deltas.clear();
    };
    std::vector<OutputDelta> deltas;
    for (const TokenId id : ids) {
        parser.push(id, deltas);
        take(deltas);
    }
    parser.finish(deltas);
    take(deltas);
    return parser.message();
}

TEST(StopTexts, EndTheReplyWhereverTheyLieInTokens) {
    const Tokenizer bytes = k2Tokenizer(false);
    Random random(7);
    const std::vector<std::string> alphabet = {"a", "b", "\u00e9", "\u20ac", "\n"};
    const auto word = [&](size_t most) {
        std::string out;
        const size_t length = 1 + random.below(most);
        for (size_t i = 0; i < length; ++i) out += random.oneOf(alphabet);
        return out;
    };
    int met = 0;
    for (int round = 0; round < 20'000; ++round) {
        const std::string whole = word(14);
        const std::vector<std::string> stops = {word(4), "", word(5)};
        size_t end = std::string::npos;  // of what is shown: before the stop that is complete first
        size_t complete = std::string::npos;
        for (const std::string& stop : stops) {
            const size_t at = stop.empty() ? std::string::npos : whole.find(stop);
            if (at == std::string::npos || at + stop.size() > complete) continue;
            end = at + stop.size() < complete ? at : std::min(end, at);
            complete = at + stop.size();
        }
        std::vector<std::string> pieces;
        const ParsedMessage message =
            parseWithStops(bytes, bytes.encode(whole, SpecialTokens::kForbid), OutputStart::kResponse, stops, pieces);
        std::string shown;
        for (const std::string& piece : pieces) shown += piece;
        ASSERT_EQ(shown, whole.substr(0, end));
        ASSERT_EQ(message.content, shown);
        ASSERT_EQ(message.finishReason, end == std::string::npos ? FinishReason::kLength : FinishReason::kStop);
        met += end != std::string::npos ? 1 : 0;
    }
    EXPECT_GT(met, 4'000);
    EXPECT_LT(met, 16'000);
}

TEST(StopTexts, HoldBackOnlyWhatMayBeOne) {
    const Tokenizer bytes = k2Tokenizer(false);
    std::vector<std::string> pieces;
    parseWithStops(bytes, bytes.encode("xEN.ENDy", SpecialTokens::kForbid), OutputStart::kResponse, {"END"}, pieces);
    EXPECT_EQ(pieces, (std::vector<std::string>{"x", "", "", "EN.", "", "", "", "", ""}));
}

TEST(StopTexts, AreLookedForInTheAnswerAlone) {
    const auto reply = [&](const std::string& text, OutputStart start) {
        std::vector<std::string> pieces;
        return parseWithStops(k3(), k3().encode(spelled(text), SpecialTokens::kAllow), start, {"STOP"}, pieces);
    };
    const ParsedMessage thought =
        reply("a STOP b</think><response>one STOP two</response></message><end>", OutputStart::kThink);
    EXPECT_EQ(thought.reasoning, "a STOP b");
    EXPECT_EQ(thought.content, "one ");
    EXPECT_EQ(thought.finishReason, FinishReason::kStop);
    const ParsedMessage skipped = reply("no STOP thought</response></message><end>", OutputStart::kThink);
    EXPECT_EQ(skipped.reasoning, "") << "the think channel was skipped: this is the answer";
    EXPECT_EQ(skipped.content, "no ");
    const ParsedMessage none = reply("one STO</response></message><end>", OutputStart::kResponse);
    EXPECT_EQ(none.content, "one STO") << "the answer's end decides";
}

}  // namespace
}  // namespace pal
