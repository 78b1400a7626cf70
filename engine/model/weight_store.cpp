// SPDX-License-Identifier: Apache-2.0
#include "engine/model/weight_store.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/model/safetensors.h"

namespace pal {
namespace {

std::string fileName(const MappedFile& file) {
    return file.path().filename().string();
}

void checkUnique(std::span<const StoredTensor> sorted, std::span<const MappedFile> shards, Problems& problems) {
    for (size_t i = 1; i < sorted.size(); ++i) {
        if (sorted[i].name != sorted[i - 1].name) continue;
        problems.add("tensor '{}' is in {} and in {}", sorted[i].name, fileName(shards[sorted[i - 1].shard]),
                     fileName(shards[sorted[i].shard]));
    }
}

// The index and the headers must agree on what is there; a tensor without an entry in the index is only odd. A shard that could not be
// read would make every tensor of it look missing as well: it is noted already.
void checkIndex(const WeightStore& store, const ModelFolder& folder, Problems& problems, Problems& odd) {
    if (folder.shardOfTensor.empty()) return;
    std::set<std::string> readable;
    for (const MappedFile& shard : store.shards()) readable.insert(fileName(shard));
    for (const auto& [name, file] : folder.shardOfTensor) {
        const StoredTensor* tensor = store.find(name);
        if (tensor == nullptr) {
            if (!readable.contains(file)) continue;
            problems.add("tensor '{}' is in no shard, the index says {}", name, file);
        } else if (const std::string actual = fileName(store.shards()[tensor->shard]); actual != file) {
            problems.add("tensor '{}' is in {}, the index says {}", name, actual, file);
        }
    }
    for (const StoredTensor& tensor : store.tensors()) {
        if (folder.shardOfTensor.contains(tensor.name)) continue;
        odd.add("tensor '{}' in {} is not in the index", tensor.name, fileName(store.shards()[tensor.shard]));
    }
}

}  // namespace

Result<WeightStore> WeightStore::open(const ModelFolder& folder) {
    if (folder.shards.empty()) {
        return fail(ErrorCode::kNotFound, "{}: there are no weights (*.safetensors)", folder.root.string());
    }
    Problems problems;
    WeightStore store = openReadable(folder, problems);
    if (!problems.empty()) return fail(problems.toError(folder.root.string()));
    return store;
}

WeightStore WeightStore::openReadable(const ModelFolder& folder, Problems& problems) {
    WeightStore store;
    Problems odd;
    for (const auto& path : folder.shards) {
        auto file = MappedFile::open(path);
        if (!file.has_value()) {
            problems.add(file.error());
            continue;
        }
        auto header = parseSafetensors(file->bytes(), path.filename().string());
        if (!header.has_value()) {
            problems.add(header.error());
            continue;
        }
        const auto shard = static_cast<uint32_t>(store.shards_.size());
        for (SafetensorsEntry& entry : header->entries) {
            const auto bytes = file->bytes().subspan(header->dataStart + entry.begin, entry.end - entry.begin);
            store.bytes_ += bytes.size();
            store.tensors_.push_back({std::move(entry.name), entry.type, entry.shape, bytes, shard});
        }
        if (header->unusedBytes > 0) {
            odd.add("{}: {} bytes belong to no tensor", path.filename().string(), header->unusedBytes);
        }
        store.shards_.push_back(std::move(*file));
    }
    std::ranges::sort(store.tensors_, {}, &StoredTensor::name);
    checkUnique(store.tensors_, store.shards_, problems);
    checkIndex(store, folder, problems, odd);
    constexpr size_t kMostWarnings = 10;
    store.warnings_.assign(odd.texts().begin(),
                           odd.texts().begin() + static_cast<ptrdiff_t>(std::min(odd.texts().size(), kMostWarnings)));
    if (odd.count() > kMostWarnings) {
        store.warnings_.push_back(fmt::format("{} more notes of this kind", odd.count() - kMostWarnings));
    }
    return store;
}

const StoredTensor* WeightStore::find(std::string_view name) const {
    const auto it = std::ranges::lower_bound(
        tensors_, name, {}, [](const StoredTensor& tensor) -> std::string_view { return tensor.name; });
    return it == tensors_.end() || it->name != name ? nullptr : &*it;
}

}  // namespace pal
