// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "vision/documents/document.h"

namespace pal {

// So many bytes from the beginning of a file are enough to tell what it is.
inline constexpr size_t kKindBytes = 4096;

// What a file seems to be.
struct KindGuess {
    std::optional<DocumentKind> kind;
    // A zip archive whose kind its table of contents decides; `kind` is the name's opinion then.
    bool zip = false;
    // What it is instead of a document ("a PNG image", "an old Word document (.doc)"), when that is known.
    std::string otherwise;
};

// From the first kKindBytes bytes (or all of a shorter file) and the file's name. Bytes that look like no text make no text document.
KindGuess guessKind(std::string_view head, std::string_view name);

}  // namespace pal
