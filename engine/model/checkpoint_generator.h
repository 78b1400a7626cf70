// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>

#include "engine/api/model_files.h"
#include "engine/base/result.h"

namespace pal {

struct GeneratorOptions {
    uint64_t seed = 0;
    uint64_t shardBytes = 4ULL << 30;  // a shard is closed before it would exceed this; a larger tensor gets its own
    std::optional<std::filesystem::path> tokenizer;  // copied in as tiktoken.model
    int threads = 0;                                 // 0: one per core
};

// Writes a checkpoint of random weights (tensor_draw.h) in the published layout: config.json as given, model.safetensors or numbered shards with
// their index. Streams: memory stays at a few blocks per thread, whatever the size. Everything is written to "<folder>.part", which is renamed
// at the end and removed on every other way out. Missing parent folders are made and stay.
// Errors: kInvalidArgument (the folder exists and is not empty, or is a link), kBusy ("<folder>.part" exists: another run may be writing), kFormat (the config), kIo (not enough space: checked first), kCancelled.
Result<RandomModelReport> generateCheckpoint(const nlohmann::json& config, const std::filesystem::path& folder,
                                             const GeneratorOptions& options, const ProgressCallback& progress,
                                             const std::stop_token& stop);

}  // namespace pal
