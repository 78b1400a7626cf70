// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>

#include "engine/base/result.h"

namespace pal {

class Engine;
struct EngineOptions;

// How far the weights are brought to the device. A CPU uses them where they lie in their files, so that it is at the end at once.
struct LoadProgress {
    uint64_t doneBytes = 0;
    uint64_t totalBytes = 0;
    size_t shard = 0;  // the file that is read, from 1
    size_t shards = 0;
};

struct LoadWatch {
    std::function<void(const LoadProgress&)> progress = {};  // on the calling thread, after each 64 MB; may be empty
    std::stop_token stop = {};
};

// loadEngine() (engine.h) for someone who waits. Errors: kCancelled, too.
Result<std::unique_ptr<Engine>> loadEngine(const std::filesystem::path& folder, const EngineOptions& options,
                                           const LoadWatch& watch);

}  // namespace pal
