// SPDX-License-Identifier: Apache-2.0
// The helper process from the outside: whatever it does, the caller gets one clear error and goes on.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <string>
#include <thread>

#include "tests/support/contains.h"
#include "tests/support/temp_folder.h"
#include "vision/documents/document_reader.h"

namespace pal {
namespace {

using namespace std::chrono_literals;
using test::contains;
using test::TempFolder;
using test::writeText;

DocumentOptions options() {
    DocumentOptions out;
    out.helper = PAL_EXTRACT;
    return out;
}

// A helper that runs the given shell commands.
std::filesystem::path script(const TempFolder& folder, const std::string& commands) {
    const std::filesystem::path path = folder / "helper";
    writeText(path, "#!/bin/sh\n" + commands + "\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
}

// What becomes of a file when the helper does `commands`.
Error errorOf(const std::string& commands, const DocumentLimits& limits = {}) {
    const TempFolder folder;
    writeText(folder / "a.txt", "some text");
    DocumentOptions with;
    with.helper = script(folder, commands);
    with.limits = limits;
    const auto result = readDocument(folder / "a.txt", with);
    if (result.has_value()) return {ErrorCode::kInternal, "it was read"};
    EXPECT_TRUE(contains(result.error().message, "a.txt: "));
    return result.error();
}

TEST(Helper, ReadsTextThroughTheProcess) {
    const TempFolder folder;
    writeText(folder / "note.txt", "one\r\ntwo\n");
    const auto document = readDocument(folder / "note.txt", options());
    ASSERT_TRUE(document.has_value()) << document.error().message;
    EXPECT_EQ(document->kind, DocumentKind::kText);
    EXPECT_EQ(document->encoding, "UTF-8");
    EXPECT_EQ(document->pageCount, 1);
    ASSERT_EQ(document->pages.size(), 1U);
    EXPECT_EQ(document->pages[0].text, "one\r\ntwo\n");
    EXPECT_TRUE(document->warnings.empty());
}

TEST(Helper, NamesMayBeAnything) {
    const TempFolder folder;
    const std::filesystem::path odd = folder / "山 é\n--image 7 \xF0\x9F\x98\x80 $(reboot).txt";
    writeText(odd, "42");
    const auto document = readDocument(odd, options());
    ASSERT_TRUE(document.has_value()) << document.error().message;
    EXPECT_EQ(document->pages.at(0).text, "42");
    const std::filesystem::path invalid = folder / "\xFF\xFE.txt";
    writeText(invalid, "43");
    const auto second = readDocument(invalid, options());
    ASSERT_TRUE(second.has_value()) << second.error().message;
    EXPECT_EQ(second->pages.at(0).text, "43");
}

TEST(Helper, WhatIsNoRegularFileIsRefused) {
    const TempFolder folder;
    const auto missing = readDocument(folder / "none.pdf", options());
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
    const auto directory = readDocument(folder.path(), options());
    ASSERT_FALSE(directory.has_value());
    EXPECT_TRUE(contains(directory.error().message, "a folder, not a document"));
    ASSERT_EQ(mkfifo((folder / "pipe.txt").c_str(), 0600), 0);
    const auto pipe = readDocument(folder / "pipe.txt", options());  // must not wait for a writer
    ASSERT_FALSE(pipe.has_value());
    EXPECT_TRUE(contains(pipe.error().message, "not a regular file"));
    EXPECT_TRUE(contains(readDocument("/dev/zero", options()).error().message, "not a regular file"));
}

TEST(Helper, HugeFilesAreRefusedBeforeTheyAreRead) {
    const TempFolder folder;
    writeText(folder / "huge.txt", "x");
    std::error_code error;
    std::filesystem::resize_file(folder / "huge.txt", uint64_t{100} << 30, error);  // sparse
    if (error) GTEST_SKIP() << "the file system takes no sparse file of 100 GiB: " << error.message();
    const auto result = readDocument(folder / "huge.txt", options());
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::kOutOfMemory);
    EXPECT_TRUE(contains(result.error().message, "107374182400 bytes; documents of up to 2147483648 bytes"));
}

TEST(Helper, HungHelperIsEnded) {
    DocumentLimits limits;
    limits.silence = 300ms;
    const auto start = std::chrono::steady_clock::now();
    const Error error = errorOf("sleep 100", limits);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
    EXPECT_EQ(error.code, ErrorCode::kInternal);
    EXPECT_TRUE(contains(error.message, "pal-extract: no progress for 0.3 s"));
}

TEST(Helper, BusyHelperIsEndedWhenItsTimeIsUp) {
    DocumentLimits limits;
    limits.total = 500ms;
    const Error error = errorOf("while :; do echo noise >&2; sleep 0.05; done", limits);
    EXPECT_TRUE(contains(error.message, "pal-extract: not done after 0.5 s"));
}

TEST(Helper, KilledHelperIsReported) {
    const Error error = errorOf("kill -KILL $$");
    EXPECT_EQ(error.code, ErrorCode::kInternal);
    EXPECT_TRUE(contains(error.message, "pal-extract was ended by the signal 9 (Killed); the document was not read"));
    EXPECT_TRUE(contains(errorOf("kill -SEGV $$").message, "signal 11"));
    EXPECT_TRUE(contains(errorOf("kill -XCPU $$").message, "used up its processor time"));
}

TEST(Helper, EarlyEndIsReportedWithLastWords) {
    EXPECT_TRUE(
        contains(errorOf("echo first >&2; echo the last words >&2; exit 3").message, "exit code 3: the last words"));
    EXPECT_EQ(errorOf("echo 'Out of memory' >&2; exit 1").code, ErrorCode::kOutOfMemory);
    // Half a document is not a document.
    const std::string start =
        R"({"document":{"kind":"text","title":"","encoding":"","delimiter":"","page_count":2,"pages":2}})";
    EXPECT_TRUE(contains(errorOf("echo '" + start + "'").message, "exit code 0"));
}

TEST(Helper, NonsenseIsReported) {
    EXPECT_TRUE(contains(errorOf("echo hello").message, "cannot be right"));
    EXPECT_TRUE(contains(errorOf("echo '{\"page\":{}}'").message, "\"page\" out of place"));
    DocumentLimits limits;
    limits.fileBytes = 4096;
    limits.textBytes = 4096;
    EXPECT_EQ(errorOf("yes", limits).code, ErrorCode::kInternal);
    EXPECT_EQ(errorOf("cat /dev/zero", limits).code, ErrorCode::kOutOfMemory);  // one line without end
}

TEST(Helper, HelperThatOutlivesItsOutputIsEnded) {
    const auto start = std::chrono::steady_clock::now();
    const Error error = errorOf("exec >&- 2>&-; sleep 100");
    EXPECT_LT(std::chrono::steady_clock::now() - start, 60s);
    EXPECT_TRUE(contains(error.message, "closed its output and went on"));
}

TEST(Helper, MissingHelperIsNamed) {
    const TempFolder folder;
    writeText(folder / "a.txt", "text");
    DocumentOptions with;
    with.helper = folder / "not-there";
    const auto result = readDocument(folder / "a.txt", with);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::kNotFound);
    EXPECT_TRUE(contains(result.error().message, "not-there does not start"));
}

TEST(Helper, StopEndsItAtOnce) {
    const TempFolder folder;
    writeText(folder / "a.txt", "text");
    DocumentOptions with;
    with.helper = script(folder, "sleep 100");
    std::stop_source source;
    with.stop = source.get_token();
    std::jthread stopper([&] {
        std::this_thread::sleep_for(100ms);
        source.request_stop();
    });
    const auto start = std::chrono::steady_clock::now();
    const auto result = readDocument(folder / "a.txt", with);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
}

TEST(Helper, ManyAtATime) {
    const TempFolder folder;
    std::vector<std::future<bool>> runs;
    for (int i = 0; i < 8; ++i) {
        const std::filesystem::path path = folder / ("n" + std::to_string(i) + ".txt");
        writeText(path, "number " + std::to_string(i));
        runs.push_back(std::async(std::launch::async, [path, i] {
            const auto document = readDocument(path, options());
            return document.has_value() && document->pages.at(0).text == "number " + std::to_string(i);
        }));
    }
    for (auto& run : runs) EXPECT_TRUE(run.get());
}

TEST(Helper, KindsAreToldApart) {
    const TempFolder folder;
    const auto looks = [&](const char* name, std::string_view bytes) {
        writeText(folder / name, bytes);
        return looksLikeDocument(folder / name);
    };
    EXPECT_TRUE(looks("a.pdf", "%PDF-1.7\n"));
    EXPECT_TRUE(looks("b", "plain words"));
    EXPECT_TRUE(looks("c.cpp", "int main() {}"));
    EXPECT_TRUE(looks("g.md", "ID3 tags begin with \"ID3\"; a PDF with \"%PDF-1.7\""));
    writeText(folder / "about.cpp", "// A PDF begins with %PDF-1.7\n");
    EXPECT_EQ(readDocument(folder / "about.cpp", options())->kind, DocumentKind::kCode);
    EXPECT_FALSE(looks("d.txt", "\x89PNG\r\n\x1A\n"));
    EXPECT_FALSE(looks("e.mp4", std::string_view("\0\0\0\x18"
                                                 "ftypisom",
                                                 12)));
    EXPECT_FALSE(looks("f", std::string_view("\x01\x02\x03\x00\x05\x06\x07", 7)));
    EXPECT_FALSE(looksLikeDocument(folder / "none"));
    writeText(folder / "old.doc", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1");
    EXPECT_TRUE(
        contains(readDocument(folder / "old.doc", options()).error().message, "an old Microsoft Office document"));
}

}  // namespace
}  // namespace pal
