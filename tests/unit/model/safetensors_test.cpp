// SPDX-License-Identifier: Apache-2.0
#include "engine/model/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>

#include "engine/base/mapped_file.h"
#include "tests/support/temp_folder.h"

namespace pal {
namespace {

using test::TempFolder;

std::string fileOf(const std::string& header, size_t dataBytes, std::optional<uint64_t> announced = std::nullopt) {
    const uint64_t length = announced.value_or(header.size());
    std::string file(8, '\0');
    std::memcpy(file.data(), &length, 8);
    return file + header + std::string(dataBytes, '\1');
}

Result<SafetensorsHeader> parse(const std::string& file) {
    return parseSafetensors(std::as_bytes(std::span(file)), "x.safetensors");
}

std::string errorOf(const std::string& file) {
    const auto header = parse(file);
    EXPECT_FALSE(header.has_value());
    return header.has_value() ? "" : header.error().message;
}

::testing::AssertionResult contains(const std::string& text, const std::string& part) {
    if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "'" << part << "' is not in:\n" << text;
}

TEST(Safetensors, ReadsAHeader) {
    const auto header = parse(fileOf(R"({"__metadata__":{"format":"pt"},)"
                                     R"("b":{"dtype":"BF16","shape":[2,3],"data_offsets":[8,20]},)"
                                     R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                                     R"("scalar":{"dtype":"U8","shape":[],"data_offsets":[20,21]},)"
                                     R"("none":{"dtype":"F32","shape":[0,4],"data_offsets":[21,21]}})",
                                     21));
    ASSERT_TRUE(header.has_value()) << header.error().message;
    ASSERT_EQ(header->entries.size(), 4U);
    EXPECT_EQ(header->entries[0].name, "a");  // by offset
    EXPECT_EQ(header->entries[1].shape, (TensorShape{2, 3}));
    EXPECT_EQ(header->entries[1].type, StorageType::kBF16);
    EXPECT_EQ(header->metadata.at("format"), "pt");
    EXPECT_EQ(header->unusedBytes, 0U);
}

TEST(Safetensors, GapsAreCountedNotRefused) {
    const auto header = parse(fileOf(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[8,12]}})", 20));
    ASSERT_TRUE(header.has_value()) << header.error().message;
    EXPECT_EQ(header->unusedBytes, 16U);
}

TEST(Safetensors, ABrokenLengthIsRefused) {
    EXPECT_TRUE(contains(errorOf("abc"), "3 bytes are too few"));
    EXPECT_TRUE(
        contains(errorOf(fileOf("{}", 0, 100'000'000'000)), "a header of 100000000000 bytes, at most 100000000"));
    EXPECT_TRUE(
        contains(errorOf(fileOf("{}", 0, 99'999'999)), "a header of 99999999 bytes, but the whole file has 10"));
    EXPECT_TRUE(contains(errorOf(fileOf("{}", 0, UINT64_MAX)), "at most"));
    EXPECT_TRUE(contains(errorOf(fileOf("{}", 0, 3)), "but the whole file has 10"));
}

TEST(Safetensors, HostileTensorsAreRefusedByName) {
    const auto one = [](const std::string& body, size_t bytes = 16) {
        return errorOf(fileOf("{\"t\":" + body + "}", bytes));
    };
    EXPECT_TRUE(
        contains(one(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})"), "not a whole number of 0 or more"));
    EXPECT_TRUE(contains(one(R"({"dtype":"F32","shape":[1.5],"data_offsets":[0,4]})"), "'t' has the shape [1.5]"));
    EXPECT_TRUE(contains(one(R"({"dtype":"F4","shape":[1],"data_offsets":[0,4]})"), "the unknown dtype 'F4'"));
    EXPECT_TRUE(contains(one(R"({"shape":[1],"data_offsets":[0,4]})"), "'t' has no dtype"));
    EXPECT_TRUE(contains(one(R"({"dtype":"F32","data_offsets":[0,4]})"), "'t' has no shape"));
    EXPECT_TRUE(contains(one(R"({"dtype":"F32","shape":[1]})"), "'t' has no pair of data_offsets"));
    EXPECT_TRUE(
        contains(one(R"({"dtype":"F32","shape":[1],"data_offsets":[-4,0]})"), "no pair of data_offsets of 0 or more"));
    EXPECT_TRUE(contains(one(R"({"dtype":"F32","shape":[1],"data_offsets":[8,4]})"), "at bytes 8 to 4"));
    EXPECT_TRUE(contains(one(R"({"dtype":"F32","shape":[8],"data_offsets":[0,32]})"),
                         "bytes 0 to 32 of the data, but the file has 16"));
    EXPECT_TRUE(contains(one(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})"),
                         "takes 8 bytes, but its data_offsets span 4"));
    EXPECT_TRUE(contains(one(R"({"dtype":"F64","shape":[4611686018427387904,4],"data_offsets":[0,16]})"),
                         "larger than 64 bits"));
    EXPECT_TRUE(
        contains(one(R"({"dtype":"F64","shape":[9223372036854775807],"data_offsets":[0,16]})"), "larger than 64 bits"));
    EXPECT_TRUE(
        contains(one(R"({"dtype":"U8","shape":[1,1,1,1,1,1,1],"data_offsets":[0,1]})"), "7 dimensions, at most 6"));
    EXPECT_TRUE(contains(one("7"), "'t' is number, expected an object"));
    EXPECT_TRUE(contains(one(R"({"dtype":"F32","shape":[[[[1]]]],"data_offsets":[0,4]})"), "nested deeper"));
}

TEST(Safetensors, OverlapsAndDuplicatesAreRefused) {
    EXPECT_TRUE(contains(errorOf(fileOf(R"({"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},)"
                                        R"("b":{"dtype":"U8","shape":[8],"data_offsets":[4,12]}})",
                                        16)),
                         "tensor 'b' at bytes 4 to 12 overlaps tensor 'a' at bytes 0 to 8"));
    // A long tensor also overlaps what follows a short one inside it.
    EXPECT_TRUE(contains(errorOf(fileOf(R"({"a":{"dtype":"U8","shape":[16],"data_offsets":[0,16]},)"
                                        R"("b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},)"
                                        R"("c":{"dtype":"U8","shape":[1],"data_offsets":[3,4]}})",
                                        16)),
                         "tensor 'c' at bytes 3 to 4 overlaps tensor 'a'"));
    EXPECT_TRUE(contains(errorOf(fileOf(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                                        R"("a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                                        2)),
                         "the key 'a' occurs twice"));
}

TEST(Safetensors, WritesWhatItReads) {
    const TempFolder folder;
    const auto path = folder / "out.safetensors";
    auto writer = SafetensorsWriter::create(
        path,
        {{"small", StorageType::kU8, {3}}, {"big", StorageType::kF32, {32, 32}}, {"middle", StorageType::kBF16, {24}}},
        {{"format", "pt"}});
    ASSERT_TRUE(writer.has_value()) << writer.error().message;
    std::vector<std::byte> data(writer->dataBytes());
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i * 7);
    ASSERT_TRUE(writer->write(std::span(data).first(100)).has_value());
    EXPECT_FALSE(std::filesystem::exists(path));
    ASSERT_TRUE(writer->write(std::span(data).subspan(100)).has_value());
    ASSERT_TRUE(writer->finish().has_value());

    const auto file = MappedFile::open(path);
    ASSERT_TRUE(file.has_value());
    const auto header = parseSafetensors(file->bytes(), "out");
    ASSERT_TRUE(header.has_value()) << header.error().message;
    EXPECT_EQ(header->dataStart % 64, 0U);
    EXPECT_EQ(header->unusedBytes, 0U);
    ASSERT_EQ(header->entries.size(), 3U);
    EXPECT_EQ(header->entries[0].name, "big");
    EXPECT_EQ(header->entries[1].name, "middle");
    EXPECT_EQ(std::memcmp(file->bytes().data() + header->dataStart, data.data(), data.size()), 0);
}

TEST(Safetensors, AWriterThatWasNotFilledLeavesNothing) {
    const TempFolder folder;
    {
        auto writer = SafetensorsWriter::create(folder / "a.safetensors", {{"t", StorageType::kF32, {2}}}, {});
        ASSERT_TRUE(writer.has_value());
        EXPECT_EQ(writer->finish().error().code, ErrorCode::kInternal);
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    const auto twice = SafetensorsWriter::create(folder / "b.safetensors",
                                                 {{"t", StorageType::kU8, {2}}, {"t", StorageType::kU8, {2}}}, {});
    EXPECT_EQ(twice.error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace pal
