// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/chat/turn_line.h"

#include <QLocale>
#include <QStringList>

namespace pal::desktop {
namespace {

QString rate(double value) {
    return QLocale().toString(value, 'f', value < 100 ? 1 : 0);
}

QString count(double value) {
    return QLocale().toString(static_cast<qlonglong>(value));
}

}  // namespace

QString TurnLine::ofReading(const PrefillProgress& at, double recentRate) {
    const int64_t done = at.reused + at.computed;
    QStringList parts{tr("Reading %1 of %2 tokens").arg(count(double(done)), count(double(at.total)))};
    if (at.reused > 0) parts << tr("%1 from stored states").arg(count(double(at.reused)));
    if (recentRate > 0) {
        parts << tr("%1 tokens/s").arg(rate(recentRate));
        const double left = double(at.total - done) / recentRate;
        parts << (left < 90 ? tr("%1 s left").arg(count(left + 0.5)) : tr("%1 min left").arg(count(left / 60 + 0.5)));
    }
    return parts.join(tr(" · "));
}

}  // namespace pal::desktop
