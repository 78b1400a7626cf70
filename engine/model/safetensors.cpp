// SPDX-License-Identifier: Apache-2.0
#include "engine/model/safetensors.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "engine/base/bytes.h"
#include "engine/model/json_file.h"
#include "engine/model/problems.h"

namespace pal {
namespace {

using nlohmann::json;

constexpr uint64_t kLengthBytes = 8;
constexpr uint64_t kDataAlignment = 64;
constexpr int kMaxHeaderDepth = 4;
// About ten for each of the half million tensors of the largest published model, were they in one file.
constexpr uint64_t kMaxHeaderValues = 8'000'000;
constexpr const char* kMetadataKey = "__metadata__";

std::optional<TensorShape> readShape(const json& tensor, std::string_view name, Problems& problems) {
    const auto shape = tensor.find("shape");
    if (shape == tensor.end() || !shape->is_array()) {
        problems.add("tensor '{}' has no shape", name);
        return std::nullopt;
    }
    if (shape->size() > TensorShape::kMaxRank) {
        problems.add("tensor '{}' has {} dimensions, at most {} are supported", name, shape->size(),
                     TensorShape::kMaxRank);
        return std::nullopt;
    }
    TensorShape out;
    for (const json& extent : *shape) {
        const bool fits = extent.is_number_unsigned() && extent.get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX);
        if (!fits) {
            problems.add("tensor '{}' has the shape {}: an extent is not a whole number of 0 or more", name,
                         shape->dump(-1, ' ', false, json::error_handler_t::replace));
            return std::nullopt;
        }
        static_cast<void>(out.push(extent.get<int64_t>()));
    }
    return out;
}

std::optional<StorageType> readType(const json& tensor, std::string_view name, Problems& problems) {
    const auto type = tensor.find("dtype");
    if (type == tensor.end() || !type->is_string()) {
        problems.add("tensor '{}' has no dtype", name);
        return std::nullopt;
    }
    const auto& text = type->get_ref<const std::string&>();
    const auto known = storageTypeFromName(text);
    if (!known.has_value()) problems.add("tensor '{}' has the unknown dtype '{}'", name, text);
    return known;
}

bool readOffsets(const json& tensor, SafetensorsEntry& entry, Problems& problems) {
    const auto offsets = tensor.find("data_offsets");
    const bool good = offsets != tensor.end() && offsets->is_array() && offsets->size() == 2 &&
                      (*offsets)[0].is_number_unsigned() && (*offsets)[1].is_number_unsigned();
    if (!good) {
        problems.add("tensor '{}' has no pair of data_offsets of 0 or more", entry.name);
        return false;
    }
    entry.begin = (*offsets)[0].get<uint64_t>();
    entry.end = (*offsets)[1].get<uint64_t>();
    return true;
}

// Size by shape and type against the offsets, and the offsets against the file.
bool checkExtent(const SafetensorsEntry& entry, uint64_t dataBytes, Problems& problems) {
    if (entry.begin > entry.end || entry.end > dataBytes) {
        problems.add("tensor '{}' lies at bytes {} to {} of the data, but the file has {} bytes of data", entry.name,
                     entry.begin, entry.end, dataBytes);
        return false;
    }
    const auto elements = entry.shape.checkedElements();
    const auto bytes = elements.has_value() ? checkedMul(*elements, storageBytes(entry.type)) : std::nullopt;
    if (!bytes.has_value()) {
        problems.add("tensor '{}' of shape {} is larger than 64 bits can count", entry.name, entry.shape.text());
        return false;
    }
    if (*bytes == entry.end - entry.begin) return true;
    problems.add("tensor '{}' of shape {} and dtype {} takes {} bytes, but its data_offsets span {}", entry.name,
                 entry.shape.text(), storageTypeName(entry.type), *bytes, entry.end - entry.begin);
    return false;
}

std::optional<SafetensorsEntry> readEntry(const std::string& name, const json& tensor, uint64_t dataBytes,
                                          Problems& problems) {
    if (!tensor.is_object()) {
        problems.add("tensor '{}' is {}, expected an object", name, tensor.type_name());
        return std::nullopt;
    }
    const auto type = readType(tensor, name, problems);
    const auto shape = readShape(tensor, name, problems);
    SafetensorsEntry entry{name, type.value_or(StorageType::kU8), shape.value_or(TensorShape())};
    if (!readOffsets(tensor, entry, problems) || !type.has_value() || !shape.has_value()) return std::nullopt;
    if (!checkExtent(entry, dataBytes, problems)) return std::nullopt;
    return entry;
}

void readMetadata(const json& metadata, SafetensorsHeader& header, Problems& problems) {
    if (!metadata.is_object()) {
        problems.add("{} is {}, expected an object", kMetadataKey, metadata.type_name());
        return;
    }
    for (const auto& [key, value] : metadata.items()) {
        if (value.is_string()) {
            header.metadata.emplace(key, value.get<std::string>());
        } else {
            problems.add("{} has the key '{}' that is {}, expected a string", kMetadataKey, key, value.type_name());
        }
    }
}

// Sorts by place and notes overlaps and what lies between.
void checkLayout(SafetensorsHeader& header, uint64_t dataBytes, Problems& problems) {
    std::ranges::sort(header.entries, [](const SafetensorsEntry& a, const SafetensorsEntry& b) {
        return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
    });
    const SafetensorsEntry* last = nullptr;
    uint64_t used = 0;
    for (const SafetensorsEntry& entry : header.entries) {
        if (entry.begin == entry.end) continue;
        if (last != nullptr && entry.begin < last->end) {
            problems.add("tensor '{}' at bytes {} to {} overlaps tensor '{}' at bytes {} to {}", entry.name,
                         entry.begin, entry.end, last->name, last->begin, last->end);
        }
        if (last == nullptr || entry.end > last->end) last = &entry;
        used += entry.end - entry.begin;
    }
    header.unusedBytes = problems.empty() ? dataBytes - used : 0;
}

// Largest power of two up to 4096 that divides the size: tensors sorted by it, largest first, are all aligned to their own.
uint64_t naturalAlignment(uint64_t bytes) {
    constexpr uint64_t kMost = 4096;
    return bytes == 0 ? kMost : std::min(kMost, bytes & (~bytes + 1));
}

// Header text with its length in front, padded so that the data is aligned.
std::string headerBytes(const SafetensorsHeader& header) {
    json document = json::object();
    if (!header.metadata.empty()) document[kMetadataKey] = header.metadata;
    for (const SafetensorsEntry& entry : header.entries) {
        document[entry.name] = {{"dtype", storageTypeName(entry.type)},
                                {"shape", entry.shape.extents()},
                                {"data_offsets", {entry.begin, entry.end}}};
    }
    std::string text = document.dump(-1, ' ', false, json::error_handler_t::replace);
    const uint64_t misaligned = (kLengthBytes + text.size()) % kDataAlignment;
    if (misaligned != 0) text.append(kDataAlignment - misaligned, ' ');
    std::string out(kLengthBytes, '\0');
    const uint64_t length = text.size();
    std::memcpy(out.data(), &length, kLengthBytes);
    return out + text;
}

}  // namespace

Result<SafetensorsHeader> parseSafetensors(std::span<const std::byte> file, std::string_view name) {
    const auto length = readAt<uint64_t>(file, 0);
    if (!length.has_value()) {
        return fail(ErrorCode::kFormat, "{}: {} bytes are too few for a safetensors file", name, file.size());
    }
    if (*length > kMaxSafetensorsHeader) {
        return fail(ErrorCode::kFormat, "{}: announces a header of {} bytes, at most {} are accepted", name, *length,
                    kMaxSafetensorsHeader);
    }
    if (*length > file.size() - kLengthBytes) {
        return fail(ErrorCode::kFormat, "{}: announces a header of {} bytes, but the whole file has {}", name, *length,
                    file.size());
    }
    const std::string_view text(reinterpret_cast<const char*>(file.data()) + kLengthBytes, *length);
    const JsonLimits limits{kMaxSafetensorsHeader, kMaxHeaderDepth, kMaxHeaderValues};
    PAL_ASSIGN(const json document, parseJsonObject(text, name, limits));

    SafetensorsHeader header;
    header.dataStart = kLengthBytes + *length;
    const uint64_t dataBytes = file.size() - header.dataStart;
    Problems problems;
    for (const auto& [key, value] : document.items()) {
        if (key == kMetadataKey) {
            readMetadata(value, header, problems);
        } else if (auto entry = readEntry(key, value, dataBytes, problems)) {
            header.entries.push_back(std::move(*entry));
        }
    }
    checkLayout(header, dataBytes, problems);
    if (!problems.empty()) return fail(problems.toError(name));
    return header;
}

Result<SafetensorsWriter> SafetensorsWriter::create(const std::filesystem::path& path, std::vector<Declared> tensors,
                                                    const std::map<std::string, std::string>& metadata) {
    SafetensorsHeader header;
    header.metadata = metadata;
    std::vector<uint64_t> sizes;
    for (Declared& tensor : tensors) {
        const auto elements = tensor.shape.checkedElements();
        const auto bytes = elements.has_value() ? checkedMul(*elements, storageBytes(tensor.type)) : std::nullopt;
        if (!bytes.has_value()) {
            return fail(ErrorCode::kInvalidArgument, "{}: tensor '{}' of shape {} is too large", path.string(),
                        tensor.name, tensor.shape.text());
        }
        header.entries.push_back({std::move(tensor.name), tensor.type, tensor.shape, 0, *bytes});
    }
    std::ranges::sort(header.entries, [](const SafetensorsEntry& a, const SafetensorsEntry& b) {
        const uint64_t left = naturalAlignment(a.end);
        const uint64_t right = naturalAlignment(b.end);
        return left != right ? left > right : a.name < b.name;
    });
    uint64_t at = 0;
    std::string_view previous;
    for (SafetensorsEntry& entry : header.entries) {
        const auto end = checkedAdd(at, entry.end);
        if (!end.has_value()) {
            return fail(ErrorCode::kInvalidArgument, "{}: the tensors are too large together", path.string());
        }
        if (entry.name == previous) {
            return fail(ErrorCode::kInvalidArgument, "{}: tensor '{}' is declared twice", path.string(), entry.name);
        }
        previous = entry.name;
        entry.begin = std::exchange(at, *end);
        entry.end = *end;
    }
    PAL_ASSIGN(FileWriter file, FileWriter::create(path));
    const std::string head = headerBytes(header);
    PAL_TRY(file.write(std::as_bytes(std::span(head))));
    header.dataStart = head.size();
    return SafetensorsWriter(std::move(file), std::move(header), at);
}

Result<> SafetensorsWriter::write(std::span<const std::byte> bytes) {
    return file_.write(bytes);
}

Result<> SafetensorsWriter::finish() {
    const uint64_t written = file_.written() - header_.dataStart;
    if (written != dataBytes_) {
        return fail(ErrorCode::kInternal, "{} bytes of tensor data were written, {} were declared", written,
                    dataBytes_);
    }
    return file_.commit();
}

}  // namespace pal
