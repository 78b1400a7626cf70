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
    std::vector<std::string> files;  // of any kind; "-" is text on standard input
    std::vector<std::string> images, videos;
    std::string pages;  // "3" or "3-7"
    std::string password;
    bool pageImages = false;
    int64_t imageTokens = 0;  // 0: what the model allows; likewise the next ones
    double videoFps = 0;
    int64_t videoFrames = 0;
    int64_t videoTokens = 0;
    double videoStart = 0, videoEnd = 0;  // seconds

    [[nodiscard]] bool given() const { return !files.empty() || !images.empty() || !videos.empty(); }
};

// Adds --image, --video and everything about how documents, pictures and clips are read. `flags` must live as long as the command.
void addAttachmentOptions(CLI::App& command, AttachmentFlags& flags);

// Files in the order given, then images, then videos. Errors: kNotFound, kIo, kUnsupported.
Result<std::vector<AttachedFile>> attachmentsOf(const AttachmentFlags& flags);

// The options as given, for a model with `media`. Errors: kInvalidArgument for pages that are no range.
// Shows on the status line how far reading is, and lets Ctrl-C end it. `terminal` and `interrupt` outlive the options.
void showComposing(Terminal& terminal, const Interrupt& interrupt, ComposeOptions& options);

Result<ComposeOptions> composeOptionsOf(const AttachmentFlags& flags, std::optional<MediaConfig> media);

// The media of the model in `folder`, or nothing when it has no vision. Errors: those of reading its files.
Result<std::optional<MediaConfig>> mediaConfigOf(const std::filesystem::path& folder);

}  // namespace pal::cli
