// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/transcript_view.h"

#include <QApplication>
#include <QClipboard>
#include <QMimeData>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "app/desktop/transcript/chrome_row.h"
#include "app/desktop/transcript/transcript_accessible.h"

namespace pal::desktop {

TranscriptView::TranscriptView(const Theme& theme, QWidget* parent)
    : QAbstractScrollArea(parent), theme_(theme), layout_(theme), find_(layout_) {
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Transcript"));
    constexpr int kFrameMilliseconds = 16;
    updateTimer_.setSingleShot(true);
    updateTimer_.setInterval(kFrameMilliseconds);
    parseTimer_.setSingleShot(true);
    parseTimer_.setInterval(0);
    dragTimer_.setInterval(kFrameMilliseconds);
    connect(&updateTimer_, &QTimer::timeout, this, &TranscriptView::refresh);
    connect(&parseTimer_, &QTimer::timeout, this, [this] {
        if (layout_.parseMore()) refresh();
    });
    connect(&dragTimer_, &QTimer::timeout, this, &TranscriptView::dragScroll);
    connect(&theme_, &Theme::changed, this, &TranscriptView::restyle);
    connect(&find_, &TranscriptFind::progressed, this, [this] {
        if (find_.current() < 0 && find_.count() > 0) showHit(find_.move(TranscriptFind::Direction::kOn));
        refresh();
        Q_EMIT foundChanged(find_.current(), find_.count(), find_.searching());
    });
    installTranscriptAccessibility();
    restyle();
}

TranscriptView::~TranscriptView() = default;

void TranscriptView::setModel(TranscriptModel* model) {
    if (model_ != nullptr) disconnect(model_, nullptr, this, nullptr);
    model_ = model;
    selection_.clear();
    focus_.reset();
    current_ = -1;
    layout_.setModel(model);
    if (model != nullptr) connectModel();
    refresh();
}

void TranscriptView::connectModel() {
    connect(model_, &QAbstractItemModel::modelReset, this, [this] {
        selection_.clear();
        focus_.reset();
        hover_.reset();
        pressed_.reset();
        hoverItem_ = current_ = -1;
        layout_.reset();
        find_.search({});
        refresh();
        announceReset(*this);
    });
    connect(model_, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex&, int first, int) {
        layout_.appended();
        find_.appended();
        // Who sends a message wants to see it, wherever they were reading.
        if (model_->message(first).role == MessageRole::kUser) layout_.scrollToEnd();
        scheduleUpdate();
        announceMessage(*this, first);
    });
    connect(model_, &QAbstractItemModel::rowsRemoved, this, [this](const QModelIndex&, int first, int) {
        layout_.removedFrom(first);
        selection_.removedFrom(first);
        find_.removedFrom(first);
        focus_.reset();
        hover_.reset();
        pressed_.reset();
        hoverItem_ = -1;
        current_ = std::min(current_, first - 1);
        refresh();
        announceReset(*this);
    });
    connect(model_, &QAbstractItemModel::dataChanged, this,
            [this](const QModelIndex& first, const QModelIndex& last, const QList<int>& roles) {
                for (int row = first.row(); row <= last.row(); ++row) {
                    layout_.changed(row);
                    find_.messageChanged(row);
                    if (roles.contains(TranscriptModel::kStateRole)) announceMessage(*this, row);
                }
                scheduleUpdate();
            });
}

void TranscriptView::setCitationPattern(InlinePattern pattern) {
    selection_.clear();
    focus_.reset();
    layout_.setPattern(std::move(pattern));
    refresh();
}

void TranscriptView::scheduleUpdate() {
    if (!updateTimer_.isActive()) updateTimer_.start();
}

qreal TranscriptView::columnWidth() const {
    const qreal margin = theme_.space(6);
    return std::max<qreal>(80, std::min<qreal>(theme_.readingWidth(), viewport()->width() - 2 * margin));
}

qreal TranscriptView::columnLeft() const {
    return std::floor((viewport()->width() - columnWidth()) / 2);
}

void TranscriptView::restyle() {
    setPalette(theme_.palette());
    layout_.setWidth(columnWidth());
    layout_.invalidate();
    verticalScrollBar()->setSingleStep(theme_.space(8));
    refresh();
}

void TranscriptView::refresh() {
    layout_.setWidth(columnWidth());
    layout_.setViewHeight(viewport()->height());
    layout_.update();
    // The bar counts whole pixels: at its top, the transcript is at its top, too.
    if (constexpr qreal kHalf = 0.5; !layout_.atEnd() && layout_.value() > 0 && layout_.value() < kHalf) {
        layout_.scrollTo(0);
        layout_.update();
    }
    const int page = viewport()->height();
    settingBar_ = true;
    QScrollBar* bar = verticalScrollBar();
    bar->setPageStep(page);
    bar->setRange(0, std::max(0, qRound(layout_.total()) - page));
    barValue_ = layout_.atEnd() ? bar->maximum() : qRound(layout_.value());
    bar->setValue(barValue_);
    barValue_ = bar->value();
    settingBar_ = false;
    for (const auto& row : layout_.visible()) {
        if (row.key.part == MessageItem::Part::kPending) parseTimer_.start();
    }
    viewport()->update();
}

void TranscriptView::scrollContentsBy(int /*dx*/, int /*dy*/) {
    if (settingBar_) return;
    const int value = verticalScrollBar()->value();
    const int distance = value - barValue_;
    if (value == verticalScrollBar()->maximum() && distance > 0) {
        layout_.scrollToEnd();
    } else if (std::abs(distance) <= 3 * viewport()->height()) {
        layout_.scrollBy(distance);  // exact: what is passed on the way is laid out
    } else {
        layout_.scrollTo(value);
    }
    refresh();
}

void TranscriptView::resizeEvent(QResizeEvent* /*event*/) {
    refresh();
}

void TranscriptView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    const QEvent::Type type = event->type();
    if (type == QEvent::ApplicationFontChange || type == QEvent::LocaleChange || type == QEvent::LanguageChange)
        restyle();
}

void TranscriptView::scrollToEnd() {
    layout_.scrollToEnd();
    refresh();
}

void TranscriptView::scrollToMessage(int64_t id) {
    const int row = model_ == nullptr ? -1 : model_->rowOf(id);
    if (row >= 0) setCurrentRow(row);
}

void TranscriptView::setCurrentRow(int row) {
    if (model_ == nullptr || row < -1 || row >= model_->rowCount()) return;
    current_ = row;
    focus_.reset();
    if (row >= 0) {
        constexpr qreal kSome = 60;  // of the message
        layout_.reveal(row, {}, 0, kSome);
        announceFocus(*this, row);
    }
    refresh();
}

QRect TranscriptView::messageRect(int row) const {
    QRectF out;
    for (const auto& visible : layout_.visible()) {
        if (visible.item == row) out |= QRectF(columnLeft(), visible.y, columnWidth(), visible.layout->height());
    }
    return out.toAlignedRect();
}

void TranscriptView::paintBackgrounds(QPainter& painter) const {
    const auto& rows = layout_.visible();
    const qreal pad = theme_.space(3);
    painter.setRenderHint(QPainter::Antialiasing);
    for (size_t i = 0; i < rows.size();) {
        const int item = rows[i].item;
        const qreal top = rows[i].row == 0 ? rows[i].y + theme_.space(4) : -100;
        qreal bottom = 0;
        for (; i < rows.size() && rows[i].item == item; ++i) {
            const bool footer = rows[i].key.part == MessageItem::Part::kFooter;
            bottom = footer ? rows[i].y + theme_.space(2) : rows[i].y + rows[i].layout->height() + 100;
        }
        const QRectF card(columnLeft() - pad, top, columnWidth() + 2 * pad, bottom - top);
        if (model_->message(item).role == MessageRole::kUser) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme_.colours().raised);
            painter.drawRoundedRect(card, theme_.radius(), theme_.radius());
        }
        if (item == current_ && hasFocus() && !focus_) {  // the message that keys act on
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme_.colours().accent);
            painter.drawRect(QRectF(card.left() - theme_.space(2), card.top(), 3, card.height()));
        }
    }
}

void TranscriptView::paintRow(QPainter& painter, const TranscriptLayout::VisibleRow& row, const QRect& dirty) const {
    RowPaint state;
    const MessageItem& item = const_cast<TranscriptLayout&>(layout_).item(row.item);
    if (const Block* block = item.block(row.key)) {
        const auto length = static_cast<int>(blockText(*block).size());
        std::tie(state.selectionBegin, state.selectionEnd) = selection_.inRow(row.item, row.key, length);
        state.found = find_.inRow(row.item, row.key);
    }
    if (hover_ && hover_->item == row.item && hover_->key == row.key) state.hovered = hover_->hot;
    if (focus_ && hasFocus() && focus_->item == row.item && focus_->key == row.key) state.focused = focus_->hot;
    state.active =
        row.item == hoverItem_ || (row.item == current_ && hasFocus()) || row.item + 1 == layout_.itemCount();
    state.clip = QRectF(dirty).translated(-columnLeft(), -row.y);
    painter.save();
    painter.setLayoutDirection(Qt::LeftToRight);  // rows have their own places, and paragraphs their own direction
    painter.translate(columnLeft(), row.y);
    row.layout->paint(painter, theme_, state);
    painter.restore();
}

void TranscriptView::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.fillRect(event->rect(), theme_.colours().surface);
    if (layout_.itemCount() == 0) return;
    if (layout_.visible().empty()) layout_.update();
    paintBackgrounds(painter);
    for (const auto& row : layout_.visible()) paintRow(painter, row, event->rect());
}

void TranscriptView::find(const QString& text) {
    find_.search(text);
}

void TranscriptView::findNext() {
    showHit(find_.move(TranscriptFind::Direction::kOn));
    refresh();
    Q_EMIT foundChanged(find_.current(), find_.count(), find_.searching());
}

void TranscriptView::findPrevious() {
    showHit(find_.move(TranscriptFind::Direction::kBack));
    refresh();
    Q_EMIT foundChanged(find_.current(), find_.count(), find_.searching());
}

void TranscriptView::showHit(const TextPlace* hit) {
    if (hit == nullptr) return;
    MessageItem& item = layout_.item(hit->item);
    const QRectF at = layout_.layoutRow(hit->item, item.find(hit->key)).caret(hit->offset);
    layout_.reveal(hit->item, hit->key, at.top() - theme_.space(8), at.bottom() + theme_.space(8));
}

QString TranscriptView::selectedText(CopyFormat format) {
    return pal::desktop::selectedText(layout_, selection_, format);
}

void TranscriptView::selectAll() {
    if (layout_.itemCount() == 0) return;
    const auto [first, last] = wholeTranscript(layout_);
    selection_.set(first, last);
    refresh();
}

void TranscriptView::copySelection() {
    if (selection_.isEmpty()) return;
    auto* content = new QMimeData;  // the clipboard owns it
    content->setText(selectedText(CopyFormat::kPlain));
    content->setData(QStringLiteral("text/markdown"), selectedText(CopyFormat::kMarkdown).toUtf8());
    QApplication::clipboard()->setMimeData(content);
    Q_EMIT copied();
}

void TranscriptView::copySelectionAsMarkdown() {
    if (selection_.isEmpty()) return;
    QApplication::clipboard()->setText(selectedText(CopyFormat::kMarkdown));
    Q_EMIT copied();
}

QString TranscriptView::heardText(int row) {
    QStringList lines;
    MessageItem& item = layout_.wholeItem(row);
    for (size_t i = 0; i < item.rowCount(); ++i) {
        const Block* block = item.block(item.key(i));
        if (block == nullptr) continue;
        const QString text = blockText(*block);
        lines += block->marker.isEmpty() ? text : block->marker + u' ' + text;
    }
    return lines.join(u'\n').replace(QChar::LineSeparator, u'\n');
}

QString TranscriptView::describedState(int row) const {
    const TranscriptMessage& message = model_->message(row);
    QStringList parts = message.attachments;
    for (const Notice& notice : message.notices) parts += notice.text;
    parts += stateLabel(message);
    if (message.siblings > 1) parts += tr("version %1 of %2").arg(message.sibling).arg(message.siblings);
    parts += TranscriptModel::timingLine(message.timing);
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

void TranscriptView::toggleThinking(int row) {
    layout_.toggle(row, {MessageItem::Part::kThinkingFold, 0});
    refresh();
}

}  // namespace pal::desktop
