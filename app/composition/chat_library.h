// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/composition/chat_writer.h"
#include "engine/base/result.h"
#include "storage/chats/chat_database.h"
#include "storage/chats/data_folder.h"
#include "storage/chats/source_files.h"

namespace pal {

// An open data folder: its owner's right, chats.db with its writer thread and a connection for reading, and the bytes of attachments.
// Engines are opened after it and destroyed before it.
class ChatLibrary {
  public:
    // `program` is how others see the owner ("pal run"); `wakeup` as in ChatWriter. Blocks while the file is checked or migrated. Errors:
    // those of FolderOwner::acquire and ChatDatabase::open.
    static Result<std::unique_ptr<ChatLibrary>> open(const DataPlaces& places, const std::string& program,
                                                     std::function<void()> wakeup = {});
    // Without close() the folder counts as not closed, and the next owner checks it.
    ~ChatLibrary() = default;
    ChatLibrary(const ChatLibrary&) = delete;
    ChatLibrary& operator=(const ChatLibrary&) = delete;

    // For reading, on one thread: the one that opened the library.
    [[nodiscard]] ChatDatabase& reader() { return reader_; }
    // Any thread; see ChatWriter::write.
    template <typename Change>
    auto write(Change change) {
        return writer_.write(std::move(change));
    }
    // The same and waits; not for a thread that draws a window.
    template <typename Change>
    auto writeNow(Change change) {
        return writer_.write(std::move(change)).get();
    }
    [[nodiscard]] std::vector<ChatChange> drain() { return writer_.drain(); }

    [[nodiscard]] const SourceFiles& sources() const { return sources_; }
    // Keeps bytes that a message is about to carry (any thread); those that no message carries in the end go when the library is closed.
    Result<SourceFiles::Kept> keepSource(const SourceFiles::Reader& reader);
    Result<SourceFiles::Kept> keepSource(const std::filesystem::path& file);
    Result<SourceFiles::Kept> keepSource(std::span<const std::byte> bytes);
    [[nodiscard]] const DataPlaces& places() const { return owner_.places(); }
    // What the user should know about the folder and its files, as sentences.
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
    [[nodiscard]] bool writable() const { return writable_; }

    // The end: writes what waits, empties the bin with the bytes that only its sessions carried, marks the folder as closed. Files that the
    // database does not know stay: it may be a new one beside old files. Errors: kIo.
    Result<> close();

  private:
    ChatLibrary(FolderOwner owner, SourceFiles sources, ChatDatabase reader, ChatDatabase writing,
                std::function<void()> wakeup);
    SourceFiles::Kept noted(SourceFiles::Kept kept);

    // Destroyed from the last to the first: the folder is given up when nothing in it is open any more.
    FolderOwner owner_;
    SourceFiles sources_;
    std::vector<std::string> notes_;
    bool writable_;
    std::mutex mutex_;
    std::set<Sha256> kept_;  // by this process
    ChatDatabase reader_;
    ChatWriter writer_;
};

// chats.db of a folder for reading alone, beside whoever owns it. Errors: those of ChatDatabase::open.
Result<ChatDatabase> openForReading(const DataPlaces& places);

}  // namespace pal
