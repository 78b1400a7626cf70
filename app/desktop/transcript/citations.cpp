// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/citations.h"

#include <QStringList>

namespace pal::desktop {

QString citationTarget(const Citation& place) {
    const QString target = QStringLiteral("%1:%2").arg(place.attachment).arg(place.page);
    return place.seconds ? target + QStringLiteral(":%1").arg(*place.seconds, 0, 'f', 3) : target;
}

InlinePattern citationPattern(size_t attachments) {
    return [attachments](std::string_view text) {
        std::vector<PatternMatch> out;
        for (const Citation& mark : findCitations(text, attachments)) {
            out.push_back({mark.begin, mark.end, citationTarget(mark)});
        }
        return out;
    };
}

std::optional<Citation> citationOf(const QString& target) {
    const QStringList numbers = target.split(u':');
    if (numbers.size() != 2 && numbers.size() != 3) return std::nullopt;
    bool isAttachment = false, isPage = false, isTime = true;
    Citation out;
    out.attachment = numbers[0].toULongLong(&isAttachment);
    out.page = numbers[1].toInt(&isPage);
    if (numbers.size() == 3) out.seconds = numbers[2].toDouble(&isTime);
    return isAttachment && isPage && isTime ? std::optional(out) : std::nullopt;
}

}  // namespace pal::desktop
