// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFont>
#include <QTextLayout>
#include <vector>

#include "app/desktop/style/theme.h"
#include "app/desktop/transcript/block.h"
#include "app/desktop/transcript/code_highlighter.h"
#include "app/desktop/transcript/row_layout.h"

namespace pal::desktop {

// How an InlineText is to be set.
struct TextSetting {
    QFont font;
    QColor colour;
    Qt::Alignment alignment = Qt::AlignLeft;  // the side where reading starts
    bool leftToRight = false;                 // whatever the text; for code
    qreal lineSpacing = 1.3;                  // times a line's own height
};

// Lines of text at one width: bidirectional, wrapped anywhere if need be. A thin wrap of QTextLayout that knows spans.
class TextLayout {
  public:
    TextLayout(const InlineText& text, const Theme& theme, const TextSetting& setting,
               const std::vector<CodeToken>& tokens = {});

    // Breaks into lines of `width`; can be called again.
    void breakLines(qreal width);
    [[nodiscard]] qreal height() const { return height_; }
    [[nodiscard]] qreal naturalWidth() const { return naturalWidth_; }  // of the widest line
    [[nodiscard]] bool rightToLeft() const { return rightToLeft_; }
    [[nodiscard]] qreal firstBaseline() const;

    void paint(QPainter& painter, QPointF at, const Theme& theme, const RowPaint& state) const;
    [[nodiscard]] int offsetAt(QPointF point) const;
    [[nodiscard]] QRectF caret(int offset) const;
    // Where [begin, end) stands, a rectangle for each line.
    [[nodiscard]] std::vector<QRectF> rects(int begin, int end) const;
    // The links and citations of `text`, moved by `at`.
    void addHots(const InlineText& text, QPointF at, std::vector<Hot>& hots) const;

  private:
    QTextLayout layout_;
    TextSetting setting_;
    bool rightToLeft_ = false;
    qreal height_ = 0, naturalWidth_ = 0;
};

// What opens outside of the program: addresses of the web and of mail. Other targets stay text.
[[nodiscard]] bool opensOutside(const QString& target);

}  // namespace pal::desktop
