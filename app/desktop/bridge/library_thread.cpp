// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/bridge/library_thread.h"

namespace pal::desktop {

LibraryThread::LibraryThread(std::function<bool()> tick) : thread_({256, std::move(tick), {}}) {}

Result<> LibraryThread::open(ChatLibrary& library) {
    PAL_ASSIGN(reader_, openForReading(library.places()));
    desk_.emplace(LibraryDesk{library, *reader_});
    return {};
}

void LibraryThread::stop() {
    thread_.stop();
    desk_.reset();
    reader_.reset();
}

}  // namespace pal::desktop
