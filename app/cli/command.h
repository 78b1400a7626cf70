// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "app/cli/terminal.h"

namespace pal::cli {

// Exit codes of `pal`, the same for every command.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitInterrupted = 130;  // Ctrl-C

// What the chosen command does once the arguments are parsed; returns the exit code.
using Runner = std::function<int(Terminal&)>;

// Each command is one file `<name>_command.cpp` with one function of this form: it registers its sub-command with its flags on `app`
// and, when the sub-command is chosen, sets `selected`. Flags live in a shared_ptr captured by the callback.
using AddCommand = void (*)(CLI::App& app, Runner& selected);

}  // namespace pal::cli
