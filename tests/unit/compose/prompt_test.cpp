// SPDX-License-Identifier: Apache-2.0
// A prompt of attachments: every token leads back to where it came from, and counts are those of the prompt.
#include "app/compose/prompt.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

namespace pal {
namespace {

const Tokenizer& nano() {
    static const Tokenizer kTokenizer = Tokenizer::loadModelFolder("resources/nano").value();
    return kTokenizer;
}

MediaConfig nanoMedia() {
    return readMediaConfig("resources/nano").value();
}

AttachedFile textOf(const std::string& name, const std::string& text) {
    return {AttachedKind::kText, {}, text, name};
}

// A user message of two texts with marks, then a question.
ComposedMessages twoTexts() {
    const std::vector<AttachedFile> attachments = {textOf("a.txt", "The clock was repaired in May."),
                                                   textOf("b.txt", "\u00c9t\u00e9: the b\u00e9ll \u2014 rings.")};
    ComposedMessages out;
    out[0] = composeMessage(attachments, "Who rings?", {}).value();
    return out;
}

ChatRequest requestOf(const ComposedMessages& composed) {
    ChatRequest request;
    request.effort = ThinkingEffort::kMax;
    for (const auto& [index, message] : composed) request.messages.push_back(message.message);
    return request;
}

TEST(ComposedText, IsMarkedAndWhole) {
    const ComposedMessages composed = twoTexts();
    ASSERT_EQ(composed.at(0).message.content.size(), 1U);
    EXPECT_EQ(composed.at(0).message.content[0].text,
              "[file 1: a.txt]\nThe clock was repaired in May.\n\n[file 2: b.txt]\n\u00c9t\u00e9: the b\u00e9ll \u2014 "
              "rings.\n\nWho rings?");
    const std::vector<AttachedFile> one = {textOf("a.txt", "Alone.")};
    EXPECT_EQ(composeMessage(one, "Why?", {}).value().message.content[0].text, "Alone.\n\nWhy?")
        << "one page of text has nothing to be told from";
    EXPECT_EQ(composeMessage({}, "Why?", {}).value().message.content[0].text, "Why?");
}

TEST(MappedPrompt, EqualsTheRenderedPrompt) {
    const ComposedMessages composed = twoTexts();
    const ChatRequest request = requestOf(composed);
    const MappedPrompt mapped = mapPrompt(request, composed, nano()).value();
    const std::vector<Segment> segments = renderChat(request, ChatStyle::kK3).value();
    EXPECT_EQ(mapped.prompt().ids, encodeSegments(nano(), segments));
    EXPECT_EQ(mapped.counts().all(), std::ssize(mapped.prompt().ids));
    std::vector<TokenId> text = nano().encode(composed.at(0).message.content[0].text, SpecialTokens::kForbid);
    EXPECT_EQ(mapped.counts().text, std::ssize(text));
    EXPECT_EQ(mapped.counts().image + mapped.counts().video, 0);
    ASSERT_EQ(mapped.prompt().boundaries.size(), 1U) << "behind the only message, before the reply is opened";
    EXPECT_LT(mapped.prompt().boundaries[0], mapped.counts().all());
}

TEST(MappedPrompt, EveryTokenOfATextLeadsToItsBytes) {
    const ComposedMessages composed = twoTexts();
    const MappedPrompt mapped = mapPrompt(requestOf(composed), composed, nano()).value();
    std::string pages[2];
    std::string question;
    for (int64_t i = 0; i < std::ssize(mapped.prompt().ids); ++i) {
        const TokenOrigin origin = mapped.originOf(i, composed);
        if (origin.kind != TokenOrigin::Kind::kText) continue;
        const std::string_view bytes = nano().tokenBytes(mapped.prompt().ids[static_cast<size_t>(i)]);
        if (!origin.attachment) {
            question += bytes;
            continue;
        }
        EXPECT_EQ(origin.page, 1);
        std::string& page = pages[*origin.attachment];
        EXPECT_EQ(origin.textBegin, page.size());
        page += bytes.substr(0, origin.textEnd - origin.textBegin);
        EXPECT_EQ(page.size(), origin.textEnd);
    }
    EXPECT_EQ(pages[0], "The clock was repaired in May.");
    EXPECT_EQ(pages[1], "\u00c9t\u00e9: the b\u00e9ll \u2014 rings.");
    EXPECT_TRUE(question.ends_with("Who rings?"));
    int64_t at = 0;
    for (const TokenStretch& stretch : mapped.stretches(composed)) {
        EXPECT_EQ(stretch.begin, at);
        for (; at < stretch.end; ++at) {
            const TokenOrigin origin = mapped.originOf(at, composed);
            EXPECT_EQ(stretch.kind, origin.kind) << at;
            EXPECT_EQ(stretch.attachment, origin.attachment) << at;
            EXPECT_EQ(stretch.page, origin.page) << at;
        }
    }
    EXPECT_EQ(at, std::ssize(mapped.prompt().ids));
    const TokenCounts first = mapped.countsOf(0, 0, composed);
    const TokenCounts second = mapped.countsOf(0, 1, composed);
    EXPECT_GT(first.text, 4);
    EXPECT_GT(second.text, 4);
    EXPECT_LT(first.text + second.text, mapped.counts().text);
}

// A picture whose pixels are not needed: 60 x 45 of them, as the embedded model sees them.
ComposedMessages withPicture() {
    ComposedMessages out;
    ComposedMessage& message = out[0];
    message.message.role = "user";
    message.message.content = {{ContentPart::Kind::kImage, imagePrompt(60, 45)}, {ContentPart::Kind::kText, "What?"}};
    message.attachments.push_back({"p.png", AttachedKind::kImage, {}, {}, {}, 0, {}});
    message.texts.push_back({TextPiece::From::kQuestion, 1, 0, 5, 0, 0});
    ComposedMedium medium;
    medium.width = 60;
    medium.height = 45;
    const MediaConfig config = nanoMedia();
    medium.resize = planImage(config, 60, 45);
    medium.patchSize = config.patchSize;
    medium.mergeSize = config.mergeSize;
    message.media.push_back(medium);
    return out;
}

TEST(MappedPrompt, EveryTokenOfAPictureLeadsToItsSquare) {
    const ComposedMessages composed = withPicture();
    const MappedPrompt mapped = mapPrompt(requestOf(composed), composed, nano()).value();
    EXPECT_EQ(mapped.counts().image, 6) << "3 x 2 squares of 28 pixels";
    double area = 0;
    int seen = 0;
    for (int64_t i = 0; i < std::ssize(mapped.prompt().ids); ++i) {
        const TokenOrigin origin = mapped.originOf(i, composed);
        if (origin.kind != TokenOrigin::Kind::kImage) continue;
        EXPECT_EQ(mapped.prompt().ids[static_cast<size_t>(i)], nano().mediaPadId());
        EXPECT_EQ(origin.attachment, 0U);
        EXPECT_EQ(origin.patchRow, seen / 3 * 2);
        EXPECT_EQ(origin.patchColumn, seen % 3 * 2);
        EXPECT_DOUBLE_EQ(origin.x, seen % 3 * 28);
        EXPECT_DOUBLE_EQ(origin.y, seen / 3 * 28);
        area += origin.width * origin.height;
        ++seen;
    }
    EXPECT_EQ(seen, 6);
    EXPECT_NEAR(area, 60 * 45, 1e-9) << "the squares tile the picture, padding adds nothing";
}

// Words that the markup has, too.
TEST(MappedPrompt, AQuestionMayBeAWordOfTheMarkup) {
    for (const char* word : {"user", "message", "role", "system", "think", "response", "assistant", "\"", "=\""}) {
        ComposedMessages composed = withPicture();
        composed[0].message.content[1].text = word;
        composed[0].texts[0].end = std::string_view(word).size();
        const MappedPrompt mapped = mapPrompt(requestOf(composed), composed, nano()).value();
        EXPECT_EQ(mapped.counts().image, 6) << word;
        EXPECT_EQ(mapped.loaded(composed).media.size(), 1U) << word;
        EXPECT_EQ(mapped.counts().text, std::ssize(nano().encode(word, SpecialTokens::kForbid))) << word;
    }
}

TEST(CheckMediaMemory, KnowsWhatPixelsTake) {
    const ComposedMessages composed = withPicture();
    const uint64_t bytes = 4 * 6 * 3 * 14 * 14 * sizeof(float);
    EXPECT_TRUE(checkMediaMemory(composed.at(0), bytes).has_value());
    const auto refused = checkMediaMemory(composed.at(0), bytes - 1);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(
        refused.error().message,
        "the pixels of all pictures and clips take 1 MB of memory, at most 0 MB are allowed; what would help: smaller "
        "or fewer pictures of p.png (1 MB)");
}

TEST(CheckFits, RefusesWithTheNumbersAndTheChoices) {
    const ComposedMessages composed = withPicture();
    const MappedPrompt mapped = mapPrompt(requestOf(composed), composed, nano()).value();
    const int64_t total = mapped.counts().all();
    EXPECT_TRUE(checkFits(mapped, 0, composed, {total + 1, 0}).has_value());
    const auto refused = checkFits(mapped, 0, composed, {total, 0});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().message,
              fmt::format("the prompt has {} tokens ({} text, 6 image, 0 video, {} markup), the context holds {} with "
                          "the answer: 1 too many; what would help: a smaller p.png (6 tokens)",
                          total, mapped.counts().text, mapped.counts().markup, total));
}

TEST(Compose, NeedsAModelThatSees) {
    const std::vector<AttachedFile> picture = {
        AttachedFile::file(AttachedKind::kImage, "tests/eval/img-where/000.png")};
    EXPECT_EQ(composeMessage(picture, "?", {}).error().message, "000.png: this model cannot see");
}

}  // namespace
}  // namespace pal
