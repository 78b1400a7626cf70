// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/markdown_document.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/desktop/transcript/markdown_parser.h"

namespace pal::desktop {
namespace {

constexpr size_t kMaxPiece = 64 << 10;    // bytes of one paragraph, list, quote or table
constexpr size_t kLongList = 16 << 10;    // from here a list is cut between items
constexpr size_t kMaxLiteral = 8 << 10;   // bytes of a paragraph as typed
constexpr size_t kMaxCodeLine = 8 << 10;  // bytes of a line of code
constexpr size_t kMaxPartBytes = 8 << 10;
constexpr int kMaxPartLines = 100;

}  // namespace

MarkdownDocument::MarkdownDocument(Dialect dialect, InlinePattern pattern)
    : dialect_(dialect), pattern_(std::move(pattern)) {}

size_t MarkdownDocument::append(std::string_view bytes) {
    const std::string text = intake_.take(bytes);
    if (text.empty()) return blocks_.size();
    const size_t firstOpen = frozen_;
    const auto openBegin = blocks_.begin() + static_cast<std::ptrdiff_t>(firstOpen);
    const std::vector<Block> before(std::make_move_iterator(openBegin), std::make_move_iterator(blocks_.end()));
    blocks_.resize(firstOpen);
    text_ += text;
    while (takeLine()) {
    }
    text_.erase(0, pieceAt_);  // once, not with every line
    lineAt_ -= std::exchange(pieceAt_, 0);
    std::vector<Block> open = openBlocks();
    std::move(open.begin(), open.end(), std::back_inserter(blocks_));
    size_t same = 0;
    while (same < before.size() && firstOpen + same < blocks_.size() && before[same] == blocks_[firstOpen + same])
        ++same;
    return firstOpen + same;
}

size_t MarkdownDocument::charBoundary(size_t at) const {
    while (at > 0 && (static_cast<unsigned char>(text_[at]) & 0xC0) == 0x80) --at;
    return at;
}

// Looks at the next line, or at what there is of it. Whether the rest of the text came already must not matter: a line that is not whole is
// only cut for its length. False: nothing more can be done.
bool MarkdownDocument::takeLine() {
    const size_t newline = text_.find('\n', lineAt_);
    const size_t end = newline == std::string::npos ? text_.size() : newline + 1;
    const std::string_view line = std::string_view(text_).substr(lineAt_, std::min(newline, end) - lineAt_);
    if (fence_.length > 0) return takeCodeLine(end, line);
    const size_t limit = dialect_ == Dialect::kLiteral ? kMaxLiteral : kMaxPiece;
    if (end - pieceAt_ > limit) {
        freezeText(lineAt_ > pieceAt_ ? lineAt_ : charBoundary(pieceAt_ + limit));
        return true;
    }
    if (newline == std::string::npos) return false;
    switch (look(line)) {
        case LineScanner::Step::kFenceBefore:
            openFence(end, *openingFence(line));
            return true;
        case LineScanner::Step::kCutBefore:
            freezeText(lineAt_);
            static_cast<void>(
                look(std::string_view(text_).substr(lineAt_, newline - lineAt_)));  // as the first of its piece
            break;
        case LineScanner::Step::kGoesOn:
            break;
    }
    lineAt_ = end;
    return true;
}

LineScanner::Step MarkdownDocument::look(std::string_view line) {
    const bool first = lineAt_ == pieceAt_;
    if (dialect_ == Dialect::kMarkdown) return lines_.step(line, {first, lineAt_ - pieceAt_ > kLongList});
    if (openingFence(line)) return LineScanner::Step::kFenceBefore;
    const bool afterBlank = lineAt_ >= pieceAt_ + 2 && text_[lineAt_ - 2] == '\n';
    return afterBlank && !line.empty() ? LineScanner::Step::kCutBefore : LineScanner::Step::kGoesOn;
}

void MarkdownDocument::openFence(size_t end, Fence fence) {
    freezeText(lineAt_);
    fence_ = std::move(fence);
    laterPart_ = midLine_ = false;
    pieceAt_ = lineAt_ = end;
}

void MarkdownDocument::freezeText(size_t end) {
    std::vector<Block> blocks = parse(std::string_view(text_).substr(pieceAt_, end - pieceAt_));
    std::move(blocks.begin(), blocks.end(), std::back_inserter(blocks_));
    frozen_ = blocks_.size();
    pieceAt_ = lineAt_ = end;
    lines_ = {};
}

bool MarkdownDocument::takeCodeLine(size_t end, std::string_view line) {
    if (line.size() > kMaxCodeLine) {
        const size_t cut = charBoundary(lineAt_ + kMaxCodeLine);
        addCode(std::string_view(text_).substr(lineAt_, cut - lineAt_));
        midLine_ = true;
        pieceAt_ = lineAt_ = cut;
        return true;
    }
    if (lineAt_ + line.size() == end) return false;  // not whole
    if (!midLine_ && closesFence(fence_, line)) {
        freezePart(false);
        fence_ = {};
    } else {
        addCode(std::string_view(text_).substr(lineAt_, end - lineAt_));
        midLine_ = false;
    }
    pieceAt_ = lineAt_ = end;
    return true;
}

void MarkdownDocument::addCode(std::string_view piece) {
    if (part_.size() >= kMaxPartBytes || partLines_ >= kMaxPartLines) freezePart(true);
    if (!midLine_) piece.remove_prefix(std::min({piece.find_first_not_of(' '), fence_.indent, piece.size()}));
    part_ += piece;
    ++partLines_;
}

void MarkdownDocument::freezePart(bool goesOn) {
    Block block = codeBlock(part_);
    if (goesOn) {
        block.continued = true;
        if (part_.ends_with('\n')) block.content.text += u'\n';
    }
    blocks_.push_back(std::move(block));
    frozen_ = blocks_.size();
    laterPart_ = goesOn;
    part_.clear();
    partLines_ = 0;
}

Block MarkdownDocument::codeBlock(std::string_view text) const {
    if (text.ends_with('\n')) text.remove_suffix(1);
    Block block;
    block.kind = BlockKind::kCode;
    block.continues = laterPart_;
    block.language = QString::fromUtf8(fence_.language.data(), static_cast<qsizetype>(fence_.language.size()));
    block.content.text = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    return block;
}

std::vector<Block> MarkdownDocument::openBlocks() const {
    const std::string_view rest = std::string_view(text_).substr(pieceAt_);
    if (fence_.length == 0) return parse(rest);
    if (rest.empty() || (!midLine_ && closesFence(fence_, rest))) return {codeBlock(part_)};
    std::string_view line = rest;
    if (!midLine_) line.remove_prefix(std::min({line.find_first_not_of(' '), fence_.indent, line.size()}));
    return {codeBlock(part_ + std::string(line))};
}

std::vector<Block> MarkdownDocument::parse(std::string_view text) const {
    if (text.find_first_not_of(" \t\n") == std::string_view::npos) return {};
    if (dialect_ == Dialect::kMarkdown) return parseMarkdown(text, pattern_);
    while (text.starts_with('\n')) text.remove_prefix(1);
    while (text.ends_with('\n')) text.remove_suffix(1);
    Block block;
    block.content.text = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    block.content.text.replace(u'\n', QChar::LineSeparator);
    return {std::move(block)};
}

}  // namespace pal::desktop
