// SPDX-License-Identifier: Apache-2.0
// `pal sessions`: what is stored, to look at and to put in order. One verb is one function; sessions_transfer has export and import,
// sessions_check has verify and salvage.
#include "app/cli/sessions_command.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/data_option.h"
#include "app/cli/format.h"
#include "app/cli/number_check.h"
#include "app/cli/print_json.h"
#include "app/cli/session_text.h"
#include "app/cli/stored_chat.h"
#include "app/composition/chat_library.h"
#include "storage/chats/clock.h"

namespace pal::cli {
namespace {

constexpr int64_t kMaxHits = 200;

Result<OpeningCost> costOf(ChatDatabase& database, const SessionSummary& session) {
    return openingCost(database.rates(), session.model, session.device, session.tokens, session.storedTokens,
                       session.storedBytes);
}

Result<int> list(Terminal& terminal, const SessionsFlags& flags) {
    PAL_ASSIGN(const DataPlaces places, placesFrom(flags.data));
    auto reader = openReader(places);
    if (!reader && reader.error().code != ErrorCode::kNotFound) return fail(reader.error());
    std::vector<SessionSummary> sessions;
    if (reader) {
        PAL_ASSIGN(sessions, reader->sessions().list(flags.limit));
    } else {
        terminal.errLine("{}", reader.error().message);
    }
    nlohmann::json out = nlohmann::json::array();
    for (const SessionSummary& session : sessions) {
        PAL_ASSIGN(const OpeningCost cost, costOf(*reader, session));
        PAL_ASSIGN(const uint64_t sources, reader->sessions().sourceBytes(session.id));
        const uint64_t bytes = session.textBytes + sources;
        if (flags.json) {
            out.push_back(sessionJson(session, bytes, cost));
            continue;
        }
        terminal.outLine("#{:<5} {}  {:>8} tokens  {:>9}  {}", session.id, describeTime(session.changedMs),
                         groupDigits(static_cast<uint64_t>(session.tokens)), formatBytes(bytes),
                         nameLine(session.name));
        terminal.outLine("       {} messages, {}", session.messages, describeOpening(session, cost));
    }
    if (flags.json) printJson(terminal, out);
    return kExitOk;
}

Result<int> show(Terminal& terminal, const SessionsFlags& flags) {
    PAL_ASSIGN(const DataPlaces places, placesFrom(flags.data));
    PAL_ASSIGN(ChatDatabase reader, openReader(places));
    PAL_ASSIGN(const SessionSummary session, findSession(reader, flags.session));
    std::vector<Message> messages;
    if (flags.tree) {
        PAL_ASSIGN(const std::vector<MessageNode> nodes, reader.messages().tree(session.id));
        for (const MessageNode& node : nodes) {
            auto message = reader.messages().get(node.id);
            if (!message && message.error().code != ErrorCode::kCorrupt) return fail(message.error());
            if (message) {
                messages.push_back(std::move(*message));
            } else {
                messages.emplace_back().node = node;
            }
        }
    } else if (session.head != 0) {
        PAL_ASSIGN(messages, reader.messages().path(session.head));
    }
    if (flags.json) {
        PAL_ASSIGN(const OpeningCost cost, costOf(reader, session));
        PAL_ASSIGN(const uint64_t sources, reader.sessions().sourceBytes(session.id));
        nlohmann::json out = sessionJson(session, session.textBytes + sources, cost);
        out["tree"] = nlohmann::json::array();
        for (const Message& message : messages) out["tree"].push_back(messageJson(message));
        printJson(terminal, out);
        return kExitOk;
    }
    terminal.outLine("#{} {}", session.id, nameLine(session.name));
    for (const Message& message : messages) {
        const MessageNode& node = message.node;
        terminal.outLine("");
        terminal.outLine("[{} after {}] {}{}{}", node.id, node.parent, roleName(node.role),
                         node.state == MessageState::kComplete ? "" : ", ",
                         node.state == MessageState::kComplete ? "" : messageStateName(node.state));
        for (const Attachment& attachment : message.attachments)
            terminal.outLine("  + {} ({}, {})", attachment.name, attachmentKindName(attachment.kind),
                             formatBytes(attachment.bytes));
        terminal.outLine("{}", node.readable ? message.text : "(this message cannot be read)");
    }
    return kExitOk;
}

Result<int> search(Terminal& terminal, const SessionsFlags& flags) {
    PAL_ASSIGN(const DataPlaces places, placesFrom(flags.data));
    PAL_ASSIGN(ChatDatabase reader, openReader(places));
    PAL_ASSIGN(const std::vector<SearchHit> hits,
               reader.search(flags.session, flags.limit > 0 ? flags.limit : kMaxHits));
    nlohmann::json out = nlohmann::json::array();
    for (const SearchHit& hit : hits) {
        if (flags.json) {
            out.push_back({{"session", hit.session},
                           {"session_name", hit.sessionName},
                           {"message", hit.message == 0 ? nlohmann::json() : nlohmann::json(hit.message)},
                           {"excerpt", hit.excerpt}});
        } else {
            terminal.outLine("#{} {}{}: {}", hit.session, nameLine(hit.sessionName),
                             hit.message == 0 ? "" : fmt::format(" [{}]", hit.message), nameLine(hit.excerpt));
        }
    }
    if (flags.json) printJson(terminal, out);
    return hits.empty() ? kExitFailure : kExitOk;
}

Result<int> rename(Terminal&, const SessionsFlags& flags) {
    if (flags.text.empty()) return fail(ErrorCode::kInvalidArgument, "a session needs a name");
    return changeSession(flags, [&](ChatDatabase& database, const SessionSummary& session) {
        return database.sessions().rename(session.id, flags.text);
    });
}

// The bin is emptied when the folder is closed, which is now.
Result<int> remove(Terminal& terminal, const SessionsFlags& flags) {
    return changeSession(flags, [&](ChatDatabase& database, const SessionSummary& session) {
        terminal.errLine("#{} {}: {} messages deleted", session.id, nameLine(session.name), session.messages);
        return database.sessions().remove(session.id, nowMs());
    });
}

void addListing(CLI::App& sessions, const std::shared_ptr<SessionsFlags>& flags, Runner& selected) {
    CLI::App* command =
        addVerb(sessions, "list", "What is stored, newest first, with what opening takes", flags, list, selected);
    command->add_option("-n,--limit", flags->limit, "So many at most; 0: all")
        ->check(wholeNumber(0, std::numeric_limits<int32_t>::max()));
    command = addVerb(sessions, "show", "The messages of a session", flags, show, selected);
    addSessionOption(*command, *flags);
    command->add_flag("--tree", flags->tree, "All branches, not only the current one");
    command = addVerb(sessions, "search", "Finds sessions and messages with all words", flags, search, selected);
    command->add_option("text", flags->session, "Words or parts of words, in any script")->required();
    command->add_option("-n,--limit", flags->limit, fmt::format("So many at most; 0: {}", kMaxHits))
        ->check(wholeNumber(0, std::numeric_limits<int32_t>::max()));
    command->footer("Exit code 0: found, 1: nothing found, or failed.");
}

// `pal sessions resume NAME [MODEL]`: a conversation that goes on, also through a pipe.
void addResume(CLI::App& sessions, Runner& selected) {
    struct Flags {
        RunOptions run;
        StoredOptions stored;
        bool create = false;
    };
    const auto flags = std::make_shared<Flags>();
    CLI::App* command =
        sessions.add_subcommand("resume", "Goes on with a session; lines of standard input are questions");
    command->add_option("session", flags->stored.session, "Name or #id")->required();
    addRunOptions(*command, flags->run);
    addDataOption(*command, flags->stored.data);
    command->add_flag("--create", flags->create, "Make the session when it is not there");
    command->callback([flags, command, &selected] {
        noteGiven(*command, flags->stored);
        selected = [flags](Terminal& terminal) {
            if (const auto complete = completeOptions(flags->run); !complete) return terminal.report(complete.error());
            auto chat = StoredChat::open(terminal, flags->run, flags->stored,
                                         flags->create ? StoredChat::Missing::kMake : StoredChat::Missing::kRefuse);
            if (!chat) return terminal.report(chat.error());
            return (*chat)->close((*chat)->converse());
        };
    });
}

// Damage that only shows while a table is read comes in SQLite's words alone.
Error withAdvice(Error error) {
    constexpr std::string_view kSalvage = "`pal sessions salvage`";
    const bool ofChats = error.code == ErrorCode::kCorrupt && error.message.find("chats.db") != std::string::npos;
    if (ofChats && error.message.find(kSalvage) == std::string::npos)
        error.message += fmt::format("; {} saves what can be read", kSalvage);
    return error;
}

}  // namespace

CLI::App* addVerb(CLI::App& sessions, const char* name, const char* help, const std::shared_ptr<SessionsFlags>& flags,
                  SessionsVerb verb, Runner& selected) {
    CLI::App* command = sessions.add_subcommand(name, help);
    addDataOption(*command, flags->data);
    command->add_flag("--json", flags->json, "Write JSON");
    command->callback([flags, verb, &selected] {
        selected = [flags, verb](Terminal& terminal) {
            const auto code = verb(terminal, *flags);
            return code ? *code : terminal.report(withAdvice(code.error()));
        };
    });
    return command;
}

void addSessionOption(CLI::App& command, SessionsFlags& flags) {
    command.add_option("session", flags.session, "Name or #id")->required();
}

Result<int> changeSession(const SessionsFlags& flags,
                          const std::function<Result<>(ChatDatabase&, const SessionSummary&)>& change) {
    PAL_ASSIGN(const DataPlaces places, placesFrom(flags.data));
    PAL_ASSIGN(const auto library, ChatLibrary::open(places, "pal sessions"));
    const auto done = [&]() -> Result<> {
        PAL_ASSIGN(const SessionSummary session, findSession(library->reader(), flags.session));
        return library->writeNow([&](ChatDatabase& database) { return change(database, session); });
    }();
    PAL_TRY(library->close());
    if (!done) return fail(done.error());
    return kExitOk;
}

void addSessionsCommand(CLI::App& app, Runner& selected) {
    const auto flags = std::make_shared<SessionsFlags>();
    CLI::App* sessions = app.add_subcommand("sessions", "Stored sessions: list, search, export, import, check");
    sessions->require_subcommand(1);
    addListing(*sessions, flags, selected);
    addResume(*sessions, selected);
    CLI::App* command = addVerb(*sessions, "rename", "Gives a session another name", flags, rename, selected);
    addSessionOption(*command, *flags);
    command->add_option("name", flags->text, "The new name")->required();
    command = addVerb(*sessions, "rm", "Deletes a session with its messages", flags, remove, selected);
    addSessionOption(*command, *flags);
    addTransferVerbs(*sessions, flags, selected);
    addCheckVerbs(*sessions, flags, selected);
}

}  // namespace pal::cli
