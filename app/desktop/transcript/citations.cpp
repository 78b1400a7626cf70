// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/citations.h"

#include <QStringList>

namespace pal::desktop {

InlinePattern citationPattern(size_t attachments) {
    return [attachments](std::string_view text) {
        std::vector<PatternMatch> out;
        for (const Citation& mark : findCitations(text, attachments)) {
            const QString target = QStringLiteral("%1:%2").arg(mark.attachment).arg(mark.page);
            out.push_back({mark.begin, mark.end, target});
        }
        return out;
    };
}

std::optional<Citation> citationOf(const QString& target) {
    const QStringList numbers = target.split(u':');
    if (numbers.size() != 2) return std::nullopt;
    bool isAttachment = false, isPage = false;
    Citation out;
    out.attachment = numbers[0].toULongLong(&isAttachment);
    out.page = numbers[1].toInt(&isPage);
    return isAttachment && isPage ? std::optional(out) : std::nullopt;
}

}  // namespace pal::desktop
