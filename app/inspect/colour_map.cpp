// SPDX-License-Identifier: Apache-2.0
#include "app/inspect/colour_map.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pal::inspect {
namespace {

constexpr std::array<Colour, 10> kViridis = {0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e,
                                             0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725};
constexpr std::array<Colour, 9> kBlueRed = {0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf7f7f7,
                                            0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b};
constexpr std::array<Colour, kPartColours> kParts = {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7,
                                                     0x56b4e9, 0xd55e00, 0xf0e442, 0x888888};

template <size_t N>
Colour between(const std::array<Colour, N>& stops, double at) {
    const double place = at * (N - 1);
    const auto left = std::min(static_cast<size_t>(place), N - 2);
    const double share = place - static_cast<double>(left);
    Colour out = 0;
    for (const int shift : {16, 8, 0}) {
        const auto a = static_cast<double>((stops[left] >> shift) & 0xFF);
        const auto b = static_cast<double>((stops[left + 1] >> shift) & 0xFF);
        out |= static_cast<Colour>(std::lround(a + (b - a) * share)) << shift;
    }
    return out;
}

// What a map gives at every 1 / kSteps, 0.5 among them: cells are coloured by the hundred thousand.
constexpr size_t kSteps = 4096;
template <size_t N>
std::array<Colour, kSteps + 1> tableOf(const std::array<Colour, N>& stops) {
    std::array<Colour, kSteps + 1> out{};
    for (size_t i = 0; i <= kSteps; ++i) out[i] = between(stops, static_cast<double>(i) / kSteps);
    return out;
}

size_t stepOf(double at) {
    return static_cast<size_t>(std::clamp(std::isnan(at) ? 0.0 : at, 0.0, 1.0) * kSteps + 0.5);
}

std::array<double, 256> linearChannels() {
    std::array<double, 256> out{};
    for (size_t i = 0; i < out.size(); ++i) {
        const double c = static_cast<double>(i) / 255.0;
        out[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    }
    return out;
}

}  // namespace

Colour sequentialColour(double at) {
    static const auto kTable = tableOf(kViridis);
    return kTable[stepOf(at)];
}

Colour divergingColour(double at) {
    static const auto kTable = tableOf(kBlueRed);
    return kTable[stepOf(at)];
}

Colour partColour(int64_t part) {
    return kParts[static_cast<size_t>(part % kPartColours)];
}

double luminance(Colour colour) {
    static const auto kLinear = linearChannels();
    return 0.2126 * kLinear[(colour >> 16) & 0xFF] + 0.7152 * kLinear[(colour >> 8) & 0xFF] +
           0.0722 * kLinear[colour & 0xFF];
}

}  // namespace pal::inspect
