// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "vision/documents/document.h"

// What pal-extract writes to its standard output and this library reads: one JSON object per line, each with one member that names it.
//   {"document": {kind, title, encoding, delimiter, page_count, pages}}   first; `pages` of them follow
//   {"page": {number, label, text, warnings, picture_only, pictures, figures: [[x, y, w, h], ...], size: [w, h], image: [w, h],
//     map: [[begin, end, x, y, w, h], ...]}}
//   {"image": {width, height, bytes}}      followed by exactly `bytes` raw bytes (rgb) and a line end
//   {"picture": {page, name, bytes}}       followed by exactly `bytes` raw bytes (the file) and a line end
//   {"error": {code, message}}             last, in place of "end"
//   {"end": {warnings}}                    last; without it the output is not whole
namespace pal::extract {

struct Start {
    Document document;  // without pages and warnings
    int pages = 0;
};

std::string startLine(const Start& start);
std::string pageLine(const DocumentPage& page);
std::string imageLine(const PageImage& image);            // with its bytes
std::string pictureLine(const EmbeddedPicture& picture);  // with its bytes
std::string errorLine(const Error& error);
std::string endLine(const std::vector<std::string>& warnings);

// Puts the output of one run together again, from pieces cut anywhere. The other side has read hostile bytes and may be taken over, so
// nothing it writes is trusted: every type, range and size is checked. Confined to one thread.
class Decoder {
  public:
    // At most `maxBytes` are taken in all.
    explicit Decoder(uint64_t maxBytes) : maxBytes_(maxBytes) {}

    // Errors: kInternal for what breaks the protocol, kOutOfMemory above maxBytes. Nothing may be fed after an error.
    Result<> feed(std::string_view bytes);

    [[nodiscard]] bool ended() const { return ended_; }
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    [[nodiscard]] int pagesExpected() const { return pagesExpected_; }
    [[nodiscard]] Document& document() { return document_; }
    [[nodiscard]] std::vector<PageImage>& images() { return images_; }
    [[nodiscard]] std::vector<EmbeddedPicture>& pictures() { return pictures_; }

  private:
    Result<> take(std::string_view bytes);
    Result<> line(std::string_view text);
    void expectBlob(std::vector<uint8_t>& target, uint64_t bytes);

    uint64_t maxBytes_;
    uint64_t received_ = 0;
    std::string pending_;                   // of a line that has not ended yet
    std::vector<uint8_t>* blob_ = nullptr;  // where raw bytes go, while some are due
    uint64_t blobLeft_ = 0;
    bool blobLineEnd_ = false;  // the line end after raw bytes is due
    bool started_ = false;
    bool ended_ = false;
    int pagesExpected_ = 0;
    Document document_;
    std::vector<PageImage> images_;
    std::vector<EmbeddedPicture> pictures_;
    std::optional<Error> error_;
};

}  // namespace pal::extract
