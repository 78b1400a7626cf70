// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/descriptor.h"
#include "engine/base/result.h"

namespace pal {

// Where the program keeps things. All folders are 0700 and all files 0600.
struct DataPlaces {
    std::filesystem::path data;    // chats.db, sources/, backups/: irreplaceable
    std::filesystem::path states;  // states.db: costs time when lost
};

// With `folder` everything lies below it. Otherwise, after the XDG base directory rules, chats go to $XDG_DATA_HOME/palimpsest and states
// to $XDG_STATE_HOME/palimpsest (~/.local/share, ~/.local/state). Nothing is created. Errors: kInvalidArgument when no place can be
// named (no HOME, a relative XDG path is ignored as the rules say).
Result<DataPlaces> dataPlaces(const std::optional<std::filesystem::path>& folder);

// The right to write in a data folder: one program at a time. The system takes it back when the program ends, however it ends.
class FolderOwner {
  public:
    // Creates the folders and takes the lock. `program` is how the owner is named to others ("pal run"). Errors: kBusy naming the program,
    // process and time of the owner; kIo.
    static Result<FolderOwner> acquire(const DataPlaces& places, const std::string& program);

    FolderOwner(FolderOwner&& other) noexcept = default;
    FolderOwner& operator=(FolderOwner&&) = delete;
    FolderOwner(const FolderOwner&) = delete;
    FolderOwner& operator=(const FolderOwner&) = delete;
    ~FolderOwner();

    [[nodiscard]] const DataPlaces& places() const { return places_; }
    // What the user should know about the place, such as a network file system, where locks and databases are not reliable.
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  private:
    FolderOwner(DataPlaces places, Descriptor lock) : places_(std::move(places)), lock_(std::move(lock)) {}

    DataPlaces places_;
    std::vector<std::string> notes_;
    Descriptor lock_;
};

// Makes an empty file with 0600 when there is none, so that what writes it later cannot open it to others. Errors: kIo.
Result<> makePrivateFile(const std::filesystem::path& file);

// Syncs a finished file and gives it its name, over whatever has that name; after a success both survive a power failure. Errors: kIo.
Result<> becomesSafely(const std::filesystem::path& part, const std::filesystem::path& final);

}  // namespace pal
