// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/transcript_layout.h"

#include <algorithm>
#include <utility>

namespace pal::desktop {
namespace {

constexpr size_t kFirstSlice = 64 << 10;  // bytes that are parsed when a message comes into sight
constexpr size_t kSlice = 192 << 10;      // and in each further step: a few milliseconds
constexpr uint32_t kFramesKept = 90;      // a layout that was not painted for so long is dropped
constexpr uint32_t kFramesToDrop = 8;     // how often that is looked for: dropping many at once would be seen

}  // namespace

TranscriptLayout::TranscriptLayout(const Theme& theme) {
    setting_.theme = &theme;
    setting_.width = 400;
    setting_.metrics = estimateMetrics(theme);
}

void TranscriptLayout::setModel(const TranscriptModel* model) {
    model_ = model;
    reset();
}

void TranscriptLayout::setPattern(InlinePattern pattern) {
    setting_.pattern = std::move(pattern);
    const Anchor before = anchor_;
    const bool wasAtEnd = atEnd_;
    reset();
    anchor_ = before;
    atEnd_ = wasAtEnd;
}

void TranscriptLayout::setWidth(qreal width) {
    if (width == setting_.width) return;
    setting_.width = width;
    invalidate();
}

void TranscriptLayout::invalidate() {
    visible_.clear();
    setting_.metrics = estimateMetrics(*setting_.theme);
    const double share = items_.empty() ? 0 : anchor_.offset / std::max<qreal>(1, rowHeight(anchor_));
    for (int i = 0; i < itemCount(); ++i) items_[static_cast<size_t>(i)].item->invalidate(model_->message(i));
    if (!items_.empty()) anchor_.offset = share * rowHeight(anchor_);  // the same text stays at the top
}

void TranscriptLayout::reset() {
    visible_.clear();
    items_.clear();
    anchor_ = {};
    atEnd_ = true;
    if (model_ != nullptr) appended();
}

void TranscriptLayout::appended() {
    for (int row = itemCount(); row < model_->rowCount(); ++row) {
        items_.push_back({std::make_unique<MessageItem>(setting_, model_->message(row)), true});
    }
}

void TranscriptLayout::removedFrom(int row) {
    visible_.clear();
    items_.resize(static_cast<size_t>(row));
    if (anchor_.item >= row) {
        anchor_ = {};
        atEnd_ = true;
    }
}

void TranscriptLayout::changed(int row) {
    items_[static_cast<size_t>(row)].dirty = true;
}

// Rows may come and go before the anchor's row of the same message: it is found again by its key.
void TranscriptLayout::sync(int index, size_t budget) {
    Entry& entry = items_[static_cast<size_t>(index)];
    const bool anchored = index == anchor_.item && entry.item->synced();
    const MessageItem::Key key =
        anchored ? entry.item->key(std::min(anchor_.row, entry.item->rowCount() - 1)) : MessageItem::Key();
    entry.dirty = !entry.item->sync(model_->message(index), model_->revision(index), budget);
    if (anchored) anchor_.row = entry.item->find(key);
}

MessageItem& TranscriptLayout::item(int index) {
    Entry& entry = items_[static_cast<size_t>(index)];
    if (!entry.item->synced()) sync(index, kFirstSlice);
    return *entry.item;
}

bool TranscriptLayout::parseSlice(int index) {
    if (items_[static_cast<size_t>(index)].dirty) {
        visible_.clear();
        sync(index, kSlice);
    }
    return !items_[static_cast<size_t>(index)].dirty;
}

MessageItem& TranscriptLayout::wholeItem(int index) {
    while (!parseSlice(index)) {
    }
    return item(index);
}

const RowLayout& TranscriptLayout::layoutRow(int index, size_t row) {
    return item(index).layout(row, model_->message(index), frame_);
}

void TranscriptLayout::toggle(int index, const MessageItem::Key& fold) {
    visible_.clear();
    const MessageItem::Key key =
        index == anchor_.item ? item(index).key(std::min(anchor_.row, item(index).rowCount() - 1)) : MessageItem::Key();
    item(index).toggle(fold, model_->message(index));
    items_[static_cast<size_t>(index)].dirty = !item(index).complete();
    if (index == anchor_.item) anchor_.row = item(index).find(key);
    atEnd_ = false;  // what was opened stays where it is
}

qreal TranscriptLayout::rowHeight(const Anchor& anchor) {
    MessageItem& of = item(anchor.item);
    return layoutRow(anchor.item, std::min(anchor.row, of.rowCount() - 1)).height();
}

bool TranscriptLayout::stepBack() {
    if (anchor_.row > 0) {
        --anchor_.row;
        return true;
    }
    if (anchor_.item == 0) return false;
    --anchor_.item;
    anchor_.row = item(anchor_.item).rowCount() - 1;
    return true;
}

bool TranscriptLayout::stepOn() {
    if (anchor_.row + 1 < item(anchor_.item).rowCount()) {
        ++anchor_.row;
        return true;
    }
    if (anchor_.item + 1 >= itemCount()) return false;
    ++anchor_.item;
    anchor_.row = 0;
    return true;
}

void TranscriptLayout::anchorAtEnd() {
    anchor_.item = itemCount() - 1;
    anchor_.row = item(anchor_.item).rowCount() - 1;
    qreal below = rowHeight(anchor_);
    while (below < viewHeight_ && stepBack()) below += rowHeight(anchor_);
    anchor_.offset = std::max<qreal>(0, below - viewHeight_);
}

void TranscriptLayout::settle() {
    anchor_.item = std::clamp(anchor_.item, 0, itemCount() - 1);
    anchor_.row = std::min(anchor_.row, item(anchor_.item).rowCount() - 1);
    while (anchor_.offset < 0) {
        if (!stepBack()) {
            anchor_.offset = 0;
            break;
        }
        anchor_.offset += rowHeight(anchor_);
    }
    for (qreal height = rowHeight(anchor_); anchor_.offset >= height; height = rowHeight(anchor_)) {
        if (!stepOn()) break;
        anchor_.offset -= height;
    }
}

void TranscriptLayout::scrollBy(qreal distance) {
    if (items_.empty()) return;
    visible_.clear();
    atEnd_ = false;
    anchor_.offset += distance;
    settle();
}

void TranscriptLayout::scrollTo(qreal value) {
    if (items_.empty()) return;
    visible_.clear();
    atEnd_ = false;
    anchor_ = {};
    while (anchor_.item + 1 < itemCount() && value >= items_[static_cast<size_t>(anchor_.item)].item->height()) {
        value -= items_[static_cast<size_t>(anchor_.item++)].item->height();
    }
    MessageItem& at = item(anchor_.item);
    while (anchor_.row + 1 < at.rowCount() && value >= at.rowHeight(anchor_.row)) value -= at.rowHeight(anchor_.row++);
    anchor_.offset = std::max<qreal>(0, value);
    settle();
}

void TranscriptLayout::scrollToEnd() {
    visible_.clear();
    atEnd_ = true;
}

void TranscriptLayout::reveal(int index, const MessageItem::Key& key, qreal top, qreal bottom) {
    for (const VisibleRow& row : visible_) {
        if (row.item != index || row.key != key) continue;
        const qreal above = row.y + top, below = row.y + bottom - viewHeight_;
        if (above < 0) {
            scrollBy(above);
        } else if (below > 0) {
            scrollBy(std::min(below, above));
        }
        return;
    }
    visible_.clear();
    atEnd_ = false;
    anchor_ = {index, item(index).find(key), 0};
    scrollBy(top - viewHeight_ / 3);
}

void TranscriptLayout::collect() {
    visible_.clear();
    qreal y = -anchor_.offset;
    int index = anchor_.item;
    size_t row = anchor_.row;
    while (index < itemCount() && y < viewHeight_) {
        MessageItem& at = item(index);
        if (row >= at.rowCount()) {
            ++index;
            row = 0;
            continue;
        }
        const RowLayout& layout = layoutRow(index, row);
        visible_.push_back({index, row, at.key(row), y, &layout});
        y += layout.height();
        ++row;
    }
}

const std::vector<TranscriptLayout::VisibleRow>& TranscriptLayout::update() {
    visible_.clear();
    if (items_.empty()) return visible_;
    ++frame_;
    constexpr int kNear = 40;  // messages that a window can show
    for (int i = std::max(0, anchor_.item - 1); i < std::min(itemCount(), anchor_.item + kNear); ++i) {
        const Entry& entry = items_[static_cast<size_t>(i)];
        if (entry.dirty && entry.item->synced()) sync(i, kFirstSlice);
    }
    if (atEnd_ && items_.back().dirty) sync(itemCount() - 1, kFirstSlice);
    if (atEnd_) anchorAtEnd();
    settle();
    collect();
    const auto bottom = [&] { return visible_.empty() ? 0 : visible_.back().y + visible_.back().layout->height(); };
    const auto endSeen = [&] {
        return !visible_.empty() && visible_.back().item + 1 == itemCount() &&
               visible_.back().row + 1 == item(itemCount() - 1).rowCount();
    };
    if (endSeen() && bottom() < viewHeight_ && (anchor_.item > 0 || anchor_.row > 0 || anchor_.offset > 0)) {
        anchorAtEnd();
        collect();
    }
    atEnd_ = endSeen() && bottom() <= viewHeight_ + 1;
    if (frame_ % kFramesToDrop == 0) dropFarLayouts();
    return visible_;
}

void TranscriptLayout::dropFarLayouts() {
    for (Entry& entry : items_) {
        if (entry.item->synced()) entry.item->dropLayouts(frame_ - std::min(frame_, kFramesKept));
    }
}

qreal TranscriptLayout::value() const {
    qreal sum = 0;
    if (items_.empty()) return 0;
    for (int i = 0; i < anchor_.item; ++i) sum += items_[static_cast<size_t>(i)].item->height();
    const MessageItem& at = *items_[static_cast<size_t>(anchor_.item)].item;
    for (size_t row = 0; row < std::min(anchor_.row, at.rowCount()); ++row) sum += at.rowHeight(row);
    return sum + anchor_.offset;
}

qreal TranscriptLayout::total() const {
    qreal sum = 0;
    for (const Entry& entry : items_) sum += entry.item->height();
    return sum;
}

bool TranscriptLayout::parseMore() {
    for (const VisibleRow& row : visible_) {
        if (!items_[static_cast<size_t>(row.item)].dirty) continue;
        const int index = row.item;
        visible_.clear();
        sync(index, kSlice);
        return true;
    }
    return false;
}

}  // namespace pal::desktop
