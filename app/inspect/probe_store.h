// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/inspect/probe_source.h"

namespace pal::inspect {

// What is kept of a branch on disk. Thread-safe.
class ProbeStore {
  public:
    static constexpr int64_t kFinestWidth = 16;  // tokens

    virtual ~ProbeStore() = default;
    // The tokens with a record when the branch was opened, in order, apart.
    [[nodiscard]] virtual const std::vector<TokenSpan>& covered() const = 0;
    // Null where there is none (any more); of a reply that is still written there may be more than covered() says.
    [[nodiscard]] virtual std::shared_ptr<const TokenProbe> read(int64_t token) const = 0;
    // Of a span what is there, of one layer (-1: none), the others are empty, for many tokens of which little is shown: costs a small part of read() of
    // each. `visit` is called with one after the other, in any order, each valid during the call; of a token that comes twice the later one counts.
    virtual void visitLayer(const TokenSpan& span, int64_t layer,
                            const std::function<void(const TokenProbe&)>& visit) const = 0;
    // A scalar of one layer over the span, of the tokens of covered(): bins of `width` tokens, a power of two from kFinestWidth on, that begin
    // at multiples of it; those where nothing was looked at are left out. Costs no more than the bins.
    [[nodiscard]] virtual std::vector<SeriesBin> bins(Scalar scalar, int64_t layer, TokenSpan span,
                                                      int64_t width) const = 0;
};

}  // namespace pal::inspect
