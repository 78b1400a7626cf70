// SPDX-License-Identifier: Apache-2.0
#include "app/composition/opening_cost.h"

#include <algorithm>

namespace pal {

Result<ModelRates> modelRates(RateTable rates, std::string_view model, std::string_view device) {
    ModelRates out;
    PAL_ASSIGN(out.prefillTokens, rates.get(model, device, RateKind::kPrefill));
    PAL_ASSIGN(out.restoreBytes, rates.get(model, device, RateKind::kRestore));
    return out;
}

OpeningCost openingCost(const ModelRates& rates, int64_t prompt, int64_t stored, uint64_t bytes) {
    OpeningCost cost{std::max<int64_t>(0, prompt - stored), stored > 0 ? bytes : 0, std::nullopt};
    double seconds = 0;
    if (cost.tokens > 0) {
        if (!rates.prefillTokens) return cost;
        seconds += static_cast<double>(cost.tokens) / *rates.prefillTokens;
    }
    if (cost.bytes > 0) {
        if (!rates.restoreBytes) return cost;
        seconds += static_cast<double>(cost.bytes) / *rates.restoreBytes;
    }
    cost.seconds = seconds;
    return cost;
}

Result<OpeningCost> openingCost(RateTable rates, std::string_view model, std::string_view device, int64_t prompt,
                                int64_t stored, uint64_t bytes) {
    PAL_ASSIGN(const ModelRates measured, modelRates(rates, model, device));
    return openingCost(measured, prompt, stored, bytes);
}

}  // namespace pal
