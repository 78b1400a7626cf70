// SPDX-License-Identifier: Apache-2.0
#include "app/extract/html_text.h"

#include <gumbo.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory_resource>
#include <optional>
#include <span>
#include <utility>

#include "app/extract/markdown_writer.h"
#include "app/extract/script_text.h"

namespace pal::extract {
namespace {

using std::string_view_literals::operator""sv;

constexpr int kMaxDepth = 512;      // as browsers have it
constexpr int kMaxOpenTags = 8000;  // gumbo takes quadratic time in the depth
constexpr int kMaxColumnSpan = 64;

// gumbo frees node by node and recursively; an arena frees everything at once.
void* allocate(void* arena, size_t bytes) {
    return static_cast<std::pmr::monotonic_buffer_resource*>(arena)->allocate(std::max<size_t>(bytes, 1));
}
void release(void*, void*) {}

std::span<GumboNode* const> children(const GumboNode& node) {
    const GumboVector& list = node.type == GUMBO_NODE_DOCUMENT ? node.v.document.children : node.v.element.children;
    return {reinterpret_cast<GumboNode* const*>(list.data), list.length};
}

bool isElement(const GumboNode& node) {
    return node.type == GUMBO_NODE_ELEMENT || node.type == GUMBO_NODE_TEMPLATE;
}

std::string_view attribute(const GumboNode& node, const char* name) {
    const GumboAttribute* found = gumbo_get_attribute(&node.v.element.attributes, name);
    return found == nullptr ? std::string_view() : found->value;
}

int number(std::string_view text, int fallback) {
    int out = fallback;
    std::from_chars(text.data(), text.data() + text.size(), out);
    return out;
}

bool isHidden(const GumboNode& node) {
    if (gumbo_get_attribute(&node.v.element.attributes, "hidden") != nullptr) return true;
    std::string style;
    for (const char c : attribute(node, "style")) {
        if (c != ' ' && c != '\t' && c != '\n') style += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    return style.find("display:none") != std::string::npos || style.find("visibility:hidden") != std::string::npos;
}

bool isSkipped(GumboTag tag) {
    constexpr std::array kSkipped{GUMBO_TAG_SCRIPT,  GUMBO_TAG_STYLE,  GUMBO_TAG_NOSCRIPT, GUMBO_TAG_TEMPLATE,
                                  GUMBO_TAG_HEAD,    GUMBO_TAG_IFRAME, GUMBO_TAG_OBJECT,   GUMBO_TAG_EMBED,
                                  GUMBO_TAG_CANVAS,  GUMBO_TAG_AUDIO,  GUMBO_TAG_VIDEO,    GUMBO_TAG_RP,
                                  GUMBO_TAG_DATALIST};
    return std::find(kSkipped.begin(), kSkipped.end(), tag) != kSkipped.end();
}

bool isBlock(GumboTag tag) {
    constexpr std::array kBlocks{
        GUMBO_TAG_P,      GUMBO_TAG_DIV,        GUMBO_TAG_SECTION, GUMBO_TAG_ARTICLE,  GUMBO_TAG_ASIDE,
        GUMBO_TAG_HEADER, GUMBO_TAG_FOOTER,     GUMBO_TAG_MAIN,    GUMBO_TAG_NAV,      GUMBO_TAG_ADDRESS,
        GUMBO_TAG_FIGURE, GUMBO_TAG_FIGCAPTION, GUMBO_TAG_FORM,    GUMBO_TAG_FIELDSET, GUMBO_TAG_LEGEND,
        GUMBO_TAG_DL,     GUMBO_TAG_DT,         GUMBO_TAG_DD,      GUMBO_TAG_DETAILS,  GUMBO_TAG_SUMMARY,
        GUMBO_TAG_CENTER, GUMBO_TAG_HGROUP,     GUMBO_TAG_BODY,    GUMBO_TAG_TR,       GUMBO_TAG_TD,
        GUMBO_TAG_TH,     GUMBO_TAG_CAPTION,    GUMBO_TAG_OPTION,  GUMBO_TAG_OPTGROUP, GUMBO_TAG_TABLE};
    return std::find(kBlocks.begin(), kBlocks.end(), tag) != kBlocks.end();
}

class HtmlWalker {
  public:
    HtmlWalker(LinkTargets links, uint64_t maxBytes)
        : links_(links), maxBytes_(maxBytes), root_(maxBytes), writer_(&root_) {}

    Result<HtmlText> run(const GumboNode& document) {
        walk(document);
        if (error_.has_value()) return fail(*error_);
        if (root_.full()) return fail(ErrorCode::kOutOfMemory, "more than {} bytes of text", maxBytes_);
        out_.text = root_.take();
        return std::move(out_);
    }

  private:
    void walk(const GumboNode& node);
    void walkChildren(const GumboNode& node) {
        for (const GumboNode* child : children(node)) walk(*child);
    }
    void element(const GumboNode& node);
    void heading(const GumboNode& node, int level);
    void list(const GumboNode& node, bool ordered);
    void link(const GumboNode& node);
    void picture(const GumboNode& node);
    void script(const GumboNode& node, Script script);
    void table(const GumboNode& node);
    void collectRows(const GumboNode& node, TableText& rows, std::vector<int>& below);
    void row(const GumboNode& node, TableText& rows, std::vector<int>& below);
    [[nodiscard]] bool arranges(const GumboNode& table, int depth) const;
    void collectText(const GumboNode& node, std::string& out, int depth = 0) const;
    void text(std::string_view characters);

    LinkTargets links_;
    uint64_t maxBytes_;
    MarkdownWriter root_;
    MarkdownWriter* writer_;
    HtmlText out_;
    int depth_ = 0;
    std::optional<Error> error_;
};

void HtmlWalker::text(std::string_view characters) {
    out_.characters += static_cast<size_t>(std::count_if(characters.begin(), characters.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
               (byte >= 'a' && byte <= 'z');
    }));
    writer_->collapsed(characters);
}

void HtmlWalker::walk(const GumboNode& node) {
    if (error_.has_value() || root_.full()) return;
    if (depth_ >= kMaxDepth) {
        error_ = Error{ErrorCode::kFormat, fmt::format("elements nested deeper than {}", kMaxDepth)};
        return;
    }
    ++depth_;
    if (node.type == GUMBO_NODE_DOCUMENT) {
        walkChildren(node);
    } else if (node.type == GUMBO_NODE_TEXT || node.type == GUMBO_NODE_WHITESPACE || node.type == GUMBO_NODE_CDATA) {
        text(node.v.text.text);
    } else if (isElement(node)) {
        if (node.v.element.tag == GUMBO_TAG_HEAD && out_.title.empty()) {
            for (const GumboNode* child : children(node)) {
                if (isElement(*child) && child->v.element.tag == GUMBO_TAG_TITLE) collectText(*child, out_.title);
            }
        }
        if (!isSkipped(node.v.element.tag) && !isHidden(node)) element(node);
    }
    --depth_;
}

void HtmlWalker::element(const GumboNode& node) {
    const GumboTag tag = node.v.element.tag;
    if (tag >= GUMBO_TAG_H1 && tag <= GUMBO_TAG_H6) return heading(node, tag - GUMBO_TAG_H1 + 1);
    if (tag == GUMBO_TAG_UL || tag == GUMBO_TAG_OL) return list(node, tag == GUMBO_TAG_OL);
    if (tag == GUMBO_TAG_TABLE && !arranges(node, 0)) return table(node);
    if (tag == GUMBO_TAG_A) return link(node);
    if (tag == GUMBO_TAG_SUP) return script(node, Script::kRaised);
    if (tag == GUMBO_TAG_SUB) return script(node, Script::kLowered);
    if (tag == GUMBO_TAG_BR) return writer_->lineBreak();
    if (tag == GUMBO_TAG_HR) return writer_->rule();
    if (tag == GUMBO_TAG_IMG || tag == GUMBO_TAG_IMAGE || tag == GUMBO_TAG_SVG) return picture(node);
    if (tag == GUMBO_TAG_PRE) {
        std::string code;
        collectText(node, code);
        out_.characters += code.size();
        return writer_->verbatim(code);
    }
    if (tag == GUMBO_TAG_BLOCKQUOTE) {
        writer_->beginQuote();
        walkChildren(node);
        return writer_->endQuote();
    }
    const bool block = isBlock(tag);
    if (block) writer_->endBlock();
    if (tag == GUMBO_TAG_RT) text(" (");
    walkChildren(node);
    if (tag == GUMBO_TAG_RT) text(")");
    if (block) writer_->endBlock();
}

void HtmlWalker::picture(const GumboNode& node) {
    const size_t before = out_.pictures.size();
    std::string_view source = attribute(node, "src");
    if (source.empty()) source = attribute(node, "href");
    if (source.empty()) source = attribute(node, "xlink:href");
    // A drawing may hold pictures and words; one that holds none is a picture itself.
    if (node.v.element.tag == GUMBO_TAG_SVG) walkChildren(node);
    if (out_.pictures.size() > before) return;
    out_.pictures.emplace_back(source);
    writer_->picture(attribute(node, "alt"));
}

void HtmlWalker::script(const GumboNode& node, Script script) {
    std::string inside;
    collectText(node, inside);
    const bool marked = needsMark(script, inside);
    if (marked) text(scriptMark(script));
    walkChildren(node);
    if (marked) text("}");
}

void HtmlWalker::heading(const GumboNode& node, int level) {
    writer_->heading(level);
    walkChildren(node);
    writer_->endBlock();
    if (out_.firstHeading.empty()) collectText(node, out_.firstHeading);
}

void HtmlWalker::list(const GumboNode& node, bool ordered) {
    int next = number(attribute(node, "start"), 1);
    writer_->endBlock();
    for (const GumboNode* child : children(node)) {
        if (!isElement(*child) || child->v.element.tag != GUMBO_TAG_LI) {
            walk(*child);
            continue;
        }
        if (isHidden(*child)) continue;
        next = number(attribute(*child, "value"), next);
        writer_->beginItem(ordered ? std::to_string(next) + ". " : "- ");
        if (ordered && next < 1'000'000'000) ++next;
        ++depth_;
        walkChildren(*child);
        --depth_;
        writer_->endItem();
    }
    writer_->endBlock();
}

void HtmlWalker::link(const GumboNode& node) {
    std::string_view target = attribute(node, "href");
    const bool shown =
        links_ == LinkTargets::kAll || target.find("://") != std::string_view::npos || target.starts_with("mailto:");
    if (target.starts_with('#') || target.starts_with("javascript:") || target.starts_with("data:") || !shown)
        target = {};
    if (target.empty()) return walkChildren(node);
    const size_t begun = writer_->beginLink();
    walkChildren(node);
    writer_->endLink(begun, target);
}

// A table around other tables, or of single cells, arranges a page; its cells are blocks.
bool HtmlWalker::arranges(const GumboNode& table, int depth) const {
    if (depth > kMaxDepth) return true;
    for (const GumboNode* child : children(table)) {
        if (!isElement(*child)) continue;
        if (child->v.element.tag == GUMBO_TAG_TABLE || arranges(*child, depth + 1)) return true;
    }
    return false;
}

void HtmlWalker::table(const GumboNode& node) {
    TableText rows;
    std::vector<int> below;
    collectRows(node, rows, below);
    const bool single = std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.size() <= 1; });
    if (!single) return writer_->table(rows);
    for (const auto& row : rows) {
        if (row.empty()) continue;
        writer_->endBlock();
        writer_->text(row.front());
        writer_->endBlock();
    }
}

void HtmlWalker::collectRows(const GumboNode& node, TableText& rows, std::vector<int>& below) {
    for (const GumboNode* child : children(node)) {
        if (!isElement(*child) || isHidden(*child)) continue;
        const GumboTag tag = child->v.element.tag;
        if (tag == GUMBO_TAG_TR) row(*child, rows, below);
        if (tag == GUMBO_TAG_THEAD || tag == GUMBO_TAG_TBODY || tag == GUMBO_TAG_TFOOT)
            collectRows(*child, rows, below);
        if (tag == GUMBO_TAG_CAPTION) walk(*child);
    }
}

// `below` counts, per column, the rows that a cell above still reaches into.
void HtmlWalker::row(const GumboNode& node, TableText& rows, std::vector<int>& below) {
    std::vector<std::string> cells;
    const auto skipReached = [&] {
        while (cells.size() < below.size() && below[cells.size()] > 0) {
            --below[cells.size()];
            cells.emplace_back();
        }
    };
    for (const GumboNode* child : children(node)) {
        if (!isElement(*child) || isHidden(*child)) continue;
        skipReached();
        MarkdownWriter cell(maxBytes_);
        writer_ = &cell;  // a table inside would make this one an arrangement
        walkChildren(*child);
        writer_ = &root_;
        const int columns = std::clamp(number(attribute(*child, "colspan"), 1), 1, kMaxColumnSpan);
        const int rowsBelow = std::clamp(number(attribute(*child, "rowspan"), 1), 1, 65'534) - 1;
        if (below.size() < cells.size() + static_cast<size_t>(columns))
            below.resize(cells.size() + static_cast<size_t>(columns));
        for (int i = 0; i < columns; ++i) {
            below[cells.size()] = rowsBelow;
            cells.push_back(i == 0 ? cellText(cell.take()) : std::string());
        }
    }
    skipReached();
    if (!cells.empty()) rows.push_back(std::move(cells));
}

void HtmlWalker::collectText(const GumboNode& node, std::string& out, int depth) const {
    if (node.type == GUMBO_NODE_TEXT || node.type == GUMBO_NODE_WHITESPACE || node.type == GUMBO_NODE_CDATA) {
        out += node.v.text.text;
        return;
    }
    if (!isElement(node) || depth > kMaxDepth) return;
    if (node.v.element.tag == GUMBO_TAG_BR) out += '\n';
    for (const GumboNode* child : children(node)) collectText(*child, out, depth + 1);
}

bool staysOpen(std::string_view tag) {
    // These end by themselves, or have nothing inside.
    constexpr std::array kShort{"p"sv,     "li"sv,    "td"sv,     "th"sv,    "tr"sv,    "dt"sv,    "dd"sv,
                                "br"sv,    "hr"sv,    "rt"sv,     "rp"sv,    "img"sv,   "input"sv, "meta"sv,
                                "link"sv,  "base"sv,  "area"sv,   "col"sv,   "wbr"sv,   "param"sv, "source"sv,
                                "track"sv, "embed"sv, "option"sv, "tbody"sv, "thead"sv, "tfoot"sv};
    std::string name;
    for (const char c : tag) {
        const char lower = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
        if ((lower < 'a' || lower > 'z') && (lower < '0' || lower > '9') && lower != '-') return false;
        name += lower;
    }
    return !name.empty() && std::find(kShort.begin(), kShort.end(), name) == kShort.end();
}

// Whether start tags pile up without end tags: a page made to keep gumbo busy.
bool isPiledUp(std::string_view html) {
    int open = 0;
    for (size_t at = html.find('<'); at != std::string_view::npos; at = html.find('<', at + 1)) {
        if (html.substr(at + 1).starts_with('/')) {
            open = std::max(open - 1, 0);
            continue;
        }
        const size_t end = html.find_first_of(" \t\r\n/>", at + 1);
        if (end == std::string_view::npos) break;
        const bool whole = html[end] == '/' && html.substr(end + 1).starts_with('>');
        if (!whole && staysOpen(html.substr(at + 1, end - at - 1)) && ++open > kMaxOpenTags) return true;
    }
    return false;
}

void trim(std::string& text) {
    std::string out;
    for (const char c : text) {
        const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!space) out += c;
        if (space && !out.empty() && out.back() != ' ') out += ' ';
    }
    if (!out.empty() && out.back() == ' ') out.pop_back();
    text = std::move(out);
}

}  // namespace

Result<HtmlText> htmlToText(std::string_view html, LinkTargets links, uint64_t maxBytes) {
    if (isPiledUp(html)) return fail(ErrorCode::kFormat, "elements nested deeper than {}", kMaxDepth);
    std::pmr::monotonic_buffer_resource arena;
    GumboOptions options = kGumboDefaultOptions;
    options.allocator = allocate;
    options.deallocator = release;
    options.userdata = &arena;
    options.max_errors = 0;
    const GumboOutput* parsed = gumbo_parse_with_options(&options, html.data(), html.size());
    PAL_ASSIGN(HtmlText out, HtmlWalker(links, maxBytes).run(*parsed->document));
    trim(out.title);
    trim(out.firstHeading);
    return out;
}

}  // namespace pal::extract
