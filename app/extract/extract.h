// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace pal::extract {

// The bytes of one file; they outlive every reader.
struct Input {
    std::string_view bytes;
    std::string name;  // the file's own name: its ending decides what bytes leave open
};

struct ReadLimits {
    uint64_t textBytes = uint64_t{256} << 20;  // of all text, or pictures, together; also of one unpacked part
};

struct PageRange {
    int first = 1;
    int last = 0;  // 0: the last one there is
};

struct Request {
    PageRange pages;
    ReadLimits limits;
    std::string password;
};

// Takes pieces of the output as they come (vision/documents/extract_protocol.h).
using Write = std::function<void(std::string_view)>;

// Each writes everything but the last line ("end" or "error"): that is the caller's, who has the Result. Errors: see readDocument in
// vision/documents/document_reader.h. Warnings about the whole document are the result. Nothing is thrown.
Result<std::vector<std::string>> writePages(const Input& input, const Request& request, const Write& write);
Result<std::vector<std::string>> writeImage(const Input& input, const Request& request, int page, const Write& write);
Result<std::vector<std::string>> writePictures(const Input& input, const Request& request, const Write& write);

}  // namespace pal::extract
