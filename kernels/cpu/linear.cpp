// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/linear.h"

#include <algorithm>
#include <array>

#include "kernels/cpu/parallel.h"
#include "kernels/cpu/row_product.h"

namespace pal::cpu {
namespace {

constexpr size_t kFormats = 3;

// One linear call: the activations packed once for each format in use, and the weight rows of all parts cut into tasks.
class LinearCall {
  public:
    LinearCall(const LinearArgs& args, ThreadPool& pool)
        : args_(args), pool_(pool), scope_(pool.arena(0)), tokens_(args.x.dim(0)) {
        int64_t rows = 0;
        for (const LinearPart& part : args.parts) {
            PackedRows& packed = packed_[index(part.weight.format)];
            const TokenForm form = formFor(part.weight.format, tokens_);
            if (!packed.present()) packed = PackedRows(part.weight.format, tokens_, args.x.dim(1), form, scope_);
            rows += part.weight.rows;
        }
        rowBlock_ = rowsPerTask(rows, pool.threads(), packed_[index(args.parts[0].weight.format)].form());
    }

    void run() {
        pack();
        int64_t tasks = 0;
        for (const LinearPart& part : args_.parts) tasks += blocksOf(part);
        pool_.parallelFor(tasks, [&](int64_t task, int thread) {
            const LinearPart* part = args_.parts.data();
            for (; task >= blocksOf(*part); ++part) task -= blocksOf(*part);
            multiply(*part, task * rowBlock_, pool_.arena(thread));
        });
    }

  private:
    static size_t index(WeightFormat format) { return static_cast<size_t>(format); }

    [[nodiscard]] int64_t blocksOf(const LinearPart& part) const {
        return (part.weight.rows + rowBlock_ - 1) / rowBlock_;
    }

    void pack() {
        const auto packTokens = [&](int64_t begin, int64_t end, int) {
            const float* rows[PackedRows::kPackRows];
            for (int64_t t = begin; t < end; ++t) rows[t - begin] = args_.x.row<const float>(t);
            for (const PackedRows& packed : packed_) {
                if (packed.present()) packed.pack(begin, {rows, static_cast<size_t>(end - begin)});
            }
        };
        forBlocks(pool_, tokens_, PackedRows::kPackRows, packTokens);
    }

    void multiply(const LinearPart& part, int64_t begin, Arena& arena) const {
        ArenaScope scope(arena);
        auto* targets = scope.array<RowTarget>(static_cast<size_t>(tokens_));
        for (int64_t t = 0; t < tokens_; ++t) targets[t] = {t, part.out.row<float>(t)};
        multiplyRows(part.weight, begin, std::min(begin + rowBlock_, part.weight.rows),
                     packed_[index(part.weight.format)], {targets, static_cast<size_t>(tokens_)}, part.write, arena);
    }

    const LinearArgs& args_;
    ThreadPool& pool_;
    ArenaScope scope_;
    int64_t tokens_;
    int64_t rowBlock_ = 1;
    std::array<PackedRows, kFormats> packed_;
};

}  // namespace

void linear(const LinearArgs& args, ThreadPool& pool) {
    if (args.x.dim(0) > 0) LinearCall(args, pool).run();
}

}  // namespace pal::cpu
