// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "app/compose/attached_file.h"

namespace pal {

// How an attachment is read, as JSON; kept with it.
[[nodiscard]] std::string attachmentOptionsText(const AttachmentOptions& options);
// Members that are missing or make no sense keep their defaults, so that any version's options can be read.
[[nodiscard]] AttachmentOptions attachmentOptionsFrom(std::string_view json);

}  // namespace pal
