// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFont>
#include <QTextLayout>
#include <memory>
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
    friend bool operator==(const TextSetting&, const TextSetting&) = default;
};

// Lines of text at one width: bidirectional, wrapped anywhere if need be.
//
// A long text is set in sections of whole lines, each from its own stretch of the text and nothing else, so that a text that grows at its end
// is set again only there (continueFrom) and looks as if it had been set at once. Section borders lie before letters, which need nothing
// before them to find their direction.
class TextLayout {
  public:
    // `tokens` colour the text on top of its spans. `theme` outlives it.
    TextLayout(InlineText text, const Theme& theme, const TextSetting& setting, std::vector<CodeToken> tokens = {});

    // Breaks into lines of `width`; can be called again.
    void breakLines(qreal width);
    // The same; sections that are those of `before`, set of an earlier text with the same theme and without tokens, are taken out of it.
    void continueFrom(TextLayout& before, qreal width);
    [[nodiscard]] const InlineText& text() const { return text_; }
    [[nodiscard]] const TextSetting& setting() const { return setting_; }
    [[nodiscard]] qreal height() const { return height_; }
    [[nodiscard]] qreal naturalWidth() const { return naturalWidth_; }  // of the widest line
    [[nodiscard]] bool rightToLeft() const { return rightToLeft_; }
    [[nodiscard]] qreal firstBaseline() const;

    void paint(QPainter& painter, QPointF at, const Theme& theme, const RowPaint& state) const;
    [[nodiscard]] int offsetAt(QPointF point) const;
    [[nodiscard]] QRectF caret(int offset) const;
    // Where [begin, end) stands, a rectangle for each line.
    [[nodiscard]] std::vector<QRectF> rects(int begin, int end) const;
    // The links and citations of the text, moved by `at`.
    void addHots(QPointF at, std::vector<Hot>& hots) const;

  private:
    // Lines of [begin, end), from the text of [begin, seen).
    struct Section {
        int begin = 0, end = 0, seen = 0;
        qreal top = 0, height = 0, naturalWidth = 0;
        std::unique_ptr<QTextLayout> lines;
    };

    void append(Section section);
    [[nodiscard]] Section setSection(int begin) const;
    bool breakSection(Section& section) const;
    [[nodiscard]] std::unique_ptr<QTextLayout> stretch(int begin, int end) const;
    [[nodiscard]] int commonLength(const TextLayout& before) const;
    [[nodiscard]] const Section& sectionAt(int offset) const;

    const Theme& theme_;
    InlineText text_;
    QString shown_;  // the text with line separators
    TextSetting setting_;
    std::vector<CodeToken> tokens_;
    QTextOption option_;
    std::vector<Section> sections_;
    bool rightToLeft_ = false;
    qreal width_ = 0, height_ = 0, naturalWidth_ = 0;
};

// What opens outside of the program: addresses of the web and of mail. Other targets stay text.
[[nodiscard]] bool opensOutside(const QString& target);

}  // namespace pal::desktop
