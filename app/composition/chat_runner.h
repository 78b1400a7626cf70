// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/composition/chat_library.h"
#include "app/composition/opening_cost.h"
#include "app/composition/prompt_builder.h"
#include "app/composition/session_settings.h"
#include "engine/api/engine.h"
#include "storage/probes/probe_library.h"

namespace pal {

// A question to a session.
struct AskRequest {
    SessionId session = 0;
    MessageId parent =
        0;  // below which the question goes; a parent that has children already makes a branch. 0: a first message
    std::string text;
    std::vector<NewAttachment> attachments;
};

// What a prompt takes, known before it is sent.
struct PromptNumbers {
    int64_t tokens = 0;         // of the whole prompt
    int64_t earlierTokens = 0;  // of them, those of the messages before the question
    TokenCounts counts;         // of the others: the question with its attachments, and what stands around the messages
    std::vector<std::string>
        warnings;  // sentences about what the model will not see or should doubt, and about another model
};

// A question as it would be sent: composed and encoded, but not stored.
struct PreparedTurn {
    AskRequest request;
    SessionSettings settings;
    MessageIds ids;  // of the question
    Prompt prompt;
    PromptNumbers numbers;
};

// A turn with its numbers, while it runs and after.
struct TurnReport {
    SessionId session = 0;
    MessageId question = 0;
    MessageId reply = 0;
    ParsedMessage message;
    std::vector<TokenId> outputIds;  // exactly what the model drew, up to the token that ends a stop text
    PromptReady prompt;
    RequestDone done;
    PromptNumbers numbers;         // of a question that is answered again only `tokens`
    OpeningCost cost;              // as it was foreseen before the turn
    double readSeconds = 0;        // from the question until the state covers the prompt
    double firstTokenSeconds = 0;  // from the question to the first token
};

// A stretch of a branch that is looked at again. `probes.begin` and `end` count tokens of the branch's promptMap; the level is kWindow or
// kFull. Without regionEnds the parts of that map are taken.
struct LookRequest {
    SessionId session = 0;
    MessageId head = 0;  // the branch's last message
    ProbeRequest probes;
};

// What a receiver may show of a running turn; called from advance(). Any may be empty.
struct TurnObserver {
    std::function<void(const PrefillProgress&)> progress;
    std::function<void(const PromptReady&)> ready;
    std::function<void(const std::vector<OutputDelta>&)> reply;
    std::function<void(const std::shared_ptr<const TokenProbe>&)> probed;   // what reading a token did, see setCapture
    std::function<void(const std::shared_ptr<const WindowProbe>&)> window;  // what look() computed
    std::function<void(const Error&)> problem;  // something cannot be stored as it should; the turn goes on
};

// Asks a loaded model on behalf of stored sessions, one turn at a time: stores the question, streams the reply into its message, keeps what
// the model drew. Confined to one thread, which calls advance() after each wakeup and save() at least each kSaveInterval while a turn runs;
// runTurn() does that for callers without an event loop. Borrows library and engine.
class ChatRunner {
  public:
    static constexpr std::chrono::milliseconds kSaveInterval{500};

    // `wakeup` is called from any thread when advance() has something to do; it must return at once. Errors: kConflict when tokenizer and model
    // do not fit; those of reading the tokenizer.
    static Result<std::unique_ptr<ChatRunner>> open(ChatLibrary& library, Engine& engine,
                                                    std::function<void()> wakeup = {});
    ~ChatRunner();

    // For locked PDFs whose pages the model sees as pictures: known as long as the runner lives, and stored nowhere.
    void setDocumentPassword(std::string password) { prompts_.setDocumentPassword(std::move(password)); }

    // Puts the prompt of a question together; nothing is stored and no pixels are kept. Errors: kInvalidArgument with the numbers and with
    // what would help when it does not fit into the context; those of composing and of the database.
    Result<PreparedTurn> prepare(const AskRequest& request);
    // Stores the question and starts the answer. Errors: kBusy while a turn runs, those of the database; then nothing is stored.
    Result<> askPrepared(PreparedTurn turn);
    // Both. Errors: of either; then nothing is stored.
    Result<> ask(const AskRequest& request);
    // Answers a stored question again; the new reply is a sibling of the old ones.
    Result<> answer(SessionId session, MessageId question);

    // Takes over what the engine has told; false when no turn runs (any more). Errors: the engine's own, after which the turn is over and what
    // was said so far is kept; the database's when it does not take the whole reply: then the turn stays and the next call tries again.
    Result<bool> advance(const TurnObserver& observer);
    // Hands the reply so far to the database thread. A reply that could not be saved is told once.
    void save(const TurnObserver& observer);
    // Ends the turn within a prefill step or token.
    void cancel();
    // Of the running or last turn.
    [[nodiscard]] const TurnReport& report() const { return report_; }

    // What is looked at while turns run, from the next one on: kOff (at first) or kSummary. Attention is summed over the parts of the
    // question's promptMap (regionsOf).
    void setCapture(ProbeLevel level) { capture_ = level; }
    // Where what was seen of replies is kept; null: nowhere.
    void keepProbes(std::shared_ptr<ProbeLibrary> probes) { probes_ = std::move(probes); }
    [[nodiscard]] const std::shared_ptr<ProbeLibrary>& probes() const { return probes_; }
    [[nodiscard]] const ModelInfo& model() const { return engine_.model(); }
    [[nodiscard]] const PromptBuilder& prompts() const { return prompts_; }
    [[nodiscard]] const Tokenizer& tokenizer() const { return prompts_.tokenizer(); }

    // Tokens of the messages up to `head` as the next prompt has them: PromptNumbers::earlierTokens of a question below it. 0: none.
    Result<int64_t> earlierTokens(SessionId session, MessageId head);
    // What every token of the prompt up to `head` is, opened for a reply: file, page, region, frame, patch. For the running or last turn
    // `head` is report().question. Errors: those of reading the messages; kInvalidArgument when `head` is in another session.
    Result<PromptMap> promptMap(SessionId session, MessageId head);

    // What look() takes: tokens to compute at most, bytes of what it keeps, and seconds where the rate of reading was measured here.
    struct LookCost {
        int64_t tokens = 0;
        uint64_t bytes = 0;
        std::optional<double> seconds;
    };
    // Errors: those of look() but kBusy.
    Result<LookCost> lookCost(const LookRequest& request);
    // Computes a window again; advance() moves it on as it does a turn, cancel() ends it. Nothing is stored. Errors: kBusy while a turn
    // or another window runs; kInvalidArgument with both numbers for a window outside the branch; those of promptMap.
    Result<> look(const LookRequest& request);

    // Blocks until the engine has told something, `stop` was requested or the time is over.
    void wait(std::chrono::milliseconds time, const std::stop_token& stop);

    // Notes with the session what of its prompt has a stored state now; for a list that says what opening takes. Not while a turn runs.
    Result<> noteStored(SessionId session);
    // The sessions that turns ran in.
    [[nodiscard]] const std::set<SessionId>& touched() const { return touched_; }

  private:
    ChatRunner(ChatLibrary& library, Engine& engine, Tokenizer tokenizer, std::optional<MediaConfig> media,
               std::function<void()> wakeup);
    Result<> start(const SessionSettings& settings, Prompt prompt);
    Result<> checkLength(int64_t tokens) const;
    void addModelChange(const SessionSummary& session, std::vector<std::string>& warnings) const;
    void take(const Event& event, const TurnObserver& observer);
    void keepSeen(const TurnObserver& observer);
    Result<bool> advanceLook(const TurnObserver& observer);
    Result<Prompt> lookPrompt(const LookRequest& request);
    Result<> finish();
    Result<> endLastTurn();
    [[nodiscard]] Result<OpeningCost> foresee(const Prompt& prompt);
    ReplyText replyText(MessageState state) const;

    struct Signal;  // what the wakeup touches; it may outlive a call
    struct Turn;    // of the running turn
    ChatLibrary& library_;
    Engine& engine_;
    PromptBuilder prompts_;
    std::shared_ptr<Signal> signal_;
    std::unique_ptr<Session> session_;
    std::unique_ptr<Turn> turn_;
    TurnReport report_;
    std::set<SessionId> touched_;
    ProbeLevel capture_ = ProbeLevel::kOff;
    std::shared_ptr<ProbeLibrary> probes_;
    std::optional<RequestId> look_;  // of the running window
};

// Runs a turn that was started to its end. When `stop` is requested it is cancelled and ends in the usual way.
Result<TurnReport> runTurn(ChatRunner& runner, const TurnObserver& observer, const std::stop_token& stop);

}  // namespace pal
