// SPDX-License-Identifier: Apache-2.0
#include "engine/text/json_number.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace pal {
namespace {

// Sign of the decimal exponent of a number whose value does not fit a double: did it overflow or underflow?
bool isHuge(std::string_view text) {
    const size_t e = text.find_first_of("eE");
    std::string_view mantissa = text.substr(0, e);
    if (mantissa.starts_with('-')) mantissa.remove_prefix(1);
    const size_t point = std::min(mantissa.find('.'), mantissa.size());
    const size_t firstDigit = mantissa.find_first_of("123456789");
    if (firstDigit == std::string_view::npos) return false;
    int64_t magnitude = static_cast<int64_t>(point) - static_cast<int64_t>(firstDigit);
    if (e != std::string_view::npos) {
        std::string_view digits = text.substr(e + 1);
        if (digits.starts_with('+')) digits.remove_prefix(1);
        int64_t exponent = 0;
        if (std::from_chars(digits.data(), digits.data() + digits.size(), exponent).ec != std::errc{}) {
            return !digits.starts_with('-');
        }
        constexpr int64_t kBound = int64_t{1} << 40;  // keeps the sum from overflowing
        magnitude += std::min(std::max(exponent, -kBound), kBound);
    }
    return magnitude > 0;
}

double toDouble(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    static_cast<void>(end);
    if (error == std::errc{}) return value;
    const double limit = isHuge(text) ? std::numeric_limits<double>::infinity() : 0.0;
    return text.starts_with('-') ? -limit : limit;
}

// repr() of Python: shortest digits, an exponent below 1e-4 and from 1e16 on.
std::string pythonFloat(double value) {
    if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
    std::array<char, 32> buffer{};
    const auto written =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value), std::chars_format::scientific);
    const std::string_view shortest(buffer.data(), static_cast<size_t>(written.ptr - buffer.data()));
    const size_t e = shortest.find('e');
    std::string digits(shortest.substr(0, 1));
    if (e > 2) digits += shortest.substr(2, e - 2);
    int exponent = 0;
    const size_t exponentAt = shortest[e + 1] == '+' ? e + 2 : e + 1;
    std::from_chars(shortest.data() + exponentAt, shortest.data() + shortest.size(), exponent);

    const std::string_view sign = std::signbit(value) ? "-" : "";
    const auto count = static_cast<int>(digits.size());
    if (exponent < -4 || exponent >= 16) {
        return fmt::format("{}{}{}{}e{}{:02}", sign, digits[0], count > 1 ? "." : "", digits.substr(1),
                           exponent < 0 ? '-' : '+', std::abs(exponent));
    }
    if (exponent < 0) return fmt::format("{}0.{:0>{}}", sign, digits, count - exponent - 1);
    if (count <= exponent + 1) return fmt::format("{}{:0<{}}.0", sign, digits, exponent + 1);
    const auto whole = static_cast<size_t>(exponent + 1);
    return fmt::format("{}{}.{}", sign, digits.substr(0, whole), digits.substr(whole));
}

}  // namespace

std::string pythonNumber(std::string_view text) {
    if (text.find_first_of(".eE") != std::string_view::npos) return pythonFloat(toDouble(text));
    return text == "-0" ? "0" : std::string(text);
}

}  // namespace pal
