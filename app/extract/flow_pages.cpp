// SPDX-License-Identifier: Apache-2.0
#include "app/extract/flow_pages.h"

#include <algorithm>
#include <utility>

namespace pal::extract {

DocumentPage flowPage(int number, std::string label, std::string text, size_t characters, int pictures) {
    DocumentPage page;
    page.number = number;
    page.label = std::move(label);
    page.text = std::move(text);
    page.pictures = pictures;
    page.pictureOnly = characters == 0 && pictures > 0;
    if (page.pictureOnly) {
        page.warnings.push_back(
            fmt::format("nothing but {} {}, no text", pictures, pictures == 1 ? "picture" : "pictures"));
    } else if (pictures > 0) {
        page.warnings.push_back(
            fmt::format("{} {} not in the text", pictures, pictures == 1 ? "picture is" : "pictures are"));
    }
    return page;
}

size_t countCharacters(std::string_view text) {
    return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
               (byte >= 'a' && byte <= 'z');
    }));
}

void FlowPages::text(std::string_view text) {
    characters_ += countCharacters(text);
    writer().text(text);
}

void FlowPages::collapsed(std::string_view text) {
    characters_ += countCharacters(text);
    writer().collapsed(text);
}

void FlowPages::picture(std::string_view name, std::string_view alternative) {
    pictures_.emplace_back(name);
    writer().picture(alternative);
}

void FlowPages::beginAside() {
    aside_.push_back(std::make_unique<MarkdownWriter>(maxBytes_));
}

std::string FlowPages::endAside() {
    std::string text = aside_.back()->take();
    aside_.pop_back();
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

int FlowPages::addNote(std::string text) {
    notes_.push_back({++lastNote_, std::move(text)});
    return lastNote_;
}

void FlowPages::table(const TableText& rows) {
    writer().table(rows);
    if (aside_.empty() && std::exchange(breakDue_, false)) endPage();
}

void FlowPages::pageBreak(Break kind) {
    if (!aside_.empty()) {
        breakDue_ = kind == Break::kSoft;
    } else if (kind == Break::kHard || characters_ > 0 || !pictures_.empty()) {
        endPage();
    }
}

void FlowPages::endPage() {
    for (const Note& note : notes_) page_.noteText(note.number, note.text);
    notes_.clear();
    std::string text = page_.take();
    bytes_ += text.size();
    done_.document.pages.push_back(flowPage(static_cast<int>(done_.document.pages.size()) + 1, {}, std::move(text),
                                            std::exchange(characters_, 0), static_cast<int>(pictures_.size())));
    done_.pictures.push_back(std::exchange(pictures_, {}));
}

Result<> FlowPages::finish(FlowDocument& out) {
    if (page_.full() || bytes_ > maxBytes_)
        return fail(ErrorCode::kOutOfMemory, "more than {} bytes of text", maxBytes_);
    endPage();
    out.document.pages = std::move(done_.document.pages);
    out.document.pageCount = static_cast<int>(out.document.pages.size());
    out.pictures = std::move(done_.pictures);
    return {};
}

}  // namespace pal::extract
