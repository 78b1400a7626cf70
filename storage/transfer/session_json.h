// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "storage/transfer/session_document.h"

namespace pal {

// Our own JSON of a session: {"format": "palimpsest-session", "version": 1, "name", "settings", "messages": [...], "sources": [...]}.
// Messages refer to their parents and sources by index; sources are named by their SHA-256, their bytes are not inside.
[[nodiscard]] std::string writeSessionJson(const SessionDocument& document);

// Reads it back. Errors: those of parseJsonInput; kFormat naming the member; kUnsupported for a newer version.
Result<SessionDocument> readSessionJson(std::string_view bytes, std::string_view name);

}  // namespace pal
