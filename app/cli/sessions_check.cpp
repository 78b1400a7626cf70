// SPDX-License-Identifier: Apache-2.0
// `pal sessions verify` and `salvage`.
#include <nlohmann/json.hpp>

#include "app/cli/data_option.h"
#include "app/cli/format.h"
#include "app/cli/print_json.h"
#include "app/cli/sessions_command.h"
#include "app/composition/workplace.h"
#include "storage/chats/salvage.h"
#include "storage/chats/sha256.h"

namespace pal::cli {
namespace {

const char* plural(size_t count) {
    return count == 1 ? "" : "s";
}

// Attachments whose bytes are gone or not what they were.
Result<> checkSources(ChatLibrary& library, std::vector<std::string>& problems) {
    PAL_ASSIGN(const std::vector<Sha256> hashes, library.reader().sources().hashes());
    for (const Sha256& hash : hashes)
        if (const auto sound = library.sources().check(hash); !sound) problems.push_back(sound.error().message);
    return {};
}

Result<int> verify(Terminal& terminal, const SessionsFlags& flags) {
    WorkplaceOptions options;
    PAL_ASSIGN(options.places, placesFrom(flags.data));
    options.program = "pal sessions verify";
    options.evict = WorkplaceOptions::Evict::kNothing;
    PAL_ASSIGN(const auto place, Workplace::open(options));
    ChatLibrary& library = place->library();
    PAL_ASSIGN(std::vector<std::string> problems,
               library.writeNow([](ChatDatabase& database) { return database.problems(); }));
    PAL_TRY(checkSources(library, problems));
    StateLibrary::Verified states;
    if (place->states() != nullptr) states = place->states()->verify();
    PAL_ASSIGN(const std::vector<SessionSummary> sessions, library.reader().sessions().list());
    std::vector<std::string> notes = place->notes();
    if (place->states() != nullptr) {
        if (const auto problem = place->states()->takeProblem()) notes.push_back(problem->message);
    }
    PAL_TRY(place->close());
    if (flags.json) {
        printJson(terminal, nlohmann::json{{"sessions", sessions.size()},
                                           {"problems", problems},
                                           {"notes", notes},
                                           {"state_parts", states.parts},
                                           {"state_bytes", states.bytes},
                                           {"damaged_states", states.damaged}});
    } else {
        for (const std::string& note : notes) terminal.errLine("{}", note);
        for (const std::string& problem : problems) terminal.outLine("{}", problem);
        for (const std::string& part : states.damaged)
            terminal.outLine("state dropped, it is computed again: {}", part);
        terminal.outLine("{} session{}, {} problem{}; {} stored state{}, {}, {} damaged", sessions.size(),
                         plural(sessions.size()), problems.size(), plural(problems.size()), states.parts,
                         plural(static_cast<size_t>(states.parts)), formatBytes(states.bytes), states.damaged.size());
    }
    return problems.empty() ? kExitOk : kExitFailure;
}

Result<int> salvage(Terminal& terminal, const SessionsFlags& flags) {
    PAL_ASSIGN(const DataPlaces places, placesFrom(flags.data));
    PAL_ASSIGN(const FolderOwner owner, FolderOwner::acquire(places, "pal sessions salvage"));
    PAL_ASSIGN(const SalvageReport report, salvageChats(places.data / "chats.db"));
    if (flags.json) {
        printJson(terminal, nlohmann::json{{"sessions", report.sessions},
                                           {"messages", report.messages},
                                           {"lost", report.lost},
                                           {"damaged_file", report.damagedFile.string()}});
    } else {
        for (const std::string& lost : report.lost) terminal.outLine("lost: {}", lost);
        terminal.outLine("Saved: {} session{}, {} message{}; lost: {} thing{}; the file of before is kept as {}",
                         report.sessions, plural(static_cast<size_t>(report.sessions)), report.messages,
                         plural(static_cast<size_t>(report.messages)), report.lost.size(), plural(report.lost.size()),
                         report.damagedFile.string());
    }
    return report.lost.empty() ? kExitOk : kExitFailure;
}

}  // namespace

void addCheckVerbs(CLI::App& sessions, const std::shared_ptr<SessionsFlags>& flags, Runner& selected) {
    addVerb(sessions, "verify", "Reads everything that is stored and tells what is damaged", flags, verify, selected);
    addVerb(sessions, "salvage", "Makes a new chats.db of what can be read of a damaged one and names the rest", flags,
            salvage, selected);
}

}  // namespace pal::cli
