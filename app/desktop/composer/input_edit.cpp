// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/composer/input_edit.h"

#include <QAbstractTextDocumentLayout>
#include <QKeyEvent>
#include <QMimeData>
#include <QScrollBar>
#include <QTextBlock>
#include <QUrl>
#include <algorithm>
#include <cmath>

namespace pal::desktop {

QStringList localFiles(const QMimeData& data) {
    QStringList out;
    for (const QUrl& url : data.urls()) {
        if (!url.isLocalFile()) return {};
        out.push_back(url.toLocalFile());
    }
    return out;
}

InputEdit::InputEdit(QWidget* parent) : QPlainTextEdit(parent) {
    setFrameShape(QFrame::NoFrame);
    setTabChangesFocus(true);
    setPlaceholderText(tr("Ask something, or drop files here"));
    setAccessibleName(tr("Your message"));
    setAccessibleDescription(tr("Enter sends, Shift+Enter begins a new line"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this, [this] {
        const bool scrolls = document()->size().height() > kMostLines;
        setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
        updateGeometry();
    });
    connect(this, &QPlainTextEdit::textChanged, this, &InputEdit::followDirection);
    followDirection();
}

// Text stands at the side where its first words begin to be read, and before there are any at the side of the window, where the hint is.
// Every paragraph still has its own direction.
void InputEdit::followDirection() {
    QTextBlock block = document()->firstBlock();
    while (block.next().isValid() && block.text().trimmed().isEmpty()) block = block.next();
    const QString text = block.text().left(200);
    const bool rightToLeft = text.trimmed().isEmpty() ? isRightToLeft() : text.isRightToLeft();
    QTextOption option = document()->defaultTextOption();
    const Qt::Alignment side = rightToLeft ? Qt::AlignRight : Qt::AlignLeft;
    const Qt::LayoutDirection direction = document()->isEmpty() ? layoutDirection() : Qt::LayoutDirectionAuto;
    if (option.alignment() == side && option.textDirection() == direction) return;
    option.setAlignment(side);
    option.setTextDirection(direction);
    document()->setDefaultTextOption(option);
}

int InputEdit::heightFor(int lines) const {
    const double margins = 2 * document()->documentMargin() + contentsMargins().top() + contentsMargins().bottom();
    return static_cast<int>(lines * std::ceil(QFontMetricsF(font()).lineSpacing()) + std::ceil(margins)) +
           2 * frameWidth();
}

QSize InputEdit::sizeHint() const {
    // The size of a plain text document is in lines.
    const auto lines = static_cast<int>(document()->size().height());
    return {QPlainTextEdit::sizeHint().width(), heightFor(std::clamp(lines, 1, kMostLines))};
}

QSize InputEdit::minimumSizeHint() const {
    return {QFontMetrics(font()).averageCharWidth() * 20, heightFor(1)};
}

// Where the text has nothing to do again, the keys for that are the window's, which undoes other things with them.
bool InputEdit::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && !document()->isRedoAvailable() &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Redo)) {
        event->ignore();
        return true;
    }
    return QPlainTextEdit::event(event);
}

void InputEdit::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter) {
        if (composing_) {
            event->accept();  // it ends what is composed, and that is the input method's
            return;
        }
        if (event->modifiers() & Qt::ShiftModifier) {
            insertPlainText(QStringLiteral("\n"));
            ensureCursorVisible();
        } else if (!event->isAutoRepeat()) {
            Q_EMIT submitted();
        }
        event->accept();
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
}

void InputEdit::inputMethodEvent(QInputMethodEvent* event) {
    composing_ = !event->preeditString().isEmpty();
    QPlainTextEdit::inputMethodEvent(event);
}

bool InputEdit::canInsertFromMimeData(const QMimeData* source) const {
    return source->hasUrls() || source->hasImage() || QPlainTextEdit::canInsertFromMimeData(source);
}

void InputEdit::insertFromMimeData(const QMimeData* source) {
    if (const QStringList files = localFiles(*source); !files.isEmpty()) {
        Q_EMIT filesGiven(files);
    } else if (source->hasImage() && !source->hasText()) {
        Q_EMIT imagePasted(qvariant_cast<QImage>(source->imageData()));
    } else if (const QString text = source->text(); text.size() > kLongestPaste) {  // read once: it may be long
        Q_EMIT textPasted(text);
    } else {
        QPlainTextEdit::insertFromMimeData(source);
    }
}

// The line that was begun scrolled the first one away before there was room for both.
void InputEdit::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    if (document()->size().height() <= kMostLines) verticalScrollBar()->setValue(0);
}

void InputEdit::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange) updateGeometry();
    if (event->type() == QEvent::LayoutDirectionChange) followDirection();
}

}  // namespace pal::desktop
