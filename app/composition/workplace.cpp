// SPDX-License-Identifier: Apache-2.0
#include "app/composition/workplace.h"

#include <limits>

#include "app/composition/stored_replies.h"

namespace pal {
namespace {

constexpr std::string_view kBudgetKey = "state_budget";
constexpr uint64_t kProbeShare =
    32;  // what was seen of replies takes at most this part of the states' disk in addition

}  // namespace

Result<std::unique_ptr<Workplace>> Workplace::open(const WorkplaceOptions& options) {
    std::unique_ptr<Workplace> place(new Workplace());
    PAL_ASSIGN(place->library_, ChatLibrary::open(options.places, options.program, options.changed));
    place->notes_ = place->library_->notes();
    StateLibraryOptions states;
    states.folder = options.places.states;
    PAL_ASSIGN(states.budgetBytes, place->stateBudget(options.stateBytes));
    const uint64_t stateBytes = states.budgetBytes;
    if (options.evict == WorkplaceOptions::Evict::kNothing) {
        states.budgetBytes = std::numeric_limits<uint64_t>::max();
        states.spareBytes = 0;
    }
    auto opened = StateLibrary::open(states);
    if (opened) {
        place->states_ = std::move(*opened);
    } else {
        place->notes_.push_back("sessions are read again from their text: " + opened.error().message);
    }
    place->evicts_ = options.evict == WorkplaceOptions::Evict::kOverBudget;
    place->documentPassword_ = options.documentPassword;
    place->probeFile_ = options.places.states / "probes.db";
    place->openProbes(stateBytes);
    return place;
}

// What was seen of models lies beside the states: losing it costs nothing but the sight of it. Where no disk may be used, nothing is kept.
void Workplace::openProbes(uint64_t stateBytes) {
    if (stateBytes < kProbeShare) return;
    ProbeLibraryOptions probes;
    probes.file = probeFile_;
    probes.budgetBytes = evicts_ ? stateBytes / kProbeShare : std::numeric_limits<uint64_t>::max();
    probes.series = &seriesOf;
    auto opened = ProbeLibrary::open(probes);
    if (!opened) {
        notes_.push_back("what models do is not kept: " + opened.error().message);
        return;
    }
    probes_ = std::move(*opened);
    if (!evicts_) return;
    const auto sessions = library_->reader().sessions().list(0);
    if (!sessions) return;
    std::vector<int64_t> ids;
    for (const SessionSummary& session : *sessions) ids.push_back(session.id);
    probes_->keepOnly(std::move(ids));
}

Result<uint64_t> Workplace::stateBudget(const std::optional<uint64_t>& wanted) {
    if (!wanted) return keptStateBudget(*library_);
    if (!library_->writable()) return *wanted;
    PAL_TRY(keepStateBudget(*wanted));
    return *wanted;
}

Result<uint64_t> keptStateBudget(ChatLibrary& library) {
    constexpr uint64_t kDefault = 32ULL << 30;
    PAL_ASSIGN(const std::optional<int64_t> kept, library.reader().number(kBudgetKey));
    return kept ? static_cast<uint64_t>(*kept) : kDefault;
}

Result<> Workplace::keepStateBudget(uint64_t bytes) {
    return library_->writeNow(
        [bytes](ChatDatabase& database) { return database.setNumber(kBudgetKey, static_cast<int64_t>(bytes)); });
}

Result<> Workplace::setStateBudget(uint64_t bytes) {
    PAL_TRY(keepStateBudget(bytes));
    if (probes_ && evicts_) {
        probes_->setBudget(bytes / kProbeShare);
    } else if (!probes_) {
        openProbes(bytes);
        if (runner_) runner_->keepProbes(probes_);
    }
    return states_ ? states_->setBudget(bytes) : Result<>{};
}

Workplace::~Workplace() {
    static_cast<void>(close());
}

Result<> Workplace::loadModel(const std::filesystem::path& folder, EngineOptions options, std::function<void()> wakeup,
                              const LoadWatch& watch) {
    runner_.reset();
    engine_.reset();
    options.states = states_;
    PAL_ASSIGN(engine_, loadEngine(folder, options, watch));
    PAL_ASSIGN(runner_, ChatRunner::open(*library_, *engine_, std::move(wakeup)));
    runner_->keepProbes(probes_);
    runner_->setDocumentPassword(documentPassword_);
    return {};
}

void Workplace::setDocumentPassword(const std::string& password) {
    documentPassword_ = password;
    if (runner_) runner_->setDocumentPassword(password);
}

Result<> Workplace::close() {
    if (!library_) return {};
    std::optional<Error> problem;
    if (states_) {
        states_->flush();
        problem = states_->takeProblem();
    }
    if (runner_ && library_->writable()) {
        // A list only shows it, so it is no reason not to close.
        for (const SessionId session : runner_->touched()) static_cast<void>(runner_->noteStored(session));
    }
    runner_.reset();
    engine_.reset();
    states_.reset();
    probes_.reset();
    const auto closed = library_->close();
    library_.reset();
    if (closed && problem) return fail(problem->withContext("states"));
    return closed;
}

}  // namespace pal
