// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "storage/chats/source_files.h"

namespace pal {

// A zip archive that others made. Entries are looked up by name and read as streams; nothing is ever unpacked to a place that the archive
// names. Confined to one thread.
class ZipReader {
  public:
    // Errors: kNotFound, kIo; kFormat for what is no zip archive; kUnsupported above kMaxEntries.
    static Result<ZipReader> open(const std::filesystem::path& file);
    // The same in memory, which outlives the reader.
    static Result<ZipReader> open(std::span<const std::byte> bytes, std::string name);
    ZipReader(ZipReader&&) noexcept;
    ZipReader& operator=(ZipReader&&) noexcept;
    ~ZipReader();

    static constexpr int64_t kMaxEntries = 200'000;

    struct Entry {
        uint64_t index = 0;
        std::string name;
        uint64_t bytes = 0;  // as the archive says; reading stops there
    };
    [[nodiscard]] std::optional<Entry> find(const std::string& name) const;
    [[nodiscard]] std::vector<Entry> entries() const;

    // The whole entry. Errors: kUnsupported above `limit` bytes or when it is encrypted, kFormat when it is damaged or longer than it says.
    Result<std::string> read(const Entry& entry, uint64_t limit) const;
    // The entry piece by piece, with the same errors; the reader must outlive it.
    Result<SourceFiles::Reader> stream(const Entry& entry) const;

  private:
    struct Archive;
    explicit ZipReader(std::unique_ptr<Archive> archive);
    std::unique_ptr<Archive> archive_;
};

// A zip archive that appears at its path when it is complete. Confined to one thread.
class ZipWriter {
  public:
    // Errors: kIo.
    static Result<ZipWriter> create(const std::filesystem::path& file);
    ZipWriter(ZipWriter&&) noexcept;
    ZipWriter& operator=(ZipWriter&&) noexcept;
    ~ZipWriter();

    enum class Packing { kDeflate, kStore };  // kStore: for what is packed already
    Result<> add(const std::string& name, std::string text);
    Result<> addFile(const std::string& name, const std::filesystem::path& file, Packing packing);
    // Writes it all. Without it nothing appears. Errors: kIo.
    Result<> commit();

  private:
    struct Archive;
    explicit ZipWriter(std::unique_ptr<Archive> archive);
    std::unique_ptr<Archive> archive_;
};

}  // namespace pal
