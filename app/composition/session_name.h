// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace pal {

// What a session is called that nobody named: the beginning of the first line of its first question, at most 60 bytes of UTF-8, cut at a
// word where there is one and then with an ellipsis. Without a line "session".
[[nodiscard]] std::string sessionNameFrom(std::string_view question);

}  // namespace pal
