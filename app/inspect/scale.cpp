// SPDX-License-Identifier: Apache-2.0
#include "app/inspect/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pal::inspect {

double ValueScale::at(double value) const {
    if (std::isnan(value)) return value;
    double place = 0;
    switch (kind) {
        case Kind::kLinear:
            place = (value - low) / (high - low);
            break;
        case Kind::kLog:
            place = value <= low ? 0 : std::log(value / low) / std::log(high / low);
            break;
        case Kind::kDiverging: {
            const double reach = std::max(std::abs(low), std::abs(high));
            place = 0.5 + 0.5 * value / reach;
            break;
        }
    }
    return std::clamp(place, 0.0, 1.0);
}

Colour ValueScale::colour(double value) const {
    return kind == Kind::kDiverging ? divergingColour(at(value)) : sequentialColour(at(value));
}

ValueScale scaleOf(std::span<const float> values, ValueScale::Kind kind, double decades) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const float value : values) {
        if (!std::isfinite(value) || (kind == ValueScale::Kind::kLog && value <= 0)) continue;
        low = std::min(low, static_cast<double>(value));
        high = std::max(high, static_cast<double>(value));
    }
    if (high < low) return kind == ValueScale::Kind::kLog ? ValueScale{kind, 0.1, 1} : ValueScale{kind, 0, 1};
    if (kind == ValueScale::Kind::kDiverging) {
        const double reach = std::max({std::abs(low), std::abs(high), 1e-30});
        return {kind, -reach, reach};
    }
    if (kind == ValueScale::Kind::kLog) {
        low = std::max(low, high * std::pow(10.0, -decades));
        if (low == high) low = high / 10;
        return {kind, low, high};
    }
    low = std::min(low, 0.0);
    if (low == high) high = low + 1;
    return {kind, low, high};
}

namespace {

std::vector<Tick> logTicks(const ValueScale& scale, int most, char decimal) {
    std::vector<Tick> out;
    const int first = static_cast<int>(std::ceil(std::log10(scale.low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(scale.high) + 1e-9));
    const int step = std::max(1, (last - first + most) / std::max(1, most));
    for (int power = first; power <= last; power += step) {
        const double value = std::pow(10.0, power);
        out.push_back({scale.at(value), numberText(value, decimal)});
    }
    if (out.empty()) out = {{0, numberText(scale.low, decimal)}, {1, numberText(scale.high, decimal)}};
    return out;
}

}  // namespace

std::vector<Tick> ticksOf(const ValueScale& scale, int most, char decimal) {
    if (scale.kind == ValueScale::Kind::kLog) return logTicks(scale, most, decimal);
    const double span = scale.high - scale.low;
    const double rough = span / std::max(1, most);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = power;
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
        step = factor * power;
        if (step >= rough * 0.999) break;
    }
    std::vector<Tick> out;
    const double first = std::ceil(scale.low / step - 1e-9);
    for (double i = first; i * step <= scale.high + step * 1e-6; ++i)
        out.push_back({(i * step - scale.low) / span, numberText(i == 0 ? 0 : i * step, decimal)});
    return out;
}

namespace {

std::string plainNumber(double value) {
    const double size = std::abs(value);
    constexpr std::pair<double, const char*> kUnits[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    if (size >= 9999.5) {
        for (const auto& [unit, name] : kUnits)
            if (size >= unit * 0.9995) return fmt::format("{:.3g}{}", value / unit, name);
    }
    return size >= 999.5 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

// "1.2·10⁻⁶"; a round one without its ones: "10⁻⁶".
std::string powerNumber(double value) {
    constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const std::string text = fmt::format("{:.1e}", value);
    const size_t e = text.find('e');
    std::string mantissa = text.substr(0, e);
    if (mantissa.ends_with(".0")) mantissa.resize(mantissa.size() - 2);
    std::string out = mantissa == "1" ? "10⁻" : mantissa == "-1" ? "-10⁻" : mantissa + "·10⁻";
    for (const char digit : std::to_string(std::stoi(text.substr(e + 2)))) out += kDigits[digit - '0'];
    return out;
}

}  // namespace

std::string numberText(double value, char decimal) {
    if (std::isnan(value)) return "-";
    const double size = std::abs(value);
    std::string out = size > 0 && size < 0.9995e-3 ? powerNumber(value) : plainNumber(value);
    std::replace(out.begin(), out.end(), '.', decimal);
    return out;
}

std::string tenthsText(double value, char decimal) {
    std::string out = fmt::format("{:.1f}", value);
    std::replace(out.begin(), out.end(), '.', decimal);
    return out;
}

}  // namespace pal::inspect
