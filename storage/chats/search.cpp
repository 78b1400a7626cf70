// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/search.h"

#include <algorithm>
#include <string>

namespace pal {
namespace {

constexpr size_t kIndexedCharacters = 3;  // FTS5's trigrams
constexpr size_t kMaxWords = 16;

size_t characters(std::string_view word) {
    return static_cast<size_t>(
        std::count_if(word.begin(), word.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::vector<std::string> wordsOf(std::string_view query) {
    constexpr std::string_view kSpaces = " \t\r\n";
    std::vector<std::string> out;
    for (size_t at = query.find_first_not_of(kSpaces); at != std::string_view::npos && out.size() < kMaxWords;) {
        const size_t end = std::min(query.find_first_of(kSpaces, at), query.size());
        out.emplace_back(query.substr(at, end - at));
        at = query.find_first_not_of(kSpaces, end);
    }
    return out;
}

// A quoted string of FTS5, in which only the quote is special.
std::string ftsString(std::string_view word) {
    std::string out = "\"";
    for (const char c : word) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + "\"";
}

// %word% for LIKE ... ESCAPE '\'.
std::string pattern(std::string_view word) {
    std::string out = "%";
    for (const char c : word) {
        if (c == '%' || c == '_' || c == '\\') out += '\\';
        out += c;
    }
    return out + "%";
}

// column LIKE ?n AND ... for `count` words whose parameters begin at `first`.
std::string likeAll(std::string_view column, size_t count, size_t first) {
    std::string out = "1";
    for (size_t i = 0; i < count; ++i) out += fmt::format(" AND {} LIKE ?{} ESCAPE '\\'", column, first + i);
    return out;
}

Result<> bindPatterns(sqlite::Statement& statement, const std::vector<std::string>& words, int first) {
    for (const std::string& word : words) PAL_TRY(statement.bind(first++, pattern(word)));
    return {};
}

Result<> collect(sqlite::Statement& statement, int64_t limit, std::vector<SearchHit>& out) {
    while (std::ssize(out) < limit) {
        PAL_ASSIGN(const bool found, statement.step());
        if (!found) break;
        out.push_back({statement.integer(0), statement.integer(1), std::string(statement.text(2)),
                       std::string(statement.text(3))});
    }
    statement.reset();
    return {};
}

}  // namespace

Result<std::vector<SearchHit>> searchChats(sqlite::Database& database, std::string_view query, int64_t limit) {
    std::vector<SearchHit> out;
    const std::vector<std::string> words = wordsOf(query);
    if (words.empty()) return out;
    PAL_ASSIGN(sqlite::Statement names,
               database.prepare(fmt::format("SELECT id, 0, name, name FROM session WHERE deleted_ms IS NULL AND {} "
                                            "ORDER BY changed_ms DESC",
                                            likeAll("name", words.size(), 1))));
    PAL_TRY(bindPatterns(names, words, 1));
    PAL_TRY(collect(names, limit, out));

    std::string match;
    std::vector<std::string> shortWords;
    for (const std::string& word : words) {
        if (characters(word) < kIndexedCharacters) {
            shortWords.push_back(word);
        } else {
            match += (match.empty() ? "" : " AND ") + ftsString(word);
        }
    }
    const std::string indexed =
        match.empty() ? "?1 = '' AND"
                      : "message.id IN (SELECT rowid FROM message_search WHERE message_search MATCH ?1) AND";
    PAL_ASSIGN(sqlite::Statement messages,
               database.prepare(fmt::format(
                   "SELECT session.id, message.id, session.name, substr(text, max(1, instr(lower(text), lower(?2)) - "
                   "40), 160) "
                   "FROM message JOIN session ON session.id = session_id WHERE {} deleted_ms IS NULL AND {} "
                   "ORDER BY message.id DESC",
                   indexed, likeAll("text", shortWords.size(), 3))));
    PAL_TRY(messages.bind(1, match));
    PAL_TRY(messages.bind(2, words.front()));
    PAL_TRY(bindPatterns(messages, shortWords, 3));
    PAL_TRY(collect(messages, limit, out));
    return out;
}

}  // namespace pal
