// SPDX-License-Identifier: Apache-2.0
#include "engine/model/model_fingerprint.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/base/byte_hash.h"
#include "engine/base/check.h"

namespace pal {
namespace {

constexpr size_t kSampledExperts = 2048;
constexpr size_t kSampleBytes = 256;

class Hasher {
  public:
    Hasher() : state_(XXH3_createState(), &XXH3_freeState) {
        PAL_CHECK(state_ != nullptr && XXH3_128bits_reset(state_.get()) == XXH_OK);
    }
    void add(const void* data, size_t size) { XXH3_128bits_update(state_.get(), data, size); }
    void add(std::string_view text) { add(text.data(), text.size()); }
    [[nodiscard]] std::string digits() const {
        const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
        return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
    }

  private:
    std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
};

bool isRoutedExpert(const StoredTensor& tensor) {
    return tensor.name.find(".experts.") != std::string::npos;
}

}  // namespace

std::string modelFingerprint(const nlohmann::json& config, const WeightStore& store) {
    Hasher hasher;
    hasher.add(config.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    const auto experts = std::count_if(store.tensors().begin(), store.tensors().end(), isRoutedExpert);
    const size_t every = std::max<size_t>(1, static_cast<size_t>(experts) / kSampledExperts);
    for (const StoredTensor& tensor : store.tensors()) {
        hasher.add(fmt::format("\n{} {} {}\n", tensor.name, storageTypeName(tensor.type), tensor.shape.text()));
        if (isRoutedExpert(tensor) && splitmix64(fnv1a64(tensor.name)) % every != 0) continue;
        const size_t bytes = std::min(kSampleBytes, tensor.bytes.size());
        hasher.add(tensor.bytes.data(), bytes);
        hasher.add(tensor.bytes.data() + tensor.bytes.size() - bytes, bytes);
    }
    return hasher.digits();
}

}  // namespace pal
