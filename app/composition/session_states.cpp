// SPDX-License-Identifier: Apache-2.0
#include "app/composition/session_states.h"

#include <algorithm>

#include "storage/states/part_file.h"

namespace pal {

Result<std::vector<std::filesystem::path>> stateFilesOf(const SessionSummary& session, StateLibrary& states) {
    const auto checkpoint = partNamed(session.storedState);
    if (!checkpoint) return fail(ErrorCode::kNotFound, "{}: no state of it is stored", session.name);
    PAL_ASSIGN(std::vector<std::filesystem::path> files, states.filesOf(*checkpoint));
    if (files.empty()) return fail(ErrorCode::kNotFound, "{}: its state is no longer stored", session.name);
    return files;
}

Result<StateId> takeState(StateLibrary& states, const std::string& name, const ByteBuffer& part) {
    PAL_ASSIGN(const PartTail tail, parsePart(part.span(), name));
    if (partFileName(tail.id) != name) return fail(ErrorCode::kCorrupt, "{}: it holds {}", name, partFileName(tail.id));
    if (states.contains(tail.id)) return tail.id;
    StateWrite write{tail.id, tail.parent, std::nullopt, ByteBuffer(tail.payloadBytes)};
    std::ranges::copy(part.span().first(tail.payloadBytes), write.bytes.data());
    states.write(std::move(write));
    return tail.id;
}

}  // namespace pal
