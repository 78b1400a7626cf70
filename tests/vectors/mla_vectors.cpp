// SPDX-License-Identifier: Apache-2.0
// mlaAppend and mlaAttention, absorbed and expanded, over pages that other sessions share.
#include "tests/oracle/mla_oracle.h"
#include "tests/vectors/vector_support.h"

namespace pal::vectors {
namespace {

using oracle::MlaShape;
using oracle::Wrong;

// Pages of the latent cache, poisoned where nothing was written.
class Pages {
  public:
    Pages(Backend& backend, DType dtype, int64_t tokens, int64_t rank, int64_t rope)
        : dtype_(dtype), rank_(rank), rope_(rope) {
        for (int64_t t = 0; t < tokens; t += kLatentPageTokens)
            pages_.push_back(Device::latents(backend, dtype, kLatentPageTokens, rank + rope));
        for (const Device& page : pages_) pointers_.push_back(page.view().data);
    }
    [[nodiscard]] LatentPages view() const { return {pointers_, dtype_, rank_, rope_}; }
    [[nodiscard]] Mat<double> read(int64_t tokens) const {
        Mat<double> out(tokens, rank_ + rope_);
        for (int64_t t = 0; t < tokens; ++t) {
            const Mat<double> page = pages_[static_cast<size_t>(t / kLatentPageTokens)].read();
            std::copy_n(page.row(t % kLatentPageTokens), rank_ + rope_, out.row(t));
        }
        return out;
    }

  private:
    DType dtype_;
    int64_t rank_;
    int64_t rope_;
    std::vector<Device> pages_;
    std::vector<void*> pointers_;
};

class Mla : public OpTest {
  protected:
    void append(const Mat<double>& kv, const Vector& weight, const Pages& pages, int64_t past) {
        const Device rows(backend(), kv);
        backend().mlaAppend({rows.view(), weight.data(), 1e-6F, pages.view(), past});
        finish();
    }
};
PAL_ON_EVERY_BACKEND(Mla);

// bf16 pages are held to what float32 loops give when their result is stored as bf16.
TEST_P(Mla, AppendNormsTheLatentOnly) {
    Random random(21);
    constexpr int64_t kRank = 48;
    constexpr int64_t kRope = 8;
    const std::vector<double> weight = random.vec(kRank, 0.5, 1.5);
    const Vector w(backend(), weight);
    for (const auto& [size, dtype] : {std::pair{2e-3, DType::kF32}, {1.0, DType::kF32}, {1.0, DType::kBF16}}) {
        const Pages pages(backend(), dtype, 200, kRank, kRope);
        Mat<double> all(0, kRank + kRope);
        for (const int64_t tokens : {1, 62, 1, 70, 3}) {
            const Mat<double> kv = random.mat(tokens, kRank + kRope, -size, size);
            append(kv, w, pages, all.rows);
            all.v.insert(all.v.end(), kv.v.begin(), kv.v.end());
            all.rows += tokens;
        }
        const auto truth = oracle::mlaLatent(all, weight, static_cast<double>(1e-6F));
        auto naive = oracle::mlaLatent(toFloat(all), toFloat(weight), 1e-6F);
        if (dtype == DType::kBF16) naive = toFloat(roundedToBf16(toDouble(naive)));
        expectWithin("mlaAppend", pages.read(all.rows), truth, naive);
        if (size < 1e-2) {
            expectTellsApart("the norm's eps is 1e-6, not 1e-5", pages.read(all.rows), truth, naive,
                             oracle::mlaLatent(all, weight, 1e-5));
        }
    }
}

// A backend may keep what it knows of page lists, and forgets the oldest some time: not those that a step of one token, which runs as a whole, still needs.
// The first step has more lists than the CUDA backend keeps (DeviceTables::kMostPageLists); before the second one they are forgotten.
TEST_P(Mla, OneStepOverVeryManyPageLists) {
    constexpr int64_t kLists = 4200;
    constexpr int64_t kRank = 24;
    constexpr int64_t kRope = 8;
    constexpr int64_t kWidth = kRank + kRope;
    Random random(24);
    const Weight table(backend(), random, WeightFormat::kF32, 2, kWidth);
    const Device embedded(backend(), 1, kWidth);
    const std::vector<double> weight = random.vec(kRank, 0.5, 1.5);
    const Vector w(backend(), weight);
    // Of each list's only page one row is written: they may overlap.
    const Device memory = Device::latents(backend(), DType::kF32, kLists + kLatentPageTokens, kWidth);
    std::vector<void*> pages;
    for (int64_t i = 0; i < kLists; ++i) pages.push_back(memory.view().rows(i, 1).data);
    for (const int32_t token : {0, 1}) {
        const Mat<double> kv = random.mat(kLists, kWidth, -2, 2);
        const Device rows(backend(), kv);
        backend().embed({std::span(&token, 1), table.view(), embedded.view()});
        for (int64_t i = 0; i < kLists; ++i) {
            const LatentPages list{std::span(pages).subspan(static_cast<size_t>(i), 1), DType::kF32, kRank, kRope};
            backend().mlaAppend({rows.view().rows(i, 1), w.data(), 1e-6F, list, 0});
        }
        finish();
        Mat<double> got = memory.read();
        got.rows = kLists;
        got.v.resize(static_cast<size_t>(kLists * kWidth));
        expectWithin(fmt::format("step {}", token), got, oracle::mlaLatent(kv, weight, static_cast<double>(1e-6F)),
                     oracle::mlaLatent(toFloat(kv), toFloat(weight), 1e-6F));
    }
}

struct AttentionCase {
    MlaShape shape;
    int64_t past;
    int64_t tokens;
    DType latents = DType::kF32;
    WeightFormat kvB = WeightFormat::kBF16;
};

std::vector<AttentionCase> attentionCases() {
    const MlaShape small{3, 20, 12, 28, 44};
    std::vector<AttentionCase> cases;
    for (const int64_t past : {0, 1, 63, 64, 130}) {
        for (const int64_t tokens : {1, 2, 17, 64, 65}) cases.push_back({small, past, tokens});
    }
    cases.push_back({{2, 128, 64, 128, 512}, 100, 1});
    cases.push_back({{2, 128, 64, 128, 512}, 70, 40});
    cases.push_back({{5, 16, 0, 16, 32}, 30, 9});
    // A few large probabilities decide the error of the plain loops: enough heads, so that it is not small by luck.
    const MlaShape large{6, 128, 64, 128, 512};
    for (const auto format : {WeightFormat::kBF16, WeightFormat::kF32}) {
        for (const int64_t tokens : {1, 17, 65}) cases.push_back({small, 130, tokens, DType::kBF16, format});
        for (const int64_t tokens : {1, 18}) cases.push_back({large, 70, tokens, DType::kBF16, format});
    }
    cases.push_back({small, 63, 17, DType::kF32, WeightFormat::kF32});
    return cases;
}

TEST_P(Mla, BothFormsEveryLength) {
    Random random(22);
    for (const auto& [shape, past, tokens, dtype, format] : attentionCases()) {
        const int64_t total = past + tokens;
        const std::vector<double> ones(static_cast<size_t>(shape.rank), 1.0);
        const Vector w(backend(), ones);
        const Pages pages(backend(), dtype, total, shape.rank, shape.rope);
        append(random.mat(total, shape.rank + shape.rope, -2, 2), w, pages, 0);
        const Mat<double> latent = pages.read(total);
        const Mat<double> q = random.mat(tokens, shape.heads * (shape.nope + shape.rope), -2, 2);
        const Weight kvB(backend(), random, format, shape.heads * (shape.nope + shape.valueDim), shape.rank);
        Mat<double> probs;
        Mat<float> naiveProbs;
        const auto truth = oracle::mlaAttention(q, latent, kvB.values(), shape, &probs);
        const auto naive = oracle::mlaAttention(toFloat(q), toFloat(latent), toFloat(kvB.values()), shape, &naiveProbs);
        const Device queries(backend(), q);
        const auto scale = static_cast<float>(std::pow(static_cast<double>(shape.nope + shape.rope), -0.5));
        for (const auto form :
             {MlaAttentionArgs::Form::kAbsorbed, MlaAttentionArgs::Form::kExpanded, MlaAttentionArgs::Form::kAuto}) {
            const Device out(backend(), tokens, shape.heads * shape.valueDim);
            const Device tap(backend(), shape.heads, total);
            backend().mlaAttention({queries.heads(shape.heads), kvB.view(), shape.nope, shape.valueDim, pages.view(),
                                    past, scale, out.heads(shape.heads), tap.view(), form});
            finish();
            const auto what =
                fmt::format("mla past {} T {} rank {} latents {} kv_b {} form {}", past, tokens, shape.rank,
                            dtypeName(dtype), static_cast<int>(format), static_cast<int>(form));
            expectWithin(what, out.read(), truth, naive);
            expectWithin(what + " probs", tap.read(), probs, naiveProbs);
            if (total < 8) continue;
            if (shape.rope > 0) {
                for (const Wrong wrong : {Wrong::kScaleWithoutRope, Wrong::kDroppedRope}) {
                    expectTellsApart(what, out.read(), truth, naive,
                                     oracle::mlaAttention<double>(q, latent, kvB.values(), shape, nullptr, wrong));
                }
            }
            const Device again(backend(), tokens, shape.heads * shape.valueDim);
            backend().mlaAttention({queries.heads(shape.heads),
                                    kvB.view(),
                                    shape.nope,
                                    shape.valueDim,
                                    pages.view(),
                                    past,
                                    scale,
                                    again.heads(shape.heads),
                                    {},
                                    form});
            finish();
            EXPECT_EQ(again.read().v, out.read().v) << what << ": a tap changes nothing";
        }
    }
}

TEST_P(Mla, LargeScoresStayFinite) {
    Random random(23);
    const MlaShape shape{2, 16, 8, 16, 32};
    const std::vector<double> ones(32, 1.0);
    const Vector w(backend(), ones);
    const Pages pages(backend(), DType::kF32, 90, 32, 8);
    append(random.mat(90, 40, -2, 2), w, pages, 0);
    const Mat<double> latent = pages.read(90);
    const Mat<double> q = random.mat(5, 2 * 24, -900, 900);
    const Weight kvB(backend(), random, WeightFormat::kBF16, 2 * 32, 32);
    const Device queries(backend(), q);
    const auto truth = oracle::mlaAttention(q, latent, kvB.values(), shape);
    const auto naive = oracle::mlaAttention(toFloat(q), toFloat(latent), toFloat(kvB.values()), shape);
    for (const auto form : {MlaAttentionArgs::Form::kAbsorbed, MlaAttentionArgs::Form::kExpanded}) {
        const Device out(backend(), 5, 2 * 16);
        backend().mlaAttention({queries.heads(2),
                                kvB.view(),
                                16,
                                16,
                                pages.view(),
                                85,
                                static_cast<float>(std::pow(24.0, -0.5)),
                                out.heads(2),
                                {},
                                form});
        finish();
        expectWithin("large scores", out.read(), truth, naive);
    }
}

}  // namespace
}  // namespace pal::vectors
