// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/bridge/turn_feed.h"

#include <utility>

namespace pal::desktop {
namespace {

bool continues(const OutputDelta& before, const OutputDelta& after) {
    const bool isText = after.kind == OutputDelta::Kind::kReasoning || after.kind == OutputDelta::Kind::kContent;
    return isText && before.kind == after.kind;
}

}  // namespace

template <typename Change>
void TurnFeed::change(Change apply) {
    bool first = false;
    {
        const std::lock_guard lock(mutex_);
        apply(news_);
        first = !std::exchange(told_, true);
    }
    if (first) wakeup_();
}

void TurnFeed::push(const PrefillProgress& progress) {
    change([&](TurnNews& news) { news.progress = progress; });
}

void TurnFeed::push(const PromptReady& ready) {
    change([&](TurnNews& news) { news.ready = ready; });
}

void TurnFeed::push(const std::vector<OutputDelta>& deltas) {
    change([&](TurnNews& news) {
        ++news.tokens;
        for (const OutputDelta& delta : deltas) {
            if (!news.deltas.empty() && continues(news.deltas.back(), delta)) {
                news.deltas.back().text += delta.text;
            } else {
                news.deltas.push_back(delta);
            }
        }
    });
}

void TurnFeed::push(const std::shared_ptr<const TokenProbe>& probe) {
    change([&](TurnNews& news) { news.probes.push_back(probe); });
}

TurnNews TurnFeed::take() {
    const std::lock_guard lock(mutex_);
    told_ = false;
    return std::exchange(news_, {});
}

}  // namespace pal::desktop
