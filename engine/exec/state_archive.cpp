// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/state_archive.h"

#include <xxhash.h>

#include <algorithm>
#include <map>
#include <utility>

#include "engine/exec/forward.h"
#include "engine/state/state_codec.h"

namespace pal {
namespace {

// Raised when a release computes something else, so that states of the one before are not continued; sums in another order, as another
// instruction set makes them, are no such change.
constexpr int kNumericsVersion = 1;
constexpr int64_t kMaxGroupPages = 8;
constexpr size_t kMaxGroupBytes = 8 << 20;

int64_t groupTokensOf(const StateLayout& layout) {
    if (layout.mlaLayers == 0) return 0;
    int64_t pages = kMaxGroupPages;
    while (pages > 1 && layout.pageBytes() * static_cast<size_t>(pages) > kMaxGroupBytes) pages /= 2;
    return pages * kLatentPageTokens;
}

// Tokens whose latents are as many bytes as the recurrent part; for a model without latents the distance that costs least to compute again
// is not known, and a fixed one stands in.
int64_t intervalOf(const StateLayout& layout) {
    constexpr int64_t kWithoutLatents = 16384;
    if (layout.mlaLayers == 0) return kWithoutLatents;
    const auto perToken = static_cast<int64_t>(layout.pageBytes()) / kLatentPageTokens;
    return std::max(kMaxGroupPages * kLatentPageTokens, static_cast<int64_t>(layout.recurrentBytes()) / perToken);
}

Hash128 familyName(const std::string& fingerprint, std::string_view backend, DType activation, DType latent) {
    const std::string text = fmt::format("{}\n{} {} {} {}", fingerprint, kNumericsVersion, backend,
                                         dtypeName(activation), dtypeName(latent));
    const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    return {hash.high64, hash.low64};
}

}  // namespace

StateFamilies stateFamilies(const std::string& modelFingerprint, const BackendInfo& backend, DType latent) {
    StateFamilies out;
    out.own = familyName(modelFingerprint, backend.name, backend.activation, latent);
    for (const char* name : {"cpu", "cuda"}) {
        for (const DType activation : {DType::kF32, DType::kBF16}) {
            for (const DType other : {DType::kF32, DType::kBF16}) {
                const Hash128 family = familyName(modelFingerprint, name, activation, other);
                if (family != out.own) out.convertible.push_back(family);
            }
        }
    }
    return out;
}

StateArchive::StateArchive(StateStore& store, StateFamilies families, Backend& backend, const StateLayout& layout,
                           HostBlocks* blocks)
    : store_(store),
      families_(std::move(families)),
      backend_(backend),
      layout_(layout),
      blocks_(blocks),
      groupTokens_(groupTokensOf(layout)),
      interval_(intervalOf(layout)) {}

// Stored checkpoints whose name a prefix of the prompt has not been compared with yet, longest first; the own family before others.
std::vector<StateArchive::Candidate> StateArchive::candidates(std::span<const uint64_t> prompt, int64_t atLeast) {
    std::vector<Candidate> out;
    const auto add = [&](const Hash128& family, bool own) {
        for (const int64_t tokens : store_.checkpointPositions(family, std::ssize(prompt))) {
            if (tokens >= std::max<int64_t>(atLeast, 1))
                out.push_back({{family, {}, tokens, StatePart::kCheckpoint}, own});
        }
    };
    add(families_.own, true);
    for (const Hash128& family : families_.convertible) add(family, false);
    std::stable_sort(out.begin(), out.end(),
                     [](const Candidate& a, const Candidate& b) { return a.id.tokens > b.id.tokens; });
    PrefixHasher hasher;  // hasher_ stays on the path
    for (auto at = out.rbegin(); at != out.rend(); ++at) at->id.prefix = hasher.at(prompt, at->id.tokens);
    return out;
}

Result<std::optional<StateArchive::Found>> StateArchive::find(std::span<const uint64_t> prompt, int64_t atLeast) {
    std::map<Hash128, int64_t> lost;  // by family: a group that ends beyond is not there
    for (const Candidate& candidate : candidates(prompt, atLeast)) {
        const int64_t groups = groupTokens_ > 0 ? candidate.id.tokens / groupTokens_ * groupTokens_ : 0;
        int64_t& lostFrom = lost.try_emplace(candidate.id.family, std::ssize(prompt)).first->second;
        // Most are of other sequences, which happen to have a checkpoint there.
        if (groups > lostFrom || !store_.contains(candidate.id)) continue;
        PAL_ASSIGN(std::optional<Found> found, load(candidate, prompt, lostFrom));
        if (found) {
            buffer_ = {};
            return found;
        }
    }
    buffer_ = {};
    return std::nullopt;
}

Engine::StoredPrefix StateArchive::longest(std::span<const uint64_t> prompt) {
    for (const Candidate& candidate : candidates(prompt, 1)) {
        const uint64_t bytes = store_.bytesToRead(candidate.id);
        if (bytes > 0) return {candidate.id, bytes};
    }
    return {};
}

// The checkpoint with all its pages, or nothing when a part is missing. `lostFrom` is lowered to the end of the last group that is there.
Result<std::optional<StateArchive::Found>> StateArchive::load(const Candidate& candidate,
                                                              std::span<const uint64_t> prompt, int64_t& lostFrom) {
    const int64_t tokens = candidate.id.tokens;
    const std::vector<Hash128> groups = groupNames(prompt, tokens);
    PartsAhead pages(store_, pagesOf(candidate.id.family, groups));  // begins while the checkpoint is read and decoded
    if (!store_.read(candidate.id, buffer_)) return std::nullopt;
    const auto info = inspectCheckpoint(buffer_.span(), layout_);
    if (!info.has_value() || info->end != tokens || info->begin != std::ssize(groups) * groupTokens_)
        return std::nullopt;
    if (tokens == std::ssize(prompt) && info->logits == 0) return std::nullopt;
    PAL_ASSIGN(SequenceState state, SequenceState::create(backend_, layout_));
    PAL_TRY(state.reserve(tokens));
    PAL_ASSIGN(std::vector<float> logits, decodeCheckpoint(buffer_.span(), backend_, state));
    const bool hasLogits = !logits.empty();
    const bool complete = loadGroups(pages, std::ssize(groups), state, lostFrom);
    if (!arrived() || !complete) return std::nullopt;
    state.advance(tokens);
    groups_.clear();
    groupLost_ = false;
    last_.reset();
    if (candidate.own) {
        groups_ = groups;
        last_ = Saved{tokens, candidate.id.prefix, Keep::kLasting, hasLogits};
    }
    return Found{std::move(state), std::move(logits)};
}

std::vector<StateId> StateArchive::pagesOf(const Hash128& family, const std::vector<Hash128>& groups) const {
    std::vector<StateId> parts;
    for (const Hash128& name : groups)
        parts.push_back({family, name, (std::ssize(parts) + 1) * groupTokens_, StatePart::kPages});
    return parts;
}

bool StateArchive::loadGroups(PartsAhead& pages, int64_t groups, SequenceState& state, int64_t& lostFrom) {
    for (int64_t begin = 0; begin < groups * groupTokens_; begin += groupTokens_) {
        const ByteBuffer* bytes = pages.next();
        if (bytes == nullptr || !decodePages(bytes->span(), backend_, state, begin, begin + groupTokens_).has_value()) {
            lostFrom = begin;
            return false;
        }
    }
    return true;
}

std::vector<Hash128> StateArchive::groupNames(std::span<const uint64_t> path, int64_t tokens) {
    std::vector<Hash128> out;
    if (groupTokens_ == 0) return out;
    PrefixHasher hasher;
    for (int64_t end = groupTokens_; end <= tokens; end += groupTokens_) out.push_back(hasher.at(path, end));
    return out;
}

bool StateArchive::has(StatePart part, const Hash128& prefix, int64_t tokens) const {
    return store_.contains({families_.own, prefix, tokens, part});
}

void StateArchive::goBack(int64_t position) {
    hasher_.restart();
    triedAt_.reset();
    if (groupTokens_ > 0 && std::ssize(groups_) > position / groupTokens_)
        groups_.resize(static_cast<size_t>(position / groupTokens_));
    if (groupTokens_ == 0 || std::ssize(groups_) == position / groupTokens_) groupLost_ = false;
    if (last_ && last_->position > position) last_.reset();
    // Others may have needed the room meanwhile.
    if (last_ && !has(StatePart::kCheckpoint, last_->prefix, last_->position)) last_.reset();
}

// Whether all of what was encoded or decoded just now came over: bytes of a lost device must not get a valid checksum, and a state that is not there
// must not be taken for found.
bool StateArchive::arrived() {
    const Result<> transfers = toResult(backend_.finish());
    if (!transfers) deviceProblem_ = transfers.error();
    return transfers.has_value();
}

std::optional<Error> StateArchive::takeProblem() {
    if (deviceProblem_) return std::exchange(deviceProblem_, {});
    return store_.takeProblem();
}

// The next group of the path, which is full.
bool StateArchive::saveGroup(const SequenceState& state, std::span<const uint64_t> path) {
    const int64_t begin = std::ssize(groups_) * groupTokens_;
    const int64_t end = begin + groupTokens_;
    const Hash128 name = hasher_.at(path, end);
    std::optional<Hash128> before;
    if (!groups_.empty()) before = groups_.back();
    ByteBuffer bytes = encodePages(backend_, state, begin, end, blocks_);
    if (!arrived()) return false;
    store_.write({{families_.own, name, end, StatePart::kPages}, before, std::nullopt, std::move(bytes)});
    groups_.push_back(name);
    return true;
}

// Whether something can continue the groups so far. If not, goes back to the last one that is stored and tries the next.
bool StateArchive::groupsAreThere(const SequenceState& state, std::span<const uint64_t> path) {
    const auto lastIsThere = [&] {
        return groups_.empty() || has(StatePart::kPages, groups_.back(), std::ssize(groups_) * groupTokens_);
    };
    while (!lastIsThere()) {
        groups_.pop_back();
        groupLost_ = true;
    }
    if (!groupLost_) return true;
    if (triedAt_ && state.position() < *triedAt_ + groupTokens_) return false;
    triedAt_ = state.position();
    if (!saveGroup(state, path)) return false;
    store_.flush();
    groupLost_ = !lastIsThere();
    if (groupLost_) groups_.pop_back();
    return !groupLost_;
}

void StateArchive::savePages(const SequenceState& state, std::span<const uint64_t> path) {
    const auto due = [&] { return groupTokens_ > 0 && (std::ssize(groups_) + 1) * groupTokens_ <= state.position(); };
    if (!due() || !groupsAreThere(state, path)) return;
    while (due() && saveGroup(state, path)) continue;
}

void StateArchive::saveCheckpoint(const SequenceState& state, std::span<const uint64_t> path,
                                  std::span<const float> logits, Keep keep) {
    const int64_t position = state.position();
    if (position == 0) return;
    if (last_ && last_->position == position && (last_->logits || logits.empty())) {
        if (keep == Keep::kLasting) last_->keep = keep;
        return;
    }
    savePages(state, path);
    if (!groupsAreThere(state, path) || (groupTokens_ > 0 && std::ssize(groups_) < position / groupTokens_)) return;
    StateWrite write;
    write.id = {families_.own, hasher_.at(path, position), position, StatePart::kCheckpoint};
    if (!groups_.empty()) write.pages = groups_.back();
    if (last_ && last_->keep == Keep::kUntilNext && last_->position != position) write.replaces = last_->prefix;
    write.bytes = encodeCheckpoint(backend_, state, logits, std::ssize(groups_) * groupTokens_, blocks_);
    if (!arrived()) return;
    last_ = Saved{position, write.id.prefix, keep, !logits.empty()};
    store_.write(std::move(write));
}

bool StateArchive::checkpointDue(int64_t position) const {
    return position - (last_ ? last_->position : 0) >= interval_;
}

}  // namespace pal
