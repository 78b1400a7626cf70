// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHash>
#include <QObject>
#include <QTimer>
#include <vector>

#include "app/desktop/transcript/transcript_layout.h"

namespace pal::desktop {

// Finds a text, without regard to case, in what is shown of all messages. Long transcripts are searched in slices of a few milliseconds
// between other events; thinking that is folded is not searched.
class TranscriptFind : public QObject {
    Q_OBJECT

  public:
    explicit TranscriptFind(TranscriptLayout& layout, QObject* parent = nullptr);

    // Empty ends the search.
    void search(const QString& text);
    // The message is searched again.
    void messageChanged(int item);
    void removedFrom(int item);
    void appended();

    [[nodiscard]] int count() const;
    [[nodiscard]] int current() const { return current_; }  // from 0; -1: none
    [[nodiscard]] bool searching() const { return !text_.isEmpty() && next_ < layout_.itemCount(); }
    // The next or previous hit, round the ends; the current place afterwards.
    enum class Direction { kOn, kBack };
    [[nodiscard]] const TextPlace* move(Direction direction);
    // The current hit, from its begin to its end in characters.
    [[nodiscard]] const TextPlace* currentHit() const;
    [[nodiscard]] int length() const { return static_cast<int>(text_.size()); }
    [[nodiscard]] std::vector<FoundRun> inRow(int item, const MessageItem::Key& key) const;

  Q_SIGNALS:
    void progressed();  // count() or searching() changed

  private:
    void step();
    void searchItem(int item);

    TranscriptLayout& layout_;
    QTimer timer_;
    QString text_;
    std::vector<TextPlace> hits_;  // in order
    int next_ = 0;                 // first message that was not searched
    int current_ = -1;
};

}  // namespace pal::desktop
