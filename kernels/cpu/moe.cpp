// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/moe.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/cpu/row_product.h"

namespace pal::cpu {
namespace {

// Weight rows in one task.
constexpr int64_t kRowBlock = 32;

// The picks of all tokens in the order of their experts. A pick is numbered token * k + position in the token's list.
struct SortedPicks {
    int64_t* pick;      // [T k] pick numbers, expert by expert, tokens ascending
    int64_t* active;    // [count] experts with at least one pick
    int64_t* begin;     // [count + 1] where the picks of active[i] start in `pick`
    int64_t count = 0;  // active experts

    [[nodiscard]] int64_t picksOf(int64_t i) const { return begin[i + 1] - begin[i]; }
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

// Rows of a matrix in scratch memory.
struct Rows {
    float* data;
    int64_t width;
    [[nodiscard]] float* operator[](int64_t i) const { return data + i * width; }
};

Rows allocateRows(int64_t count, int64_t width, ArenaScope& scope) {
    return {scope.array<float>(static_cast<size_t>(count * width)), width};
}

// One call of moe with the buffers that its phases hand on. All experts of a layer have one shape and format.
class MoeCall {
  public:
    MoeCall(const MoeArgs& args, ThreadPool& pool)
        : args_(args),
          pool_(pool),
          scope_(pool.arena(0)),
          picks_(sortPicks(args, scope_)),
          inFormat_(args.experts[0].gate.format),
          downFormat_(args.experts[0].down.format),
          inner_(args.experts[0].gate.rows),
          x_(allocateRows(args.x.dim(0), packedLength(inFormat_, args.x.dim(1)), scope_)),
          hidden_(allocateRows(pickCount(), (inner_ + 15) / 16 * 16, scope_)),
          packedHidden_(allocateRows(pickCount(), packedLength(downFormat_, inner_), scope_)),
          result_(allocateRows(pickCount(), args.out.dim(1), scope_)) {}

    void run() {
        pool_.parallelFor(args_.x.dim(0), [&](int64_t t, int) {
            packActivations(inFormat_, args_.x.row<const float>(t), args_.x.dim(1), x_[t]);
        });
        forBlocks(inner_, [&](int64_t i, int64_t begin, int64_t end, Arena& arena) { gateUp(i, begin, end, arena); });
        pool_.parallelFor(pickCount(),
                          [&](int64_t i, int) { packActivations(downFormat_, hidden_[i], inner_, packedHidden_[i]); });
        forBlocks(args_.out.dim(1),
                  [&](int64_t i, int64_t begin, int64_t end, Arena& arena) { down(i, begin, end, arena); });
        pool_.parallelFor(args_.out.dim(0), [&](int64_t t, int) { sum(t); });
    }

  private:
    [[nodiscard]] int64_t pickCount() const { return args_.index.dim(0) * args_.index.dim(1); }
    [[nodiscard]] const ExpertWeights& expert(int64_t i) const {
        return args_.experts[static_cast<size_t>(picks_.active[i])];
    }

    // body(i, begin, end, arena) for every block of weight rows of every active expert.
    template <typename Body>
    void forBlocks(int64_t rows, const Body& body) {
        const int64_t blocks = (rows + kRowBlock - 1) / kRowBlock;
        pool_.parallelFor(picks_.count * blocks, [&](int64_t task, int thread) {
            const int64_t begin = task % blocks * kRowBlock;
            body(task / blocks, begin, std::min(begin + kRowBlock, rows), pool_.arena(thread));
        });
    }

    void gateUp(int64_t i, int64_t begin, int64_t end, Arena& arena) {
        ArenaScope scope(arena);
        const int64_t picks = picks_.picksOf(i);
        const auto count = static_cast<size_t>(picks);
        const Rows gate = allocateRows(picks, kRowBlock, scope);
        const Rows up = allocateRows(picks, kRowBlock, scope);
        const auto** x = scope.array<const float*>(count);
        auto** gateRows = scope.array<float*>(count);
        auto** upRows = scope.array<float*>(count);
        for (int64_t j = 0; j < picks; ++j) {
            x[j] = x_[picks_.pick[picks_.begin[i] + j] / args_.index.dim(1)];
            gateRows[j] = gate[j];
            upRows[j] = up[j];
        }
        multiplyRows(expert(i).gate, begin, end, {x, count}, {gateRows, count}, LinearPart::Write::kSet, arena);
        multiplyRows(expert(i).up, begin, end, {x, count}, {upRows, count}, LinearPart::Write::kSet, arena);
        for (int64_t j = 0; j < picks; ++j) {
            float* to = hidden_[picks_.begin[i] + j] + begin;
            for (int64_t n = 0; n < end - begin; ++n) to[n] = gatedUnit(gate[j][n], up[j][n]);
        }
    }

    void down(int64_t i, int64_t begin, int64_t end, Arena& arena) {
        ArenaScope scope(arena);
        const auto count = static_cast<size_t>(picks_.picksOf(i));
        const auto** x = scope.array<const float*>(count);
        auto** out = scope.array<float*>(count);
        for (size_t j = 0; j < count; ++j) {
            const int64_t row = picks_.begin[i] + static_cast<int64_t>(j);
            x[j] = packedHidden_[row];
            out[j] = result_[picks_.pick[row]] + begin;
        }
        multiplyRows(expert(i).down, begin, end, {x, count}, {out, count}, LinearPart::Write::kSet, arena);
    }

    // In pick order, whatever order the experts were computed in.
    void sum(int64_t t) {
        const int64_t perToken = args_.index.dim(1);
        const auto* weight = args_.weight.row<const float>(t);
        auto* out = args_.out.row<float>(t);
        std::fill_n(out, args_.out.dim(1), 0.0F);
        for (int64_t p = 0; p < perToken; ++p) {
            const float* from = result_[t * perToken + p];
            for (int64_t n = 0; n < args_.out.dim(1); ++n) out[n] += weight[p] * from[n];
        }
    }

    [[nodiscard]] float gatedUnit(float gate, float up) const {
        const float sigmoid = 1.0F / (1.0F + std::exp(-gate));
        const GluParams& glu = args_.glu;
        if (glu.kind == GluKind::kSwiGlu) return gate * sigmoid * up;
        const float bounded = glu.linearBeta == 0 ? up : glu.linearBeta * std::tanh(up / glu.linearBeta);
        return glu.beta * std::tanh(gate / glu.beta) * sigmoid * bounded;
    }

    const MoeArgs& args_;
    ThreadPool& pool_;
    ArenaScope scope_;
    SortedPicks picks_;
    WeightFormat inFormat_;
    WeightFormat downFormat_;
    int64_t inner_;
    Rows x_;             // [T] packed for gate and up
    Rows hidden_;        // [T k] glu(gate x, up x), by sorted pick
    Rows packedHidden_;  // [T k] packed for down
    Rows result_;        // [T k] down(hidden), by pick number
};

}  // namespace

void moe(const MoeArgs& args, ThreadPool& pool) {
    if (args.x.dim(0) > 0) MoeCall(args, pool).run();
}

}  // namespace pal::cpu
