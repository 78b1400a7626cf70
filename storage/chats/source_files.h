// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "storage/chats/chat_types.h"

namespace pal {

// The original bytes of attachments as files <folder>/ab/abcd..., named by their SHA-256: the same file attached twice is kept
// once, and a session works after its original was moved. Any thread; two that keep the same bytes at once both succeed.
class SourceFiles {
  public:
    // Creates the folder when it is missing. Errors: kIo.
    static Result<SourceFiles> open(std::filesystem::path folder);

    struct Kept {
        Sha256 sha256{};
        uint64_t bytes = 0;
    };
    // Copies a file in; after a success it survives a power failure. Errors: kNotFound, kIo.
    Result<Kept> keepFile(const std::filesystem::path& original) const;
    Result<Kept> keepBytes(std::span<const std::byte> bytes) const;

    // Fills `buffer` with the next bytes and returns how many; 0 ends.
    using Reader = std::function<Result<size_t>(std::span<std::byte> buffer)>;
    Result<Kept> keep(const Reader& reader) const;

    // Where the bytes lie, whether or not they are there.
    [[nodiscard]] std::filesystem::path path(const Sha256& hash) const;
    [[nodiscard]] bool has(const Sha256& hash) const;

    // Reads it all and compares the hash. Errors: kNotFound, kIo, kCorrupt naming the file.
    Result<> check(const Sha256& hash) const;

    // Removes what an attach that was killed left behind. For the owner of the folder alone.
    Result<> removeParts() const;
    // Everything that is there; other files in the folder are not told. Errors: kIo.
    Result<std::vector<Sha256>> list() const;
    Result<> remove(const Sha256& hash) const;

  private:
    explicit SourceFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

    std::filesystem::path folder_;
};

}  // namespace pal
