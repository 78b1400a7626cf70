// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/timeline.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "engine/exec/next_tokens.h"
#include "engine/exec/window_probe.h"
#include "engine/state/device_room.h"

namespace pal {

namespace {

// Runs `undo` at the end of its scope, also when an exception leaves it, unless keep() was called.
template <typename Undo>
class Rollback {
  public:
    explicit Rollback(Undo undo) : undo_(std::move(undo)) {}
    Rollback(const Rollback&) = delete;
    Rollback& operator=(const Rollback&) = delete;
    ~Rollback() {
        if (!kept_) undo_();
    }
    void keep() { kept_ = true; }

  private:
    Undo undo_;
    bool kept_ = false;
};

}  // namespace

Timeline::Timeline(const Runtime& runtime, TimelineScratch& scratch, const TimelineOptions& options)
    : runtime_(runtime), options_(options), scratch_(scratch), checkpoints_(options.checkpointBytes) {
    if (options.states != nullptr) {
        archive_.emplace(*options.states, options.families, runtime.backend(), runtime.stateLayout(options.latent),
                         &scratch.blocks);
    }
}

// Puts the live state at the longest usable prefix of `prompt`. On an error at most the logits are gone.
Result<> Timeline::startFrom(const CheckedPrompt& prompt, Progress& progress) {
    const auto [mine, theirs] =
        std::mismatch(identities_.begin(), identities_.end(), prompt.identities.begin(), prompt.identities.end());
    const int64_t common = mine - identities_.begin();
    const auto usable = [&](int64_t position, bool hasLogits) {
        return position <= common && (position < prompt.size() || hasLogits);
    };
    const Checkpoint* checkpoint = checkpoints_.latest(common, prompt.size());
    const int64_t kept = checkpoint != nullptr ? checkpoint->state.position() : 0;
    const bool live = state_ && usable(position(), !logits_.empty()) && position() >= kept;
    if (archive_) {
        const auto start = std::chrono::steady_clock::now();
        // Reading takes longer than computing a few tokens: to go on, it must save a chunk. Going back it finds the very state that was
        // here before, which a session that was closed in between would find, too.
        const int64_t atLeast = live ? position() + options_.chunkTokens : kept + 1;
        PAL_ASSIGN(const bool restored, restore(prompt, common, atLeast));
        progress.restored = restored ? position() : 0;
        progress.restoreSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (restored) return {};
    }
    if (!live) PAL_TRY(startFromCheckpoint(checkpoint));
    if (archive_) archive_->goBack(position());
    return {};
}

Result<> Timeline::startFromCheckpoint(const Checkpoint* checkpoint) {
    if (checkpoint != nullptr) {
        PAL_ASSIGN(SequenceState state, checkpoint->state.clone());
        PAL_TRY(logits_.assign(runtime_.backend(), checkpoint->logits));
        state_ = std::move(state);
    } else {
        const StateLayout layout = runtime_.stateLayout(options_.latent);
        PAL_ASSIGN(state_, SequenceState::create(runtime_.backend(), layout));
        logits_.clear();
    }
    return {};
}

// Reads the longest stored state that covers `atLeast` tokens of the prompt.
Result<bool> Timeline::restore(const CheckedPrompt& prompt, int64_t common, int64_t atLeast) {
    if (atLeast > prompt.size()) return false;
    std::vector<uint64_t> path = prompt.identities;  // nothing may fail once the archive is on the prompt's path
    auto searched = archive_->find(prompt.identities, atLeast);
    if (!searched.has_value() || !*searched) return false;  // without memory for it the prompt is computed
    std::optional<StateArchive::Found>& found = *searched;
    if (!logits_.assign(runtime_.backend(), found->logits).has_value()) return false;
    path.resize(static_cast<size_t>(found->state.position()));
    checkpoints_.dropAfter(common);
    identities_ = std::move(path);
    state_ = std::move(found->state);
    archive_->goBack(position());
    return true;
}

Result<Timeline::Progress> Timeline::sync(const CheckedPrompt& prompt, const OnProgress& progress,
                                          const std::stop_token& stop) {
    Progress done;
    lastRead_.reset();
    PAL_TRY(startFrom(prompt, done));
    done.reused = position();
    done.total = prompt.size();
    const std::vector<int64_t> marks =
        checkpointPositions(position(), prompt.size(), prompt.prompt.boundaries, options_.chunkTokens);
    PromptReader reader(prompt, runtime_, scratch_.forward, scratch_.media);
    progress(done);
    while (position() < prompt.size()) {
        const int64_t border = (position() / options_.chunkTokens + 1) * options_.chunkTokens;
        const auto mark = std::upper_bound(marks.begin(), marks.end(), position());
        PAL_TRY(makeRoom([&] { return readChunk(prompt, reader, std::min(border, *mark), stop); }));
        if (position() == *mark) {
            leaveCheckpoint();
            savePath(StateArchive::Keep::kLasting);
        } else {
            saveWhenDue();
        }
        done.computed = position() - done.reused;
        progress(done);
    }
    return done;
}

// Does the work, which an error undoes. A checkpoint only saves work: while memory is short it gives way.
Result<> Timeline::makeRoom(const std::function<Result<>()>& work) {
    while (true) {
        const Result<> done = work();
        if (done || done.error().code != ErrorCode::kOutOfMemory || !state_) return done;
        PAL_TRY(toResult(runtime_.backend().finish()));  // a lost device has no memory either
        if (!checkpoints_.dropLeast()) return done;
    }
}

Result<> Timeline::readChunk(const CheckedPrompt& prompt, PromptReader& reader, int64_t end,
                             const std::stop_token& stop) {
    if (stop.stop_requested())
        return fail(ErrorCode::kCancelled, "stopped at token {} of {}", position(), prompt.size());
    const int64_t begin = position();
    PAL_TRY(keepUndo());
    logits_.clear();
    Rollback rollback([&] { position() == begin ? undo() : state_.reset(); });
    PromptReader::Part part{begin, end, LogitRows::kNone, nullptr, nullptr};
    const ProbeRequest& look = prompt.prompt.probes;
    if (end == prompt.size()) {
        part.logits = LogitRows::kLast;
        if (look.level != ProbeLevel::kOff) {
            PAL_TRY(scratch_.probes.prepare({end - begin, 1, 1, look.regionEnds, look.topKeys, 0, {}}));
            part.probes = &scratch_.probes;
        }
    }
    PAL_ASSIGN(const ConstTensorView logits, reader.read(part, *state_, stop));
    const std::span identities(prompt.identities);
    follow(identities.subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin)));
    if (part.probes != nullptr) lastRead_ = scratch_.probes.take();
    if (logits.present()) PAL_TRY(takeLogits(logits));
    rollback.keep();
    return {};
}

Result<std::optional<UnmadeProbe>> Timeline::append(TokenId token, const ProbeRequest& probes, float temperature) {
    const bool looked = probes.level != ProbeLevel::kOff;
    PAL_TRY(makeRoom([&] { return state_->reserve(1); }));
    logits_.clear();
    Rollback rollback([&] {
        static_cast<void>(
            runtime_.backend().finish());  // what an exception left queued must not run on a state that is gone
        state_.reset();
    });
    StepInput input;
    input.ids = std::span(&token, 1);
    input.delivery = &logits_;
    input.temperature = temperature;
    if (looked) {
        PAL_TRY(scratch_.probes.prepare({1, 1, 1, probes.regionEnds, probes.topKeys, 0, {}}));
        input.probes = &scratch_.probes;
    }
    PAL_TRY(scratch_.forward.step(input, *state_).map([](const auto&) {}));
    const uint64_t identity = tokenIdentity(token);
    follow(std::span(&identity, 1));
    UnmadeProbe probe;
    if (looked) probe.step = scratch_.probes.take();
    logits_.keep();
    rollback.keep();
    saveWhenDue();
    if (!looked) return std::nullopt;
    probe.rest.position = position() - 1;
    probe.rest.token = token;
    describeNext(logits(), digest(temperature), logits_.moments(), probe.rest);
    return probe;
}

UnmadeProbe Timeline::lastTokenProbe(const CheckedPrompt& prompt) {
    UnmadeProbe probe;
    probe.rest.position = prompt.size() - 1;
    probe.rest.token = prompt.prompt.ids.back();
    describeNext(logits(), {}, {}, probe.rest);
    probe.step = std::exchange(lastRead_, std::nullopt);
    return probe;
}

// A state of the prompt's first tokens, at most `position` of them: the live one, a checkpoint, a stored one or an empty one.
Result<SequenceState> Timeline::stateBefore(const CheckedPrompt& prompt, int64_t position) const {
    const Checkpoint* checkpoint = checkpoints_.latest(position, prompt.size() + 1);
    const int64_t kept = checkpoint != nullptr ? checkpoint->state.position() : 0;
    if (state_ && state_->position() <= position && state_->position() >= kept) return state_->clone();
    if (options_.states != nullptr && position - kept > options_.chunkTokens) {
        StateArchive archive(*options_.states, options_.families, runtime_.backend(),
                             runtime_.stateLayout(options_.latent));
        const std::span<const uint64_t> path(prompt.identities);
        PAL_ASSIGN(auto found, archive.find(path.first(static_cast<size_t>(position)), kept + options_.chunkTokens));
        if (found) return std::move(found->state);
    }
    if (checkpoint != nullptr) return checkpoint->state.clone();
    return SequenceState::create(runtime_.backend(), runtime_.stateLayout(options_.latent));
}

std::span<const float> Timeline::knownLogits(int64_t position) const {
    if (state_ && state_->position() == position) return logits();
    const Checkpoint* checkpoint = checkpoints_.latest(position, position);
    if (checkpoint == nullptr || checkpoint->state.position() != position) return {};
    return checkpoint->logits;
}

Result<WindowProbe> Timeline::probeWindow(const CheckedPrompt& prompt,
                                          const std::function<void(int64_t, int64_t)>& progress,
                                          const std::stop_token& stop) {
    const ProbeRequest& look = prompt.prompt.probes;
    PAL_ASSIGN(SequenceState start, stateBefore(prompt, look.begin));
    const int64_t tokens = look.end - start.position();
    const WindowTools tools{runtime_, scratch_.forward, scratch_.media, scratch_.probes, options_.chunkTokens};
    std::vector<float> logits;
    progress(0, tokens);
    PAL_ASSIGN(WindowProbe window,
               pal::probeWindow(
                   tools, prompt, std::move(start), [&](int64_t done) { progress(done, tokens); }, stop, logits));
    const std::span<const float> known = knownLogits(look.end);
    for (size_t i = 0; i < known.size(); ++i) {
        window.maxLogitDifference = std::max(window.maxLogitDifference, std::abs(known[i] - logits[i]));
    }
    return window;
}

// The state has read tokens of these identities: from where it was before, this is the path.
void Timeline::follow(std::span<const uint64_t> read) {
    const int64_t begin = position() - std::ssize(read);
    checkpoints_.dropAfter(begin);
    identities_.resize(static_cast<size_t>(begin));
    identities_.insert(identities_.end(), read.begin(), read.end());
}

Result<> Timeline::keepUndo() {
    const size_t bytes = state_->layout().recurrentBytes();
    if (scratch_.undo.data() == nullptr) scratch_.undo = runtime_.backend().allocate(bytes);
    if (scratch_.undo.data() == nullptr) return noRoom(runtime_.backend(), "the state before a chunk", bytes);
    runtime_.backend().copy(scratch_.undo.data(), state_->recurrent(), bytes);
    return {};
}

void Timeline::undo() {
    runtime_.backend().copy(state_->recurrent(), scratch_.undo.data(), state_->layout().recurrentBytes());
}

Result<> Timeline::takeLogits(const ConstTensorView& view) {
    PAL_TRY(logits_.fetch(runtime_.backend(), view));
    PAL_TRY(toResult(runtime_.backend().finish()));
    logits_.keep();
    return {};
}

void Timeline::forget() {
    state_.reset();
    logits_.clear();
    identities_.clear();
    checkpoints_.dropAfter(-1);
    archive_.reset();  // neither what is stored of this path nor what comes is to be trusted
}

// A prompt that was not read to its end has no logits yet and goes on from here.
void Timeline::save() {
    if (state_) savePath(logits_.empty() ? StateArchive::Keep::kUntilNext : StateArchive::Keep::kLasting);
}

// The state lies on the path, maybe before its end after going back. Numbers that broke down are not kept.
void Timeline::savePath(StateArchive::Keep keep) {
    const bool sound = std::ranges::all_of(logits(), [](float x) { return std::isfinite(x); });
    if (archive_ && sound) archive_->saveCheckpoint(*state_, identities_, logits(), keep);
}

void Timeline::saveWhenDue() {
    if (!archive_) return;
    archive_->savePages(*state_, identities_);
    if (archive_->checkpointDue(position())) savePath(StateArchive::Keep::kUntilNext);
}

std::optional<Error> Timeline::takeStateProblem() {
    return archive_ ? archive_->takeProblem() : std::nullopt;
}

// No device memory for a checkpoint is no reason to stop: going back will only take longer.
void Timeline::leaveCheckpoint() {
    if (!checkpoints_.enabled()) return;
    if (auto copy = state_->clone()) checkpoints_.add({std::move(*copy), {logits().begin(), logits().end()}});
}

}  // namespace pal
