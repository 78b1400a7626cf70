// SPDX-License-Identifier: Apache-2.0
#include "app/cli/data_option.h"

#include <charconv>

#include "app/composition/chat_library.h"

namespace pal::cli {
namespace {

std::optional<SessionId> idFrom(const std::string& name) {
    if (!name.starts_with('#')) return std::nullopt;
    SessionId id = 0;
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + 1, end, id);
    if (error != std::errc{} || stop != end || id <= 0) return std::nullopt;
    return id;
}

}  // namespace

void addDataOption(CLI::App& command, DataFlags& flags) {
    const auto add = [&](const char* name, std::string& folder, const char* help) {
        command.add_option(name, folder, help)
            ->check(CLI::Validator(
                [](const std::string& value) { return value.empty() ? "the folder needs a name" : std::string(); }, ""))
            ->type_name("DIR");
    };
    add("--data-dir", flags.folder, "Folder for sessions, attachments and stored states; else the XDG places");
    add("--slot-save-path", flags.states, "Folder for stored states alone; to be named each time");
}

Result<DataPlaces> placesFrom(const DataFlags& flags) {
    PAL_ASSIGN(DataPlaces places,
               dataPlaces(flags.folder.empty() ? std::nullopt : std::optional<std::filesystem::path>(flags.folder)));
    if (!flags.states.empty()) places.states = flags.states;
    return places;
}

Result<ChatDatabase> openReader(const DataPlaces& places) {
    auto reader = openForReading(places);
    if (!reader && reader.error().code == ErrorCode::kNotFound) {
        std::error_code error;
        if (std::filesystem::is_regular_file(places.data, error))
            return fail(ErrorCode::kIo, "{}: this is a file, not a folder", places.data.string());
        if (!std::filesystem::exists(places.data / "chats.db", error) && error)
            return fail(ErrorCode::kIo, "{}: {}", places.data.string(), error.message());
        return fail(ErrorCode::kNotFound, "there are no sessions in {} yet", places.data.string());
    }
    if (reader || reader.error().code != ErrorCode::kConflict) return reader;
    {
        PAL_ASSIGN(const auto library, ChatLibrary::open(places, "pal sessions"));
        PAL_TRY(library->close());
    }
    return openForReading(places);
}

Result<SessionSummary> findSession(ChatDatabase& database, const std::string& name) {
    if (const auto id = idFrom(name)) return database.sessions().get(*id);
    PAL_ASSIGN(const std::vector<SessionSummary> found, database.sessions().named(name));
    if (found.empty()) return fail(ErrorCode::kNotFound, "there is no session called \"{}\"", name);
    if (found.size() == 1) return found.front();
    std::string ids;
    for (const SessionSummary& session : found) ids += fmt::format("{}#{}", ids.empty() ? "" : ", ", session.id);
    return fail(ErrorCode::kConflict, "{} sessions are called \"{}\"; name one by its id: {}", found.size(), name, ids);
}

}  // namespace pal::cli
