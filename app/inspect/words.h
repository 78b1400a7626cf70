// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <utility>

namespace pal::inspect {

// Texts of the views in the reader's language. Views say English patterns of fmt; a window gives a lookup that translates them. The patterns
// are collected for translators by app/desktop/inspect/collect_figure_texts.py.
class Words {
  public:
    using Lookup = std::function<std::string(const char* english)>;
    Words() = default;
    explicit Words(Lookup lookup) : lookup_(std::move(lookup)) {}

    // A translation whose places do not fit the pattern's is not used.
    template <typename... Args>
    [[nodiscard]] std::string say(const char* english, const Args&... args) const {
        if (lookup_) {
            try {
                return fmt::vformat(lookup_(english), fmt::make_format_args(args...));
            } catch (const fmt::format_error&) {
                return fmt::vformat(english, fmt::make_format_args(args...));
            }
        }
        return fmt::vformat(english, fmt::make_format_args(args...));
    }

  private:
    Lookup lookup_;
};

}  // namespace pal::inspect
