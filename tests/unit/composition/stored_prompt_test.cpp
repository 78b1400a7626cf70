// SPDX-License-Identifier: Apache-2.0
// Prompts of stored sessions: the same as the composed message's, with every token's origin, whatever was closed in between.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "app/compose/found_pictures.h"
#include "app/composition/attachment_settings.h"
#include "app/composition/attachments.h"
#include "app/composition/stored_document.h"
#include "app/composition/workplace.h"
#include "tests/support/contains.h"
#include "tests/unit/storage/chat_fixture.h"
#include "vision/image.h"

namespace pal::test {
namespace {

constexpr const char* kModel = "resources/nano";
constexpr const char* kPdf = "tests/data/documents/two_columns.pdf";
constexpr const char* kPicture = "tests/data/media/images/colour.jpg";
constexpr const char* kClip = "tests/data/media/clips/h264.mp4";

DocumentOptions reading() {
    DocumentOptions options;
    options.helper = PAL_EXTRACT;
    return options;
}

std::unique_ptr<Workplace> openAt(const TempFolder& folder, int64_t contextTokens = 0,
                                  const std::string& documentPassword = {}) {
    WorkplaceOptions options;
    options.documentPassword = documentPassword;
    options.places = need(dataPlaces(folder.path()));
    options.program = "test";
    auto place = need(Workplace::open(options));
    EngineOptions engine;
    engine.contextTokens = contextTokens;
    need(place->loadModel(kModel, engine));
    return place;
}

// A session whose replies have one token.
SessionId newSession(Workplace& place) {
    SessionSettings settings;
    settings.thinking = Thinking::kOff;
    settings.sampling.temperature = 0;
    settings.maxTokens = 1;
    return need(place.library().writeNow(
        [&](ChatDatabase& database) { return database.sessions().add("s", settingsText(settings), 1); }));
}

std::vector<AttachedFile> mixed() {
    std::vector<AttachedFile> out = {need(recogniseFile(kPicture)), need(recogniseFile(kPdf)),
                                     need(recogniseFile(kClip))};
    out[0].options.pictureTokens = 6;
    out[1].options.firstPage = out[1].options.lastPage = 1;
    out[2].options.fps = 2;
    out[2].options.end = 1;
    return out;
}

AskRequest asks(Workplace& place, SessionId session, MessageId parent, const std::vector<AttachedFile>& files,
                const std::string& text) {
    AskRequest request{session, parent, text, {}};
    for (const AttachedFile& file : files)
        request.attachments.push_back(need(attach(place.library(), file, reading())));
    return request;
}

TurnReport answered(Workplace& place, PreparedTurn turn) {
    need(place.runner().askPrepared(std::move(turn)));
    return need(runTurn(place.runner(), {}, {}));
}

// The same question without a session.
MappedPrompt composedPrompt(const std::vector<AttachedFile>& files, const std::string& text,
                            ComposedMessages& composed) {
    ComposeOptions options;
    options.media = need(mediaConfigOf(kModel));
    options.document = reading();
    composed[0] = need(composeMessage(files, text, options));
    ChatRequest request;
    request.thinking = Thinking::kOff;
    request.effort = SessionSettings{}.effort;
    request.messages.push_back(composed[0].message);
    return need(mapPrompt(request, composed, need(Tokenizer::loadModelFolder(kModel))));
}

TEST(StoredPromptTest, IsThatOfTheComposedMessage) {
    TempFolder folder;
    const auto place = openAt(folder);
    const SessionId session = newSession(*place);
    const PreparedTurn turn = need(place->runner().prepare(asks(*place, session, 0, mixed(), "What is this?")));
    ComposedMessages composed;
    const MappedPrompt expected = composedPrompt(mixed(), "What is this?", composed);
    EXPECT_EQ(turn.prompt.ids, expected.prompt().ids) << "options, order and marks are the same";
    EXPECT_EQ(turn.numbers.tokens, std::ssize(turn.prompt.ids));
    EXPECT_EQ(turn.numbers.earlierTokens, 0);
    EXPECT_EQ(turn.numbers.counts.text, expected.counts().text);
    EXPECT_EQ(turn.numbers.counts.image, expected.counts().image);
    EXPECT_EQ(turn.numbers.counts.video, expected.counts().video);
    EXPECT_EQ(turn.numbers.counts.all(), turn.numbers.tokens);
    EXPECT_GT(turn.numbers.counts.video, 0);
    EXPECT_LE(turn.numbers.counts.image, 6);
    need(place->close());
}

// Pixels are named by what they are made of and made when they are asked for.
TEST(StoredPromptTest, NothingIsDecodedBeforeItIsRead) {
    TempFolder folder;
    const auto place = openAt(folder);
    const SessionId session = newSession(*place);
    const AskRequest request = asks(*place, session, 0, mixed(), "What is this?");
    const PreparedTurn turn = need(place->runner().prepare(request));
    const PreparedTurn again = need(place->runner().prepare(request));
    ASSERT_GE(turn.prompt.media.size(), 2U);
    for (size_t i = 0; i < turn.prompt.media.size(); ++i) {
        const MediaInput& medium = *turn.prompt.media[i];
        ASSERT_TRUE(medium.later != nullptr);
        EXPECT_TRUE(medium.patches.empty());
        EXPECT_EQ(medium.later->identity, again.prompt.media[i]->later->identity);
        for (size_t other = 0; other < i; ++other)
            EXPECT_NE(medium.later->identity, turn.prompt.media[other]->later->identity);
    }
    ImageRequest small;
    small.maxTokens = 6;
    const PreparedImage picture = need(prepareImage(MediaSource::file(kPicture), need(readMediaConfig(kModel)), small));
    EXPECT_EQ(need(turn.prompt.media[0]->later->make({})), picture.input.patches);
    // Chunks of a clip, out of order as after a stored state that ends inside it.
    ComposedMessages composed;
    composedPrompt(mixed(), "", composed);
    ComposeOptions options;
    options.media = need(mediaConfigOf(kModel));
    need(loadMedia(composed[0], mixed(), options, {}, {}));
    for (size_t i = turn.prompt.media.size(); i-- > 1;) {
        EXPECT_EQ(need(turn.prompt.media[i]->later->make({})), composed[0].media[i].input->patches) << i;
        EXPECT_EQ(need(again.prompt.media[turn.prompt.media.size() - i]->later->make({})),
                  composed[0].media[turn.prompt.media.size() - i].input->patches);
    }
    need(place->close());
}

// What the map says of every token, put together again by attachment and page.
struct Seen {
    std::map<std::pair<size_t, int>, std::string> pages;
    std::map<size_t, int64_t> image, video;  // tokens by attachment
    std::string question, reply;
    size_t lines = 0;
};

// The stretches say in one what the tokens say one by one.
void expectStretches(const PromptMap& map) {
    int64_t end = 0;
    for (const TokenStretch& stretch : map.prompt.stretches(map.composed)) {
        EXPECT_EQ(stretch.begin, end);
        end = stretch.end;
        for (int64_t i = stretch.begin; i < stretch.end; ++i) {
            const TokenOrigin origin = map.prompt.originOf(i, map.composed);
            ASSERT_EQ(stretch.kind, origin.kind) << i;
            ASSERT_EQ(stretch.message, origin.message) << i;
            ASSERT_EQ(stretch.attachment, origin.attachment) << i;
            ASSERT_EQ(stretch.page, origin.page) << i;
            ASSERT_EQ(stretch.medium != nullptr,
                      origin.kind == TokenOrigin::Kind::kImage || origin.kind == TokenOrigin::Kind::kVideo)
                << i;
        }
    }
    EXPECT_EQ(end, std::ssize(map.prompt.prompt().ids));
}

Seen walk(const PromptMap& map, const Tokenizer& tokenizer) {
    expectStretches(map);
    Seen seen;
    for (int64_t i = 0; i < std::ssize(map.prompt.prompt().ids); ++i) {
        const TokenOrigin origin = map.prompt.originOf(i, map.composed);
        const std::string_view bytes = tokenizer.tokenBytes(map.prompt.prompt().ids[static_cast<size_t>(i)]);
        switch (origin.kind) {
            case TokenOrigin::Kind::kMarkup:
                break;
            case TokenOrigin::Kind::kImage:
                ++seen.image[*origin.attachment];
                break;
            case TokenOrigin::Kind::kVideo:
                ++seen.video[*origin.attachment];
                EXPECT_FALSE(origin.frames.empty());
                break;
            case TokenOrigin::Kind::kText:
                if (origin.attachment) {
                    seen.pages[{*origin.attachment, origin.page}] += bytes.substr(0, origin.textEnd - origin.textBegin);
                    seen.lines += origin.regions.size();
                } else {
                    (origin.message == 0 ? seen.question : seen.reply) += bytes;
                }
        }
    }
    return seen;
}

TEST(StoredPromptTest, EveryTokenLeadsBackAlsoAfterAnotherTurnAndClosing) {
    TempFolder folder;
    auto place = openAt(folder);
    const SessionId session = newSession(*place);
    const TurnReport first =
        answered(*place, need(place->runner().prepare(asks(*place, session, 0, mixed(), "What is this?"))));
    PreparedTurn next = need(place->runner().prepare({session, first.reply, "And then?", {}}));
    EXPECT_EQ(next.numbers.earlierTokens + next.numbers.counts.all(), next.numbers.tokens);
    EXPECT_EQ(next.numbers.earlierTokens, need(place->runner().earlierTokens(session, first.reply)));
    EXPECT_GT(next.numbers.earlierTokens, first.numbers.counts.text + first.numbers.counts.image);
    const std::vector<TokenId> ids = next.prompt.ids;
    const TurnReport second = answered(*place, std::move(next));
    need(place->close());

    place = openAt(folder);
    const PromptMap map = need(place->runner().promptMap(session, second.question));
    EXPECT_EQ(map.prompt.prompt().ids, ids);
    EXPECT_EQ(map.messages, (std::vector<MessageId>{first.question, first.reply, second.question}));
    const Seen seen = walk(map, need(Tokenizer::loadModelFolder(kModel)));
    const Document document = need(readDocument(kPdf, reading()));
    ASSERT_EQ(seen.pages.size(), 1U) << "one page was asked for";
    EXPECT_EQ(seen.pages.at({1, 1}), document.pages[0].text);
    EXPECT_GT(seen.lines, document.pages[0].map.size()) << "lines on the page are known";
    EXPECT_EQ(seen.image.at(0), map.prompt.countsOf(0, 0, map.composed).image);
    EXPECT_EQ(seen.video.at(2), map.prompt.counts().video);
    EXPECT_TRUE(contains(seen.question, "What is this?"));
    EXPECT_TRUE(contains(seen.reply, "And then?"));
    EXPECT_EQ(map.prompt.counts().all(), std::ssize(ids));
    EXPECT_EQ(map.prompt.pageTokens(0, 1, map.composed),
              std::vector<int64_t>{map.prompt.countsOf(0, 1, map.composed).text});
    need(place->close());
}

// Ids that a version with other marks kept are the prompt; what they mean is then known only as text and markup.
TEST(StoredPromptTest, KeptIdsAreThePromptWhateverTheyAre) {
    TempFolder folder;
    const auto place = openAt(folder);
    const SessionId session = newSession(*place);
    const AskRequest request = asks(*place, session, 0, {need(recogniseFile(kPdf))}, "Why?");
    const PreparedTurn turn = need(place->runner().prepare(request));
    NewMessage old = says(session, 0, Role::kUser, "Why?");
    old.attachments = request.attachments;
    old.ids = turn.ids;
    const auto& tokenizer = need(Tokenizer::loadModelFolder(kModel));
    const auto text = std::find_if(old.ids->ids.begin() + 12, old.ids->ids.end(),
                                   [&](TokenId id) { return !tokenizer.isControl(id); });
    *text = *text == 65 ? 66 : 65;
    const MessageId question =
        need(place->library().writeNow([&](ChatDatabase& database) { return database.messages().add(old); }));
    const PromptMap map = need(place->runner().promptMap(session, question));
    EXPECT_NE(map.prompt.prompt().ids, turn.prompt.ids);
    EXPECT_EQ(std::ssize(map.prompt.prompt().ids), std::ssize(turn.prompt.ids));
    EXPECT_TRUE(map.composed.empty());
    EXPECT_EQ(map.prompt.counts().text, turn.numbers.counts.text);
    need(place->close());
}

// A model that draws the placeholder of a picture does not end its session.
TEST(StoredPromptTest, ADrawnPlaceholderIsNoPicture) {
    TempFolder folder;
    const auto place = openAt(folder);
    const SessionId session = newSession(*place);
    NewMessage question = says(session, 0, Role::kUser, "Why?");
    question.ids = need(place->runner().prepare(asks(*place, session, 0, {}, "Why?"))).ids;
    const TokenId pad = place->runner().tokenizer().mediaPadId().value();
    NewMessage reply = says(session, 0, Role::kAssistant, "So.");
    reply.ids = MessageIds{question.ids->vocabulary, {65, pad, 66}};
    const MessageId last = need(place->library().writeNow([&](ChatDatabase& database) -> Result<MessageId> {
        PAL_ASSIGN(reply.parent, database.messages().add(question));
        return database.messages().add(reply);
    }));
    PreparedTurn turn = need(place->runner().prepare({session, last, "And then?", {}}));
    EXPECT_EQ(std::count(turn.prompt.ids.begin(), turn.prompt.ids.end(), pad), 0);
    EXPECT_TRUE(contains(place->runner().tokenizer().decode(turn.prompt.ids), "So."));
    answered(*place, std::move(turn));
    need(place->close());
}

// What a session takes is counted without its prompt: the same number, whatever is kept of its messages.
TEST(StoredPromptTest, ASessionIsCountedAsItsPromptIs) {
    TempFolder folder;
    const auto place = openAt(folder);
    const SessionId session = newSession(*place);
    const AskRequest pictured = asks(*place, session, 0, mixed(), "What is this?");
    const MessageIds ids = need(place->runner().prepare(pictured)).ids;
    const TokenId pad = place->runner().tokenizer().mediaPadId().value();
    NewMessage question = says(session, 0, Role::kUser, "What is this?");
    question.attachments = pictured.attachments;
    std::vector<NewMessage> branch(9, question);
    branch[0].ids = ids;
    branch[1] = says(session, 0, Role::kAssistant, "A picture.");
    branch[1].ids = MessageIds{ids.vocabulary, {65, 66, ids.ids.back()}};
    branch[2].ids = std::nullopt;
    branch[3] = says(session, 0, Role::kAssistant, "Cut off");
    branch[3].ids = MessageIds{ids.vocabulary, {65, 66}};
    branch[4] = says(session, 0, Role::kUser, "Of another vocabulary.");
    branch[4].ids = MessageIds{"another", {1, 2, 3}};
    branch[5] = says(session, 0, Role::kAssistant, "Drew a placeholder.");
    branch[5].ids = MessageIds{ids.vocabulary, {65, pad, 66}};
    branch[6] = says(session, 0, Role::kAssistant, "");  // failed before its first token
    branch[7] = says(session, 0, Role::kUser, "Plain.");
    branch[7].ids = MessageIds{ids.vocabulary, {65, 66, 67}};
    branch[8] = says(session, 0, Role::kAssistant, "Imported.");
    MessageId last = 0;
    for (NewMessage& message : branch) {
        message.parent = last;
        last =
            need(place->library().writeNow([&](ChatDatabase& database) { return database.messages().add(message); }));
        const int64_t counted = need(place->runner().earlierTokens(session, last));
        const PreparedTurn next = need(place->runner().prepare({session, last, "And then?", {}}));
        EXPECT_EQ(counted, next.numbers.earlierTokens) << "after message " << last;
    }
    EXPECT_EQ(need(place->runner().earlierTokens(session, 0)), 0);
    need(place->close());
}

// Thirteen one-page files, each with a number of its own: the prompt that is sent says every one.
TEST(StoredPromptTest, NoFileOfManyIsLost) {
    TempFolder folder;
    const auto place = openAt(folder);
    std::vector<AttachedFile> files;
    for (int i = 1; i <= 13; ++i)
        files.push_back(need(recogniseFile(fmt::format("tests/data/documents/numbers/{:02}.pdf", i))));
    const PreparedTurn turn =
        need(place->runner().prepare(asks(*place, newSession(*place), 0, files, "Which numbers are there?")));
    const std::string text = place->runner().tokenizer().decode(turn.prompt.ids);
    for (int i = 1; i <= 13; ++i) {
        const std::string line = fmt::format("The number of file {} is {}.", i, 10007 * i);
        EXPECT_TRUE(contains(text, line)) << line;
        EXPECT_TRUE(contains(text, fmt::format("[file {}: {:02}.pdf]", i, i)));
    }
    need(place->close());
}

TEST(StoredPromptTest, WhatDoesNotFitIsRefusedWithNumbersAndChoicesAndNotStored) {
    TempFolder folder;
    const auto place = openAt(folder, 128);
    const SessionId session = newSession(*place);
    const auto refused = place->runner().prepare(asks(*place, session, 0, mixed(), "What is this?"));
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    for (const char* part : {"the context holds 128 with the answer", "too many", "a smaller colour.jpg",
                             "of two_columns.pdf", "fewer frames of h264.mp4"})
        EXPECT_TRUE(contains(refused.error().message, part)) << refused.error().message;
    EXPECT_TRUE(need(place->library().reader().messages().tree(session)).empty());
    need(place->close());
}

// As when a question is answered on the CPU after the GPU was lost: a prompt is put together anew by the next model's runner.
TEST(StoredPromptTest, AnotherModelKnowsThePasswordOfLockedPages) {
    TempFolder folder;
    const auto place = openAt(folder, 0, "open sesame");
    const SessionId session = newSession(*place);
    AttachedFile scan = need(recogniseFile("tests/data/documents/locked_scan.pdf"));
    scan.options.picturePages = PicturePages::kShow;
    scan.options.pictureTokens = 16;
    DocumentOptions unlocking = reading();
    unlocking.password = "open sesame";
    AskRequest request{session, 0, "What is it?", {}};
    request.attachments.push_back(need(attach(place->library(), scan, unlocking)));
    need(place->loadModel(kModel, {}));
    const TurnReport answer = answered(*place, need(place->runner().prepare(request)));
    EXPECT_GT(answer.numbers.counts.image, 0);
    need(place->close());
}

TEST(StoredPromptTest, WhereAModelDoesNotLoadThereIsNone) {
    TempFolder folder;
    const auto place = openAt(folder);
    EXPECT_TRUE(place->hasModel());
    EXPECT_EQ(place->loadModel(folder.path() / "gone", {}).error().code, ErrorCode::kNotFound);
    EXPECT_FALSE(place->hasModel());
    need(place->loadModel(kModel, {}));
    EXPECT_TRUE(place->hasModel());
    EXPECT_FALSE(place->loadModel(folder.path() / "gone", {}).has_value());
    need(place->close());
}

TEST(FoundPicturesTest, ADocumentIsOpenedOnceHoweverOftenItsMessageIsComposed) {
    TempFolder folder;
    const auto log = folder / "log", helper = folder / "helper";
    std::ofstream(helper) << fmt::format("#!/bin/sh\necho opened >> {}\nexec {} \"$@\"\n", log.string(), PAL_EXTRACT);
    std::filesystem::permissions(helper, std::filesystem::perms::owner_all);
    AttachedFile file = need(recogniseFile("tests/data/documents/bridges.docx"));
    file.document = std::make_shared<const Document>(need(readDocument(file.path, reading())));
    file.pictures = std::make_shared<FoundPictures>();
    ComposeOptions options;
    options.media = need(mediaConfigOf(kModel));
    options.document.helper = helper;
    const auto compose = [&](const std::string& question) {
        return need(composeMessage(std::vector{file}, question, options)).media.size();
    };
    EXPECT_EQ(compose("Who"), 0U);
    EXPECT_EQ(compose("Who built"), 0U);
    EXPECT_EQ(readText(log), "opened\n");
    file.options.picturePages = PicturePages::kShow;
    EXPECT_EQ(compose("Who built it?"), 1U);
    EXPECT_EQ(compose("Who built it when?"), 1U);
    EXPECT_EQ(readText(log), "opened\nopened\n") << "shown ones are decoded once to see that they can be";
}

TEST(StoredDocumentTest, ComesBackAsItWas) {
    for (const char* file :
         {kPdf, "tests/data/documents/scanned.pdf", "tests/data/documents/labels.pdf",
          "tests/data/documents/figures.pdf", "tests/data/documents/book.epub", "tests/data/documents/prices.csv"}) {
        const Document document = need(readDocument(file, reading()));
        const Document again = documentOf(extractionOf(document));
        EXPECT_EQ(again.pageCount, document.pageCount) << file;
        EXPECT_EQ(again.warnings, document.warnings) << file;
        ASSERT_EQ(again.pages.size(), document.pages.size()) << file;
        for (size_t i = 0; i < document.pages.size(); ++i) {
            const DocumentPage& a = document.pages[i];
            const DocumentPage& b = again.pages[i];
            EXPECT_EQ(a.text, b.text);
            EXPECT_EQ(std::tie(a.number, a.label, a.warnings, a.pictureOnly, a.pictures, a.imageWidth, a.imageHeight),
                      std::tie(b.number, b.label, b.warnings, b.pictureOnly, b.pictures, b.imageWidth, b.imageHeight));
            EXPECT_DOUBLE_EQ(a.width, b.width);
            ASSERT_EQ(a.figures.size(), b.figures.size()) << file;
            for (size_t k = 0; k < a.figures.size(); ++k) {
                EXPECT_DOUBLE_EQ(a.figures[k].x, b.figures[k].x);
                EXPECT_DOUBLE_EQ(a.figures[k].height, b.figures[k].height);
            }
            ASSERT_EQ(a.map.size(), b.map.size()) << file;
            for (size_t k = 0; k < a.map.size(); ++k) {
                EXPECT_EQ(a.map[k].begin, b.map[k].begin);
                EXPECT_EQ(a.map[k].end, b.map[k].end);
                EXPECT_DOUBLE_EQ(a.map[k].region.height, b.map[k].region.height);
            }
        }
    }
}

TEST(StoredDocumentTest, EarlierAndHostileMapsAreRead) {
    const auto pagesOf = [](const std::string& map) {
        std::vector<std::string> out;
        for (const DocumentPage& page : documentOf({0, "", "", "one\n\ntwo", map, {}}).pages) out.push_back(page.text);
        return out;
    };
    const std::vector<std::string> whole{"one\n\ntwo"};
    EXPECT_EQ(pagesOf(R"([{"page": 1, "label": "", "begin": 0}, {"page": 2, "label": "", "begin": 5}])"),
              (std::vector<std::string>{"one", "two"}))
        << "as the first version wrote it";
    for (const char* map :
         {"", "[]", "{", "[1]", R"([{"page": 1}])", R"([{"page": 1, "begin": 9}])", R"([{"page": 1, "begin": -1}])",
          R"([{"page": 2, "begin": 0, "end": 3}, {"page": 2, "begin": 5, "end": 8}])",
          R"([{"page": 1, "begin": 3, "end": 2}])", R"([{"page": 1, "begin": 0, "end": 99}])",
          R"([{"page": 1, "begin": 0}, {"page": 2, "begin": 1}])",
          R"([{"page": 99999999999999, "begin": 0, "end": 3}])"})
        EXPECT_EQ(pagesOf(map), whole) << map;
    const Document odd = documentOf(
        {0,
         "",
         "",
         "one",
         R"([{"page": 1, "begin": 0, "end": 3, "lines": [[0, 1e300, 0, 0, 1, 1], [2, 1, 0, 0, 1, 1], [0, 2, 0, 0, 1, 1],
             [1, 3, 0, 0, 1, 1], "x"], "image": [-1, 1e30], "size": [0], "warnings": [1, "w"], "pictures": -4}])",
         {}});
    ASSERT_EQ(odd.pages[0].map.size(), 1U);
    EXPECT_EQ(odd.pages[0].map[0].end, 2U);
    EXPECT_EQ(odd.pages[0].imageWidth, 0);
    EXPECT_EQ(odd.pages[0].warnings, std::vector<std::string>{"w"});
}

TEST(AttachmentOptionsTest, ComeBackAsTheyWereAndSurviveAnything) {
    AttachmentOptions options;
    EXPECT_EQ(attachmentOptionsText(options), "{}");
    options.firstPage = 3;
    options.lastPage = 7;
    options.picturePages = PicturePages::kShow;
    options.pictureTokens = 64;
    options.start = 0.5;
    options.end = 12.25;
    options.fps = 0.1;
    options.maxFrames = 9;
    options.clipTokens = 500;
    EXPECT_EQ(attachmentOptionsFrom(attachmentOptionsText(options)), options);
    for (const char* text : {"", "[]", "{", R"({"first_page": 0, "last_page": -3, "page_pictures": 1, "fps": 0})",
                             R"({"picture_tokens": 0, "start": -1, "end": "x", "max_frames": 1.5})"})
        EXPECT_EQ(attachmentOptionsFrom(text), AttachmentOptions{}) << text;
}

}  // namespace
}  // namespace pal::test
