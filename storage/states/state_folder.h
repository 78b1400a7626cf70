// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "engine/base/descriptor.h"
#include "engine/base/result.h"
#include "storage/states/catalogue.h"

namespace pal {

// The folder of a StateLibrary, owned by one program at a time:
//   lock        held (flock) while it is open
//   parts/      one file per part, each whole and named by what it holds
//   states.db   the catalogue
//   states.sum  XXH3-128 of states.db, there only while nobody has the folder open: without it the last program did not end well
class StateFolder {
  public:
    // Makes what is missing (folders 0700, files 0600). The catalogue is made again from the part files after a crash, when states.db is not
    // what it was, and after an older program, whose parts may be of a form that is not read any more: those go, and are computed again.
    // Errors: kBusy when another program has it open; kUnsupported for a newer program's; kIo.
    static Result<StateFolder> open(const std::filesystem::path& folder, const std::string& vfs);

    StateFolder(StateFolder&&) noexcept = default;
    StateFolder& operator=(StateFolder&&) = delete;
    ~StateFolder();  // closes states.db and writes states.sum when that may be trusted

    [[nodiscard]] Catalogue& catalogue() { return *catalogue_; }
    [[nodiscard]] std::filesystem::path parts() const { return folder_ / "parts"; }
    // The catalogue could not be written: whether a file is in it is not known. The next program makes it again.
    void distrustCatalogue() { trusted_ = false; }
    // What was wrong with the catalogue, or what an older program left that is of no use any more.
    [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

  private:
    StateFolder(std::filesystem::path folder, Descriptor lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}
    Result<> openCatalogue(const std::string& vfs);
    Result<int64_t> rebuild(const std::string& vfs);

    std::filesystem::path folder_;
    Descriptor lock_;
    std::unique_ptr<Catalogue> catalogue_;
    std::optional<Error> problem_;
    bool trusted_ = true;
};

}  // namespace pal
