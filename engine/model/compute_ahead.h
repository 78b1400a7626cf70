// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <future>
#include <type_traits>

#include "engine/base/result.h"

namespace pal {

// Computes make(0) to make(count - 1) by one task each, up to `threads` ahead, and gives every value to take(i, value) on the calling
// thread and in order: reading or writing a file in sequence with the work on its blocks spread out. Ends with the first error of
// `take`; tasks that run are waited for.
template <typename Make, typename Take>
Result<> computeAhead(size_t count, size_t threads, const Make& make, const Take& take) {
    std::deque<std::future<std::invoke_result_t<const Make&, size_t>>> ahead;
    size_t next = 0;
    for (size_t i = 0; i < count; ++i) {
        for (; next < count && ahead.size() <= threads; ++next) {
            ahead.push_back(std::async(std::launch::async, [&make, task = next] { return make(task); }));
        }
        const auto value = ahead.front().get();
        ahead.pop_front();
        PAL_TRY(take(i, value));
    }
    return {};
}

}  // namespace pal
