// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/inspect/probe_store.h"
#include "storage/probes/probe_library.h"

namespace pal {

// What is kept of the replies of one branch, for views; nothing any more once the library was closed. Thread-safe.
class StoredReplies : public inspect::ProbeStore {
  public:
    // A reply that is still written: its records are read, too, its bins are not known yet.
    struct Growing {
        int64_t message = 0;
        int64_t begin = 0;  // its first token
    };
    // `replies` in the order of their tokens.
    StoredReplies(const std::shared_ptr<ProbeLibrary>& library, std::vector<StoredReply> replies,
                  std::optional<Growing> growing);

    [[nodiscard]] const std::vector<inspect::TokenSpan>& covered() const override { return covered_; }
    [[nodiscard]] std::shared_ptr<const TokenProbe> read(int64_t token) const override;
    void visitLayer(const inspect::TokenSpan& span, int64_t layer,
                    const std::function<void(const TokenProbe&)>& visit) const override;
    [[nodiscard]] std::vector<inspect::SeriesBin> bins(inspect::Scalar scalar, int64_t layer, inspect::TokenSpan span,
                                                       int64_t width) const override;

  private:
    const std::weak_ptr<ProbeLibrary> library_;
    const std::vector<StoredReply> replies_;
    const std::optional<Growing> growing_;
    std::vector<inspect::TokenSpan> covered_;
};

// Of a reply whose records reach past its text, as a killed program leaves it, the tokens that are still there. `ids` are those of the branch: what
// closes the message stands where others were. Errors: those of ProbeLibrary::read.
[[nodiscard]] Result<> cutToText(ProbeLibrary& library, std::span<const TokenId> ids, StoredReply& reply);

// All scalars of a token under the numbers that StoredReplies::bins finds them by: what ProbeLibraryOptions::series wants.
[[nodiscard]] std::vector<SeriesValue> seriesOf(const TokenProbe& probe);

}  // namespace pal
