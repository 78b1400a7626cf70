// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/device_list.h"
#include "app/cli/program_log.h"

namespace pal::cli {

// What can be said to the program with every command, before or after its name.
struct ProgramFlags {
    ProgramLog::Places log;
    bool listDevices = false;
    bool json = false;  // of the list
    [[nodiscard]] ListLayout listLayout() const { return json ? ListLayout::kJson : ListLayout::kText; }
};

// Adds --log-file, --log-jsonl, -v and --offline to the program and to each command, and --list-devices to the program. After all commands are added;
// `flags` must live as long.
void addProgramOptions(CLI::App& program, ProgramFlags& flags);

// Why no command was chosen: `word` is none, or there is no word.
[[nodiscard]] std::string describeNoCommand(const std::string& word);

}  // namespace pal::cli
