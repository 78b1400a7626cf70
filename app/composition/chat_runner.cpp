// SPDX-License-Identifier: Apache-2.0
#include "app/composition/chat_runner.h"

#include <new>
#include <nlohmann/json.hpp>

#include "app/composition/device_kind.h"
#include "app/composition/prompt_regions.h"
#include "storage/chats/clock.h"
#include "storage/states/part_file.h"

namespace pal {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kMeasuredTokens = 64;  // fewer say little about a rate

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

MessageState stateAfter(EndCause cause) {
    switch (cause) {
        case EndCause::kPromptDone:
        case EndCause::kStop:
            return MessageState::kComplete;
        case EndCause::kLength:
        case EndCause::kContextFull:
            return MessageState::kLength;
        case EndCause::kCancelled:
            return MessageState::kStopped;
        case EndCause::kFailed:
            break;
    }
    return MessageState::kFailed;
}

std::string detailsOf(const TurnReport& report) {
    nlohmann::json details{
        {"prompt_tokens", report.numbers.tokens},     {"reused_tokens", report.prompt.reused},
        {"computed_tokens", report.prompt.computed},  {"output_tokens", report.done.generated},
        {"read_seconds", report.readSeconds},         {"first_token_seconds", report.firstTokenSeconds},
        {"decode_seconds", report.done.decodeSeconds}};
    for (const ToolCall& call : report.message.toolCalls)
        details["tool_calls"].push_back({{"id", call.id}, {"name", call.name}, {"arguments", call.arguments}});
    if (report.done.error) details["error"] = report.done.error->message;
    return details.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

struct ChatRunner::Signal {
    std::function<void()> forward;
    std::mutex mutex;
    std::condition_variable_any changed;
    bool set = false;

    void notify() {
        {
            const std::lock_guard lock(mutex);
            set = true;
        }
        changed.notify_all();
        if (forward) forward();
    }
};

struct ChatRunner::Turn {
    SessionSettings settings;
    OutputParser parser;
    RequestId request = 0;
    int64_t openingTokens = 0;
    Clock::time_point start = Clock::now();
    bool done = false;      // the engine has ended it
    bool finished = false;  // and the parser
    bool broken = false;    // what the engine said could not be taken for want of memory
    bool told = false;      // that the reply cannot be saved
    size_t savedTokens = 0;
    std::future<Result<>> saving = {};
    ProbeBatch seen = {};  // not handed over yet
};

Result<std::unique_ptr<ChatRunner>> ChatRunner::open(ChatLibrary& library, Engine& engine,
                                                     std::function<void()> wakeup) {
    PAL_ASSIGN(Tokenizer tokenizer, Tokenizer::loadModelFolder(engine.model().folder));
    if (tokenizer.size() > engine.model().vocabulary) {
        return fail(ErrorCode::kConflict, "the vocabulary has {} tokens, the model has embeddings for {}",
                    tokenizer.size(), engine.model().vocabulary);
    }
    std::optional<MediaConfig> media;
    if (engine.model().vision) {
        PAL_ASSIGN(media, mediaConfigOf(engine.model().folder));
    }
    std::unique_ptr<ChatRunner> runner(
        new ChatRunner(library, engine, std::move(tokenizer), std::move(media), std::move(wakeup)));
    PAL_ASSIGN(runner->session_, engine.openSession([signal = runner->signal_] { signal->notify(); }));
    return runner;
}

ChatRunner::ChatRunner(ChatLibrary& library, Engine& engine, Tokenizer tokenizer, std::optional<MediaConfig> media,
                       std::function<void()> wakeup)
    : library_(library),
      engine_(engine),
      prompts_(std::move(tokenizer), std::move(media), library.sources(), library.reader()),
      signal_(std::make_shared<Signal>()) {
    signal_->forward = std::move(wakeup);
}

ChatRunner::~ChatRunner() = default;

Result<> ChatRunner::endLastTurn() {
    if (look_) return fail(ErrorCode::kBusy, "a part of a session is computed again");
    if (turn_ && turn_->done) return finish();
    if (turn_) return fail(ErrorCode::kBusy, "a turn is running");
    return {};
}

Result<PreparedTurn> ChatRunner::prepare(const AskRequest& request) {
    PAL_ASSIGN(const SessionSummary summary, library_.reader().sessions().get(request.session));
    PreparedTurn turn{request, settingsFrom(summary.settings), {}, {}, {}};
    // Attachments are read as they will be when the session is opened again: from the library.
    PAL_ASSIGN(const std::vector<Attachment> attachments, library_.reader().sources().attachments(request.attachments));
    PAL_ASSIGN(const std::vector<PromptMessage> path, prompts_.load(request.parent));
    PAL_ASSIGN(const PromptBuilder::Frame* frame, prompts_.frame(turn.settings));
    const PromptMessage question{0, Role::kUser, request.text, {}, {}, attachments, std::nullopt};
    PAL_ASSIGN(PromptBuilder::NewPiece piece, prompts_.newPiece(turn.settings, path, question));
    PAL_ASSIGN(turn.prompt, prompts_.prompt(turn.settings, path));

    Prompt& prompt = turn.prompt;
    prompt.ids.resize(prompt.ids.size() - frame->opening.size());
    turn.numbers.earlierTokens = std::ssize(prompt.ids) - std::ssize(frame->head);
    turn.ids = {prompts_.idsKey(turn.settings), piece.ids()};
    prompt.ids.insert(prompt.ids.end(), turn.ids.ids.begin(), turn.ids.ids.end());
    prompt.boundaries.push_back(std::ssize(prompt.ids));
    prompt.ids.insert(prompt.ids.end(), frame->opening.begin(), frame->opening.end());
    const auto& media = piece.mapped.prompt().media;
    prompt.media.insert(prompt.media.end(), media.begin(), media.end());

    piece.mapped.append(frame->opening);
    turn.numbers.tokens = std::ssize(prompt.ids);
    turn.numbers.counts = piece.mapped.counts();
    turn.numbers.warnings = piece.composed.at(piece.message).warnings;
    if (!path.empty()) addModelChange(summary, turn.numbers.warnings);
    PAL_TRY(checkFits(piece.mapped, piece.message, piece.composed,
                      {engine_.model().contextTokens, turn.numbers.earlierTokens}));
    return turn;
}

Result<> ChatRunner::ask(const AskRequest& request) {
    PAL_TRY(endLastTurn());
    PAL_ASSIGN(PreparedTurn turn, prepare(request));
    return askPrepared(std::move(turn));
}

Result<> ChatRunner::askPrepared(PreparedTurn turn) {
    PAL_TRY(endLastTurn());
    const AskRequest& request = turn.request;
    report_ = {};
    report_.session = request.session;
    report_.numbers = turn.numbers;
    PAL_ASSIGN(const PromptBuilder::Frame* frame, prompts_.frame(turn.settings));
    const auto headTokens = request.parent == 0 ? std::ssize(frame->head) : 0;
    NewMessage message{request.session,
                       request.parent,
                       Role::kUser,
                       MessageState::kComplete,
                       nowMs(),
                       request.text,
                       {},
                       "{}",
                       request.attachments,
                       turn.ids,
                       std::ssize(turn.ids.ids) + headTokens};
    PAL_ASSIGN(report_.question, library_.writeNow([message = std::move(message)](ChatDatabase& database) {
        return database.messages().add(message);
    }));
    return start(turn.settings, std::move(turn.prompt));
}

Result<> ChatRunner::answer(SessionId session, MessageId question) {
    PAL_TRY(endLastTurn());
    PAL_ASSIGN(const SessionSummary summary, library_.reader().sessions().get(session));
    PAL_ASSIGN(const Message message, library_.reader().messages().get(question));
    if (message.session != session)
        return fail(ErrorCode::kInvalidArgument, "message {} is not in session {}", question, session);
    if (message.node.role == Role::kAssistant)
        return fail(ErrorCode::kInvalidArgument, "message {} is a reply; name the question before it", question);
    report_ = {};
    report_.session = session;
    report_.question = question;
    const SessionSettings settings = settingsFrom(summary.settings);
    PAL_ASSIGN(const std::vector<PromptMessage> path, prompts_.load(question));
    PAL_ASSIGN(Prompt prompt, prompts_.prompt(settings, path));
    PAL_TRY(checkLength(std::ssize(prompt.ids)));
    report_.numbers.tokens = std::ssize(prompt.ids);
    addModelChange(summary, report_.numbers.warnings);
    return start(settings, std::move(prompt));
}

// Stored states are the model's own: another one, or the same after a change of its files, reads everything again.
void ChatRunner::addModelChange(const SessionSummary& session, std::vector<std::string>& warnings) const {
    const ModelInfo& model = engine_.model();
    if (session.fingerprint.empty() || session.fingerprint == model.fingerprint) return;
    const std::string folder = model.folder.string();
    warnings.push_back(
        session.model == folder
            ? fmt::format("{} has changed since it answered here: the session is read again from its text", folder)
            : fmt::format("{} answered here last, this is {}: the session is read again from its text", session.model,
                          folder));
}

Result<> ChatRunner::start(const SessionSettings& settings, Prompt prompt) {
    PAL_ASSIGN(report_.cost, foresee(prompt));
    touched_.insert(report_.session);
    if (capture_ != ProbeLevel::kOff) {
        // Looking on is no reason not to answer.
        if (const auto map = promptMap(report_.session, report_.question)) {
            prompt.probes.level = capture_;
            prompt.probes.regionEnds = endsOf(regionsOf(*map, {}));
        }
    }
    const OutputStart begin = settings.thinking == Thinking::kOn ? OutputStart::kThink : OutputStart::kResponse;
    auto turn = std::make_unique<Turn>(Turn{settings, OutputParser(prompts_.tokenizer(), begin, settings.stops)});
    PAL_ASSIGN(const PromptBuilder::Frame* frame, prompts_.frame(settings));
    turn->openingTokens = std::ssize(frame->opening);

    NewMessage reply;
    reply.session = report_.session;
    reply.parent = report_.question;
    reply.role = Role::kAssistant;
    reply.state = MessageState::kStreaming;
    reply.createdMs = nowMs();
    PAL_ASSIGN(report_.reply, library_.writeNow([&](ChatDatabase& database) -> Result<MessageId> {
        const ModelInfo& model = engine_.model();
        PAL_TRY(
            database.sessions().setModel(reply.session, model.folder.string(), model.fingerprint, deviceKind(model)));
        return database.messages().add(reply);
    }));
    turn->seen.model = engine_.model().fingerprint;
    turn->seen.regionEnds = prompt.probes.regionEnds;
    const GenerationLimits limits{settings.maxTokens, prompts_.tokenizer().stopIds()};
    const auto started = session_->generate(std::move(prompt), settings.sampling, limits);
    if (!started) {
        const ReplyText refused{MessageState::kFailed, "", "", "{}", {prompts_.idsKey(settings), {}}, 0};
        PAL_TRY(library_.writeNow(
            [&](ChatDatabase& database) { return database.messages().setReply(report_.reply, refused); }));
        return fail(started.error());
    }
    turn->request = *started;
    turn_ = std::move(turn);
    return {};
}

Result<> ChatRunner::checkLength(int64_t tokens) const {
    const int64_t limit = engine_.model().contextTokens;
    if (tokens < limit) return {};  // one token of an answer has room
    return fail(ErrorCode::kInvalidArgument,
                "the prompt has {} tokens, the context holds {} with the answer: {} too many", tokens, limit,
                tokens - limit + 1);
}

Result<bool> ChatRunner::advance(const TurnObserver& observer) {
    if (look_) return advanceLook(observer);
    if (!turn_) return false;
    for (const Event& event : session_->drain()) {
        try {
            take(event, observer);
        } catch (const std::bad_alloc&) {  // the reply ends with what it has
            turn_->broken = true;
            session_->cancel();
        }
    }
    keepSeen(observer);
    if (!turn_->done) return true;
    if (turn_->broken && !turn_->parser.metStop()) {
        report_.done.cause = EndCause::kFailed;
        report_.done.error = Error{ErrorCode::kOutOfMemory, "no memory for the answer"};
    }
    if (!turn_->finished) {
        std::vector<OutputDelta> rest;
        turn_->parser.finish(rest);
        if (observer.reply) observer.reply(rest);
        turn_->finished = true;
    }
    PAL_TRY(finish());
    return false;
}

void ChatRunner::take(const Event& event, const TurnObserver& observer) {
    if (turn_->broken && !std::holds_alternative<RequestDone>(event)) return;
    if (const auto* at = std::get_if<PrefillProgress>(&event)) {
        if (observer.progress) observer.progress(*at);
    } else if (const auto* ready = std::get_if<PromptReady>(&event)) {
        report_.prompt = *ready;
        report_.readSeconds = secondsSince(turn_->start);
        if (observer.ready) observer.ready(*ready);
    } else if (const auto* token = std::get_if<TokenGenerated>(&event)) {
        if (turn_->parser.metStop()) return;  // drawn before the engine heard that the reply is over
        if (report_.outputIds.empty()) report_.firstTokenSeconds = secondsSince(turn_->start);
        report_.outputIds.push_back(token->token);
        std::vector<OutputDelta> deltas;
        turn_->parser.push(token->token, deltas);
        if (observer.reply) observer.reply(deltas);
        if (turn_->parser.metStop()) session_->cancel();
    } else if (const auto* seen = std::get_if<TokenProbed>(&event)) {
        turn_->seen.tokens.push_back(seen->probe);
        if (observer.probed) observer.probed(seen->probe);
    } else if (const auto* problem = std::get_if<StateProblem>(&event)) {
        if (observer.problem) observer.problem(problem->error);
    } else if (const auto* done = std::get_if<RequestDone>(&event);
               done != nullptr && done->request == turn_->request) {
        report_.done = *done;
        turn_->done = true;
    }
}

// Hands what was seen since the last call to the probes' thread.
void ChatRunner::keepSeen(const TurnObserver& observer) {
    ProbeBatch& seen = turn_->seen;
    if (probes_ != nullptr && !seen.tokens.empty()) {
        seen.session = report_.session;
        seen.message = report_.reply;
        probes_->add(seen);
    }
    seen.tokens.clear();
    if (probes_ == nullptr) return;
    if (turn_->done) probes_->finish(report_.reply);
    if (const auto problem = probes_->takeProblem(); problem && observer.problem) observer.problem(*problem);
}

ReplyText ChatRunner::replyText(MessageState state) const {
    const ParsedMessage& message = turn_->parser.message();
    // A reply that met a stop text has drawn more than was shown; later prompts take what was shown.
    const bool allShown = !turn_->parser.metStop();
    return {state,
            message.content,
            message.reasoning,
            state == MessageState::kStreaming ? "{}" : detailsOf(report_),
            allShown ? MessageIds{prompts_.idsKey(turn_->settings), report_.outputIds} : MessageIds{},
            turn_->openingTokens + std::ssize(report_.outputIds)};
}

void ChatRunner::save(const TurnObserver& observer) {
    if (!turn_ || turn_->savedTokens == report_.outputIds.size()) return;
    // A disk that is slower than the reply gets the newest text when it is ready for it.
    const auto& saving = turn_->saving;
    if (saving.valid() && saving.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    if (const auto saved = saving.valid() ? turn_->saving.get() : Result<>(); !saved && !turn_->told) {
        turn_->told = true;
        if (observer.problem) observer.problem(saved.error());
    }
    turn_->savedTokens = report_.outputIds.size();
    turn_->saving = library_.write([id = report_.reply, reply = replyText(MessageState::kStreaming)](
                                       ChatDatabase& database) { return database.messages().setReply(id, reply); });
}

Result<> ChatRunner::finish() {
    report_.message = turn_->parser.message();
    EndCause& cause = report_.done.cause;
    if (turn_->parser.metStop() && cause == EndCause::kCancelled) cause = EndCause::kStop;
    const MessageState state = stateAfter(cause);
    const ReplyText reply = replyText(state);
    const std::string model = engine_.model().folder.string();
    const std::string device = deviceKind(engine_.model());
    const PromptReady& ready = report_.prompt;
    const uint64_t restoredBytes = ready.restored > 0 ? report_.cost.bytes : 0;
    const auto written = library_.writeNow([&, id = report_.reply](ChatDatabase& database) -> Result<> {
        PAL_TRY(database.rates().add(model, device, RateKind::kRestore, static_cast<double>(restoredBytes),
                                     ready.restoreSeconds));
        if (ready.computed >= kMeasuredTokens) {
            PAL_TRY(database.rates().add(model, device, RateKind::kPrefill, static_cast<double>(ready.computed),
                                         ready.seconds - ready.restoreSeconds));
        }
        return database.messages().setReply(id, reply);
    });
    if (!written) return written;
    turn_.reset();
    if (report_.done.error) return fail(*report_.done.error);
    return {};
}

Result<OpeningCost> ChatRunner::foresee(const Prompt& prompt) {
    PAL_ASSIGN(const Engine::StoredPrefix stored, engine_.storedPrefix(prompt));
    const ModelInfo& model = engine_.model();
    return openingCost(library_.reader().rates(), model.folder.string(), deviceKind(model), std::ssize(prompt.ids),
                       stored.checkpoint.tokens, stored.bytes);
}

Result<> ChatRunner::noteStored(SessionId session) {
    PAL_ASSIGN(const SessionSummary summary, library_.reader().sessions().get(session));
    PAL_ASSIGN(const std::vector<PromptMessage> path, prompts_.load(summary.head));
    PAL_ASSIGN(const Prompt prompt, prompts_.prompt(settingsFrom(summary.settings), path));
    PAL_ASSIGN(const Engine::StoredPrefix stored, engine_.storedPrefix(prompt));
    const int64_t tokens = stored.checkpoint.tokens;
    const std::string name = tokens > 0 ? partFileName(stored.checkpoint) : "";
    return library_.writeNow(
        [&](ChatDatabase& database) { return database.sessions().setStored(session, tokens, stored.bytes, name); });
}

Result<int64_t> ChatRunner::earlierTokens(SessionId session, MessageId head) {
    PAL_ASSIGN(const SessionSummary summary, library_.reader().sessions().get(session));
    return prompts_.tokens(settingsFrom(summary.settings), head);
}

Result<PromptMap> ChatRunner::promptMap(SessionId session, MessageId head) {
    return promptMapOf(prompts_, library_.reader(), session, head);
}

void ChatRunner::cancel() {
    session_->cancel();
}

void ChatRunner::wait(std::chrono::milliseconds time, const std::stop_token& stop) {
    std::unique_lock lock(signal_->mutex);
    signal_->changed.wait_for(lock, stop, time, [&] { return signal_->set; });
    signal_->set = false;
}

Result<TurnReport> runTurn(ChatRunner& runner, const TurnObserver& observer, const std::stop_token& stop) {
    auto saved = Clock::now();
    while (true) {
        PAL_ASSIGN(const bool running, runner.advance(observer));
        if (!running) return runner.report();
        if (stop.stop_requested()) runner.cancel();
        if (Clock::now() - saved >= ChatRunner::kSaveInterval) {
            runner.save(observer);
            saved = Clock::now();
        }
        runner.wait(ChatRunner::kSaveInterval, stop.stop_requested() ? std::stop_token() : stop);
    }
}

}  // namespace pal
