// SPDX-License-Identifier: Apache-2.0
#include "app/composition/chat_library.h"

namespace pal {

Result<std::unique_ptr<ChatLibrary>> ChatLibrary::open(const DataPlaces& places, const std::string& program,
                                                       std::function<void()> wakeup) {
    PAL_ASSIGN(FolderOwner owner, FolderOwner::acquire(places, program));
    const std::filesystem::path file = places.data / "chats.db";
    PAL_ASSIGN(ChatDatabase writing, ChatDatabase::open(file, {ChatAccess::kOwner, places.data / "backups", ""}));
    PAL_ASSIGN(ChatDatabase reader, ChatDatabase::open(file, {ChatAccess::kReader, "", ""}));
    PAL_ASSIGN(SourceFiles sources, SourceFiles::open(places.data / "sources"));
    PAL_TRY(sources.removeParts());
    std::vector<std::string> notes = owner.notes();
    notes.insert(notes.end(), writing.notes().begin(), writing.notes().end());
    std::unique_ptr<ChatLibrary> library(new ChatLibrary(std::move(owner), std::move(sources), std::move(reader),
                                                         std::move(writing), std::move(wakeup)));
    library->notes_ = std::move(notes);
    return library;
}

ChatLibrary::ChatLibrary(FolderOwner owner, SourceFiles sources, ChatDatabase reader, ChatDatabase writing,
                         std::function<void()> wakeup)
    : owner_(std::move(owner)),
      sources_(std::move(sources)),
      writable_(writing.writable()),
      reader_(std::move(reader)),
      writer_(std::move(writing), std::move(wakeup)) {}

SourceFiles::Kept ChatLibrary::noted(SourceFiles::Kept kept) {
    const std::lock_guard lock(mutex_);
    kept_.insert(kept.sha256);
    return kept;
}

Result<SourceFiles::Kept> ChatLibrary::keepSource(const SourceFiles::Reader& reader) {
    PAL_ASSIGN(const SourceFiles::Kept kept, sources_.keep(reader));
    return noted(kept);
}

Result<SourceFiles::Kept> ChatLibrary::keepSource(const std::filesystem::path& file) {
    PAL_ASSIGN(const SourceFiles::Kept kept, sources_.keepFile(file));
    return noted(kept);
}

Result<SourceFiles::Kept> ChatLibrary::keepSource(std::span<const std::byte> bytes) {
    PAL_ASSIGN(const SourceFiles::Kept kept, sources_.keepBytes(bytes));
    return noted(kept);
}

Result<> ChatLibrary::close() {
    if (!writable_) return {};
    PAL_ASSIGN(const std::vector<Sha256> forgotten, writer_.close());
    kept_.insert(forgotten.begin(), forgotten.end());
    for (const Sha256& hash : kept_) {
        PAL_ASSIGN(const auto known, reader_.sources().find(hash));
        if (!known) PAL_TRY(sources_.remove(hash));
    }
    return {};
}

Result<ChatDatabase> openForReading(const DataPlaces& places) {
    return ChatDatabase::open(places.data / "chats.db", {ChatAccess::kReader, "", ""});
}

}  // namespace pal
