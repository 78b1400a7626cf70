// SPDX-License-Identifier: Apache-2.0
#include "app/inspect/state_figures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "engine/base/check.h"

namespace pal::inspect {
namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Turns two vectors within their plane until they are orthogonal; false when they were, within rounding.
bool orthogonalise(Vector& a, Vector& b) {
    constexpr double kRounding = 1e-14;
    const double aa = dot(a, a);
    const double bb = dot(b, b);
    const double ab = dot(a, b);
    if (std::abs(ab) <= kRounding * std::sqrt(aa * bb)) return false;
    const double zeta = (bb - aa) / (2 * ab);
    const double tangent = std::copysign(1 / (std::abs(zeta) + std::hypot(1.0, zeta)), zeta);
    const double cosine = 1 / std::hypot(1.0, tangent);
    const double sine = cosine * tangent;
    for (size_t i = 0; i < a.size(); ++i) {
        const double old = a[i];
        a[i] = cosine * old - sine * b[i];
        b[i] = sine * old + cosine * b[i];
    }
    return true;
}

// One-sided Jacobi (Hestenes 1958): rotations make the vectors orthogonal, their lengths are the singular values.
Vector singularValues(std::vector<Vector> vectors, const std::stop_token& stop) {
    constexpr int kMostSweeps = 40;  // it converges quadratically; 6 to 10 are enough
    bool turned = true;
    for (int sweep = 0; turned && sweep < kMostSweeps; ++sweep) {
        turned = false;
        for (size_t i = 0; i < vectors.size(); ++i) {
            if (stop.stop_requested()) return {};
            for (size_t j = i + 1; j < vectors.size(); ++j) turned |= orthogonalise(vectors[i], vectors[j]);
        }
    }
    Vector out;
    for (const Vector& v : vectors) out.push_back(std::sqrt(dot(v, v)));
    std::sort(out.begin(), out.end(), std::greater<>());
    return out;
}

}  // namespace

StateFigures stateFigures(std::span<const float> state, int64_t rows, int64_t columns, const std::stop_token& stop) {
    PAL_CHECK(std::ssize(state) == rows * columns);
    const bool byRow = rows <= columns;  // the shorter side gives fewer vectors
    std::vector<Vector> vectors(static_cast<size_t>(std::min(rows, columns)));
    for (int64_t i = 0; i < rows * columns; ++i) {
        vectors[static_cast<size_t>(byRow ? i / columns : i % columns)].push_back(state[static_cast<size_t>(i)]);
    }
    StateFigures out;
    out.singular = singularValues(std::move(vectors), stop);
    const double energy = dot(out.singular, out.singular);
    out.norm = std::sqrt(energy);
    if (energy == 0) return out;
    double entropy = 0;
    for (const double s : out.singular) {
        const double p = s * s / energy;
        if (p > 0) entropy -= p * std::log(p);
    }
    out.effectiveRank = std::exp(entropy);
    return out;
}

std::vector<float> stateDifference(std::span<const float> before, std::span<const float> after) {
    PAL_CHECK(before.size() == after.size());
    std::vector<float> out(after.size());
    std::transform(after.begin(), after.end(), before.begin(), out.begin(), std::minus<>());
    return out;
}

}  // namespace pal::inspect
