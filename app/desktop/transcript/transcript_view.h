// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractScrollArea>
#include <QElapsedTimer>
#include <QTimer>
#include <QUrl>
#include <optional>

#include "app/desktop/transcript/message_action.h"
#include "app/desktop/transcript/transcript_find.h"
#include "app/desktop/transcript/transcript_layout.h"
#include "app/desktop/transcript/transcript_selection.h"

class QContextMenuEvent;
class QHelpEvent;

namespace pal::desktop {

// The transcript: shows a TranscriptModel, follows it while it streams, and says what people want done. It changes nothing itself.
//
// Mouse: links, citations and buttons are pressed. Text is selected by dragging, by two clicks (word) and by three (block). The right button
// opens the menu of a message.
// Keyboard, in the view: arrows, Page Up/Down, Home and End scroll. Ctrl+Up and Ctrl+Down go from message to message. Tab goes through what
// can be pressed in the current message and then leaves; Enter and Space press it. Shift with arrows selects, with Ctrl by words. Ctrl+A
// selects all, Ctrl+C copies text and Markdown, Ctrl+Shift+C Markdown only. For the current message: Ctrl+R answers again, F2 edits,
// Ctrl+Shift+N forks, Delete deletes, Alt+Left and Alt+Right change the version, the menu key has all of it; with the focus here they go
// before commands of the window that have the same keys. F3 and Shift+F3 go through what was found.
class TranscriptView : public QAbstractScrollArea {
    Q_OBJECT

  public:
    // `theme` outlives the view.
    explicit TranscriptView(const Theme& theme, QWidget* parent = nullptr);
    ~TranscriptView() override;

    // Not owned; null shows nothing.
    void setModel(TranscriptModel* model);
    [[nodiscard]] TranscriptModel* model() const { return model_; }
    // What in the model's texts is a reference (citationPattern()); the match's target is given back by citationActivated().
    void setCitationPattern(InlinePattern pattern);

    void find(const QString& text);
    void findNext();
    void findPrevious();
    [[nodiscard]] int foundCount() const { return find_.count(); }
    [[nodiscard]] int foundCurrent() const { return find_.current(); }

    [[nodiscard]] bool atEnd() const { return layout_.atEnd(); }
    void scrollToEnd();
    void scrollToMessage(int64_t id);

    // The message that keys act on: chosen by Ctrl+Up/Down or a click; -1: none.
    [[nodiscard]] int currentRow() const { return current_; }
    void setCurrentRow(int row);

    [[nodiscard]] QString selectedText(CopyFormat format);
    void selectAll();
    void copySelection();
    void copySelectionAsMarkdown();
    // Presses a fold, as a click on its line would.
    void toggleThinking(int row);

    // For people who hear the transcript: a message's blocks line by line, and its state, timing and version in words.
    [[nodiscard]] QString heardText(int row);
    [[nodiscard]] QString describedState(int row) const;

    [[nodiscard]] const TranscriptLayout& layout() const { return layout_; }
    // Where a message is in the viewport; empty when it is not visible.
    [[nodiscard]] QRect messageRect(int row) const;

  Q_SIGNALS:
    // Ids are the model's. Copying is done already.
    void editRequested(qint64 id);
    void regenerateRequested(qint64 id);
    void forkRequested(qint64 id);
    void deleteRequested(qint64 id);
    void siblingRequested(qint64 id, int step);  // -1 or 1
    void citationActivated(const QString& source, qint64 id);
    // A click on text that is nothing to press: the word there, and how often it stands before in what is shown of the message.
    void wordClicked(qint64 id, const QString& word, int before);
    // http, https or mailto; whoever opens it asks first.
    void linkActivated(const QUrl& url);
    void foundChanged(int current, int count, bool searching);
    void copied();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    bool viewportEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    // Something that can be pressed: a hot of a row.
    struct HotPlace {
        int item = -1;
        MessageItem::Key key;
        int hot = -1;
        friend bool operator==(const HotPlace&, const HotPlace&) = default;
    };

    void connectModel();
    void scheduleUpdate();
    void refresh();  // lays out what is visible, sets the scroll bar, repaints
    void restyle();
    [[nodiscard]] qreal columnLeft() const;
    [[nodiscard]] qreal columnWidth() const;
    void paintRow(QPainter& painter, const TranscriptLayout::VisibleRow& row, const QRect& dirty) const;
    void paintBackgrounds(QPainter& painter) const;

    [[nodiscard]] const TranscriptLayout::VisibleRow* rowAt(qreal y) const;
    [[nodiscard]] std::optional<HotPlace> hotAt(QPointF point) const;
    [[nodiscard]] const Hot* hot(const HotPlace& place);
    [[nodiscard]] std::optional<TextPlace> placeAt(QPointF point) const;
    void activate(const HotPlace& place);
    void tellWord(QPointF point);
    void act(MessageAction action, int row);
    void setHover(std::optional<HotPlace> place, int item);
    void showHit(const TextPlace* hit);
    void showFocus(const HotPlace& place);
    enum class Step { kBack, kOn };
    [[nodiscard]] std::optional<HotPlace> hotBeside(int row, const std::optional<HotPlace>& from, Step step);
    bool handleScrollKey(const QKeyEvent& event);
    bool handleMessageKey(const QKeyEvent& event);
    [[nodiscard]] std::optional<MessageAction> actionOf(const QKeyEvent& event) const;
    bool handleSelectionKey(const QKeyEvent& event);
    void moveCurrent(int step);
    void extendTo(const TextPlace& place);
    void dragScroll();

    const Theme& theme_;
    TranscriptModel* model_ = nullptr;
    TranscriptLayout layout_;
    TranscriptFind find_;
    TranscriptSelection selection_;

    QTimer updateTimer_;  // changes of the model, at most 60 times a second
    QTimer parseTimer_;   // the rest of long texts
    QTimer dragTimer_;
    bool settingBar_ = false;
    int barValue_ = 0;

    int current_ = -1, hoverItem_ = -1;
    std::optional<HotPlace> hover_, pressed_, focus_;
    bool selecting_ = false;
    QPointF mouse_;
    QElapsedTimer sinceDoubleClick_;
};

}  // namespace pal::desktop
