// SPDX-License-Identifier: Apache-2.0
#include "storage/probes/probe_codec.h"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/support/random_probe.h"

namespace pal {
namespace {

using test::ProbeModel;
using test::randomProbe;

void expectShares(const std::vector<float>& got, const std::vector<float>& want) {
    ASSERT_EQ(got.size(), want.size());
    for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 0.5 / 65535 + 1e-7);
}
void expectSizes(const std::vector<float>& got, const std::vector<float>& want) {
    ASSERT_EQ(got.size(), want.size());
    for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 4e-4 * want[i]);
}
void expectGates(const GateProbe& got, const GateProbe& want) {
    expectShares(got.mean, want.mean);
    expectShares(got.closed, want.closed);
    expectShares(got.open, want.open);
}

TEST(ProbeCodec, KeepsEverythingToItsPrecision) {
    for (const ProbeModel& model : {ProbeModel{"kkmkm"}, ProbeModel{"mk", 1, 7, 2000, 30, 0, 0, 1, false, false}}) {
        const TokenProbe want = randomProbe(model, 123456, 1);
        const auto decoded = decodeProbe(encodeProbe(want));
        ASSERT_TRUE(decoded.has_value());
        EXPECT_EQ(decoded->position, want.position);
        EXPECT_EQ(decoded->token, want.token);
        ASSERT_EQ(decoded->layers.size(), want.layers.size());
        for (size_t i = 0; i < want.layers.size(); ++i) {
            const LayerProbe& a = decoded->layers[i];
            const LayerProbe& b = want.layers[i];
            expectShares(a.mixAttention, b.mixAttention);
            expectShares(a.mixMlp, b.mixMlp);
            expectSizes(a.kda.halfLife, b.kda.halfLife);
            expectShares(a.kda.beta, b.kda.beta);
            expectSizes(a.kda.write, b.kda.write);
            expectSizes(a.kda.stateNorm, b.kda.stateNorm);
            expectGates(a.kda.gate, b.kda.gate);
            expectShares(a.mla.mass, b.mla.mass);
            expectShares(a.mla.sink, b.mla.sink);
            for (size_t h = 0; h < b.mla.entropy.size(); ++h)
                EXPECT_NEAR(a.mla.entropy[h], b.mla.entropy[h], 0.5 / 2048 + 1e-6);
            EXPECT_EQ(a.mla.topKey, b.mla.topKey);
            expectShares(a.mla.topMass, b.mla.topMass);
            expectGates(a.mla.gate, b.mla.gate);
            EXPECT_EQ(a.routing.expert, b.routing.expert);
            expectSizes(a.routing.weight, b.routing.weight);
            EXPECT_NEAR(a.routing.entropy, b.routing.entropy, 0.5 / 2048 + 1e-6);
        }
        expectShares(decoded->mixOutput, want.mixOutput);
        ASSERT_EQ(decoded->next.size(), 5U);
        for (size_t i = 0; i < 5; ++i) {
            EXPECT_EQ(decoded->next[i].token, want.next[i].token);
            EXPECT_EQ(decoded->next[i].logProbability, want.next[i].logProbability);
        }
        EXPECT_EQ(decoded->nextEntropy, want.nextEntropy);
    }
}

TEST(ProbeCodec, OneLayerIsReadAsAmongAll) {
    for (const ProbeModel& model : {ProbeModel{"kkmkm"}, ProbeModel{"mk", 1, 7, 2000, 30, 0, 0, 1, false, false}}) {
        const auto layers = static_cast<int64_t>(randomProbe(model, 123456, 1).layers.size());
        for (int64_t layer = -1; layer < layers; ++layer) {
            ProbeLayerDecoder decoder(layer);
            for (const unsigned seed : {1U, 2U, 3U}) {  // one after the other: nothing of one is left in the next
                const std::vector<std::byte> record = encodeProbe(randomProbe(model, 123456 + seed, seed));
                TokenProbe want = decodeProbe(record).value();
                for (int64_t other = 0; other < layers; ++other)
                    if (other != layer) want.layers[static_cast<size_t>(other)] = {};
                const auto one = decoder.decode(record);
                ASSERT_TRUE(one.has_value()) << "layer " << layer << ": " << one.error().message;
                EXPECT_EQ(encodeProbe(**one), encodeProbe(want)) << "layer " << layer;
            }
        }
    }
}

TEST(ProbeCodec, EndsOfItsRanges) {
    TokenProbe probe;
    LayerProbe layer;
    layer.kda.halfLife = {0,
                          1e-20F,
                          0.14F,
                          KdaProbe::kLongestHalfLife,
                          std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN()};
    layer.kda.beta = {0, 1, 1.5F, -1, 0.5F, 0.25F};
    layer.kda.halfLife.resize(layer.kda.beta.size() * kProbeQuantiles, 1.0F);
    probe.layers.push_back(layer);
    const auto got = decodeProbe(encodeProbe(probe));
    ASSERT_TRUE(got.has_value());
    const std::vector<float>& life = got->layers[0].kda.halfLife;
    EXPECT_EQ(life[0], 0);
    EXPECT_GT(life[1], 0) << "what is there stays there";
    EXPECT_NEAR(life[2], 0.14, 6e-5);
    EXPECT_NEAR(life[3] / KdaProbe::kLongestHalfLife, 1, 4e-4);
    EXPECT_NEAR(life[4], std::exp2(32.0), 4e6);
    EXPECT_EQ(life[5], 0);
    expectShares(got->layers[0].kda.beta, {0, 1, 1, 0, 0.5F, 0.25F});
}

// 1,000 tokens as Kimi-Linear-48B shows them, with 100 regions of which a head looks at 20, against the bound that the header states.
TEST(ProbeCodec, AReplyOfKimiLinearStaysUnderItsStatedBytes) {
    ProbeModel model{"kkkmkkkmkkkmkkkmkkkmkkkmkkm", 32, 32, 100, 20, 32, 8, 256, false, false};
    int64_t bytes = 0;
    for (int64_t i = 0; i < 1000; ++i)
        bytes += static_cast<int64_t>(encodeProbe(randomProbe(model, 5000 + i, 3)).size());
    const ProbeDims dims{20, 32, 7, 32, 0, 26, 8, 27, 0, 20, 32};
    EXPECT_EQ(mostRecordBytes(dims), 36671);
    EXPECT_LE(bytes, 1000 * mostRecordBytes(dims));
    EXPECT_GT(bytes, 900 * mostRecordBytes(dims)) << "the bound says something";
}

TEST(ProbeCodec, BoundsARecordOfK3) {
    const ProbeModel model{"kkkmkkkmm", 6, 4, 12, 12, 32, 4, 24, true, true};
    // 8 mixes of 3 before attention, 9 of 4 before the feed-forward part, 4 at the end.
    const ProbeDims dims{6, 6, 3, 4, 3, 8, 4, 9, 8 * 3 + 9 * 4 + 4, 12, 32};
    EXPECT_EQ(static_cast<int64_t>(encodeProbe(randomProbe(model, 99, 4)).size()), mostRecordBytes(dims));
}

TEST(ProbeCodec, RefusesListsThatDoNotFitTogether) {
    const auto spoiled = [](const auto& spoil) {
        TokenProbe probe = randomProbe(ProbeModel{"kkmkm"}, 7, 1);
        spoil(probe.layers[0]);
        return decodeProbe(encodeProbe(probe)).has_value();
    };
    EXPECT_TRUE(spoiled([](LayerProbe&) {}));
    EXPECT_TRUE(spoiled([](LayerProbe& layer) { layer.kda.write.clear(); }));  // as of a backend that cannot say
    EXPECT_FALSE(spoiled([](LayerProbe& layer) { layer.kda.write.pop_back(); }));
    EXPECT_FALSE(spoiled([](LayerProbe& layer) { layer.kda.halfLife.pop_back(); }));
    EXPECT_FALSE(spoiled([](LayerProbe& layer) { layer.kda.stateNorm.push_back(1); }));
    EXPECT_FALSE(spoiled([](LayerProbe& layer) { layer.kda.gate.open.pop_back(); }));
    EXPECT_FALSE(spoiled([](LayerProbe& layer) { layer.routing.weight.push_back(1); }));
}

TEST(ProbeCodec, RefusesWhatIsNoRecord) {
    const std::vector<std::byte> good = encodeProbe(randomProbe({"km"}, 7, 5));
    const auto code = [](std::vector<std::byte> bytes) { return decodeProbe(bytes).error().code; };
    for (size_t n = 0; n < good.size(); ++n) {
        EXPECT_EQ(code({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)}), ErrorCode::kCorrupt) << n;
    }
    for (size_t n = 0; n < good.size(); ++n) {
        std::vector<std::byte> bad = good;
        bad[n] ^= std::byte{4};
        EXPECT_FALSE(decodeProbe(bad).has_value()) << n;
    }
    std::vector<std::byte> newer = good;
    newer[0] = std::byte{2};
    EXPECT_EQ(code(newer), ErrorCode::kUnsupported);
    // A right checksum over a body that is too long, and over nonsense: every byte in turn is large.
    const auto resealed = [](std::vector<std::byte> bytes) {
        const uint64_t sum = XXH3_64bits(bytes.data() + 9, bytes.size() - 9);
        std::memcpy(bytes.data() + 1, &sum, sizeof sum);
        return bytes;
    };
    std::vector<std::byte> longer = good;
    longer.push_back(std::byte{0});
    EXPECT_EQ(code(resealed(longer)), ErrorCode::kCorrupt);
    for (size_t n = 9; n < good.size(); ++n) {
        std::vector<std::byte> bad = good;
        bad[n] = std::byte{0xFF};
        const auto decoded = decodeProbe(resealed(bad));
        EXPECT_TRUE(decoded.has_value() || decoded.error().code == ErrorCode::kCorrupt);
    }
}

}  // namespace
}  // namespace pal
