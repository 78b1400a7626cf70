// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/data_option.h"
#include "engine/base/result.h"
#include "storage/chats/chat_database.h"

namespace pal::cli {

// Flags of all verbs of `pal sessions`; only one of them runs.
struct SessionsFlags {
    DataFlags data;
    std::string session;             // name or #id; what to search for
    std::string text;                // the new name
    std::string output;              // file to write
    std::string format;              // of an export
    std::vector<std::string> files;  // to import
    int64_t limit = 0;
    bool tree = false;
    bool states = false;
    bool json = false;
};

using SessionsVerb = Result<int> (*)(Terminal&, const SessionsFlags&);

// Adds a verb with --data-dir and --json.
CLI::App* addVerb(CLI::App& sessions, const char* name, const char* help, const std::shared_ptr<SessionsFlags>& flags,
                  SessionsVerb verb, Runner& selected);
void addSessionOption(CLI::App& command, SessionsFlags& flags);

// Opens the folder as its owner, changes one session and closes it again; the exit code.
Result<int> changeSession(const SessionsFlags& flags,
                          const std::function<Result<>(ChatDatabase&, const SessionSummary&)>& change);

void addTransferVerbs(CLI::App& sessions, const std::shared_ptr<SessionsFlags>& flags, Runner& selected);
void addCheckVerbs(CLI::App& sessions, const std::shared_ptr<SessionsFlags>& flags, Runner& selected);

}  // namespace pal::cli
