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
#include "engine/api/gpu_plan.h"
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
// All calls of an op for a part, over the tokens that were timed: what it takes, and what it cannot do without (inputs and outputs moved once, two
// FLOPs per multiply-add).
struct OpUse {
    std::string op, part;
    int64_t calls = 0;
    double seconds = 0;
    uint64_t bytes = 0;
    double flops = 0;
};
// Bytes that came over the link and time, as the plan has them and as they were; without experts in RAM there are no such bytes.
struct Prediction {
    uint64_t linkBytes = 0, measuredLinkBytes = 0;
    double seconds = 0;  // at least; 0: not known
};
struct PrefillRate {
    int64_t tokens = 0;
    double seconds = 0;
    double flops = 0;             // 2 per multiply-add of linear layers and experts, per second of those ops
    std::vector<PartCost> parts;  // time per token of the prompt
    std::vector<std::array<int64_t, 4>> products;  // of those ops: {tokens, rows, cols, how many}
    std::vector<OpUse> ops;                        // longest first
    Prediction prediction;                         // of the prompt; its seconds are those of the link alone
};
// Some of the tokens of a DecodeRate, and the plain read right before them, so that both meet the same state of a shared machine; 0 on a GPU.
struct DecodeRound {
    double streamBytesPerSecond = 0, secondsPerToken = 0;
};
struct DecodeRate {
    int64_t context = 0;
    double secondsPerToken = 0;
    uint64_t weightBytes = 0;  // read per token
    uint64_t stateBytes = 0;   // of states (read and written) and latents (read) per token
    std::vector<DecodeRound> rounds;
    std::vector<PartCost> parts;
    std::vector<OpUse> ops;  // longest first, over `timedTokens`
    int64_t timedTokens = 0;
    Prediction prediction;  // of a token, on a GPU
};
// What the device can do, measured in the same run; 0: not known.
struct BenchLimits {
    double bytesPerSecond =
        0;  // a copy within a GPU, read plus written; on a CPU a plain read of the weights with the same number of threads
    double flopsPerSecond = 0;  // a bfloat16 product of large square matrices by the backend itself
    double linkBytesPerSecond = 0;
};
struct BenchReport {
    std::string device;
    double loadSeconds = 0;
    uint64_t modelBytes = 0;
    double streamBytesPerSecond = 0;  // the best plain read of the weights with as many threads; 0 on a GPU
    BenchLimits limits;
    bool deviceTimes =
        false;     // ops are timed by events of the device, in steps without a graph; else by a clock around each
    GpuPlan plan;  // on a GPU
    uint64_t gpuBytesTaken = 0;  // of a GPU's memory, at the end
    std::vector<PrefillRate> prefill;
    std::vector<DecodeRate> decode;
};
// Where the time goes; blocks. Prompts are random ids, contexts random latents, since values do not change the work.
// `progress` gets one line per step. Errors: those of loadEngine; kInvalidArgument for lengths below 1.
Result<BenchReport> benchModel(const BenchRequest& request, const std::function<void(std::string_view)>& progress);

}  // namespace pal
