// SPDX-License-Identifier: Apache-2.0
#include "app/compose/prompt.h"

#include <algorithm>
#include <iterator>

namespace pal {
namespace {

constexpr size_t kReasoning = static_cast<size_t>(-1);

}  // namespace

// Walks the segments of a rendered conversation and its messages side by side.
class PromptMapper {
  public:
    // `known` are the prompt's ids where they are known; else segments are encoded.
    PromptMapper(const ChatRequest& request, const ComposedMessages& composed, const Tokenizer& tokenizer,
                 std::optional<std::span<const TokenId>> known)
        : request_(request), composed_(composed), tokenizer_(tokenizer), known_(known) {
        collectParts();
    }

    Result<MappedPrompt> map() {
        PAL_ASSIGN(const std::vector<Segment> segments, renderChat(request_, tokenizer_.style()));
        if (!composed_.empty() && hasMedia() && !tokenizer_.mediaPadId())
            return fail(ErrorCode::kUnsupported, "the vocabulary of this model has no media token");
        std::vector<int64_t> ends;  // in tokens, of each segment
        for (const Segment& segment : segments) {
            PAL_TRY(addSegment(segment));
            ends.push_back(std::ssize(out_.prompt_.ids));
        }
        out_.counts_.markup += std::ssize(out_.prompt_.ids) - out_.counts_.all();
        PAL_TRY(markBoundaries(segments, ends));
        return std::move(out_);
    }

    static MappedPrompt drawn(std::span<const TokenId> ids, const Tokenizer& tokenizer) {
        MappedPrompt out;
        bool inTag = false;
        for (size_t i = 0; i < ids.size(); ++i) {
            const bool control = tokenizer.isControl(ids[i]);
            if (control) inTag = inTagAfter(tokenizer.tokenBytes(ids[i]), inTag);
            if (control || inTag) continue;
            const auto begin = static_cast<int64_t>(i);
            MappedPrompt::Run run{begin, begin, TokenOrigin::Kind::kText, 0, 0, 0};
            size_t end = 0;
            for (; i < ids.size() && !tokenizer.isControl(ids[i]); ++i)
                run.bytes.push_back(end += tokenizer.tokenBytes(ids[i]).size());
            run.end = static_cast<int64_t>(i--);
            out.addRun(std::move(run));
        }
        out.append(ids);
        out.counts_.markup -= out.counts_.text;
        return out;
    }

  private:
    // A text or medium that a message says: its segment has the same text.
    struct Part {
        size_t message = 0;
        size_t part = 0;
        const std::string* text = nullptr;
        const ComposedMedium* medium = nullptr;
        size_t mediumIndex = 0;
    };

    void collectParts() {
        for (size_t m = 0; m < request_.messages.size(); ++m) {
            const ChatMessage& message = request_.messages[m];
            if (!message.reasoning.empty()) parts_.push_back({m, kReasoning, &message.reasoning, nullptr, 0});
            const auto composed = composed_.find(m);
            size_t medium = 0;
            for (size_t p = 0; p < message.content.size(); ++p) {
                Part part{m, p, &message.content[p].text, nullptr, 0};
                if (composed != composed_.end() && message.content[p].kind == ContentPart::Kind::kImage) {
                    part.medium = &composed->second.media[medium];
                    part.mediumIndex = medium++;
                }
                if (!part.text->empty()) parts_.push_back(part);
            }
        }
    }

    [[nodiscard]] bool hasMedia() const {
        return std::any_of(composed_.begin(), composed_.end(),
                           [](const auto& entry) { return !entry.second.media.empty(); });
    }

    // Names and attributes of tags may be words that a message says, too: what lies within a tag is no part.
    bool isInTag(const Segment& segment) {
        const bool was = inTag_;
        if (segment.special == SpecialTokens::kAllow) inTag_ = inTagAfter(segment.text, was);
        return was || inTag_;
    }

    static bool inTagAfter(std::string_view control, bool before) {
        constexpr std::string_view kBegin[] = {"<|open|>", "<|close|>", "<|im_user|>", "<|im_assistant|>",
                                               "<|im_system|>"};
        if (std::find(std::begin(kBegin), std::end(kBegin), control) != std::end(kBegin)) return true;
        return before && control != "<|sep|>" && control != "<|im_middle|>";
    }

    // Parts appear in order, but some not at all (the reasoning of a model without a think channel): the next one that fits is taken.
    // Media are always there, so nothing behind one that has not come yet can be meant.
    const Part* matching(const Segment& segment) {
        if (isInTag(segment)) return nullptr;
        for (size_t i = next_; i < parts_.size(); ++i) {
            const Part& part = parts_[i];
            const bool isMedium = segment.special == SpecialTokens::kAllow;
            if ((part.medium != nullptr) == isMedium && *part.text == segment.text) {
                next_ = i + 1;
                return &part;
            }
            if (part.medium != nullptr) return nullptr;
        }
        return nullptr;
    }

    Result<> addSegment(const Segment& segment) {
        const Part* part = matching(segment);
        const bool isMedium = part != nullptr && part->medium != nullptr;
        PAL_ASSIGN(const std::vector<TokenId> ids, idsOf(segment, isMedium ? part->medium->rows() : 1));
        if (part == nullptr) {
            out_.prompt_.ids.insert(out_.prompt_.ids.end(), ids.begin(), ids.end());
        } else if (isMedium) {
            addMedium(*part, ids);
        } else {
            addText(*part, ids);
        }
        return {};
    }

    // Of a medium with its one pad. Known ids have `rows` of them there.
    Result<std::vector<TokenId>> idsOf(const Segment& segment, int64_t rows) {
        std::vector<TokenId> ids;
        if (!known_) {
            tokenizer_.encode(segment.text, segment.special, ids);
            return ids;
        }
        std::string_view rest = segment.text;
        while (!rest.empty()) {
            const TokenId id = at_ < known_->size() ? (*known_)[at_] : -1;
            const std::string_view bytes = tokenizer_.tokenBytes(id);
            const bool mayBe = segment.special == SpecialTokens::kAllow || !tokenizer_.isControl(id);
            if (bytes.empty() || !rest.starts_with(bytes) || !mayBe)
                return fail(ErrorCode::kConflict, "token {} of the stored prompt is not of its message", at_);
            rest.remove_prefix(bytes.size());
            ids.push_back(id);
            const int64_t repeats = tokenizer_.isControl(id) && id == tokenizer_.mediaPadId() ? rows : 1;
            for (int64_t i = 0; i < repeats; ++i, ++at_) {
                if (at_ == known_->size() || (*known_)[at_] != id)
                    return fail(ErrorCode::kConflict, "token {} of the stored prompt is no part of its picture", at_);
            }
        }
        return ids;
    }

    void addText(const Part& part, const std::vector<TokenId>& ids) {
        const int64_t begin = std::ssize(out_.prompt_.ids);
        MappedPrompt::Run run{begin, begin + std::ssize(ids), TokenOrigin::Kind::kText, part.message, part.part, 0};
        size_t end = 0;
        for (const TokenId id : ids) run.bytes.push_back(end += tokenizer_.tokenBytes(id).size());
        out_.prompt_.ids.insert(out_.prompt_.ids.end(), ids.begin(), ids.end());
        out_.addRun(std::move(run));
    }

    // The one pad becomes a pad for each row of embeddings.
    void addMedium(const Part& part, const std::vector<TokenId>& ids) {
        std::vector<TokenId>& all = out_.prompt_.ids;
        const auto pad = std::find(ids.begin(), ids.end(), *tokenizer_.mediaPadId());
        all.insert(all.end(), ids.begin(), pad);
        const int64_t begin = std::ssize(all);
        const int64_t rows = part.medium->rows();
        all.insert(all.end(), static_cast<size_t>(rows), *tokenizer_.mediaPadId());
        const bool isImage = part.medium->kind == ComposedMedium::Kind::kImage;
        out_.addRun({begin,
                     begin + rows,
                     isImage ? TokenOrigin::Kind::kImage : TokenOrigin::Kind::kVideo,
                     part.message,
                     part.part,
                     part.mediumIndex,
                     {}});
        out_.prompt_.media.push_back(part.medium->input);
        if (pad != ids.end()) all.insert(all.end(), pad + 1, ids.end());
    }

    // Ends of messages: a shorter conversation whose segments are the first of this one.
    Result<> markBoundaries(const std::vector<Segment>& all, const std::vector<int64_t>& ends) {
        ChatRequest shorter = request_;
        shorter.generationPrompt = GenerationPrompt::kNone;
        for (int i = 0; i < 2 && !shorter.messages.empty(); ++i) {
            PAL_ASSIGN(const std::vector<Segment> segments, renderChat(shorter, tokenizer_.style()));
            if (!segments.empty() && segments.size() <= all.size() &&
                std::equal(segments.begin(), segments.end(), all.begin()))
                out_.prompt_.boundaries.push_back(ends[segments.size() - 1]);
            shorter.messages.pop_back();
        }
        return {};
    }

    const ChatRequest& request_;
    const ComposedMessages& composed_;
    const Tokenizer& tokenizer_;
    const std::optional<std::span<const TokenId>> known_;
    size_t at_ = 0;  // in known_
    std::vector<Part> parts_;
    size_t next_ = 0;
    bool inTag_ = false;
    MappedPrompt out_;
};

Result<MappedPrompt> mapPrompt(const ChatRequest& request, const ComposedMessages& composed,
                               const Tokenizer& tokenizer) {
    return PromptMapper(request, composed, tokenizer, std::nullopt).map();
}

Result<MappedPrompt> mapKnownPrompt(const ChatRequest& request, const ComposedMessages& composed,
                                    const Tokenizer& tokenizer, std::span<const TokenId> ids) {
    return PromptMapper(request, composed, tokenizer, ids).map();
}

MappedPrompt mapDrawn(std::span<const TokenId> ids, const Tokenizer& tokenizer) {
    return PromptMapper::drawn(ids, tokenizer);
}

void MappedPrompt::add(const Run& run, TokenCounts& counts) {
    int64_t& count = run.kind == TokenOrigin::Kind::kText    ? counts.text
                     : run.kind == TokenOrigin::Kind::kImage ? counts.image
                                                             : counts.video;
    count += run.end - run.begin;
}

void MappedPrompt::addRun(Run run) {
    add(run, counts_);
    runs_.push_back(std::move(run));
}

void MappedPrompt::append(std::span<const TokenId> markup) {
    prompt_.ids.insert(prompt_.ids.end(), markup.begin(), markup.end());
    counts_.markup += std::ssize(markup);
}

void MappedPrompt::append(const MappedPrompt& part, int64_t first, size_t message) {
    const int64_t shift = std::ssize(prompt_.ids) - first;
    prompt_.ids.insert(prompt_.ids.end(), part.prompt_.ids.begin() + first, part.prompt_.ids.end());
    prompt_.media.insert(prompt_.media.end(), part.prompt_.media.begin(), part.prompt_.media.end());
    prompt_.boundaries.push_back(std::ssize(prompt_.ids));
    for (const Run& run : part.runs_) {
        if (run.begin < first) continue;
        Run moved = run;
        moved.begin += shift;
        moved.end += shift;
        moved.message = message;
        addRun(std::move(moved));
    }
    counts_.markup += std::ssize(prompt_.ids) - counts_.all();
}

Prompt MappedPrompt::loaded(const ComposedMessages& composed) const {
    Prompt out = prompt_;
    out.media.clear();
    for (const Run& run : runs_) {
        if (run.kind != TokenOrigin::Kind::kText) out.media.push_back(composed.at(run.message).media[run.medium].input);
    }
    return out;
}

TokenOrigin MappedPrompt::originOf(int64_t token, const ComposedMessages& composed) const {
    const auto run = std::partition_point(runs_.begin(), runs_.end(), [&](const Run& r) { return r.end <= token; });
    if (run == runs_.end() || token < run->begin) return {};
    const auto found = composed.find(run->message);
    const ComposedMessage* message = found != composed.end() ? &found->second : nullptr;
    if (run->kind == TokenOrigin::Kind::kText) return textOrigin(*run, token, message);
    return mediumOrigin(*run, token, message->media[run->medium]);
}

namespace {

// Behind those that are there, joined with the last one where both are text of one place.
void addStretch(std::vector<TokenStretch>& out, const TokenStretch& next) {
    if (next.begin == next.end) return;
    const bool joins = !out.empty() && next.kind == TokenOrigin::Kind::kText &&
                       out.back().kind == TokenOrigin::Kind::kText && out.back().end == next.begin &&
                       out.back().message == next.message && out.back().attachment == next.attachment &&
                       out.back().page == next.page;
    if (joins) {
        out.back().end = next.end;
    } else {
        out.push_back(next);
    }
}

}  // namespace

std::vector<TokenStretch> MappedPrompt::stretches(const ComposedMessages& composed) const {
    std::vector<TokenStretch> out;
    int64_t end = 0;
    for (const Run& run : runs_) {
        addStretch(out, {end, run.begin});
        end = run.end;
        const auto message = composed.find(run.message);
        if (message != composed.end()) {
            addStretches(run, message->second, out);
        } else {
            addStretch(out, {run.begin, run.end, run.kind, run.message});
        }
    }
    addStretch(out, {end, std::ssize(prompt_.ids)});
    return out;
}

// A token is of the piece that its first byte lies in.
void MappedPrompt::addStretches(const Run& run, const ComposedMessage& message, std::vector<TokenStretch>& out) {
    if (run.kind != TokenOrigin::Kind::kText) {
        const ComposedMedium& medium = message.media[run.medium];
        return addStretch(out, {run.begin, run.end, run.kind, run.message, medium.attachment, medium.page, &medium});
    }
    int64_t begin = run.begin;
    while (begin < run.end) {
        TokenStretch next{begin, run.end, run.kind, run.message};
        const TextPiece* piece = pieceOf(run, begin, message);
        if (piece != nullptr) {
            // The tokens behind the first one begin where the one before them ends.
            const auto behind = std::lower_bound(run.bytes.begin() + (begin - run.begin), run.bytes.end(), piece->end);
            next.end = std::min(run.end, run.begin + (behind - run.bytes.begin()) + 1);
            if (piece->from == TextPiece::From::kPage) {
                next.attachment = piece->attachment;
                next.page = piece->page;
            }
        }
        addStretch(out, next);
        begin = next.end;
    }
}

const TextPiece* MappedPrompt::pieceOf(const Run& run, int64_t token, const ComposedMessage& message) {
    const auto index = static_cast<size_t>(token - run.begin);
    const size_t byte = index > 0 ? run.bytes[index - 1] : 0;
    const auto piece = std::partition_point(message.texts.begin(), message.texts.end(), [&](const TextPiece& p) {
        return p.part < run.part || (p.part == run.part && p.end <= byte);
    });
    return piece != message.texts.end() && piece->part == run.part && piece->begin <= byte ? &*piece : nullptr;
}

TokenOrigin MappedPrompt::textOrigin(const Run& run, int64_t token, const ComposedMessage* message) {
    TokenOrigin origin;
    origin.kind = TokenOrigin::Kind::kText;
    origin.message = run.message;
    const auto index = static_cast<size_t>(token - run.begin);
    origin.textBegin = index > 0 ? run.bytes[index - 1] : 0;
    origin.textEnd = run.bytes[index];
    const TextPiece* piece = message != nullptr ? pieceOf(run, token, *message) : nullptr;
    if (piece == nullptr || piece->from != TextPiece::From::kPage) return origin;
    origin.attachment = piece->attachment;
    origin.page = piece->page;
    origin.textBegin -= piece->begin;
    origin.textEnd = std::min(origin.textEnd, piece->end) - piece->begin;
    const std::optional<Document>& document = message->attachments[piece->attachment].document;
    if (!document) return origin;
    const auto page = std::find_if(document->pages.begin(), document->pages.end(),
                                   [&](const DocumentPage& p) { return p.number == piece->page; });
    if (page == document->pages.end()) return origin;
    for (const TextRegion& line : page->map) {
        if (line.begin < origin.textEnd && origin.textBegin < line.end) origin.regions.push_back(line.region);
    }
    return origin;
}

TokenOrigin MappedPrompt::mediumOrigin(const Run& run, int64_t token, const ComposedMedium& medium) {
    TokenOrigin origin;
    origin.kind = run.kind;
    origin.message = run.message;
    origin.attachment = medium.attachment;
    origin.page = medium.page;
    origin.frames = medium.frames;
    const int64_t across = medium.resize.columns / medium.mergeSize;
    const int64_t row = (token - run.begin) / across;
    const int64_t column = (token - run.begin) % across;
    origin.patchRow = row * medium.mergeSize;
    origin.patchColumn = column * medium.mergeSize;
    // rows * patchSize pixels hold the resized picture and its padding.
    const double side = static_cast<double>(medium.patchSize * medium.mergeSize);
    const auto place = [&](int64_t cell, int64_t resized, int64_t original, double& at, double& length) {
        const double scale = static_cast<double>(original) / static_cast<double>(resized);
        const double first = std::min(static_cast<double>(cell) * side, static_cast<double>(resized));
        const double last = std::min(static_cast<double>(cell + 1) * side, static_cast<double>(resized));
        at = first * scale;
        length = (last - first) * scale;
    };
    place(column, medium.resize.width, medium.width, origin.x, origin.width);
    place(row, medium.resize.height, medium.height, origin.y, origin.height);
    return origin;
}

TokenCounts MappedPrompt::countsOf(size_t message) const {
    TokenCounts counts;
    for (const Run& run : runs_) {
        if (run.message == message) add(run, counts);
    }
    return counts;
}

std::vector<int64_t> MappedPrompt::pageTokens(size_t message, size_t attachment,
                                              const ComposedMessages& composed) const {
    const auto found = composed.find(message);
    if (found == composed.end() || !found->second.attachments[attachment].document) return {};
    const auto& pages = found->second.attachments[attachment].document->pages;
    std::vector<int64_t> out(pages.size());
    const auto add = [&](int number, int64_t tokens) {
        const auto page =
            std::partition_point(pages.begin(), pages.end(), [&](const DocumentPage& p) { return p.number < number; });
        if (page != pages.end() && page->number == number) out[static_cast<size_t>(page - pages.begin())] += tokens;
    };
    for (const Run& run : runs_) {
        if (run.message != message || run.part == kReasoning) continue;
        if (run.kind != TokenOrigin::Kind::kText) {
            const ComposedMedium& medium = found->second.media[run.medium];
            if (medium.attachment == attachment) add(medium.page, run.end - run.begin);
            continue;
        }
        for (int64_t token = run.begin; token < run.end; ++token) {
            const TextPiece* piece = pieceOf(run, token, found->second);
            if (piece != nullptr && piece->from == TextPiece::From::kPage && piece->attachment == attachment)
                add(piece->page, 1);
        }
    }
    return out;
}

TokenCounts MappedPrompt::countsOf(size_t message, size_t attachment, const ComposedMessages& composed) const {
    TokenCounts counts;
    const auto found = composed.find(message);
    if (found == composed.end()) return counts;
    for (const Run& run : runs_) {
        if (run.message != message || run.part == kReasoning) continue;
        if (run.kind != TokenOrigin::Kind::kText) {
            if (found->second.media[run.medium].attachment != attachment) continue;
            add(run, counts);
            continue;
        }
        for (int64_t token = run.begin; token < run.end; ++token) {
            const TextPiece* piece = pieceOf(run, token, found->second);
            const bool isOf =
                piece != nullptr && piece->from == TextPiece::From::kPage && piece->attachment == attachment;
            counts.text += isOf ? 1 : 0;
        }
    }
    return counts;
}

}  // namespace pal
