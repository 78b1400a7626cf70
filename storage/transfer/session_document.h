// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/byte_buffer.h"
#include "storage/chats/chat_types.h"
#include "storage/chats/source_files.h"

namespace pal {

// A session outside of a database: what every import ends in and every export begins with. References are indices into the vectors.

struct SourceDocument {
    Sha256 sha256{};
    uint64_t bytes = 0;
    std::string mediaType;
    std::vector<Extraction> extractions;  // their ids mean nothing here
};

struct AttachmentDocument {
    size_t source = 0;
    std::optional<size_t> extraction;  // of that source
    AttachmentKind kind = AttachmentKind::kDocument;
    std::string name;
    std::string options = "{}";
};

struct MessageDocument {
    std::optional<size_t> parent;  // an earlier message
    Role role = Role::kUser;
    MessageState state = MessageState::kComplete;
    int64_t createdMs = 0;
    int64_t tokens = 0;
    int64_t pathTokens = 0;
    std::string text;
    std::string reasoning;
    std::string details = "{}";
    std::vector<AttachmentDocument> attachments;
    std::optional<MessageIds> ids;
};

struct SessionDocument {
    std::string name;
    int64_t createdMs = 0;
    int64_t changedMs = 0;
    std::string settings = "{}";
    std::string model;
    std::string fingerprint;
    std::vector<MessageDocument> messages;
    std::optional<size_t> head;
    std::vector<SourceDocument> sources;
    std::vector<std::string>
        states;  // names of the stored states that an archive has for it, in order; not part of session.json
    std::vector<std::string> warnings;  // what could not be taken over; not part of a file
};

// Takes the bytes of a source that came with an import, normally SourceFiles::keep.
using KeepSource = std::function<Result<SourceFiles::Kept>(const SourceFiles::Reader& reader)>;
// Takes the parts of a stored state that came with an archive. Nothing in an import is checked less for it.
struct KeepState {
    std::function<Result<>(const std::string& name, const ByteBuffer& part)>
        take;           // by the name of its file; empty: none
    uint64_t room = 0;  // bytes that all parts of an archive may have; a state of more is left there
};

// Messages from the first one to the head, as indices; empty without a head.
[[nodiscard]] std::vector<size_t> pathToHead(const SessionDocument& document);

}  // namespace pal
