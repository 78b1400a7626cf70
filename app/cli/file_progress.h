// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "app/cli/terminal.h"
#include "engine/api/model_files.h"

namespace pal::cli {

// Shows how far a long file operation is as a status line: share, bytes, rate and time left, ten times a second.
class FileProgressLine {
  public:
    // `verb` begins the line ("Checking"); the terminal outlives the object.
    FileProgressLine(Terminal& terminal, std::string verb) : terminal_(terminal), verb_(std::move(verb)) {}
    void show(const FileProgress& progress);

  private:
    Terminal& terminal_;
    std::string verb_;
    std::chrono::steady_clock::time_point shown_{};
};

// "12.3 GiB in 4.0 s, 3.1 GiB/s"
[[nodiscard]] std::string describeRate(uint64_t bytes, double seconds);

}  // namespace pal::cli
