// SPDX-License-Identifier: Apache-2.0
// What mouse and keyboard do in the TranscriptView.
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/desktop/style/icons.h"
#include "app/desktop/transcript/transcript_view.h"

namespace pal::desktop {

const TranscriptLayout::VisibleRow* TranscriptView::rowAt(qreal y) const {
    for (const auto& row : layout_.visible()) {
        if (y < row.y + row.layout->height()) return &row;
    }
    return layout_.visible().empty() ? nullptr : &layout_.visible().back();
}

std::optional<TranscriptView::HotPlace> TranscriptView::hotAt(QPointF point) const {
    const auto* row = rowAt(point.y());
    if (row == nullptr) return std::nullopt;
    const QPointF own = point - QPointF(columnLeft(), row->y);
    const auto& hots = row->layout->hots();
    for (size_t i = 0; i < hots.size(); ++i) {
        for (const QRectF& rect : hots[i].rects) {
            if (rect.adjusted(-3, -3, 3, 3).contains(own)) return HotPlace{row->item, row->key, static_cast<int>(i)};
        }
    }
    return std::nullopt;
}

const Hot* TranscriptView::hot(const HotPlace& place) {
    if (place.item < 0 || place.item >= layout_.itemCount()) return nullptr;
    MessageItem& item = layout_.item(place.item);
    const size_t row = item.find(place.key);
    if (item.key(row) != place.key) return nullptr;
    const auto& hots = layout_.layoutRow(place.item, row).hots();
    return place.hot < 0 || static_cast<size_t>(place.hot) >= hots.size() ? nullptr
                                                                          : &hots[static_cast<size_t>(place.hot)];
}

// The nearest text: beside a line, that line; between rows, the row below.
std::optional<TextPlace> TranscriptView::placeAt(QPointF point) const {
    const auto* row = rowAt(point.y());
    if (row == nullptr) return std::nullopt;
    const auto& rows = layout_.visible();
    auto& layout = const_cast<TranscriptLayout&>(layout_);
    const auto index = static_cast<size_t>(row - rows.data());
    for (size_t i = index; i < rows.size(); ++i) {
        if (layout.item(rows[i].item).block(rows[i].key) == nullptr) continue;
        return TextPlace{rows[i].item, rows[i].key, rows[i].layout->offsetAt(point - QPointF(columnLeft(), rows[i].y))};
    }
    for (size_t i = index; i-- > 0;) {
        const Block* block = layout.item(rows[i].item).block(rows[i].key);
        if (block != nullptr) return TextPlace{rows[i].item, rows[i].key, static_cast<int>(blockText(*block).size())};
    }
    return std::nullopt;
}

void TranscriptView::activate(const HotPlace& place) {
    const Hot* found = hot(place);
    if (found == nullptr) return;
    const Hot pressed = *found;  // what follows may lay the row out again
    switch (pressed.kind) {
        case Hot::Kind::kLink:
            Q_EMIT linkActivated(QUrl(pressed.target));
            break;
        case Hot::Kind::kCitation:
            Q_EMIT citationActivated(pressed.target, model_->message(place.item).id);
            break;
        case Hot::Kind::kCopyCode:
            QApplication::clipboard()->setText(layout_.item(place.item).wholeCode(place.key));
            Q_EMIT copied();
            break;
        case Hot::Kind::kFold:
            layout_.toggle(place.item, place.key);
            refresh();
            break;
        case Hot::Kind::kAction:
            act(static_cast<MessageAction>(pressed.action), place.item);
            break;
    }
}

void TranscriptView::act(MessageAction action, int row) {
    if (model_ == nullptr || row < 0 || row >= model_->rowCount()) return;
    const TranscriptMessage& message = model_->message(row);
    const auto possible = actionsOf(message);
    if (std::find(possible.begin(), possible.end(), action) == possible.end()) return;
    switch (action) {
        case MessageAction::kCopy:
            QApplication::clipboard()->setText(QString::fromStdString(message.text));
            Q_EMIT copied();
            break;
        case MessageAction::kEdit:
            Q_EMIT editRequested(message.id);
            break;
        case MessageAction::kRegenerate:
            Q_EMIT regenerateRequested(message.id);
            break;
        case MessageAction::kFork:
            Q_EMIT forkRequested(message.id);
            break;
        case MessageAction::kDelete:
            Q_EMIT deleteRequested(message.id);
            break;
        case MessageAction::kPreviousSibling:
            Q_EMIT siblingRequested(message.id, -1);
            break;
        case MessageAction::kNextSibling:
            Q_EMIT siblingRequested(message.id, 1);
            break;
    }
}

void TranscriptView::setHover(std::optional<HotPlace> place, int item) {
    if (place == hover_ && item == hoverItem_) return;
    hover_ = place;
    hoverItem_ = item;
    const Hot* over = place ? hot(*place) : nullptr;
    viewport()->setCursor(over != nullptr ? Qt::PointingHandCursor : item >= 0 ? Qt::IBeamCursor : Qt::ArrowCursor);
    viewport()->update();
}

void TranscriptView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || model_ == nullptr) return;
    mouse_ = event->position();
    focus_.reset();
    pressed_ = hotAt(mouse_);
    const auto* row = rowAt(mouse_.y());
    if (row != nullptr) current_ = row->item;
    const auto place = placeAt(mouse_);
    const bool third = sinceDoubleClick_.isValid() && sinceDoubleClick_.elapsed() < QApplication::doubleClickInterval();
    sinceDoubleClick_.invalidate();
    if (pressed_ || !place) {
        refresh();
        return;
    }
    if (third) {
        TextPlace end = *place, begin = *place;
        begin.offset = 0;
        end.offset = static_cast<int>(blockText(*layout_.item(end.item).block(end.key)).size());
        selection_.set(begin, end);
    } else if ((event->modifiers() & Qt::ShiftModifier) != 0 && selection_.hasCaret()) {
        selection_.extend(*place);
    } else {
        selection_.begin(*place);
    }
    selecting_ = !third;
    refresh();
}

void TranscriptView::mouseMoveEvent(QMouseEvent* event) {
    mouse_ = event->position();
    if (selecting_ && (event->buttons() & Qt::LeftButton) != 0) {
        if (const auto place = placeAt(mouse_)) selection_.extend(*place);
        const bool outside = mouse_.y() < 0 || mouse_.y() > viewport()->height();
        if (outside && !dragTimer_.isActive()) dragTimer_.start();
        if (!outside) dragTimer_.stop();
        viewport()->update();
        return;
    }
    const auto* row = rowAt(mouse_.y());
    setHover(hotAt(mouse_), row == nullptr ? -1 : row->item);
}

// The further the mouse is outside, the faster.
void TranscriptView::dragScroll() {
    const qreal over = mouse_.y() < 0 ? mouse_.y() : std::max<qreal>(0, mouse_.y() - viewport()->height());
    layout_.scrollBy(over / 3);
    refresh();
    if (const auto place = placeAt({mouse_.x(), std::clamp<qreal>(mouse_.y(), 0, viewport()->height() - 1)}))
        selection_.extend(*place);
}

void TranscriptView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    dragTimer_.stop();
    selecting_ = false;
    const auto pressed = std::exchange(pressed_, std::nullopt);
    if (pressed && hotAt(event->position()) == pressed) {
        activate(*pressed);
    } else if (!pressed && selection_.isEmpty()) {
        tellWord(event->position());
    }
    if (!selection_.isEmpty() && QApplication::clipboard()->supportsSelection()) {
        QApplication::clipboard()->setText(selectedText(CopyFormat::kPlain), QClipboard::Selection);
    }
}

void TranscriptView::tellWord(QPointF point) {
    const auto place = placeAt(point);
    if (!place || model_ == nullptr) return;
    const auto [begin, end] = wordAt(layout_, *place);
    const MessageItem& item = layout_.item(place->item);
    QString before;
    for (size_t row = 0; row < item.rowCount() && item.key(row) != begin.key; ++row)
        if (const Block* block = item.block(item.key(row))) before += blockText(*block) + u'\n';
    const QString text = blockText(*item.block(begin.key));
    const QString word = text.mid(begin.offset, end.offset - begin.offset);
    before += QStringView(text).left(begin.offset);
    if (!word.trimmed().isEmpty())
        Q_EMIT wordClicked(model_->message(place->item).id, word, static_cast<int>(before.count(word)));
}

void TranscriptView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || hotAt(event->position())) return mousePressEvent(event);
    if (const auto place = placeAt(event->position())) {
        const auto [begin, end] = wordAt(layout_, *place);
        selection_.set(begin, end);
        selecting_ = false;
        sinceDoubleClick_.start();
        viewport()->update();
    }
}

void TranscriptView::leaveEvent(QEvent* /*event*/) {
    setHover(std::nullopt, -1);
}

bool TranscriptView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto place = hotAt(help->pos());
        const Hot* over = place ? hot(*place) : nullptr;
        const QString text = over == nullptr ? QString() : over->kind == Hot::Kind::kLink ? over->target : over->name;
        // What a model wrote must not be taken for markup.
        QToolTip::showText(help->globalPos(),
                           text.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped()),
                           viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TranscriptView::contextMenuEvent(QContextMenuEvent* event) {
    if (model_ == nullptr) return;
    QPoint at = event->pos();
    int row = current_;
    if (event->reason() != QContextMenuEvent::Keyboard) {
        const auto* under = rowAt(at.y());
        row = under == nullptr ? -1 : under->item;
    } else if (row >= 0) {
        at = messageRect(row).intersected(viewport()->rect()).topLeft() + QPoint(theme_.space(4), theme_.space(4));
    }
    QMenu menu(this);
    QAction* copy = menu.addAction(tr("Copy"), this, &TranscriptView::copySelection);
    QAction* markdown = menu.addAction(tr("Copy as Markdown"), this, &TranscriptView::copySelectionAsMarkdown);
    copy->setEnabled(!selection_.isEmpty());
    markdown->setEnabled(!selection_.isEmpty());
    menu.addAction(tr("Select all"), this, &TranscriptView::selectAll);
    if (row >= 0) {
        menu.addSeparator();
        for (const MessageAction action : actionsOf(model_->message(row)))
            menu.addAction(icon(actionIconName(action), theme_), actionName(action), this,
                           [this, action, row] { act(action, row); });
    }
    menu.exec(viewport()->mapToGlobal(at));
}

void TranscriptView::focusInEvent(QFocusEvent* event) {
    if (current_ < 0 && model_ != nullptr && event->reason() != Qt::MouseFocusReason) current_ = model_->rowCount() - 1;
    viewport()->update();
}

void TranscriptView::focusOutEvent(QFocusEvent* /*event*/) {
    viewport()->update();
}

// What can be pressed next to `from` in a message, without `from` the first. Only rows that can have something are laid out.
std::optional<TranscriptView::HotPlace> TranscriptView::hotBeside(int row, const std::optional<HotPlace>& from,
                                                                  Step step) {
    if (row < 0 || row >= layout_.itemCount()) return std::nullopt;
    constexpr int kLast = std::numeric_limits<int>::max();
    MessageItem& item = layout_.item(row);
    const int by = step == Step::kOn ? 1 : -1;
    const bool known = from && from->item == row;
    int hot = known ? from->hot + by : 0;
    for (auto at = known ? static_cast<int>(item.find(from->key)) : 0;
         at >= 0 && at < static_cast<int>(item.rowCount()); at += by) {
        const auto index = static_cast<size_t>(at);
        const Block* block = item.block(item.key(index));
        if (block == nullptr || mayBePressed(*block)) {
            const auto count = static_cast<int>(layout_.layoutRow(row, index).hots().size());
            if (hot == kLast) hot = count - 1;
            if (hot >= 0 && hot < count) return HotPlace{row, item.key(index), hot};
        }
        hot = step == Step::kOn ? 0 : kLast;
    }
    return std::nullopt;
}

void TranscriptView::showFocus(const HotPlace& place) {
    focus_ = place;
    if (const Hot* found = hot(place)) {
        layout_.reveal(place.item, place.key, found->rects.front().top() - theme_.space(4),
                       found->rects.back().bottom() + theme_.space(4));
    }
    refresh();
}

// Through what can be pressed in the current message, then out of the view.
bool TranscriptView::focusNextPrevChild(bool next) {
    if (next || focus_) {
        if (const auto place = hotBeside(current_, focus_, next ? Step::kOn : Step::kBack)) {
            showFocus(*place);
            return true;
        }
    }
    focus_.reset();
    refresh();
    return QAbstractScrollArea::focusNextPrevChild(next);
}

void TranscriptView::moveCurrent(int step) {
    if (layout_.itemCount() == 0) return;
    setCurrentRow(std::clamp(current_ < 0 ? layout_.itemCount() - 1 : current_ + step, 0, layout_.itemCount() - 1));
}

bool TranscriptView::handleScrollKey(const QKeyEvent& event) {
    if ((event.modifiers() & ~Qt::KeypadModifier) != 0) return false;
    QScrollBar* bar = verticalScrollBar();
    switch (event.key()) {
        case Qt::Key_Up:
            bar->setValue(bar->value() - bar->singleStep());
            return true;
        case Qt::Key_Down:
            bar->setValue(bar->value() + bar->singleStep());
            return true;
        case Qt::Key_PageUp:
            bar->setValue(bar->value() - bar->pageStep() + bar->singleStep());
            return true;
        case Qt::Key_PageDown:
            bar->setValue(bar->value() + bar->pageStep() - bar->singleStep());
            return true;
        case Qt::Key_Home:
            bar->setValue(0);
            return true;
        case Qt::Key_End:
            scrollToEnd();
            return true;
        default:
            return false;
    }
}

void TranscriptView::extendTo(const TextPlace& place) {
    selection_.extend(place);
    const QRectF at = layout_.layoutRow(place.item, layout_.item(place.item).find(place.key)).caret(place.offset);
    layout_.reveal(place.item, place.key, at.top(), at.bottom());
    refresh();
}

bool TranscriptView::handleSelectionKey(const QKeyEvent& event) {
    if (event.matches(QKeySequence::SelectAll)) {
        selectAll();
        return true;
    }
    if (event.matches(QKeySequence::Copy)) {
        copySelection();
        return true;
    }
    if (event.key() == Qt::Key_C && event.modifiers() == (Qt::ControlModifier | Qt::ShiftModifier)) {
        copySelectionAsMarkdown();
        return true;
    }
    if ((event.modifiers() & Qt::ShiftModifier) == 0 || layout_.itemCount() == 0) return false;
    const bool words = (event.modifiers() & Qt::ControlModifier) != 0;
    CaretStep step{};
    switch (event.key()) {
        case Qt::Key_Left:
            step = words ? CaretStep::kWordBack : CaretStep::kCharacterBack;
            break;
        case Qt::Key_Right:
            step = words ? CaretStep::kWordOn : CaretStep::kCharacterOn;
            break;
        case Qt::Key_Up:
            step = CaretStep::kRowBack;
            break;
        case Qt::Key_Down:
            step = CaretStep::kRowOn;
            break;
        default:
            return false;
    }
    if (!selection_.hasCaret()) {  // from the start of the current message
        TextPlace start{std::max(current_, 0), {MessageItem::Part::kText, 0}, 0};
        if (layout_.item(start.item).block(start.key) == nullptr) return true;
        selection_.begin(start);
    }
    extendTo(moveCaret(layout_, selection_.caret(), step));
    return true;
}

// What a key does with the current message, if that can be done with it.
std::optional<MessageAction> TranscriptView::actionOf(const QKeyEvent& event) const {
    const struct {
        int key;
        Qt::KeyboardModifiers modifiers;
        MessageAction action;
    } kKeys[] = {
        {Qt::Key_R, Qt::ControlModifier, MessageAction::kRegenerate},
        {Qt::Key_F2, Qt::NoModifier, MessageAction::kEdit},
        {Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier, MessageAction::kFork},
        {Qt::Key_Delete, Qt::NoModifier, MessageAction::kDelete},
        {Qt::Key_Left, Qt::AltModifier, MessageAction::kPreviousSibling},
        {Qt::Key_Right, Qt::AltModifier, MessageAction::kNextSibling},
    };
    if (model_ == nullptr || current_ < 0) return std::nullopt;
    const auto possible = actionsOf(model_->message(current_));
    for (const auto& each : kKeys) {
        if (event.key() != each.key || (event.modifiers() & ~Qt::KeypadModifier) != each.modifiers) continue;
        if (std::find(possible.begin(), possible.end(), each.action) != possible.end()) return each.action;
    }
    return std::nullopt;
}

bool TranscriptView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && actionOf(*static_cast<QKeyEvent*>(event))) event->accept();
    return QAbstractScrollArea::event(event);
}

bool TranscriptView::handleMessageKey(const QKeyEvent& event) {
    const auto is = [&](int key, Qt::KeyboardModifiers modifiers) {
        return event.key() == key && (event.modifiers() & ~Qt::KeypadModifier) == modifiers;
    };
    if (is(Qt::Key_Up, Qt::ControlModifier)) return moveCurrent(-1), true;
    if (is(Qt::Key_Down, Qt::ControlModifier)) return moveCurrent(1), true;
    if (is(Qt::Key_F3, Qt::NoModifier)) return findNext(), true;
    if (is(Qt::Key_F3, Qt::ShiftModifier)) return findPrevious(), true;
    if (focus_ && (is(Qt::Key_Return, Qt::NoModifier) || is(Qt::Key_Enter, Qt::NoModifier) ||
                   is(Qt::Key_Space, Qt::NoModifier))) {
        activate(*focus_);
        return true;
    }
    const auto action = actionOf(event);
    if (action) act(*action, current_);
    return action.has_value();
}

void TranscriptView::keyPressEvent(QKeyEvent* event) {
    if (model_ != nullptr && (handleMessageKey(*event) || handleSelectionKey(*event) || handleScrollKey(*event)))
        return event->accept();
    event->ignore();
}

}  // namespace pal::desktop
