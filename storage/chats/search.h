// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "storage/chats/chat_types.h"
#include "storage/sqlite/database.h"

namespace pal {

// Sessions and messages that contain every word of `query`, in any script, anywhere in a word; names first, then the newest messages, at
// most `limit`. Words of three characters and more are found by the trigram index, without regard to case; where all words are shorter,
// as they often are in Chinese, all texts are read. An empty query finds nothing. Errors: those of SQLite.
Result<std::vector<SearchHit>> searchChats(sqlite::Database& database, std::string_view query, int64_t limit);

}  // namespace pal
