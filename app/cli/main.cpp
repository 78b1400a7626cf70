// SPDX-License-Identifier: Apache-2.0
// `pal`: the engine without a window. One sub-command per file; this file only joins them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/device_list.h"
#include "app/cli/long_names.h"
#include "app/cli/program_log.h"
#include "app/cli/program_options.h"
#include "app/cli/terminal.h"
#include "engine/base/guarded.h"

namespace pal::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr AddCommand kCommands[] = {
    addRunCommand,    addSessionsCommand, addExtractCommand, addLsCommand,   addShowCommand,
    addLoadCommand,   addVerifyCommand,   addRandomCommand,  addVizCommand,  addTokensCommand,
    addRenderCommand, addParseCommand,    addEvalCommand,    addDumpCommand, addBenchCommand,
};

// "sessions list"
std::string commandName(const CLI::App& app) {
    std::string name;
    for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
        at = at->get_subcommands().front();
        name += (name.empty() ? "" : " ") + at->get_name();
    }
    return name;
}

int runCommand(Terminal& terminal, const std::string& name, const Runner& command, const ProgramFlags& flags) {
    const auto log = ProgramLog::open(flags.log);
    if (!log.has_value()) return terminal.report(log.error());
    terminal.logTo(log->get());
    terminal.log("program", "pal " PAL_VERSION ": " + name);
    const auto start = Clock::now();
    const auto done = guarded(name, [&]() -> Result<int> { return command(terminal); });
    int code = done.has_value() ? *done : terminal.report(done.error());
    terminal.status("");
    // Also what failed earlier: a full disk may be met by any write.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) code = kExitFailure;
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    terminal.log("program", fmt::format("exit code {} after {:.3f} s", code, seconds));
    terminal.logTo(nullptr);
    if (const auto written = (*log)->written(); !written.has_value()) {
        const int failure = terminal.report(written.error());
        return code == kExitOk ? failure : code;
    }
    return code;
}

}  // namespace
}  // namespace pal::cli

int main(int argc, char** argv) {
    using namespace pal::cli;
    CLI::App app("Palimpsest in the terminal: run, inspect and check Kimi hybrid models", "pal");
    app.set_version_flag("--version", "pal " PAL_VERSION);
    app.require_subcommand(0, 1);
    app.footer("Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted. `pal COMMAND --help` tells more.");

    Runner selected;
    for (const AddCommand add : kCommands) add(app, selected);
    ProgramFlags flags;
    addProgramOptions(app, flags);

    Terminal terminal;
    try {
        std::vector<std::string> arguments = withLongNames({argv + 1, argv + argc});
        std::reverse(arguments.begin(), arguments.end());  // the parser wants the last first
        app.parse(std::move(arguments));
    } catch (const CLI::ParseError& error) {
        const std::vector<std::string> words = app.remaining();
        if (app.get_subcommands().empty() && !words.empty() && !words.front().starts_with('-'))
            return terminal.report({pal::ErrorCode::kInvalidArgument, describeNoCommand(words.front())});
        return app.exit(error) == 0 ? kExitOk : kExitUsage;
    }
    std::string name = commandName(app);
    if (flags.listDevices && name.empty()) {
        name = "--list-devices";
        selected = [&flags](Terminal& to) { return listDevices(to, flags.listLayout()); };
    }
    if (!selected) return terminal.report({pal::ErrorCode::kInvalidArgument, describeNoCommand("")});
    return runCommand(terminal, name, selected, flags);
}
