// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/sessions/session_lines.h"

#include <QDateTime>
#include <cmath>

namespace pal::desktop {

QString SessionLines::duration(double seconds) {
    const QLocale locale;
    if (seconds < 10) return tr("%1 s").arg(locale.toString(std::max(0.1, std::round(seconds * 10) / 10)));
    if (seconds < 100) return tr("%1 s").arg(locale.toString(std::llround(seconds)));
    if (seconds < 100 * 60) return tr("%1 min").arg(locale.toString(std::llround(seconds / 60)));
    return tr("%1 h").arg(locale.toString(std::llround(seconds / 3600)));
}

QString SessionLines::when(int64_t ms, int64_t nowMs) {
    const QLocale locale;
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(ms);
    const QDate today = QDateTime::fromMSecsSinceEpoch(nowMs).date();
    if (at.date() == today) return locale.toString(at.time(), QLocale::ShortFormat);
    const qint64 days = at.date().daysTo(today);
    if (days > 0 && days < 7) return locale.dayName(at.date().dayOfWeek(), QLocale::ShortFormat);
    return locale.toString(at.date(), QLocale::ShortFormat);
}

QString SessionLines::cost(const SessionSummary& session, const OpeningCost& cost) {
    const int64_t tokens = session.tokens;
    if (session.messages == 0) return tr("empty");
    if (tokens == 0) return tr("not read yet");  // it came from another program, no model has counted it
    const QString count = tr("%Ln tokens", nullptr, static_cast<int>(std::min<int64_t>(tokens, INT32_MAX)));
    if (cost.seconds && *cost.seconds < 0.5) return tr("%1 · opens at once").arg(count);
    if (cost.bytes > 0 && cost.seconds) return tr("%1 · opens in %2").arg(count, duration(*cost.seconds));
    if (cost.bytes > 0 || cost.tokens == 0) return tr("%1 · stored").arg(count);
    if (cost.seconds) return tr("%1 · to be read, %2").arg(count, duration(*cost.seconds));
    return tr("%1 · to be read").arg(count);
}

QString SessionLines::details(const SessionSummary& session, const OpeningCost& cost) {
    const QLocale locale;
    QStringList lines;
    lines << QString::fromStdString(session.name).toHtmlEscaped();
    lines << tr("%1 messages, %2 tokens")
                 .arg(locale.toString(qlonglong(session.messages)), locale.toString(qlonglong(session.tokens)));
    lines << tr("%1 of stored state, %2 tokens to read")
                 .arg(locale.formattedDataSize(qint64(cost.bytes)), locale.toString(qlonglong(cost.tokens)));
    if (!session.model.empty()) lines << tr("Model: %1").arg(QString::fromStdString(session.model).toHtmlEscaped());
    return lines.join(QStringLiteral("<br>"));
}

}  // namespace pal::desktop
