// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "engine/api/media_input.h"
#include "engine/api/tokenizer.h"
#include "engine/base/result.h"
#include "engine/exec/dump_tap.h"

namespace pal {

struct DumpInput {
    std::vector<TokenId> ids;
    std::vector<std::shared_ptr<const MediaInput>> media;  // vision.0, vision.1, ...
};

// Reads `ids` (I32 or I64, one dimension) and all vision.<n>.pixels (F32 [patches, 3, p, p]) with vision.<n>.grid (I32 or I64 [3]: frames,
// rows, columns), n from 0 without a gap. Other tensors are ignored. Errors: kNotFound, kIo, kFormat.
Result<DumpInput> readDumpInput(const std::filesystem::path& path);

// Errors: kIo.
Result<> writeDump(const std::filesystem::path& path, const DumpTensors& tensors);

}  // namespace pal
