// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "vision/documents/document.h"

namespace pal::extract {

// An open PDF. The bytes outlive it. Used by one thread at a time; others may use other PDFs meanwhile. Opened and closed on one thread.
class PdfDocument {
  public:
    // Errors: kFormat (damaged beyond repair), kUnsupported (locked, no password given), kInvalidArgument (a wrong password),
    // kOutOfMemory (2 GiB or more).
    static Result<PdfDocument> open(std::string_view bytes, const std::string& password);

    PdfDocument(PdfDocument&&) noexcept;
    PdfDocument& operator=(PdfDocument&&) = delete;
    PdfDocument(const PdfDocument&) = delete;
    PdfDocument& operator=(const PdfDocument&) = delete;
    ~PdfDocument();

    [[nodiscard]] int pageCount() const;
    [[nodiscard]] std::string title() const;
    [[nodiscard]] std::vector<std::string> warnings() const;  // about the document as a whole
    [[nodiscard]] bool damaged() const;                       // poppler complained when it was opened

    // Page `number` from 1 to pageCount(). A page that cannot be read has no text and a warning that says so.
    [[nodiscard]] DocumentPage page(int number) const;
    // Errors: kFormat when the page cannot be drawn.
    [[nodiscard]] Result<PageImage> image(int number) const;

  private:
    struct State;
    explicit PdfDocument(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace pal::extract
