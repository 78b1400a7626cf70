// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/message_item.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "app/desktop/transcript/chrome_row.h"

namespace pal::desktop {
namespace {

constexpr int kToolRows = 3;

qreal pendingHeight(size_t bytes, const TranscriptSetting& setting) {
    const qreal perLine = std::max<qreal>(10, setting.width / setting.metrics.character);
    return static_cast<qreal>(bytes) / perLine * setting.metrics.line;
}

class SpaceRow : public RowLayout {
  public:
    explicit SpaceRow(qreal height) { height_ = height; }
    void paint(QPainter& /*painter*/, const Theme& /*theme*/, const RowPaint& /*state*/) const override {}
};

}  // namespace

MessageItem::MessageItem(const TranscriptSetting& setting, const TranscriptMessage& message) : setting_(setting) {
    invalidate(message);
}

void MessageItem::reset(const TranscriptMessage& message) {
    using Dialect = MarkdownDocument::Dialect;
    const bool literal = message.role == MessageRole::kUser;
    text_.emplace(literal ? Dialect::kLiteral : Dialect::kMarkdown, literal ? InlinePattern() : setting_.pattern);
    thinking_.emplace(Dialect::kMarkdown, setting_.pattern);
    textChannel_ = thinkingChannel_ = {};
    thinkingRows_.clear();
    textRows_.clear();
}

bool MessageItem::feed(MarkdownDocument& document, Channel& channel, std::vector<Row>& rows, Part part,
                       std::string_view text, size_t budget) {
    const std::string_view piece = text.substr(channel.fed, budget);
    const size_t first = document.append(piece);
    channel.fed += piece.size();
    const auto& blocks = document.blocks();
    std::unique_ptr<RowLayout> before;
    if (!piece.empty()) {
        if (first < rows.size()) before = std::move(rows[first].layout ? rows[first].layout : rows[first].before);
        rows.resize(std::min(rows.size(), first));
        for (auto i = static_cast<int>(first); i <= static_cast<int>(blocks.size()); ++i) channel.codeEnds.remove(i);
    }
    for (size_t i = rows.size(); i < blocks.size(); ++i) {
        const auto index = static_cast<int>(i);
        Row row;
        row.key = {part, index};
        row.height = static_cast<float>(estimateBlockHeight(blocks[i], blockSetting(part, index), setting_.metrics));
        row.before = std::move(before);  // only the first goes on with a block that was there
        rows.push_back(std::move(row));
    }
    return channel.fed == text.size();
}

bool MessageItem::sync(const TranscriptMessage& message, int revision, size_t budget) {
    if (revision != revision_ || !text_ || message.text.size() < textChannel_.fed ||
        message.thinking.size() < thinkingChannel_.fed) {
        reset(message);
        revision_ = revision;
    }
    const bool textDone = feed(*text_, textChannel_, textRows_, Part::kText, message.text, budget);
    bool thinkingDone = true;
    if (thinkingOpen_)
        thinkingDone = feed(*thinking_, thinkingChannel_, thinkingRows_, Part::kThinking, message.thinking, budget);
    pendingBytes_ =
        message.text.size() - textChannel_.fed + (thinkingOpen_ ? message.thinking.size() - thinkingChannel_.fed : 0);
    rebuildHead(message);
    rebuildTail(message);
    sumHeights();
    return textDone && thinkingDone;
}

MessageItem::Row MessageItem::chromeRow(Part part, int index, qreal estimate) const {
    Row row;
    row.key = {part, index};
    row.height = static_cast<float>(estimate);
    return row;
}

void MessageItem::rebuildHead(const TranscriptMessage& message) {
    const qreal line = setting_.metrics.small, quarter = setting_.metrics.quarter;
    head_.clear();
    head_.push_back(chromeRow(Part::kHeader, 0, line + quarter * 7));
    if (!message.attachments.isEmpty()) {
        head_.push_back(chromeRow(Part::kAttachments, 0, line * 1.4 * static_cast<qreal>(message.attachments.size())));
    }
    if (!message.thinking.empty()) head_.push_back(chromeRow(Part::kThinkingFold, 0, line + quarter * 2));
}

void MessageItem::rebuildTail(const TranscriptMessage& message) {
    const qreal line = setting_.metrics.small, quarter = setting_.metrics.quarter;
    tail_.clear();
    toolBlocks_.clear();
    if (pendingBytes_ > 0) tail_.push_back(chromeRow(Part::kPending, 0, pendingHeight(pendingBytes_, setting_)));
    toolsOpen_.resize(message.tools.size());
    for (size_t i = 0; i < message.tools.size(); ++i) {
        const auto base = static_cast<int>(i) * kToolRows;
        tail_.push_back(chromeRow(Part::kTool, base, line + quarter * 2));
        for (const QString& text : {message.tools[i].arguments, message.tools[i].result}) {
            Block block;
            block.kind = BlockKind::kCode;
            block.language = QStringLiteral("json");
            constexpr qsizetype kShown = 20'000;  // of what a tool says; all of it is in the message
            block.content.text = text.left(kShown);
            toolBlocks_.push_back(std::move(block));
        }
        if (!toolsOpen_[i]) continue;
        tail_.push_back(chromeRow(Part::kTool, base + 1, line * 2));
        if (!message.tools[i].result.isEmpty()) tail_.push_back(chromeRow(Part::kTool, base + 2, line * 2));
    }
    for (size_t i = 0; i < message.notices.size(); ++i) {
        tail_.push_back(chromeRow(Part::kNotice, static_cast<int>(i), line + quarter * 2));
    }
    tail_.push_back(chromeRow(Part::kFooter, 0, quarter * 10));
}

void MessageItem::sumHeights() {
    height_ = 0;
    for (const auto* rows : {&head_, &thinkingRows_, &textRows_, &tail_}) {
        height_ = std::accumulate(rows->begin(), rows->end(), height_,
                                  [](qreal sum, const Row& row) { return sum + row.height; });
    }
}

const MessageItem::Row& MessageItem::at(size_t row) const {
    for (const auto* rows : {&head_, &thinkingRows_, &textRows_}) {
        if (row < rows->size()) return (*rows)[row];
        row -= rows->size();
    }
    return tail_[row];
}

MessageItem::Key MessageItem::key(size_t row) const {
    return at(row).key;
}

size_t MessageItem::find(const Key& key) const {
    const size_t count = rowCount();
    const auto order = [&](size_t row) { return this->key(row); };
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (order(middle) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return count == 0 ? 0 : std::min(low, count - 1);
}

const RowLayout& MessageItem::layout(size_t row, const TranscriptMessage& message, uint32_t frame) {
    Row& found = at(row);
    found.frame = frame;
    if (!found.layout) {
        found.layout = make(found, message);
        height_ += found.layout->height() - static_cast<qreal>(found.height);
        found.height = static_cast<float>(found.layout->height());
    }
    return *found.layout;
}

std::unique_ptr<RowLayout> MessageItem::make(Row& row, const TranscriptMessage& message) {
    const Theme& theme = *setting_.theme;
    const Key& key = row.key;
    switch (key.part) {
        case Part::kHeader:
            return makeHeaderRow(message, theme, setting_.width);
        case Part::kAttachments:
            return makeAttachmentsRow(message, theme, setting_.width);
        case Part::kThinkingFold:
            return makeFoldRow(thinkingLabel(message), thinkingOpen_ ? Fold::kOpen : Fold::kClosed, theme,
                               setting_.width);
        case Part::kThinking:
        case Part::kText:
            return makeBlock(row);
        case Part::kPending:
            return std::make_unique<SpaceRow>(pendingHeight(pendingBytes_, setting_));
        case Part::kTool:
            return makeTool(key, message);
        case Part::kNotice:
            return makeNoticeRow(message.notices[static_cast<size_t>(key.index)], theme, setting_.width);
        case Part::kFooter:
            return makeFooterRow(message, theme, setting_.width);
    }
    return nullptr;
}

BlockSetting MessageItem::blockSetting(Part part, int index) const {
    BlockSetting out;
    out.theme = setting_.theme;
    out.width = setting_.width;
    out.voice = part == Part::kThinking ? BlockSetting::Voice::kThinking : BlockSetting::Voice::kText;
    out.first = index == 0 && (part == Part::kThinking || (part == Part::kText && !thinkingOpen_));
    const Block* before = index > 0 ? block({part, index - 1}) : nullptr;
    const Block* own = block({part, index});
    out.deeper = before != nullptr && own != nullptr && before->containers.size() < own->containers.size();
    return out;
}

// Code parts are read in order from their first, because a comment can reach from one into the next.
HighlightState MessageItem::codeBegin(const std::vector<Block>& blocks, Channel& channel, int index) const {
    int from = index;
    while (from > 0 && blocks[static_cast<size_t>(from)].continues && !channel.codeEnds.contains(from - 1)) --from;
    for (int i = from; i < index; ++i) {
        const Block& block = blocks[static_cast<size_t>(i)];
        HighlightState state = block.continues ? channel.codeEnds.value(i - 1) : HighlightState();
        const CodeLanguage* language = codeLanguage(block.language);
        if (language != nullptr) static_cast<void>(highlightCode(block.content.text, *language, state));
        channel.codeEnds.insert(i, state);
    }
    return blocks[static_cast<size_t>(index)].continues ? channel.codeEnds.value(index - 1) : HighlightState();
}

std::unique_ptr<RowLayout> MessageItem::makeBlock(Row& of) {
    const Key& key = of.key;
    const bool thinking = key.part == Part::kThinking;
    const auto& blocks = (thinking ? *thinking_ : *text_).blocks();
    Channel& channel = thinking ? thinkingChannel_ : textChannel_;
    BlockSetting setting = blockSetting(key.part, key.index);
    const Block& block = blocks[static_cast<size_t>(key.index)];
    HighlightState state;
    if (block.kind == BlockKind::kCode) {
        state = codeBegin(blocks, channel, key.index);
        setting.highlight = &state;
    }
    auto row = makeBlockRow(block, setting, std::move(of.before));
    if (block.kind == BlockKind::kCode) channel.codeEnds.insert(key.index, state);
    return row;
}

std::unique_ptr<RowLayout> MessageItem::makeTool(const Key& key, const TranscriptMessage& message) {
    const auto tool = static_cast<size_t>(key.index / kToolRows);
    if (key.index % kToolRows == 0) {
        return makeFoldRow(toolLabel(message.tools[tool]), toolsOpen_[tool] ? Fold::kOpen : Fold::kClosed,
                           *setting_.theme, setting_.width);
    }
    return makeBlockRow(*block(key), blockSetting(Part::kTool, 1));
}

const Block* MessageItem::block(const Key& key) const {
    const auto index = static_cast<size_t>(key.index);
    const std::vector<Block>* blocks = nullptr;
    if (key.part == Part::kText && text_) blocks = &text_->blocks();
    if (key.part == Part::kThinking && thinking_) blocks = &thinking_->blocks();
    if (key.part == Part::kTool && key.index % kToolRows != 0) {
        const size_t at = index / kToolRows * 2 + (index % kToolRows == 2 ? 1 : 0);
        return at < toolBlocks_.size() ? &toolBlocks_[at] : nullptr;
    }
    return blocks == nullptr || index >= blocks->size() ? nullptr : &(*blocks)[index];
}

QString MessageItem::wholeCode(const Key& key) const {
    Key part = key;
    while (part.index > 0 && block(part) != nullptr && block(part)->continues) --part.index;
    QString out;
    for (const Block* next = block(part); next != nullptr; next = block(part)) {
        out += next->content.text;
        if (!next->continued) break;
        ++part.index;
    }
    return out;
}

bool MessageItem::isOpen(const Key& fold) const {
    if (fold.part == Part::kThinkingFold) return thinkingOpen_;
    const auto tool = static_cast<size_t>(fold.index / kToolRows);
    return fold.part == Part::kTool && tool < toolsOpen_.size() && toolsOpen_[tool];
}

void MessageItem::toggle(const Key& fold, const TranscriptMessage& message) {
    if (fold.part == Part::kThinkingFold) {
        thinkingOpen_ = !thinkingOpen_;
        if (!textRows_.empty()) textRows_.front().layout.reset();  // has space above when something stands there
        if (!thinkingOpen_) {
            thinkingRows_.clear();
            thinkingChannel_ = {};
            thinking_.emplace(MarkdownDocument::Dialect::kMarkdown, setting_.pattern);
        }
    } else if (const auto tool = static_cast<size_t>(fold.index / kToolRows);
               fold.part == Part::kTool && tool < toolsOpen_.size()) {
        toolsOpen_[tool] = !toolsOpen_[tool];
    }
    constexpr size_t kFirstLook = 64 << 10;
    sync(message, revision_, kFirstLook);
}

void MessageItem::invalidate(const TranscriptMessage& message) {
    if (!synced()) {
        pendingBytes_ = message.text.size();
        height_ = pendingHeight(pendingBytes_, setting_) + setting_.metrics.quarter * 14;
        return;
    }
    for (auto* rows : {&thinkingRows_, &textRows_}) {
        for (Row& row : *rows) {
            row.layout.reset();
            row.before.reset();
            row.height = static_cast<float>(
                estimateBlockHeight(*block(row.key), blockSetting(row.key.part, row.key.index), setting_.metrics));
        }
    }
    rebuildHead(message);
    rebuildTail(message);
    sumHeights();
}

void MessageItem::dropLayouts(uint32_t olderThanFrame) {
    for (auto* rows : {&head_, &thinkingRows_, &textRows_, &tail_}) {
        for (Row& row : *rows) {
            if (row.frame >= olderThanFrame) continue;
            row.layout.reset();
            row.before.reset();
        }
    }
}

}  // namespace pal::desktop
