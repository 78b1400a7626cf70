// SPDX-License-Identifier: Apache-2.0
// `pal eval`: how many questions of evaluation suites a model answers, through the program's own engine.
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/attachment_options.h"
#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/engine_flags.h"
#include "app/cli/eval_runner.h"
#include "app/cli/eval_suite.h"
#include "app/cli/format.h"
#include "app/cli/interrupt.h"
#include "app/cli/model_option.h"
#include "app/cli/number_check.h"
#include "app/cli/print_json.h"
#include "engine/api/model_files.h"

namespace pal::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct EvalFlags {
    std::string model;
    std::string folder;
    std::vector<std::string> suites;
    int64_t limit = 0;
    Blinding blinding = Blinding::kNone;
    EngineFlags engine;
    bool json = false;
    bool misses = false;
};

struct SuiteScore {
    int64_t questions = 0, right = 0, exact = 0;
    double seconds = 0;
    std::optional<EvalFloor> floor;
    [[nodiscard]] double share() const {
        return questions > 0 ? 100.0 * static_cast<double>(right) / static_cast<double>(questions) : 0;
    }
    [[nodiscard]] bool belowFloor() const { return floor && share() < floor->floor; }
};

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Adds the questions of one suite to `score`, which on an error or interrupt holds what was asked so far.
Result<> runSuite(Terminal& terminal, const EvalFlags& flags, const std::string& suite, EvalRunner& runner,
                  const std::stop_token& stop, SuiteScore& score) {
    PAL_ASSIGN(const std::vector<EvalConversation> conversations,
               readEvalSuite(std::filesystem::path(flags.folder) / (suite + ".jsonl")));
    const auto start = Clock::now();
    int64_t total = 0;
    for (const EvalConversation& c : conversations)
        total += std::count_if(c.turns.begin(), c.turns.end(), [](const EvalTurn& turn) { return turn.scored; });
    if (flags.limit > 0) total = std::min(total, flags.limit);
    for (const EvalConversation& conversation : conversations) {
        if (score.questions == total) break;
        PAL_TRY(runner.begin(conversation));
        for (size_t turn = 0; turn < conversation.turns.size() && score.questions < total; ++turn) {
            if (!conversation.turns[turn].scored) continue;
            terminal.status(fmt::format("{}: {} of {} asked, {} right", suite, score.questions, total, score.right));
            PAL_ASSIGN(const EvalOutcome outcome, runner.ask(turn, stop));
            ++score.questions;
            score.right += outcome.right ? 1 : 0;
            score.exact += outcome.exact ? 1 : 0;
            score.seconds = secondsSince(start);
            if (flags.misses && !outcome.right) {
                terminal.errLine("{} turn {}: \"{}\" instead of \"{}\"", conversation.id, turn, outcome.reply,
                                 conversation.turns[turn].answer);
            }
        }
    }
    return {};
}

void printScore(Terminal& terminal, const std::string& suite, const SuiteScore& score) {
    std::string line = fmt::format("{:<22}{:>5} of {:>4} right {:>5.1f} %{:>7} exact", suite, score.right,
                                   score.questions, score.share(), score.exact);
    if (score.floor) {
        line += fmt::format("   floor {:.0f}, expected {:.0f}{}", score.floor->floor, score.floor->expected,
                            score.belowFloor() ? ": under its floor" : "");
    }
    terminal.outLine("{}  {}", line, formatDuration(score.seconds));
}

nlohmann::json toJson(const std::map<std::string, SuiteScore>& scores) {
    nlohmann::json out = nlohmann::json::object();
    for (const auto& [suite, score] : scores) {
        nlohmann::json& entry = out[suite];
        entry = {
            {"questions", score.questions}, {"right", score.right}, {"exact", score.exact}, {"seconds", score.seconds}};
        if (!score.floor) continue;
        entry["floor"] = score.floor->floor;
        entry["expected"] = score.floor->expected;
        entry["below_floor"] = score.belowFloor();
    }
    return out;
}

// The model with all that asking it needs.
struct Subject {
    std::unique_ptr<Engine> engine;
    std::unique_ptr<EvalRunner> runner;
};

Result<Subject> loadSubject(Terminal& terminal, const EvalFlags& flags) {
    PAL_ASSIGN(const ModelChoice model, chooseModel(flags.model));
    tellModel(terminal, model);
    Subject subject;
    PAL_ASSIGN(const EngineOptions options, engineOptionsFor(flags.engine, model.path));
    PAL_ASSIGN(subject.engine, loadEngine(model.path, options));
    const ModelInfo& info = subject.engine->model();
    PAL_ASSIGN(Tokenizer tokenizer, Tokenizer::loadModelFolder(info.folder));
    std::optional<MediaConfig> media;
    if (info.vision) {
        PAL_ASSIGN(media, mediaConfigOf(info.folder));
    }
    PAL_ASSIGN(EvalRunner runner,
               EvalRunner::open(*subject.engine, std::move(tokenizer), std::move(media), flags.blinding));
    subject.runner = std::make_unique<EvalRunner>(std::move(runner));
    return subject;
}

int runEval(Terminal& terminal, const EvalFlags& flags) {
    const auto floors = readEvalFloors(flags.folder);
    if (!floors.has_value()) return terminal.report(floors.error());
    const auto suites = flags.suites.empty() ? listEvalSuites(flags.folder) : flags.suites;
    if (!suites.has_value()) return terminal.report(suites.error());
    const Interrupt interrupt;
    auto subject = loadSubject(terminal, flags);
    if (!subject.has_value()) return terminal.report(subject.error());

    const auto start = Clock::now();
    std::map<std::string, SuiteScore> scores;
    int code = kExitOk;
    for (const std::string& suite : *suites) {
        SuiteScore& score = scores[suite];
        // Floors are for models that may look.
        const auto floor = floors->find(suite);
        if (floor != floors->end() && flags.blinding == Blinding::kNone) score.floor = floor->second;
        const auto done = runSuite(terminal, flags, suite, *subject->runner, interrupt.token(), score);
        if (!flags.json) printScore(terminal, suite, score);
        if (!done.has_value()) {
            code = terminal.report(done.error());
            break;
        }
    }
    if (flags.json) {
        printJson(terminal, nlohmann::json{{"device", subject->engine->model().device},
                                           {"suites", toJson(scores)},
                                           {"seconds", secondsSince(start)},
                                           {"complete", code == kExitOk}});
    }
    return code;
}

}  // namespace

void addEvalCommand(CLI::App& app, Runner& selected) {
    const auto flags = std::make_shared<EvalFlags>();
    CLI::App* command = app.add_subcommand("eval", "Ask a model the questions of evaluation suites");
    addModelOption(*command, flags->model);
    command->add_option("--suites", flags->folder, "Folder with SUITE.jsonl files and floors.json")->required();
    command->add_option("--suite", flags->suites, "Only this suite; may be repeated")->allow_extra_args(false);
    command->add_option("--limit", flags->limit, "Questions per suite, the first ones; 0: all")
        ->check(wholeNumber(0, INT64_MAX))
        ->capture_default_str();
    const std::map<std::string, Blinding> blindings{{"grey", Blinding::kGrey}, {"shuffled", Blinding::kShuffled}};
    command
        ->add_option("--blind", flags->blinding,
                     "Ask with every pixel grey, or with the frames of clips shuffled: a model that looks must lose")
        ->transform(CLI::CheckedTransformer(blindings));
    command->add_flag("--misses", flags->misses, "Also show each wrong reply, on standard error");
    addEngineOptions(*command, flags->engine);
    command->add_flag("--json", flags->json, "Print one JSON object with the counts of every suite");
    command->footer(
        "right: the model's own greedy reply is the gold answer or an accepted one. exact: every token of the gold "
        "reply is\n"
        "the most likely one after the gold prefix. Floors are per cent of right replies. Ctrl-C ends it with what was "
        "asked so far (130).");
    command->callback(
        [flags, &selected] { selected = [flags](Terminal& terminal) { return runEval(terminal, *flags); }; });
}

}  // namespace pal::cli
