// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/interrupt.h"
#include "app/cli/run_options.h"
#include "app/cli/stored_options.h"
#include "app/cli/terminal.h"
#include "app/composition/workplace.h"

namespace pal::cli {

// A conversation with a stored session at the terminal. Main thread; borrows the terminal.
class StoredChat {
  public:
    enum class Missing { kMake, kRefuse };

    // Opens the data folder, the model and the session. `missing`: what to do about a session that is not there. Errors: those of Workplace,
    // chooseModel and findSession.
    static Result<std::unique_ptr<StoredChat>> open(Terminal& terminal, const RunOptions& run,
                                                    const StoredOptions& options, Missing missing);

    // One turn: the question with its attachments below the session's head, or where --parent, --edit or --again say. Prints the answer as
    // it comes, or with --json one object. Returns the exit code.
    int ask(const std::string& question);
    // Turns from standard input, a line each, until it ends. Lines that begin with a slash: /parent MESSAGE, /edit MESSAGE TEXT, /again.
    int converse();
    // Writes what waits and gives the folder up. An exit code other than `code` only when that fails.
    int close(int code);

  private:
    StoredChat(Terminal& terminal, const RunOptions& run, const StoredOptions& options)
        : terminal_(terminal), run_(run), options_(options) {}
    Result<std::optional<SessionSummary>> findAsked(Missing missing);
    Result<> openSession(const std::optional<SessionSummary>& found);
    Result<> checkPlace(SessionId session);
    Result<> start(const std::string& question, const Interrupt& interrupt);
    Result<std::vector<NewAttachment>> attachments(const Interrupt& interrupt);
    Result<Message> questionToEdit(MessageId message);
    void sayCost();
    int conclude(const Result<TurnReport>& report);
    Result<> loadOnCpu();
    Result<> forgetEmpty();
    int command(const std::string& line);

    Terminal& terminal_;
    RunOptions run_;
    StoredOptions options_;
    std::unique_ptr<Workplace> place_;
    SessionId session_ = 0;
    bool made_ = false;  // the session, by this program
    double openSeconds_ = 0;
};

}  // namespace pal::cli
