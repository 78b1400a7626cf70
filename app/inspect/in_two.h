// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace pal::inspect {

// Calls work(begin, end) for the two halves of [0, count), one of them on a second thread where the system has one, and waits for both. What `work` throws
// is thrown on.
void inTwo(int64_t count, const std::function<void(int64_t begin, int64_t end)>& work);

}  // namespace pal::inspect
