// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/result.h"

namespace pal {

// Collects everything wrong with one input, so that the user sees it all at once instead of one error per attempt.
class Problems {
  public:
    template <typename... Args>
    void add(fmt::format_string<Args...> format, Args&&... args) {
        ++count_;
        if (texts_.size() < kMaxTexts) texts_.push_back(fmt::format(format, std::forward<Args>(args)...));
    }

    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] size_t count() const { return count_; }
    // The first ones in the order found; count() may be larger.
    [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

    // "subject: problem", or "subject: N problems" with one indented line each.
    [[nodiscard]] Error toError(ErrorCode code, std::string_view subject) const {
        if (count_ == 1) return {code, fmt::format("{}: {}", subject, texts_.front())};
        std::string message = fmt::format("{}: {} problems", subject, count_);
        for (const std::string& text : texts_) message += "\n  " + text;
        if (count_ > texts_.size()) message += fmt::format("\n  ... and {} more", count_ - texts_.size());
        return {code, std::move(message)};
    }

  private:
    static constexpr size_t kMaxTexts = 50;
    size_t count_ = 0;
    std::vector<std::string> texts_;
};

}  // namespace pal
