// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/api/state_store.h"
#include "engine/base/file_writer.h"
#include "engine/base/result.h"

namespace pal {

// The file of one stored part: the bytes that the engine gave, then what they are, in kPartTailBytes:
//   magic "PALPART2", version u32, kind u32, family 16 bytes, prefix 16, parent's prefix 16, has a parent u64, tokens i64, payload bytes
//   u64, XXH3-128 over payload and tail (with this field zero). Little-endian.
// It ends the file so that the payload goes to the disk and comes back in whole blocks, from and to where it lies in memory.
struct PartTail {
    StateId id;
    std::optional<Hash128> parent;
    uint64_t payloadBytes = 0;
};
inline constexpr uint64_t kPartTailBytes = 104;

// "<family>-<prefix>.pages" or ".checkpoint", the hashes as 32 hexadecimal digits.
[[nodiscard]] std::string partFileName(const StateId& id);

// The part that a file of this name holds, with 0 tokens, which the name does not tell; nothing for other names.
[[nodiscard]] std::optional<StateId> partNamed(std::string_view fileName);

// Large parts are written and read past the system's cache: a session's states would push out of it what is used all the time, the weights
// above all, and twice the memory costs twice the time. The checksum is computed while the disk works.
//
// All bytes are written when this returns without error, and the file has its name once they are on the disk for sure, after FileWriter::commit(); the
// name is safe after syncFolder() of the folder. For files that are committed together the disk is asked to settle once. Errors: kIo.
Result<FileWriter> writePart(const std::filesystem::path& file, const PartTail& tail,
                             std::span<const std::byte> payload);

// Reads and checks everything. Errors: kNotFound; kIo; kCorrupt for a file of another size, another part or another checksum.
Result<> readPart(const std::filesystem::path& file, const StateId& id, ByteBuffer& payload);

// Checks the bytes of such a file, which came from elsewhere under `name`. Errors: as readPart, kUnsupported for a newer version.
Result<PartTail> parsePart(std::span<const std::byte> bytes, const std::string& name);

// Reads only the tail; the size of the file must fit to it, the payload is not checked. Errors: as readPart, and kUnsupported for
// a newer version.
Result<PartTail> readPartTail(const std::filesystem::path& file);

}  // namespace pal
