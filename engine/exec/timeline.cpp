// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/timeline.h"

#include <algorithm>
#include <utility>

namespace pal {

Timeline::Timeline(const Runtime& runtime, const TimelineOptions& options)
    : runtime_(runtime),
      options_(options),
      forward_(runtime.weights(), runtime.backend()),
      checkpoints_(options.checkpointBytes) {}

// Puts the live state at the longest usable prefix of `prompt`. Changes nothing on an error.
Result<> Timeline::startFrom(const CheckedPrompt& prompt) {
    const auto [mine, theirs] =
        std::mismatch(identities_.begin(), identities_.end(), prompt.identities.begin(), prompt.identities.end());
    const int64_t common = mine - identities_.begin();
    const auto usable = [&](int64_t position, bool hasLogits) {
        return position <= common && (position < prompt.size() || hasLogits);
    };
    const Checkpoint* checkpoint = checkpoints_.latest(common, prompt.size());
    const int64_t stored = checkpoint != nullptr ? checkpoint->state.position() : 0;
    if (state_ && usable(position(), !logits_.empty()) && position() >= stored) {
        checkpoints_.dropAfter(position());
        return {};
    }
    if (checkpoint != nullptr) {
        PAL_ASSIGN(state_, checkpoint->state.clone());
        logits_ = checkpoint->logits;
    } else {
        const StateLayout layout = forward_.stateLayout(options_.latent);
        PAL_ASSIGN(state_, SequenceState::create(runtime_.backend(), layout));
        logits_.clear();
    }
    identities_.resize(static_cast<size_t>(stored));
    checkpoints_.dropAfter(stored);
    return {};
}

Result<Timeline::Progress> Timeline::sync(const CheckedPrompt& prompt, const OnProgress& progress,
                                          const std::stop_token& stop) {
    PAL_TRY(startFrom(prompt));
    Progress done{position(), 0, prompt.size()};
    const std::vector<int64_t> marks =
        checkpointPositions(position(), prompt.size(), prompt.prompt.boundaries, options_.chunkTokens);
    PromptReader reader(prompt, runtime_, forward_);
    progress(done);
    while (position() < prompt.size()) {
        const int64_t border = (position() / options_.chunkTokens + 1) * options_.chunkTokens;
        const auto mark = std::upper_bound(marks.begin(), marks.end(), position());
        PAL_TRY(readChunk(prompt, reader, std::min(border, *mark), stop));
        if (position() == *mark) leaveCheckpoint();
        done.computed = position() - done.reused;
        progress(done);
    }
    return done;
}

Result<> Timeline::readChunk(const CheckedPrompt& prompt, PromptReader& reader, int64_t end,
                             const std::stop_token& stop) {
    if (stop.stop_requested())
        return fail(ErrorCode::kCancelled, "stopped at token {} of {}", position(), prompt.size());
    const int64_t begin = position();
    PAL_TRY(keepUndo());
    logits_.clear();
    const LogitRows rows = end == prompt.size() ? LogitRows::kLast : LogitRows::kNone;
    const auto logits = reader.read({begin, end, rows, nullptr}, *state_, stop);
    if (!logits) {
        undo();
        return fail(logits.error());
    }
    identities_.insert(identities_.end(), prompt.identities.begin() + begin, prompt.identities.begin() + end);
    if (logits->present()) takeLogits(*logits);
    return {};
}

Result<> Timeline::append(TokenId token) {
    logits_.clear();
    StepInput input;
    input.ids = std::span(&token, 1);
    const auto logits = forward_.step(input, *state_);
    if (!logits) {
        state_.reset();
        return fail(logits.error());
    }
    identities_.push_back(tokenIdentity(token));
    takeLogits(*logits);
    return {};
}

Result<> Timeline::keepUndo() {
    const size_t bytes = state_->layout().recurrentBytes();
    if (undo_.data() == nullptr) undo_ = runtime_.backend().allocate(bytes);
    if (undo_.data() == nullptr) return fail(ErrorCode::kOutOfMemory, "a chunk needs {} bytes to be undone", bytes);
    runtime_.backend().copy(undo_.data(), state_->recurrent(), bytes);
    return {};
}

void Timeline::undo() {
    runtime_.backend().copy(state_->recurrent(), undo_.data(), state_->layout().recurrentBytes());
}

void Timeline::takeLogits(const ConstTensorView& view) {
    logits_.resize(static_cast<size_t>(view.elements()));
    runtime_.backend().download(std::as_writable_bytes(std::span(logits_)), view.data);
}

void Timeline::forget() {
    state_.reset();
    logits_.clear();
    identities_.clear();
    checkpoints_.dropAfter(-1);
}

// No memory for a checkpoint is no reason to stop: going back will only take longer.
void Timeline::leaveCheckpoint() {
    if (!checkpoints_.enabled()) return;
    if (auto copy = state_->clone()) checkpoints_.add({std::move(*copy), logits_});
}

}  // namespace pal
