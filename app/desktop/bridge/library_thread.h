// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "app/composition/chat_library.h"
#include "app/desktop/bridge/task_thread.h"

namespace pal::desktop {

// What a task about stored sessions works with: for reading a connection of its thread's own, for changes ChatLibrary::writeNow.
struct LibraryDesk {
    ChatLibrary& library;  // only what any thread may call
    ChatDatabase& reader;
};

// A thread that works on an open library beside its owner. Members are used on that thread, except where they say otherwise.
class LibraryThread {
  public:
    // `tick` as in TaskThread.
    explicit LibraryThread(std::function<bool()> tick = {});

    Result<> open(ChatLibrary& library);
    // Errors: those of `work`; kBusy when the library is not open (yet).
    template <typename Work>
    auto run(Work& work) -> std::invoke_result_t<Work&, LibraryDesk&> {
        if (!desk_) return fail(ErrorCode::kBusy, "the sessions are not open");
        return work(*desk_);
    }
    [[nodiscard]] ChatLibrary* library() { return desk_ ? &desk_->library : nullptr; }

    // Any thread.
    [[nodiscard]] TaskThread& thread() { return thread_; }

    // From the thread that will close the library: runs what was handed over and lets go of the library.
    void stop();

  private:
    std::optional<ChatDatabase> reader_;
    std::optional<LibraryDesk> desk_;
    TaskThread thread_;
};

}  // namespace pal::desktop
