// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/turn_strip.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>
#include <QVBoxLayout>

#include "app/desktop/chat/turn_line.h"
#include "app/desktop/style/icons.h"

namespace pal::desktop {

void TwoPartBar::set(int64_t stored, int64_t done, int64_t total) {
    stored_ = stored;
    done_ = done;
    total_ = total;
    update();
}

void TwoPartBar::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const Colours& colours = theme_.colours();
    const qreal round = height() / 2.0;
    painter.setBrush(colours.faint);
    painter.drawRoundedRect(QRectF(rect()), round, round);
    if (total_ <= 0) return;
    const auto part = [&](int64_t tokens, const QColor& colour) {
        const qreal share = width() * qreal(std::min(tokens, total_)) / qreal(total_);
        QRectF filled(0, 0, share, height());
        if (isRightToLeft()) filled.moveRight(width());
        painter.setBrush(colour);
        painter.drawRoundedRect(filled, round, round);
    };
    part(stored_ + done_, colours.accent);
    part(stored_, colours.muted);
}

TurnStrip::TurnStrip(Chat& chat, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      chat_(chat),
      bar_(new TwoPartBar(theme, this)),
      text_(new ElidedLabel(this)),
      stop_(new QPushButton(tr("Stop"), this)) {
    setObjectName(QStringLiteral("turnStrip"));
    text_->setObjectName(QStringLiteral("turnText"));
    text_->setFont(theme.small());
    stop_->setObjectName(QStringLiteral("stopTurn"));
    stop_->setIcon(icon(QStringLiteral("stop"), theme));
    stop_->setToolTip(tr("Stop (Esc); what is finished is kept"));
    bar_->setAccessibleName(tr("How much of the prompt is read"));
    auto* lines = new QVBoxLayout();
    lines->setSpacing(theme.space(1));
    lines->addWidget(text_);
    lines->addWidget(bar_);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme.space(3), theme.space(1), theme.space(3), theme.space(1));
    row->setSpacing(theme.space(3));
    row->addLayout(lines, 1);
    row->addWidget(stop_);
    connect(stop_, &QPushButton::clicked, &chat_, &Chat::stop);
    connect(&chat_, &Chat::started, this, &TurnStrip::update);
    connect(&chat_, &Chat::grew, this, &TurnStrip::update);
    connect(&chat_, &Chat::ended, this, &TurnStrip::update);
    connect(&chat_, &Chat::shown, this, &TurnStrip::update);
    update();
}

void TurnStrip::update() {
    const std::optional<RunningTurn>& turn = chat_.running();
    setVisible(turn.has_value());
    if (!turn) return;
    if (turn->tokens == 0) writing_.start();
    bar_->setVisible(turn->reading.has_value());
    if (turn->reading) bar_->set(turn->reading->reused, turn->reading->computed, turn->reading->total);
    const QString text = line();
    text_->setText(chat_.isRunningHere() ? text : tr("In another session: %1").arg(text));
}

QString TurnStrip::line() const {
    const RunningTurn& turn = *chat_.running();
    if (turn.reading) return TurnLine::ofReading(*turn.reading, turn.recentRate);
    const QLocale locale;
    if (turn.tokens == 0) {
        return turn.start.cost.bytes > 0 ? tr("Opening the stored state…") : tr("Reading…");
    }
    const QString count = tr("%Ln tokens written", nullptr, static_cast<int>(turn.tokens));
    const double seconds = double(writing_.elapsed()) / 1000;
    if (turn.tokens < 2 || seconds < 0.5) return count;
    return tr("%1 · %2 tokens/s").arg(count, locale.toString(double(turn.tokens) / seconds, 'f', 1));
}

}  // namespace pal::desktop
