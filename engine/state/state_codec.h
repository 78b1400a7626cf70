// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/byte_buffer.h"
#include "engine/base/result.h"
#include "engine/state/host_blocks.h"
#include "engine/state/sequence_state.h"

namespace pal {

// Parts of a sequence's state as bytes. One format for all backends; all integers and numbers are little-endian:
//
//   header (104 bytes): magic "PALSTATE", version u32, number types of tails and latents u8 u8 (0 f32, 1 bf16), u16 zero;
//     KDA layers, heads h, V, K, tail rows, MLA layers, latent rank, latent rope; then begin, end and logits: all i64
//   checkpoints only: KDA states [layer][h][V][K] f32; convolution tails [layer][W-1][q|k|v], oldest first
//   latent rows of tokens [begin, end), page by page: [page][layer][rows of the page][rank + rope]
//   checkpoints only: logits [count] f32
//
// Numbers are kept in the type that the backend used, so they come back bit for bit; one with other types converts them (to bf16: to
// nearest even). Bytes are not checksummed here, the store does that.
inline constexpr uint32_t kStateCodecVersion = 1;

// Recurrent states, logits and the latent rows from token `firstRow` (a multiple of 64) to the state's position, in a block of `blocks` if given. Engine
// thread.
[[nodiscard]] ByteBuffer encodeCheckpoint(Backend& backend, const SequenceState& state, std::span<const float> logits,
                                          int64_t firstRow, HostBlocks* blocks = nullptr);
// Latent rows [begin, end), multiples of 64 within the state's position; likewise.
[[nodiscard]] ByteBuffer encodePages(Backend& backend, const SequenceState& state, int64_t begin, int64_t end,
                                     HostBlocks* blocks = nullptr);

// What a checkpoint's bytes say about themselves.
struct CheckpointInfo {
    int64_t begin = 0;   // the latent rows it holds; those before are in page groups
    int64_t end = 0;     // the position of the state
    int64_t logits = 0;  // 0 or the size of the vocabulary of who stored it; not compared with ours
};
// Checks everything that decodeCheckpoint needs against `layout`. Errors: kFormat (no state, truncated, impossible numbers), kUnsupported
// (another version), kConflict (another model's shapes), each with both numbers.
Result<CheckpointInfo> inspectCheckpoint(std::span<const std::byte> bytes, const StateLayout& layout);

// Puts a checkpoint into `state`, which is new, has its layout and room for `end` tokens (reserve()), and returns its logits. The position
// is left to the caller, who advances when the pages before are there too. Errors: as inspectCheckpoint.
Result<std::vector<float>> decodeCheckpoint(std::span<const std::byte> bytes, Backend& backend, SequenceState& state);
// Puts the latent rows [begin, end) into `state`, which has room for them. Errors: as inspectCheckpoint, and for other rows.
Result<> decodePages(std::span<const std::byte> bytes, Backend& backend, SequenceState& state, int64_t begin,
                     int64_t end);

}  // namespace pal
