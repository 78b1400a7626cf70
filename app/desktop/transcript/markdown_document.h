// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/desktop/transcript/block.h"
#include "app/desktop/transcript/inline_cuts.h"
#include "app/desktop/transcript/markdown_lines.h"
#include "app/desktop/transcript/text_intake.h"

namespace pal::desktop {

// A text that grows, as blocks. Appending reads only what is still open: the last paragraph, list or quote, or the last lines of code;
// blocks before it are frozen. After any split into pieces the blocks are those of the whole text at once.
//
// The text is cut where no block of Markdown can reach across (markdown_lines.h) and each piece is parsed alone. Nothing is bigger than a
// few dozen KB: paragraphs, lists and tables of more than 64 KiB are cut at a line, code comes in parts of about 100 lines, tables of 32 rows.
// Not thread-safe; any thread.
class MarkdownDocument {
  public:
    enum class Dialect {
        kMarkdown,
        kLiteral,  // as typed, line by line; only fenced code is code
    };

    explicit MarkdownDocument(Dialect dialect, InlinePattern pattern = {});

    // Any bytes: what is no UTF-8 and NUL become U+FFFD; characters may be split between calls; line ends may be CR LF. Gives the index of
    // the first block that is new or changed; equals blocks().size() when nothing was.
    size_t append(std::string_view bytes);

    [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
    // Blocks that no append will change.
    [[nodiscard]] size_t frozen() const { return frozen_; }

  private:
    bool takeLine();
    bool takeCodeLine(size_t end, std::string_view line);
    [[nodiscard]] LineScanner::Step look(std::string_view line);
    void openFence(size_t end, Fence fence);
    void freezeText(size_t end);
    void freezePart(bool goesOn);
    void addCode(std::string_view piece);
    [[nodiscard]] std::vector<Block> parse(std::string_view text) const;
    [[nodiscard]] Block codeBlock(std::string_view text) const;
    [[nodiscard]] std::vector<Block> openBlocks() const;
    [[nodiscard]] size_t charBoundary(size_t at) const;

    Dialect dialect_;
    InlinePattern pattern_;
    TextIntake intake_;

    std::vector<Block> blocks_;
    size_t frozen_ = 0;

    std::string text_;    // what is not frozen, and before it what this append has frozen
    size_t pieceAt_ = 0;  // where the open piece begins
    size_t lineAt_ = 0;   // where its first line begins that was not looked at
    LineScanner lines_;   // of the open piece

    Fence fence_;       // of code that is open; length 0: none
    std::string part_;  // lines of its open part
    int partLines_ = 0;
    bool laterPart_ = false;  // not the first part of its code
    bool midLine_ = false;    // the open piece begins inside a line of code
};

}  // namespace pal::desktop
