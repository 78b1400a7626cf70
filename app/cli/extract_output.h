// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>

#include "app/compose/message.h"
#include "engine/base/result.h"

namespace pal::cli {

// Files that `pal extract` writes.

// Every read page of a PDF as page-<n>.png, or the pictures that lie in a docx, odt, epub or html under their own names. Makes the folder.
// Returns how many there were. Errors: those of reading and writing; kInvalidArgument for what has no pages.
Result<size_t> writePageImages(const AttachedFile& attachment, const ComposedMessage& message,
                               const ComposeOptions& options, const std::filesystem::path& folder);

// The loaded media of a message as safetensors; see `pal extract --help` for the names. Errors: kIo.
Result<> writePatchFile(const ComposedMessage& message, const MediaConfig& config, const std::filesystem::path& file);

}  // namespace pal::cli
