// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "app/desktop/transcript/block.h"
#include "app/desktop/transcript/inline_cuts.h"

namespace pal::desktop {

// Text with its cuts put back as they were written.
[[nodiscard]] QString restoreCuts(std::string_view text, const std::vector<Cut>& cuts);

// Builds the InlineText of one block from its pieces. `cuts` outlives it.
class InlineWriter {
  public:
    explicit InlineWriter(const std::vector<Cut>& cuts) : cuts_(cuts) {}

    // What an element shows that has no text.
    enum class IfEmpty { kNothing, kShowTarget };

    void start();
    void enter(uint32_t style, const QString& target = {});
    void leave(IfEmpty empty);
    void text(std::string_view piece);  // cuts become formulas and citations
    void plain(const QString& piece);
    void softBreak();

    [[nodiscard]] InlineText finish();
    [[nodiscard]] InlineText finishCode();  // with its lines
    struct Part {
        InlineText content;
        bool display = false;  // a formula on lines of its own
    };
    // The paragraph in parts: displayed formulas that have a line of their own, and what stands between them. At least one part.
    [[nodiscard]] std::vector<Part> finishParagraph();

  private:
    struct Open {
        uint32_t style = 0;
        int32_t target = -1;
        int begin = 0;
    };
    struct Display {
        int begin = 0, end = 0;
    };

    void append(const QString& piece, uint32_t style, int32_t target);
    void formula(const Cut& cut);
    [[nodiscard]] uint32_t style() const;
    [[nodiscard]] int32_t target() const;
    [[nodiscard]] int32_t addTarget(const QString& value);
    [[nodiscard]] InlineText slice(int begin, int end) const;

    const std::vector<Cut>& cuts_;
    InlineText out_;
    std::vector<Open> open_;
    std::vector<Display> displays_;
};

}  // namespace pal::desktop
