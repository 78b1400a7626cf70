// SPDX-License-Identifier: Apache-2.0
// `pal viz`: views of what a model did in a stored session, as files, without a display.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/data_option.h"
#include "app/cli/engine_flags.h"
#include "app/cli/figure_png.h"
#include "app/cli/interrupt.h"
#include "app/cli/model_option.h"
#include "app/cli/print_json.h"
#include "app/composition/prompt_regions.h"
#include "app/composition/region_picture.h"
#include "app/composition/session_source.h"
#include "app/composition/workplace.h"
#include "app/inspect/export.h"
#include "app/inspect/view.h"
#include "engine/api/model_files.h"
#include "engine/base/file_writer.h"

namespace pal::cli {
namespace {

namespace fs = std::filesystem;

struct VizFlags {
    std::string session, model;
    DataFlags data;
    EngineFlags engine;
    bool list = false, json = false;
    std::string view, out;
    int64_t message = 0, token = -1, tokens = 1;
    int64_t otherToken = -1, otherMessage = 0;
    int64_t layer = -1, head = -1;
    bool log = false, hideSink = false, byLoad = false, raw = false;
    double mass = 1;
    std::string colourBy = "next-entropy", compared = "layers";
    int64_t remember = 1000;
    int width = 900, height = 600, scale = 1;
};

constexpr const char* kExamples =
    "Examples:\n"
    "  pal viz --list\n"
    "  pal viz report --view context --out where.svg         where the last answer looked\n"
    "  pal viz report --view context --message 4 --out where.csv\n"
    "  pal viz '#3' --view attention --token 812 --layer 8 --head 2 --out row.svg\n"
    "  pal viz report --view half-life --layer 0 --head 1 --raw --out memory.json\n"
    "  pal viz report --view compare --compare state --layer 0 --raw --token 40 --with 900 --out change.png\n"
    "The file's ending says what is written: .svg, .png, .csv or .json, each exactly what is drawn.";

int listViews(Terminal& terminal, const VizFlags& flags) {
    if (flags.json) {
        nlohmann::ordered_json out = nlohmann::ordered_json::array();
        for (const inspect::View& view : inspect::views())
            out.push_back({{"name", view.name}, {"title", view.title}, {"explanation", view.explanation}});
        printJson(terminal, out);
        return kExitOk;
    }
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

enum class Ending { kSvg, kPng, kCsv, kJson };

// Without a file CSV or JSON goes to standard output.
Result<Ending> endingOf(const VizFlags& flags) {
    const std::string& out = flags.out;
    const std::string ending = fs::path(out).extension().string();
    if (out.empty() && flags.json) return Ending::kJson;
    if (out.empty() || ending == ".csv") return Ending::kCsv;
    if (ending == ".svg") return Ending::kSvg;
    if (ending == ".png") return Ending::kPng;
    if (ending == ".json") return Ending::kJson;
    return fail(ErrorCode::kInvalidArgument, "{}: .svg, .png, .csv and .json can be written, not \"{}\"", out, ending);
}

// What is wrong with the flags whatever the session, told before a model is loaded.
Result<> checkFlags(const VizFlags& flags) {
    if (inspect::findView(flags.view) == nullptr)
        return fail(ErrorCode::kInvalidArgument, "there is no view \"{}\"; `pal viz --list` has all", flags.view);
    if (flags.raw && flags.layer < 0)
        return fail(ErrorCode::kInvalidArgument, "--raw keeps every value of one layer: name it with --layer");
    PAL_TRY(optionsOf(flags).map([](const auto&) {}));
    return endingOf(flags).map([](Ending) {});
}

Result<> checkModel(const VizFlags& flags, const ModelInfo& model) {
    PAL_ASSIGN(const ModelSummary summary, describeModel(model.folder / "config.json", 0));
    if (flags.layer >= summary.layers)
        return fail(ErrorCode::kInvalidArgument, "--layer {}: the model has {} layers, counted from 0", flags.layer,
                    summary.layers);
    const int64_t heads = std::max(summary.kdaHeads, summary.mlaHeads);
    if (flags.head >= heads)
        return fail(ErrorCode::kInvalidArgument, "--head {}: the model has {} heads, counted from 0", flags.head,
                    heads);
    return {};
}

// A branch and the tokens of it that are looked at.
struct Looked {
    SessionSource branch;
    MessageId head = 0;
    inspect::TokenSpan tokens;
    std::shared_ptr<std::vector<inspect::Region>> wished =
        std::make_shared<std::vector<inspect::Region>>();  // pictures
};

Result<inspect::TokenSpan> spanOf(const SessionSource& source, int64_t token, int64_t count) {
    if (const int64_t all = source.source->tokens(); token + count > all)
        return fail(ErrorCode::kInvalidArgument, "the session has {} tokens, {} to {} were asked for", all, token,
                    token + count - 1);
    return inspect::TokenSpan{token, token + count};
}

// The tokens that were named, or those of a message.
Result<Looked> lookedAt(Workplace& place, SessionId session, MessageId head, int64_t token, int64_t count) {
    Looked out;
    out.head = head;
    ChatLibrary& library = place.library();
    const BranchRequest request{
        session, head, {}, [wished = out.wished](const auto& region) { wished->push_back(region); }};
    PAL_ASSIGN(out.branch,
               sessionSource(branchReading(place.runner()), library.sources(), library.reader(), request, {}));
    if (token >= 0) {
        PAL_ASSIGN(out.tokens, spanOf(out.branch, token, count));
        return out;
    }
    const auto found = out.branch.messages.find(head);
    if (found == out.branch.messages.end())
        return fail(ErrorCode::kNotFound, "message {} has no tokens in this branch", head);
    out.tokens = found->second;
    return out;
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
bool isKept(const inspect::MemorySource& source, const inspect::TokenSpan& span) {
    for (int64_t token = span.begin; token < std::max(span.end - 1, span.begin + 1); ++token)
        if (source.at(token) == nullptr) return false;
    return true;
}

// The span's values, computed again where they are not kept.
Result<> provide(Terminal& terminal, ChatRunner& runner, SessionId session, const VizFlags& flags, Looked& looked,
                 const inspect::TokenSpan& span) {
    if (!flags.raw && isKept(*looked.branch.source, span)) return {};
    LookRequest look{session, looked.head, {}};
    look.probes.regionEnds = endsOf(looked.branch.regions);
    look.probes.level = flags.raw ? ProbeLevel::kFull : ProbeLevel::kWindow;
    look.probes.begin = span.begin;
    look.probes.end = span.end;
    if (flags.raw) look.probes.rawLayers = {flags.layer};
    return compute(terminal, runner, look, looked.branch);
}

// The pictures that a figure would have shown, if they had been there; whether there were any.
Result<bool> loadPictures(const PromptBuilder& prompts, Looked& looked) {
    bool any = false;
    for (const inspect::Region& region : std::exchange(*looked.wished, {})) {
        const auto medium = looked.branch.media.find(region.gridBegin);
        if (medium == looked.branch.media.end() || !prompts.media()) continue;
        PAL_ASSIGN(auto picture, regionPicture(medium->second, *prompts.media(), {}));
        looked.branch.source->setPicture(region, std::move(picture));
        any = true;
    }
    return any;
}

Result<> writeOut(Terminal& terminal, const inspect::Figure& figure, const VizFlags& flags) {
    PAL_ASSIGN(const Ending ending, endingOf(flags));
    std::string bytes;
    switch (ending) {
        case Ending::kSvg:
            bytes = inspect::svgOf(figure, {}, {});
            break;
        case Ending::kPng: {
            PAL_ASSIGN(bytes, pngOf(inspect::svgOf(figure, {}, {}), flags.scale));
            break;
        }
        case Ending::kCsv:
            bytes = inspect::csvOf(figure);
            break;
        case Ending::kJson:
            bytes = inspect::jsonOf(figure);
            break;
    }
    if (flags.out.empty()) {
        terminal.out(bytes);
        return {};
    }
    PAL_ASSIGN(FileWriter file, FileWriter::create(flags.out));
    PAL_TRY(file.write(std::as_bytes(std::span(bytes))));
    return file.commit();
}

Result<int> draw(Terminal& terminal, Workplace& place, const VizFlags& flags, const SessionSummary& session) {
    ChatRunner& runner = place.runner();
    PAL_TRY(checkModel(flags, runner.model()));
    PAL_ASSIGN(const inspect::ViewOptions options, optionsOf(flags));
    const MessageId head = flags.message != 0 ? flags.message : session.head;
    if (head == 0) return fail(ErrorCode::kInvalidArgument, "session #{} has no messages", session.id);
    PAL_ASSIGN(Looked looked, lookedAt(place, session.id, head, flags.token, flags.tokens));
    PAL_TRY(provide(terminal, runner, session.id, flags, looked, looked.tokens));
    // The second of a comparison: in another branch, or here.
    std::optional<Looked> branch;
    std::optional<inspect::Selection> other;
    if (flags.otherMessage != 0) {
        PAL_ASSIGN(branch, lookedAt(place, session.id, flags.otherMessage, flags.otherToken, flags.tokens));
        PAL_TRY(provide(terminal, runner, session.id, flags, *branch, branch->tokens));
        other = inspect::Selection{branch->tokens, flags.layer, flags.head};
    } else if (flags.otherToken >= 0) {
        PAL_ASSIGN(const inspect::TokenSpan span, spanOf(looked.branch, flags.otherToken, flags.tokens));
        PAL_TRY(provide(terminal, runner, session.id, flags, looked, span));
        other = inspect::Selection{span, flags.layer, flags.head};
    }
    const inspect::ViewInput input{*looked.branch.source,
                                   {looked.tokens, flags.layer, flags.head},
                                   options,
                                   {},
                                   branch ? branch->branch.source.get() : nullptr,
                                   other};
    const auto build = inspect::findView(flags.view)->build;
    inspect::Figure figure = build(input);
    PAL_ASSIGN(bool pictures, loadPictures(runner.prompts(), looked));
    if (branch) {
        PAL_ASSIGN(const bool others, loadPictures(runner.prompts(), *branch));
        pictures = pictures || others;
    }
    if (pictures) figure = build(input);
    if (!figure.message.empty()) terminal.errLine("{}", figure.message);
    for (const std::string& line : figure.caption) terminal.errLine("{}", line);
    PAL_TRY(writeOut(terminal, figure, flags));
    return figure.message.empty() ? kExitOk : kExitFailure;
}

Result<int> viz(Terminal& terminal, const VizFlags& flags) {
    PAL_TRY(checkFlags(flags));
    PAL_ASSIGN(const ModelChoice model, chooseModel(flags.model));
    WorkplaceOptions options;
    PAL_ASSIGN(options.places, placesFrom(flags.data));
    options.program = "pal viz";
    options.evict = WorkplaceOptions::Evict::kNothing;
    const QuietThreads quiet;
    PAL_ASSIGN(const auto place, Workplace::open(options));
    const auto code = [&]() -> Result<int> {
        PAL_ASSIGN(const SessionSummary session, findSession(place->library().reader(), flags.session));
        tellModel(terminal, model);
        PAL_ASSIGN(const EngineOptions engine, engineOptionsFor(flags.engine, model.path));
        PAL_TRY(place->loadModel(model.path, engine));
        return draw(terminal, *place, flags, session);
    }();
    PAL_TRY(place->close());
    return code;
}

void addWhat(CLI::App& command, VizFlags& flags) {
    command.add_option("--view", flags.view, "What to draw; --list has all");
    command.add_option("-o,--out", flags.out,
                       "File: .svg, .png, .csv or .json; without one CSV goes to standard output");
    command.add_option("--message", flags.message, "The tokens of this message; by default of the last one");
    command.add_option("--token", flags.token, "This token, counted from the start of the session")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--count", flags.tokens, "So many tokens from --token on")->check(CLI::PositiveNumber);
    command.add_option("--layer", flags.layer, "Layer, counted from 0; by default the first that the view is about")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--head", flags.head, "Head, counted from 0; by default all")->check(CLI::NonNegativeNumber);
    command.add_flag("--raw", flags.raw, "Keep every value of --layer: single channels, whole rows, the state");
    command.add_option("--with", flags.otherToken, "Of the view compare: the second token, and --count from it on")
        ->check(CLI::NonNegativeNumber);
    command
        .add_option("--with-message", flags.otherMessage,
                    "Of the view compare: the second is in the branch that ends with this message; without --with "
                    "the message itself")
        ->check(CLI::PositiveNumber);
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
    command.add_option("--scale", flags.scale, "Of .png: pixels of the picture to one of --width")
        ->check(CLI::Range(1, 4));
}

}  // namespace

void addVizCommand(CLI::App& app, Runner& selected) {
    const auto flags = std::make_shared<VizFlags>();
    CLI::App* command = app.add_subcommand("viz", "Views of what the model did in a stored session, as files");
    command->add_option("session", flags->session, "Name or #id");
    command->add_option("-m,--model", flags->model, "Model that computes the window again");
    command->add_flag("--list", flags->list, "All views, each in three sentences");
    addDataOption(*command, flags->data);
    addWhat(*command, *flags);
    addLook(*command, *flags);
    addEngineOptions(*command, flags->engine);
    command->add_flag("--json", flags->json, "The view, or the list, as JSON on standard output")->excludes("--out");
    command->footer(kExamples);
    command->callback([flags, &selected] {
        selected = [flags](Terminal& terminal) {
            if (flags->list) return listViews(terminal, *flags);
            if (flags->session.empty() || flags->view.empty())
                return terminal.report({ErrorCode::kInvalidArgument, "a session and --view are needed, or --list"});
            const auto code = viz(terminal, *flags);
            return code ? *code : terminal.report(code.error());
        };
    });
}

}  // namespace pal::cli
