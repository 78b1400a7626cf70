// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/cli/terminal.h"
#include "engine/api/chat.h"

namespace pal::cli {

// Prints a reply as it comes: on a terminal thinking is dim and control characters are dropped, elsewhere only the answer is written.
class ReplyPrinter {
  public:
    explicit ReplyPrinter(Terminal& terminal) : terminal_(terminal) {}
    void print(const std::vector<OutputDelta>& deltas);
    // Ends colours and the last line.
    void finish();

  private:
    void reasoning(std::string_view text);
    void content(std::string_view text);
    void write(std::string_view text);

    Terminal& terminal_;
    bool dim_ = false;
    bool lineOpen_ = false;
};

}  // namespace pal::cli
