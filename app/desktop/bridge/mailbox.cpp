// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/bridge/mailbox.h"

#include <utility>

namespace pal::desktop {

void Mailbox::post(std::function<void()> letter) {
    bool first = false;
    {
        const std::lock_guard lock(mutex_);
        first = letters_.empty();
        letters_.push_back(std::move(letter));
    }
    if (first)
        QMetaObject::invokeMethod(
            this, [this] { deliver(); }, Qt::QueuedConnection);
}

void Mailbox::deliver() {
    std::vector<std::function<void()>> letters;
    {
        const std::lock_guard lock(mutex_);
        letters.swap(letters_);
    }
    for (const auto& letter : letters) letter();
}

}  // namespace pal::desktop
