// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QPlainTextEdit>
#include <QStringList>

namespace pal::desktop {

// Where a question is written: plain text that grows with its lines up to a limit. Enter sends, Shift+Enter begins a line; while an input
// method composes, Enter is its own. Files, images and long texts that are pasted or dropped are told and do not enter the text.
class InputEdit : public QPlainTextEdit {
    Q_OBJECT

  public:
    static constexpr qsizetype kLongestPaste = 8192;  // characters; a longer text is told by textPasted()
    static constexpr int kMostLines = 12;             // before it scrolls

    explicit InputEdit(QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  Q_SIGNALS:
    void submitted();
    void filesGiven(const QStringList& paths);
    void imagePasted(const QImage& image);
    void textPasted(const QString& text);

  protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void inputMethodEvent(QInputMethodEvent* event) override;
    bool canInsertFromMimeData(const QMimeData* source) const override;
    void insertFromMimeData(const QMimeData* source) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    [[nodiscard]] int heightFor(int lines) const;
    void followDirection();

    bool composing_ = false;  // an input method shows text that is not committed
};

// The local files of a drop or paste; empty when it has others.
[[nodiscard]] QStringList localFiles(const QMimeData& data);

}  // namespace pal::desktop
