// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace pal::desktop {

// Bytes that arrive in pieces -> valid UTF-8 without NUL and with '\n' as the only line end. Each byte that is in no valid character, and NUL,
// becomes U+FFFD. What comes out in all does not depend on how the bytes were split.
class TextIntake {
  public:
    // What is certain by now: the beginning of a character and a CR at the end wait for what follows.
    [[nodiscard]] std::string take(std::string_view bytes);

  private:
    std::string pending_;
};

}  // namespace pal::desktop
