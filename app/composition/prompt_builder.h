// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/compose/prompt.h"
#include "app/composition/session_settings.h"
#include "engine/api/chat.h"
#include "engine/api/session.h"
#include "engine/api/tokenizer.h"
#include "storage/chats/chat_database.h"
#include "storage/chats/source_files.h"

namespace pal {

// A message with what the prompt needs of it.
struct PromptMessage {
    MessageId id = 0;  // 0: not stored yet
    Role role = Role::kUser;
    std::string text;
    std::string reasoning;
    std::vector<ToolCall> toolCalls;
    std::vector<Attachment> attachments;
    std::optional<MessageIds> ids;  // kept from an earlier turn: of a reply what the model drew, else the whole piece
};

struct PromptPiece {
    std::vector<TokenId> ids;
    std::vector<std::shared_ptr<const MediaInput>> media;  // their pixels are decoded when the engine reads them
};

// A prompt in which every token knows what it is.
struct PromptMap {
    std::vector<MessageId> messages;  // TokenOrigin::message counts these
    ComposedMessages composed;        // likewise; those with attachments
    MappedPrompt prompt;
};

// Puts prompts together from pieces, one per message, so that a session that is opened again gives the same ids as before: what was kept
// is taken as it is, only new messages are rendered and tokenized. Confined to one thread; borrows everything.
class PromptBuilder {
  public:
    // `media` of the model, nothing when it cannot see.
    PromptBuilder(Tokenizer tokenizer, std::optional<MediaConfig> media, const SourceFiles& sources,
                  ChatDatabase& database)
        : tokenizer_(std::move(tokenizer)), media_(std::move(media)), sources_(sources), database_(database) {}

    // Opens locked documents when their pages are shown as pictures; their text was stored when they were attached.
    void setDocumentPassword(std::string password) { password_ = std::move(password); }

    // What stands around the messages, the same for a whole session.
    struct Frame {
        std::vector<TokenId> head;     // before them: declarations, effort, system prompt
        std::vector<TokenId> opening;  // behind them when a reply is wanted: the opened assistant's message
        TokenId end = -1;              // the last id of every message of the assistant
    };
    // Stays valid until it is asked for with other settings. Errors: those of renderChat.
    Result<const Frame*> frame(const SessionSettings& settings);
    // A message that has no ids yet, composed and encoded.
    struct NewPiece {
        ComposedMessages composed;
        MappedPrompt mapped;  // the frame's head, then the message
        int64_t first = 0;    // token of `mapped` that the message begins with
        size_t message = 0;   // its place in `mapped`

        [[nodiscard]] std::vector<TokenId> ids() const {
            return {mapped.prompt().ids.begin() + first, mapped.prompt().ids.end()};
        }
    };
    // Errors: those of renderChat and of composing.
    Result<NewPiece> newPiece(const SessionSettings& settings, std::span<const PromptMessage> before,
                              const PromptMessage& message);
    // One message, `before` being the path up to it. Errors: those of renderChat and of reading attachments, with the attachment's name.
    Result<PromptPiece> piece(const SessionSettings& settings, std::span<const PromptMessage> before,
                              const PromptMessage& message);

    // The whole prompt of a path, opened for a reply. A boundary stands behind the head and each message.
    Result<Prompt> prompt(const SessionSettings& settings, std::span<const PromptMessage> path);
    // Tokens of the messages up to `head` in such a prompt. Costs no more than reading their ids where those are the prompt's as they are;
    // 0 for 0. Errors: as prompt() and load().
    Result<int64_t> tokens(const SessionSettings& settings, MessageId head);
    // The same as prompt(), token by token. Nothing is encoded again; messages whose kept ids another version made are only text and markup.
    Result<PromptMap> map(const SessionSettings& settings, std::span<const PromptMessage> path);

    // Under what the ids of a message are kept: another tokenizer, format or kind of thinking makes other ids.
    [[nodiscard]] std::string idsKey(const SessionSettings& settings) const;
    [[nodiscard]] const Tokenizer& tokenizer() const { return tokenizer_; }
    [[nodiscard]] const std::optional<MediaConfig>& media() const { return media_; }
    [[nodiscard]] const std::string& documentPassword() const { return password_; }

    // The messages of a path as they are stored. A reply that failed before its first token is left out. Errors: those of the database;
    // kCorrupt for a message that cannot be read.
    Result<std::vector<PromptMessage>> load(MessageId head) const;

  private:
    using Composed = std::shared_ptr<const ComposedMessage>;

    [[nodiscard]] ChatRequest request(const SessionSettings& settings, std::span<const PromptMessage> context) const;
    Result<std::vector<TokenId>> encode(ChatRequest request, GenerationPrompt generation) const;
    Result<Composed> compose(const PromptMessage& message);
    Result<MappedPrompt> mapPiece(const SessionSettings& settings, const PromptMessage& message,
                                  std::span<const TokenId> ids, ComposedMessages& composed, size_t index);
    [[nodiscard]] bool isPiece(const SessionSettings& settings, const Frame& around, Role role, const MessageIds& ids,
                               bool sees) const;
    [[nodiscard]] bool drewPlaceholder(std::span<const TokenId> ids) const;
    [[nodiscard]] bool saysTheSame(const SessionSettings& settings, const PromptMessage& message) const;

    Tokenizer tokenizer_;
    std::optional<MediaConfig> media_;
    const SourceFiles& sources_;
    ChatDatabase& database_;
    std::string frameKey_;  // the settings that frame_ was made for
    Frame frame_;
    std::string password_;
    std::map<MessageId, Composed> seen_;  // stored messages with pictures or clips, shown or not
};

// PromptBuilder::map() of a branch up to `head`, with the settings of its session; `reader`: the builder's database. Errors: those of reading the
// messages; kInvalidArgument when `head` is in another session.
Result<PromptMap> promptMapOf(PromptBuilder& prompts, ChatDatabase& reader, SessionId session, MessageId head);

}  // namespace pal
