// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/dump_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "engine/base/bytes.h"
#include "engine/base/mapped_file.h"
#include "engine/model/safetensors.h"

namespace pal {
namespace {

// One mapped file and what lies in it.
struct TensorFile {
    MappedFile file;
    SafetensorsHeader header;

    [[nodiscard]] const SafetensorsEntry* find(std::string_view name) const {
        const auto found = std::find_if(header.entries.begin(), header.entries.end(),
                                        [&](const SafetensorsEntry& entry) { return entry.name == name; });
        return found == header.entries.end() ? nullptr : &*found;
    }
    [[nodiscard]] std::span<const std::byte> bytes(const SafetensorsEntry& entry) const {
        return file.bytes().subspan(header.dataStart + entry.begin, entry.end - entry.begin);
    }
};

Result<std::vector<int32_t>> readIntegers(const TensorFile& file, const SafetensorsEntry& entry) {
    const std::span<const std::byte> bytes = file.bytes(entry);
    std::vector<int32_t> out;
    for (uint64_t i = 0; i < entry.shape.elements(); ++i) {
        int64_t value = 0;
        if (entry.type == StorageType::kI64) {
            value = *readAt<int64_t>(bytes, i * sizeof(int64_t));
        } else if (entry.type == StorageType::kI32) {
            value = *readAt<int32_t>(bytes, i * sizeof(int32_t));
        } else {
            return fail(ErrorCode::kFormat, "{}: {} is {}, expected I32 or I64", file.file.path().string(), entry.name,
                        storageTypeName(entry.type));
        }
        if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) {
            return fail(ErrorCode::kFormat, "{}: {}[{}] is {}, more than 32 bits", file.file.path().string(),
                        entry.name, i, value);
        }
        out.push_back(static_cast<int32_t>(value));
    }
    return out;
}

Result<MediaInput> readMedia(const TensorFile& file, const SafetensorsEntry& pixels, const SafetensorsEntry& grid) {
    PAL_ASSIGN(const std::vector<int32_t> extents, readIntegers(file, grid));
    if (extents.size() != 3) {
        return fail(ErrorCode::kFormat, "{}: {} has {} values, expected 3: frames, rows, columns",
                    file.file.path().string(), grid.name, extents.size());
    }
    if (pixels.type != StorageType::kF32) {
        return fail(ErrorCode::kFormat, "{}: {} is {}, expected F32", file.file.path().string(), pixels.name,
                    storageTypeName(pixels.type));
    }
    MediaInput media{extents[0], extents[1], extents[2], std::vector<float>(pixels.shape.elements())};
    const std::span<const std::byte> bytes = file.bytes(pixels);
    std::memcpy(media.patches.data(), bytes.data(), bytes.size());
    return media;
}

}  // namespace

Result<DumpInput> readDumpInput(const std::filesystem::path& path) {
    PAL_ASSIGN(MappedFile mapped, MappedFile::open(path));
    PAL_ASSIGN(SafetensorsHeader header, parseSafetensors(mapped.bytes(), path.string()));
    const TensorFile file{std::move(mapped), std::move(header)};
    const SafetensorsEntry* ids = file.find("ids");
    if (ids == nullptr || ids->shape.rank() != 1) {
        return fail(ErrorCode::kFormat, "{}: no tensor `ids` of one dimension", path.string());
    }
    DumpInput out;
    PAL_ASSIGN(out.ids, readIntegers(file, *ids));
    for (int n = 0;; ++n) {
        const SafetensorsEntry* pixels = file.find(fmt::format("vision.{}.pixels", n));
        const SafetensorsEntry* grid = file.find(fmt::format("vision.{}.grid", n));
        if (pixels == nullptr || grid == nullptr) return out;
        PAL_ASSIGN(MediaInput media, readMedia(file, *pixels, *grid));
        out.media.push_back(std::make_shared<const MediaInput>(std::move(media)));
    }
}

Result<> writeDump(const std::filesystem::path& path, const DumpTensors& tensors) {
    std::vector<SafetensorsWriter::Declared> declared;
    for (const auto& [name, tensor] : tensors) declared.push_back({name, tensor.type, tensor.shape});
    PAL_ASSIGN(SafetensorsWriter writer, SafetensorsWriter::create(path, std::move(declared), {}));
    const std::vector<std::byte> padding(64);
    uint64_t at = 0;
    for (const SafetensorsEntry& entry : writer.header().entries) {
        for (; at < entry.begin; at += std::min<uint64_t>(padding.size(), entry.begin - at)) {
            PAL_TRY(writer.write(std::span(padding).first(std::min<uint64_t>(padding.size(), entry.begin - at))));
        }
        PAL_TRY(writer.write(tensors.at(entry.name).bytes));
        at = entry.end;
    }
    return writer.finish();
}

}  // namespace pal
