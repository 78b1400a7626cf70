// SPDX-License-Identifier: Apache-2.0
#include "app/extract/markdown_writer.h"

#include <algorithm>
#include <utility>

namespace pal::extract {
namespace {

bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

}  // namespace

void MarkdownWriter::put(std::string_view text) {
    if (!full()) out_ += text;
}

void MarkdownWriter::open() {
    if (blockOpen_) return;
    blockOpen_ = true;
    spaceDue_ = false;
    blockStart_ = out_.size();
    if (!out_.empty()) {
        put("\n");
        if (!tight_) {
            std::string blank;
            for (size_t i = 0; i < std::min(markerIndent_, indents_.size()); ++i) blank += indents_[i];
            blank.erase(blank.find_last_not_of(' ') + 1);
            put(blank + "\n");
        }
    }
    const size_t before = marker_.empty() ? indents_.size() : std::min(markerIndent_, indents_.size());
    for (size_t i = 0; i < before; ++i) put(indents_[i]);
    put(marker_ + heading_);
    marker_.clear();
    markerIndent_ = indents_.size();
    tight_ = false;
    itemEnded_ = false;
    contentStart_ = out_.size();
}

void MarkdownWriter::newLine() {
    put("\n");
    for (const std::string& indent : indents_) put(indent);
}

void MarkdownWriter::text(std::string_view text) {
    if (text.empty()) return;
    open();
    if (std::exchange(spaceDue_, false)) put(" ");
    size_t at = 0;
    for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', at)) {
        put(text.substr(at, end - at));
        newLine();
        at = end + 1;
    }
    put(text.substr(at));
}

void MarkdownWriter::collapsed(std::string_view text) {
    while (!text.empty()) {
        const auto word = static_cast<size_t>(std::find_if_not(text.begin(), text.end(), isSpace) - text.begin());
        if (word > 0 && !atBlockStart() && out_.back() != '\n') spaceDue_ = true;
        text.remove_prefix(word);
        const auto end = static_cast<size_t>(std::find_if(text.begin(), text.end(), isSpace) - text.begin());
        if (end > 0) this->text(text.substr(0, end));
        text.remove_prefix(end);
    }
}

void MarkdownWriter::lineBreak() {
    spaceDue_ = false;
    if (blockOpen_) newLine();
}

void MarkdownWriter::endBlock() {
    spaceDue_ = false;
    heading_.clear();
    if (!std::exchange(blockOpen_, false)) return;
    const bool written = out_.find_first_not_of(" \n", contentStart_) != std::string::npos;
    out_.resize(written ? out_.find_last_not_of(" \n") + 1 : blockStart_);
}

void MarkdownWriter::heading(int level) {
    endBlock();
    heading_ = std::string(static_cast<size_t>(std::clamp(level, 1, 6)), '#') + " ";
}

void MarkdownWriter::beginItem(std::string_view marker) {
    endBlock();
    if (marker_.empty()) markerIndent_ = indents_.size();
    const bool inItem = !indents_.empty() && indents_.back().front() == ' ';
    tight_ = itemEnded_ || (inItem && marker_.empty());
    marker_ += marker;
    indents_.emplace_back(marker.size(), ' ');
}

void MarkdownWriter::endItem() {
    endBlock();
    if (!indents_.empty()) indents_.pop_back();
    marker_.clear();  // an item without text
    markerIndent_ = indents_.size();
    tight_ = false;
    itemEnded_ = true;
}

void MarkdownWriter::beginQuote() {
    endBlock();
    indents_.emplace_back("> ");
}

void MarkdownWriter::endQuote() {
    endBlock();
    if (!indents_.empty()) indents_.pop_back();
    markerIndent_ = indents_.size();
}

void MarkdownWriter::rule() {
    endBlock();
    text("---");
    endBlock();
}

void MarkdownWriter::verbatim(std::string_view code) {
    endBlock();
    size_t longest = 2;
    size_t run = 0;
    for (const char c : code) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const std::string fence(longest + 1, '`');
    if (code.starts_with('\n')) code.remove_prefix(1);
    if (code.ends_with('\n')) code.remove_suffix(1);
    text(fence + "\n");
    text(code);
    text("\n" + fence);
    endBlock();
}

void MarkdownWriter::table(const TableText& rows) {
    size_t columns = 0;
    for (const auto& row : rows) columns = std::max(columns, row.size());
    if (columns == 0) return;
    endBlock();
    for (size_t i = 0; i < rows.size() && !full(); ++i) {
        if (i > 0) text("\n");
        text("|");
        for (size_t column = 0; column < columns; ++column) {
            text(column < rows[i].size() && !rows[i][column].empty() ? " " + rows[i][column] + " |" : " |");
        }
        if (i > 0) continue;
        text("\n|");
        for (size_t column = 0; column < columns; ++column) text(" --- |");
    }
    endBlock();
}

void MarkdownWriter::picture(std::string_view alternative) {
    std::string line(alternative);
    std::replace_if(line.begin(), line.end(), isSpace, ' ');
    text(line.find_first_not_of(' ') == std::string::npos ? "[picture]" : "[picture: " + line + "]");
}

void MarkdownWriter::note(int number) {
    text("[^" + std::to_string(number) + "]");
}

void MarkdownWriter::noteText(int number, std::string_view content) {
    endBlock();
    text("[^" + std::to_string(number) + "]: ");
    text(content);
    endBlock();
}

size_t MarkdownWriter::beginLink() {
    open();
    if (std::exchange(spaceDue_, false)) put(" ");
    return out_.size();
}

void MarkdownWriter::endLink(size_t begun, std::string_view target) {
    if (full() || out_.size() <= begun || target.empty()) return;
    if (out_.find('\n', begun) != std::string::npos) {  // whole blocks are the link
        put(" (" + std::string(target) + ")");
        return;
    }
    if (std::string_view(out_).substr(begun) == target) return;
    out_.insert(begun, "[");
    out_ += "](" + std::string(target) + ")";
}

std::string MarkdownWriter::take() {
    endBlock();
    std::string out = std::exchange(out_, {});
    if (!out.empty()) out += '\n';
    marker_.clear();
    indents_.clear();
    markerIndent_ = 0;
    tight_ = itemEnded_ = false;
    return out;
}

std::string cellText(std::string_view text) {
    const size_t last = text.find_last_not_of(" \n");
    text = last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '|') {
            out += "\\|";
        } else if (text[i] == '\n') {
            while (i + 1 < text.size() && text[i + 1] == '\n') ++i;
            out += "<br>";
        } else {
            out += text[i];
        }
    }
    return out;
}

}  // namespace pal::extract
