// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHash>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/desktop/transcript/block_row.h"
#include "app/desktop/transcript/markdown_document.h"
#include "app/desktop/transcript/row_layout.h"
#include "app/desktop/transcript/transcript_message.h"

namespace pal::desktop {

// What all messages are laid out with.
struct TranscriptSetting {
    const Theme* theme = nullptr;
    qreal width = 0;  // of the column of text
    InlinePattern pattern;
    EstimateMetrics metrics;  // of the theme
};

// One message as rows: parsed as far as it was asked for, each row estimated until it is looked at, laid out while it is near the window.
class MessageItem {
  public:
    // In the order of a message's rows.
    enum class Part : uint8_t {
        kHeader,
        kAttachments,
        kThinkingFold,
        kThinking,
        kText,
        kPending,
        kTool,
        kNotice,
        kFooter
    };
    // kThinking, kText: index of the block. kTool: three to a tool, its line, its arguments and its result. kPending stands for text that was
    // not parsed yet.
    struct Key {
        Part part = Part::kHeader;
        int index = 0;
        friend auto operator<=>(const Key&, const Key&) = default;
    };

    // The item has a height from the start, by the length of its text. `setting` outlives it.
    MessageItem(const TranscriptSetting& setting, const TranscriptMessage& message);

    // Takes over what has changed in the message; of its texts at most `budget` bytes. True: all of them.
    bool sync(const TranscriptMessage& message, int revision, size_t budget);
    [[nodiscard]] bool synced() const { return !tail_.empty(); }
    [[nodiscard]] bool complete() const { return pendingBytes_ == 0 && synced(); }

    [[nodiscard]] qreal height() const { return height_; }
    [[nodiscard]] size_t rowCount() const {
        return head_.size() + thinkingRows_.size() + textRows_.size() + tail_.size();
    }
    [[nodiscard]] Key key(size_t row) const;
    // The row with this key, or the one that is now in its place.
    [[nodiscard]] size_t find(const Key& key) const;
    [[nodiscard]] qreal rowHeight(size_t row) const { return at(row).height; }
    // Laid out; `message` is the one it was synced with. The reference lasts until the next change.
    const RowLayout& layout(size_t row, const TranscriptMessage& message, uint32_t frame);

    // Blocks that can be selected and found; null for other rows.
    [[nodiscard]] const Block* block(const Key& key) const;
    [[nodiscard]] const std::vector<Block>& textBlocks() const { return text_->blocks(); }
    // All of the code that the part at `key` belongs to.
    [[nodiscard]] QString wholeCode(const Key& key) const;

    [[nodiscard]] bool isOpen(const Key& fold) const;
    void toggle(const Key& fold, const TranscriptMessage& message);

    // Width, theme or pattern have changed.
    void invalidate(const TranscriptMessage& message);
    void dropLayouts(uint32_t olderThanFrame);

  private:
    struct Row {
        Key key;
        float height = 0;
        uint32_t frame = 0;  // when it was painted last
        std::unique_ptr<RowLayout> layout;
        std::unique_ptr<RowLayout> before;  // of an earlier text of the block, while there is no layout of this one
    };
    struct Channel {
        size_t fed = 0;
        QHash<int, HighlightState> codeEnds;  // of code parts by block
    };

    [[nodiscard]] const Row& at(size_t row) const;
    [[nodiscard]] Row& at(size_t row) { return const_cast<Row&>(std::as_const(*this).at(row)); }
    void reset(const TranscriptMessage& message);
    bool feed(MarkdownDocument& document, Channel& channel, std::vector<Row>& rows, Part part, std::string_view text,
              size_t budget);
    void rebuildHead(const TranscriptMessage& message);
    void rebuildTail(const TranscriptMessage& message);
    [[nodiscard]] Row chromeRow(Part part, int index, qreal estimate) const;
    void sumHeights();
    [[nodiscard]] std::unique_ptr<RowLayout> make(Row& row, const TranscriptMessage& message);
    [[nodiscard]] std::unique_ptr<RowLayout> makeBlock(Row& row);
    [[nodiscard]] std::unique_ptr<RowLayout> makeTool(const Key& key, const TranscriptMessage& message);
    [[nodiscard]] BlockSetting blockSetting(Part part, int index) const;
    [[nodiscard]] HighlightState codeBegin(const std::vector<Block>& blocks, Channel& channel, int index) const;

    const TranscriptSetting& setting_;
    int revision_ = -1;
    std::optional<MarkdownDocument> thinking_, text_;
    Channel thinkingChannel_, textChannel_;
    bool thinkingOpen_ = false;
    std::vector<bool> toolsOpen_;
    std::vector<Block> toolBlocks_;  // two to a tool
    std::vector<Row> head_, thinkingRows_, textRows_, tail_;
    size_t pendingBytes_ = 0;
    qreal height_ = 0;
};

}  // namespace pal::desktop
