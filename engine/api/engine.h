// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/api/session.h"
#include "engine/api/state_store.h"
#include "engine/api/tokenizer.h"
#include "engine/base/result.h"

namespace pal {

enum class Device { kCpu, kCuda };
enum class LatentType { kFloat32, kBFloat16 };

struct EngineOptions {
    Device device = Device::kCpu;
    int threads = 0;            // CPU threads; 0: one per core
    int64_t contextTokens = 0;  // upper limit of a session; 0: what the model allows
    int64_t chunkTokens = 512;  // prefill step, a multiple of 64 up to 65536; steps also end at its multiples
    LatentType latents = LatentType::kFloat32;  // of the MLA cache; bfloat16 halves it
    // Per session for states to go back to, in the device's memory; 0: none. Of a GPU at most what its plan leaves (GpuPlan::spareBytes).
    uint64_t checkpointBytes = 2ULL << 30;
    uint64_t mediaBytes = 256ULL << 20;  // for embeddings of media that were read before, of all sessions
    size_t eventCapacity = 4096;         // events of a session that may wait to be drained before its request is parked
    std::shared_ptr<StateStore> states;  // keeps sessions beyond the engine's life, finds them again; may be null
    // Of a GPU (gpu_plan.h): bytes of its memory that may be used, 0: what is free; layers with their experts in RAM, by default as few as fit.
    uint64_t gpuBytes = 0;
    std::optional<int64_t> ramLayers = {};
};

struct ModelInfo {
    std::filesystem::path folder;  // where its files are
    std::string architecture;
    std::string fingerprint;  // of config and weights, 32 hexadecimal digits
    std::string device;       // "cpu, AVX-512, 2 threads"
    int64_t vocabulary = 0;
    int64_t contextTokens = 0;
    bool vision = false;
    std::optional<TokenId> mediaPlaceholder;
    std::vector<TokenId> stopIds;     // eos_token_id of config.json
    uint64_t stateBytes = 0;          // recurrent part of one session, fixed size
    uint64_t stateBytesPerToken = 0;  // growing part
};

// A loaded model with its engine thread. Thread-safe. Destroying it cancels all requests.
class Engine {
  public:
    virtual ~Engine() = default;
    [[nodiscard]] virtual const ModelInfo& model() const = 0;
    // Embedding rows (= placeholders in the prompt) that a medium takes. Errors: kInvalidArgument naming both numbers, kUnsupported.
    [[nodiscard]] virtual Result<int64_t> mediaRows(const MediaInput& media) const = 0;
    // What EngineOptions::states has of a prompt, so that a caller can say beforehand what opening it takes: the `checkpoint`'s tokens need
    // not be computed, `bytes` are read instead. Errors: of a prompt that cannot work, as Session::sync.
    struct StoredPrefix {
        StateId checkpoint;  // its tokens are 0 when nothing is stored
        uint64_t bytes = 0;
    };
    [[nodiscard]] virtual Result<StoredPrefix> storedPrefix(const Prompt& prompt) const = 0;
    // What the window of `prompt.probes` takes, so that a caller can say so beforehand: tokens to compute, at most (a session may have a nearer
    // state in memory than there is in EngineOptions::states), and bytes of its values. Errors: as Session::sync.
    struct WindowCost {
        int64_t tokens = 0;
        uint64_t bytes = 0;
    };
    [[nodiscard]] virtual Result<WindowCost> windowCost(const Prompt& prompt) const = 0;
    // `wakeup` is called when events wait, from any thread; it must return at once and not call back, and is not called after the
    // session's destructor returned (which waits for a call that is running). It may be empty.
    virtual Result<std::unique_ptr<Session>> openSession(std::function<void()> wakeup) = 0;
};

// Loads a checkpoint folder. Blocks: call from a worker thread. Errors: those of reading the folder; kUnsupported with the reason when
// there is no such device; kOutOfMemory. After a request that ended with kDeviceLost every other does: the device does not come back, what
// was stored goes on in an engine on the CPU.
Result<std::unique_ptr<Engine>> loadEngine(const std::filesystem::path& folder, const EngineOptions& options);

}  // namespace pal
