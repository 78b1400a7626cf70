// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "engine/base/result.h"
#include "storage/chats/rate_table.h"

namespace pal {

// What opening a session takes, from rates measured with the same model on the same device.
struct OpeningCost {
    int64_t tokens = 0;             // to compute anew
    uint64_t bytes = 0;             // of stored state to read
    std::optional<double> seconds;  // nothing when a rate that is needed was never measured
};

// Measured rates of a model on a device of this machine, per second.
struct ModelRates {
    std::optional<double> prefillTokens;
    std::optional<double> restoreBytes;
};
// Errors: those of the table.
Result<ModelRates> modelRates(RateTable rates, std::string_view model, std::string_view device);
[[nodiscard]] OpeningCost openingCost(const ModelRates& rates, int64_t prompt, int64_t stored, uint64_t bytes);

// `prompt` tokens, of which `stored` have a state of `bytes`. Errors: those of the table.
Result<OpeningCost> openingCost(RateTable rates, std::string_view model, std::string_view device, int64_t prompt,
                                int64_t stored, uint64_t bytes);

}  // namespace pal
