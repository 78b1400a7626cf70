// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/cli/attachment_options.h"
#include "app/cli/engine_flags.h"
#include "app/cli/terminal_chat.h"
#include "engine/base/result.h"

namespace pal::cli {

// The command line of `pal run`.
struct RunOptions {
    std::vector<std::string> words;  // [MODEL] [PROMPT]
    std::string model;               // -m; after completeOptions() also a model among the words
    std::string prompt;              // after completeOptions()
    std::string modelHint;  // after completeOptions(): what to tell beside an error of a model that is a single word
    AttachmentFlags attachments;
    std::string think = "max";
    ChatOptions chat;
    EngineFlags engine;
    bool json = false;
};

// Adds everything to `command`; `options` must live as long.
void addRunOptions(CLI::App& command, RunOptions& options);

// Completes what was parsed: which word is the model and which the question, and how much to think. Two words are MODEL and PROMPT; a
// single one is the model if it names one (namesModel), else the question. Errors: kInvalidArgument for more words than that.
Result<> completeOptions(RunOptions& options);

}  // namespace pal::cli
