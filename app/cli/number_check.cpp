// SPDX-License-Identifier: Apache-2.0
#include "app/cli/number_check.h"

#include <fmt/format.h>

#include <charconv>
#include <string>

namespace pal::cli {

CLI::Validator wholeNumber(uint64_t low, uint64_t high) {
    const auto check = [low, high](const std::string& text) -> std::string {
        uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool plain =
            error == std::errc{} && end == text.data() + text.size() && (text.size() == 1 || text[0] != '0');
        if (plain && value >= low && value <= high) return "";
        return fmt::format("{} is not a whole number from {} to {}", text, low, high);
    };
    return CLI::Validator(check, "NUMBER");
}

}  // namespace pal::cli
