// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QLocale>
#include <QString>

#include "app/composition/opening_cost.h"
#include "storage/chats/chat_types.h"

namespace pal::desktop {

// What lists say about a session, in the user's language.
class SessionLines {
    Q_DECLARE_TR_FUNCTIONS(pal::desktop::SessionLines)

  public:
    // "3 s", "12 min", "2 h"
    [[nodiscard]] static QString duration(double seconds);
    // "14:05" today, "Mon" this week, "3 May", "3 May 2025"
    [[nodiscard]] static QString when(int64_t ms, int64_t nowMs);
    // "12,345 tokens · opens in 3 s"
    [[nodiscard]] static QString cost(const SessionSummary& session, const OpeningCost& cost);
    // The same with everything behind it, for a tool tip.
    [[nodiscard]] static QString details(const SessionSummary& session, const OpeningCost& cost);
};

}  // namespace pal::desktop
