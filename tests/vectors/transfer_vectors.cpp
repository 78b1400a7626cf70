// SPDX-License-Identifier: Apache-2.0
// uploadAll, downloadAll, fetch, digestLogits: what moves between host and device.
#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/vectors/vector_support.h"

namespace pal::vectors {
namespace {

class Transfers : public OpTest {};
PAL_ON_EVERY_BACKEND(Transfers);

// Pieces of all sizes that matter: nothing, single bytes, a page of latents, more than any stage holds.
std::vector<size_t> pieceSizes() {
    std::vector<size_t> sizes{0, 1, 3, 64, 4095, 4096, 73728, 524288, 524289, 5000007};
    for (size_t i = 0; i < 300; ++i) sizes.push_back(73728);
    for (size_t i = 0; i < 40; ++i) sizes.push_back(1000 * i + i % 7);
    return sizes;
}

// Allocations that may lie side by side, sent and fetched in their order: one copy must not span two of them.
TEST_P(Transfers, SmallAllocationsSideBySide) {
    constexpr size_t kCount = 200;
    constexpr size_t kBytes = 512;
    std::vector<Buffer> buffers;
    std::vector<std::byte> sent(kCount * kBytes);
    std::vector<std::byte> got(sent.size());
    std::vector<Upload> up;
    std::vector<Download> down;
    for (size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<std::byte>(i * 7 + i / 509);
    for (size_t i = 0; i < kCount; ++i) buffers.push_back(backend().allocate(kBytes));
    std::ranges::sort(buffers, {}, [](const Buffer& buffer) { return buffer.data(); });
    for (size_t i = 0; i < kCount; ++i) {
        up.push_back({buffers[i].data(), std::span<const std::byte>(sent).subspan(i * kBytes, kBytes)});
        down.push_back({std::span(got).subspan(i * kBytes, kBytes), buffers[i].data()});
    }
    backend().uploadAll(up);
    backend().downloadAll(down);
    finish();
    EXPECT_EQ(got, sent);
}

std::vector<std::byte> randomBytes(size_t count, uint64_t seed) {
    Random random(seed);
    std::vector<std::byte> out(count);
    for (size_t i = 0; i < count; i += 8) {
        const uint64_t bits = random.bits();
        std::memcpy(out.data() + i, &bits, std::min<size_t>(8, count - i));
    }
    return out;
}

TEST_P(Transfers, PiecesOfEverySizeGoThereAndBack) {
    const std::vector<size_t> sizes = pieceSizes();
    std::vector<Buffer> buffers;
    std::vector<Upload> up;
    std::vector<std::vector<std::byte>> sent;
    Random random(3);
    for (size_t i = 0; i < sizes.size(); ++i) {
        // Every third piece lies behind the one before it on the device, as the layers of a page do.
        sent.push_back(randomBytes(sizes[i], i));
        buffers.push_back(backend().allocate(sizes[i] + 64));
        ASSERT_NE(buffers.back().data(), nullptr);
        backend().fillZero(buffers.back().data(), sizes[i] + 64);
        auto* to = static_cast<std::byte*>(buffers.back().data());
        const size_t cut = i % 3 == 0 ? sizes[i] / 3 : sizes[i];
        up.push_back({to, std::span<const std::byte>(sent[i]).first(cut)});
        up.push_back({to + cut, std::span<const std::byte>(sent[i]).subspan(cut)});
    }
    for (size_t i = up.size() - 1; i > 0; --i) std::swap(up[i], up[random.below(i + 1)]);
    backend().uploadAll(up);
    std::vector<std::vector<std::byte>> got;
    std::vector<Download> down;
    for (size_t i = 0; i < sizes.size(); ++i) got.emplace_back(sizes[i] + 64);
    for (size_t i = 0; i < sizes.size(); ++i) down.push_back({got[i], buffers[i].data()});
    for (size_t i = down.size() - 1; i > 0; --i) std::swap(down[i], down[random.below(i + 1)]);
    backend().downloadAll(down);
    finish();
    for (size_t i = 0; i < sizes.size(); ++i) {
        ASSERT_TRUE(std::equal(sent[i].begin(), sent[i].end(), got[i].begin())) << "piece " << i << " of " << sizes[i];
        for (size_t k = sizes[i]; k < got[i].size(); ++k) ASSERT_EQ(got[i][k], std::byte{0}) << "behind piece " << i;
    }
}

TEST_P(Transfers, TheyStandInTheOrderOfTheOps) {
    constexpr int64_t kRows = 4096;
    constexpr int64_t kCols = 512;
    Random random(4);
    const Mat<double> first = random.mat(kRows, kCols);
    const Mat<double> second = random.mat(kRows, kCols);
    const Device x(backend(), first);
    const Device sum(backend(), Mat<double>(kRows, kCols));
    const std::vector<float> other = toFloat(second).v;
    const Upload replace{x.view().data, std::as_bytes(std::span(other))};
    for (int round = 0; round < 3; ++round) {
        backend().add({x.view(), sum.view()});  // must read the first before it is replaced
        backend().uploadAll({&replace, 1});
        backend().add({x.view(), sum.view()});
        std::vector<float> got(other.size());
        const Download piece{std::as_writable_bytes(std::span(got)), sum.view().data};
        backend().downloadAll({&piece, 1});
        finish();
        const auto a = toFloat(first).v;
        for (size_t i = 0; i < got.size(); i += 997) {
            float want = a[i] + other[i];
            for (int more = 0; more < round; ++more) want = (want + other[i]) + other[i];
            ASSERT_EQ(got[i], want) << "round " << round << " value " << i;
        }
    }
}

std::vector<LogitBlock> digestOnDevice(Backend& backend, const float* logits, int64_t count, float temperature) {
    std::vector<LogitBlock> out(static_cast<size_t>(logitBlocks(count)));
    const Buffer blocks = backend.allocate(out.size() * sizeof(LogitBlock));
    backend.digestLogits({logits, count, temperature, static_cast<LogitBlock*>(blocks.data())});
    backend.download(std::as_writable_bytes(std::span(out)), blocks.data());
    return out;
}

std::vector<LogitBlock> digestOnHost(const std::vector<float>& logits, float temperature) {
    const auto count = static_cast<int64_t>(logits.size());
    std::vector<LogitBlock> out(static_cast<size_t>(logitBlocks(count)));
    digestLogits({logits.data(), count, temperature, out.data()});
    return out;
}

std::vector<float> randomLogits(int64_t count, double spread) {
    Random random(static_cast<uint64_t>(count));
    std::vector<float> out;
    // Sums of uniform numbers, so that few are large.
    for (int64_t i = 0; i < count; ++i)
        out.push_back(static_cast<float>(random.uniform(-1, 1) + random.uniform(-1, 1) + random.uniform(-1, 1)) *
                      static_cast<float>(spread));
    return out;
}

TEST_P(Transfers, DigestsOfLogitsAreTheHostsBitForBit) {
    std::vector<std::vector<float>> cases;
    for (const int64_t count : {1, 63, 64, 65, 1000, 4097, 163840}) {
        for (const double spread : {0.1, 5.0, 60.0}) cases.push_back(randomLogits(count, spread));
    }
    cases.push_back({FLT_MAX, -FLT_MAX, 0, FLT_MIN, -FLT_MIN, 1e-42F, FLT_MAX});
    cases.push_back(std::vector<float>(200, -3.5F));
    for (const std::vector<float>& logits : cases) {
        const auto count = static_cast<int64_t>(logits.size());
        Mat<double> row(1, count);
        std::copy(logits.begin(), logits.end(), row.v.begin());
        const Device device(backend(), row);
        for (const float temperature : {1.0F, 0.6F, 2.5F, 100.0F, 1e-30F, 1e-44F}) {
            const auto got =
                digestOnDevice(backend(), static_cast<const float*>(device.view().data), count, temperature);
            const auto want = digestOnHost(logits, temperature);
            for (size_t b = 0; b < want.size(); ++b) {
                ASSERT_EQ(got[b].largest, want[b].largest) << count << " block " << b;
                ASSERT_EQ(got[b].mass, want[b].mass) << count << " block " << b << " at " << temperature;
                ASSERT_EQ(got[b].plain, want[b].plain) << count << " block " << b;
                ASSERT_EQ(got[b].broken, 0U);
            }
        }
    }
    finish();
}

TEST_P(Transfers, DigestsOfLogitsWeighAsTheFormulaSays) {
    const std::vector<float> logits = randomLogits(163840, 6);
    const double top = *std::max_element(logits.begin(), logits.end());
    for (const float temperature : {1.0F, 0.6F, 2.5F}) {
        const auto blocks = digestOnHost(logits, temperature);
        double mass = 0;
        double plain = 0;
        double want = 0;
        double wantPlain = 0;
        for (size_t b = 0; b < blocks.size(); ++b) {
            double exact = 0;
            for (size_t i = b * 64; i < b * 64 + 64; ++i) {
                exact += std::exp((static_cast<double>(logits[i]) - top) / static_cast<double>(temperature));
                wantPlain += std::exp(static_cast<double>(logits[i]) - top);
            }
            // The exponential errs by 3e-7 with its argument rounded to float32; each weight is rounded down by at most 2^-44.
            const double got = std::ldexp(static_cast<double>(blocks[b].mass), -kLogitMassBits);
            const double argument = std::abs(static_cast<double>(blocks[b].largest) - top) / temperature;
            EXPECT_NEAR(got, exact, exact * (3e-7 + argument * 0x1p-22) + 64 * 0x1p-44) << "block " << b;
            mass += got;
            want += exact;
            plain += std::ldexp(static_cast<double>(blocks[b].plain), -kLogitMassBits);
        }
        EXPECT_NEAR(mass / want, 1, 2e-6);
        EXPECT_NEAR(plain / wantPlain, 1, 2e-6);
    }
}

// What a look asks for along with a draw's digest; the digest stays the same.
TEST_P(Transfers, MomentsOfDigestsAreTheFormulas) {
    for (const int64_t count : {1, 65, 4097, 163840}) {
        for (const double spread : {0.1, 5.0, 60.0}) {
            const std::vector<float> logits = randomLogits(count, spread);
            const double top = *std::max_element(logits.begin(), logits.end());
            Mat<double> row(1, count);
            std::copy(logits.begin(), logits.end(), row.v.begin());
            const Device device(backend(), row);
            std::vector<LogitBlock> blocks(static_cast<size_t>(logitBlocks(count)));
            std::vector<float> moments(blocks.size());
            const Buffer deviceBlocks = backend().allocate(blocks.size() * sizeof(LogitBlock));
            const Buffer deviceMoments = backend().allocate(moments.size() * sizeof(float));
            backend().digestLogits({static_cast<const float*>(device.view().data), count, 0.7F,
                                    static_cast<LogitBlock*>(deviceBlocks.data()),
                                    static_cast<float*>(deviceMoments.data())});
            backend().download(std::as_writable_bytes(std::span(blocks)), deviceBlocks.data());
            backend().download(std::as_writable_bytes(std::span(moments)), deviceMoments.data());
            finish();
            const auto want = digestOnHost(logits, 0.7F);
            for (size_t b = 0; b < blocks.size(); ++b) {
                ASSERT_EQ(blocks[b].mass, want[b].mass);
                ASSERT_EQ(blocks[b].plain, want[b].plain);
                double exact = 0;
                double bound = 0;
                for (size_t i = b * 64; i < std::min(logits.size(), b * 64 + 64); ++i) {
                    const double below = static_cast<double>(logits[i]) - top;
                    const double term = std::exp(below) * below;
                    exact += term;
                    // The exponential errs by 3e-7, with its argument rounded to float32; 64 sums and products. What weighs below e^-87 may be 0.
                    bound -= term * (3e-7 - below * 0x1p-24 + 66 * 0x1p-24);
                }
                EXPECT_NEAR(moments[b], exact, bound + 64 * 2e-36) << count << " by " << spread << " block " << b;
            }
        }
    }
}

TEST_P(Transfers, DigestsCountBrokenLogits) {
    std::vector<float> logits = randomLogits(500, 3);
    const float infinity = std::numeric_limits<float>::infinity();
    logits[70] = infinity;
    logits[71] = -infinity;
    logits[499] = std::numeric_limits<float>::quiet_NaN();
    const Buffer device = backend().allocate(logits.size() * sizeof(float));
    backend().upload(device.data(), std::as_bytes(std::span(logits)));
    const auto blocks = digestOnDevice(backend(), static_cast<const float*>(device.data()), 500, 1);
    finish();
    for (size_t b = 0; b < blocks.size(); ++b) EXPECT_EQ(blocks[b].broken, b == 1 ? 2U : b == 7 ? 1U : 0U) << b;
}

// As the engine ends a step of one token: the same ops again and again, which a GPU runs as a captured graph from the third time on.
TEST_P(Transfers, FetchedLogitsAndDigestsAreThoseOfTheirStep) {
    constexpr int64_t kVocabulary = 1000;
    constexpr int64_t kWidth = 64;
    Random random(9);
    const Weight table(backend(), random, WeightFormat::kBF16, kVocabulary, kWidth);
    const Device row(backend(), Mat<double>(1, kWidth));
    const Device logits(backend(), 1, kVocabulary);
    const auto count = static_cast<size_t>(kVocabulary);
    const Buffer values = backend().allocateHost(count * sizeof(float));
    const auto blockCount = static_cast<size_t>(logitBlocks(kVocabulary));
    const Buffer deviceBlocks = backend().allocate(blockCount * sizeof(LogitBlock));
    const Buffer blocks = backend().allocateHost(blockCount * sizeof(LogitBlock));
    ASSERT_NE(values.data(), nullptr);
    ASSERT_NE(blocks.data(), nullptr);
    const TensorView x = row.view();
    for (int32_t id = 0; id < 6; ++id) {
        std::memset(values.data(), 0, values.size());
        std::memset(blocks.data(), 0, blocks.size());
        const std::array<int32_t, 1> ids{37 * id + 5};
        backend().embed({ids, table.view(), x});
        const std::array<LinearPart, 1> parts{{{table.view(), logits.view(), LinearPart::Write::kSet}}};
        backend().linear({x, parts});
        backend().fetch({static_cast<std::byte*>(values.data()), values.size()}, logits.view().data);
        backend().digestLogits({static_cast<const float*>(logits.view().data), kVocabulary, 0.7F,
                                static_cast<LogitBlock*>(deviceBlocks.data())});
        backend().fetch({static_cast<std::byte*>(blocks.data()), blocks.size()}, deviceBlocks.data());
        finish();
        const auto* fetched = static_cast<const float*>(values.data());
        const Mat<double> read = logits.read();
        for (size_t i = 0; i < count; ++i) ASSERT_EQ(static_cast<double>(fetched[i]), read.v[i]) << "token " << id;
        // A row of the table times the table: the token itself is far ahead, so every step has another largest one.
        EXPECT_EQ(std::max_element(fetched, fetched + count) - fetched, ids[0]);
        const auto want = digestOnHost({fetched, fetched + count}, 0.7F);
        const auto* got = static_cast<const LogitBlock*>(blocks.data());
        for (size_t b = 0; b < blockCount; ++b) {
            ASSERT_EQ(got[b].mass, want[b].mass) << "step " << id << " block " << b;
            ASSERT_EQ(got[b].largest, want[b].largest);
        }
    }
}

}  // namespace
}  // namespace pal::vectors
