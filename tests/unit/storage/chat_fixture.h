// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <type_traits>
#include <utility>

#include "storage/chats/chat_database.h"
#include "tests/support/temp_folder.h"

namespace pal::test {

// The value of a Result that must be there.
template <typename T>
T need(Result<T> result) {
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    if (!result) std::abort();
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

inline NewMessage says(SessionId session, MessageId parent, Role role, std::string text, int64_t tokens = 1) {
    NewMessage message;
    message.session = session;
    message.parent = parent;
    message.role = role;
    message.text = std::move(text);
    message.tokens = tokens;
    message.createdMs = 1'700'000'000'000 + parent;
    return message;
}

// chats.db in an own folder.
class ChatTest : public testing::Test {
  protected:
    [[nodiscard]] std::filesystem::path file() const { return folder_ / "chats.db"; }
    Result<ChatDatabase> open(ChatAccess access = ChatAccess::kOwner) const {
        return ChatDatabase::open(file(), {access, folder_ / "backups", ""});
    }

    SessionId newSession(ChatDatabase& database, const std::string& name) {
        return need(database.write([&](ChatDatabase& db) { return db.sessions().add(name, "{}", 1); }));
    }
    MessageId add(ChatDatabase& database, const NewMessage& message) {
        return need(database.write([&](ChatDatabase& db) { return db.messages().add(message); }));
    }

    TempFolder folder_;
};

}  // namespace pal::test
