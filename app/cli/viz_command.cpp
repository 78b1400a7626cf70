// SPDX-License-Identifier: Apache-2.0
// `pal viz`: views of what a model did in a stored session, as files, without a display.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/data_option.h"
#include "app/cli/engine_flags.h"
#include "app/cli/interrupt.h"
#include "app/cli/model_option.h"
#include "app/composition/prompt_regions.h"
#include "app/composition/session_source.h"
#include "app/composition/workplace.h"
#include "app/inspect/export.h"
#include "app/inspect/view.h"

namespace pal::cli {
namespace {

namespace fs = std::filesystem;

struct VizFlags {
    std::string session, model, dataDir;
    EngineFlags engine;
    bool list = false;
    std::string view, out;
    int64_t message = 0, token = -1, tokens = 1;
    int64_t otherToken = -1;
    int64_t layer = -1, head = -1;
    bool log = false, hideSink = false, byLoad = false, raw = false;
    double mass = 1;
    std::string colourBy = "next-entropy", compared = "layers";
    int64_t remember = 1000;
    int width = 900, height = 600;
};

constexpr const char* kExamples =
    "Examples:\n"
    "  pal viz --list\n"
    "  pal viz report --view context --out where.svg         where the last answer looked\n"
    "  pal viz report --view context --message 4 --out where.csv\n"
    "  pal viz '#3' --view attention --token 812 --layer 8 --head 2 --out row.svg\n"
    "  pal viz report --view half-life --layer 0 --head 1 --raw --out memory.json\n"
    "The file's ending says what is written: .svg, .csv or .json, each exactly what is drawn. PNG is exported by the "
    "window.";

int listViews(Terminal& terminal) {
    for (const inspect::View& view : inspect::views()) {
        terminal.outLine("{:10} {}", view.name, view.title);
        for (const char* sentence : view.explanation) terminal.outLine("           {}", sentence);
    }
    return kExitOk;
}

Result<inspect::ViewOptions> optionsOf(const VizFlags& flags) {
    inspect::ViewOptions options;
    options.width = flags.width;
    options.height = flags.height;
    if (flags.log) options.values = inspect::ViewOptions::Values::kLog;
    if (flags.hideSink) options.sink = inspect::ViewOptions::Sink::kHide;
    if (flags.byLoad) options.order = inspect::ViewOptions::Order::kByLoad;
    options.mass = flags.mass;
    options.remember = flags.remember;
    options.compared = flags.compared;
    for (int i = 0; i < inspect::kScalars; ++i) {
        if (inspect::scalarName(static_cast<inspect::Scalar>(i)) != flags.colourBy) continue;
        options.colourBy = static_cast<inspect::Scalar>(i);
        return options;
    }
    return fail(ErrorCode::kInvalidArgument, "there is no value \"{}\" to colour by", flags.colourBy);
}

// The tokens that were named: a message, a span, or the last message of the session.
Result<inspect::TokenSpan> spanOf(const VizFlags& flags, const SessionSource& source, MessageId head) {
    const int64_t count = source.source->tokens();
    if (flags.token >= 0) {
        if (flags.token + flags.tokens > count)
            return fail(ErrorCode::kInvalidArgument, "the session has {} tokens, {} to {} were asked for", count,
                        flags.token, flags.token + flags.tokens - 1);
        return inspect::TokenSpan{flags.token, flags.token + flags.tokens};
    }
    const MessageId message = flags.message != 0 ? flags.message : head;
    const auto found = source.messages.find(message);
    if (found == source.messages.end())
        return fail(ErrorCode::kNotFound, "message {} has no tokens in this branch", message);
    return found->second;
}

// All layers' reduced values over the span, and with --raw every value of the layer that is shown.
Result<> compute(Terminal& terminal, ChatRunner& runner, const LookRequest& request, SessionSource& source) {
    const Interrupt interrupt;
    TurnObserver observer;
    observer.progress = [&](const PrefillProgress& at) {
        terminal.status(fmt::format("Computing {} of {} tokens", at.reused + at.computed, at.total));
    };
    observer.window = [&](const std::shared_ptr<const WindowProbe>& window) {
        source.source->setWindow(window, source.regions);
    };
    PAL_TRY(runner.look(request));
    while (true) {
        const auto running = runner.advance(observer);
        if (!running || !*running) {
            terminal.status("");
            if (!running) return fail(running.error());
            return {};
        }
        if (interrupt.requested()) runner.cancel();
        runner.wait(ChatRunner::kSaveInterval, interrupt.token());
    }
}

// Whether what was kept when the tokens were written is all that the view needs. The token that ends a reply is never read.
bool isKept(const VizFlags& flags, const inspect::MemorySource& source, const inspect::TokenSpan& span) {
    if (flags.raw || flags.otherToken >= 0) return false;
    for (int64_t token = span.begin; token < std::max(span.end - 1, span.begin + 1); ++token)
        if (source.at(token) == nullptr) return false;
    return true;
}

Result<> writeOut(Terminal& terminal, const inspect::Figure& figure, const std::string& out) {
    const std::string ending = fs::path(out).extension().string();
    std::string text;
    if (out.empty() || ending == ".csv") {
        text = inspect::csvOf(figure);
    } else if (ending == ".svg") {
        text = inspect::svgOf(figure, {});
    } else if (ending == ".json") {
        text = inspect::jsonOf(figure);
    } else {
        return fail(ErrorCode::kInvalidArgument, "{}: .svg, .csv and .json can be written, not \"{}\"", out, ending);
    }
    if (out.empty()) {
        terminal.out(text);
        return {};
    }
    std::ofstream file(out, std::ios::binary);
    file << text;
    file.close();
    if (!file) return fail(ErrorCode::kIo, "{} cannot be written", out);
    return {};
}

Result<int> draw(Terminal& terminal, Workplace& place, const VizFlags& flags, const SessionSummary& session) {
    const inspect::View* view = inspect::findView(flags.view);
    PAL_ASSIGN(const inspect::ViewOptions options, optionsOf(flags));
    const MessageId head = flags.message != 0 ? flags.message : session.head;
    if (head == 0) return fail(ErrorCode::kInvalidArgument, "session #{} has no messages", session.id);
    PAL_ASSIGN(SessionSource source, sessionSource(place.runner(), session.id, head, {}));
    PAL_ASSIGN(const inspect::TokenSpan span, spanOf(flags, source, head));
    LookRequest look{session.id, head, {}};
    look.probes.regionEnds = endsOf(source.regions);
    look.probes.level = flags.raw ? ProbeLevel::kFull : ProbeLevel::kWindow;
    look.probes.begin = flags.otherToken >= 0 ? std::min(span.begin, flags.otherToken) : span.begin;
    look.probes.end = std::max(span.end, flags.otherToken + 1);
    if (flags.raw) look.probes.rawLayers = {std::max<int64_t>(0, flags.layer)};
    if (!isKept(flags, *source.source, span)) PAL_TRY(compute(terminal, place.runner(), look, source));
    std::optional<inspect::Selection> other;
    if (flags.otherToken >= 0)
        other = inspect::Selection{{flags.otherToken, flags.otherToken + 1}, flags.layer, flags.head};
    const inspect::Figure figure =
        view->build({*source.source, {span, flags.layer, flags.head}, options, {}, nullptr, other});
    if (!figure.message.empty()) terminal.errLine("{}", figure.message);
    for (const std::string& line : figure.caption) terminal.errLine("{}", line);
    PAL_TRY(writeOut(terminal, figure, flags.out));
    return figure.message.empty() ? kExitOk : kExitFailure;
}

Result<int> viz(Terminal& terminal, const VizFlags& flags) {
    if (inspect::findView(flags.view) == nullptr)
        return fail(ErrorCode::kInvalidArgument, "there is no view \"{}\"; `pal viz --list` has all", flags.view);
    PAL_ASSIGN(const ModelChoice model, chooseModel(flags.model));
    WorkplaceOptions options;
    PAL_ASSIGN(options.places, placesFrom(flags.dataDir));
    options.program = "pal viz";
    options.evict = WorkplaceOptions::Evict::kNothing;
    const QuietThreads quiet;
    PAL_ASSIGN(const auto place, Workplace::open(options));
    const auto code = [&]() -> Result<int> {
        PAL_ASSIGN(const SessionSummary session, findSession(place->library().reader(), flags.session));
        tellModel(terminal, model);
        PAL_TRY(place->loadModel(model.path, engineOptions(flags.engine)));
        return draw(terminal, *place, flags, session);
    }();
    PAL_TRY(place->close());
    return code;
}

void addWhat(CLI::App& command, VizFlags& flags) {
    command.add_option("--view", flags.view, "What to draw; --list has all");
    command.add_option("-o,--out", flags.out, "File: .svg, .csv or .json; without one CSV goes to standard output");
    command.add_option("--message", flags.message, "The tokens of this message; by default of the last one");
    command.add_option("--token", flags.token, "This token, counted from the start of the session");
    command.add_option("--count", flags.tokens, "So many tokens from --token on")->check(CLI::PositiveNumber);
    command.add_option("--layer", flags.layer, "Layer, counted from 0; by default the first that the view is about");
    command.add_option("--head", flags.head, "Head, counted from 0; by default all");
    command.add_flag("--raw", flags.raw, "Keep every value of --layer: single channels, whole rows, the state");
    command.add_option("--with", flags.otherToken, "Of the view compare: the second token");
    command.add_option("--compare", flags.compared, "Of the view compare: the view that is compared");
}

void addLook(CLI::App& command, VizFlags& flags) {
    command.add_flag("--log", flags.log, "Colours by powers of ten");
    command.add_flag("--hide-sink", flags.hideSink, "Leave the first token out, the rest made to sum to 1");
    command.add_flag("--by-load", flags.byLoad, "Experts with the busiest first");
    command.add_option("--mass", flags.mass, "Show the largest cells until they cover this share of a row")
        ->check(CLI::Range(0.01, 1.0));
    command.add_option("--colour-by", flags.colourBy,
                       "Of the view tokens: half-life, write, beta, state-norm, gate, "
                       "attention-entropy, sink, load-entropy, next-entropy, surprise");
    command.add_option("--remember", flags.remember, "Of the view half-life: channels that keep half for longer")
        ->check(CLI::PositiveNumber);
    command.add_option("--width", flags.width, "Pixels")->check(CLI::Range(200, 8000));
    command.add_option("--height", flags.height, "Pixels")->check(CLI::Range(150, 8000));
}

}  // namespace

void addVizCommand(CLI::App& app, Runner& selected) {
    const auto flags = std::make_shared<VizFlags>();
    CLI::App* command = app.add_subcommand("viz", "Views of what the model did in a stored session, as files");
    command->add_option("session", flags->session, "Name or #id");
    command->add_option("-m,--model", flags->model, "Model that computes the window again");
    command->add_flag("--list", flags->list, "All views, each in three sentences");
    addDataOption(*command, flags->dataDir);
    addWhat(*command, *flags);
    addLook(*command, *flags);
    addEngineOptions(*command, flags->engine);
    command->footer(kExamples);
    command->callback([flags, &selected] {
        selected = [flags](Terminal& terminal) {
            if (flags->list) return listViews(terminal);
            if (flags->session.empty() || flags->view.empty())
                return terminal.report({ErrorCode::kInvalidArgument, "a session and --view are needed, or --list"});
            const auto code = viz(terminal, *flags);
            return code ? *code : terminal.report(code.error());
        };
    });
}

}  // namespace pal::cli
