// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/linear.h"

#include <algorithm>
#include <array>

#include "kernels/cpu/row_product.h"

namespace pal::cpu {
namespace {

// The activations of one call, packed once for each weight format that the parts use.
class PackedActivations {
  public:
    PackedActivations(const LinearArgs& args, ArenaScope& scope, ThreadPool& pool) : tokens_(args.x.dim(0)) {
        for (const LinearPart& part : args.parts) {
            const float** rows = rows_[index(part.weight.format)];
            if (rows == nullptr) rows_[index(part.weight.format)] = pack(args.x, part.weight.format, scope, pool);
        }
    }

    [[nodiscard]] std::span<const float* const> rows(WeightFormat format) const {
        return {rows_[index(format)], static_cast<size_t>(tokens_)};
    }

  private:
    static size_t index(WeightFormat format) { return static_cast<size_t>(format); }

    static const float** pack(const ConstTensorView& x, WeightFormat format, ArenaScope& scope, ThreadPool& pool) {
        const int64_t tokens = x.dim(0);
        const int64_t cols = x.dim(1);
        const int64_t length = packedLength(format, cols);
        const auto** rows = scope.array<const float*>(static_cast<size_t>(tokens));
        auto* packed = scope.array<float>(static_cast<size_t>(tokens * length));
        pool.parallelFor(tokens, [&](int64_t t, int) {
            packActivations(format, x.row<const float>(t), cols, packed + t * length);
            rows[t] = packed + t * length;
        });
        return rows;
    }

    int64_t tokens_;
    std::array<const float**, 3> rows_{};
};

// Weight rows in one task.
constexpr int64_t kRowBlock = 16;

int64_t blocksOf(const LinearPart& part) {
    return (part.weight.rows + kRowBlock - 1) / kRowBlock;
}

void multiplyBlock(const LinearPart& part, int64_t block, std::span<const float* const> x, Arena& arena) {
    const int64_t begin = block * kRowBlock;
    const int64_t end = std::min(begin + kRowBlock, part.weight.rows);
    ArenaScope scope(arena);
    auto** out = scope.array<float*>(x.size());
    for (size_t t = 0; t < x.size(); ++t) out[t] = part.out.row<float>(static_cast<int64_t>(t)) + begin;
    multiplyRows(part.weight, begin, end, x, {out, x.size()}, part.write, arena);
}

}  // namespace

void linear(const LinearArgs& args, ThreadPool& pool) {
    if (args.x.dim(0) == 0) return;
    ArenaScope scope(pool.arena(0));
    const PackedActivations x(args, scope, pool);
    int64_t blocks = 0;
    for (const LinearPart& part : args.parts) blocks += blocksOf(part);
    pool.parallelFor(blocks, [&](int64_t task, int thread) {
        for (const LinearPart& part : args.parts) {
            if (task < blocksOf(part)) return multiplyBlock(part, task, x.rows(part.weight.format), pool.arena(thread));
            task -= blocksOf(part);
        }
    });
}

}  // namespace pal::cpu
