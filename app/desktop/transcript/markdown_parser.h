// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "app/desktop/transcript/block.h"
#include "app/desktop/transcript/inline_cuts.h"

namespace pal::desktop {

// Containers beyond this depth are not shown.
constexpr size_t kMaxContainers = 12;

// All blocks of a GitHub-flavoured Markdown text (tables, strikethrough, task lists, addresses as links), which is valid UTF-8 without NUL.
// HTML is text. Pictures are links to where they are, and nothing is ever loaded. A text that md4c cannot take, or that would give more than a
// few dozen pieces for each of its bytes, is one plain paragraph. Cost and memory are linear in the text. Any thread.
[[nodiscard]] std::vector<Block> parseMarkdown(std::string_view text, const InlinePattern& pattern);

}  // namespace pal::desktop
