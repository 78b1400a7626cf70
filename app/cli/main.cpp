// SPDX-License-Identifier: Apache-2.0
// `pal`: the engine without a window. One sub-command per file; this file only joins them.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/terminal.h"

int main(int argc, char** argv) {
    using namespace pal::cli;
    CLI::App app("Palimpsest in the terminal: run, inspect and check Kimi hybrid models", "pal");
    app.set_version_flag("--version", "pal " PAL_VERSION);
    app.require_subcommand(1);
    app.footer("Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted. `pal COMMAND --help` tells more.");

    Runner selected;
    constexpr AddCommand kCommands[] = {
        addShowCommand, addVerifyCommand, addRandomCommand, addTokensCommand, addRenderCommand, addParseCommand,
    };
    for (const AddCommand add : kCommands) add(app, selected);

    Terminal terminal;
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kExitOk : kExitUsage;
    }
    const int code = selected ? selected(terminal) : kExitUsage;
    terminal.status("");
    return std::fflush(stdout) == 0 ? code : kExitFailure;
}
