// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <limits>
#include <new>
#include <span>
#include <thread>

#include "engine/base/bounded_queue.h"
#include "engine/base/byte_buffer.h"
#include "engine/base/byte_hash.h"
#include "engine/base/bytes.h"
#include "engine/base/descriptor.h"
#include "engine/base/event_channel.h"
#include "engine/base/file_pieces.h"
#include "engine/base/file_writer.h"
#include "engine/base/mapped_file.h"
#include "engine/base/result.h"

namespace pal {
namespace {

std::filesystem::path tempPath(const char* name) {
    return std::filesystem::temp_directory_path() / (std::string("pal_base_test_") + std::to_string(getpid()) + name);
}

Result<int> half(int value) {
    if (value % 2 != 0) return fail(ErrorCode::kInvalidArgument, "{} is odd", value);
    return value / 2;
}

Result<int> quarter(int value) {
    PAL_ASSIGN(const int once, half(value));
    return half(once);
}

TEST(Result, PassesErrorsOnWithTheirNumbers) {
    EXPECT_EQ(quarter(8).value(), 2);
    const auto bad = quarter(6);
    ASSERT_FALSE(bad.has_value());
    EXPECT_EQ(bad.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(bad.error().withContext("x").message, "x: 3 is odd");
}

TEST(Bytes, RefusesWhatDoesNotFit) {
    EXPECT_EQ(checkedMul(1ULL << 40, 1ULL << 20), 1ULL << 60);
    EXPECT_FALSE(checkedMul(1ULL << 40, 1ULL << 40).has_value());
    EXPECT_FALSE(checkedAdd(std::numeric_limits<uint64_t>::max(), 1).has_value());
    const std::array<std::byte, 5> bytes{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}, std::byte{5}};
    EXPECT_EQ(readAt<uint32_t>(bytes, 1), 0x05040302U);
    EXPECT_FALSE(readAt<uint32_t>(bytes, 2).has_value());
    EXPECT_FALSE(readAt<uint8_t>(bytes, std::numeric_limits<uint64_t>::max()).has_value());
}

TEST(ByteHash, KnownValue) {
    EXPECT_EQ(fnv1a64("language_model.model.embed_tokens.weight"), 0xdec43c721d10b8a6ULL);
}

TEST(FileWriter, LeavesTheOldFileUntilCommit) {
    const auto path = tempPath("文件.bin");
    { std::ofstream(path) << "old"; }
    const std::string text = "new content";
    {
        auto writer = FileWriter::create(path);
        ASSERT_TRUE(writer.has_value());
        ASSERT_TRUE(writer->write(std::as_bytes(std::span(text))).has_value());
    }
    EXPECT_EQ(std::filesystem::file_size(path), 3U);
    {
        auto writer = FileWriter::create(path);
        ASSERT_TRUE(writer->write(std::as_bytes(std::span(text))).has_value());
        ASSERT_TRUE(writer->commit().has_value());
    }
    auto mapped = MappedFile::open(path);
    ASSERT_TRUE(mapped.has_value());
    EXPECT_EQ(mapped->bytes().size(), text.size());
    EXPECT_FALSE(std::filesystem::exists(path.string() + ".part"));
    std::filesystem::remove(path);
}

TEST(FileWriter, ReplacesNoPipeAndNoFolder) {
    const auto pipe = tempPath("pipe");
    std::filesystem::remove(pipe);
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const auto link = tempPath("link");
    std::filesystem::remove(link);
    std::filesystem::create_symlink(pipe, link);
    for (const auto& path : {pipe, link, std::filesystem::temp_directory_path()}) {
        const auto writer = FileWriter::create(path);
        ASSERT_FALSE(writer.has_value()) << path;
        EXPECT_EQ(writer.error().code, ErrorCode::kInvalidArgument);
        EXPECT_FALSE(std::filesystem::exists(path.string() + ".part"));
    }
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
    std::filesystem::remove(link);
    std::filesystem::remove(pipe);
}

// A block of several pieces, the last of them short, to a place in a file and back.
TEST(FilePieces, ComeInOrderAndTellWhereTheyEnd) {
    const auto path = tempPath("pieces.bin");
    std::vector<std::byte> bytes((5 << 20) + 12345);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 2654435761U >> 13);
    const auto take = [](FilePieces& pieces) {
        size_t count = 0;
        for (auto piece = pieces.next(); !piece.empty(); piece = pieces.next()) count += piece.size();
        return count;
    };
    {
        const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600));
        FilePieces pieces = FilePieces::writing(file, 100, bytes);
        EXPECT_EQ(take(pieces), bytes.size());
        EXPECT_EQ(pieces.error(), 0);
    }
    EXPECT_EQ(std::filesystem::file_size(path), 100 + bytes.size());
    const Descriptor file = openForReading(path).value();
    std::vector<std::byte> read(bytes.size());
    {
        FilePieces pieces = FilePieces::reading(file, 100, read);
        size_t at = 0;
        for (auto piece = pieces.next(); !piece.empty(); piece = pieces.next()) {
            EXPECT_EQ(piece.data(), read.data() + at) << "in order";
            at += piece.size();
            EXPECT_TRUE(
                std::equal(piece.begin(), piece.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at - piece.size())));
        }
        EXPECT_EQ(at, bytes.size());
    }
    {
        FilePieces pieces = FilePieces::reading(file, 101, read);
        EXPECT_LT(take(pieces), read.size());
        EXPECT_EQ(pieces.error(), FilePieces::kEnded);
    }
    FilePieces pieces = FilePieces::writing(file, 0, bytes);
    EXPECT_EQ(take(pieces), 0U);
    EXPECT_EQ(pieces.error(), EBADF) << "it is open for reading";
    std::filesystem::remove(path);
}

TEST(FileWriter, WritesLargeBlocksAndWhatIsLeftOfThem) {
    const auto path = tempPath("large.bin");
    ByteBuffer block((4 << 20) + 5000);
    for (size_t i = 0; i < block.size(); ++i) block.data()[i] = static_cast<std::byte>(i * 2654435761U >> 11);
    for (const size_t before : {size_t{0}, size_t{3}}) {
        const std::vector<std::byte> head(before, std::byte{7});
        auto writer = FileWriter::create(path).value();
        ASSERT_TRUE(writer.write(head).has_value());
        int called = 0;
        ASSERT_TRUE(writer.writeLarge(block.span(), [&] { ++called; }).has_value());
        EXPECT_EQ(called, 1);
        ASSERT_TRUE(writer.write(head).has_value());
        EXPECT_EQ(writer.written(), block.size() + 2 * before);
        ASSERT_TRUE(writer.commit().has_value());
        const auto mapped = MappedFile::open(path).value();
        ASSERT_EQ(mapped.bytes().size(), block.size() + 2 * before);
        EXPECT_TRUE(std::ranges::equal(mapped.bytes().subspan(before, block.size()), block.span()));
    }
    std::filesystem::remove(path);
}

TEST(MappedFile, NamesWhatIsWrong) {
    const auto missing = MappedFile::open(tempPath("missing"));
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
    EXPECT_NE(missing.error().message.find("missing"), std::string::npos);
    EXPECT_EQ(MappedFile::open(std::filesystem::temp_directory_path()).error().code, ErrorCode::kFormat);
}

TEST(BoundedQueue, KeepsOrderAndStops) {
    BoundedQueue<int> queue(2);
    EXPECT_TRUE(queue.tryPush(1));
    EXPECT_TRUE(queue.tryPush(2));
    EXPECT_FALSE(queue.tryPush(3));
    std::stop_source stop;
    EXPECT_EQ(queue.popAll(stop.get_token()), (std::list<int>{1, 2}));
    EXPECT_EQ(queue.tryPopAll(), std::list<int>());
    EXPECT_TRUE(queue.tryPush(3));
    stop.request_stop();
    EXPECT_TRUE(queue.popAll(stop.get_token()).empty()) << "3 is left";
    EXPECT_EQ(queue.tryPopAll(), std::list<int>{3});
}

TEST(EventChannel, LosesNothingAndWakesAtMostOncePerDrain) {
    constexpr int kEvents = 20000;
    std::atomic<int> wakeups = 0;
    EventChannel<int> channel(64, [&] { ++wakeups; });
    std::jthread sender([&](std::stop_token stop) {
        for (int i = 0; i < kEvents; ++i) {
            while (!channel.tryPush(i, stop)) std::this_thread::yield();
        }
    });
    int next = 0;
    int drains = 0;
    while (next < kEvents) {
        channel.wait(std::stop_token());
        ++drains;
        for (const int event : channel.drain()) ASSERT_EQ(event, next++);
    }
    EXPECT_LE(wakeups.load(), drains + 1);
    EXPECT_GE(wakeups.load(), 1);
}

TEST(EventChannel, IsFullAtItsCapacityButNotForAStoppedSender) {
    EventChannel<int> channel(2, {});
    std::stop_source stop;
    EXPECT_TRUE(channel.tryPush(1, stop.get_token()));
    EXPECT_TRUE(channel.hasRoom());
    EXPECT_TRUE(channel.tryPush(2, stop.get_token()));
    EXPECT_FALSE(channel.hasRoom());
    EXPECT_FALSE(channel.tryPush(3, stop.get_token()));
    stop.request_stop();
    EXPECT_TRUE(channel.tryPush(4, stop.get_token()));
    EXPECT_EQ(channel.drain(), (std::vector<int>{1, 2, 4}));
    EXPECT_TRUE(channel.hasRoom());
}

TEST(EventChannel, TakesAsManyOfSeveralAsHaveRoomAndWakesOnce) {
    int wakeups = 0;
    EventChannel<int> channel(3, [&] { ++wakeups; });
    std::stop_source stop;
    const std::vector<int> events{1, 2, 3, 4, 5};
    EXPECT_EQ(channel.tryPushAll(std::span(events).first(2), stop.get_token()), 2U);
    EXPECT_EQ(channel.tryPushAll(std::span(events).subspan(2), stop.get_token()), 1U);
    EXPECT_EQ(channel.tryPushAll(std::span(events).subspan(3), stop.get_token()), 0U);
    EXPECT_EQ(wakeups, 1);
    EXPECT_EQ(channel.drain(), (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(channel.tryPushAll(std::span(events).subspan(3), stop.get_token()), 2U);
    EXPECT_EQ(wakeups, 2);
    stop.request_stop();
    EXPECT_EQ(channel.tryPushAll(events, stop.get_token()), 5U) << "what a stopped sender has left goes beyond";
    EXPECT_EQ(channel.drain(), (std::vector<int>{4, 5, 1, 2, 3, 4, 5}));
    channel.close();
    EXPECT_EQ(channel.tryPushAll(events, {}), 5U) << "dropped";
    EXPECT_TRUE(channel.drain().empty());
    EXPECT_EQ(wakeups, 2);
}

// An event that is not copied leaves the sender with all of them.
TEST(EventChannel, SeveralAreAddedOrNone) {
    struct Event {
        int value = 0;
        explicit Event(int v) : value(v) {}
        Event(const Event& other) : value(other.value) {
            if (value < 0) throw std::bad_alloc();
        }
        Event(Event&&) = default;
        Event& operator=(const Event&) = default;
        Event& operator=(Event&&) = default;
        ~Event() = default;
    };
    EventChannel<Event> channel(8, {});
    std::vector<Event> events;
    for (const int value : {1, 2, -1}) events.emplace_back(value);
    EXPECT_THROW(static_cast<void>(channel.tryPushAll(events, {})), std::bad_alloc);
    EXPECT_EQ(channel.tryPushAll(std::span(events).first(2), {}), 2U);
    const std::vector<Event> got = channel.drain();
    ASSERT_EQ(got.size(), 2U);
    EXPECT_EQ(got[1].value, 2);
}

TEST(EventChannel, CloseWaitsForARunningWakeupAndIsTheLast) {
    std::promise<void> entered;
    std::promise<void> leave;
    std::atomic<int> wakeups = 0;
    std::atomic<bool> returned = false;
    EventChannel<int> channel(2, [&] {
        ++wakeups;
        entered.set_value();
        leave.get_future().wait();
        returned = true;
    });
    std::jthread sender([&] { EXPECT_TRUE(channel.tryPush(1, std::stop_token())); });
    entered.get_future().wait();
    std::jthread receiver([&] {
        channel.close();
        EXPECT_TRUE(returned.load());
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // time for a close() that does not wait to be caught
    leave.set_value();
    receiver.join();
    sender.join();
    EXPECT_TRUE(channel.drain().empty());
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(channel.tryPush(i, std::stop_token()));  // dropped, nobody is woken
    EXPECT_TRUE(channel.drain().empty());
    EXPECT_EQ(wakeups.load(), 1);
}

TEST(EventChannel, ProgressIsLatestWins) {
    EventChannel<int> channel(4, {});
    const auto isProgress = [](int event) { return event >= 100; };
    EXPECT_TRUE(channel.tryPush(1, std::stop_token()));
    for (int i = 100; i < 110; ++i) channel.pushLatest(i, isProgress);
    EXPECT_EQ(channel.drain(), (std::vector<int>{1, 109}));
}

}  // namespace
}  // namespace pal
