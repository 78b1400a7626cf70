// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/api/probe.h"
#include "engine/base/result.h"

namespace pal {

// What reading one token did as a record of few bytes. Little-endian:
//   version u8, XXH3-64 of what follows u64, position i64, token i32, then the fields of TokenProbe in their order, every list with its count as u16.
// Values are stored as u16:
//   shares in [0, 1] (attention, gates, beta, depth weights) in steps of 1 / 65535;
//   sizes >= 0 (half-lives, writes, norms, expert weights) as their logarithm, with a relative error of at most 0.04 %, 0 as 0, between 2^-32
//   and 2^32;
//   entropies in steps of 1 / 2048 nats up to 32.
// Of attention per region only what is not 0 after rounding is stored: a head of R regions takes 2 bytes and 4 for each region that has mass.
// Log probabilities are float32.
inline constexpr uint8_t kProbeRecordVersion = 1;

[[nodiscard]] std::vector<std::byte> encodeProbe(const TokenProbe& probe);

// Errors: kCorrupt for another checksum or a record that says what no probe can; kUnsupported for a newer version.
Result<TokenProbe> decodeProbe(std::span<const std::byte> record);
// The same of one layer (-1: none) of many records: the others are there and empty. Takes a small part of the time, and no memory for each.
class ProbeLayerDecoder {
  public:
    explicit ProbeLayerDecoder(int64_t layer) : layer_(layer) {}
    // Valid until the next call. Errors as above.
    Result<const TokenProbe*> decode(std::span<const std::byte> record);

  private:
    int64_t layer_;
    TokenProbe probe_;
};

// Numbers of a model that a record's size follows from.
struct ProbeDims {
    int64_t kdaLayers = 0, kdaHeads = 0;
    int64_t mlaLayers = 0, mlaHeads = 0;
    int64_t gatedMlaLayers = 0;  // of those with an output gate
    int64_t mixtureLayers = 0, expertsPerToken = 0;
    int64_t layers = 0;
    int64_t mixWeights = 0;  // of all depth mixes of a token together
    int64_t regions = 1;     // with attention mass, at most
    int64_t topKeys = 32;
};
// No record of such a model is larger; bytes. Kimi-Linear-48B (20 KDA and 7 MLA layers of 32 heads, 26 of 8 experts) with 32 top keys: 18.8 KB
// and 896 bytes per region that every head looks at, so 36.7 KB with 20 such regions, 37 MB for a reply of 1,000 tokens.
[[nodiscard]] int64_t mostRecordBytes(const ProbeDims& dims);

}  // namespace pal
