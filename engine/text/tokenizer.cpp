// SPDX-License-Identifier: Apache-2.0
#include "engine/api/tokenizer.h"

#include <algorithm>
#include <bit>

#include "engine/text/bpe.h"
#include "engine/text/pretokenizer.h"
#include "engine/text/tokenizer_tables.h"
#include "engine/text/vocabulary.h"

namespace pal {
namespace {

// Encodes the slices of one call. Pieces that are no token themselves are remembered by where they stood in the text and where
// their ids went, so a repeated word is merged once.
class TextEncoder {
  public:
    TextEncoder(const Vocabulary& vocabulary, const Atoms& atoms, std::vector<TokenId>& out, size_t textBytes)
        : vocabulary_(vocabulary),
          bpe_(vocabulary, atoms),
          out_(out),
          memory_(std::bit_floor(std::clamp<size_t>(textBytes / 16, 1, 8192))) {}

    void encode(std::string_view text) {
        for (size_t position = 0; position < text.size();) {
            const size_t end = pretokenizer::pieceEnd(text, position);
            encodePiece(text.substr(position, end - position));
            position = end;
        }
    }

  private:
    struct Remembered {
        std::string_view piece;
        size_t firstId = 0;
        size_t count = 0;
    };

    void encodePiece(std::string_view piece) {
        const Vocabulary::Key key = Vocabulary::keyOf(piece);
        if (const TokenId whole = vocabulary_.find(piece, key); whole != Vocabulary::kNone) {
            out_.push_back(whole);
            return;
        }
        Remembered& known = memory_[key.hash & (memory_.size() - 1)];
        if (known.piece == piece) {
            for (size_t i = 0; i < known.count; ++i) out_.push_back(out_[known.firstId + i]);
            return;
        }
        const size_t firstId = out_.size();
        bpe_.encode(piece, out_);
        known = {piece, firstId, out_.size() - firstId};
    }

    const Vocabulary& vocabulary_;
    BpeEncoder bpe_;
    std::vector<TokenId>& out_;
    std::vector<Remembered> memory_;
};

}  // namespace

std::vector<TokenId> Tokenizer::encode(std::string_view text, SpecialTokens special) const {
    std::vector<TokenId> out;
    encode(text, special, out);
    return out;
}

void Tokenizer::encode(std::string_view text, SpecialTokens special, std::vector<TokenId>& out) const {
    TextEncoder encoder(tables_->vocabulary, tables_->atoms, out, text.size());
    pretokenizer::Cutter cutter(text, tables_->cuts);
    for (std::string_view slice = cutter.next(); !slice.empty(); slice = cutter.next()) {
        size_t position = 0;
        while (special == SpecialTokens::kAllow && position < slice.size()) {
            const ControlTokens::Match match = tables_->control.search(slice, position);
            encoder.encode(slice.substr(position, match.position - position));
            if (match.length != 0) out.push_back(match.id);
            position = match.position + match.length;
        }
        encoder.encode(slice.substr(position));
    }
}

std::string_view Tokenizer::tokenBytes(TokenId id) const {
    if (id < 0 || id >= size()) return {};
    return isControl(id) ? tables_->control.name(id) : tables_->vocabulary.bytes(id);
}

std::string Tokenizer::decode(std::span<const TokenId> ids) const {
    std::string out;
    for (const TokenId id : ids) out += tokenBytes(id);
    return out;
}

TokenId Tokenizer::baseSize() const {
    return tables_->vocabulary.size();
}

TokenId Tokenizer::size() const {
    return baseSize() + ControlTokens::kCount;
}

std::optional<TokenId> Tokenizer::controlId(std::string_view name) const {
    return tables_->control.find(name);
}

ChatStyle Tokenizer::style() const {
    return tables_->style;
}

const std::vector<TokenId>& Tokenizer::stopIds() const {
    return tables_->stopIds;
}

std::optional<TokenId> Tokenizer::mediaPadId() const {
    return tables_->mediaPadId;
}

std::array<uint64_t, 2> Tokenizer::fingerprint() const {
    return tables_->fingerprint;
}

}  // namespace pal
