// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace pal {

// One run of a program that reads a file and writes to its standard output.
struct HelperRun {
    std::filesystem::path program;
    std::vector<std::string> arguments;    // without the program's name
    std::vector<std::string> environment;  // "NAME=value", besides this process's own
    int input = -1;                        // becomes its standard input; stays the caller's
    std::chrono::milliseconds silence{};   // longest time without output
    std::chrono::milliseconds total{};
    std::stop_token stop;
    std::function<Result<>(std::string_view)> output;  // pieces of its output as they come; an error ends the run
};

struct HelperEnd {
    int exitCode = 0;  // -1 when a signal ended it
    int signal = 0;
    std::string lastWords;  // the end of what it wrote to standard error
};

// Starts the program in its own session and blocks until it has ended; it is killed when time is up, on a stop and when `output`
// fails. Errors: kNotFound (no such program), kIo (it cannot be started), kCancelled, kInternal (a time limit, with the seconds), and
// those of `output`. Any thread.
Result<HelperEnd> runHelper(const HelperRun& run);

}  // namespace pal
