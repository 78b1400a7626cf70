// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pal::desktop {

// The line that opens fenced code at the top level of a document.
struct Fence {
    char mark = '`';
    size_t length = 0, indent = 0;
    std::string language;  // first word behind it
};
// Without its line end.
[[nodiscard]] std::optional<Fence> openingFence(std::string_view line);
[[nodiscard]] bool closesFence(const Fence& fence, std::string_view line);

// Tells, line by line, where a piece of Markdown may be cut so that the parts parse as the whole would. A cut that is not allowed is only
// slower, so every doubt forbids it.
class LineScanner {
  public:
    enum class Step {
        kGoesOn,
        kCutBefore,    // the line begins a new piece
        kFenceBefore,  // and opens fenced code of the top level
    };

    // `first`: the line is the first of its piece; `mayShorten`: the piece is so long that even a list is cut between two items.
    struct Place {
        bool first = false, mayShorten = false;
    };
    [[nodiscard]] Step step(std::string_view line, Place place);

  private:
    void noteMarker(std::string_view rest, size_t indent, bool first);

    bool afterBlank_ = false;
    bool list_ = false;            // an item of the top level may be open
    size_t itemIndent_ = 0;        // the column of its text
    bool doubtful_ = false;        // whether that item is open is not known
    std::optional<Fence> nested_;  // of code inside that item
    bool blocked_ = false;         // code may be open that is not seen here
};

}  // namespace pal::desktop
