// SPDX-License-Identifier: Apache-2.0
#include "app/extract/pdf_reader.h"

#include <poppler-document.h>
#include <poppler-page-renderer.h>
#include <poppler-page.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "app/extract/pdf_figures.h"
#include "app/extract/pdf_text.h"
#include "app/extract/pdf_word.h"
#include "app/extract/text_cleanup.h"
#include "vision/documents/locked_pdf.h"

namespace pal::extract {
namespace {

constexpr double kLargestSide = 30'000;  // pixels of a page image
constexpr size_t kFewCharacters = 200;   // a page with less may be mostly a picture

// What poppler complains about. Its messages name the byte, not the page, so they are collected page by page.
struct Complaints {
    size_t count = 0;
    std::string first;
    void add(const std::string& message) {
        if (count++ > 0) return;
        // Without poppler's "error: " or "error (123): ".
        const size_t start = message.starts_with("error") ? message.find(": ") : std::string::npos;
        first = message.substr(start == std::string::npos ? 0 : start + 2);
        first.erase(first.find_last_not_of('\n') + 1);
    }
};

// Collects what poppler complains about on this thread while it is in scope. Poppler has one place to report to for all of them.
class Listening {
  public:
    explicit Listening(Complaints& complaints) { current() = &complaints; }
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
    ~Listening() { current() = nullptr; }

    static void hear(const std::string& message, void*) {
        if (current() != nullptr) current()->add(message);
    }

  private:
    static Complaints*& current() {
        thread_local Complaints* complaints = nullptr;
        return complaints;
    }
};

struct PageSize {
    double width = 0, height = 0;  // points
};

PageSize sizeOf(const poppler::page& page) {
    const poppler::rectf box = page.page_rect();
    const auto turn = page.orientation();
    const bool turned = turn == poppler::page::landscape || turn == poppler::page::seascape;
    const PageSize size = turned ? PageSize{box.height(), box.width()} : PageSize{box.width(), box.height()};
    const bool good = std::isfinite(size.width) && std::isfinite(size.height) && size.width > 0 && size.height > 0;
    return good ? size : PageSize{};
}

// The resolution at which a page fits the limits of a page image.
double resolution(const PageSize& size) {
    const double byArea = 72 * std::sqrt(static_cast<double>(kMaxPageImagePixels) / (size.width * size.height));
    const double bySide = 72 * kLargestSide / std::max(size.width, size.height);
    return std::min({kPageImageDpi, byArea * 0.999, bySide});
}

int pixels(double points, double dpi) {
    return std::max(1, static_cast<int>(points * dpi / 72 + 0.5));
}

poppler::image draw(const poppler::page& page, double dpi) {
    poppler::page_renderer renderer;
    renderer.set_image_format(poppler::image::format_rgb24);
    renderer.set_render_hint(poppler::page_renderer::antialiasing);
    renderer.set_render_hint(poppler::page_renderer::text_antialiasing);
    return renderer.render_page(&page, dpi, dpi);
}

// A ligature that one glyph shows comes as its letters in reading order, unlike everything else of a line, which comes by place. Its
// letters share the glyph's width. The presentation form keeps it whole until the line is in reading order.
void joinLamAlef(const poppler::text_box& box, std::u16string& text) {
    struct Form {
        char16_t alef, ligature;
    };
    constexpr std::array kForms{Form{0x0622, 0xFEF5}, Form{0x0623, 0xFEF7}, Form{0x0625, 0xFEF9}, Form{0x0627, 0xFEFB}};
    constexpr char16_t kLam = 0x0644;
    for (size_t i = text.find(kLam); i != std::u16string::npos && i + 1 < text.size(); i = text.find(kLam, i + 1)) {
        const auto form =
            std::find_if(kForms.begin(), kForms.end(), [&](const Form& f) { return f.alef == text[i + 1]; });
        if (form == kForms.end()) continue;
        const double lam = box.char_bbox(i).width();
        const double alef = box.char_bbox(i + 1).width();
        if (std::abs(lam - alef) > 0.001 * lam) continue;
        // Positions of later boxes stay right: the ligature is followed by a mark that cleaning drops.
        text[i] = form->ligature;
        text[i + 1] = 0x200B;
    }
}

std::vector<PdfWord> wordsOf(const poppler::page& page) {
    std::vector<PdfWord> words;
    for (const poppler::text_box& box : page.text_list(0)) {
        PdfWord word;
        const poppler::ustring text = box.text();
        word.text.assign(text.begin(), text.end());
        const poppler::rectf place = box.bbox();
        word.box = {place.x(), place.y(), place.width(), place.height()};
        word.rotation = box.rotation();
        word.spaceAfter = box.has_space_after();
        if (word.text.find(u'\u0644') != std::u16string::npos) joinLamAlef(box, word.text);
        const bool placed = std::isfinite(place.x()) && std::isfinite(place.y()) && std::isfinite(place.width()) &&
                            std::isfinite(place.height());
        if (placed && !word.text.empty()) words.push_back(std::move(word));
    }
    return words;
}

std::string fromPoppler(const poppler::ustring& text) {
    return toUtf8(cleanCharacters(std::u16string(text.begin(), text.end())).text);
}

void addTextWarnings(const PageText& text, DocumentPage& page) {
    if (text.unknown > 0 && text.unknown * 20 >= text.characters) {
        page.warnings.push_back(
            fmt::format("{} characters have no known meaning beside {} that have one (a font without character map); "
                        "the page's image "
                        "shows them",
                        text.unknown, text.characters));
    } else if (text.foreign > 20 && text.foreign * 2 > text.characters) {
        page.warnings.emplace_back(
            "the text looks garbled (most of it is rare letters and signs, as from a font without a "
            "character map); the page's image shows it");
    }
}

// What the text does not tell: draws the page small, unless it has words everywhere.
void lookAtPictures(const poppler::page& page, const PageSize& size, std::span<const PdfWord> words, size_t characters,
                    DocumentPage& out) {
    if (size.width == 0) return;
    if (characters >= kFewCharacters && !mayHoldFigure(size.width, size.height, words)) return;
    const double dpi = 72 * kSketchSide / std::max(size.width, size.height);
    const poppler::image drawn = draw(page, dpi);
    if (!drawn.is_valid() || drawn.format() != poppler::image::format_rgb24) return;
    const PageSketch sketch{drawn.const_data(), drawn.width(), drawn.height(),
                            static_cast<size_t>(drawn.bytes_per_row()), dpi / 72};
    if (characters == 0) {
        out.pictureOnly = inkShare(sketch, words) > 0;
        if (out.pictureOnly) {
            out.warnings.push_back(fmt::format("nothing but pictures, no text; its image has {} x {} pixels",
                                               out.imageWidth, out.imageHeight));
        }
        return;
    }
    out.figures = findFigures(sketch, words);
    if (out.figures.empty()) return;
    double share = 0;
    for (const PageRegion& at : out.figures) share += at.width * at.height / (size.width * size.height);
    out.warnings.push_back(fmt::format("{} beside the text that {} {:.0f} % of the page; its image has {} x {} pixels",
                                       out.figures.size() == 1 ? "a picture or drawing" : "pictures or drawings",
                                       out.figures.size() == 1 ? "covers" : "cover", 100 * std::min(share, 1.0),
                                       out.imageWidth, out.imageHeight));
}

// Reading the text and drawing meet the same damage. Fonts that cannot be drawn take nothing from a text that was read.
void addDamage(const Complaints& reading, const Complaints& drawing, DocumentPage& page) {
    const bool aboutFonts = !page.pictureOnly && drawing.first.find("font") != std::string::npos;
    const Complaints& worse = drawing.count > reading.count && !aboutFonts ? drawing : reading;
    if (worse.count == 0) return;
    page.warnings.push_back(fmt::format("parts may be missing: the page has {} damaged {}, the first: {}", worse.count,
                                        worse.count == 1 ? "place" : "places",
                                        reading.count > 0 ? reading.first : worse.first));
}

// One a line, from the one behind the line's end at `at`.
void tryPasswords(poppler::document& document, const std::string& list, size_t at) {
    while (at != std::string::npos && document.is_locked()) {
        const size_t end = list.find('\n', at + 1);
        const std::string next = list.substr(at + 1, end == std::string::npos ? end : end - at - 1);
        if (!next.empty()) document.unlock(next, next);
        at = end;
    }
}

}  // namespace

struct PdfDocument::State {
    std::unique_ptr<poppler::document> document;
    bool damaged = false;
};

PdfDocument::PdfDocument(std::unique_ptr<State> state) : state_(std::move(state)) {}
PdfDocument::PdfDocument(PdfDocument&&) noexcept = default;
PdfDocument::~PdfDocument() = default;

Result<PdfDocument> PdfDocument::open(std::string_view bytes, const std::string& password) {
    if (bytes.empty()) return fail(ErrorCode::kFormat, "the file is empty");
    if (bytes.size() > INT_MAX)
        return fail(ErrorCode::kOutOfMemory, "{} bytes; PDFs of up to {} are read", bytes.size(), INT_MAX);
    auto state = std::make_unique<State>();
    Complaints complaints;
    const Listening listening(complaints);
    poppler::set_debug_error_function(&Listening::hear, nullptr);
    const size_t first = password.find('\n');
    const std::string one = password.substr(0, first);
    state->document.reset(
        poppler::document::load_from_raw_data(bytes.data(), static_cast<int>(bytes.size()), one, one));
    if (state->document) tryPasswords(*state->document, password, first);
    state->damaged = complaints.count > 0;
    PdfDocument document(std::move(state));
    const poppler::document* loaded = document.state_->document.get();
    if (loaded == nullptr) {
        return fail(ErrorCode::kFormat, "a PDF that is damaged or cut off: {}",
                    complaints.first.empty() ? "its table of contents cannot be read" : complaints.first);
    }
    if (loaded->is_locked()) {
        if (password.empty()) return fail(ErrorCode::kUnsupported, "{}; give the password to read it", kLockedPdf);
        return fail(ErrorCode::kInvalidArgument, "{} than the one given", kOtherPassword);
    }
    if (loaded->pages() <= 0) return fail(ErrorCode::kFormat, "a PDF without pages: it is damaged or cut off");
    return document;
}

int PdfDocument::pageCount() const {
    return state_->document->pages();
}

std::string PdfDocument::title() const {
    return fromPoppler(state_->document->get_title());
}

std::vector<std::string> PdfDocument::warnings() const {
    std::vector<std::string> out;
    if (state_->document->has_embedded_files()) {
        out.push_back(
            fmt::format("{} files are embedded in this PDF and not read", state_->document->embedded_files().size()));
    }
    return out;
}

bool PdfDocument::damaged() const {
    return state_->damaged;
}

DocumentPage PdfDocument::page(int number) const {
    DocumentPage out;
    out.number = number;
    Complaints reading, drawing;
    std::optional<Listening> listening(std::in_place, reading);
    const std::unique_ptr<poppler::page> page(state_->document->create_page(number - 1));
    if (page == nullptr) {
        out.warnings.emplace_back("the page is damaged and cannot be read");
        return out;
    }
    out.label = fromPoppler(page->label());
    if (out.label == std::to_string(number)) out.label.clear();  // what poppler calls pages without labels
    const PageSize size = sizeOf(*page);
    out.width = size.width;
    out.height = size.height;
    if (size.width > 0) {
        out.imageWidth = pixels(size.width, resolution(size));
        out.imageHeight = pixels(size.height, resolution(size));
    }
    const std::vector<PdfWord> words = wordsOf(*page);
    PageText text = assemblePage(words);
    addTextWarnings(text, out);
    listening.emplace(drawing);
    lookAtPictures(*page, size, words, text.characters, out);
    addDamage(reading, drawing, out);
    out.text = std::move(text.text);
    out.map = std::move(text.map);
    return out;
}

Result<PageImage> PdfDocument::image(int number) const {
    const std::unique_ptr<poppler::page> page(state_->document->create_page(number - 1));
    if (page == nullptr) return fail(ErrorCode::kFormat, "page {} is damaged and cannot be drawn", number);
    const PageSize size = sizeOf(*page);
    if (size.width == 0) return fail(ErrorCode::kFormat, "page {} has no size", number);
    const poppler::image drawn = draw(*page, resolution(size));
    if (!drawn.is_valid() || drawn.format() != poppler::image::format_rgb24) {
        return fail(ErrorCode::kFormat, "page {} cannot be drawn", number);
    }
    // Poppler draws one pixel when it cannot allocate the page.
    if (drawn.width() != pixels(size.width, resolution(size)) ||
        drawn.height() != pixels(size.height, resolution(size))) {
        return fail(ErrorCode::kOutOfMemory, "page {} takes more memory to draw than is allowed", number);
    }
    PageImage out{drawn.width(), drawn.height(), {}};
    const auto row = static_cast<size_t>(out.width) * 3;
    out.rgb.reserve(row * static_cast<size_t>(out.height));
    for (int y = 0; y < out.height; ++y) {
        const char* source = drawn.const_data() + static_cast<ptrdiff_t>(y) * drawn.bytes_per_row();
        out.rgb.insert(out.rgb.end(), source, source + row);
    }
    return out;
}

}  // namespace pal::extract
