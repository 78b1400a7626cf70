// SPDX-License-Identifier: Apache-2.0
// What the engine says of a model at work, number by number against the float64 reference on the two golden checkpoints; what the reference does
// not have (effective writes, state norms) against the recurrence in double on the values that the engine shows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/api/engine.h"
#include "tests/golden/golden_tensors.h"
#include "tests/oracle/kda_oracle.h"

namespace pal {
namespace {

// float32 against float64, as in golden_test: a sum of 256 products errs by about 16 roundings of 6e-8, the 18 parts of 9 layers one after the
// other by 2e-5 of their size, and exponents of sizes up to 10 make that ten times as much.
constexpr double kTolerance = 2e-4;
const std::vector<int64_t> kRegionEnds{1, 7, 64, 65, 190};

// The golden prompt with the whole of it as the window, and raw values of every layer.
struct Looked {
    WindowProbe window;
    Tensors golden;
    int64_t tokens = 0;
};

Looked look(const std::string& variant) {
    Looked out;
    const std::filesystem::path folder = std::filesystem::path("tests/golden") / variant;
    out.golden = readTensors(folder / "golden.safetensors");
    EngineOptions options;
    options.threads = 2;
    options.chunkTokens = 128;
    auto engine = loadEngine(folder / "checkpoint", options);
    EXPECT_TRUE(engine.has_value());
    auto session = std::move((*engine)->openSession({}).value());
    Prompt prompt;
    for (const double id : out.golden.at("ids").data) prompt.ids.push_back(static_cast<TokenId>(id));
    out.tokens = std::ssize(prompt.ids);
    prompt.probes = {ProbeLevel::kFull, kRegionEnds, 8, 0, out.tokens, {}};
    for (int64_t layer = 0; out.golden.contains(fmt::format("layer.{}", layer)); ++layer)
        prompt.probes.rawLayers.push_back(layer);
    EXPECT_TRUE(session->sync(std::move(prompt)).has_value());
    for (bool done = false; !done;) {
        session->wait({});
        for (const Event& event : session->drain()) {
            if (const auto* window = std::get_if<WindowProbed>(&event)) out.window = *window->probe;
            if (const auto* end = std::get_if<RequestDone>(&event)) {
                EXPECT_FALSE(end->error.has_value()) << end->error->message;
                done = true;
            }
        }
    }
    EXPECT_EQ(std::ssize(out.window.tokens), out.tokens);
    return out;
}

// Row `token` of a tensor that holds the prompt's last rows.
std::vector<double> rowOf(const Values& tensor, int64_t tokens, int64_t token) {
    const int64_t kept = tensor.shape[0];
    const auto width = static_cast<int64_t>(tensor.data.size()) / kept;
    const int64_t row = token - (tokens - kept);
    EXPECT_GE(row, 0);
    return {tensor.data.begin() + row * width, tensor.data.begin() + (row + 1) * width};
}

void expectNear(const std::vector<float>& got, const std::vector<double>& want, const std::string& what) {
    ASSERT_EQ(got.size(), want.size()) << what;
    double largest = 1e-30;
    for (const double x : want) largest = std::max(largest, std::abs(x));
    for (size_t i = 0; i < got.size(); ++i)
        EXPECT_NEAR(got[i], want[i], kTolerance * largest) << what << " [" << i << "]";
}

double sumOf(const std::vector<float>& values) {
    double sum = 0;
    for (const float x : values) sum += x;
    return sum;
}

class ProbeGoldenTest : public ::testing::TestWithParam<const char*> {};

TEST_P(ProbeGoldenTest, DepthWeights) {
    const Looked looked = look(GetParam());
    size_t compared = 0;
    for (const TokenProbe& token : looked.window.tokens) {
        const auto expectMix = [&](const std::vector<float>& got, const std::string& name) {
            const auto want = looked.golden.find(name);
            EXPECT_EQ(got.empty(), want == looked.golden.end()) << name;
            if (got.empty()) return;
            expectNear(got, rowOf(want->second, looked.tokens, token.position), name);
            EXPECT_NEAR(sumOf(got), 1, 1e-6) << name;  // at most 9 values, each rounded by 6e-8
            ++compared;
        };
        for (size_t layer = 0; layer < token.layers.size(); ++layer) {
            expectMix(token.layers[layer].mixAttention, fmt::format("attn_res.{}.attn", layer));
            expectMix(token.layers[layer].mixMlp, fmt::format("attn_res.{}.mlp", layer));
        }
        expectMix(token.mixOutput, "attn_res.out");
    }
    EXPECT_EQ(compared, std::string(GetParam()) == "tiny-k3" ? 203U * 18 : 0U);
}

TEST_P(ProbeGoldenTest, Routing) {
    const Looked looked = look(GetParam());
    size_t compared = 0;
    for (const TokenProbe& token : looked.window.tokens) {
        for (size_t layer = 0; layer < token.layers.size(); ++layer) {
            const RoutingProbe& got = token.layers[layer].routing;
            const auto index = looked.golden.find(fmt::format("moe.{}.index", layer));
            EXPECT_EQ(got.expert.empty(), index == looked.golden.end());
            if (got.expert.empty()) continue;
            const std::vector<double> picks = rowOf(index->second, looked.tokens, token.position);
            EXPECT_EQ(std::vector<double>(got.expert.begin(), got.expert.end()), picks);
            const std::vector<double> weights =
                rowOf(looked.golden.at(fmt::format("moe.{}.weight", layer)), looked.tokens, token.position);
            expectNear(got.weight, weights, "weight");
            double sum = 0;
            for (const double w : weights) sum += w;
            double entropy = 0;
            for (const double w : weights) entropy -= w / sum * std::log(w / sum);
            EXPECT_NEAR(got.entropy, entropy, 1e-3);  // |dH| <= sum |ln p| |dp|, kTolerance of each and |ln p| up to 5
            ++compared;
        }
    }
    EXPECT_GT(compared, 500U);
}

// mean, share below 0.1, share above 0.9 per head; a value at a threshold may fall on either side of it.
void expectGate(const GateProbe& got, const std::vector<double>& gate, const std::string& what) {
    const size_t heads = got.mean.size();
    ASSERT_GT(heads, 0U) << what;
    const size_t width = gate.size() / heads;
    for (size_t head = 0; head < heads; ++head) {
        double mean = 0;
        double least[2] = {0, 0};
        double most[2] = {0, 0};
        for (size_t i = head * width; i < (head + 1) * width; ++i) {
            mean += gate[i] / static_cast<double>(width);
            for (const double slack : {-kTolerance, kTolerance}) {
                double* count = slack < 0 ? least : most;
                count[0] += gate[i] < 0.1 + slack ? 1.0 / static_cast<double>(width) : 0;
                count[1] += gate[i] > 0.9 - slack ? 1.0 / static_cast<double>(width) : 0;
            }
        }
        EXPECT_NEAR(got.mean[head], mean, kTolerance) << what;
        // A share is a multiple of 1/128: 1e-6 is its rounding.
        EXPECT_GE(got.closed[head], least[0] - 1e-6) << what;
        EXPECT_LE(got.closed[head], most[0] + 1e-6) << what;
        EXPECT_GE(got.open[head], least[1] - 1e-6) << what;
        EXPECT_LE(got.open[head], most[1] + 1e-6) << what;
    }
}

// The last 8 tokens, which the reference keeps.
TEST_P(ProbeGoldenTest, DecayStrengthAndGateOfKda) {
    const Looked looked = look(GetParam());
    size_t layers = 0;
    for (int64_t position = looked.tokens - 8; position < looked.tokens; ++position) {
        const TokenProbe& token = looked.window.tokens[static_cast<size_t>(position)];
        ASSERT_EQ(token.position, position);
        for (size_t layer = 0; layer < token.layers.size(); ++layer) {
            const KdaProbe& got = token.layers[layer].kda;
            const auto beta = looked.golden.find(fmt::format("kda.{}.beta", layer));
            EXPECT_EQ(got.beta.empty(), beta == looked.golden.end());
            if (got.beta.empty()) continue;
            ++layers;
            const auto golden = [&](const char* what) {
                return rowOf(looked.golden.at(fmt::format("kda.{}.{}", layer, what)), looked.tokens, position);
            };
            expectNear(got.beta, golden("beta"), "beta");
            expectGate(got.gate, golden("gate"), "gate");
            const std::vector<double> decay = golden("log_decay");
            const size_t heads = got.beta.size();
            const size_t keys = decay.size() / heads;
            ASSERT_EQ(got.halfLife.size(), heads * 5);
            for (size_t head = 0; head < heads; ++head) {
                std::vector<double> lives;
                for (size_t i = head * keys; i < (head + 1) * keys; ++i) lives.push_back(std::log(2.0) / -decay[i]);
                std::sort(lives.begin(), lives.end());
                const size_t ranks[] = {12, 31, 63, 95, 115};  // of 128: the 13th, 32nd, 64th, 96th and 116th
                ASSERT_EQ(keys, 128U);
                // A half-life is an exponential: its relative error is the absolute one of an exponent of size 10.
                for (size_t q = 0; q < 5; ++q)
                    EXPECT_NEAR(got.halfLife[head * 5 + q] / lives[ranks[q]], 1, 2e-3) << layer << " " << head;
            }
        }
    }
    EXPECT_GE(layers, 8U * 3);
}

TEST_P(ProbeGoldenTest, AttentionOfTheLastToken) {
    const Looked looked = look(GetParam());
    const TokenProbe& token = looked.window.tokens.back();
    size_t layers = 0;
    for (size_t layer = 0; layer < token.layers.size(); ++layer) {
        const MlaProbe& got = token.layers[layer].mla;
        const auto probs = looked.golden.find(fmt::format("mla.{}.probs_last", layer));
        EXPECT_EQ(got.mass.empty(), probs == looked.golden.end());
        if (got.mass.empty()) continue;
        ++layers;
        const size_t heads = got.sink.size();
        const auto rows = static_cast<size_t>(looked.tokens);
        const size_t regions = kRegionEnds.size() + 1;
        ASSERT_EQ(probs->second.data.size(), heads * rows);
        std::vector<double> mean(rows);
        const RawMla& raw = looked.window.raw[layer].mla;
        for (size_t head = 0; head < heads; ++head) {
            const double* p = probs->second.data.data() + head * rows;
            std::vector<double> mass(regions);
            double entropy = 0;
            for (size_t row = 0; row < rows; ++row) {
                size_t region = 0;
                while (region + 1 < regions && static_cast<int64_t>(row) >= kRegionEnds[region]) ++region;
                mass[region] += p[row];
                entropy -= p[row] > 0 ? p[row] * std::log(p[row]) : 0;
                mean[row] += p[row] / static_cast<double>(heads);
                EXPECT_NEAR(raw.attention[((rows - 1) * heads + head) * rows + row], p[row], kTolerance);
            }
            double sum = 0;
            for (size_t region = 0; region < regions; ++region) {
                EXPECT_NEAR(got.mass[head * regions + region], mass[region], kTolerance) << layer << " " << head;
                sum += got.mass[head * regions + region];
            }
            EXPECT_NEAR(sum, 1, 1e-5);  // 203 rows, each rounded by up to 6e-8
            EXPECT_NEAR(got.sink[head], p[0], kTolerance);
            EXPECT_NEAR(got.entropy[head], entropy,
                        2e-3);  // kTolerance of each p times |ln p| + 1, at most ln 203 + 1 = 6.3
        }
        ASSERT_EQ(got.topKey.size(), 8U);
        std::vector<double> sorted = mean;
        std::sort(sorted.rbegin(), sorted.rend());
        for (size_t i = 0; i < 8; ++i) {
            EXPECT_NEAR(got.topMass[i], sorted[i], kTolerance);
            EXPECT_NEAR(mean[static_cast<size_t>(got.topKey[i])], sorted[i], kTolerance);
        }
        const auto gate = looked.golden.find(fmt::format("mla.{}.gate", layer));
        if (gate != looked.golden.end()) {
            expectGate(got.gate, rowOf(gate->second, looked.tokens, token.position), "gate");
        } else {
            EXPECT_TRUE(got.gate.mean.empty());
        }
    }
    EXPECT_GE(layers, 1U);
}

TEST_P(ProbeGoldenTest, EveryAttentionRowSumsToOneAndSeesNoFuture) {
    const Looked looked = look(GetParam());
    const auto rows = static_cast<size_t>(looked.tokens);
    for (const RawLayer& layer : looked.window.raw) {
        const auto heads = static_cast<size_t>(layer.mla.heads);
        for (size_t token = 0; token < rows && heads > 0; ++token) {
            const MlaProbe& probe = looked.window.tokens[token].layers[static_cast<size_t>(layer.layer)].mla;
            for (size_t head = 0; head < heads; ++head) {
                const float* p = layer.mla.attention.data() + (token * heads + head) * rows;
                double sum = 0;
                double firstRegion = 0;
                for (size_t row = 0; row < rows; ++row) {
                    sum += p[row];
                    if (row < 1) firstRegion += p[row];
                    EXPECT_TRUE(row <= token || p[row] == 0);
                }
                EXPECT_NEAR(sum, 1, 1e-5);  // as above
                EXPECT_NEAR(probe.mass[head * (kRegionEnds.size() + 1)], firstRegion, 1e-6);
                EXPECT_EQ(probe.sink[head], p[0]);
            }
        }
    }
}

// What a layer gave over the whole prompt, and its state at the end; the reference's state is [h, K, V].
void expectEnd(const Looked& looked, const RawLayer& layer, const oracle::Mat<double>& read) {
    const RawKda& raw = layer.kda;
    double largest = 0;
    for (const double x : read.v) largest = std::max(largest, std::abs(x));
    // The recurrence in float32 on the same values: 203 steps, each rounded by 6e-8.
    for (size_t i = 0; i < raw.read.size(); ++i) EXPECT_NEAR(raw.read[i], read.v[i], 1e-5 * largest);
    const Values& golden = looked.golden.at(fmt::format("kda.{}.state", layer.layer));
    const KdaProbe& last = looked.window.tokens.back().layers[static_cast<size_t>(layer.layer)].kda;
    for (int64_t head = 0; head < raw.heads; ++head) {
        double sum = 0;
        for (int64_t k = 0; k < raw.keyDim; ++k) {
            for (int64_t v = 0; v < raw.valueDim; ++v) {
                const double x = golden.data[static_cast<size_t>((head * raw.keyDim + k) * raw.valueDim + v)];
                const auto at = static_cast<size_t>((head * raw.valueDim + v) * raw.keyDim + k);
                EXPECT_NEAR(raw.stateAfter[at], x, 4 * kTolerance);  // values up to 4, see kTolerance
                sum += x * x;
            }
        }
        EXPECT_NEAR(last.stateNorm[static_cast<size_t>(head)] / std::sqrt(sum), 1, kTolerance);
    }
}

// Effective writes and state norms of every token, by the recurrence in double on what the engine says that it took; what it took and gave is the
// reference's.
TEST_P(ProbeGoldenTest, WritesAndStatesOfKda) {
    const Looked looked = look(GetParam());
    const auto matrix = [](const std::vector<float>& values, int64_t rows) {
        oracle::Mat<double> out(rows, std::ssize(values) / rows);
        std::copy(values.begin(), values.end(), out.v.begin());
        return out;
    };
    size_t layers = 0;
    for (const RawLayer& layer : looked.window.raw) {
        const RawKda& raw = layer.kda;
        if (raw.heads == 0) continue;
        ++layers;
        for (const float x : raw.stateBefore) ASSERT_EQ(x, 0);
        const int64_t t = looked.tokens;
        oracle::Mat<double> state(raw.heads * raw.valueDim, raw.keyDim);
        oracle::KdaWrites<double> want;
        const oracle::Mat<double> read =
            oracle::kdaRecurrence(matrix(raw.q, t), matrix(raw.k, t), matrix(raw.v, t), matrix(raw.logDecay, t),
                                  matrix(raw.beta, t), state, oracle::Wrong::kNone, &want);
        for (int64_t token = 0; token < t; ++token) {
            const KdaProbe& got =
                looked.window.tokens[static_cast<size_t>(token)].layers[static_cast<size_t>(layer.layer)].kda;
            for (int64_t head = 0; head < raw.heads; ++head) {
                const auto at = static_cast<size_t>(head);
                // In float32 on the same values; v - S k of a repeated token cancels a digit, a norm does not.
                EXPECT_NEAR(got.write[at] / want.write.at(token, head), 1, 1e-4);
                EXPECT_NEAR(got.stateNorm[at] / want.stateNorm.at(token, head), 1, 1e-5);
                EXPECT_EQ(got.beta[at], raw.beta[static_cast<size_t>(token * raw.heads + head)]);
            }
        }
        expectEnd(looked, layer, read);
        const auto expectLast = [&](const char* what, const std::vector<float>& rows) {
            const Values& want8 = looked.golden.at(fmt::format("kda.{}.{}", layer.layer, what));
            const std::vector<float> last(rows.end() - std::ssize(want8.data), rows.end());
            Values got{want8.type, want8.shape, {last.begin(), last.end()}};
            EXPECT_LE(worstError(want8, got), kTolerance) << what;
        };
        expectLast("log_decay", raw.logDecay);
        expectLast("read", raw.read);
        expectLast("gate", raw.gate);
    }
    EXPECT_GE(layers, 3U);
}

TEST_P(ProbeGoldenTest, NextTokens) {
    const Looked looked = look(GetParam());
    const Values& logits = looked.golden.at("logits");
    for (const TokenProbe& token : looked.window.tokens) {
        const std::vector<double> row = rowOf(logits, looked.tokens, token.position);
        double sum = 0;
        for (const double x : row) sum += std::exp(x);
        double entropy = 0;
        for (const double x : row) entropy -= std::exp(x) / sum * (x - std::log(sum));
        // Logits up to 15 err by kTolerance of that, 3e-3, and log probabilities and entropy with them.
        EXPECT_NEAR(token.nextEntropy, entropy, 5e-3);
        std::vector<double> sorted = row;
        std::sort(sorted.rbegin(), sorted.rend());
        ASSERT_EQ(token.next.size(), 5U);
        for (size_t i = 0; i < 5; ++i) {
            EXPECT_NEAR(token.next[i].logProbability, sorted[i] - std::log(sum), 5e-3);
            EXPECT_NEAR(row[static_cast<size_t>(token.next[i].token)], sorted[i], 5e-3);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, ProbeGoldenTest, ::testing::Values("tiny-k3", "tiny-linear"),
                         [](const auto& variant) { return std::string(variant.param).substr(5); });

}  // namespace
}  // namespace pal
