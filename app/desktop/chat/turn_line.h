// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QString>

#include "engine/api/events.h"

namespace pal::desktop {

// How far a turn is, in the user's language.
class TurnLine {
    Q_DECLARE_TR_FUNCTIONS(pal::desktop::TurnLine)

  public:
    // "Reading 12,345 of 100,000 tokens · 512 tokens/s · 41 s left". `recentRate`: tokens per second lately, 0 when not known yet.
    [[nodiscard]] static QString ofReading(const PrefillProgress& at, double recentRate);
};

}  // namespace pal::desktop
