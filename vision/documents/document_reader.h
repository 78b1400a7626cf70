// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "vision/documents/document.h"

namespace pal {

// Reads documents in the helper process pal-extract, which has no network, writes no files and has limited memory and time: whatever a
// file does to it, this process goes on. All functions block until the helper has ended; call them from a worker thread. Any number may
// run at a time, each with its own helper.

struct DocumentLimits {
    uint64_t fileBytes = uint64_t{2} << 30;
    uint64_t memoryBytes = uint64_t{2} << 30;   // of the helper, besides the mapped file
    uint64_t textBytes = uint64_t{256} << 20;   // of all pages' text, or pictures, together; also of one unpacked part
    std::chrono::milliseconds silence{60'000};  // without a new page: the helper hangs
    std::chrono::milliseconds total{30 * 60'000};
};

struct DocumentProgress {
    int pagesDone = 0;
    int pagesTotal = 0;  // of this call
};

struct DocumentOptions {
    std::filesystem::path helper;  // empty: findExtractor()
    std::string name;              // what the file is called; empty: the end of its path
    std::string password;          // for locked PDFs; several, a line each, are tried in order
    int firstPage = 1;
    int lastPage = 0;  // 0: the last one there is
    DocumentLimits limits;
    std::function<void(const DocumentProgress&)>
        progress;          // called on the calling thread after each page; may be empty
    std::stop_token stop;  // ends the helper at once; the result is kCancelled
};

// The helper's path: pal-extract beside the running program, in ../libexec/palimpsest (installed), or in ../extract (build tree).
// Errors: kNotFound with the places.
Result<std::filesystem::path> findExtractor();

// All text of a document, page by page. The file is opened once, here, and handed over open. Errors, each with the file's name:
// kNotFound, kIo; kUnsupported (no kind of document that is read, a locked PDF without its password, an encrypted file);
// kInvalidArgument (pages that are not there, a wrong password); kFormat (damaged, truncated, hostile); kOutOfMemory (a limit of
// memory, size or text was passed, with the numbers); kCancelled; kInternal (the helper was killed, crashed, hung or did not start).
Result<Document> readDocument(const std::filesystem::path& file, const DocumentOptions& options = {});

// A page of a PDF as a picture. Errors: as readDocument; kInvalidArgument for documents that are not laid out in pages.
Result<PageImage> readPageImage(const std::filesystem::path& file, int page, const DocumentOptions& options = {});

// The pictures that lie in the pages asked for, of a docx, odt, epub or html, in reading order, each once a page; together at most
// limits.textBytes. Errors: as readDocument; kInvalidArgument for other kinds.
Result<std::vector<EmbeddedPicture>> readPictures(const std::filesystem::path& file,
                                                  const DocumentOptions& options = {});

// Whether readDocument is the door for this file, by its first bytes and its name: false for pictures, videos and what nothing reads.
// Never fails; a file that cannot be opened is false.
[[nodiscard]] bool looksLikeDocument(const std::filesystem::path& file);

}  // namespace pal
