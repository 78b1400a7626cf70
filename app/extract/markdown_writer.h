// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pal::extract {

// Text of a table's cells, row by row; rows may differ in length.
using TableText = std::vector<std::vector<std::string>>;

// Writes flowing documents (docx, odt, epub, html) as Markdown: blocks with a blank line between them, headings, lists, quotes, tables,
// notes. Words are written as they are, without escapes: a model reads them, nothing renders them. Stops taking text when it is full.
class MarkdownWriter {
  public:
    explicit MarkdownWriter(uint64_t maxBytes) : maxBytes_(maxBytes) {}

    void text(std::string_view text);  // inside a block, every character
    void collapsed(
        std::string_view text);  // inside a block, white space as HTML shows it: runs are one space, none at the edges
    void lineBreak();            // inside a block
    void endBlock();             // what follows is a new paragraph; nothing happens when none has begun
    void heading(int level);     // begins a block
    void beginItem(std::string_view marker);  // "- ", "1. "; blocks until endItem belong to it
    void endItem();
    void beginQuote();
    void endQuote();
    void rule();
    void verbatim(std::string_view code);  // a fenced block
    void table(const TableText& rows);
    void picture(std::string_view alternative);  // inside a block: "[picture: alternative]"
    void note(int number);                       // inside a block: "[^1]"
    void noteText(int number, std::string_view text);

    // Around the text of a link.
    [[nodiscard]] size_t beginLink();
    void endLink(size_t begun, std::string_view target);

    [[nodiscard]] bool full() const { return out_.size() > maxBytes_; }
    [[nodiscard]] bool empty() const { return out_.empty(); }
    // What was written, ended by a line end unless it is empty; the writer is empty then.
    std::string take();

  private:
    void open();
    void newLine();
    void put(std::string_view text);
    [[nodiscard]] bool atBlockStart() const { return !blockOpen_ || out_.size() == contentStart_; }

    uint64_t maxBytes_;
    std::string out_;
    std::vector<std::string> indents_;  // in front of every line: list items and quotes that are open
    std::string marker_;                // in front of the next block's first line, after the indents of outer ones
    size_t markerIndent_ = 0;           // indents_ that stand before marker_
    std::string heading_;               // "## " in front of the next block's text
    bool tight_ = false;                // no empty line before the next block: an item after an item, or in one
    bool itemEnded_ = false;            // the last thing that happened
    bool blockOpen_ = false;
    bool spaceDue_ = false;    // collapsed white space, written when something follows
    size_t blockStart_ = 0;    // of the open block, with the empty line before it
    size_t contentStart_ = 0;  // after its indents and marker
};

// One line for a table's cell: line ends become "<br>", "|" is escaped.
std::string cellText(std::string_view text);

}  // namespace pal::extract
