// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/block_row.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/desktop/style/icons.h"
#include "app/desktop/transcript/table_row.h"
#include "app/desktop/transcript/text_layout.h"

namespace pal::desktop {
namespace {

// Where a block's own area begins and what stands before it.
struct Frame {
    qreal top = 0;    // space above
    qreal inset = 0;  // of the area, from the side where reading starts
    std::vector<std::pair<qreal, bool>>
        bars;               // of quotes: distance from that side, and whether it goes on from the block above
    qreal markerRight = 0;  // where a list marker ends
};

qreal itemIndent(const Container& container, const Theme& theme) {
    const QFontMetricsF metrics(theme.body());
    return std::max<qreal>(theme.space(5), metrics.horizontalAdvance(u'0') * (container.markerWidth + 1));
}

// In quarters of a line.
int spaceAbove(const Block& block, const BlockSetting& setting) {
    if (block.continues || setting.first) return 0;
    if (block.kind == BlockKind::kHeading) return block.level <= 2 ? 6 : 5;
    if (block.tight && !block.containers.empty() && block.kind != BlockKind::kCode) {
        return setting.deeper && block.containers.size() == 1 ? 2 : 1;
    }
    return 3;
}

Frame frameOf(const Block& block, const BlockSetting& setting) {
    const Theme& theme = *setting.theme;
    Frame frame;
    const int quarters = spaceAbove(block, setting);
    frame.top = quarters == 0 ? 0 : theme.space(quarters);
    if (setting.voice == BlockSetting::Voice::kThinking) {
        frame.bars.emplace_back(0, true);
        frame.inset = theme.space(3);
    }
    for (size_t i = 0; i < block.containers.size(); ++i) {
        const Container& container = block.containers[i];
        if (container.kind == Container::Kind::kQuote) {
            frame.bars.emplace_back(frame.inset, i < block.sharedContainers);
            frame.inset += theme.space(4);
        } else {
            frame.inset += itemIndent(container, theme);
        }
    }
    frame.inset = std::min(frame.inset, setting.width * 0.6);
    frame.markerRight = frame.inset - theme.space(2);
    return frame;
}

TextSetting textSetting(const Block& block, const BlockSetting& setting) {
    const Theme& theme = *setting.theme;
    TextSetting out;
    out.font = theme.body();
    out.colour = setting.voice == BlockSetting::Voice::kThinking ? theme.colours().muted : theme.colours().text;
    switch (block.kind) {
        case BlockKind::kHeading:
            out.font = theme.heading(block.level + 1);
            out.font.setWeight(QFont::Bold);  // fonts for Chinese have nothing lighter
            break;
        case BlockKind::kCode:
            out.font = theme.mono();
            out.leftToRight = true;
            out.lineSpacing = 1.2;
            break;
        case BlockKind::kMath:
            out.alignment = Qt::AlignHCenter;
            break;
        default:
            break;
    }
    return out;
}

void paintBars(QPainter& painter, const Theme& theme, const Frame& frame, const QRectF& row, bool rightToLeft) {
    for (const auto& [distance, goesOn] : frame.bars) {
        const qreal top = goesOn ? row.top() : row.top() + frame.top;
        const qreal x = rightToLeft ? row.right() - distance - 3 : row.left() + distance;
        painter.fillRect(QRectF(x, top, 3, row.bottom() - top), theme.colours().faint);
    }
}

class ParagraphRow : public RowLayout {
  public:
    ParagraphRow(const Block& block, const BlockSetting& setting, ParagraphRow* before)
        : frame_(frameOf(block, setting)),
          text_(block.content, *setting.theme, textSetting(block, setting)),
          width_(setting.width) {
        const qreal width = width_ - frame_.inset;
        if (before == nullptr) {
            text_.breakLines(width);
        } else {
            text_.continueFrom(before->text_, width);
        }
        height_ = frame_.top + text_.height();
        at_ = {text_.rightToLeft() ? 0 : frame_.inset, frame_.top};
        text_.addHots(at_, hots_);
        marker_ = block.marker;
        markerFont_ = setting.theme->body();
    }

    void paint(QPainter& painter, const Theme& theme, const RowPaint& state) const override {
        paintBars(painter, theme, frame_, {0, 0, width_, height_}, text_.rightToLeft());
        text_.paint(painter, at_, theme, state);
        if (!marker_.isEmpty()) {
            painter.setPen(theme.colours().muted);
            painter.setFont(markerFont_);
            const qreal length = QFontMetricsF(markerFont_).horizontalAdvance(marker_);
            const qreal x = text_.rightToLeft() ? width_ - frame_.markerRight : frame_.markerRight - length;
            painter.drawText(QPointF(x, at_.y() + text_.firstBaseline()), marker_);
        }
        paintFocus(painter, theme, state);
    }
    [[nodiscard]] int offsetAt(QPointF point) const override { return text_.offsetAt(point - at_); }
    [[nodiscard]] QRectF caret(int offset) const override { return text_.caret(offset).translated(at_); }

  private:
    Frame frame_;
    TextLayout text_;
    qreal width_;
    QPointF at_;
    QString marker_;
    QFont markerFont_;
};

std::vector<CodeToken> tokensOf(const Block& block, HighlightState* state) {
    const CodeLanguage* language = codeLanguage(block.language);
    if (language == nullptr) return {};
    HighlightState fresh;
    return highlightCode(block.content.text, *language, state == nullptr ? fresh : *state);
}

// A part of a code block; the first carries the language and the button that copies all of it.
class CodeRow : public RowLayout {
  public:
    CodeRow(const Block& block, const BlockSetting& setting)
        : frame_(frameOf(block, setting)),
          text_(shownCode(block), *setting.theme, textSetting(block, setting), tokensOf(block, setting.highlight)),
          width_(setting.width),
          radius_(setting.theme->radius()),
          first_(!block.continues),
          last_(!block.continued),
          language_(block.language) {
        const Theme& theme = *setting.theme;
        const qreal pad = theme.space(3);
        const qreal bar = first_ ? QFontMetricsF(theme.small()).height() + theme.space(2) : 0;
        text_.breakLines(width_ - frame_.inset - 2 * pad);
        height_ = frame_.top + bar + text_.height() + (last_ ? theme.space(2) : 0);
        at_ = {frame_.inset + pad, frame_.top + bar};
        if (!first_) return;
        const qreal edge = theme.iconSize();
        const QRectF button(width_ - edge - theme.space(2), frame_.top + (bar - edge) / 2 + 2, edge, edge);
        hots_.push_back(
            {Hot::Kind::kCopyCode, {button}, {}, QCoreApplication::translate("Transcript", "Copy code"), 0});
        copyIcon_ = icon(QStringLiteral("copy"), theme, IconColour::kMuted);
        marker_ = block.marker;
    }

    void paint(QPainter& painter, const Theme& theme, const RowPaint& state) const override {
        paintBars(painter, theme, frame_, {0, 0, width_, height_}, false);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.colours().sunken);
        // Corners are round only where the whole block ends: the others are drawn outside and cut off.
        const QRectF part(frame_.inset, frame_.top, width_ - frame_.inset, height_ - frame_.top);
        painter.setClipRect(part, Qt::IntersectClip);
        painter.drawRoundedRect(part.adjusted(0, first_ ? 0 : -2 * radius_, 0, last_ ? 0 : 2 * radius_), radius_,
                                radius_);
        painter.restore();
        if (first_) {
            painter.setFont(theme.small());
            painter.setPen(theme.colours().muted);
            const QRectF bar(at_.x(), frame_.top, width_ - at_.x(), at_.y() - frame_.top);
            painter.drawText(bar, Qt::AlignLeft | Qt::AlignVCenter, language_);
            const QRectF button = hots_.front().rects.front();
            if (state.hovered == 0) painter.fillRect(button.adjusted(-3, -3, 3, 3), theme.colours().raised);
            copyIcon_.paint(&painter, button.toAlignedRect());
        }
        text_.paint(painter, at_, theme, state);
        if (!marker_.isEmpty())
            painter.drawText(QPointF(frame_.inset - theme.space(4), at_.y() + text_.firstBaseline()), marker_);
        paintFocus(painter, theme, state);
    }
    [[nodiscard]] int offsetAt(QPointF point) const override { return text_.offsetAt(point - at_); }
    [[nodiscard]] QRectF caret(int offset) const override { return text_.caret(offset).translated(at_); }

  private:
    // The line end of a part that is followed by another is no line.
    static InlineText shownCode(const Block& block) {
        InlineText out = block.content;
        if (block.continued && out.text.endsWith(u'\n')) out.text.chop(1);
        return out;
    }

    Frame frame_;
    TextLayout text_;
    qreal width_, radius_;
    bool first_, last_;
    QString language_, marker_;
    QPointF at_;
    QIcon copyIcon_;
};

class RuleRow : public RowLayout {
  public:
    RuleRow(const Block& block, const BlockSetting& setting) : frame_(frameOf(block, setting)), width_(setting.width) {
        height_ = frame_.top + setting.theme->space(2);
    }
    void paint(QPainter& painter, const Theme& theme, const RowPaint& /*state*/) const override {
        paintBars(painter, theme, frame_, {0, 0, width_, height_}, false);
        painter.fillRect(QRectF(frame_.inset, height_ - theme.space(1), width_ - frame_.inset, 1),
                         theme.colours().faint);
    }

  private:
    Frame frame_;
    qreal width_;
};

}  // namespace

std::unique_ptr<RowLayout> makeBlockRow(const Block& block, const BlockSetting& setting,
                                        std::unique_ptr<RowLayout> before) {
    switch (block.kind) {
        case BlockKind::kCode:
            return std::make_unique<CodeRow>(block, setting);
        case BlockKind::kRule:
            return std::make_unique<RuleRow>(block, setting);
        case BlockKind::kTable: {
            const Frame frame = frameOf(block, setting);
            return std::make_unique<TableRow>(block, *setting.theme, TablePlace{frame.top, frame.inset, setting.width},
                                              dynamic_cast<TableRow*>(before.get()));
        }
        default:
            return std::make_unique<ParagraphRow>(block, setting, dynamic_cast<ParagraphRow*>(before.get()));
    }
}

bool mayBePressed(const Block& block) {
    const auto pressed = [](const InlineText& text) {
        return std::any_of(text.spans.begin(), text.spans.end(),
                           [](const Span& span) { return (span.style & (kSpanLink | kSpanCitation)) != 0; });
    };
    return (block.kind == BlockKind::kCode && !block.continues) || pressed(block.content) ||
           std::any_of(block.cells.begin(), block.cells.end(), pressed);
}

EstimateMetrics estimateMetrics(const Theme& theme) {
    const QFontMetricsF body(theme.body());
    return {body.height() * 1.3, body.averageCharWidth(), QFontMetricsF(theme.small()).height(), body.height() / 4};
}

qreal estimateBlockHeight(const Block& block, const BlockSetting& setting, const EstimateMetrics& metrics) {
    const qreal above = spaceAbove(block, setting) * metrics.quarter;
    const auto lines = [&]() -> qreal {
        switch (block.kind) {
            case BlockKind::kRule:
                return 0.5;
            case BlockKind::kTable:
                return static_cast<qreal>(block.cells.size() / std::max<size_t>(1, block.aligns.size())) * 1.4;
            case BlockKind::kCode:
                return static_cast<qreal>(block.content.text.count(u'\n') + (block.continues ? 1 : 2)) * 0.9;
            default: {
                const qreal perLine = std::max<qreal>(10, setting.width / metrics.character);
                return std::ceil(static_cast<qreal>(block.content.text.size()) / perLine + 0.01);
            }
        }
    };
    return above + lines() * metrics.line;
}

QString blockText(const Block& block) {
    if (block.kind != BlockKind::kTable) return block.content.text;
    QString out;
    for (size_t i = 0; i < block.cells.size(); ++i) {
        if (i > 0) out += i % block.aligns.size() == 0 ? u'\n' : u'\t';
        out += block.cells[i].text;
    }
    return out;
}

}  // namespace pal::desktop
