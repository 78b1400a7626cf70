// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/interrupt.h"
#include "app/cli/terminal.h"
#include "app/compose/attached_file.h"
#include "engine/base/result.h"

namespace pal::cli {

// What is attached to a question, and how; the same flags for every command that takes attachments.
struct AttachmentFlags {
    struct Given {
        std::optional<AttachedKind> kind;  // none: its bytes decide, and "-" is text on standard input
        std::string file;
    };
    std::vector<Given> list;  // in the order of the command line
    std::string pages;        // "3" or "3-7"
    std::string password;
    bool pageImages = false;
    int64_t imageTokens = 0;  // 0: what the model allows; likewise the next ones
    double videoFps = 0;
    int64_t videoFrames = 0;
    int64_t videoTokens = 0;
    double videoStart = 0, videoEnd = 0;  // seconds

    [[nodiscard]] bool given() const { return !list.empty(); }
    // Whether standard input is one of them.
    [[nodiscard]] bool readsInput() const;
};

// Adds an option, such as "-f,--file", that attaches a file of any kind.
void addFileOption(CLI::App& command, AttachmentFlags& flags, const std::string& name, const std::string& help);

// Adds --image, --video and everything about how documents, pictures and clips are read. `flags` must live as long as the command.
void addAttachmentOptions(CLI::App& command, AttachmentFlags& flags);

// In the order given, with their options. Errors: kNotFound, kIo, kUnsupported; kInvalidArgument for pages that are no range.
Result<std::vector<AttachedFile>> attachmentsOf(const AttachmentFlags& flags);

// Shows on the status line how far reading is, and lets Ctrl-C end it. `terminal` and `interrupt` outlive the options.
void showComposing(Terminal& terminal, const Interrupt& interrupt, ComposeOptions& options);

// For a model with `media`.
ComposeOptions composeOptionsOf(const AttachmentFlags& flags, std::optional<MediaConfig> media);

}  // namespace pal::cli
