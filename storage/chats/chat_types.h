// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pal {

// Rows of chats.db as values. Times are milliseconds since 1970 UTC, sizes bytes, lengths tokens. Ids are never reused and 0 is none.
using SessionId = int64_t;
using MessageId = int64_t;
using SourceId = int64_t;
using Sha256 = std::array<std::byte, 32>;

enum class Role { kSystem, kUser, kAssistant, kTool };
[[nodiscard]] std::string_view roleName(Role role);
[[nodiscard]] std::optional<Role> roleNamed(std::string_view name);

enum class MessageState {
    kComplete,
    kStreaming,    // grows now
    kInterrupted,  // was streaming when its program died
    kStopped,      // by the user
    kLength,       // by a token or context limit
    kFailed,       // by an error of the engine
};
[[nodiscard]] std::string_view messageStateName(MessageState state);
[[nodiscard]] std::optional<MessageState> messageStateNamed(std::string_view name);

enum class AttachmentKind { kDocument, kImage, kVideo };
[[nodiscard]] std::string_view attachmentKindName(AttachmentKind kind);
[[nodiscard]] std::optional<AttachmentKind> attachmentKindNamed(std::string_view name);

// What an extractor made of a source.
struct Extraction {
    int64_t id = 0;
    std::string extractor;  // "pal-extract"
    std::string version;    // of the extractor: another version may read another text
    std::string text;
    std::string map = "[]";             // JSON array: where pages or frames begin
    std::vector<std::string> warnings;  // what was not read, for people
};

// A source that a new message shall carry.
struct NewAttachment {
    SourceId source = 0;
    std::optional<int64_t> extraction;
    AttachmentKind kind = AttachmentKind::kDocument;
    std::string name;
    std::string options = "{}";  // JSON object: how much of it the model gets
};

// A file that a message carries. The bytes are found by their hash (SourceFiles).
struct Attachment {
    SourceId source = 0;
    AttachmentKind kind = AttachmentKind::kDocument;
    std::string name;  // what the file was called
    std::string mediaType;
    Sha256 sha256{};
    uint64_t bytes = 0;
    std::optional<int64_t> extraction;  // for documents: the text that the model was given
    std::string options = "{}";         // JSON object: how much of it the model gets
};

// The part of a message that costs nothing to load: enough for the shape of a tree.
struct MessageNode {
    MessageId id = 0;
    MessageId parent = 0;  // 0: a first message
    Role role = Role::kUser;
    MessageState state = MessageState::kComplete;
    int64_t createdMs = 0;
    int64_t tokens = 0;      // its part of the prompt
    int64_t pathTokens = 0;  // of the prompt up to and with this message
    bool readable = true;    // false: damaged; its place in the tree is still known
};

struct Message {
    MessageNode node;
    SessionId session = 0;
    std::string text;
    std::string reasoning;
    std::string details = "{}";  // JSON object: tool calls, names, numbers of the run
    std::vector<Attachment> attachments;
};

// Token ids of a message, which hold for one tokenizer and one way of asking.
struct MessageIds {
    std::string vocabulary;  // fingerprint of the tokenizer and kind of thinking (PromptBuilder::idsKey)
    std::vector<int32_t> ids;
};

struct SessionSummary {
    SessionId id = 0;
    std::string name;
    int64_t createdMs = 0;
    int64_t changedMs = 0;
    MessageId head = 0;  // the message it was left at
    std::string settings = "{}";
    std::string model;        // folder of the model that answered last
    std::string fingerprint;  // of that model
    int64_t messages = 0;
    int64_t tokens = 0;  // of the path to head
    uint64_t textBytes = 0;
    int64_t storedTokens = 0;  // of `tokens`, those whose state was stored when it was last looked at
    uint64_t storedBytes = 0;  // to read for them
    std::string folder;        // that the user put it in; empty: none
    std::string device;        // of the model that answered last: "cpu", "cuda"; empty: none did
    std::string storedState;   // file name of the checkpoint that storedTokens ends at; empty: none
};

struct SearchHit {
    SessionId session = 0;
    MessageId message = 0;  // 0: the name of the session matches
    std::string sessionName;
    std::string excerpt;  // around the match
};

}  // namespace pal
