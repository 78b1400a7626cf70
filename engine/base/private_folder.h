// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "engine/base/result.h"

namespace pal {

// Makes a folder and its parents; what is made gets 0700, and so does an empty folder of the caller's own. One that holds files keeps the
// permissions that its owner gave it. Errors: kIo.
Result<> makePrivateFolder(const std::filesystem::path& folder);

}  // namespace pal
