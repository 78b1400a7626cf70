// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/mapped_file.h"
#include "engine/base/result.h"
#include "engine/model/model_folder.h"
#include "engine/model/problems.h"
#include "engine/model/tensor_type.h"

namespace pal {

// One tensor of a checkpoint, where it lies in its mapped file.
struct StoredTensor {
    std::string name;
    StorageType type = StorageType::kF32;
    TensorShape shape;
    std::span<const std::byte> bytes;  // any alignment; valid as long as the store
    uint32_t shard = 0;                // index into WeightStore::shards()
};

// The tensors of all shards of a model, mapped read-only. Knows names, types and places, and no meaning.
// Move-only; immutable, so any thread may read.
class WeightStore {
  public:
    // Maps every shard and reads its header. Errors: kNotFound, kIo, kFormat; problems of all shards are reported together
    // (broken headers, a tensor in two shards, a tensor that is not where the index says).
    static Result<WeightStore> open(const ModelFolder& folder);
    // The same, but goes on with the shards that can be read and notes what is wrong.
    static WeightStore openReadable(const ModelFolder& folder, Problems& problems);

    // By full name; nullptr when absent.
    [[nodiscard]] const StoredTensor* find(std::string_view name) const;
    // In name order.
    [[nodiscard]] std::span<const StoredTensor> tensors() const { return tensors_; }
    [[nodiscard]] std::span<const MappedFile> shards() const { return shards_; }
    // Bytes of all tensors.
    [[nodiscard]] uint64_t bytes() const { return bytes_; }
    // What is odd but harmless: bytes that belong to no tensor, tensors that the index does not list. The first ten, and how many more.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

  private:
    WeightStore() = default;

    std::vector<MappedFile> shards_;
    std::vector<StoredTensor> tensors_;
    std::vector<std::string> warnings_;
    uint64_t bytes_ = 0;
};

}  // namespace pal
