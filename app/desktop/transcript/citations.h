// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <cstddef>
#include <optional>

#include "app/compose/marks.h"
#include "app/desktop/transcript/inline_cuts.h"

namespace pal::desktop {

// The marks of attachments and pages (app/compose/marks.h) as a pattern of the transcript. Those of attachments from `attachments` on, the
// number that the session has, are plain text.
[[nodiscard]] InlinePattern citationPattern(size_t attachments);
[[nodiscard]] QString citationTarget(const Citation& place);
// What a target of that pattern points to; begin and end are 0. Nothing for any other text.
[[nodiscard]] std::optional<Citation> citationOf(const QString& target);

}  // namespace pal::desktop
