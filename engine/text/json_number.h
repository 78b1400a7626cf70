// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace pal {

// What Python's json.dumps(json.loads(text)) makes of a JSON number: integers of any size unchanged ("-0" becomes "0"), others the
// shortest decimal that rounds to the same double, in Python's float layout ("1.0", "1e+16", "1e-05"), "Infinity" on overflow.
// `text` must match the grammar of RFC 8259.
[[nodiscard]] std::string pythonNumber(std::string_view text);

}  // namespace pal
