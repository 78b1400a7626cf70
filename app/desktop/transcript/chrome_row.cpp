// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/chrome_row.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QIcon>
#include <QLocale>
#include <algorithm>

#include "app/desktop/style/icons.h"
#include "app/desktop/transcript/citations.h"
#include "app/desktop/transcript/message_action.h"
#include "app/desktop/transcript/text_layout.h"
#include "app/desktop/transcript/transcript_model.h"

namespace pal::desktop {
namespace {

bool fromRightToLeft() {
    return QGuiApplication::layoutDirection() == Qt::RightToLeft;
}
// A place in a row as it is seen: from the right where the program is read from there.
QRectF seen(const QRectF& place, qreal width) {
    return fromRightToLeft() ? QRectF(width - place.right(), place.y(), place.width(), place.height()) : place;
}
Qt::Alignment atStart() {
    return Qt::AlignVCenter | (fromRightToLeft() ? Qt::AlignRight : Qt::AlignLeft);
}
Qt::Alignment atEnd() {
    return Qt::AlignVCenter | (fromRightToLeft() ? Qt::AlignLeft : Qt::AlignRight);
}
QString chevron(bool forward) {
    return forward != fromRightToLeft() ? QStringLiteral("chevron-right") : QStringLiteral("chevron-left");
}

class HeaderRow : public RowLayout {
  public:
    HeaderRow(const TranscriptMessage& message, const Theme& theme, qreal width)
        : author_(TranscriptModel::authorOf(message)), width_(width), font_(theme.small()) {
        if (message.time.isValid()) {
            const bool today = message.time.date() == QDate::currentDate();
            time_ = today ? QLocale().toString(message.time.time(), QLocale::ShortFormat)
                          : QLocale().toString(message.time, QLocale::ShortFormat);
        }
        top_ = theme.space(6);
        height_ = top_ + QFontMetricsF(font_).height() + theme.space(1);
    }
    void paint(QPainter& painter, const Theme& theme, const RowPaint& state) const override {
        QFont bold = font_;
        bold.setWeight(QFont::DemiBold);
        painter.setFont(bold);
        painter.setPen(theme.colours().muted);
        const QRectF line(0, top_, width_, QFontMetricsF(font_).height());
        painter.drawText(line, atStart(), author_);
        if (!state.active) return;
        painter.setFont(font_);
        painter.drawText(line, atEnd(), time_);
    }

  private:
    QString author_, time_;
    qreal width_, top_ = 0;
    QFont font_;
};

// Lines of muted text, each behind an icon.
class NotesRow : public RowLayout {
  public:
    struct Look {
        QString icon;
        IconColour iconColour = IconColour::kMuted;
        QColor colour;
    };
    NotesRow(const QStringList& lines, const Look& look, const Theme& theme, qreal width)
        : width_(width),
          left_(theme.iconSize() + theme.space(2)),
          icon_(icon(look.icon, theme, look.iconColour)),
          edge_(theme.iconSize()) {
        TextSetting setting;
        setting.font = theme.small();
        setting.colour = look.colour;
        if (fromRightToLeft()) setting.alignment = Qt::AlignRight;
        qreal y = theme.space(1);
        for (const QString& line : lines) {
            InlineText text;
            text.text = line;
            auto layout = std::make_unique<TextLayout>(text, theme, setting);
            layout->breakLines(width - left_);
            tops_.push_back(y);
            y += std::max<qreal>(layout->height(), edge_) + theme.space(1);
            lines_.push_back(std::move(layout));
        }
        height_ = y;
    }
    // Each line leads to the attachment of its number.
    void citeLines(const QStringList& lines) {
        for (size_t i = 0; i < lines_.size(); ++i) {
            const QString& line = lines[static_cast<qsizetype>(i)];
            const QRectF rect = seen(
                {0, tops_[i], left_ + lines_[i]->naturalWidth(), std::max<qreal>(lines_[i]->height(), edge_)}, width_);
            const QString name = QCoreApplication::translate("Transcript", "Show what the model was given of %1");
            hots_.push_back({Hot::Kind::kCitation, {rect}, citationTarget({0, 0, i, 0, {}}), name.arg(line), 0});
        }
    }
    void paint(QPainter& painter, const Theme& theme, const RowPaint& state) const override {
        for (size_t i = 0; i < lines_.size(); ++i) {
            icon_.paint(&painter, seen(QRectF(0, qRound(tops_[i]), edge_, edge_), width_).toRect());
            lines_[i]->paint(painter, {fromRightToLeft() ? 0 : left_, tops_[i]}, theme, RowPaint{});
        }
        paintFocus(painter, theme, state);
    }

  private:
    qreal width_, left_;
    QIcon icon_;
    int edge_;
    std::vector<std::unique_ptr<TextLayout>> lines_;
    std::vector<qreal> tops_;
};

class FoldRow : public RowLayout {
  public:
    FoldRow(const QString& label, Fold fold, const Theme& theme, qreal width)
        : label_(label),
          icon_(icon(fold == Fold::kOpen ? QStringLiteral("chevron-down") : chevron(true), theme, IconColour::kMuted)),
          edge_(theme.iconSize()),
          top_(theme.space(2)),
          font_(theme.small()) {
        const QFontMetricsF metrics(font_);
        const qreal line = std::max<qreal>(metrics.height(), edge_);
        height_ = top_ + line + theme.space(1);
        label_ = metrics.elidedText(label_, Qt::ElideRight, width - edge_ - theme.space(2));
        const QRectF text(edge_ + theme.space(1), top_, metrics.horizontalAdvance(label_) + 2, line);
        text_ = seen(text, width);
        iconAt_ = seen(QRectF(0, qRound(text.center().y() - edge_ / 2.0), edge_, edge_), width).toRect();
        const QString name = (fold == Fold::kOpen ? QCoreApplication::translate("Transcript", "Hide: %1")
                                                  : QCoreApplication::translate("Transcript", "Show: %1"))
                                 .arg(label);
        hots_.push_back({Hot::Kind::kFold, {seen({0, top_, text.right(), line}, width)}, {}, name, 0});
    }
    void paint(QPainter& painter, const Theme& theme, const RowPaint& state) const override {
        icon_.paint(&painter, iconAt_);
        painter.setFont(font_);
        painter.setPen(state.hovered == 0 ? theme.colours().text : theme.colours().muted);
        painter.drawText(text_, atStart(), label_);
        paintFocus(painter, theme, state);
    }

  private:
    QString label_;
    QIcon icon_;
    int edge_;
    qreal top_;
    QFont font_;
    QRectF text_;
    QRect iconAt_;
};

class FooterRow : public RowLayout {
  public:
    FooterRow(const TranscriptMessage& message, const Theme& theme, qreal width)
        : font_(theme.small()), edge_(theme.iconSize()) {
        top_ = theme.space(3);
        line_ = edge_ + theme.space(2);
        height_ = top_ + line_ + theme.space(1);  // what follows, also the end of the view, is not close by
        const QFontMetricsF metrics(font_);
        const qreal step = edge_ + theme.space(3);
        qreal x = 0;
        for (const MessageAction action : actionsOf(message)) {
            if (action == MessageAction::kNextSibling) {
                siblings_ = QStringLiteral("%1/%2").arg(message.sibling).arg(message.siblings);
                siblingsAt_ =
                    QRectF(x - theme.space(1), top_, metrics.horizontalAdvance(siblings_) + theme.space(1), line_);
                x = siblingsAt_.right();
            }
            const bool always = action == MessageAction::kPreviousSibling || action == MessageAction::kNextSibling;
            buttons_.push_back({icon(actionIconName(action), theme, IconColour::kMuted), always});
            hots_.push_back({Hot::Kind::kAction,
                             {seen({x, top_ + (line_ - edge_) / 2, edge_ * 1.0, edge_ * 1.0}, width)},
                             {},
                             actionName(action),
                             static_cast<int>(action)});
            x += step;
        }
        state_ = stateLabel(message);
        timing_ = TranscriptModel::timingLine(message.timing);
        if (!state_.isEmpty()) timing_ = timing_.isEmpty() ? state_ : state_ + QStringLiteral(" · ") + timing_;
        // Beside the buttons where there is room, else below them.
        const bool beside = metrics.horizontalAdvance(timing_) <= width - x;
        timingAt_ = beside ? QRectF(x, top_, width - x, line_) : QRectF(0, top_ + line_, width, line_);
        lines_ = broken(timing_, metrics, timingAt_.width());
        if (!beside) height_ += line_ + (lines_.size() > 1 ? metrics.height() * qreal(lines_.size() - 1) : 0);
        siblingsAt_ = seen(siblingsAt_, width);
        timingAt_ = seen(timingAt_, width);
    }
    void paint(QPainter& painter, const Theme& theme, const RowPaint& state) const override {
        for (size_t i = 0; i < buttons_.size(); ++i) {
            const bool marked = state.hovered == static_cast<int>(i) || state.focused == static_cast<int>(i);
            if (!state.active && !buttons_[i].always && !marked) continue;
            const QRectF rect = hots_[i].rects.front();
            if (marked) {
                painter.setPen(Qt::NoPen);
                painter.setBrush(theme.colours().sunken);
                painter.drawRoundedRect(rect.adjusted(-3, -3, 3, 3), 4, 4);
            }
            buttons_[i].icon.paint(&painter, rect.toAlignedRect());
        }
        painter.setFont(font_);
        painter.setPen(theme.colours().muted);
        painter.drawText(siblingsAt_, atStart(), siblings_);
        QRectF line = timingAt_;
        for (const QString& text : lines_) {
            painter.drawText(line, atEnd(), text);
            line.translate(0, QFontMetricsF(font_).height());
        }
        paintFocus(painter, theme, state);
    }

  private:
    // Between its parts, in lines that fit.
    static QStringList broken(const QString& text, const QFontMetricsF& metrics, qreal width) {
        const QString between = QStringLiteral(" · ");
        QStringList out;
        for (const QString& part : text.split(between)) {
            const QString longer = out.isEmpty() ? part : out.back() + between + part;
            if (!out.isEmpty() && metrics.horizontalAdvance(longer) <= width) {
                out.back() = longer;
            } else {
                out << part;
            }
        }
        for (QString& line : out) line = metrics.elidedText(line, Qt::ElideRight, width);
        return out;
    }
    struct Button {
        QIcon icon;
        bool always = false;
    };
    QFont font_;
    int edge_;
    qreal top_ = 0, line_ = 0;
    std::vector<Button> buttons_;
    QString siblings_, state_, timing_;
    QStringList lines_;  // of timing_
    QRectF siblingsAt_, timingAt_;
};

}  // namespace

std::vector<MessageAction> actionsOf(const TranscriptMessage& message) {
    if (message.state == MessageState::kStreaming) return {};
    std::vector<MessageAction> out{MessageAction::kCopy};
    if (message.role == MessageRole::kUser) out.push_back(MessageAction::kEdit);
    if (message.role == MessageRole::kAssistant) out.push_back(MessageAction::kRegenerate);
    if (message.role != MessageRole::kSystem) {
        out.push_back(MessageAction::kFork);
        out.push_back(MessageAction::kDelete);
    }
    if (message.siblings > 1) {
        out.push_back(MessageAction::kPreviousSibling);
        out.push_back(MessageAction::kNextSibling);
    }
    return out;
}

QString actionName(MessageAction action) {
    switch (action) {
        case MessageAction::kCopy:
            return QCoreApplication::translate("Transcript", "Copy message");
        case MessageAction::kEdit:
            return QCoreApplication::translate("Transcript", "Edit as a new version");
        case MessageAction::kRegenerate:
            return QCoreApplication::translate("Transcript", "Answer again");
        case MessageAction::kFork:
            return QCoreApplication::translate("Transcript", "Continue from here in a new session");
        case MessageAction::kDelete:
            return QCoreApplication::translate("Transcript", "Delete");
        case MessageAction::kPreviousSibling:
            return QCoreApplication::translate("Transcript", "Previous version");
        case MessageAction::kNextSibling:
            return QCoreApplication::translate("Transcript", "Next version");
    }
    return {};
}

QString actionIconName(MessageAction action) {
    switch (action) {
        case MessageAction::kCopy:
            return QStringLiteral("copy");
        case MessageAction::kEdit:
            return QStringLiteral("edit");
        case MessageAction::kRegenerate:
            return QStringLiteral("regenerate");
        case MessageAction::kFork:
            return QStringLiteral("fork");
        case MessageAction::kDelete:
            return QStringLiteral("delete");
        case MessageAction::kPreviousSibling:
            return chevron(false);
        case MessageAction::kNextSibling:
            return chevron(true);
    }
    return {};
}

QString thinkingLabel(const TranscriptMessage& message) {
    if (message.state == MessageState::kStreaming && message.text.empty())
        return QCoreApplication::translate("Transcript", "Thinking…");
    if (!message.timing.thinkingSeconds) return QCoreApplication::translate("Transcript", "Thinking");
    return QCoreApplication::translate("Transcript", "Thought for %1 s")
        .arg(QLocale().toString(*message.timing.thinkingSeconds, 'f', 0));
}

QString toolLabel(const ToolUse& tool) {
    return (tool.result.isEmpty() ? QCoreApplication::translate("Transcript", "Calls %1…")
                                  : QCoreApplication::translate("Transcript", "Called %1"))
        .arg(tool.name);
}

QString stateLabel(const TranscriptMessage& message) {
    switch (message.state) {
        case MessageState::kStreaming:
            // Before its first word the question is read, and who shows how far says so.
            if (message.text.empty() && message.thinking.empty() && message.tools.empty()) return {};
            return QCoreApplication::translate("Transcript", "writing…");
        case MessageState::kStopped:
            return QCoreApplication::translate("Transcript", "stopped");
        case MessageState::kFailed:
            return QCoreApplication::translate("Transcript", "failed");
        case MessageState::kDone:
            break;
    }
    return {};
}

std::unique_ptr<RowLayout> makeHeaderRow(const TranscriptMessage& message, const Theme& theme, qreal width) {
    return std::make_unique<HeaderRow>(message, theme, width);
}

std::unique_ptr<RowLayout> makeAttachmentsRow(const TranscriptMessage& message, const Theme& theme, qreal width) {
    auto row = std::make_unique<NotesRow>(
        message.attachments, NotesRow::Look{QStringLiteral("attach"), IconColour::kMuted, theme.colours().muted}, theme,
        width);
    row->citeLines(message.attachments);
    return row;
}

std::unique_ptr<RowLayout> makeFoldRow(const QString& label, Fold fold, const Theme& theme, qreal width) {
    return std::make_unique<FoldRow>(label, fold, theme, width);
}

std::unique_ptr<RowLayout> makeNoticeRow(const Notice& notice, const Theme& theme, qreal width) {
    NotesRow::Look look{QStringLiteral("info"), IconColour::kMuted, theme.colours().muted};
    if (notice.kind == Notice::Kind::kWarning)
        look = {QStringLiteral("warning"), IconColour::kWarning, theme.colours().warning};
    if (notice.kind == Notice::Kind::kError)
        look = {QStringLiteral("warning"), IconColour::kError, theme.colours().error};
    return std::make_unique<NotesRow>(QStringList{notice.text}, look, theme, width);
}

std::unique_ptr<RowLayout> makeFooterRow(const TranscriptMessage& message, const Theme& theme, qreal width) {
    return std::make_unique<FooterRow>(message, theme, width);
}

}  // namespace pal::desktop
