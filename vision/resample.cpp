// SPDX-License-Identifier: Apache-2.0
#include "vision/resample.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "vision/resample_passes.h"

namespace pal {
namespace {

constexpr double kSupport = 2.0;
constexpr double kOne = 1 << 22;  // fixed point

double bicubic(double x) {
    constexpr double a = -0.5;
    x = std::abs(x);
    if (x < 1.0) return ((a + 2.0) * x - (a + 3.0)) * x * x + 1;
    if (x < 2.0) return (((x - 5) * x + 8) * x - 4) * a;
    return 0.0;
}

// Step for step what Pillow's Resample.c computes, so that the rounded weights are the same.
AxisFilter makeFilter(int64_t in, int64_t out) {
    const double scale = static_cast<double>(in) / static_cast<double>(out);
    const double filterScale = std::max(scale, 1.0);
    const double support = kSupport * filterScale;
    const double inverse = 1.0 / filterScale;
    AxisFilter filter;
    filter.stride = static_cast<int64_t>(std::ceil(support)) * 2 + 1;
    filter.first.resize(static_cast<size_t>(out));
    filter.count.resize(static_cast<size_t>(out));
    filter.weights.resize(static_cast<size_t>(out * filter.stride));
    std::vector<double> exact(static_cast<size_t>(filter.stride));
    for (int64_t i = 0; i < out; ++i) {
        const double centre = (static_cast<double>(i) + 0.5) * scale;
        const int64_t first = std::max<int64_t>(0, static_cast<int64_t>(centre - support + 0.5));
        const int64_t last = std::min(in, static_cast<int64_t>(centre + support + 0.5));
        const int64_t count = last - first;
        double sum = 0;
        for (int64_t k = 0; k < count; ++k) {
            const double weight = bicubic((static_cast<double>(k + first) - centre + 0.5) * inverse);
            exact[static_cast<size_t>(k)] = weight;
            sum += weight;
        }
        int32_t* rounded = filter.weights.data() + i * filter.stride;
        for (int64_t k = 0; k < count; ++k) {
            const double weight = sum != 0 ? exact[static_cast<size_t>(k)] / sum : exact[static_cast<size_t>(k)];
            rounded[k] = static_cast<int32_t>((weight < 0 ? -0.5 : 0.5) + weight * kOne);
        }
        filter.first[static_cast<size_t>(i)] = first;
        filter.count[static_cast<size_t>(i)] = count;
    }
    return filter;
}

void premultiply(const uint8_t* in, int64_t pixels, uint8_t* out) {
    for (int64_t i = 0; i < pixels * 4; i += 4) {
        const int alpha = in[i + 3];
        for (int64_t c = i; c < i + 3; ++c) {
            const int product = in[c] * alpha + 128;
            out[c] = static_cast<uint8_t>(((product >> 8) + product) >> 8);
        }
        out[i + 3] = in[i + 3];
    }
}

void divideAlphaOut(int64_t pixels, uint8_t* row) {
    for (int64_t i = 0; i < pixels * 4; i += 4) {
        const int alpha = row[i + 3];
        if (alpha == 0 || alpha == 255) continue;
        for (int64_t c = i; c < i + 3; ++c) row[c] = static_cast<uint8_t>(std::min(255, 255 * row[c] / alpha));
    }
}

}  // namespace

struct Resampler::Impl {
    int64_t width, height, newWidth, newHeight;
    Raster::Alpha alpha;
    AxisFilter columns, rows;   // empty when the axis keeps its size
    int64_t ringRows = 0;       // rows kept between the passes
    std::vector<uint8_t> ring;  // ringRows * newWidth * 4; input row y lies at y modulo ringRows
    std::vector<uint8_t> multiplied;
    std::vector<const uint8_t*> taps;
    int64_t taken = 0, made = 0;

    [[nodiscard]] bool blends() const {
        return alpha == Raster::Alpha::kStraight && (width != newWidth || height != newHeight);
    }
    uint8_t* ringRow(int64_t y) { return ring.data() + (y % ringRows) * newWidth * 4; }

    void makeRows(Raster& out) {
        while (made < newHeight) {
            const auto i = static_cast<size_t>(made);
            const int64_t first = rows.first[i], count = rows.count[i];
            if (first + count > taken) return;
            for (int64_t k = 0; k < count; ++k) taps[static_cast<size_t>(k)] = ringRow(first + k);
            filterDown(taps.data(), rows.weights.data() + made * rows.stride, count, newWidth * 4, out.row(made));
            if (blends()) divideAlphaOut(newWidth, out.row(made));
            ++made;
        }
    }
};

Resampler::Resampler(int64_t width, int64_t height, Raster::Alpha alpha, int64_t newWidth, int64_t newHeight)
    : impl_(new Impl{width, height, newWidth, newHeight, alpha, {}, {}, 0, {}, {}, {}, 0, 0}) {
    PAL_CHECK(width >= 1 && height >= 1 && newWidth >= 1 && newHeight >= 1);
    if (width != newWidth) impl_->columns = makeFilter(width, newWidth);
    if (height != newHeight) {
        impl_->rows = makeFilter(height, newHeight);
        impl_->ringRows = std::min(impl_->rows.stride, height);
        impl_->ring.resize(static_cast<size_t>(impl_->ringRows * newWidth * 4));
        impl_->taps.resize(static_cast<size_t>(impl_->rows.stride));
    }
    if (impl_->blends()) impl_->multiplied.resize(static_cast<size_t>(width * 4));
}

Resampler::~Resampler() = default;

void Resampler::push(const uint8_t* row, Raster& out) {
    Impl& s = *impl_;
    PAL_CHECK(s.taken < s.height && out.width == s.newWidth && out.height == s.newHeight);
    if (s.blends()) {
        premultiply(row, s.width, s.multiplied.data());
        row = s.multiplied.data();
    }
    const bool filtersDown = s.ringRows > 0;
    uint8_t* target = filtersDown ? s.ringRow(s.taken) : out.row(s.taken);
    if (s.columns.stride > 0) {
        filterAcross(s.columns, row, target);
    } else {
        std::memcpy(target, row, static_cast<size_t>(s.width) * 4);
    }
    ++s.taken;
    if (filtersDown) {
        s.makeRows(out);
    } else if (s.blends()) {
        divideAlphaOut(s.newWidth, target);
    }
}

Raster resize(const Raster& picture, int64_t width, int64_t height) {
    Raster out{width, height, picture.alpha, std::vector<uint8_t>(static_cast<size_t>(width * height * 4))};
    Resampler resampler(picture.width, picture.height, picture.alpha, width, height);
    for (int64_t y = 0; y < picture.height; ++y) resampler.push(picture.row(y), out);
    return out;
}

}  // namespace pal
