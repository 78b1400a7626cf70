// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "storage/transfer/session_document.h"

namespace pal {

// The conversation from the first message to the head as Markdown for people: who said what, reasoning folded away, attachments by name.
// It is not read back.
[[nodiscard]] std::string writeMarkdown(const SessionDocument& document);

}  // namespace pal
