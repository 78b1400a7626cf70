// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "app/inspect/figure.h"
#include "app/inspect/scalars.h"
#include "engine/api/probe.h"

namespace pal::inspect {

// Tokens [begin, end).
struct TokenSpan {
    int64_t begin = 0, end = 0;
    [[nodiscard]] int64_t size() const { return end - begin; }
    [[nodiscard]] bool contains(int64_t token) const { return token >= begin && token < end; }
    friend bool operator==(const TokenSpan&, const TokenSpan&) = default;
};

// What a layer is, for labels and to know which views it has.
struct LayerShape {
    bool kda = false, mla = false;
    int64_t heads = 0;    // of its attention
    int64_t chosen = 0;   // experts per token; 0: a dense layer
    int64_t sources = 0;  // of the depth mix; 0: a plain residual stream
};
struct ProbeShape {
    std::vector<LayerShape> layers;
    int64_t experts = 0;  // of a layer that has some
};
// `experts` is not in a record, which names only those that ran.
[[nodiscard]] ProbeShape shapeOf(const TokenProbe& probe, int64_t experts);

// A part of the prompt that attention mass is summed over: tokens [begin, end).
struct Region {
    enum class Kind { kMarkup, kText, kPage, kPicture, kFrames };
    int64_t begin = 0, end = 0;
    Kind kind = Kind::kMarkup;
    std::string name;         // "report.pdf, page 3"
    int64_t message = 0;      // database id; 0: of none
    int64_t attachment = -1;  // of that message
    int page = 0;             // from 1; 0: no document
    double seconds = -1;      // of kFrames: the first frame; -1: no clip
    // Of kPicture, kFrames: the grid of its tokens, row by row, and its first token; marks may stand before it.
    int64_t gridBegin = 0, rows = 0, columns = 0;
};

// A reduced stretch of a series; NaN and 0 where nothing was looked at.
struct SeriesBin {
    TokenSpan tokens;
    float low = 0, mean = 0, high = 0;
    int64_t count = 0;
};

// What one number of a token's record is, and what the model found likely after it.
struct TokenNumber {
    static constexpr size_t kMostNext = 5;
    enum class Record : uint8_t { kNone, kToken, kLayers } record = Record::kNone;  // kToken: without values of layers
    uint8_t nextCount = 0;
    float value = std::numeric_limits<float>::quiet_NaN();
    std::array<TokenAlternative, kMostNext> next;  // the likeliest first
};
[[nodiscard]] TokenNumber numberOf(const TokenProbe& probe, Scalar scalar, int64_t layer);

enum class Capture { kLive, kRecomputed };

// What is known of one branch of one session. Views only read it. Thread-safe: a figure may be built while tokens come.
class ProbeSource {
  public:
    virtual ~ProbeSource() = default;
    // Empty before the first token was looked at; then it stays as it is.
    [[nodiscard]] virtual const ProbeShape& shape() const = 0;
    // Tokens of the branch, looked at or not.
    [[nodiscard]] virtual int64_t tokens() const = 0;
    // The tokens that were looked at, in order, apart.
    [[nodiscard]] virtual std::vector<TokenSpan> covered() const = 0;
    // Null for a token that was not looked at, or whose record is gone. May read a file.
    [[nodiscard]] virtual std::shared_ptr<const TokenProbe> at(int64_t token) const = 0;
    // A number of each token of the span, for many tokens of which that is shown. `layer`: of a scalar that is of a layer.
    [[nodiscard]] virtual std::vector<TokenNumber> numbersAt(Scalar scalar, int64_t layer,
                                                             const TokenSpan& span) const = 0;
    [[nodiscard]] virtual Capture captureOf(int64_t token) const = 0;
    // A scalar of one layer in bins of one width that cover the span, in order; at most `most` of them, or as few as wider bins allow. Costs
    // no more than the bins, however long the span is.
    [[nodiscard]] virtual std::vector<SeriesBin> bins(Scalar scalar, int64_t layer, TokenSpan span,
                                                      int64_t most) const = 0;
    // The regions that the mass of this token's record is summed over; without the last, which is all behind them. Never null.
    [[nodiscard]] virtual std::shared_ptr<const std::vector<Region>> regions(int64_t token) const = 0;
    // A token's text as UTF-8; empty when it is not known.
    [[nodiscard]] virtual std::string text(int64_t token) const = 0;
    // The text of a vocabulary entry, likewise.
    [[nodiscard]] virtual std::string tokenName(TokenId id) const = 0;
    // tokenName() for later: may be called from any thread, and when the source is gone.
    [[nodiscard]] virtual std::function<std::string(TokenId)> names() const = 0;
    // The newest window with raw values that holds this token; null: none.
    [[nodiscard]] virtual std::shared_ptr<const WindowProbe> window(int64_t token) const = 0;
    // The picture that the tokens of a region stand for; null: none, or not loaded.
    [[nodiscard]] virtual std::shared_ptr<const Picture> picture(const Region& region) const = 0;
};

// Raw values of a layer in a window; null: none.
[[nodiscard]] const RawLayer* rawLayer(const WindowProbe* window, int64_t layer);

}  // namespace pal::inspect
