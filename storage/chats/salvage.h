// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace pal {

struct SalvageReport {
    int64_t sessions = 0;
    int64_t messages = 0;
    std::vector<std::string> lost;  // what could not be read, a sentence each
    std::filesystem::path damagedFile;
};

// Makes a new chats.db of everything that can be read of a damaged one, row by row, and keeps the damaged one beside it as
// "<file>.damaged.<time>". As far as the index of the tree can be read, a lost message keeps its place with a text that says so, and what
// followed it is still there. The caller owns the folder and nobody has the file open. Errors, after which nothing was changed: kNotFound; kIo;
// kUnsupported for a newer program's file; kCorrupt when neither the schema nor its copy can be read.
Result<SalvageReport> salvageChats(const std::filesystem::path& file);

}  // namespace pal
