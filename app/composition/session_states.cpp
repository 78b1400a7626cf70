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
    PAL_ASSIGN(const PartHead head, parsePart(part.span(), name));
    if (partFileName(head.id) != name) return fail(ErrorCode::kCorrupt, "{}: it holds {}", name, partFileName(head.id));
    if (states.contains(head.id)) return head.id;
    StateWrite write{head.id, head.parent, std::nullopt, ByteBuffer(head.payloadBytes)};
    std::ranges::copy(part.span().subspan(kPartHeadBytes), write.bytes.data());
    states.write(std::move(write));
    return head.id;
}

}  // namespace pal
