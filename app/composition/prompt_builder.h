// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/composition/media_reader.h"
#include "app/composition/session_settings.h"
#include "engine/api/chat.h"
#include "engine/api/engine.h"
#include "engine/api/tokenizer.h"
#include "storage/chats/chat_database.h"

namespace pal {

// A message with what the prompt needs of it.
struct PromptMessage {
    Role role = Role::kUser;
    std::string text;
    std::string reasoning;
    std::vector<ToolCall> toolCalls;
    std::vector<Attachment> attachments;
    std::optional<MessageIds> ids;  // kept from an earlier turn: of a reply what the model drew, else the whole piece
};

struct PromptPiece {
    std::vector<TokenId> ids;
    std::vector<std::shared_ptr<const MediaInput>> media;
};

// Puts prompts together from pieces, one per message, so that a session that is opened again gives the same ids as before: what was kept
// is taken as it is, only new messages are rendered and tokenized. Confined to one thread; borrows everything.
class PromptBuilder {
  public:
    PromptBuilder(const Engine& engine, Tokenizer tokenizer, MediaReader& media, ChatDatabase& database)
        : engine_(engine), tokenizer_(std::move(tokenizer)), media_(media), database_(database) {}

    // What stands around the messages, the same for a whole session.
    struct Frame {
        std::vector<TokenId> head;     // before them: declarations, effort, system prompt
        std::vector<TokenId> opening;  // behind them when a reply is wanted: the opened assistant's message
        TokenId end = -1;              // the last id of every message of the assistant
    };
    // Stays valid until it is asked for with other settings. Errors: those of renderChat.
    Result<const Frame*> frame(const SessionSettings& settings);
    // One message, `before` being the path up to it. Errors: those of renderChat and of reading attachments, with the attachment's name.
    Result<PromptPiece> piece(const SessionSettings& settings, std::span<const PromptMessage> before,
                              const PromptMessage& message);

    // Under what the ids of a message are kept: another tokenizer, format or kind of thinking makes other ids.
    [[nodiscard]] std::string idsKey(const SessionSettings& settings) const;
    [[nodiscard]] const Tokenizer& tokenizer() const { return tokenizer_; }

    // The messages of a path as they are stored. A reply that failed before its first token is left out. Errors: those of the database;
    // kCorrupt for a message that cannot be read.
    Result<std::vector<PromptMessage>> load(MessageId head) const;

  private:
    Result<std::vector<TokenId>> encode(const SessionSettings& settings, std::vector<ChatMessage> messages,
                                        GenerationPrompt generation) const;
    Result<std::vector<TokenId>> rendered(const SessionSettings& settings, std::span<const PromptMessage> before,
                                          const ChatMessage& message) const;
    Result<ChatMessage> chatMessage(const PromptMessage& message, std::vector<MediaContent>& media);
    [[nodiscard]] bool saysTheSame(const SessionSettings& settings, const PromptMessage& message) const;
    Result<std::vector<uint32_t>> mediaRows(const std::vector<MediaContent>& media) const;
    Result<std::vector<TokenId>> expand(std::vector<TokenId> ids, const std::vector<uint32_t>& rows) const;

    const Engine& engine_;
    Tokenizer tokenizer_;
    MediaReader& media_;
    ChatDatabase& database_;
    std::string frameKey_;  // the settings that frame_ was made for
    Frame frame_;
};

}  // namespace pal
