// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "app/desktop/transcript/markdown_writer.h"
#include "app/desktop/transcript/transcript_layout.h"

namespace pal::desktop {

// What is selected, from where it was begun to where the caret is; across blocks and messages.
class TranscriptSelection {
  public:
    void clear() { anchor_ = caret_ = {}; }
    void begin(const TextPlace& place) { anchor_ = caret_ = place; }
    void extend(const TextPlace& place) { caret_ = place; }
    void set(const TextPlace& from, const TextPlace& to) { anchor_ = from, caret_ = to; }

    [[nodiscard]] bool isEmpty() const { return caret_.item < 0 || anchor_ == caret_; }
    [[nodiscard]] bool hasCaret() const { return caret_.item >= 0; }
    [[nodiscard]] const TextPlace& caret() const { return caret_; }
    [[nodiscard]] std::pair<TextPlace, TextPlace> ordered() const {
        return anchor_ < caret_ ? std::pair(anchor_, caret_) : std::pair(caret_, anchor_);
    }
    // Which of a row's `length` characters are selected.
    [[nodiscard]] std::pair<int, int> inRow(int item, const MessageItem::Key& key, int length) const;
    // Messages from `row` on are gone.
    void removedFrom(int row);

  private:
    TextPlace anchor_, caret_;
};

// The selected text. Messages that are selected from before their start to behind their end come as they were written, without being
// parsed; a selection over several messages names who speaks.
[[nodiscard]] QString selectedText(TranscriptLayout& layout, const TranscriptSelection& selection, CopyFormat format);

// The first and the last place of the transcript.
[[nodiscard]] std::pair<TextPlace, TextPlace> wholeTranscript(TranscriptLayout& layout);

enum class CaretStep { kCharacterBack, kCharacterOn, kWordBack, kWordOn, kRowBack, kRowOn };
// The caret moved; stays where there is nothing further.
[[nodiscard]] TextPlace moveCaret(TranscriptLayout& layout, const TextPlace& from, CaretStep step);
// The word around a place.
[[nodiscard]] std::pair<TextPlace, TextPlace> wordAt(TranscriptLayout& layout, const TextPlace& place);

}  // namespace pal::desktop
