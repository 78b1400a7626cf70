// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace pal::inspect {

// Texts of the views in the reader's language. Views say English patterns of fmt, whose places are all {}; a window gives a lookup that translates
// them, what stands between groups of three digits, and the decimal sign. The patterns are collected for translators by app/desktop/inspect/collect_figure_texts.py.
class Words {
  public:
    using Lookup = std::function<std::string(const char* english)>;
    Words() = default;
    explicit Words(Lookup lookup, std::string group = ",", char decimal = '.')
        : lookup_(std::move(lookup)), group_(std::move(group)), decimal_(decimal) {}

    // A translation whose places do not fit the pattern's is not used.
    template <typename... Args>
    [[nodiscard]] std::string say(const char* english, const Args&... args) const {
        const auto written = [&](const auto&... each) {
            if (lookup_) {
                try {
                    return fmt::vformat(lookup_(english), fmt::make_format_args(each...));
                } catch (const fmt::format_error&) {
                    return fmt::vformat(english, fmt::make_format_args(each...));
                }
            }
            return fmt::vformat(english, fmt::make_format_args(each...));
        };
        return std::apply(written, std::tuple(readable(args)...));
    }

    // "12,345" with the reader's separator.
    [[nodiscard]] std::string number(int64_t value) const {
        std::string out = std::to_string(value);
        const size_t first = value < 0 ? 1 : 0;
        for (size_t at = out.size(); at > first + 3;) out.insert(at -= 3, group_);
        return out;
    }

    // "12.5"
    [[nodiscard]] std::string tenths(double value) const {
        std::string out = fmt::format("{:.1f}", value);
        std::replace(out.begin(), out.end(), '.', decimal_);
        return out;
    }

  private:
    template <typename Arg>
    [[nodiscard]] auto readable(const Arg& arg) const {
        if constexpr (std::integral<Arg>) {
            return number(static_cast<int64_t>(arg));
        } else {
            return std::string_view(arg);
        }
    }

    Lookup lookup_;
    std::string group_ = ",";
    char decimal_ = '.';
};

// A text that is said many times, looked up once.
class Phrase {
  public:
    // `said`: by Words::say(), with "\1" and "\2" in its places.
    explicit Phrase(std::string said) : said_(std::move(said)) {}

    [[nodiscard]] std::string with(std::string_view first, std::string_view second = {}) const {
        std::string out;
        out.reserve(said_.size() + first.size() + second.size());
        for (size_t begin = 0;;) {
            const size_t place = said_.find_first_of("\1\2", begin);
            out.append(said_, begin, place - begin);
            if (place == std::string::npos) return out;
            out.append(said_[place] == '\1' ? first : second);
            begin = place + 1;
        }
    }

  private:
    std::string said_;
};

}  // namespace pal::inspect
