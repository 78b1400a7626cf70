// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stored_chat.h"

#include <charconv>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/attachment_options.h"
#include "app/cli/command.h"
#include "app/cli/data_option.h"
#include "app/cli/format.h"
#include "app/cli/lost_device.h"
#include "app/cli/model_option.h"
#include "app/cli/print_json.h"
#include "app/cli/reply_printer.h"
#include "app/cli/session_text.h"
#include "app/composition/attachments.h"
#include "app/composition/session_name.h"
#include "engine/api/sampling_check.h"
#include "storage/chats/clock.h"

namespace pal::cli {
namespace {

using Clock = std::chrono::steady_clock;

nlohmann::json toJson(const TurnReport& report, const SessionSummary& session, MessageId parent, double openSeconds) {
    constexpr const char* kCauses[] = {"prompt", "stop", "length", "context_full", "cancelled", "failed"};
    nlohmann::json calls = nlohmann::json::array();
    for (const ToolCall& call : report.message.toolCalls)
        calls.push_back({{"name", call.name}, {"arguments", call.arguments}});
    return {{"session", session.id},
            {"session_name", session.name},
            {"parent", parent},
            {"question", report.question},
            {"message", report.reply},
            {"text", validUtf8(report.message.content)},
            {"reasoning", validUtf8(report.message.reasoning)},
            {"tool_calls", calls},
            {"finish", kCauses[static_cast<size_t>(report.done.cause)]},
            {"prompt_tokens", report.numbers.tokens},
            {"prompt_tokens_by_kind",
             {{"text", report.numbers.counts.text},
              {"image", report.numbers.counts.image},
              {"video", report.numbers.counts.video},
              {"markup", report.numbers.counts.markup},
              {"earlier", report.numbers.earlierTokens}}},
            {"reused_tokens", report.prompt.reused},
            {"restored_tokens", report.prompt.restored},
            {"computed_tokens", report.prompt.computed},
            {"output_ids", report.outputIds},
            {"logits_xxh3", fmt::format("{:016x}", report.prompt.logitsXxh3)},
            {"seconds_open", openSeconds},
            {"seconds_restore", report.prompt.restoreSeconds},
            {"seconds_read", report.readSeconds},
            {"seconds_first_token", report.firstTokenSeconds},
            {"seconds_decode", report.done.decodeSeconds}};
}

std::string progressLine(const PrefillProgress& at) {
    const auto number = [](int64_t value) { return groupDigits(static_cast<uint64_t>(value)); };
    std::string line = fmt::format("Reading {} of {} tokens", number(at.reused + at.computed), number(at.total));
    if (at.reused > 0) line += fmt::format(" ({} reused)", number(at.reused));
    if (at.computed > 0 && at.seconds > 0) {
        const double speed = static_cast<double>(at.computed) / at.seconds;
        line += fmt::format(", {:.1f} tokens/s, {} left", speed,
                            formatDuration(static_cast<double>(at.total - at.reused - at.computed) / speed));
    }
    return line;
}

Answer answerOf(const TurnReport& report) {
    Answer answer;
    answer.message = report.message;
    answer.prompt = report.prompt;
    answer.done = report.done;
    answer.firstTokenSeconds = report.firstTokenSeconds;
    return answer;
}

std::optional<MessageId> messageIn(std::string_view& words) {
    while (words.starts_with(' ')) words.remove_prefix(1);
    MessageId id = 0;
    const auto [stop, error] = std::from_chars(words.data(), words.data() + words.size(), id);
    if (error != std::errc{} || id <= 0) return std::nullopt;
    words.remove_prefix(static_cast<size_t>(stop - words.data()));
    while (words.starts_with(' ')) words.remove_prefix(1);
    return id;
}

}  // namespace

Result<std::unique_ptr<StoredChat>> StoredChat::open(Terminal& terminal, const RunOptions& run,
                                                     const StoredOptions& options, Missing missing) {
    const auto start = Clock::now();
    std::unique_ptr<StoredChat> chat(new StoredChat(terminal, run, options));
    PAL_ASSIGN(const ModelChoice model, chooseModel(run.model));
    WorkplaceOptions place;
    PAL_ASSIGN(place.places, placesFrom(options.data));
    place.program = "pal run";
    place.documentPassword = run.attachments.password;
    if (options.stateGibibytes) place.stateBytes = *options.stateGibibytes << 30;
    const QuietThreads quiet;
    PAL_ASSIGN(chat->place_, Workplace::open(place));
    for (const std::string& note : chat->place_->notes()) terminal.errLine("{}", note);
    PAL_ASSIGN(const auto found, chat->findAsked(missing));
    tellModel(terminal, model);
    terminal.status("Loading " + model.path.string());
    PAL_ASSIGN(const EngineOptions engine, engineOptionsFor(run.engine, model.path));
    PAL_TRY(chat->place_->loadModel(model.path, engine));
    terminal.status("");
    PAL_TRY(chat->openSession(found));
    chat->openSeconds_ = std::chrono::duration<double>(Clock::now() - start).count();
    return chat;
}

// Nothing when it is to be made. Errors: those of findSession and checkPlace.
Result<std::optional<SessionSummary>> StoredChat::findAsked(Missing missing) {
    std::optional<SessionSummary> out;
    if (!options_.session.empty() || missing == Missing::kRefuse) {
        auto found = findSession(place_->library().reader(), options_.session);
        const bool mayMake = missing == Missing::kMake && !options_.session.starts_with('#');
        if (!found && (found.error().code != ErrorCode::kNotFound || !mayMake)) return fail(found.error());
        if (found) out = std::move(*found);
    }
    PAL_TRY(checkPlace(out ? out->id : 0));
    return out;
}

Result<> StoredChat::openSession(const std::optional<SessionSummary>& found) {
    const SessionAge age = found ? SessionAge::kStored : SessionAge::kFresh;
    const SessionSettings before = found ? settingsFrom(found->settings) : SessionSettings{};
    const SessionSettings after = settingsAfter(before, run_, options_, age);
    PAL_TRY(checkSampling(after.sampling));
    const std::string settings = settingsText(after);
    if (found) session_ = found->id;
    if (found && settings == found->settings) return {};
    made_ = !found;
    return place_->library().writeNow([&](ChatDatabase& database) -> Result<> {
        if (found) return database.sessions().setSettings(session_, settings);
        const std::string name = options_.session.empty() ? sessionNameFrom(run_.prompt) : options_.session;
        PAL_ASSIGN(session_, database.sessions().add(name, settings, nowMs()));
        return {};
    });
}

// Before a session is made or changed: a message that is named wrongly must leave no trace. `session` is 0 for one that is not there yet.
Result<> StoredChat::checkPlace(SessionId session) {
    for (const MessageId message : {options_.parent, options_.edit, options_.again}) {
        if (message == 0) continue;
        PAL_ASSIGN(const SessionId of, place_->library().reader().messages().sessionOf(message));
        if (of != session)
            return fail(ErrorCode::kInvalidArgument, "message {} is not in this session, but in #{}", message, of);
    }
    return {};
}

int StoredChat::ask(const std::string& question) {
    const auto report = [&]() -> Result<TurnReport> {
        const Interrupt interrupt;
        PAL_TRY(start(question, interrupt));
        if (!run_.json) sayCost();
        ReplyPrinter printer(terminal_);
        TurnObserver observer;
        observer.progress = [&](const PrefillProgress& at) { terminal_.status(progressLine(at)); };
        observer.ready = [&](const PromptReady&) { terminal_.status(""); };
        observer.problem = [&](const Error& error) { terminal_.errLine("{}", error.message); };
        if (!run_.json) observer.reply = [&](const std::vector<OutputDelta>& deltas) { printer.print(deltas); };
        auto done = runTurn(place_->runner(), observer, interrupt.token());
        if (!run_.json) printer.finish();
        return done;
    }();
    if (!report && goOnWithCpu(terminal_, report.error(), run_.engine)) {
        const MessageId asked = place_->runner().report().question;
        if (const auto loaded = loadOnCpu(); !loaded) return terminal_.report(loaded.error());
        options_.again = asked;
        return ask(question);
    }
    return conclude(report);
}

Result<> StoredChat::loadOnCpu() {
    const std::filesystem::path folder = place_->engine().model().folder;
    terminal_.status("Loading " + folder.string());
    PAL_ASSIGN(const EngineOptions engine, engineOptionsFor(run_.engine, folder));
    PAL_TRY(place_->loadModel(folder, engine));
    terminal_.status("");
    return {};
}

Result<> StoredChat::start(const std::string& question, const Interrupt& interrupt) {
    ChatRunner& runner = place_->runner();
    const MessageId again = std::exchange(options_.again, 0);
    if (again != 0) {
        PAL_TRY(runner.answer(session_, again));
        for (const std::string& warning : runner.report().numbers.warnings) terminal_.errLine("Note: {}", warning);
        return {};
    }
    AskRequest request{session_, 0, question, {}};
    PAL_ASSIGN(const SessionSummary summary, place_->library().reader().sessions().get(session_));
    request.parent = summary.head;
    if (options_.parent != 0) request.parent = std::exchange(options_.parent, 0);
    if (const MessageId edited = std::exchange(options_.edit, 0); edited != 0) {
        PAL_ASSIGN(const Message old, questionToEdit(edited));
        request.parent = old.node.parent;
        request.attachments = attachedAgain(old.attachments);
    }
    PAL_ASSIGN(const std::vector<NewAttachment> more, attachments(interrupt));
    request.attachments.insert(request.attachments.end(), more.begin(), more.end());
    if (request.text.empty() && request.attachments.empty())
        return fail(ErrorCode::kInvalidArgument, "the prompt is empty");
    PAL_ASSIGN(PreparedTurn turn, runner.prepare(request));
    for (const std::string& warning : turn.numbers.warnings) terminal_.errLine("Note: {}", warning);
    return runner.askPrepared(std::move(turn));
}

Result<std::vector<NewAttachment>> StoredChat::attachments(const Interrupt& interrupt) {
    // They belong to the first question of this program's run.
    const AttachmentFlags flags = std::exchange(run_.attachments, {});
    PAL_ASSIGN(const std::vector<AttachedFile> files, attachmentsOf(flags));
    ComposeOptions options = composeOptionsOf(flags, std::nullopt);
    showComposing(terminal_, interrupt, options);
    std::vector<NewAttachment> out;
    for (const AttachedFile& file : files) {
        PAL_ASSIGN(NewAttachment attachment, attach(place_->library(), file, options.document));
        out.push_back(std::move(attachment));
    }
    if (flags.pageImages && !flags.password.empty()) {
        terminal_.errLine(
            "Note: the password is not stored. Text of locked PDFs is; their pages as pictures need --password again "
            "where no stored state covers them.");
    }
    return out;
}

Result<Message> StoredChat::questionToEdit(MessageId message) {
    PAL_ASSIGN(Message found, place_->library().reader().messages().get(message));
    if (found.session != session_)
        return fail(ErrorCode::kInvalidArgument, "message {} is not in this session", message);
    if (found.node.role != Role::kUser)
        return fail(ErrorCode::kInvalidArgument, "message {} is no question that could be asked otherwise", message);
    return found;
}

void StoredChat::sayCost() {
    const OpeningCost& cost = place_->runner().report().cost;
    terminal_.errLine("{}", describeCost(cost));
}

int StoredChat::conclude(const Result<TurnReport>& report) {
    terminal_.status("");
    if (report) terminal_.log("turn", fmt::format("#{} {}", report->reply, describeAnswer(answerOf(*report))));
    // Also of a turn that failed: what was said is not lost.
    const TurnReport& last = place_->runner().report();
    if (!report && (last.outputIds.empty() || !run_.json)) return terminal_.report(report.error());
    if (run_.json) {
        ChatDatabase& reader = place_->library().reader();
        const auto session = reader.sessions().get(session_);
        const auto question = reader.messages().get(last.question);
        if (!session) return terminal_.report(session.error());
        if (!question) return terminal_.report(question.error());
        printJson(terminal_, toJson(last, *session, question->node.parent, openSeconds_), JsonLayout::kOneLine);
        if (!report) return terminal_.report(report.error());
    } else {
        terminal_.errLine("#{} {}", report->reply, describeAnswer(answerOf(*report)));
    }
    return report->done.cause == EndCause::kCancelled ? kExitInterrupted : kExitOk;
}

int StoredChat::converse() {
    if (terminal_.inIsTerminal()) {
        terminal_.errLine(
            "Type a message; Ctrl-C stops an answer, Ctrl-D leaves. /parent MESSAGE, /edit MESSAGE TEXT and /again "
            "branch.");
    }
    int code = kExitOk;
    std::string line;
    while (true) {
        if (terminal_.inIsTerminal()) terminal_.out("> ");
        if (!std::getline(std::cin, line)) break;
        if (line.empty()) continue;
        code = line.starts_with('/') ? command(line) : ask(line);
        if (code != kExitOk && (!terminal_.inIsTerminal() || !place_->hasModel())) return code;
        if (!run_.json) terminal_.out("\n");
    }
    return code;
}

int StoredChat::command(const std::string& line) {
    std::string_view words(line);
    const std::string_view verb = words.substr(0, words.find(' '));
    words.remove_prefix(verb.size());
    const auto message = messageIn(words);
    if (verb == "/again") {
        options_.again = message ? *message : place_->runner().report().question;
        if (options_.again != 0) return ask("");
    } else if (verb == "/edit" && message && !words.empty()) {
        options_.edit = *message;
        return ask(std::string(words));
    } else if (verb == "/parent" && message) {
        options_.parent = *message;
        return words.empty() ? kExitOk : ask(std::string(words));
    }
    return terminal_.report(
        {ErrorCode::kInvalidArgument, "commands are /parent MESSAGE [TEXT], /edit MESSAGE TEXT and /again [MESSAGE]"});
}

// A session in which nothing was said, since the first question failed, goes again.
Result<> StoredChat::forgetEmpty() {
    if (!made_) return {};
    return place_->library().writeNow(
        [&](ChatDatabase& database) { return database.sessions().removeEmpty(session_, nowMs()); });
}

int StoredChat::close(int code) {
    const auto forgotten = forgetEmpty();
    auto closed = place_->close();
    if (closed && !forgotten) closed = forgotten;
    if (closed) return code;
    const int failure = terminal_.report(closed.error());
    return code == kExitOk ? failure : code;
}

}  // namespace pal::cli
