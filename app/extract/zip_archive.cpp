// SPDX-License-Identifier: Apache-2.0
#include "app/extract/zip_archive.h"

#include <zip.h>

#include <array>
#include <vector>

namespace pal::extract {
namespace {

struct CloseFile {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};

}  // namespace

void ZipArchive::Close::operator()(zip* archive) const {
    zip_discard(archive);
}

Result<ZipArchive> ZipArchive::open(std::string_view bytes, uint64_t maxUnpacked) {
    zip_error_t error{};
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    zip_t* archive = source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error);
    if (archive == nullptr) {
        const std::string why = zip_error_strerror(&error);
        zip_error_fini(&error);
        if (source != nullptr) zip_source_free(source);
        return fail(ErrorCode::kFormat, "a zip archive that is damaged or cut off: {}", why);
    }
    zip_error_fini(&error);
    return ZipArchive(std::unique_ptr<zip, Close>(archive), maxUnpacked, maxUnpacked);
}

bool ZipArchive::has(const std::string& name) const {
    return zip_name_locate(archive_.get(), name.c_str(), ZIP_FL_ENC_GUESS) >= 0;
}

Result<std::string> ZipArchive::read(const std::string& name) {
    zip_stat_t status{};
    if (zip_stat(archive_.get(), name.c_str(), ZIP_FL_ENC_GUESS, &status) != 0) {
        return fail(ErrorCode::kFormat, "\"{}\" is not in the archive: it is damaged or no document", name);
    }
    if ((status.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && status.encryption_method != ZIP_EM_NONE) {
        return fail(ErrorCode::kUnsupported, "\"{}\" is encrypted", name);
    }
    const std::unique_ptr<zip_file_t, CloseFile> file(zip_fopen_index(archive_.get(), status.index, 0));
    if (file == nullptr) return fail(ErrorCode::kFormat, "\"{}\": {}", name, zip_strerror(archive_.get()));
    std::string out;
    std::array<char, 65'536> buffer{};
    while (true) {
        const zip_int64_t count = zip_fread(file.get(), buffer.data(), buffer.size());
        if (count == 0) return out;
        if (count < 0) return fail(ErrorCode::kFormat, "\"{}\" is damaged: {}", name, zip_file_strerror(file.get()));
        if (static_cast<uint64_t>(count) > left_) {
            return fail(ErrorCode::kOutOfMemory,
                        "\"{}\" makes the archive unpack to more than {} bytes (a zip bomb, or a document too large)",
                        name, most_);
        }
        left_ -= static_cast<uint64_t>(count);
        out.append(buffer.data(), static_cast<size_t>(count));
    }
}

}  // namespace pal::extract
