// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/composition/opening_cost.h"
#include "storage/chats/chat_types.h"

namespace pal::cli {

// A session's name on one line, whatever somebody put into it.
[[nodiscard]] std::string nameLine(std::string name);

// "opens in about 2 s (1.1 GiB of stored state, 12 tokens to read)", "re-reads 184,210 tokens, about 9 min"; without a rate that was measured
// before, the amounts alone.
[[nodiscard]] std::string describeCost(const OpeningCost& cost);

// The same of a stored session. One that came from another program has no tokens that a model counted, and is no less to read for that.
[[nodiscard]] std::string describeOpening(const SessionSummary& session, const OpeningCost& cost);

// "2026-11-30 01:02"
[[nodiscard]] std::string describeTime(int64_t ms);

// A session with everything that a list shows. `bytes` counts text, ids and attachments.
[[nodiscard]] nlohmann::json sessionJson(const SessionSummary& session, uint64_t bytes, const OpeningCost& cost);

// A message with its place in the tree.
[[nodiscard]] nlohmann::json messageJson(const Message& message);

}  // namespace pal::cli
