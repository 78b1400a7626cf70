// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "engine/api/tokenizer.h"

namespace pal {

// The ids that a reply is in later prompts, behind the opening of the assistant's message: exactly what the model drew, so that its state
// fits, and, where the reply was cut off, the rest of the message's frame. `drawn` are the drawn ids, `rendered` the same message as the chat
// format writes it. A reply that broke the grammar is only ended: its state is worth more than its form.
[[nodiscard]] std::vector<TokenId> replyIds(const Tokenizer& tokenizer, std::span<const TokenId> drawn,
                                            std::span<const TokenId> rendered);

}  // namespace pal
