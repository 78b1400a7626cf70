// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command.h"

// The commands of `pal`, one per file <name>_command.cpp; main.cpp adds them in the order in which --help lists them.
namespace pal::cli {

void addBenchCommand(CLI::App& app, Runner& selected);
void addDumpCommand(CLI::App& app, Runner& selected);
void addEvalCommand(CLI::App& app, Runner& selected);
void addExtractCommand(CLI::App& app, Runner& selected);
void addLoadCommand(CLI::App& app, Runner& selected);
void addLsCommand(CLI::App& app, Runner& selected);
void addParseCommand(CLI::App& app, Runner& selected);
void addRandomCommand(CLI::App& app, Runner& selected);
void addRenderCommand(CLI::App& app, Runner& selected);
void addRunCommand(CLI::App& app, Runner& selected);
void addSessionsCommand(CLI::App& app, Runner& selected);
void addShowCommand(CLI::App& app, Runner& selected);
void addTokensCommand(CLI::App& app, Runner& selected);
void addVerifyCommand(CLI::App& app, Runner& selected);
void addVizCommand(CLI::App& app, Runner& selected);

}  // namespace pal::cli
