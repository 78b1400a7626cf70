// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "storage/chats/sha256.h"
#include "storage/transfer/archive.h"
#include "storage/transfer/import.h"
#include "storage/transfer/markdown.h"
#include "storage/transfer/session_copy.h"
#include "storage/transfer/session_json.h"
#include "tests/support/contains.h"
#include "tests/unit/storage/chat_fixture.h"

namespace pal::test {
namespace {

std::span<const std::byte> bytesOf(std::string_view text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

class TransferTest : public ChatTest {
  protected:
    TransferTest() : database_(need(open())), sources_(need(SourceFiles::open(folder_ / "sources"))) {}

    [[nodiscard]] KeepSource keep() const {
        return [this](const SourceFiles::Reader& reader) { return sources_.keep(reader); };
    }
    Result<Import> import(std::string_view text) const { return readImport(bytesOf(text), "test", keep()); }
    SessionDocument importOne(std::string_view text) const {
        Import import = need(this->import(text));
        EXPECT_EQ(import.sessions.size(), 1U);
        return std::move(import.sessions.at(0));
    }
    // A session with a branch, a document and ids.
    SessionId makeSession() {
        const auto kept = need(sources_.keepBytes(bytesOf("The clock was repaired by Anna.")));
        return need(database_.write([&](ChatDatabase& db) -> Result<SessionId> {
            PAL_ASSIGN(const SessionId session, db.sessions().add("Clock # 1", R"({"system":"short"})", 1'000));
            PAL_ASSIGN(const SourceId source, db.sources().add(kept.sha256, kept.bytes, "text/plain", 1));
            const Extraction made{0, "pal-extract", "1", "Anna.", R"([{"page":1,"begin":0}])", {"page 2 is a picture"}};
            PAL_ASSIGN(const int64_t extraction, db.sources().addExtraction(source, made, 1));
            NewMessage question = says(session, 0, Role::kUser, "Who?", 3);
            question.attachments = {{source, extraction, AttachmentKind::kDocument, "notes.txt", R"({"last_page":2})"}};
            question.ids = MessageIds{"v", {1, 2, 3}};
            PAL_ASSIGN(const MessageId first, db.messages().add(question));
            NewMessage answer = says(session, first, Role::kAssistant, "Anna.", 2);
            answer.reasoning = "It says so.";
            answer.details = R"({"tool_calls":[]})";
            PAL_ASSIGN(const MessageId reply, db.messages().add(answer));
            PAL_ASSIGN(const MessageId other,
                       db.messages().add(says(session, first, Role::kAssistant, "Not Bert.", 2)));
            static_cast<void>(other);
            PAL_TRY(db.sessions().setHead(session, reply, 1'700'000'500'000));
            return session;
        }));
    }

    ChatDatabase database_;
    SourceFiles sources_;
};

TEST_F(TransferTest, AnArchiveCarriesEverythingToAnotherLibrary) {
    const SessionDocument before = need(readSession(database_, makeSession()));
    const auto file = folder_ / "out.palimpsest";
    need(writeArchive(file, before, sources_));

    const SourceFiles elsewhere = need(SourceFiles::open(folder_ / "elsewhere"));
    const Import import =
        need(readImport(file, [&](const SourceFiles::Reader& reader) { return elsewhere.keep(reader); }));
    EXPECT_EQ(import.kind, ImportKind::kArchive);
    EXPECT_EQ(readText(elsewhere.path(before.sources.at(0).sha256)), "The clock was repaired by Anna.");
    auto other = need(ChatDatabase::open(folder_ / "elsewhere.db", {ChatAccess::kOwner, folder_ / "backups", ""}));
    const SessionId copy = need(other.write([&](ChatDatabase& db) { return addSession(db, import.sessions.at(0)); }));
    const SessionDocument after = need(readSession(other, copy));
    SessionDocument expected = before;
    expected.messages[0].ids.reset();  // rendered again
    Extraction& made = expected.sources.at(0).extractions.at(0);
    EXPECT_EQ(after.sources.at(0).extractions.at(0).extractor, "import:pal-extract")
        << "never taken for our own reading";
    made.extractor = after.sources[0].extractions[0].extractor;
    made.version = after.sources[0].extractions[0].version;
    EXPECT_EQ(writeSessionJson(after), writeSessionJson(expected));
    EXPECT_EQ(after.messages.size(), 3U);
    EXPECT_EQ(after.messages[2].parent, 0U);
    EXPECT_EQ(after.sources.at(0).extractions.at(0).warnings.at(0), "page 2 is a picture");
    EXPECT_TRUE(need(other.problems()).empty());
}

TEST_F(TransferTest, MarkdownShowsTheCurrentPath) {
    const std::string text = writeMarkdown(need(readSession(database_, makeSession())));
    EXPECT_TRUE(contains(text, "# Clock # 1\n"));
    EXPECT_TRUE(contains(text, "* notes.txt (document, 31 bytes)"));
    EXPECT_TRUE(contains(text, "It says so."));
    EXPECT_TRUE(contains(text, "Anna."));
    EXPECT_EQ(text.find("Bert"), std::string::npos);
}

TEST_F(TransferTest, ArchivesThatLieAreRefused) {
    const SessionDocument document = need(readSession(database_, makeSession()));
    const auto file = folder_ / "bad.palimpsest";
    const auto refused = [&](const std::map<std::string, std::string>& entries, ErrorCode code, const char* words) {
        ZipWriter zip = need(ZipWriter::create(file));
        for (const auto& [name, text] : entries) need(zip.add(name, text));
        need(zip.commit());
        const auto import = readImport(file, keep());
        ASSERT_FALSE(import) << words;
        EXPECT_EQ(import.error().code, code) << import.error().message;
        EXPECT_TRUE(contains(import.error().message, words));
    };
    const std::string manifest = R"({"format":"palimpsest-archive","version":1})";
    const std::string session = writeSessionJson(document);
    const std::string source = "sources/" + toHex(document.sources.at(0).sha256);
    refused({{"palimpsest.json", R"({"format":"palimpsest-archive","version":2})"}}, ErrorCode::kUnsupported,
            "version 2");
    refused({{"palimpsest.json", manifest}}, ErrorCode::kFormat, "session.json is missing");
    refused({{"palimpsest.json", manifest}, {"session.json", "{"}}, ErrorCode::kFormat, "session.json");
    refused({{"palimpsest.json", manifest}, {"session.json", session}, {source, "The clock was repaired by Bert."}},
            ErrorCode::kCorrupt, "hash");
    refused({{"palimpsest.json", manifest}, {"session.json", session}, {source, std::string(1 << 20, 'x')}},
            ErrorCode::kFormat, "1048576 bytes, session.json says 31");
    refused({{"../../etc/passwd", "x"}}, ErrorCode::kFormat, "neither");
    writeText(file, "PK but no zip");
    EXPECT_EQ(readImport(file, keep()).error().code, ErrorCode::kFormat);
    EXPECT_EQ(readImport(folder_ / "none", keep()).error().code, ErrorCode::kNotFound);
}

TEST_F(TransferTest, StatesOfAnArchiveThatHaveNoRoomAreLeftThere) {
    const SessionDocument document = need(readSession(database_, makeSession()));
    const std::vector<std::filesystem::path> parts = {folder_ / "a.pages", folder_ / "b.checkpoint"};
    for (const auto& part : parts) writeText(part, std::string(1000, 's'));
    const auto file = folder_ / "states.palimpsest";
    need(writeArchive(file, document, sources_, parts));
    std::vector<std::string> taken;
    KeepState states{[&](const std::string& name, const ByteBuffer& part) -> Result<> {
                         EXPECT_EQ(part.size(), 1000U);
                         taken.push_back(name);
                         return {};
                     },
                     1999};
    SessionDocument session = need(readImport(file, keep(), states)).sessions.at(0);
    EXPECT_TRUE(taken.empty()) << "not one of them displaces what is there";
    EXPECT_TRUE(session.states.empty());
    ASSERT_EQ(session.warnings.size(), 1U);
    EXPECT_TRUE(contains(session.warnings[0],
                         "its state is not taken over: 2000 bytes of stored states, there is room "
                         "for 1999"));
    EXPECT_EQ(session.messages.size(), 3U);
    states.room = 2000;
    session = need(readImport(file, keep(), states)).sessions.at(0);
    EXPECT_EQ(taken, (std::vector<std::string>{"a.pages", "b.checkpoint"}));
    EXPECT_EQ(session.states, taken);
    EXPECT_TRUE(session.warnings.empty());
}

TEST_F(TransferTest, OddNamesInAnArchiveTouchNothingOutside) {
    const SessionDocument document = need(readSession(database_, makeSession()));
    const auto file = folder_ / "odd.palimpsest";
    {
        ZipWriter zip = need(ZipWriter::create(file));
        need(zip.add("palimpsest.json", R"({"format":"palimpsest-archive","version":1})"));
        need(zip.add("session.json", writeSessionJson(document)));
        need(zip.add("../escaped", "x"));
        need(zip.add("sources/../../escaped", "x"));
        need(zip.commit());
    }
    const Import import = need(readImport(file, keep()));
    EXPECT_EQ(import.sessions.at(0).warnings.size(), 1U) << "the source is not in it";
    EXPECT_FALSE(std::filesystem::exists(folder_ / "escaped"));
    EXPECT_FALSE(std::filesystem::exists(folder_.path().parent_path() / "escaped"));
}

TEST_F(TransferTest, OurJsonIsReadStrictly) {
    const std::string good = writeSessionJson(need(readSession(database_, makeSession())));
    EXPECT_EQ(importOne(good).messages.size(), 3U);
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        const size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        text.replace(at, from.size(), to);
        const auto import = this->import(text);
        return import ? std::string("accepted") : import.error().message;
    };
    EXPECT_TRUE(contains(changed(R"("parent":0)", R"("parent":7)"), "messages[1].parent is no index below 1"));
    EXPECT_TRUE(contains(changed(R"("parent":0)", R"("parent":-1)"), "messages[1].parent"));
    EXPECT_TRUE(contains(changed(R"("role":"user")", R"("role":"root")"), "messages[0].role"));
    EXPECT_TRUE(contains(changed(R"("source":0)", R"("source":1)"), "attachments[0].source"));
    EXPECT_TRUE(contains(changed(R"("ids":[1,2,3])", R"("ids":[1,-2,3])"), "ids[1]"));
    EXPECT_TRUE(contains(changed(R"("version":1})", R"("version":99})"), "99"));
    EXPECT_TRUE(contains(changed(R"("head":1)", R"("head":3)"), "session.head"));
    EXPECT_TRUE(contains(import("{\"a\": [" + std::string(300, '[')).error().message, "nested deeper"));
    EXPECT_EQ(import("").error().code, ErrorCode::kFormat);
    EXPECT_EQ(import("[]").error().code, ErrorCode::kFormat);
    EXPECT_EQ(import("{\"chat\": 5}").error().code, ErrorCode::kFormat);
}

TEST_F(TransferTest, ChatGptsTreeComesOverWithItsBranches) {
    const SessionDocument session =
        importOne(R"([{"title": "Clocks", "create_time": 1700000000.5, "current_node": "e", "mapping": {
        "root": {"id": "root", "message": null, "parent": null, "children": ["s"]},
        "s": {"message": {"author": {"role": "system"}, "content": {"content_type": "text", "parts": [""]}}, "parent": "root"},
        "d": {"message": {"author": {"role": "assistant"}, "content": {"content_type": "text", "parts": ["Bert."]}}, "parent": "a"},
        "a": {"message": {"author": {"role": "user"}, "create_time": 1700000001, "content": {"content_type": "multimodal_text",
             "parts": [{"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-abc"}, "Who", "repaired it?"]}}, "parent": "s"},
        "t": {"message": {"author": {"role": "assistant"}, "content": {"content_type": "thoughts", "thoughts": [{"content": "Look it up."}]}}, "parent": "a"},
        "call": {"message": {"author": {"role": "assistant"}, "recipient": "browser", "content": {"content_type": "code", "text": "search it"}}, "parent": "t"},
        "result": {"message": {"author": {"role": "tool"}, "content": {"content_type": "text", "parts": ["found"]}}, "parent": "call"},
        "e": {"message": {"author": {"role": "assistant"}, "content": {"content_type": "text", "parts": ["Anna."]}}, "parent": "result"}
    }}])");
    EXPECT_EQ(session.name, "Clocks");
    EXPECT_EQ(session.createdMs, 1'700'000'000'500);
    ASSERT_EQ(session.messages.size(), 3U);
    EXPECT_EQ(session.messages[0].text, "Who\nrepaired it?");
    const auto path = pathToHead(session);
    ASSERT_EQ(path.size(), 2U);
    EXPECT_EQ(session.messages[path[1]].text, "Anna.");
    EXPECT_EQ(session.messages[path[1]].reasoning, "Look it up.");
    EXPECT_EQ(session.warnings.size(), 2U) << "the picture, and two messages of tools";
}

TEST_F(TransferTest, ChatGptsPicturesComeFromTheZip) {
    const auto file = folder_ / "export.zip";
    {
        ZipWriter zip = need(ZipWriter::create(file));
        need(zip.add("conversations.json",
                     R"([{"title": "P", "mapping": {"a": {"message": {"author": {"role": "user"}, "content":
            {"parts": [{"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_1"}]}}}}}])"));
        need(zip.add("sub/file_1-clock.png", "pixels"));
        need(zip.commit());
    }
    const SessionDocument session = need(readImport(file, keep())).sessions.at(0);
    ASSERT_EQ(session.messages.at(0).attachments.size(), 1U);
    EXPECT_EQ(session.messages[0].attachments[0].name, "file_1-clock.png");
    EXPECT_EQ(session.sources.at(0).mediaType, "image/png");
    EXPECT_EQ(readText(sources_.path(session.sources[0].sha256)), "pixels");
}

TEST_F(TransferTest, OpenWebUisChatsComeOver) {
    const SessionDocument session =
        importOne(R"([{"title": "Clock", "created_at": 1700000000, "chat": {"history": {"currentId": "b", "messages": {
        "a": {"parentId": null, "role": "user", "content": "Who?", "timestamp": 1700000001,
              "files": [{"type": "image", "url": "data:image/png;base64,cGl4ZWxz"},
                        {"type": "file", "name": "notes.txt", "file": {"data": {"content": "Anna did."}}}, {"type": "image", "url": "http://x/y"}]},
        "b": {"parentId": "a", "role": "assistant",
              "content": "<details type=\"reasoning\" done=\"true\"><summary>Thought</summary>\n> 1 &lt; 2\n> so\n</details>\nAnna."}}}}}])");
    ASSERT_EQ(session.messages.size(), 2U);
    EXPECT_EQ(session.messages[1].text, "Anna.");
    EXPECT_EQ(session.messages[1].reasoning, "1 < 2\nso");
    ASSERT_EQ(session.messages[0].attachments.size(), 2U);
    EXPECT_EQ(readText(sources_.path(session.sources[0].sha256)), "pixels");
    EXPECT_EQ(session.sources[1].extractions.at(0).text, "Anna did.");
    EXPECT_EQ(session.warnings.size(), 1U);
}

TEST_F(TransferTest, BrokenTreesOfOthersLoseNoMessage) {
    const SessionDocument session = importOne(R"({"chat": {"history": {"currentId": "none", "messages": {
        "a": {"parentId": "b", "role": "user", "content": "1"}, "b": {"parentId": "a", "role": "user", "content": "2"},
        "c": {"parentId": "c", "role": "user", "content": "3"}, "d": {"parentId": "gone", "role": "assistant", "content": "4"},
        "e": {"parentId": "d", "role": "wizard", "content": "5"}, "f": {"parentId": "e", "role": "user", "content": "6"}}}}})");
    EXPECT_EQ(session.messages.size(), 5U);
    EXPECT_EQ(session.warnings.size(), 2U) << "a circle, and a role";
    ASSERT_TRUE(session.head.has_value());
    for (size_t i = 0; i < session.messages.size(); ++i)
        if (session.messages[i].parent) {
            EXPECT_LT(*session.messages[i].parent, i);
        }
    need(database_.write([&](ChatDatabase& db) { return addSession(db, session); }));
    EXPECT_TRUE(need(database_.problems()).empty());
}

}  // namespace
}  // namespace pal::test
