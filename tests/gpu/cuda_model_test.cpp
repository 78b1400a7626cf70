// SPDX-License-Identifier: Apache-2.0
// Whole models on the GPU, which rounds activations to bfloat16, against the float64 reference of the golden checkpoints and against the CPU backend,
// which does not round.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <numbers>
#include <string>

#include "engine/api/telemetry.h"
#include "engine/base/mapped_file.h"
#include "engine/exec/dump_files.h"
#include "engine/exec/dump_tap.h"
#include "engine/exec/forward.h"
#include "engine/exec/runtime.h"
#include "engine/exec/step_probes.h"
#include "engine/model/safetensors.h"
#include "engine/state/state_codec.h"
#include "tests/gpu/routed_backend.h"

namespace pal {
namespace {

constexpr const char* kNano = "resources/nano";
constexpr const char* kParity = "tests/data/nano/parity.safetensors";
constexpr double kUnit = 0x1p-9;  // largest relative error of rounding to bfloat16

// About 17 values are rounded one after the other in a layer (norm, projections, convolution, read, gated norm, output and sum of the attention; norm,
// gate and up, activation, output, combination and sum of the experts). Their errors are independent, so they add as squares; twice that may occur.
double boundAfter(int64_t layers) {
    constexpr double kRoundings = 17;
    return 2 * kUnit * std::sqrt(kRoundings * static_cast<double>(layers));
}

struct Values {
    std::vector<int64_t> shape;
    std::vector<float> numbers;
    std::vector<int32_t> integers;
};

std::map<std::string, Values> readTensors(const std::string& path) {
    std::map<std::string, Values> out;
    const auto file = MappedFile::open(path);
    EXPECT_TRUE(file.has_value()) << path;
    if (!file) return out;
    const auto header = parseSafetensors(file->bytes(), path);
    EXPECT_TRUE(header.has_value());
    for (const SafetensorsEntry& entry : header->entries) {
        Values values;
        for (size_t d = 0; d < entry.shape.rank(); ++d) values.shape.push_back(entry.shape[d]);
        const auto bytes = file->bytes().subspan(header->dataStart + entry.begin, entry.end - entry.begin);
        if (entry.type == StorageType::kF32) values.numbers.resize(bytes.size() / 4);
        if (entry.type == StorageType::kI32) values.integers.resize(bytes.size() / 4);
        if (!values.numbers.empty()) std::memcpy(values.numbers.data(), bytes.data(), bytes.size());
        if (!values.integers.empty()) std::memcpy(values.integers.data(), bytes.data(), bytes.size());
        out[entry.name] = std::move(values);
    }
    return out;
}

double distance(std::span<const float> got, std::span<const float> want) {
    if (got.size() != want.size()) return HUGE_VAL;
    double error = 0;
    double norm = 0;
    for (size_t i = 0; i < got.size(); ++i) {
        const double d = static_cast<double>(got[i]) - static_cast<double>(want[i]);
        error += d * d;
        norm += static_cast<double>(want[i]) * static_cast<double>(want[i]);
    }
    return std::isfinite(error) ? std::sqrt(error / norm) : HUGE_VAL;
}

size_t largest(std::span<const float> row) {
    return static_cast<size_t>(std::ranges::max_element(row) - row.begin());
}

// A model on a device, and what the tests do with it.
class Model {
  public:
    static std::unique_ptr<Model> load(const std::string& folder, Device device) {
        auto bound = loadModel(folder);
        EXPECT_TRUE(bound.has_value()) << bound.error().message;
        if (!bound) return nullptr;
        EngineOptions options;
        options.device = device;
        const auto complete = completeOptions(options, bound->plan.config.text);
        auto backend = createBackend(*complete);
        EXPECT_TRUE(backend.has_value()) << backend.error().message;
        if (!backend) return nullptr;
        auto routed = std::make_unique<RoutedBackend>(std::move(*backend));
        std::unique_ptr<Model> out(new Model);
        out->backend_ = routed.get();
        auto runtime = Runtime::create(std::move(*bound), std::move(routed));
        EXPECT_TRUE(runtime.has_value()) << runtime.error().message;
        if (!runtime) return nullptr;
        out->runtime_ = std::move(*runtime);
        out->forward_ = std::make_unique<Forward>(out->runtime_->weights(), *out->backend_);
        return out;
    }

    [[nodiscard]] RoutedBackend& backend() { return *backend_; }
    [[nodiscard]] const TextConfig& config() const { return runtime_->config().text; }
    [[nodiscard]] const LayerPlan& plan() const { return runtime_->plan(); }
    [[nodiscard]] SequenceState newState() {
        return std::move(*SequenceState::create(*backend_, runtime_->stateLayout(DType::kF32)));
    }
    std::vector<float> step(std::span<const int32_t> ids, SequenceState& state, LogitRows rows = LogitRows::kLast,
                            ForwardTap* tap = nullptr, const StepProbes* probes = nullptr) {
        StepInput input;
        input.ids = ids;
        input.logits = rows;
        input.tap = tap;
        input.probes = probes;
        const auto view = forward_->step(input, state);
        EXPECT_TRUE(view.has_value()) << view.error().message;
        return view ? backend_->read<float>(*view) : std::vector<float>{};
    }
    // A step over one token that somebody looks at, as the window does while a reply is written.
    std::vector<float> look(int32_t id, SequenceState& state, StepProbes& probes, TokenProbe& seen) {
        EXPECT_TRUE(probes.prepare({1, 1, 1, {1, 30}, 4, 0, {}}).has_value());
        std::vector<float> logits = step(std::span(&id, 1), state, LogitRows::kLast, nullptr, &probes);
        probes.take().addTo(seen, 0);
        EXPECT_TRUE(backend_->finish().ok());
        return logits;
    }
    std::string stateBytes(const SequenceState& state) {
        ByteBuffer bytes = encodeCheckpoint(*backend_, state, {}, 0);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    // A sequence of this model that goes on from another one's state.
    SequenceState takeOver(Model& from, const SequenceState& state) {
        ByteBuffer bytes = encodeCheckpoint(from.backend(), state, {}, 0);
        SequenceState out = newState();
        EXPECT_TRUE(out.reserve(state.position()).has_value());
        EXPECT_TRUE(decodeCheckpoint({bytes.data(), bytes.size()}, *backend_, out).has_value());
        out.advance(state.position());
        return out;
    }

  private:
    RoutedBackend* backend_ = nullptr;  // the runtime's
    std::unique_ptr<Runtime> runtime_;
    std::unique_ptr<Forward> forward_;
};

class CudaModel : public ::testing::Test {
  protected:
    void SetUp() override {
        const BackendAttempt attempt = createCudaBackend(0);
        if (!attempt.backend) GTEST_SKIP() << attempt.whyNot;
    }
};

// Forces the picks of the reference and keeps what the routers saw. Against a run of the CPU, which took the same experts, the logits of a layer err as
// any values do, and picks that it replaces fell the other way by no more than their own two logits err. How much those of one token do is no matter of
// bounds: on random weights single tokens err several times as much as tokens do on average.
class ForcedRouting {
  public:
    // `exact`: the finished run to compare with, or null.
    ForcedRouting(const std::map<std::string, Values>& golden, Model& model, const ForcedRouting* exact)
        : golden_(golden), model_(model), exact_(exact) {
        while (!golden.contains(name())) ++layer_;
    }

    void operator()(const RouterArgs& args, std::vector<int32_t>& picks) {
        const std::vector<int32_t>& want = golden_.at(name()).integers;
        ASSERT_EQ(picks.size(), want.size());
        logits_.push_back(model_.backend().read<float>(args.logits));
        choices_.push_back(choices(args, logits_.back()));
        if (exact_ != nullptr) compare(picks, want, static_cast<size_t>(args.index.dim(1)));
        picks = want;
        picks_ += std::ssize(want);
        ++layer_;
    }
    [[nodiscard]] int64_t picks() const { return picks_; }
    [[nodiscard]] int64_t replaced() const { return replaced_; }

  private:
    [[nodiscard]] std::string name() const { return fmt::format("moe.{}.index", layer_); }

    // What the router ranks experts by, [T, E].
    std::vector<float> choices(const RouterArgs& args, std::span<const float> logits) {
        const auto experts = static_cast<size_t>(args.logits.dim(1));
        std::vector<float> bias(experts);
        if (args.bias != nullptr) bias = model_.backend().read<float>({args.bias, DType::kF32, {args.logits.dim(1)}});
        std::vector<float> out;
        for (size_t at = 0; at < logits.size(); at += experts) {
            const std::vector<float> scores = routerScores(args, logits.subspan(at, experts));
            std::ranges::transform(scores, bias, std::back_inserter(out), std::plus<>());
        }
        return out;
    }

    void compare(std::span<const int32_t> picks, std::span<const int32_t> want, size_t k) {
        const size_t done = logits_.size() - 1;
        const std::vector<float>& exact = exact_->choices_.at(done);
        EXPECT_LE(distance(logits_[done], exact_->logits_.at(done)), boundAfter(layer_ + 1)) << "router " << layer_;
        const size_t tokens = picks.size() / k;
        const size_t experts = exact.size() / tokens;
        for (size_t t = 0; t < tokens; ++t) {
            checkTies(std::span(choices_[done]).subspan(t * experts, experts),
                      std::span(exact).subspan(t * experts, experts), picks.subspan(t * k, k), want.subspan(t * k, k));
        }
    }

    void checkTies(std::span<const float> choice, std::span<const float> exact, std::span<const int32_t> got,
                   std::span<const int32_t> want) {
        constexpr float kScoreUnits = 0x1p-21F;  // scores are at most 1; device, CPU and test round each
        const auto in = [](std::span<const int32_t> list, int32_t e) {
            return std::ranges::find(list, e) != list.end();
        };
        const auto moved = [&](size_t e) { return std::abs(choice[e] - exact[e]); };
        for (const int32_t expert : want) {
            if (in(got, expert)) continue;
            ++replaced_;
            const auto left = static_cast<size_t>(expert);
            for (const int32_t other : got) {
                if (in(want, other)) continue;
                const auto taken = static_cast<size_t>(other);
                EXPECT_LE(std::abs(choice[taken] - choice[left]), moved(taken) + moved(left) + kScoreUnits)
                    << "layer " << layer_ << ": experts " << other << " and " << expert << " are no near tie";
            }
        }
    }

    const std::map<std::string, Values>& golden_;
    Model& model_;
    const ForcedRouting* exact_;
    std::vector<std::vector<float>> logits_;   // per layer with experts, [T, E]
    std::vector<std::vector<float>> choices_;  // the same
    int64_t layer_ = 0;
    int64_t picks_ = 0;
    int64_t replaced_ = 0;
};

// Layers that stand before what a name of the dump says.
int64_t layersOf(const std::string& name, int64_t all) {
    const size_t dot = name.find('.');
    if (dot == std::string::npos || !std::isdigit(static_cast<unsigned char>(name[dot + 1]))) return all;
    return std::stoll(name.substr(dot + 1)) + 1;
}

// A probability errs, relative to itself, by what its score errs. Queries and keys both do, so scores err by sqrt(2) as much as either, in proportion to
// how far the scores of a row spread; the logarithms of its probabilities spread as far.
double sensitivity(const std::string& name, const Values& values) {
    if (!name.ends_with(".probs_last")) return 1;
    const auto keys = static_cast<size_t>(values.shape.back());
    double widest = 0;
    for (size_t at = 0; at < values.numbers.size(); at += keys) {
        double count = 0;
        double sum = 0;
        double squares = 0;
        for (const float p : std::span(values.numbers).subspan(at, keys)) {
            if (p == 0) continue;
            const double score = std::log(static_cast<double>(p));
            count += 1;
            sum += score;
            squares += score * score;
        }
        widest = std::max(widest, std::sqrt(squares / count - (sum / count) * (sum / count)));
    }
    return std::max(1.0, std::numbers::sqrt2 * widest);
}

class CudaGolden : public CudaModel, public ::testing::WithParamInterface<const char*> {};

TEST_P(CudaGolden, EveryIntermediateWithRoutingForced) {
    const std::string folder = std::string("tests/golden/") + GetParam();
    const auto golden = readTensors(folder + "/golden.safetensors");
    const auto cpu = Model::load(folder + "/checkpoint", Device::kCpu);
    const auto model = Model::load(folder + "/checkpoint", Device::kCuda);
    ASSERT_TRUE(cpu && model);
    ForcedRouting exact(golden, *cpu, nullptr);
    cpu->backend().onRouting(std::ref(exact));
    SequenceState onCpu = cpu->newState();
    cpu->step(golden.at("ids").integers, onCpu);
    ForcedRouting forced(golden, *model, &exact);
    model->backend().onRouting(std::ref(forced));
    DumpTensors dump;
    DumpTap tap(model->backend(), dump);
    SequenceState state = model->newState();
    const std::vector<float> logits = model->step(golden.at("ids").integers, state, LogitRows::kAll, &tap);
    const auto layers = std::ssize(model->config().attention);
    EXPECT_LE(distance(logits, golden.at("logits").numbers), boundAfter(layers + 1));
    int64_t compared = 0;
    for (const auto& [name, got] : dump) {
        const auto want = golden.find(name);
        if (want == golden.end() || want->second.numbers.empty()) continue;
        std::vector<float> numbers(got.bytes.size() / sizeof(float));
        std::memcpy(numbers.data(), got.bytes.data(), got.bytes.size());
        ++compared;
        const double error = distance(numbers, want->second.numbers);
        EXPECT_LE(error, boundAfter(layersOf(name, layers) + 1) * sensitivity(name, want->second)) << name;
        if (name.starts_with("layer.")) fmt::print("{} {}: {:.2e}\n", GetParam(), name, error);
    }
    EXPECT_GT(compared, 3 * layers);
    fmt::print("{}: {} of {} picks were near ties that fell the other way, logits {:.2e}\n", GetParam(),
               forced.replaced(), forced.picks(), distance(logits, golden.at("logits").numbers));
}
INSTANTIATE_TEST_SUITE_P(Checkpoints, CudaGolden, ::testing::Values("tiny-k3", "tiny-linear"));

// The text prompts of the embedded model's parity data.
std::map<std::string, std::vector<int32_t>> nanoPrompts() {
    std::map<std::string, std::vector<int32_t>> out;
    const auto parity = readTensors(kParity);
    for (const auto& [name, values] : parity) {
        const size_t dot = name.find('.');
        const std::string prompt = name.substr(0, dot);
        if (name.substr(dot) == ".ids" && !parity.contains(prompt + ".grid")) out[prompt] = values.integers;
    }
    EXPECT_GE(out.size(), 3U);
    return out;
}

TEST_F(CudaModel, GreedyReplyIsTheCpusReply) {
    const auto cpu = Model::load(kNano, Device::kCpu);
    const auto gpu = Model::load(kNano, Device::kCuda);
    ASSERT_TRUE(cpu && gpu);
    for (const auto& [name, ids] : nanoPrompts()) {
        std::vector<std::vector<int32_t>> replies;
        for (Model* model : {cpu.get(), gpu.get()}) {
            SequenceState state = model->newState();
            std::vector<float> logits = model->step(ids, state);
            std::vector<int32_t> reply;
            for (int i = 0; i < 32; ++i) {
                reply.push_back(static_cast<int32_t>(largest(logits)));
                logits = model->step(std::span(reply).last(1), state);
            }
            replies.push_back(std::move(reply));
        }
        EXPECT_EQ(replies[1], replies[0]) << name;
    }
}

// A prompt token by token gives what it gives at once, up to rounding, when both take the same experts.
TEST_F(CudaModel, DecodeIsPrefill) {
    const auto model = Model::load(kNano, Device::kCuda);
    ASSERT_NE(model, nullptr);
    const auto vocabulary = static_cast<size_t>(model->config().vocabSize);
    const auto layers = std::ssize(model->config().attention);
    constexpr size_t kTokens = 63;
    for (const auto& [name, all] : nanoPrompts()) {
        const auto ids = std::span(all).first(kTokens);
        std::vector<std::vector<int32_t>> taken;  // per layer [T, k]
        model->backend().onRouting([&](const RouterArgs&, std::vector<int32_t>& picks) { taken.push_back(picks); });
        SequenceState whole = model->newState();
        const std::vector<float> want = model->step(ids, whole, LogitRows::kAll);
        size_t layer = 0;
        size_t token = 0;
        model->backend().onRouting([&](const RouterArgs& args, std::vector<int32_t>& picks) {
            const auto k = static_cast<size_t>(args.index.dim(1));
            const auto row = std::span(taken.at(layer++)).subspan(token * k, k);
            picks.assign(row.begin(), row.end());
        });
        SequenceState state = model->newState();
        double worst = 0;
        for (; token < kTokens; ++token) {
            layer = 0;
            const std::vector<float> got = model->step(ids.subspan(token, 1), state);
            const double error = distance(got, std::span(want).subspan(token * vocabulary, vocabulary));
            worst = std::max(worst, error);
            EXPECT_LE(error, 2 * boundAfter(layers + 1)) << name << ", token " << token;  // both sides round
        }
        fmt::print("{}: decode against prefill {:.2e} at most\n", name, worst);
    }
}

TEST_F(CudaModel, StatesMoveBetweenDevices) {
    const auto cpu = Model::load(kNano, Device::kCpu);
    const auto gpu = Model::load(kNano, Device::kCuda);
    ASSERT_TRUE(cpu && gpu);
    const auto layers = std::ssize(gpu->config().attention);
    for (const auto& [name, ids] : nanoPrompts()) {
        const auto first = std::span(ids).first(ids.size() / 2);
        const auto rest = std::span(ids).subspan(ids.size() / 2);
        SequenceState onCpu = cpu->newState();
        SequenceState onGpu = gpu->newState();
        cpu->step(first, onCpu);
        gpu->step(first, onGpu);
        SequenceState resumed = gpu->takeOver(*gpu, onGpu);
        SequenceState fromCpu = gpu->takeOver(*cpu, onCpu);
        SequenceState fromGpu = cpu->takeOver(*gpu, onGpu);
        const std::vector<float> stayed = gpu->step(rest, onGpu);
        EXPECT_EQ(gpu->step(rest, resumed), stayed) << name << ": resumed is bit for bit what was never closed";
        const std::vector<float> plain = cpu->step(rest, onCpu);
        const std::vector<float> moved = gpu->step(rest, fromCpu);
        const std::vector<float> back = cpu->step(rest, fromGpu);
        fmt::print("{}: CPU to GPU {:.2e}, GPU to CPU {:.2e} from the CPU alone\n", name, distance(moved, plain),
                   distance(back, plain));
        EXPECT_LE(distance(moved, plain), boundAfter(layers + 1)) << name;
        EXPECT_LE(distance(back, plain), boundAfter(layers + 1)) << name;
        EXPECT_EQ(largest(moved), largest(plain)) << name;
        EXPECT_EQ(largest(back), largest(plain)) << name;
    }
}

// What of a layer's look is a smooth function of its activations, so that it errs as they do. Half-lives as the log decays that they come from; the
// shares of channels that are nearly closed or open jump, and are held to the oracle in vectors/.
using SmoothValues = std::map<std::string, std::vector<float>>;
SmoothValues smoothValues(const LayerProbe& layer) {
    std::vector<float> decays = layer.kda.halfLife;
    for (float& x : decays) x = 1 / x;
    return {{"decay", decays},
            {"beta", layer.kda.beta},
            {"write", layer.kda.write},
            {"state norm", layer.kda.stateNorm},
            {"gate", layer.kda.gate.mean},
            {"attention gate", layer.mla.gate.mean},
            {"mix before attention", layer.mixAttention},
            {"mix before experts", layer.mixMlp},
            {"expert weight", layer.routing.weight}};
}

// The values of all tokens, by layer.
std::vector<SmoothValues> joined(std::span<const TokenProbe> tokens) {
    std::vector<SmoothValues> out(tokens.front().layers.size());
    for (const TokenProbe& token : tokens) {
        for (size_t i = 0; i < out.size(); ++i) {
            for (const auto& [name, values] : smoothValues(token.layers[i]))
                out[i][name].insert(out[i][name].end(), values.begin(), values.end());
        }
    }
    return out;
}

void expectAlike(const std::string& model, std::span<const TokenProbe> got, std::span<const TokenProbe> want) {
    std::vector<SmoothValues> ours = joined(got);
    std::map<std::string, double> worst;
    for (size_t i = 0; const SmoothValues& exact : joined(want)) {
        const double bound = boundAfter(static_cast<int64_t>(i) + 2);
        for (const auto& [name, values] : exact) {
            ASSERT_EQ(ours[i][name].size(), values.size()) << name << " of layer " << i;
            if (values.empty()) continue;
            const double share = distance(ours[i][name], values) / bound;
            EXPECT_LE(share, 1) << name << " of layer " << i;
            worst[name] = std::max(worst[name], share);
        }
        ++i;
    }
    for (const auto& [name, share] : worst) fmt::print("{}: {} at most {:.2f} of the bound\n", model, name, share);
    for (const char* name : {"decay", "beta", "write", "state norm", "gate"}) EXPECT_TRUE(worst.contains(name)) << name;
}

struct Looking {
    const char* folder;
    int64_t vocabulary;  // ids below are text
};
class CudaLooking : public CudaModel, public ::testing::WithParamInterface<Looking> {};

// 20 tokens of a reply with everything shown that the window shows, against the same without: logits and the state that is left are the same bits. The
// tokens run as captured graphs from the third on. What was shown is what the CPU shows, which starts from the same state and takes the same experts.
TEST_P(CudaLooking, ShowsWhatTheCpuShowsAndChangesNoBit) {
    constexpr size_t kTokens = 20;
    const auto cpu = Model::load(GetParam().folder, Device::kCpu);
    const auto gpu = Model::load(GetParam().folder, Device::kCuda);
    ASSERT_TRUE(cpu && gpu);
    std::vector<int32_t> ids;
    for (int64_t i = 0; i < 90; ++i)
        ids.push_back(static_cast<int32_t>((37 * i + 11 + i / 50) % GetParam().vocabulary));
    SequenceState onCpu = cpu->newState();
    const std::vector<float> first = cpu->step(ids, onCpu);
    SequenceState plain = gpu->takeOver(*cpu, onCpu);
    SequenceState looked = gpu->takeOver(*cpu, onCpu);
    std::vector<int32_t> reply{static_cast<int32_t>(largest(first))};
    std::vector<std::vector<float>> want;
    while (want.size() < kTokens) {
        want.push_back(gpu->step(std::span(reply).last(1), plain));
        reply.push_back(static_cast<int32_t>(largest(want.back())));
    }
    StepProbes gpuProbes(gpu->plan(), gpu->backend());
    std::vector<TokenProbe> seen(kTokens);
    for (size_t i = 0; i < kTokens; ++i) {
        EXPECT_EQ(gpu->look(reply[i], looked, gpuProbes, seen[i]), want[i]) << "token " << i;
    }
    EXPECT_EQ(gpu->stateBytes(looked), gpu->stateBytes(plain));

    size_t token = 0;
    size_t layer = 0;
    cpu->backend().onRouting([&](const RouterArgs&, std::vector<int32_t>& picks) {
        while (seen[token].layers[layer].routing.expert.empty()) ++layer;
        ASSERT_EQ(seen[token].layers[layer].routing.expert.size(), picks.size());
        picks = seen[token].layers[layer++].routing.expert;
    });
    StepProbes cpuProbes(cpu->plan(), cpu->backend());
    std::vector<TokenProbe> shown(kTokens);
    for (; token < kTokens; ++token) {
        layer = 0;
        cpu->look(reply[token], onCpu, cpuProbes, shown[token]);
    }
    expectAlike(GetParam().folder, seen, shown);
}
INSTANTIATE_TEST_SUITE_P(Models, CudaLooking,
                         ::testing::Values(Looking{kNano, 3000}, Looking{"tests/golden/tiny-k3/checkpoint", 500},
                                           Looking{"tests/golden/tiny-linear/checkpoint", 256}));

}  // namespace
}  // namespace pal
