// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/extract/markdown_writer.h"
#include "engine/base/result.h"
#include "vision/documents/document.h"

namespace pal::extract {

// A flowing document with the names of its pictures (inside the archive) page by page.
struct FlowDocument {
    Document document;
    std::vector<std::vector<std::string>> pictures;
};

// A page or chapter from its text; says what the text cannot show.
DocumentPage flowPage(int number, std::string label, std::string text, size_t characters, int pictures);

// Letters, digits and everything that is not ASCII.
size_t countCharacters(std::string_view text);

// Writes a document page by page. Notes are gathered and stand at the end of the page that refers to them; cells of tables and notes are
// written aside by a writer of their own, in which pages do not end.
class FlowPages {
  public:
    explicit FlowPages(uint64_t maxBytes) : maxBytes_(maxBytes), page_(maxBytes) {}

    [[nodiscard]] MarkdownWriter& writer() { return aside_.empty() ? page_ : *aside_.back(); }
    void text(std::string_view text);
    void collapsed(std::string_view text);
    void picture(std::string_view name, std::string_view alternative);  // name: may be empty

    void beginAside();
    std::string endAside();
    int addNote(std::string text);  // returns its number, from 1

    void table(const TableText& rows);
    // Where the document's writer began a page; a soft one follows from layout and counts only when the page has something on it.
    enum class Break { kHard, kSoft };
    void pageBreak(Break kind);

    // Errors: kOutOfMemory above maxBytes.
    Result<> finish(FlowDocument& out);

  private:
    void endPage();

    struct Note {
        int number;
        std::string text;
    };
    uint64_t maxBytes_;
    uint64_t bytes_ = 0;
    MarkdownWriter page_;
    std::vector<std::unique_ptr<MarkdownWriter>> aside_;
    std::vector<Note> notes_;  // of this page
    int lastNote_ = 0;
    size_t characters_ = 0;
    bool breakDue_ = false;
    std::vector<std::string> pictures_;
    FlowDocument done_;
};

}  // namespace pal::extract
