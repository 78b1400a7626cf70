// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pal {

// Finds the first of several texts in a text that comes in pieces, and lets out only what cannot belong to one. Confined to one thread.
class StopStrings {
  public:
    enum class Outcome { kFree, kMet };

    StopStrings() = default;
    // Empty texts are no stops.
    explicit StopStrings(std::vector<std::string> stops);

    // Takes the next piece and appends to `out` what is decided. With kMet `out` ends before the stop that is complete first, the rest is
    // dropped and the object is ready for another text.
    Outcome push(std::string_view piece, std::string& out);
    // The text ends here: what was held back, which is no stop.
    [[nodiscard]] std::string finish();

  private:
    [[nodiscard]] size_t undecided() const;

    std::vector<std::string> stops_;
    std::string held_;  // a proper prefix of a stop
};

}  // namespace pal
