// SPDX-License-Identifier: Apache-2.0
#include "app/composition/drafts.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tests/support/contains.h"
#include "tests/unit/storage/chat_fixture.h"

namespace pal::test {
namespace {

namespace fs = std::filesystem;

AttachedFile pastedText(const std::string& name, const std::string& text) {
    Document document;
    document.pageCount = 1;
    document.pages.emplace_back().text = text;
    AttachedFile out{AttachedKind::kText, {}, {}, name};
    out.document = std::make_shared<const Document>(std::move(document));
    return out;
}

bool anyone(SessionId /*session*/) {
    return true;
}

class DraftsTest : public testing::Test {
  protected:
    [[nodiscard]] std::vector<std::string> namesIn(const fs::path& folder) const {
        std::vector<std::string> out;
        for (const auto& at : fs::directory_iterator(folder)) out.push_back(at.path().filename().string());
        std::sort(out.begin(), out.end());
        return out;
    }
    TempFolder temp_;
    fs::path drafts_ = draftFolder(temp_.path());
};

TEST_F(DraftsTest, WhatWasWrittenIsThereAgainWithItsAttachments) {
    EXPECT_TRUE(need(readDrafts(drafts_, anyone)).empty()) << "a folder that was never made is no error";
    Draft draft;
    draft.question.text = "Wer hat\ndie Uhr 🕰 repariert? 谁";
    AttachedFile clip = AttachedFile::file(AttachedKind::kVideo, "/srv/Läufe/run 14.mp4");
    clip.options.start = 1.5;
    clip.options.fps = 2;
    const std::string pasted(2'000'000, 'x');
    draft.question.attachments = {clip, pastedText("Pasted text 1.txt", pasted)};
    draft.edited = 77;
    draft.again.text = "again";
    draft.again.attachments = {AttachedFile::file(AttachedKind::kImage, pastedFolder(drafts_) / "a b.png")};
    need(writeDraft(drafts_, 12, draft));
    writeText(pastedFolder(drafts_) / "a b.png", "png");
    Draft fresh;
    fresh.question.text = "of a session that begins with it";
    need(writeDraft(drafts_, 0, fresh));

    const auto read = need(readDrafts(drafts_, anyone));
    ASSERT_EQ(read.size(), 2U);
    EXPECT_EQ(read.at(0).question.text, fresh.question.text);
    EXPECT_EQ(read.at(0).edited, 0);
    const Draft& back = read.at(12);
    EXPECT_EQ(back.question.text, draft.question.text);
    ASSERT_EQ(back.question.attachments.size(), 2U);
    EXPECT_EQ(back.question.attachments[0].path, clip.path);
    EXPECT_EQ(back.question.attachments[0].name, "run 14.mp4");
    EXPECT_EQ(back.question.attachments[0].options, clip.options);
    EXPECT_EQ(back.question.attachments[1].kind, AttachedKind::kText);
    EXPECT_EQ(back.question.attachments[1].document->pages.front().text, pasted);
    EXPECT_EQ(back.edited, 77);
    EXPECT_EQ(back.again.text, "again");
    ASSERT_EQ(back.again.attachments.size(), 1U);
    EXPECT_EQ(back.again.attachments[0].path, pastedFolder(drafts_) / "a b.png");

    // The folder was moved: what lies in it is found where it is now.
    const fs::path moved = draftFolder(temp_ / "elsewhere");
    fs::create_directories(moved.parent_path());
    fs::rename(drafts_, moved);
    EXPECT_EQ(need(readDrafts(moved, anyone)).at(12).again.attachments[0].path, pastedFolder(moved) / "a b.png");
}

TEST_F(DraftsTest, AnEmptyDraftAndOneOfALostSessionGoWithWhatTheyHad) {
    Draft draft;
    draft.question.attachments = {pastedText("Pasted text 1.txt", "one")};
    need(writeDraft(drafts_, 1, draft));
    draft.question.attachments = {pastedText("Pasted text 2.txt", "two")};
    need(writeDraft(drafts_, 2, draft));
    EXPECT_EQ(namesIn(pastedFolder(drafts_)).size(), 2U);
    need(writeDraft(drafts_, 1, {}));
    need(writeDraft(drafts_, 1, {}));  // twice is no error
    EXPECT_EQ(need(readDrafts(drafts_, anyone)).size(), 1U);
    EXPECT_EQ(namesIn(pastedFolder(drafts_)).size(), 1U);
    EXPECT_TRUE(need(readDrafts(drafts_, [](SessionId) { return false; })).empty());
    EXPECT_EQ(namesIn(drafts_), std::vector<std::string>{"pasted"});
    EXPECT_TRUE(namesIn(pastedFolder(drafts_)).empty());
}

TEST_F(DraftsTest, DamageTakesNothingElseAlongAndLeadsNowhere) {
    Draft draft;
    draft.question.text = "sound";
    need(writeDraft(drafts_, 1, draft));
    writeText(drafts_ / "2.json", "{\"text\": \"cut o");
    writeText(drafts_ / "3.json",
              R"({"text": 5, "attachments": [7, {"name": "n", "pasted": "../1.json"}], "edited": -1})");
    writeText(drafts_ / "note.txt", "somebody else's");
    const auto read = need(readDrafts(drafts_, anyone));
    ASSERT_EQ(read.size(), 2U);
    EXPECT_EQ(read.at(1).question.text, "sound");
    EXPECT_EQ(read.at(3).question.text, "");
    ASSERT_EQ(read.at(3).question.attachments.size(), 1U);
    EXPECT_EQ(read.at(3).question.attachments[0].path, pastedFolder(drafts_) / "1.json");
    EXPECT_EQ(namesIn(drafts_), (std::vector<std::string>{"1.json", "2.json.damaged", "3.json", "note.txt", "pasted"}));
}

TEST_F(DraftsTest, AFolderThatCannotBeWrittenIsAnError) {
    writeText(drafts_, "a file where the folder would be");
    Draft draft;
    draft.question.text = "text";
    EXPECT_EQ(writeDraft(drafts_, 1, draft).error().code, ErrorCode::kIo);
    // The system's reason is told, not what was looked at after it.
    const fs::path nowhere = "/sys/palimpsest";
    ASSERT_NE(mkdir(nowhere.c_str(), 0700), 0);
    const std::string why = std::strerror(errno);
    EXPECT_TRUE(contains(writeDraft(nowhere, 1, draft).error().message, why)) << why;
}

}  // namespace
}  // namespace pal::test
