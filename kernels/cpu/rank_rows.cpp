// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/rank_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/rank_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/row-inl.h"

// At least k rows reach the k-th largest of the maxima of sets that share no row, and few others do: those are put in order. All of it without branches
// that depend on the masses, which no processor foresees.

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {
namespace {

using I32 = hn::RebindToSigned<F32>;

// Maxima of sets of about `each` values, every value in one set; returns how many.
int64_t setMaxima(const float* values, int64_t count, int64_t each, float* maxima) {
    const F32 d;
    const int64_t lanes = lanesF32();
    const int64_t whole = count / lanes * lanes;
    float* out = maxima;
    for (int64_t begin = 0; begin < whole; begin += each * lanes, out += lanes) {
        VecF32 most = hn::LoadU(d, values + begin);
        for (int64_t i = begin + lanes; i < std::min(whole, begin + each * lanes); i += lanes) {
            most = hn::Max(most, hn::LoadU(d, values + i));
        }
        hn::StoreU(most, d, out);
    }
    return std::copy(values + whole, values + count, out) - maxima;
}

int64_t countFrom(const float* values, int64_t count, float least) {
    const F32 d;
    const VecF32 limit = hn::Set(d, least);
    int64_t found = 0;
    int64_t i = 0;
    for (; i + lanesF32() <= count; i += lanesF32()) {
        found += static_cast<int64_t>(hn::CountTrue(d, hn::Ge(hn::LoadU(d, values + i), limit)));
    }
    for (; i < count; ++i) found += values[i] >= least ? 1 : 0;
    return found;
}

// A value that k of the values (none negative) reach, or the k-th largest itself where others equal it: bisection of the bits, which ascend with the
// values. 0 where fewer than k are numbers.
float reachedBy(const float* values, int64_t count, int64_t k) {
    uint32_t low = 0;
    uint32_t high = std::bit_cast<uint32_t>(std::numeric_limits<float>::infinity());
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        const int64_t found = countFrom(values, count, std::bit_cast<float>(middle));
        (found >= k ? low : high) = middle;
        if (found == k) break;
    }
    return std::bit_cast<float>(low);
}

// Rows in the order in which they came, with their masses.
struct Rows {
    float* mass;
    int32_t* row;
    int64_t count;
};

// Adds rows [begin, end) with at least `least`, until fewer than a vector has room; returns the first row that was not looked at.
int64_t collectFrom(const float* mass, int64_t begin, int64_t end, float least, int64_t room, Rows& out) {
    const F32 d;
    const I32 di;
    const VecF32 limit = hn::Set(d, least);
    while (begin + lanesF32() <= end && out.count + lanesF32() <= room) {
        const VecF32 values = hn::LoadU(d, mass + begin);
        const auto reaches = hn::Ge(values, limit);
        if (!hn::AllFalse(d, reaches)) {
            const auto rows = hn::Iota(di, static_cast<int32_t>(begin));
            hn::CompressStore(rows, hn::RebindMask(di, reaches), di, out.row + out.count);
            out.count += static_cast<int64_t>(hn::CompressStore(values, reaches, d, out.mass + out.count));
        }
        begin += lanesF32();
    }
    if (begin + lanesF32() <= end) return begin;
    for (; begin < end && out.count < room; ++begin) {
        if (!(mass[begin] >= least)) continue;
        out.mass[out.count] = mass[begin];
        out.row[out.count++] = static_cast<int32_t>(begin);
    }
    return begin;
}

// place[i] = how many of the rows come before row i. `mass` has room for a vector behind its end.
void countBefore(const float* mass, int64_t count, float* place) {
    const F32 d;
    const int64_t lanes = lanesF32();
    const VecF32 one = hn::Set(d, 1.0F);
    for (int64_t i = 0; i < count; i += lanes) {
        const VecF32 mine = hn::LoadU(d, mass + i);
        const VecF32 index = hn::Iota(d, static_cast<float>(i));
        const int64_t end = std::min(count, i + lanes);
        VecF32 before = hn::Zero(d);
        for (int64_t j = 0; j < i; ++j) {
            before = hn::Add(before, hn::IfThenElseZero(hn::Ge(hn::Set(d, mass[j]), mine), one));
        }
        for (int64_t j = i; j < end; ++j) {
            const VecF32 other = hn::Set(d, mass[j]);
            const auto earlier = hn::And(hn::Eq(other, mine), hn::Lt(hn::Set(d, static_cast<float>(j)), index));
            before = hn::Add(before, hn::IfThenElseZero(hn::Or(hn::Gt(other, mine), earlier), one));
        }
        for (int64_t j = end; j < count; ++j) {
            before = hn::Add(before, hn::IfThenElseZero(hn::Gt(hn::Set(d, mass[j]), mine), one));
        }
        hn::StoreU(before, d, place + i);
    }
}

// Puts the best `keep` of the rows in their order in front and forgets the others.
void keepBest(int64_t keep, Rows& rows, Arena& arena) {
    constexpr int64_t kCounted = 256;  // comparing all pairs at once is quicker up to here
    ArenaScope scope(arena);
    const auto count = static_cast<size_t>(rows.count);
    auto* mass = scope.array<float>(count);
    auto* row = scope.array<int32_t>(count);
    std::copy_n(rows.mass, count, mass);
    std::copy_n(rows.row, count, row);
    keep = std::min(keep, rows.count);
    if (rows.count <= kCounted) {
        auto* place = scope.array<float>(count + static_cast<size_t>(lanesF32()));
        countBefore(rows.mass, rows.count, place);
        for (size_t i = 0; i < count; ++i) {
            const auto at = static_cast<int64_t>(place[i]);
            if (at >= keep) continue;
            rows.mass[at] = mass[i];
            rows.row[at] = row[i];
        }
    } else {
        auto* order = scope.array<int32_t>(count);
        std::iota(order, order + count, 0);
        std::partial_sort(order, order + keep, order + count,
                          [&](int32_t a, int32_t b) { return mass[a] != mass[b] ? mass[a] > mass[b] : a < b; });
        for (int64_t i = 0; i < keep; ++i) {
            rows.mass[i] = mass[order[i]];
            rows.row[i] = row[order[i]];
        }
    }
    rows.count = keep;
}

// The best rows, at most k, in their order; `best` has room for 4 k and two vectors.
void rankInto(const float* mass, int64_t count, int64_t k, Rows& best, Arena& arena) {
    constexpr int64_t kSetsPerKey = 4;
    float least = 0;
    if (count > k) {
        ArenaScope scope(arena);
        const int64_t each = std::max<int64_t>(1, count / (kSetsPerKey * k));
        auto* maxima = scope.array<float>(static_cast<size_t>(count));
        const int64_t sets = setMaxima(mass, count, each, maxima);
        if (sets > k) least = reachedBy(maxima, sets, k);
    }
    const int64_t room = 4 * k + lanesF32();
    for (int64_t next = collectFrom(mass, 0, count, least, room, best); next < count;) {
        keepBest(k, best, arena);
        if (best.count == k) {  // those equal to the last come later
            least = std::nextafter(best.mass[k - 1], std::numeric_limits<float>::infinity());
        }
        next = collectFrom(mass, next, count, least, room, best);
    }
    keepBest(k, best, arena);
}

void rankRowsHere(const float* mass, int64_t rows, float scale, std::span<int32_t> keys, std::span<float> masses,
                  Arena& arena) {
    const auto k = std::ssize(keys);
    ArenaScope scope(arena);
    const auto room = static_cast<size_t>(4 * k + 2 * lanesF32());
    Rows best{scope.array<float>(room), scope.array<int32_t>(room), 0};
    if (k > 0) rankInto(mass, rows, k, best, arena);
    for (int64_t i = 0; i < k; ++i) {
        keys[static_cast<size_t>(i)] = i < best.count ? best.row[i] : -1;
        masses[static_cast<size_t>(i)] = i < best.count ? best.mass[i] * scale : 0.0F;
    }
}

}  // namespace
}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal::cpu {

HWY_EXPORT(rankRowsHere);

void rankRows(const float* mass, int64_t rows, float scale, std::span<int32_t> keys, std::span<float> masses,
              Arena& arena) {
    HWY_DYNAMIC_DISPATCH(rankRowsHere)(mass, rows, scale, keys, masses, arena);
}

}  // namespace pal::cpu
#endif  // HWY_ONCE
