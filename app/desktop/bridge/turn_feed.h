// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMetaType>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/api/chat.h"
#include "engine/api/events.h"

namespace pal::desktop {

// What a running turn has told since it was last asked. Neighbouring texts of one kind are one delta, so a frame has few.
struct TurnNews {
    std::optional<PrefillProgress> progress;  // the newest
    std::optional<PromptReady> ready;
    std::vector<OutputDelta> deltas;
    int64_t tokens = 0;                                     // drawn
    std::vector<std::shared_ptr<const TokenProbe>> probes;  // what was seen meanwhile, none left out
};

// Carries a running turn from the engine's thread to the window at the window's pace: the sender never waits and the receiver gets each frame
// all that is new as one piece. Nothing of the text is lost. Thread-safe.
class TurnFeed {
  public:
    // `wakeup` is called, from the sender's thread, when there is news and none was waiting.
    explicit TurnFeed(std::function<void()> wakeup) : wakeup_(std::move(wakeup)) {}

    void push(const PrefillProgress& progress);
    void push(const PromptReady& ready);
    // What one token completed.
    void push(const std::vector<OutputDelta>& deltas);
    void push(const std::shared_ptr<const TokenProbe>& probe);
    [[nodiscard]] TurnNews take();

  private:
    template <typename Change>
    void change(Change apply);

    const std::function<void()> wakeup_;
    std::mutex mutex_;
    TurnNews news_;
    bool told_ = false;
};

}  // namespace pal::desktop
