// SPDX-License-Identifier: Apache-2.0
#include "storage/transfer/zip_file.h"

#include <zip.h>

#include <deque>

#include "engine/base/file_writer.h"

namespace pal {
namespace {

std::string errorText(int code) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    std::string text = zip_error_strerror(&error);
    zip_error_fini(&error);
    return text;
}

// A shared_ptr calls it for null as well, of an entry that could not be opened.
struct CloseEntry {
    void operator()(zip_file_t* file) const {
        if (file != nullptr) zip_fclose(file);
    }
};

struct Discard {
    void operator()(zip_t* zip) const { zip_discard(zip); }
};
using Zip = std::unique_ptr<zip_t, Discard>;

}  // namespace

struct ZipReader::Archive {
    std::string name;
    Zip zip;
};

ZipReader::ZipReader(std::unique_ptr<Archive> archive) : archive_(std::move(archive)) {}
ZipReader::ZipReader(ZipReader&&) noexcept = default;
ZipReader& ZipReader::operator=(ZipReader&&) noexcept = default;
ZipReader::~ZipReader() = default;

namespace {

Result<> checkCount(zip_t* zip, const std::string& name) {
    const int64_t entries = zip_get_num_entries(zip, 0);
    if (entries <= ZipReader::kMaxEntries) return {};
    return fail(ErrorCode::kUnsupported, "{}: {} entries, the limit is {}", name, entries, ZipReader::kMaxEntries);
}

}  // namespace

Result<ZipReader> ZipReader::open(const std::filesystem::path& file) {
    int error = 0;
    Zip zip(zip_open(file.c_str(), ZIP_RDONLY, &error));
    if (!zip) {
        const ErrorCode code = error == ZIP_ER_NOENT                          ? ErrorCode::kNotFound
                               : error == ZIP_ER_OPEN || error == ZIP_ER_READ ? ErrorCode::kIo
                                                                              : ErrorCode::kFormat;
        return fail(code, "{}: {}", file.string(), errorText(error));
    }
    PAL_TRY(checkCount(zip.get(), file.string()));
    return ZipReader(std::make_unique<Archive>(Archive{file.string(), std::move(zip)}));
}

Result<ZipReader> ZipReader::open(std::span<const std::byte> bytes, std::string name) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    Zip zip(source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error));
    const std::string words = zip_error_strerror(&error);
    zip_error_fini(&error);
    if (!zip) {
        if (source != nullptr) zip_source_free(source);
        return fail(ErrorCode::kFormat, "{}: {}", name, words);
    }
    PAL_TRY(checkCount(zip.get(), name));
    return ZipReader(std::make_unique<Archive>(Archive{std::move(name), std::move(zip)}));
}

std::optional<ZipReader::Entry> ZipReader::find(const std::string& name) const {
    const int64_t index = zip_name_locate(archive_->zip.get(), name.c_str(), 0);
    zip_stat_t info;
    if (index < 0 || zip_stat_index(archive_->zip.get(), static_cast<uint64_t>(index), 0, &info) != 0)
        return std::nullopt;
    return Entry{static_cast<uint64_t>(index), name, (info.valid & ZIP_STAT_SIZE) != 0 ? info.size : 0};
}

std::vector<ZipReader::Entry> ZipReader::entries() const {
    std::vector<Entry> out;
    const auto count = static_cast<uint64_t>(std::max<int64_t>(0, zip_get_num_entries(archive_->zip.get(), 0)));
    for (uint64_t i = 0; i < count; ++i) {
        zip_stat_t info;
        if (zip_stat_index(archive_->zip.get(), i, 0, &info) != 0 || info.name == nullptr) continue;
        out.push_back({i, info.name, (info.valid & ZIP_STAT_SIZE) != 0 ? info.size : 0});
    }
    return out;
}

Result<std::string> ZipReader::read(const Entry& entry, uint64_t limit) const {
    if (entry.bytes > limit) {
        return fail(ErrorCode::kUnsupported, "{}: {} has {} bytes, the limit is {}", archive_->name, entry.name,
                    entry.bytes, limit);
    }
    PAL_ASSIGN(const SourceFiles::Reader reader, stream(entry));
    std::string out;
    std::vector<std::byte> buffer(1 << 16);
    while (true) {
        PAL_ASSIGN(const size_t count, reader(buffer));
        if (count == 0) return out;
        out.append(reinterpret_cast<const char*>(buffer.data()), count);
    }
}

Result<SourceFiles::Reader> ZipReader::stream(const Entry& entry) const {
    const std::shared_ptr<zip_file_t> file(zip_fopen_index(archive_->zip.get(), entry.index, 0), CloseEntry{});
    const std::string where = archive_->name + ": " + entry.name;
    if (!file) {
        const int code = zip_error_code_zip(zip_get_error(archive_->zip.get()));
        const bool encrypted = code == ZIP_ER_NOPASSWD || code == ZIP_ER_ENCRNOTSUPP || code == ZIP_ER_COMPNOTSUPP;
        return fail(encrypted ? ErrorCode::kUnsupported : ErrorCode::kFormat, "{}: {}", where, errorText(code));
    }
    // An entry may hold more than its header says; no more than that is taken.
    return SourceFiles::Reader(
        [file, where, left = entry.bytes](std::span<std::byte> buffer) mutable -> Result<size_t> {
            const int64_t count = zip_fread(file.get(), buffer.data(), buffer.size());
            if (count < 0)
                return fail(ErrorCode::kFormat, "{}: {}", where, zip_error_strerror(zip_file_get_error(file.get())));
            if (static_cast<uint64_t>(count) > left)
                return fail(ErrorCode::kFormat, "{}: it is longer than the archive says", where);
            left -= static_cast<uint64_t>(count);
            if (count == 0 && left > 0) return fail(ErrorCode::kFormat, "{}: {} bytes are missing", where, left);
            return static_cast<size_t>(count);
        });
}

struct ZipWriter::Archive {
    std::filesystem::path path;
    Zip zip;
    std::deque<std::string> texts;  // stay where they are until everything is written
};

ZipWriter::ZipWriter(std::unique_ptr<Archive> archive) : archive_(std::move(archive)) {}
ZipWriter::ZipWriter(ZipWriter&&) noexcept = default;
ZipWriter& ZipWriter::operator=(ZipWriter&&) noexcept = default;
ZipWriter::~ZipWriter() = default;

Result<ZipWriter> ZipWriter::create(const std::filesystem::path& file) {
    PAL_TRY(mayBecomeFile(file));
    int error = 0;
    Zip zip(zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error));
    if (!zip) return fail(ErrorCode::kIo, "{}: {}", file.string(), errorText(error));
    return ZipWriter(std::make_unique<Archive>(Archive{file, std::move(zip), {}}));
}

Result<> ZipWriter::add(const std::string& name, std::string text) {
    archive_->texts.push_back(std::move(text));
    const std::string& kept = archive_->texts.back();
    zip_t* zip = archive_->zip.get();
    zip_source_t* source = zip_source_buffer(zip, kept.data(), kept.size(), 0);
    if (source != nullptr && zip_file_add(zip, name.c_str(), source, ZIP_FL_ENC_UTF_8) >= 0) return {};
    zip_source_free(source);
    return fail(ErrorCode::kIo, "{}: {}", name, zip_strerror(zip));
}

Result<> ZipWriter::addFile(const std::string& name, const std::filesystem::path& file, Packing packing) {
    zip_t* zip = archive_->zip.get();
    zip_source_t* source = zip_source_file(zip, file.c_str(), 0, -1);
    const int64_t index = source == nullptr ? -1 : zip_file_add(zip, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return fail(ErrorCode::kIo, "{}: {}", file.string(), zip_strerror(zip));
    }
    const int method = packing == Packing::kStore ? ZIP_CM_STORE : ZIP_CM_DEFLATE;
    if (zip_set_file_compression(zip, static_cast<uint64_t>(index), method, 0) == 0) return {};
    return fail(ErrorCode::kIo, "{}: {}", file.string(), zip_strerror(zip));
}

Result<> ZipWriter::commit() {
    if (zip_close(archive_->zip.get()) != 0)
        return fail(ErrorCode::kIo, "{}: {}", archive_->path.string(), zip_strerror(archive_->zip.get()));
    static_cast<void>(archive_->zip.release());  // closed
    return {};
}

}  // namespace pal
