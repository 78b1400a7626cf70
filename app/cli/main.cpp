// SPDX-License-Identifier: Apache-2.0
// `pal`: the engine without a window. One sub-command per file; this file only joins them.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/long_names.h"
#include "app/cli/terminal.h"

int main(int argc, char** argv) {
    using namespace pal::cli;
    CLI::App app("Palimpsest in the terminal: run, inspect and check Kimi hybrid models", "pal");
    app.set_version_flag("--version", "pal " PAL_VERSION);
    app.require_subcommand(1);
    app.footer("Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted. `pal COMMAND --help` tells more.");

    Runner selected;
    constexpr AddCommand kCommands[] = {
        addRunCommand,    addSessionsCommand, addExtractCommand, addLsCommand,   addShowCommand,
        addLoadCommand,   addVerifyCommand,   addRandomCommand,  addVizCommand,  addTokensCommand,
        addRenderCommand, addParseCommand,    addEvalCommand,    addDumpCommand, addBenchCommand,
    };
    for (const AddCommand add : kCommands) add(app, selected);

    Terminal terminal;
    try {
        std::vector<std::string> arguments = withLongNames({argv + 1, argv + argc});
        std::reverse(arguments.begin(), arguments.end());  // the parser wants the last first
        app.parse(std::move(arguments));
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kExitOk : kExitUsage;
    }
    const int code = selected ? selected(terminal) : kExitUsage;
    terminal.status("");
    // Also what failed earlier: a full disk may be met by any write.
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? code : kExitFailure;
}
