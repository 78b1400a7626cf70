// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels/cpu/mla.h"
#include "kernels/cpu/thread_pool.h"
#include "tests/unit/kernel_test_support.h"

namespace pal {
namespace {

using testing::expectAsPlainLoops;
using testing::fromBf16;
using testing::normalFloats;
using testing::roundToBf16;
using testing::toBf16;
using testing::view;
using Form = MlaAttentionArgs::Form;

struct Shape {
    int64_t heads = 3;
    int64_t nope = 24;
    int64_t rope = 8;
    int64_t values = 40;
    int64_t rank = 56;
};

// A layer's weights, its cached rows behind pages in random order, and queries; attention in double beside it.
struct MlaCase {
    Shape shape;
    int64_t past;
    int64_t tokens;
    DType dtype;
    std::vector<float> q, kvB, rows;
    std::vector<uint16_t> kvBHalf;
    std::vector<std::vector<std::byte>> storage;
    std::vector<void*> pages;

    MlaCase(const Shape& s, int64_t pastRows, int64_t newRows, DType cacheType)
        : shape(s), past(pastRows), tokens(newRows), dtype(cacheType) {
        const int64_t width = s.rank + s.rope;
        q = normalFloats(tokens * s.heads * (s.nope + s.rope), 21);
        kvBHalf = toBf16(normalFloats(s.heads * (s.nope + s.values) * s.rank, 22, 0.3F));
        for (const uint16_t w : kvBHalf) kvB.push_back(fromBf16(w));
        rows = normalFloats((past + tokens) * width, 23);
        if (dtype == DType::kBF16) rows = roundToBf16(rows);
        const int64_t count = (past + tokens + kLatentPageTokens - 1) / kLatentPageTokens;
        const auto pageBytes = static_cast<size_t>(kLatentPageTokens * width) * dtypeBytes(dtype);
        for (int64_t p = 0; p < count; ++p)
            storage.emplace_back(pageBytes, std::byte{0x7F});  // unwritten rows hold huge values
        for (auto& page : storage) pages.push_back(page.data());
        const auto half = toBf16(rows);
        for (int64_t r = 0; r < past + tokens; ++r) {
            void* page = pages[static_cast<size_t>(r / kLatentPageTokens)];
            const auto at = static_cast<size_t>(r % kLatentPageTokens * width) * dtypeBytes(dtype);
            const void* from = dtype == DType::kBF16 ? static_cast<const void*>(half.data() + r * width)
                                                     : static_cast<const void*>(rows.data() + r * width);
            std::memcpy(static_cast<std::byte*>(page) + at, from, static_cast<size_t>(width) * dtypeBytes(dtype));
        }
    }

    [[nodiscard]] float scale() const { return 1 / std::sqrt(static_cast<float>(shape.nope + shape.rope)); }

    // Queries [begin, begin + count) as a call of their own.
    std::vector<float> run(Form form, int64_t begin, int64_t count, cpu::ThreadPool& pool,
                           std::vector<float>* probs = nullptr) const {
        std::vector<float> out(static_cast<size_t>(count * shape.heads * shape.values));
        MlaAttentionArgs args;
        args.q = view(q, {tokens, shape.heads, shape.nope + shape.rope}).rows(begin, count);
        args.kvB = {WeightFormat::kBF16, shape.heads * (shape.nope + shape.values), shape.rank, kvBHalf.data(),
                    nullptr};
        args.nope = shape.nope;
        args.valueDim = shape.values;
        args.cache = {pages, dtype, shape.rank, shape.rope};
        args.past = past + begin;
        args.scale = scale();
        args.out = view(out, {count, shape.heads, shape.values});
        if (probs != nullptr) {
            probs->assign(static_cast<size_t>(shape.heads * (past + begin + count)), -1.0F);
            args.probTap = view(*probs, {shape.heads, past + begin + count});
        }
        args.form = form;
        cpu::mlaAttention(args, pool);
        return out;
    }

    // Key (first nope entries, then the shared rope part) or value of a head for a cached row.
    template <typename Real>
    [[nodiscard]] Real projected(int64_t head, int64_t channel, int64_t row) const {
        const int64_t width = shape.rank + shape.rope;
        Real sum = 0;
        for (int64_t r = 0; r < shape.rank; ++r) {
            sum += Real{kvB[static_cast<size_t>((head * (shape.nope + shape.values) + channel) * shape.rank + r)]} *
                   rows[static_cast<size_t>(row * width + r)];
        }
        return sum;
    }

    template <typename Real>
    void reference(std::vector<Real>& out, std::vector<Real>& lastProbs) const {
        out.assign(static_cast<size_t>(tokens * shape.heads * shape.values), 0);
        lastProbs.clear();
        const int64_t width = shape.rank + shape.rope;
        const int64_t total = past + tokens;
        for (int64_t head = 0; head < shape.heads; ++head) {
            std::vector<Real> expanded(static_cast<size_t>(total * (shape.nope + shape.values)));
            for (int64_t row = 0; row < total; ++row) {
                for (int64_t c = 0; c < shape.nope + shape.values; ++c) {
                    expanded[static_cast<size_t>(row * (shape.nope + shape.values) + c)] =
                        projected<Real>(head, c, row);
                }
            }
            for (int64_t t = 0; t < tokens; ++t) {
                const float* query = q.data() + (t * shape.heads + head) * (shape.nope + shape.rope);
                std::vector<Real> p;
                for (int64_t row = 0; row <= past + t; ++row) {
                    const Real* line = expanded.data() + row * (shape.nope + shape.values);
                    Real score = 0;
                    for (int64_t c = 0; c < shape.nope; ++c) score += query[c] * line[c];
                    for (int64_t c = 0; c < shape.rope; ++c) {
                        score += Real{query[shape.nope + c]} * rows[static_cast<size_t>(row * width + shape.rank + c)];
                    }
                    p.push_back(score * scale());
                }
                const Real top = *std::max_element(p.begin(), p.end());
                Real sum = 0;
                for (Real& x : p) sum += x = std::exp(x - top);
                for (Real& x : p) x /= sum;
                for (size_t row = 0; row < p.size(); ++row) {
                    const Real* line = expanded.data() + static_cast<int64_t>(row) * (shape.nope + shape.values);
                    for (int64_t c = 0; c < shape.values; ++c) {
                        out[static_cast<size_t>((t * shape.heads + head) * shape.values + c)] +=
                            p[row] * line[shape.nope + c];
                    }
                }
                if (t + 1 == tokens) lastProbs.insert(lastProbs.end(), p.begin(), p.end());
            }
        }
    }
};

void expectMatches(const MlaCase& c, Form form) {
    cpu::ThreadPool pool(2);
    std::vector<float> probs;
    const auto out = c.run(form, 0, c.tokens, pool, &probs);
    const std::string what = "past " + std::to_string(c.past) + ", " + std::to_string(c.tokens) + " tokens";
    const auto results = [&](auto pick) {
        return [&c, pick]<typename Real>(Real) {
            std::vector<Real> want;
            std::vector<Real> wantProbs;
            c.reference(want, wantProbs);
            return pick(want, wantProbs);
        };
    };
    expectAsPlainLoops(out, results([](const auto& o, const auto&) { return o; }), what);
    expectAsPlainLoops(probs, results([](const auto&, const auto& p) { return p; }), what + ", probabilities");
}

TEST(MlaAttention, EveryFormMatchesDouble) {
    for (const Form form : {Form::kAbsorbed, Form::kExpanded, Form::kAuto}) {
        for (const int64_t past : {0, 1, 63, 64, 131, 700}) {
            for (const int64_t tokens : {1, 2, 17, 65}) {
                expectMatches(MlaCase(Shape(), past, tokens, DType::kF32), form);
            }
        }
        expectMatches(MlaCase(Shape(), 100, 30, DType::kBF16), form);
        expectMatches(MlaCase(Shape{.heads = 5, .nope = 7, .rope = 3, .values = 9, .rank = 11}, 77, 20, DType::kF32),
                      form);
        expectMatches(MlaCase(Shape{.heads = 33, .nope = 16, .rope = 8, .values = 8, .rank = 32}, 10, 3, DType::kBF16),
                      form);
    }
}

TEST(MlaAttention, ThreadCountChangesNoBit) {
    const MlaCase c(Shape(), 600, 40, DType::kBF16);
    for (const Form form : {Form::kAbsorbed, Form::kExpanded}) {
        cpu::ThreadPool one(1);
        cpu::ThreadPool four(4);
        EXPECT_EQ(c.run(form, 0, 40, one), c.run(form, 0, 40, four));
    }
}

TEST(MlaAttention, AQueryDoesNotFeelTheOthers) {
    const MlaCase c(Shape(), 200, 9, DType::kF32);
    cpu::ThreadPool pool(2);
    for (const Form form : {Form::kAbsorbed, Form::kExpanded}) {
        const auto all = c.run(form, 0, 9, pool);
        const auto part = c.run(form, 4, 3, pool);
        const auto begin = all.begin() + 4 * c.shape.heads * c.shape.values;
        EXPECT_EQ(part, std::vector<float>(begin, begin + static_cast<int64_t>(part.size())));
    }
}

TEST(MlaAppend, NormsTheRankPartOnly) {
    constexpr int64_t kRank = 20;
    constexpr int64_t kRope = 5;
    constexpr int64_t kWidth = kRank + kRope;
    const auto kv = normalFloats(70 * kWidth, 31);
    const auto weight = normalFloats(kRank, 32);
    for (const DType dtype : {DType::kF32, DType::kBF16}) {
        std::vector<std::vector<std::byte>> storage(2, std::vector<std::byte>(kLatentPageTokens * kWidth * 4));
        std::vector<void*> pages{storage[0].data(), storage[1].data()};
        cpu::ThreadPool pool(2);
        cpu::mlaAppend({view(kv, {70, kWidth}), weight.data(), 1e-6F, {pages, dtype, kRank, kRope}, 50}, pool);
        std::vector<float> got;
        for (int64_t t = 0; t < 70; ++t) {
            const int64_t at = (50 + t) % kLatentPageTokens * kWidth;
            const void* page = pages[static_cast<size_t>((50 + t) / kLatentPageTokens)];
            for (int64_t i = 0; i < kWidth; ++i) {
                got.push_back(dtype == DType::kF32 ? static_cast<const float*>(page)[at + i]
                                                   : fromBf16(static_cast<const uint16_t*>(page)[at + i]));
            }
        }
        expectAsPlainLoops(got, [&]<typename Real>(Real) {
            std::vector<Real> want;
            for (int64_t t = 0; t < 70; ++t) {
                const float* x = kv.data() + t * kWidth;
                Real sum = 0;
                for (int64_t i = 0; i < kRank; ++i) sum += Real{x[i]} * x[i];
                for (int64_t i = 0; i < kWidth; ++i) {
                    want.push_back(i < kRank
                                       ? x[i] / std::sqrt(sum / kRank + Real{1e-6F}) * weight[static_cast<size_t>(i)]
                                       : x[i]);
                }
            }
            // Plain loops that store bf16.
            if constexpr (std::is_same_v<Real, float>) {
                if (dtype == DType::kBF16) want = roundToBf16(want);
            }
            return want;
        });
    }
}

}  // namespace
}  // namespace pal
