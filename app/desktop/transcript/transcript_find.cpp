// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/transcript_find.h"

#include <QElapsedTimer>
#include <algorithm>

namespace pal::desktop {
namespace {

constexpr qint64 kSliceMilliseconds = 6;

}  // namespace

TranscriptFind::TranscriptFind(TranscriptLayout& layout, QObject* parent) : QObject(parent), layout_(layout) {
    timer_.setInterval(0);
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &TranscriptFind::step);
}

void TranscriptFind::search(const QString& text) {
    text_ = text;
    hits_.clear();
    current_ = -1;
    next_ = 0;
    if (!text_.isEmpty()) timer_.start();
    Q_EMIT progressed();
}

void TranscriptFind::step() {
    QElapsedTimer time;
    time.start();
    while (searching() && time.elapsed() < kSliceMilliseconds) {
        if (layout_.parseSlice(next_)) searchItem(next_++);
    }
    if (searching()) timer_.start();
    Q_EMIT progressed();
}

void TranscriptFind::searchItem(int index) {
    std::vector<TextPlace> found;
    const MessageItem& item = layout_.item(index);
    for (size_t row = 0; row < item.rowCount(); ++row) {
        const MessageItem::Key key = item.key(row);
        const Block* block = item.block(key);
        if (block == nullptr) continue;
        const QString text = blockText(*block);
        for (qsizetype at = text.indexOf(text_, 0, Qt::CaseInsensitive); at >= 0;
             at = text.indexOf(text_, at + text_.size(), Qt::CaseInsensitive)) {
            found.push_back({index, key, static_cast<int>(at)});
        }
    }
    hits_.insert(std::lower_bound(hits_.begin(), hits_.end(), TextPlace{index, {}, 0}), found.begin(), found.end());
}

void TranscriptFind::messageChanged(int item) {
    if (text_.isEmpty() || item >= next_) return;
    std::erase_if(hits_, [&](const TextPlace& hit) { return hit.item == item; });
    if (layout_.parseSlice(item)) searchItem(item);
    current_ = std::min(current_, count() - 1);
    Q_EMIT progressed();
}

void TranscriptFind::removedFrom(int item) {
    std::erase_if(hits_, [&](const TextPlace& hit) { return hit.item >= item; });
    next_ = std::min(next_, item);
    current_ = std::min(current_, count() - 1);
    Q_EMIT progressed();
}

void TranscriptFind::appended() {
    if (searching()) timer_.start();
}

int TranscriptFind::count() const {
    return static_cast<int>(hits_.size());
}

const TextPlace* TranscriptFind::move(Direction direction) {
    if (hits_.empty()) return nullptr;
    const int step = direction == Direction::kOn ? 1 : count() - 1;
    current_ = current_ < 0 ? (direction == Direction::kOn ? 0 : count() - 1) : (current_ + step) % count();
    return currentHit();
}

const TextPlace* TranscriptFind::currentHit() const {
    return current_ < 0 || current_ >= count() ? nullptr : &hits_[static_cast<size_t>(current_)];
}

std::vector<FoundRun> TranscriptFind::inRow(int item, const MessageItem::Key& key) const {
    std::vector<FoundRun> out;
    const TextPlace* now = currentHit();
    for (auto hit = std::lower_bound(hits_.begin(), hits_.end(), TextPlace{item, key, 0});
         hit != hits_.end() && hit->item == item && hit->key == key; ++hit) {
        out.push_back({hit->offset, hit->offset + length(), now != nullptr && *now == *hit});
    }
    return out;
}

}  // namespace pal::desktop
