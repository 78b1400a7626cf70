// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine/text/output_grammar.h"

namespace pal {

namespace {

// Whether ids begin with the header of a message: <|open|>message in K3, the token of a speaker in K2.
bool beginsWithHeader(const Tokenizer& tokenizer, std::span<const TokenId> ids) {
    const auto isFirst = [&](std::string_view name) { return tokenizer.controlId(name) == ids.front(); };
    if (tokenizer.style() == ChatStyle::kK2)
        return isFirst("<|im_user|>") || isFirst("<|im_assistant|>") || isFirst("<|im_system|>");
    const std::string tag =
        tokenizer.decode(ids.subspan(1, std::min<size_t>(ids.size() - 1, std::string_view("message").size())));
    return isFirst("<|open|>") && tag.starts_with("message");
}

}  // namespace

void ReplyWriter::append(std::string_view text, Deltas& out) {
    if (text.empty() || done_) return;
    if (channel_ == Channel::kReasoning) {
        message_.reasoning += text;
        out.push_back({OutputDelta::Kind::kReasoning, std::string(text), {}});
        return;
    }
    std::string free;
    const StopStrings::Outcome outcome = stops_.push(text, free);
    addContent(std::move(free), out);
    if (outcome == StopStrings::Outcome::kMet) stop(out);
}

void ReplyWriter::addContent(std::string text, Deltas& out) {
    if (text.empty()) return;
    message_.content += text;
    out.push_back({OutputDelta::Kind::kContent, std::move(text), {}});
}

void ReplyWriter::stop(Deltas& out) {
    metStop_ = true;
    message_.finishReason = FinishReason::kStop;
    done_ = true;
    out.push_back({OutputDelta::Kind::kDone, {}, {}});
}

void ReplyWriter::write(Channel channel, std::string_view bytes, Deltas& out) {
    if (channel != channel_) flush(out);
    channel_ = channel;
    std::string text;
    decoder_.push(bytes, text);
    append(text, out);
}

void ReplyWriter::flush(Deltas& out) {
    std::string text;
    decoder_.finish(text);
    append(text, out);
    // A stop string does not go on behind the end of a text.
    if (!done_) addContent(stops_.finish(), out);
}

void ReplyWriter::reasoningIsContent(Deltas& out) {
    flush(out);
    if (done_) return;
    std::string content;
    const StopStrings::Outcome outcome = stops_.push(message_.reasoning, content);
    if (outcome == StopStrings::Outcome::kFree) content += stops_.finish();
    message_.reasoning.clear();
    message_.content = outcome == StopStrings::Outcome::kMet ? content : content + message_.content;
    out.push_back({OutputDelta::Kind::kReasoningIsContent, std::move(content), {}});
    if (outcome == StopStrings::Outcome::kMet) stop(out);
}

void ReplyWriter::startCall(const ToolCall& call, Deltas& out) {
    flush(out);
    if (done_) return;
    out.push_back({OutputDelta::Kind::kToolCallStarted, {}, call});
}

void ReplyWriter::addCall(ToolCall call, Deltas& out) {
    flush(out);
    if (done_) return;
    message_.toolCalls.push_back(call);
    out.push_back({OutputDelta::Kind::kToolCall, {}, std::move(call)});
}

void ReplyWriter::end(FinishReason fallback, Deltas& out) {
    flush(out);
    if (done_) return;
    message_.finishReason = message_.toolCalls.empty() ? fallback : FinishReason::kToolCalls;
    done_ = true;
    out.push_back({OutputDelta::Kind::kDone, {}, {}});
}

OutputParser::OutputParser(Tokenizer tokenizer, OutputStart start, std::vector<std::string> stops)
    : grammar_(tokenizer.style() == ChatStyle::kK3 ? makeK3Grammar(std::move(tokenizer), start)
                                                   : makeK2Grammar(std::move(tokenizer), start)) {
    grammar_->reply.setStops(std::move(stops));
}
OutputParser::OutputParser(OutputParser&&) noexcept = default;
OutputParser& OutputParser::operator=(OutputParser&&) noexcept = default;
OutputParser::~OutputParser() = default;

void OutputParser::push(TokenId id, std::vector<OutputDelta>& out) {
    if (!done()) grammar_->push(id, out);
}

void OutputParser::finish(std::vector<OutputDelta>& out) {
    if (!done()) grammar_->reply.end(FinishReason::kLength, out);
}

bool OutputParser::done() const {
    return grammar_->reply.done();
}

bool OutputParser::metStop() const {
    return grammar_->reply.metStop();
}

const ParsedMessage& OutputParser::message() const {
    return grammar_->reply.message();
}

std::vector<ParsedMessage> parseTranscript(const Tokenizer& tokenizer, std::span<const TokenId> ids,
                                           OutputStart start) {
    const auto isStop = [&stops = tokenizer.stopIds()](TokenId id) {
        return std::find(stops.begin(), stops.end(), id) != stops.end();
    };
    std::vector<ParsedMessage> messages;
    while (!ids.empty()) {
        OutputParser parser(tokenizer, beginsWithHeader(tokenizer, ids) ? OutputStart::kMessage : start);
        std::vector<OutputDelta> deltas;
        size_t length = 0;
        while (length < ids.size() && !parser.done()) {
            parser.push(ids[length++], deltas);
            deltas.clear();
        }
        parser.finish(deltas);
        messages.push_back(parser.message());
        // A message that its closing tag ended still has its end-of-message token.
        if (length < ids.size() && !isStop(ids[length - 1]) && isStop(ids[length])) ++length;
        ids = ids.subspan(length);
    }
    return messages;
}

}  // namespace pal
