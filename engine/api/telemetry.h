// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/api/engine.h"
#include "engine/base/result.h"

namespace pal {

struct DumpRequest {
    std::filesystem::path model;
    std::filesystem::path ids;    // safetensors with `ids` and maybe vision.<n>.pixels and vision.<n>.grid
    std::filesystem::path out;    // safetensors to write
    std::vector<int64_t> splits;  // positions where the prompt is cut into separate steps, ascending
    int64_t greedy = 0;           // tokens to continue with
    EngineOptions engine;
};
// All intermediates of a prompt; blocks. Errors: those of loadEngine and of the files; kInvalidArgument for what does not fit, with numbers.
Result<> dumpModel(const DumpRequest& request);

struct BenchRequest {
    std::filesystem::path model;
    std::vector<int64_t> prefillTokens{128, 512, 2048};
    std::vector<int64_t> decodeContexts{1024, 32768};
    int64_t decodeTokens = 16;  // per context
    EngineOptions engine;
};
struct PartCost {
    std::string part;          // "kda", "mla", "mlp", "moe", "router", "head", "other"
    double seconds = 0;        // per token
    uint64_t weightBytes = 0;  // read per token
};
struct PrefillRate {
    int64_t tokens = 0;
    double seconds = 0;
    double flops = 0;             // 2 per multiply-add of linear layers and experts, per second of those ops
    std::vector<PartCost> parts;  // time per token of the prompt
    std::vector<std::array<int64_t, 4>> products;  // of those ops: {tokens, rows, cols, how many}
};
struct DecodeRate {
    int64_t context = 0;
    double secondsPerToken = 0;
    uint64_t weightBytes = 0;  // read per token
    uint64_t stateBytes = 0;   // of states (read and written) and latents (read) per token
    std::vector<PartCost> parts;
};
struct BenchReport {
    std::string device;
    double loadSeconds = 0;
    uint64_t modelBytes = 0;
    double streamBytesPerSecond = 0;  // a plain read of the weights with the same number of threads; 0 on a GPU
    std::vector<PrefillRate> prefill;
    std::vector<DecodeRate> decode;
};
// Where the time goes; blocks. Prompts are random ids, contexts random latents, since values do not change the work.
// `progress` gets one line per step. Errors: those of loadEngine; kInvalidArgument for lengths below 1.
Result<BenchReport> benchModel(const BenchRequest& request, const std::function<void(std::string_view)>& progress);

}  // namespace pal
