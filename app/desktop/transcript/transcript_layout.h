// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <compare>
#include <memory>
#include <vector>

#include "app/desktop/transcript/message_item.h"
#include "app/desktop/transcript/transcript_model.h"

namespace pal::desktop {

// A place in the text of the transcript: a message by its row in the model, a row of it by its key, an offset in that row's text.
struct TextPlace {
    int item = -1;
    MessageItem::Key key;
    int offset = 0;
    friend auto operator<=>(const TextPlace&, const TextPlace&) = default;
};

// Which rows of which messages are in the window, and where. Only they are laid out; everything else is estimated from its length. What is
// seen hangs on an anchor, a row near the window's top, so that estimates that turn out wrong never move it. At the bottom the end is the
// anchor: text that arrives pushes the rest up. Lengths in device-independent pixels. UI thread.
class TranscriptLayout {
  public:
    explicit TranscriptLayout(const Theme& theme);

    void setModel(const TranscriptModel* model);
    void setPattern(InlinePattern pattern);
    void setWidth(qreal width);  // of the column
    void setViewHeight(qreal height) { viewHeight_ = height; }
    void invalidate();  // theme or fonts have changed

    // The model's changes, after they were made.
    void reset();
    void appended();
    void removedFrom(int row);
    void changed(int row);

    void scrollBy(qreal distance);
    void scrollTo(qreal value);
    void scrollToEnd();
    // Moves only as far as is needed; `top`, `bottom` in the row.
    void reveal(int item, const MessageItem::Key& key, qreal top, qreal bottom);

    struct VisibleRow {
        int item = 0;
        size_t row = 0;
        MessageItem::Key key;
        qreal y = 0;  // in the window
        const RowLayout* layout = nullptr;
    };
    // Lays out what is in the window. The pointers last until the next call of anything but const functions.
    const std::vector<VisibleRow>& update();
    [[nodiscard]] const std::vector<VisibleRow>& visible() const { return visible_; }

    // How far the window's top is from the start, and how long all is, as far as is known; for a scroll bar.
    [[nodiscard]] qreal value() const;
    [[nodiscard]] qreal total() const;
    [[nodiscard]] bool atEnd() const { return atEnd_; }

    // Parses a slice of what is seen and not parsed yet. True: call again soon.
    bool parseMore();

    [[nodiscard]] int itemCount() const { return static_cast<int>(items_.size()); }
    // In step with the model; parsed at least to its first blocks.
    MessageItem& item(int index);
    // Parses a slice of it. True: there is no more.
    bool parseSlice(int index);
    // Parsed to its end. Slow for long texts.
    MessageItem& wholeItem(int index);
    const RowLayout& layoutRow(int item, size_t row);
    void toggle(int item, const MessageItem::Key& fold);

    [[nodiscard]] const TranscriptModel& model() const { return *model_; }
    [[nodiscard]] const Theme& theme() const { return *setting_.theme; }
    [[nodiscard]] qreal width() const { return setting_.width; }

  private:
    struct Entry {
        std::unique_ptr<MessageItem> item;
        bool dirty = true;
    };
    struct Anchor {
        int item = 0;
        size_t row = 0;
        qreal offset = 0;  // of the window's top in the row
    };

    void sync(int index, size_t budget);
    bool stepBack();  // the anchor to the row before; false at the start
    bool stepOn();
    void anchorAtEnd();
    void settle();  // the anchor's offset into its row
    void collect();
    [[nodiscard]] qreal rowHeight(const Anchor& anchor);
    void dropFarLayouts();

    TranscriptSetting setting_;
    const TranscriptModel* model_ = nullptr;
    std::vector<Entry> items_;
    std::vector<VisibleRow> visible_;
    Anchor anchor_;
    qreal viewHeight_ = 0;
    bool atEnd_ = true;
    uint32_t frame_ = 1;
};

}  // namespace pal::desktop
