// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/moe.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "kernels/cpu/parallel.h"
#include "kernels/cpu/row_product.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/moe.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/glu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {

void expertGlu(const GluParams& params, const float* gate, const float* up, float* out, int64_t count) {
    gluRow(params, gate, up, out, count);
}

// out = sum_p weight[p] * rows[p * count ...], p ascending.
void weightedSum(const float* weight, const float* rows, int64_t picks, float* out, int64_t count) {
    for (int64_t p = 0; p < picks; ++p) {
        const float w = weight[p];
        const float* from = rows + p * count;
        if (p == 0) {
            mapFloats(
                count, out, [w](auto d, auto x) HWY_ATTR { return hn::Mul(hn::Set(d, w), x); }, from);
        } else {
            mapFloats(
                count, out, [w](auto d, auto x, auto sum) HWY_ATTR { return hn::MulAdd(hn::Set(d, w), x, sum); }, from,
                out);
        }
    }
}

}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal::cpu {

HWY_EXPORT(expertGlu);
HWY_EXPORT(weightedSum);

namespace {

// The picks of all tokens in the order of their experts. A pick is numbered token * k + position in the token's list.
struct SortedPicks {
    int64_t* pick;      // [T k] pick numbers, expert by expert, tokens ascending
    int64_t* active;    // [count] experts with at least one pick
    int64_t* begin;     // [count + 1] where the picks of active[i] start in `pick`
    int64_t count = 0;  // active experts
};

// Counting sort.
SortedPicks sortPicks(const MoeArgs& args, ArenaScope& scope) {
    const int64_t tokens = args.index.dim(0);
    const int64_t perToken = args.index.dim(1);
    const auto experts = args.experts.size();
    SortedPicks sorted{scope.array<int64_t>(static_cast<size_t>(tokens * perToken)), scope.array<int64_t>(experts),
                       scope.array<int64_t>(experts + 1)};
    auto* next = scope.array<int64_t>(experts);
    std::fill_n(next, experts, 0);
    for (int64_t t = 0; t < tokens; ++t) {
        for (int64_t p = 0; p < perToken; ++p) ++next[args.index.row<const int32_t>(t)[p]];
    }
    int64_t total = 0;
    for (size_t e = 0; e < experts; ++e) {
        const int64_t picks = std::exchange(next[e], total);
        if (picks == 0) continue;
        sorted.active[sorted.count] = static_cast<int64_t>(e);
        sorted.begin[sorted.count++] = total;
        total += picks;
    }
    sorted.begin[sorted.count] = total;
    for (int64_t t = 0; t < tokens; ++t) {
        for (int64_t p = 0; p < perToken; ++p) {
            sorted.pick[next[args.index.row<const int32_t>(t)[p]]++] = t * perToken + p;
        }
    }
    return sorted;
}

// One call of moe with the buffers that its phases hand on. All experts of a layer have one shape, and one format of gate and up.
class MoeCall {
  public:
    MoeCall(const MoeArgs& args, ThreadPool& pool)
        : args_(args),
          pool_(pool),
          scope_(pool.arena(0)),
          perToken_(args.index.dim(1)),
          pickCount_(args.index.dim(0) * perToken_),
          width_(args.x.dim(1)),
          inner_(args.experts[0].gate.rows),
          form_(formFor(args.experts[0].gate.format, args.x.dim(0))),
          downForm_(formFor(args.experts[0].down.format, args.x.dim(0))),
          picks_(sortPicks(args, scope_)) {
        const int64_t places = placePicks();
        x_ = PackedRows(args.experts[0].gate.format, ordered() ? places : args.x.dim(0), width_, form_, scope_);
        hidden_ = PackedRows(args.experts[0].down.format, places, inner_, downForm_, scope_);
        const auto count = static_cast<size_t>(pickCount_);
        gate_ = scope_.array<float>(static_cast<size_t>(pickCount_ * inner_));
        up_ = scope_.array<float>(static_cast<size_t>(pickCount_ * inner_));
        result_ = scope_.array<float>(static_cast<size_t>(pickCount_ * width_));
        toGate_ = scope_.array<RowTarget>(count);
        toUp_ = scope_.array<RowTarget>(count);
        toResult_ = scope_.array<RowTarget>(count);
        for (int64_t g = 0; g < groupCount_; ++g) {
            for (int64_t i = groups_[g].begin; i < groups_[g].end; ++i) {
                const int64_t pick = picks_.pick[i];
                const int64_t place = groups_[g].place + i - groups_[g].begin;
                const int64_t row = ordered() ? place : pick / perToken_;
                toGate_[i] = {row, gate_ + i * inner_};
                toUp_[i] = {row, up_ + i * inner_};
                toResult_[i] = {place, result_ + pick * width_};
            }
        }
    }

    void run() {
        if (ordered()) {
            packGroups(x_, [&](int64_t i) { return args_.x.row<const float>(picks_.pick[i] / perToken_); });
        } else {
            packTokens();
        }
        forExperts(inner_, form_,
                   [&](int64_t i, int64_t begin, int64_t end, Arena& arena) { gateUp(i, begin, end, arena); });
        packGroups(hidden_, [&](int64_t i) { return gate_ + i * inner_; });
        forExperts(width_, downForm_, [&](int64_t i, int64_t begin, int64_t end, Arena& arena) {
            multiplyRows(expert(i).down, begin, end, hidden_, targets(toResult_, i), LinearPart::Write::kSet, arena);
        });
        // Summed in pick order, whatever order the experts were computed in.
        forBlocks(pool_, args_.out.dim(0), rowsPerBlock(width_ * perToken_), [&](int64_t begin, int64_t end, int) {
            for (int64_t t = begin; t < end; ++t) {
                HWY_DYNAMIC_DISPATCH(weightedSum)
                (args_.weight.row<const float>(t), result_ + t * perToken_ * width_, perToken_, args_.out.row<float>(t),
                 width_);
            }
        });
    }

  private:
    // Neighbouring sorted picks of one expert, packed together into rows `place` and on.
    struct Group {
        int64_t begin;
        int64_t end;
        int64_t place;
    };

    // The matrix unit takes the rows of an expert side by side, from whole tiles on; otherwise a token is packed once for all its experts.
    [[nodiscard]] bool ordered() const { return form_ == TokenForm::kAmx; }

    // Makes the groups; returns how many rows all of them take.
    int64_t placePicks() {
        constexpr int64_t kGroup = PackedRows::kPackRows;
        groups_ = scope_.array<Group>(static_cast<size_t>(pickCount_));
        int64_t place = 0;
        for (int64_t i = 0; i < picks_.count; ++i) {
            for (int64_t begin = picks_.begin[i]; begin < picks_.begin[i + 1]; begin += kGroup) {
                const int64_t end = std::min(begin + kGroup, picks_.begin[i + 1]);
                groups_[groupCount_++] = {begin, end, place};
                place += ordered() || downForm_ == TokenForm::kAmx ? kGroup : end - begin;
            }
        }
        return place;
    }

    // Packs row rowOf(i) for every sorted pick i.
    template <typename RowOf>
    void packGroups(const PackedRows& packed, const RowOf& rowOf) {
        forBlocks(pool_, groupCount_, rowsPerBlock(packed.cols() * pickCount_ / groupCount_),
                  [&](int64_t begin, int64_t end, int) {
                      for (const Group& group : std::span(groups_ + begin, groups_ + end)) {
                          const float* rows[PackedRows::kPackRows];
                          for (int64_t i = group.begin; i < group.end; ++i) rows[i - group.begin] = rowOf(i);
                          packed.pack(group.place, {rows, static_cast<size_t>(group.end - group.begin)});
                      }
                  });
    }

    void packTokens() {
        forBlocks(pool_, args_.x.dim(0), rowsPerBlock(width_), [&](int64_t begin, int64_t end, int) {
            for (int64_t t = begin; t < end; ++t) {
                const float* row = args_.x.row<const float>(t);
                x_.pack(t, {&row, 1});
            }
        });
    }

    [[nodiscard]] const ExpertWeights& expert(int64_t i) const {
        return args_.experts[static_cast<size_t>(picks_.active[i])];
    }

    [[nodiscard]] std::span<const RowTarget> targets(const RowTarget* all, int64_t i) const {
        return {all + picks_.begin[i], all + picks_.begin[i + 1]};
    }

    // body(i, begin, end, arena) for every block of weight rows of every active expert.
    template <typename Body>
    void forExperts(int64_t rows, TokenForm form, const Body& body) {
        const int64_t rowBlock = rowsPerTask(picks_.count * rows, pool_.threads(), form);
        const int64_t blocks = (rows + rowBlock - 1) / rowBlock;
        pool_.parallelFor(picks_.count * blocks, [&](int64_t task, int thread) {
            const int64_t begin = task % blocks * rowBlock;
            body(task / blocks, begin, std::min(begin + rowBlock, rows), pool_.arena(thread));
        });
    }

    // The gated unit replaces the rows of `gate`.
    void gateUp(int64_t i, int64_t begin, int64_t end, Arena& arena) {
        multiplyRows(expert(i).gate, begin, end, x_, targets(toGate_, i), LinearPart::Write::kSet, arena);
        multiplyRows(expert(i).up, begin, end, x_, targets(toUp_, i), LinearPart::Write::kSet, arena);
        for (int64_t j = picks_.begin[i]; j < picks_.begin[i + 1]; ++j) {
            float* gate = gate_ + j * inner_ + begin;
            HWY_DYNAMIC_DISPATCH(expertGlu)(args_.glu, gate, up_ + j * inner_ + begin, gate, end - begin);
        }
    }

    const MoeArgs& args_;
    ThreadPool& pool_;
    ArenaScope scope_;
    int64_t perToken_;
    int64_t pickCount_;
    int64_t width_;
    int64_t inner_;
    // By the tokens of the call, so that a token's result does not depend on what others picked. Of gate and up, and of down.
    TokenForm form_;
    TokenForm downForm_;
    SortedPicks picks_;
    Group* groups_ = nullptr;
    int64_t groupCount_ = 0;
    PackedRows x_;                 // [T], or by place
    PackedRows hidden_;            // glu(gate x, up x), by place
    float* gate_ = nullptr;        // [T k, inner] by sorted pick
    float* up_ = nullptr;          // [T k, inner] by sorted pick
    float* result_ = nullptr;      // [T k, L] by pick number
    RowTarget* toGate_ = nullptr;  // [T k] by sorted pick, as are the next two
    RowTarget* toUp_ = nullptr;
    RowTarget* toResult_ = nullptr;
};

}  // namespace

void moe(const MoeArgs& args, ThreadPool& pool) {
    if (args.x.dim(0) > 0) MoeCall(args, pool).run();
}

}  // namespace pal::cpu
#endif  // HWY_ONCE
