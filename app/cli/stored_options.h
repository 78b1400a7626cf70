// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "app/cli/data_option.h"
#include "app/cli/run_options.h"
#include "app/composition/session_settings.h"

namespace pal::cli {

// The part of a command line that asks stored sessions.
struct StoredOptions {
    DataFlags data;
    std::string session;
    int64_t parent = 0;  // the question goes below this message
    int64_t edit = 0;    // the question takes the place of this one, which stays
    int64_t again = 0;   // this question is answered again
    std::optional<uint64_t> stateGibibytes;
    std::set<std::string> given;  // flags that are on the command line

    [[nodiscard]] bool wanted() const { return data.given() || !session.empty(); }
};

// Adds --data-dir, --session, --parent, --edit, --again and --state-budget; `options` must live as long.
void addStoredOptions(CLI::App& command, StoredOptions& options);

// Fills `given` from what was parsed.
void noteGiven(const CLI::App& command, StoredOptions& options);

// The settings of a session after the flags of this command: those given replace what is stored, the others leave it. For a new session
// (`fresh`) every flag counts.
enum class SessionAge { kFresh, kStored };
[[nodiscard]] SessionSettings settingsAfter(const SessionSettings& stored, const RunOptions& run,
                                            const StoredOptions& options, SessionAge age);

}  // namespace pal::cli
