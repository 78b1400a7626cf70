// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/byte_buffer.h"
#include "engine/base/result.h"
#include "storage/chats/chat_types.h"
#include "storage/states/state_library.h"

namespace pal {

// Stored states that go with a session in an archive. They are only of use to the very model that made them, and whoever takes them over
// trusts their maker: a part says by its name which text it remembers, and nobody can check that without reading the text again.

// The files of the state that a session ends with, in the order in which they continue each other. Errors: kNotFound when it has none.
Result<std::vector<std::filesystem::path>> stateFilesOf(const SessionSummary& session, StateLibrary& states);

// Takes over a part from an archive: its name and checksum must be right; one that is there already stays. Returns what
// it is. Errors: kCorrupt, kUnsupported.
Result<StateId> takeState(StateLibrary& states, const std::string& name, const ByteBuffer& part);

}  // namespace pal
