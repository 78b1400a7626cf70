// SPDX-License-Identifier: Apache-2.0
#include "app/extract/odt_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/extract/docx_styles.h"
#include "app/extract/script_text.h"
#include "app/extract/xml_part.h"

namespace pal::extract {
namespace {

using Node = pugi::xml_node;

constexpr int kMaxRepeats = 64;  // of a cell or row that a table only counts
constexpr int kMaxSpaces = 1000;

int number(std::string_view text, int fallback) {
    int out = fallback;
    std::from_chars(text.data(), text.data() + text.size(), out);
    return out;
}

struct ListLevel {
    bool bullet = true;
    std::string format, prefix, suffix;
    int start = 1;
};
using ListStyles = std::map<std::string, std::array<ListLevel, 10>, std::less<>>;

// Styles of text that is raised or lowered.
using ScriptStyles = std::map<std::string, Script, std::less<>>;

// "super 58%", "sub 58%", or how far: "33% 58%", "-20% 100%".
Script scriptOf(std::string_view position) {
    if (position.starts_with("super")) return Script::kRaised;
    if (position.starts_with("sub")) return Script::kLowered;
    const int percent = number(position, 0);
    return percent > 0 ? Script::kRaised : percent < 0 ? Script::kLowered : Script::kNone;
}

void readScriptStyles(const Node& root, ScriptStyles& out) {
    for (const Node& group : root.children()) {
        for (const Node& style : group.children()) {
            if (localName(style) != "style" || attribute(style, "family") != "text") continue;
            out[std::string(attribute(style, "name"))] =
                scriptOf(attribute(child(style, "text-properties"), "text-position"));
        }
    }
}

// The list styles of one XML part (automatic and common ones).
void readListStyles(const Node& root, ListStyles& out) {
    for (const Node& group : root.children()) {
        for (const Node& style : group.children()) {
            if (localName(style) != "list-style") continue;
            auto& levels = out[std::string(attribute(style, "name"))] = {};
            for (const Node& node : style.children()) {
                ListLevel& level =
                    levels[static_cast<size_t>(std::clamp(number(attribute(node, "level"), 1), 1, 10) - 1)];
                level.bullet = localName(node) != "list-level-style-number";
                level.format = attribute(node, "num-format");
                level.prefix = attribute(node, "num-prefix");
                level.suffix = attribute(node, "num-suffix");
                level.start = number(attribute(node, "start-value"), 1);
            }
        }
    }
}

class OdtWalker {
  public:
    OdtWalker(const ListStyles& lists, const ScriptStyles& scripts, FlowPages& pages)
        : lists_(lists), scripts_(scripts), pages_(pages) {}

    Result<> run(const Node& body) {
        blocks(body);
        return depth_.check();
    }
    [[nodiscard]] size_t comments() const { return comments_; }

  private:
    struct OpenList {
        std::string style;
        size_t level = 0;
    };

    void blocks(const Node& container);
    void paragraph(const Node& node);
    void list(const Node& node);
    void inlines(const Node& container);
    void inlineElement(const Node& node);
    void span(const Node& node);
    void note(const Node& node);
    void frame(const Node& node);
    void table(const Node& node);
    void rows(const Node& container, TableText& out);
    void row(const Node& node, TableText& out);

    const ListStyles& lists_;
    const ScriptStyles& scripts_;
    FlowPages& pages_;
    std::vector<OpenList> open_;
    std::map<std::string, std::array<int, 10>, std::less<>> counts_;  // last number of each list style and level
    std::vector<Node> boxes_;  // text boxes of the paragraph at hand; they follow it
    size_t comments_ = 0;
    XmlDepth depth_;
};

void OdtWalker::blocks(const Node& container) {
    const XmlDepth::Level level(depth_);
    for (const Node& node : container.children()) {
        if (depth_.tooDeep()) return;
        const std::string_view name = localName(node);
        if (name == "h" || name == "p") {
            paragraph(node);
        } else if (name == "list") {
            list(node);
        } else if (name == "table") {
            table(node);
        } else if (name == "soft-page-break") {
            pages_.pageBreak(FlowPages::Break::kSoft);
        } else if (name == "section" || name == "index-body" || name == "index-title" || name.ends_with("-index") ||
                   name == "table-of-content" || name == "bibliography" || name == "numbered-paragraph") {
            blocks(node);
        } else if (name == "frame" || name == "text-box" || name == "g") {
            frame(node);
            for (const Node& box : std::exchange(boxes_, {})) blocks(box);
        }
    }
}

void OdtWalker::paragraph(const Node& node) {
    pages_.writer().endBlock();
    if (localName(node) == "h") pages_.writer().heading(number(attribute(node, "outline-level"), 1));
    inlines(node);
    pages_.writer().endBlock();
    for (const Node& box : std::exchange(boxes_, {})) blocks(box);
}

void OdtWalker::list(const Node& node) {
    const XmlDepth::Level level(depth_);
    OpenList here{std::string(attribute(node, "style-name")),
                  open_.empty() ? 0 : std::min<size_t>(open_.back().level + 1, 9)};
    if (here.style.empty() && !open_.empty()) here.style = open_.back().style;
    const auto styles = lists_.find(here.style);
    const ListLevel style = styles == lists_.end() ? ListLevel{} : styles->second[here.level];
    int& count = counts_[here.style][here.level];
    if (attribute(node, "continue-numbering") != "true") count = style.start - 1;
    open_.push_back(here);
    pages_.writer().endBlock();
    for (const Node& item : node.children()) {
        const std::string_view name = localName(item);
        if (depth_.tooDeep() || (name != "list-item" && name != "list-header")) continue;
        count = number(attribute(item, "start-value"), count + 1);
        const bool unlabelled = name == "list-header" || (!style.bullet && style.format.empty());
        std::string marker =
            style.bullet ? "- " : style.prefix + formatNumber(count, style.format) + style.suffix + " ";
        if (unlabelled) marker = "  ";
        pages_.writer().beginItem(marker);
        blocks(item);
        pages_.writer().endItem();
    }
    open_.pop_back();
    pages_.writer().endBlock();
}

void OdtWalker::inlines(const Node& container) {
    const XmlDepth::Level level(depth_);
    for (const Node& node : container.children()) {
        if (depth_.tooDeep()) return;
        if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) {
            pages_.collapsed(node.value());
        } else if (node.type() == pugi::node_element) {
            inlineElement(node);
        }
    }
}

void OdtWalker::inlineElement(const Node& node) {
    const std::string_view name = localName(node);
    if (name == "s") {
        pages_.text(std::string(static_cast<size_t>(std::clamp(number(attribute(node, "c"), 1), 0, kMaxSpaces)), ' '));
    } else if (name == "tab") {
        pages_.text("\t");
    } else if (name == "line-break") {
        pages_.writer().lineBreak();
    } else if (name == "soft-page-break") {
        pages_.pageBreak(FlowPages::Break::kSoft);
    } else if (name == "note") {
        note(node);
    } else if (name == "a") {
        const std::string target(attribute(node, "href"));
        const size_t begun = pages_.writer().beginLink();
        inlines(node);
        pages_.writer().endLink(begun, target.starts_with('#') ? std::string() : target);
    } else if (name == "ruby") {
        inlines(child(node, "ruby-base"));
        pages_.text("(");
        inlines(child(node, "ruby-text"));
        pages_.text(")");
    } else if (name == "span") {
        span(node);
    } else if (name == "annotation") {
        ++comments_;
    } else if (name == "frame" || name == "g" || name == "custom-shape" || name == "rect" || name == "text-box") {
        frame(node);
    } else if (name != "annotation-end" && name != "hidden-text" && name != "hidden-paragraph" &&
               name != "tracked-changes") {
        inlines(node);  // fields, marks
    }
}

void OdtWalker::span(const Node& node) {
    const auto style = scripts_.find(attribute(node, "style-name"));
    const Script script = style == scripts_.end() ? Script::kNone : style->second;
    const bool marked = script != Script::kNone && needsMark(script, allText(node));
    if (marked) pages_.collapsed(scriptMark(script));
    inlines(node);
    if (marked) pages_.collapsed("}");
}

void OdtWalker::note(const Node& node) {
    const std::vector<Node> boxes = std::exchange(boxes_, {});
    const std::vector<OpenList> lists = std::exchange(open_, {});
    pages_.beginAside();
    blocks(child(node, "note-body"));
    std::string text = pages_.endAside();
    boxes_ = boxes;
    open_ = lists;
    pages_.writer().note(pages_.addNote(std::move(text)));
}

void OdtWalker::frame(const Node& node) {
    const XmlDepth::Level level(depth_);
    std::string alternative = child(node, "desc").text().get();
    if (alternative.empty()) alternative = child(node, "title").text().get();
    bool pictured = false;
    for (const Node& each : node.children()) {
        if (depth_.tooDeep()) return;
        const std::string_view name = localName(each);
        if (name == "text-box" || (name == "p" && localName(node) != "text-box")) {
            boxes_.push_back(name == "p" ? node : each);
            if (name == "p") return;
        } else if ((name == "image" || name == "object" || name == "object-ole") && !std::exchange(pictured, true)) {
            // A frame offers its content in several forms; an object has its image as the second.
            const Node image = child(node, "image");
            pages_.picture(attribute(image, "href"), alternative);
        } else if (name == "frame" || name == "g" || name == "custom-shape" || name == "a") {
            frame(each);
        }
    }
}

void OdtWalker::table(const Node& node) {
    const std::vector<OpenList> lists = std::exchange(open_, {});
    TableText out;
    rows(node, out);
    open_ = lists;
    pages_.table(out);
}

void OdtWalker::rows(const Node& container, TableText& out) {
    const XmlDepth::Level level(depth_);
    for (const Node& node : container.children()) {
        if (depth_.tooDeep()) return;
        const std::string_view name = localName(node);
        if (name == "table-row") row(node, out);
        if (name == "table-rows" || name == "table-header-rows" || name == "table-row-group") rows(node, out);
        if (name == "soft-page-break") pages_.pageBreak(FlowPages::Break::kSoft);
    }
}

void OdtWalker::row(const Node& node, TableText& out) {
    std::vector<std::string> cells;
    for (const Node& each : node.children()) {
        const std::string_view name = localName(each);
        if (depth_.tooDeep() || (name != "table-cell" && name != "covered-table-cell")) continue;
        std::string text;
        if (name == "table-cell") {
            pages_.beginAside();
            blocks(each);
            text = cellText(pages_.endAside());
        }
        const int repeats = std::clamp(number(attribute(each, "number-columns-repeated"), 1), 1, kMaxRepeats);
        for (int i = 0; i < repeats; ++i) cells.push_back(text);
    }
    const int repeats = std::clamp(number(attribute(node, "number-rows-repeated"), 1), 1, kMaxRepeats);
    for (int i = 0; i < repeats; ++i) out.push_back(cells);
}

}  // namespace

Result<FlowDocument> readOdt(ZipArchive& archive, const ReadLimits& limits) {
    if (archive.has("META-INF/manifest.xml")) {
        PAL_ASSIGN(const std::string manifest, archive.read("META-INF/manifest.xml"));
        if (manifest.find("encryption-data") != std::string::npos) {
            return fail(ErrorCode::kUnsupported, "an OpenDocument text locked with a password; save it without one");
        }
    }
    PAL_ASSIGN(const pugi::xml_document content, readXml(archive, "content.xml"));
    ListStyles lists;
    ScriptStyles scripts;
    if (archive.has("styles.xml")) {
        PAL_ASSIGN(const pugi::xml_document styles, readXml(archive, "styles.xml"));
        readListStyles(styles.document_element(), lists);
        readScriptStyles(styles.document_element(), scripts);
    }
    // The text's own styles; those of headers and footers may have the same names.
    readListStyles(content.document_element(), lists);
    readScriptStyles(content.document_element(), scripts);
    const Node text = child(child(content.document_element(), "body"), "text");
    if (!text) return fail(ErrorCode::kFormat, "\"content.xml\" has no text: no OpenDocument text");
    FlowPages pages(limits.textBytes);
    OdtWalker walker(lists, scripts, pages);
    PAL_TRY(walker.run(text));

    FlowDocument out;
    out.document.kind = DocumentKind::kOdt;
    if (archive.has("meta.xml")) {
        const auto meta = readXml(archive, "meta.xml");
        if (meta.has_value()) out.document.title = child(child(meta->document_element(), "meta"), "title").text().get();
    }
    if (walker.comments() > 0) {
        out.document.warnings.push_back(fmt::format("{} {} not in the text", walker.comments(),
                                                    walker.comments() == 1 ? "comment is" : "comments are"));
    }
    PAL_TRY(pages.finish(out));
    return out;
}

}  // namespace pal::extract
