// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <stop_token>

#include "app/compose/message.h"
#include "app/inspect/figure.h"

namespace pal {

// A picture of a prompt, or the first frame of a group, as the vision tower is given it: resized, with the padding that the last row and column
// of tokens reach into. `medium` is one of a composed message with inputs, `config` the one that it was composed with. Decodes: blocks; any thread.
// Errors: those of decoding, kCancelled.
Result<std::shared_ptr<const inspect::Picture>> regionPicture(const ComposedMedium& medium, const MediaConfig& config,
                                                              const std::stop_token& stop);

}  // namespace pal
