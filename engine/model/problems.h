// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/result.h"

namespace pal {

// Collects everything wrong with one input, so that the user sees it all at once instead of one error per attempt. Bounded: a hostile
// file cannot make it hold or print more than the first kMaxTexts problems, each cut after kMaxBytes.
class Problems {
  public:
    // Something that breaks the format.
    template <typename... Args>
    void add(fmt::format_string<Args...> format, Args&&... args) {
        note(ErrorCode::kFormat, cut(fmt::format(format, std::forward<Args>(args)...)));
    }
    // A valid value that this engine does not run.
    template <typename... Args>
    void addUnsupported(fmt::format_string<Args...> format, Args&&... args) {
        note(ErrorCode::kUnsupported, cut(fmt::format(format, std::forward<Args>(args)...)));
    }
    // What went wrong with one part of the input; counts as one problem and is bounded already.
    void add(const Error& error) { note(error.code, error.message); }

    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] size_t count() const { return count_; }
    // The first ones in the order found; count() may be larger.
    [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

    // "subject: problem", or "subject: N problems" with one indented line each. The code is that of all problems, or kFormat when
    // they are of different kinds.
    [[nodiscard]] Error toError(std::string_view subject) const {
        if (count_ == 1) return {code_, fmt::format("{}: {}", subject, texts_.front())};
        std::string message = fmt::format("{}: {} problems", subject, count_);
        for (const std::string& text : texts_) message += "\n  " + text;
        if (count_ > texts_.size()) message += fmt::format("\n  ... and {} more", count_ - texts_.size());
        return {code_, std::move(message)};
    }

  private:
    static constexpr size_t kMaxTexts = 50;
    static constexpr size_t kMaxBytes = 1000;

    void note(ErrorCode code, std::string text) {
        code_ = count_ == 0 || code == code_ ? code : ErrorCode::kFormat;
        ++count_;
        if (texts_.size() < kMaxTexts) texts_.push_back(std::move(text));
    }
    // Between two code points: 10xxxxxx is the inside of one.
    static std::string cut(std::string text) {
        if (text.size() <= kMaxBytes) return text;
        size_t end = kMaxBytes;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
        return text.substr(0, end) + fmt::format("... ({} bytes)", text.size());
    }

    ErrorCode code_ = ErrorCode::kFormat;
    size_t count_ = 0;
    std::vector<std::string> texts_;
};

}  // namespace pal
