// SPDX-License-Identifier: Apache-2.0
// `pal sessions export` and `import`.
#include <limits>
#include <nlohmann/json.hpp>

#include "app/cli/data_option.h"
#include "app/cli/print_json.h"
#include "app/cli/session_text.h"
#include "app/cli/sessions_command.h"
#include "app/composition/chat_library.h"
#include "app/composition/session_states.h"
#include "app/composition/workplace.h"
#include "engine/base/file_writer.h"
#include "storage/states/part_file.h"
#include "storage/transfer/archive.h"
#include "storage/transfer/import.h"
#include "storage/transfer/markdown.h"
#include "storage/transfer/session_copy.h"
#include "storage/transfer/session_json.h"

namespace pal::cli {
namespace {

// By --format, else by the ending of the file.
std::string formatOf(const SessionsFlags& flags) {
    if (!flags.format.empty()) return flags.format;
    if (flags.output.ends_with(".palimpsest")) return "palimpsest";
    return flags.output.ends_with(".json") ? "json" : "markdown";
}

Result<> writeText(Terminal& terminal, const std::string& path, const std::string& text) {
    if (path.empty() || path == "-") {
        terminal.out(text);
        return {};
    }
    PAL_ASSIGN(FileWriter file, FileWriter::create(path, FileWriter::Readers::kOwner));
    PAL_TRY(file.write(std::as_bytes(std::span(text))));
    return file.commit();
}

Result<std::unique_ptr<StateLibrary>> openStates(const DataPlaces& places, uint64_t budgetBytes) {
    StateLibraryOptions options;
    options.folder = places.states;
    options.budgetBytes = budgetBytes;
    return StateLibrary::open(options);
}

Result<int> exportSession(Terminal& terminal, const SessionsFlags& flags) {
    PAL_ASSIGN(const DataPlaces places, placesFrom(flags.data));
    PAL_ASSIGN(ChatDatabase reader, openReader(places));
    PAL_ASSIGN(const SessionSummary session, findSession(reader, flags.session));
    PAL_ASSIGN(const SessionDocument document, readSession(reader, session.id));
    for (const std::string& warning : document.warnings) terminal.errLine("{}", warning);
    const std::string format = formatOf(flags);
    if (flags.states && format != "palimpsest")
        return fail(ErrorCode::kInvalidArgument, "--states needs an archive: -o FILE.palimpsest");
    if (format == "palimpsest") {
        if (flags.output.empty() || flags.output == "-")
            return fail(ErrorCode::kInvalidArgument, "an archive needs a file: -o FILE.palimpsest");
        PAL_ASSIGN(const SourceFiles sources, SourceFiles::open(places.data / "sources"));
        std::unique_ptr<StateLibrary> states;  // whose files stay while it is open
        std::vector<std::filesystem::path> files;
        if (flags.states) {
            constexpr uint64_t kDropNothing = std::numeric_limits<uint64_t>::max();
            PAL_ASSIGN(states, openStates(places, kDropNothing));
            PAL_ASSIGN(files, stateFilesOf(session, *states));
        }
        PAL_TRY(writeArchive(flags.output, document, sources, files));
        std::error_code error;
        std::filesystem::permissions(flags.output,
                                     std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, error);
        if (error) return fail(ErrorCode::kIo, "{}: {}", flags.output, error.message());
    } else {
        const std::string text = format == "json" ? writeSessionJson(document) + "\n" : writeMarkdown(document);
        PAL_TRY(writeText(terminal, flags.output, text));
    }
    return document.warnings.empty() ? kExitOk : kExitFailure;
}

// Notes the state that came with a session, `last` is the part that came last. Errors: why it is not all there; the session's text is.
Result<> noteState(ChatLibrary& library, SessionId session, const StateId& last, StateLibrary& states) {
    states.flush();
    const auto problem = states.takeProblem();
    if (last.part != StatePart::kCheckpoint || !states.contains(last))
        return fail(problem.value_or(Error{ErrorCode::kNotFound, "it does not end with a checkpoint"}));
    const uint64_t bytes = states.bytesToRead(last);
    PAL_TRY(library.writeNow([&](ChatDatabase& database) {
        return database.sessions().setStored(session, last.tokens, bytes, partFileName(last));
    }));
    if (problem) return fail(*problem);
    return {};
}

// `states` is null when those in an archive are left alone.
Result<> importFile(Terminal& terminal, ChatLibrary& library, StateLibrary* states, const std::string& file,
                    nlohmann::json& out) {
    const KeepSource keep = [&](const SourceFiles::Reader& reader) { return library.keepSource(reader); };
    StateId last;
    KeepState keepState;
    if (states != nullptr) {
        keepState.room = states->usage().budget;
        keepState.take = [&](const std::string& name, const ByteBuffer& part) -> Result<> {
            PAL_ASSIGN(last, takeState(*states, name, part));
            return {};
        };
    }
    PAL_ASSIGN(Import import, readImport(file, keep, keepState));
    for (SessionDocument& session : import.sessions) {
        PAL_ASSIGN(const SessionId id,
                   library.writeNow([&](ChatDatabase& database) { return addSession(database, session); }));
        if (!session.states.empty() && states == nullptr)
            terminal.errLine("{}: its stored state is left alone; --states takes it over", session.name);
        if (!session.states.empty() && states != nullptr) {
            const auto noted = noteState(library, id, last, *states);
            if (!noted) session.warnings.push_back("its state is not taken over: " + noted.error().message);
        }
        for (const std::string& warning : session.warnings) terminal.errLine("{}: {}", session.name, warning);
        terminal.errLine("#{} {}: {} messages from {}", id, nameLine(session.name), session.messages.size(), file);
        out.push_back({{"id", id},
                       {"name", session.name},
                       {"messages", session.messages.size()},
                       {"from", importKindName(import.kind)},
                       {"warnings", session.warnings}});
    }
    return {};
}

Result<int> importSessions(Terminal& terminal, const SessionsFlags& flags) {
    PAL_ASSIGN(const DataPlaces places, placesFrom(flags.data));
    PAL_ASSIGN(const auto library, ChatLibrary::open(places, "pal sessions import"));
    std::unique_ptr<StateLibrary> states;
    if (flags.states) {
        PAL_ASSIGN(const uint64_t budget, keptStateBudget(*library));
        PAL_ASSIGN(states, openStates(places, budget));
    }
    nlohmann::json out = nlohmann::json::array();
    int code = kExitOk;
    for (const std::string& file : flags.files) {
        const auto done = importFile(terminal, *library, states.get(), file, out);
        if (!done) code = terminal.report(done.error());
    }
    states.reset();
    PAL_TRY(library->close());
    if (flags.json) printJson(terminal, out);
    return code;
}

}  // namespace

void addTransferVerbs(CLI::App& sessions, const std::shared_ptr<SessionsFlags>& flags, Runner& selected) {
    CLI::App* command =
        addVerb(sessions, "export", "Writes a session as an archive with its attachments, as JSON or as Markdown",
                flags, exportSession, selected);
    addSessionOption(*command, *flags);
    command->add_option("-o,--output", flags->output, "File; else standard output")->type_name("FILE");
    command
        ->add_option("--format", flags->format, "Else after the file's ending: .palimpsest, .json, all others Markdown")
        ->check(CLI::IsMember({"palimpsest", "json", "markdown"}));
    command->add_flag("--states", flags->states,
                      "With what the model remembers of it, so that the same model need not read it again");
    command = addVerb(sessions, "import", "Adds sessions from our exports, ChatGPT's (zip or JSON) and Open WebUI's",
                      flags, importSessions, selected);
    command->add_option("files", flags->files, "Exported files")->required()->type_name("FILE");
    command->add_flag("--states", flags->states,
                      "Take over what a model remembers of an archive's session; only from someone you trust");
}

}  // namespace pal::cli
