// SPDX-License-Identifier: Apache-2.0
#include "app/cli/program_options.h"

#include <fmt/format.h>

namespace pal::cli {
namespace {

void addTo(CLI::App& app, ProgramFlags& flags) {
    constexpr const char* kGroup = "With every command";
    app.add_option("--log-file", flags.log.text,
                   "Add to this file what was done: models, times, counts and errors (which may quote a name or a few "
                   "words), no prompts, no answers")
        ->type_name("FILE")
        ->group(kGroup);
    app.add_option("--log-jsonl", flags.log.jsonLines, "The same as a JSON object per line")
        ->type_name("FILE")
        ->group(kGroup);
    app.add_flag("-v,--verbose", flags.log.toError, "The lines of --log-file on standard error")->group(kGroup);
    app.add_flag("--offline")->description("Changes nothing: no command uses the network")->group(kGroup);
}

void addToCommands(CLI::App& app, ProgramFlags& flags) {
    for (CLI::App* command : app.get_subcommands({})) {
        if (command->get_subcommands({}).empty()) addTo(*command, flags);
        addToCommands(*command, flags);
    }
}

}  // namespace

void addProgramOptions(CLI::App& program, ProgramFlags& flags) {
    addTo(program, flags);
    CLI::Option* list = program.add_flag("--list-devices", flags.listDevices, "Say what --device can be here");
    program.add_flag("--json", flags.json, "The devices as JSON")->needs(list);
    addToCommands(program, flags);
}

std::string describeNoCommand(const std::string& word) {
    if (word.empty()) return "which command? `pal --help` lists them; `pal run` starts a chat";
    std::string out = fmt::format("there is no command '{}'", word);
    if (word == "serve") return out + ": this program has no server; `pal run` asks a model";
    if (word == "ps" || word == "stop")
        return out + ": a model is loaded for as long as the command that asks it, and none in between";
    return out + "; `pal --help` lists them";
}

}  // namespace pal::cli
