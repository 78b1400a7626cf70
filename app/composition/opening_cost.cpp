// SPDX-License-Identifier: Apache-2.0
#include "app/composition/opening_cost.h"

#include <algorithm>

namespace pal {

Result<OpeningCost> openingCost(RateTable rates, std::string_view model, int64_t prompt, int64_t stored,
                                uint64_t bytes) {
    OpeningCost cost{std::max<int64_t>(0, prompt - stored), stored > 0 ? bytes : 0, std::nullopt};
    PAL_ASSIGN(const std::optional<double> prefill, rates.get(model, RateKind::kPrefill));
    PAL_ASSIGN(const std::optional<double> restore, rates.get(model, RateKind::kRestore));
    double seconds = 0;
    if (cost.tokens > 0) {
        if (!prefill) return cost;
        seconds += static_cast<double>(cost.tokens) / *prefill;
    }
    if (cost.bytes > 0) {
        if (!restore) return cost;
        seconds += static_cast<double>(cost.bytes) / *restore;
    }
    cost.seconds = seconds;
    return cost;
}

}  // namespace pal
