// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/base/result.h"
#include "engine/exec/checkpoints.h"
#include "engine/exec/forward.h"
#include "engine/exec/prompt.h"
#include "engine/exec/runtime.h"
#include "engine/exec/state_archive.h"
#include "engine/exec/step_probes.h"

namespace pal {

struct TimelineOptions {
    int64_t chunkTokens = 512;
    DType latent = DType::kF32;
    uint64_t checkpointBytes = 0;
    StateStore* states = nullptr;  // keeps states beyond the timeline's life; must outlive it
    StateFamilies families{};
};

// Memory that a timeline needs only while it reads; the engine lends the same to all, one after the other.
struct TimelineScratch {
    explicit TimelineScratch(const Runtime& runtime, uint64_t mediaBytes = 0)
        : forward(runtime.weights(), runtime.backend()),
          media(mediaBytes),
          probes(runtime.plan(), runtime.backend()),
          blocks(runtime.backend()) {}
    Forward forward;
    Buffer undo;  // the recurrent part before the running chunk
    MediaCache media;
    StepProbes probes;
    HostBlocks blocks;  // for states on their way to the store
};

// What one session has read: the identity of every token, the live state, and checkpoints on the way. Engine thread. Borrows runtime
// and scratch. An exception (bad_alloc) or error leaves it as after a shorter prompt.
class Timeline {
  public:
    Timeline(const Runtime& runtime, TimelineScratch& scratch, const TimelineOptions& options);

    struct Progress {
        int64_t reused = 0;
        int64_t computed = 0;
        int64_t total = 0;
        int64_t restored = 0;       // of the reused: read from the state store
        double restoreSeconds = 0;  // looking there and reading
    };
    // Called after every chunk, and once before the first.
    using OnProgress = std::function<void(const Progress&)>;

    // Makes the state cover exactly `prompt`, from the longest stored prefix on, and returns how much was reused and computed. Steps end at
    // absolute multiples of the chunk size and at checkpoints, so over the same message
    // boundaries a resumed run takes the same steps as one that was never interrupted.
    // Where a step finds no memory, checkpoints give theirs, one after the other. On an error (kCancelled, kOutOfMemory, kDeviceLost) what is finished stays as a prefix. Checkpoints of another continuation go
    // when the first chunk of this one is read, not before.
    Result<Progress> sync(const CheckedPrompt& prompt, const OnProgress& progress, const std::stop_token& stop);

    // Reads one more token, and says what that did when `probes` asks for it. After an error the live state is gone, checkpoints stay.
    // What a draw at `temperature` needs to know of the next logits is found out on the way: digest().
    Result<std::optional<UnmadeProbe>> append(TokenId token, const ProbeRequest& probes = {}, float temperature = 0);

    // What reading the last token of the prompt did, after a sync() to which `prompt.probes` said kSummary or more. Without layers when it was not read
    // but found.
    [[nodiscard]] UnmadeProbe lastTokenProbe(const CheckedPrompt& prompt);
    // Reads the window of `prompt.probes` again, after a sync() to that prompt. Neither the live state nor a checkpoint changes. `progress` is told
    // tokens done and in all. Errors: as sync.
    Result<WindowProbe> probeWindow(const CheckedPrompt& prompt, const std::function<void(int64_t, int64_t)>& progress,
                                    const std::stop_token& stop);

    // [vocabulary], of the token after the last one; after a successful sync() or append().
    [[nodiscard]] std::span<const float> logits() const { return logits_.values(); }
    // Of the logits for draws at `temperature`; empty when append() was told another one, and after sync().
    [[nodiscard]] std::span<const LogitBlock> digest(float temperature) const { return logits_.digest(temperature); }
    [[nodiscard]] int64_t position() const { return state_ ? state_->position() : 0; }
    [[nodiscard]] const CheckpointStore& checkpoints() const { return checkpoints_; }

    // Stores what is not stored yet, so that nothing before position() has to be computed again. At the end of each request.
    void save();
    // What the state store could not do since the last call.
    [[nodiscard]] std::optional<Error> takeStateProblem();

    // Drops everything: numbers that broke down would live on in the recurrent state.
    void forget();

  private:
    Result<SequenceState> stateBefore(const CheckedPrompt& prompt, int64_t position) const;
    [[nodiscard]] std::span<const float> knownLogits(int64_t position) const;
    Result<> startFrom(const CheckedPrompt& prompt, Progress& progress);
    Result<> startFromCheckpoint(const Checkpoint* checkpoint);
    Result<bool> restore(const CheckedPrompt& prompt, int64_t common, int64_t atLeast);
    Result<> makeRoom(const std::function<Result<>()>& work);
    Result<> readChunk(const CheckedPrompt& prompt, PromptReader& reader, int64_t end, const std::stop_token& stop);
    Result<> keepUndo();
    void undo();
    void follow(std::span<const uint64_t> read);
    Result<> takeLogits(const ConstTensorView& view);
    void leaveCheckpoint();
    void savePath(StateArchive::Keep keep);
    void saveWhenDue();

    const Runtime& runtime_;
    TimelineOptions options_;
    TimelineScratch& scratch_;
    std::vector<uint64_t> identities_;  // of the path that the state and the checkpoints lie on, to its farthest point
    std::optional<SequenceState> state_;  // at the path's end, or before it after going back
    HostLogits logits_;
    std::optional<ProbedStep> lastRead_;  // of the prompt's last token
    CheckpointStore checkpoints_;
    std::optional<StateArchive> archive_;
};

}  // namespace pal
