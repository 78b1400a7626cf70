// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <optional>
#include <utility>

namespace pal::desktop {

// The newest of values that come faster than anybody looks. Thread-safe.
template <typename Value>
class Latest {
  public:
    // True: none was waiting, so somebody has to be told.
    [[nodiscard]] bool put(Value value) {
        const std::lock_guard lock(mutex_);
        return !std::exchange(value_, std::move(value)).has_value();
    }
    [[nodiscard]] std::optional<Value> take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(value_, std::nullopt);
    }

  private:
    std::mutex mutex_;
    std::optional<Value> value_;
};

}  // namespace pal::desktop
