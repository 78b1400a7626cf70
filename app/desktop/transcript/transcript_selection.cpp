// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/transcript_selection.h"

#include <QTextBoundaryFinder>
#include <algorithm>
#include <climits>
#include <optional>

namespace pal::desktop {
namespace {

QString sourceOf(const TranscriptMessage& message) {
    return QString::fromUtf8(message.text.data(), static_cast<qsizetype>(message.text.size()));
}

// The next row with text behind (or before) a row of a message, in this or another one.
std::optional<TextPlace> nextTextRow(TranscriptLayout& layout, int index, int row, int direction) {
    while (index >= 0 && index < layout.itemCount()) {
        MessageItem& item = layout.item(index);
        if (row == INT_MAX) row = static_cast<int>(item.rowCount()) - 1;
        for (; row >= 0 && row < static_cast<int>(item.rowCount()); row += direction) {
            const MessageItem::Key key = item.key(static_cast<size_t>(row));
            if (item.block(key) != nullptr) return TextPlace{index, key, 0};
        }
        index += direction;
        row = direction > 0 ? 0 : INT_MAX;
    }
    return std::nullopt;
}

QString textAt(TranscriptLayout& layout, const TextPlace& place) {
    const Block* block = layout.item(place.item).block(place.key);
    return block == nullptr ? QString() : blockText(*block);
}

TextPlace stepToRow(TranscriptLayout& layout, const TextPlace& from, int direction) {
    const auto row = static_cast<int>(layout.item(from.item).find(from.key));
    auto next = nextTextRow(layout, from.item, row + direction, direction);
    return next.value_or(from);
}

// Blocks of a message from `from` to `to`, each on lines of its own.
QString messageText(MessageItem& item, int index, const TextPlace& from, const TextPlace& to, CopyFormat format) {
    QString out;
    for (size_t row = 0; row < item.rowCount(); ++row) {
        const MessageItem::Key key = item.key(row);
        const Block* block = item.block(key);
        const TextPlace start{index, key, 0};
        if (block == nullptr || TextPlace{index, key, INT_MAX} < from || to < start) continue;
        const int begin = from.item == index && from.key == key ? from.offset : 0;
        const auto length = static_cast<int>(blockText(*block).size());
        const int end = to.item == index && to.key == key ? std::min(to.offset, length) : length;
        if (begin >= end && length > 0) continue;
        if (!out.isEmpty() && !(block->continues && block->kind == BlockKind::kCode)) {
            const bool close = block->continues || (block->tight && !block->containers.empty());
            out += close ? QStringLiteral("\n") : QStringLiteral("\n\n");
        }
        out += writeBlock(*block, begin, end, format);
    }
    return out;
}

}  // namespace

std::pair<int, int> TranscriptSelection::inRow(int item, const MessageItem::Key& key, int length) const {
    if (isEmpty()) return {0, 0};
    const auto [from, to] = ordered();
    if (TextPlace{item, key, length} < from || to < TextPlace{item, key, 0}) return {0, 0};
    const int begin = from.item == item && from.key == key ? from.offset : 0;
    const int end = to.item == item && to.key == key ? std::min(to.offset, length) : length;
    return {std::min(begin, end), end};
}

void TranscriptSelection::removedFrom(int row) {
    if (anchor_.item >= row || caret_.item >= row) clear();
}

QString selectedText(TranscriptLayout& layout, const TranscriptSelection& selection, CopyFormat format) {
    if (selection.isEmpty()) return {};
    const auto [from, to] = selection.ordered();
    QStringList parts;
    const int last = std::min(to.item, layout.itemCount() - 1);
    for (int index = from.item; index <= last; ++index) {
        const TranscriptMessage& message = layout.model().message(index);
        const bool inside = index > from.item && index < last;
        const QString text = inside ? sourceOf(message) : messageText(layout.wholeItem(index), index, from, to, format);
        const QString author = TranscriptModel::authorOf(message);
        if (from.item == to.item) {
            parts += text;
        } else {
            parts += (format == CopyFormat::kMarkdown ? QStringLiteral("**%1**\n\n%2") : QStringLiteral("%1:\n%2"))
                         .arg(author, text);
        }
    }
    return parts.join(QStringLiteral("\n\n"));
}

std::pair<TextPlace, TextPlace> wholeTranscript(TranscriptLayout& layout) {
    const auto first = nextTextRow(layout, 0, 0, 1);
    if (!first) return {};
    layout.wholeItem(layout.itemCount() - 1);
    auto last = nextTextRow(layout, layout.itemCount() - 1, INT_MAX, -1).value_or(*first);
    last.offset = static_cast<int>(textAt(layout, last).size());
    return {*first, last};
}

TextPlace moveCaret(TranscriptLayout& layout, const TextPlace& from, CaretStep step) {
    if (step == CaretStep::kRowBack) return stepToRow(layout, from, -1);
    if (step == CaretStep::kRowOn) return stepToRow(layout, from, 1);
    const QString text = textAt(layout, from);
    const bool words = step == CaretStep::kWordBack || step == CaretStep::kWordOn;
    const bool on = step == CaretStep::kCharacterOn || step == CaretStep::kWordOn;
    QTextBoundaryFinder finder(words ? QTextBoundaryFinder::Word : QTextBoundaryFinder::Grapheme, text);
    finder.setPosition(std::clamp<qsizetype>(from.offset, 0, text.size()));
    const qsizetype found = on ? finder.toNextBoundary() : finder.toPreviousBoundary();
    if (found >= 0) return {from.item, from.key, static_cast<int>(found)};
    TextPlace next = stepToRow(layout, from, on ? 1 : -1);
    if (next != from && !on) next.offset = static_cast<int>(textAt(layout, next).size());
    return next;
}

std::pair<TextPlace, TextPlace> wordAt(TranscriptLayout& layout, const TextPlace& place) {
    const QString text = textAt(layout, place);
    QTextBoundaryFinder finder(QTextBoundaryFinder::Word, text);
    finder.setPosition(std::clamp<qsizetype>(place.offset, 0, text.size()));
    TextPlace begin = place, end = place;
    if (!finder.isAtBoundary() || place.offset == text.size())
        begin.offset = static_cast<int>(std::max<qsizetype>(0, finder.toPreviousBoundary()));
    finder.setPosition(begin.offset);
    const qsizetype next = finder.toNextBoundary();
    end.offset = static_cast<int>(next < 0 ? text.size() : next);
    return {begin, end};
}

}  // namespace pal::desktop
