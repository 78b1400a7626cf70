// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <system_error>

namespace pal {

// What the operating system says about an errno ("No space left on device").
inline std::string systemMessage(int error) {
    return std::generic_category().message(error);
}

}  // namespace pal
