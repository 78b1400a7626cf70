// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "app/desktop/transcript/row_layout.h"
#include "app/desktop/transcript/transcript_message.h"

namespace pal::desktop {

// The rows of a message that are not its text; see MessageItem::Part. Each is made for the column's width.

// Who speaks, and when.
[[nodiscard]] std::unique_ptr<RowLayout> makeHeaderRow(const TranscriptMessage& message, const Theme& theme,
                                                       qreal width);
// One line for each attachment.
[[nodiscard]] std::unique_ptr<RowLayout> makeAttachmentsRow(const TranscriptMessage& message, const Theme& theme,
                                                            qreal width);
enum class Fold { kClosed, kOpen };
// A line that opens and closes what is below it.
[[nodiscard]] std::unique_ptr<RowLayout> makeFoldRow(const QString& label, Fold fold, const Theme& theme, qreal width);
[[nodiscard]] std::unique_ptr<RowLayout> makeNoticeRow(const Notice& notice, const Theme& theme, qreal width);
// Timing, siblings and actions.
[[nodiscard]] std::unique_ptr<RowLayout> makeFooterRow(const TranscriptMessage& message, const Theme& theme,
                                                       qreal width);

// "Thinking", "Thought for 12 s"; "Used search".
[[nodiscard]] QString thinkingLabel(const TranscriptMessage& message);
[[nodiscard]] QString toolLabel(const ToolUse& tool);
// What its state says in words; empty for a message that is done.
[[nodiscard]] QString stateLabel(const TranscriptMessage& message);

}  // namespace pal::desktop
