// SPDX-License-Identifier: Apache-2.0
// What looking at a model costs while it answers: decode of the same tokens with ProbeLevel::kOff and kSummary in turn, in one process. The records are
// handed to a library that writes them once a second, as the program does; replies of more than that have its work, too. Prints JSON. The overhead is the
// median of the ratios of neighbouring replies, with the range that holds the true median in 95 of 100 runs.
//   probe_bench [MODEL] [--contexts 128,2048] [--tokens 64] [--rounds 50] [--threads 2] [--regions 20] [--device cpu|cuda]
//   probe_bench ... --only off|summary        one of the two alone, for a profiler
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/api/engine.h"
#include "storage/probes/probe_codec.h"
#include "storage/probes/probe_library.h"

namespace {

using pal::ProbeLevel;
using Json = nlohmann::ordered_json;

struct Options {
    std::string model = "resources/nano";
    std::vector<int64_t> contexts{128, 1024, 4096};
    int64_t tokens = 64;
    int rounds = 50;
    int threads = 2;
    std::string device = "cpu";
    int64_t regions = 20;
    std::string only;
};

double processorSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Run {
    double wall = 0;           // of the decode, by the engine's clock
    double processor = 0;      // of the whole request and of writing its records
    uint64_t recordBytes = 0;  // of the last token
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

// Two of the values between which the median of what they are a sample of lies, in 95 of 100 samples.
std::pair<double, double> rangeOfMedian(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const auto count = static_cast<double>(values.size());
    const auto off = static_cast<size_t>(std::max(0.0, std::floor(count / 2 - 0.98 * std::sqrt(count))));
    return {values[off], values[values.size() - 1 - off]};
}

// Milliseconds of a step in the replies that a tenth of all are faster than: on a machine that others use, too, it says what a step takes when nobody
// disturbs it.
double stepOf(std::vector<double> walls, const Options& options) {
    std::sort(walls.begin(), walls.end());
    return walls.empty() ? 0 : 1000 * walls[walls.size() / 10] / static_cast<double>(options.tokens);
}

pal::Prompt promptOf(const pal::Engine& engine, int64_t context) {
    pal::Prompt prompt;
    const int64_t ids = std::min<int64_t>(3000, engine.model().vocabulary / 2);
    for (int64_t i = 0; i < context; ++i) prompt.ids.push_back(static_cast<pal::TokenId>((131 * i + i / 17) % ids));
    return prompt;
}

Run answer(pal::Session& session, pal::ProbeLibrary& library, pal::Prompt prompt, ProbeLevel level,
           const Options& options) {
    prompt.probes.level = level;
    const auto tokens = std::ssize(prompt.ids);
    for (int64_t r = 1; r <= options.regions; ++r) prompt.probes.regionEnds.push_back(tokens * r / options.regions);
    pal::SamplingParams greedy;
    greedy.temperature = 0;
    const double spent = processorSeconds();
    Run run;
    const std::vector<int64_t> regionEnds = prompt.probes.regionEnds;
    std::shared_ptr<const pal::TokenProbe> last;
    if (!session.generate(std::move(prompt), greedy, {options.tokens, {}})) return run;
    for (bool done = false; !done;) {
        session.wait({});
        for (const pal::Event& event : session.drain()) {
            if (const auto* probed = std::get_if<pal::TokenProbed>(&event); probed && !probed->probe->layers.empty()) {
                last = probed->probe;
                library.add({1, 1, "bench", regionEnds, {last}});
            }
            if (const auto* end = std::get_if<pal::RequestDone>(&event)) {
                run.wall = end->decodeSeconds;
                done = true;
            }
        }
    }
    library.flush();  // of what is left: no reply has the work of another
    run.processor = processorSeconds() - spent;
    if (last) run.recordBytes = pal::encodeProbe(*last).size();
    return run;
}

Json measure(pal::Engine& engine, pal::ProbeLibrary& library, int64_t context, const Options& options) {
    const auto session = std::move(engine.openSession({}).value());
    const pal::Prompt prompt = promptOf(engine, context);
    answer(*session, library, prompt, ProbeLevel::kSummary, options);  // the prompt is read, memory has its size
    answer(*session, library, prompt, ProbeLevel::kOff, options);
    if (!options.only.empty()) {
        const ProbeLevel level = options.only == "off" ? ProbeLevel::kOff : ProbeLevel::kSummary;
        std::vector<double> walls;
        for (int i = 0; i < options.rounds; ++i)
            walls.push_back(answer(*session, library, prompt, level, options).wall);
        return {{"context", context}, {"step_ms", stepOf(walls, options)}};
    }
    std::vector<double> wall;
    std::vector<double> processor;
    std::vector<double> plainWall;
    std::vector<double> plainProcessor;
    std::vector<double> lookedProcessor;
    std::vector<double> off;
    std::vector<double> on;
    Run last;
    for (int i = 0; i < options.rounds; ++i) {
        const Run plain = answer(*session, library, prompt, ProbeLevel::kOff, options);
        last = answer(*session, library, prompt, ProbeLevel::kSummary, options);
        const Run again = answer(*session, library, prompt, ProbeLevel::kOff, options);
        wall.push_back(2 * last.wall / (plain.wall + again.wall) - 1);
        processor.push_back(2 * last.processor / (plain.processor + again.processor) - 1);
        off.push_back(std::min(plain.wall, again.wall));
        on.push_back(last.wall);
        plainWall.push_back(plain.wall);
        plainWall.push_back(again.wall);
        plainProcessor.push_back(std::min(plain.processor, again.processor));
        lookedProcessor.push_back(last.processor);
    }
    const auto perToken = [&](const std::vector<double>& seconds) {
        return 1000 * *std::min_element(seconds.begin(), seconds.end()) / static_cast<double>(options.tokens);
    };
    const auto perSecond = [&](const std::vector<double>& seconds) {
        return static_cast<double>(options.tokens) / *std::min_element(seconds.begin(), seconds.end());
    };
    const auto range = rangeOfMedian(wall);
    return {{"context", context},
            {"off_tokens_per_second", perSecond(off)},
            {"summary_tokens_per_second", perSecond(on)},
            {"off_step_ms", stepOf(plainWall, options)},
            {"summary_step_ms", stepOf(on, options)},
            {"overhead_of_a_step_percent", 100 * (stepOf(on, options) / stepOf(plainWall, options) - 1)},
            {"off_processor_ms_per_token", perToken(plainProcessor)},
            {"summary_processor_ms_per_token", perToken(lookedProcessor)},
            {"overhead_percent", 100 * median(wall)},
            {"overhead_percent_range", {100 * range.first, 100 * range.second}},
            {"overhead_of_processor_time_percent", 100 * median(processor)},
            {"record_bytes_of_a_token", last.recordBytes}};
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("What looking at a model costs while it answers");
    app.add_option("model", options.model);
    app.add_option("--contexts", options.contexts)->delimiter(',');
    app.add_option("--tokens", options.tokens);
    app.add_option("--rounds", options.rounds);
    app.add_option("--threads", options.threads);
    app.add_option("--regions", options.regions);
    app.add_option("--device", options.device)->check(CLI::IsMember({"cpu", "cuda"}));
    app.add_option("--only", options.only)->check(CLI::IsMember({"off", "summary"}));
    CLI11_PARSE(app, argc, argv);
    pal::EngineOptions engineOptions;
    engineOptions.threads = options.threads;
    engineOptions.device = options.device == "cuda" ? pal::Device::kCuda : pal::Device::kCpu;
    const auto engine = pal::loadEngine(options.model, engineOptions);
    if (!engine) {
        fmt::print(stderr, "{}\n", engine.error().message);
        return 1;
    }
    std::string folder = (std::filesystem::temp_directory_path() / "probe_bench_XXXXXX").string();
    pal::ProbeLibraryOptions keep;
    keep.file = std::filesystem::path(mkdtemp(folder.data())) / "probes.db";
    const auto library = pal::ProbeLibrary::open(keep);
    if (!library) {
        fmt::print(stderr, "{}\n", library.error().message);
        return 1;
    }
    Json out{{"model", options.model},   {"device", (*engine)->model().device},
             {"tokens", options.tokens}, {"regions", options.regions},
             {"rounds", options.rounds}, {"contexts", Json::array()}};
    for (const int64_t context : options.contexts)
        out["contexts"].push_back(measure(**engine, **library, context, options));
    fmt::print("{}\n", out.dump(2));
    std::filesystem::remove_all(folder);
    return 0;
}
