// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace pal {

// Looks at, checks and makes checkpoint folders without running them. All functions block; call them from a worker thread. A model is
// given as its folder, the root of a Hugging Face cache entry, or (to describe it or as a pattern) a config.json.

// The folder that holds the files: the snapshot of a cache entry, the folder of a config.json. Nothing in it is read. Errors: kNotFound,
// kInvalidArgument (another file), kIo.
Result<std::filesystem::path> findModelFolder(const std::filesystem::path& model);

struct ModelPartSize {
    std::string name;  // "routed experts"
    uint64_t parameters = 0;
    uint64_t bytes = 0;
};

// What gpu_plan.h needs of a model, bytes.
struct GpuPlanSizes {
    uint64_t weightBytes = 0;            // all but routed experts
    uint64_t weightReadBytes = 0;        // of these, per token of text
    std::vector<uint64_t> expertLayers;  // routed experts of each layer that has some
    int64_t experts = 0, expertsPerToken = 0;
    uint64_t stateBytes = 0;  // of one session, as a GPU keeps it
    uint64_t latentNumbersPerToken = 0;
    uint64_t workspaceBytes = 0, workspaceBytesPerToken = 0;  // of a step
};

// Sizes in bytes. Without weights they are what the config promises, with weights what is stored.
struct ModelSummary {
    std::filesystem::path folder;
    std::string architecture;
    bool hasWeights = false;
    int64_t layers = 0, kdaLayers = 0, mlaLayers = 0, expertLayers = 0;
    int64_t hiddenSize = 0, vocabulary = 0, kdaHeads = 0, mlaHeads = 0, contextLimit = 0;
    int64_t experts = 0, expertsPerToken = 0, sharedExperts = 0;  // 0: a dense model
    int64_t snapshots = 0;                                        // of Attention Residuals; 0: plain residual stream
    bool vision = false;                                          // with weights: they are there
    uint64_t parameters = 0, activeParameters = 0;                // all; read per token of text
    uint64_t tensors = 0, shards = 0, weightBytes = 0;
    std::vector<ModelPartSize> parts;  // without empty ones
    // Per sequence, fixed; KDA states are float32.
    uint64_t kdaStateBytes = 0, convTailBytes = 0, checkpointBytes = 0;
    uint64_t latentBytesPerToken = 0;
    std::string convTailType,
        latentType;  // that these sizes count ("f32"): as the engine keeps them on a CPU by default
    uint64_t contextTokens = 0, stateBytes = 0, workspaceBytes = 0, memoryBytes = 0;  // the estimate at contextTokens
    GpuPlanSizes gpu;
    std::string fingerprint;         // 32 hexadecimal digits; empty without weights
    std::vector<std::string> notes;  // odd but harmless
};
// `contextTokens` is for the estimate; 0 takes the model's limit. Errors: kNotFound, kIo, kFormat and kUnsupported with everything that is
// wrong, kInvalidArgument when `contextTokens` is above the limit, kOutOfMemory.
Result<ModelSummary> describeModel(const std::filesystem::path& model, uint64_t contextTokens);

struct FileProgress {
    uint64_t doneBytes = 0;
    uint64_t totalBytes = 0;
    double seconds = 0;
};
using ProgressCallback =
    std::function<void(const FileProgress&)>;  // on the calling thread, after each few MB; may be empty

struct VerifyReport {
    std::vector<std::string> problems;  // the first ones; empty: the model is sound
    uint64_t problemCount = 0;          // all of them
    std::vector<std::string> notes;
    int64_t vocabulary = 0;  // vocab_size, 0 when the config cannot be read: what a tokenizer must fit into
    uint64_t tensors = 0, bytes = 0;
    double seconds = 0;
};
// Reads everything: config, headers, names, shapes, types, and every value for NaN, infinity and NaN scales; the tokenizer is not looked
// at. Errors: kNotFound when there is nothing to check, kCancelled, kOutOfMemory; what is wrong with the model is in the report.
Result<VerifyReport> verifyModel(const std::filesystem::path& model, const ProgressCallback& progress,
                                 std::stop_token stop);

struct RandomModelRequest {
    enum class Experts { kAsConfig, kMxfp4 };
    std::filesystem::path config;                         // pattern: a config.json or a model folder
    std::filesystem::path folder;                         // to make; appears only when complete
    uint64_t seed = 0;                                    // 0 gives the documented reference values
    uint64_t shardBytes = 4ULL << 30;                     // largest shard; a single tensor may exceed it
    std::optional<std::filesystem::path> tokenizer = {};  // copied in as tiktoken.model
    std::optional<int64_t> layers = {}, experts = {};     // fewer than the pattern has
    Experts expertFormat = Experts::kAsConfig;
};
struct RandomModelReport {
    uint64_t parameters = 0, tensors = 0, shards = 0, bytes = 0;
    double seconds = 0;
};
// Errors: kInvalidArgument (folder exists, impossible sizes), kBusy (another run is making it), kIo (disk full: checked first), kCancelled;
// nothing but missing parent folders is left behind.
Result<RandomModelReport> writeRandomModel(const RandomModelRequest& request, const ProgressCallback& progress,
                                           std::stop_token stop);

}  // namespace pal
