// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/api/chat.h"
#include "engine/text/stop_strings.h"

namespace pal {

using Deltas = std::vector<OutputDelta>;

// Puts a reply together and reports every step as a delta. Bytes of the channels become valid UTF-8 here.
class ReplyWriter {
  public:
    enum class Channel { kReasoning, kContent };

    // Texts that end the reply when they stand in its content.
    void setStops(std::vector<std::string> stops) { stops_ = StopStrings(std::move(stops)); }

    void write(Channel channel, std::string_view bytes, Deltas& out);
    // Ends the text of the current channel: an unfinished code point becomes U+FFFD.
    void flush(Deltas& out);
    // All reasoning so far turns out to be content.
    void reasoningIsContent(Deltas& out);
    void startCall(const ToolCall& call, Deltas& out);
    void addCall(ToolCall call, Deltas& out);
    // Ends the message. `fallback` is the reason unless there were tool calls.
    void end(FinishReason fallback, Deltas& out);

    void setAttributes(std::vector<std::pair<std::string, std::string>> attributes) {
        message_.attributes = std::move(attributes);
    }
    [[nodiscard]] bool done() const { return done_; }
    [[nodiscard]] bool metStop() const { return metStop_; }
    [[nodiscard]] const ParsedMessage& message() const { return message_; }

  private:
    void append(std::string_view text, Deltas& out);
    void addContent(std::string text, Deltas& out);
    void stop(Deltas& out);

    ParsedMessage message_;
    StreamDecoder decoder_;
    StopStrings stops_;
    Channel channel_ = Channel::kContent;
    bool done_ = false;
    bool metStop_ = false;
};

// The rules of one conversation format.
class OutputParser::Grammar {
  public:
    virtual ~Grammar() = default;
    // One id; never called after the end.
    virtual void push(TokenId id, Deltas& out) = 0;

    ReplyWriter reply;
};

std::unique_ptr<OutputParser::Grammar> makeK3Grammar(Tokenizer tokenizer, OutputStart start);
std::unique_ptr<OutputParser::Grammar> makeK2Grammar(Tokenizer tokenizer, OutputStart start);

}  // namespace pal
