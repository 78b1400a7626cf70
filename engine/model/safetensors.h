// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/file_writer.h"
#include "engine/base/result.h"
#include "engine/model/tensor_type.h"

namespace pal {

// The safetensors file format (https://huggingface.co/docs/safetensors): 8 bytes little-endian header length, a JSON header, then the data.
// Tensors are row-major and little-endian.

// One tensor of a header; offsets count from the start of the data.
struct SafetensorsEntry {
    std::string name;
    StorageType type = StorageType::kF32;
    TensorShape shape;
    uint64_t begin = 0;
    uint64_t end = 0;
};

struct SafetensorsHeader {
    std::vector<SafetensorsEntry> entries;  // by offset
    std::map<std::string, std::string> metadata;
    uint64_t dataStart = 0;    // in the file
    uint64_t unusedBytes = 0;  // between and after tensors; the format wants none, but no reader is hurt by them
};

// Longest header that is read; the format's own limit.
inline constexpr uint64_t kMaxSafetensorsHeader = 100'000'000;

// Reads the header of a whole file. Checked: header length against the file, names (unique), dtypes, shapes (no negative extent, no
// overflow), offsets (inside the file, size equal to shape times type, no overlap). `name` stands in front of the errors.
// Errors: kFormat with all problems of the file.
Result<SafetensorsHeader> parseSafetensors(std::span<const std::byte> file, std::string_view name);

// Writes one file in a stream: the header first, from the declared tensors, then their bytes in the order of header().entries.
// The data starts at a multiple of 64 bytes and tensors are placed so that each is aligned to the largest power of two (up to 4096) that
// divides its size. The file appears under its name only on finish(). Confined to one thread.
class SafetensorsWriter {
  public:
    struct Declared {
        std::string name;
        StorageType type = StorageType::kF32;
        TensorShape shape;
    };

    // Errors: kInvalidArgument (a name twice, sizes that overflow), kIo.
    static Result<SafetensorsWriter> create(const std::filesystem::path& path, std::vector<Declared> tensors,
                                            const std::map<std::string, std::string>& metadata);

    [[nodiscard]] const SafetensorsHeader& header() const { return header_; }
    [[nodiscard]] uint64_t dataBytes() const { return dataBytes_; }

    // Appends data bytes, in pieces of any size.
    Result<> write(std::span<const std::byte> bytes);
    // Errors: kInternal when fewer or more bytes were written than declared; kIo.
    Result<> finish();

  private:
    SafetensorsWriter(FileWriter file, SafetensorsHeader header, uint64_t dataBytes)
        : file_(std::move(file)), header_(std::move(header)), dataBytes_(dataBytes) {}

    FileWriter file_;
    SafetensorsHeader header_;
    uint64_t dataBytes_ = 0;
};

}  // namespace pal
