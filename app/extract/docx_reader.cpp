// SPDX-License-Identifier: Apache-2.0
#include "app/extract/docx_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "app/extract/docx_math.h"
#include "app/extract/docx_styles.h"
#include "app/extract/script_text.h"
#include "app/extract/xml_part.h"

namespace pal::extract {
namespace {

using Node = pugi::xml_node;

// One part of the package: its relations (pictures, links) count only inside it.
struct Part {
    pugi::xml_document xml;
    std::map<std::string, std::string, std::less<>> targets;  // relation id -> target, inside the archive for parts
};

std::string folderOf(const std::string& part) {
    const size_t slash = part.find_last_of('/');
    return slash == std::string::npos ? "" : part.substr(0, slash + 1);
}

// A target as an entry of the archive: relative to the part's folder, or from the root when it begins with "/".
std::string resolve(const std::string& part, std::string_view target) {
    if (target.starts_with('/')) return std::string(target.substr(1));
    std::string folder = folderOf(part);
    while (target.starts_with("../")) {
        target.remove_prefix(3);
        if (!folder.empty()) folder.pop_back();
        folder = folderOf(folder);
    }
    return folder + std::string(target);
}

struct Relation {
    std::string id, type, target;
    bool external = false;
};

std::vector<Relation> relationsOf(ZipArchive& archive, const std::string& part) {
    const size_t slash = part.find_last_of('/');
    const std::string name =
        folderOf(part) + "_rels/" + part.substr(slash == std::string::npos ? 0 : slash + 1) + ".rels";
    std::vector<Relation> out;
    if (!archive.has(name)) return out;
    const auto xml = readXml(archive, name);
    if (!xml.has_value()) return out;
    for (const Node& node : xml->document_element().children()) {
        const bool external = attribute(node, "TargetMode") == "External";
        const std::string_view target = attribute(node, "Target");
        out.push_back({std::string(attribute(node, "Id")), std::string(attribute(node, "Type")),
                       external ? std::string(target) : resolve(part, target), external});
    }
    return out;
}

Result<Part> readPart(ZipArchive& archive, const std::string& name) {
    Part part;
    PAL_ASSIGN(part.xml, readXml(archive, name));
    for (const Relation& relation : relationsOf(archive, name)) part.targets[relation.id] = relation.target;
    return part;
}

bool isOn(const Node& properties, std::string_view name) {
    const Node node = child(properties, name);
    const std::string_view value = attribute(node, "val");
    return node && value != "0" && value != "false";
}

// Characters of Wingdings and Symbol that forms and lists use.
std::string_view symbol(std::string_view code) {
    struct Known {
        std::string_view code, text;
    };
    constexpr std::array kKnown{Known{"F0FE", "\xE2\x98\x92"}, Known{"F0A8", "\xE2\x98\x90"},
                                Known{"F06F", "\xE2\x98\x90"}, Known{"F0FC", "\xE2\x9C\x93"},
                                Known{"F0B7", "\xE2\x80\xA2"}, Known{"F0A7", "\xE2\x96\xAA"},
                                Known{"F0E0", "\xE2\x86\x92"}, Known{"F0DF", "\xE2\x86\x90"}};
    const auto found =
        std::find_if(kKnown.begin(), kKnown.end(), [&](const Known& known) { return known.code == code; });
    return found == kKnown.end() ? "\xEF\xBF\xBD" : found->text;
}

class DocxWalker {
  public:
    DocxWalker(const DocxStyles& styles, DocxNumbering numbering, FlowPages& pages)
        : styles_(styles), numbering_(std::move(numbering)), pages_(pages) {}

    void setNotes(const Part* footnotes, const Part* endnotes) {
        footnotes_ = footnotes;
        endnotes_ = endnotes;
    }

    Result<> blocks(const Node& container, const Part& part) {
        const Part* before = std::exchange(part_, &part);
        walkBlocks(container);
        part_ = before;
        return depth_.check();
    }

  private:
    void walkBlocks(const Node& container);
    void paragraph(const Node& node);
    void inlines(const Node& container);
    void run(const Node& node);
    void runChild(const Node& node, Script script);
    // Begins or ends raised or lowered text: a writer cuts it into runs as it likes.
    void setScript(Script script);
    void link(const Node& node);
    void breakLine(const Node& node);
    void noteReference(const Node& node, const Part* notes, std::string_view element);
    void drawing(const Node& node);
    void collectDrawing(const Node& node, std::string& alternative, std::vector<std::string>& pictures, bool& shown);
    void table(const Node& node);
    void tableRow(const Node& node, TableText& rows);
    void rows(const Node& container, TableText& out);
    [[nodiscard]] std::string target(std::string_view id) const {
        const auto found = part_->targets.find(id);
        return found == part_->targets.end() ? std::string() : found->second;
    }

    const DocxStyles& styles_;
    DocxNumbering numbering_;
    FlowPages& pages_;
    Script script_ = Script::kNone;  // of the text that was written last in this paragraph
    const Part* part_ = nullptr;
    const Part* footnotes_ = nullptr;
    const Part* endnotes_ = nullptr;
    std::vector<Node> boxes_;  // text boxes of the paragraph at hand; they follow it
    XmlDepth depth_;
};

// The child that a reader of today takes where a document offers an old one as well.
Node alternative(const Node& node) {
    const Node choice = child(node, "Choice");
    return choice ? choice : child(node, "Fallback");
}

void DocxWalker::walkBlocks(const Node& container) {
    const XmlDepth::Level level(depth_);
    for (const Node& node : container.children()) {
        if (depth_.tooDeep()) return;
        const std::string_view name = localName(node);
        if (name == "p") {
            paragraph(node);
        } else if (name == "tbl") {
            table(node);
        } else if (name == "sdt") {
            walkBlocks(child(node, "sdtContent"));
        } else if (name == "ins" || name == "moveTo" || name == "customXml" || name == "smartTag") {
            walkBlocks(node);
        } else if (name == "AlternateContent") {
            walkBlocks(alternative(node));
        } else if (name == "oMathPara" || name == "oMath") {
            pages_.text(mathText(node));
            pages_.writer().endBlock();
        }
    }
}

void DocxWalker::paragraph(const Node& node) {
    const Node properties = child(node, "pPr");
    const std::string style(attribute(child(properties, "pStyle"), "val"));
    int heading = styles_.headingLevel(style);
    if (const std::string_view outline = attribute(child(properties, "outlineLvl"), "val");
        outline.size() == 1 && outline[0] < '9') {
        heading = outline[0] - '0' + 1;
    }
    std::optional<DocxNumber> number = child(properties, "numPr") ? readNumber(properties) : styles_.number(style);
    if (isOn(properties, "pageBreakBefore")) pages_.pageBreak(FlowPages::Break::kSoft);

    const std::string label = number.has_value() ? numbering_.next(*number) : std::string();
    const bool item = number.has_value() && heading == 0 && !label.empty();
    pages_.writer().endBlock();
    if (heading > 0) {
        pages_.writer().heading(heading);
        if (!label.empty() && label != "-") pages_.writer().text(label + " ");
    } else if (item) {
        pages_.writer().beginItem(std::string(2 * static_cast<size_t>(number->level), ' ') + label + " ");
    }
    inlines(node);
    setScript(Script::kNone);
    if (item) {
        pages_.writer().endItem();
    } else {
        pages_.writer().endBlock();
    }
    for (const Node& box : std::exchange(boxes_, {})) walkBlocks(box);
}

void DocxWalker::inlines(const Node& container) {
    const XmlDepth::Level level(depth_);
    for (const Node& node : container.children()) {
        if (depth_.tooDeep()) return;
        const std::string_view name = localName(node);
        if (name == "r") {
            run(node);
        } else if (name == "hyperlink") {
            link(node);
        } else if (name == "sdt") {
            inlines(child(node, "sdtContent"));
        } else if (name == "AlternateContent") {
            inlines(alternative(node));
        } else if (name == "oMath" || name == "oMathPara") {
            setScript(Script::kNone);
            pages_.text(mathText(node));
        } else if (name == "ins" || name == "moveTo" || name == "smartTag" || name == "fldSimple" ||
                   name == "customXml" || name == "dir" || name == "bdo") {
            inlines(node);
        }
    }
}

void DocxWalker::run(const Node& node) {
    const XmlDepth::Level level(depth_);
    if (isOn(child(node, "rPr"), "vanish")) return;
    const std::string_view align = attribute(child(child(node, "rPr"), "vertAlign"), "val");
    const Script script = align == "superscript" ? Script::kRaised
                          : align == "subscript" ? Script::kLowered
                                                 : Script::kNone;
    for (const Node& each : node.children()) {
        if (depth_.tooDeep()) return;
        runChild(each, script);
    }
}

void DocxWalker::setScript(Script script) {
    if (script == script_) return;
    if (script_ != Script::kNone) pages_.text("}");
    if (script != Script::kNone) pages_.text(scriptMark(script));
    script_ = script;
}

void DocxWalker::runChild(const Node& node, Script script) {
    const std::string_view name = localName(node);
    const std::string_view words = name == "t" ? node.text().get() : "";
    const bool goesOn = script != Script::kNone && script == script_;
    if (!name.empty() && name != "rPr")
        setScript(goesOn && name == "t" ? script : needsMark(script, words) ? script : Script::kNone);
    if (name == "t") {
        pages_.text(words);
    } else if (name == "tab" || name == "ptab") {
        pages_.text("\t");
    } else if (name == "br") {
        breakLine(node);
    } else if (name == "cr") {
        pages_.writer().lineBreak();
    } else if (name == "lastRenderedPageBreak") {
        pages_.pageBreak(FlowPages::Break::kSoft);
    } else if (name == "noBreakHyphen") {
        pages_.text("-");
    } else if (name == "sym") {
        pages_.text(symbol(attribute(node, "char")));
    } else if (name == "footnoteReference") {
        noteReference(node, footnotes_, "footnote");
    } else if (name == "endnoteReference") {
        noteReference(node, endnotes_, "endnote");
    } else if (name == "drawing" || name == "pict" || name == "object") {
        drawing(node);
    } else if (name == "AlternateContent") {
        run(alternative(node));
    } else if (name == "ruby") {
        inlines(child(node, "rubyBase"));
        pages_.text("(");
        inlines(child(node, "rt"));
        pages_.text(")");
    }
}

void DocxWalker::breakLine(const Node& node) {
    if (attribute(node, "type") == "page") {
        pages_.pageBreak(FlowPages::Break::kHard);
    } else {
        pages_.writer().lineBreak();
    }
}

void DocxWalker::link(const Node& node) {
    const std::string address = target(attribute(node, "id"));
    if (address.empty()) return inlines(node);
    setScript(Script::kNone);  // a mark opens and closes on one side of a bracket
    const size_t begun = pages_.writer().beginLink();
    inlines(node);
    setScript(Script::kNone);
    pages_.writer().endLink(begun, address);
}

void DocxWalker::noteReference(const Node& node, const Part* notes, std::string_view element) {
    if (notes == nullptr || part_ == footnotes_ || part_ == endnotes_)
        return;  // no notes to notes, which could go on without end
    const std::string_view id = attribute(node, "id");
    for (const Node& note : notes->xml.document_element().children()) {
        if (localName(note) != element || attribute(note, "id") != id) continue;
        const std::vector<Node> boxes = std::exchange(boxes_, {});
        const Part* before = std::exchange(part_, notes);
        pages_.beginAside();
        walkBlocks(note);
        std::string text = pages_.endAside();
        part_ = before;
        boxes_ = boxes;
        const size_t start = text.find_first_not_of(" \t");
        pages_.writer().note(pages_.addNote(start == std::string::npos ? std::string() : text.substr(start)));
        return;
    }
}

void DocxWalker::collectDrawing(const Node& node, std::string& alternativeText, std::vector<std::string>& pictures,
                                bool& shown) {
    const XmlDepth::Level level(depth_);
    for (const Node& each : node.children()) {
        if (depth_.tooDeep()) return;
        const std::string_view name = localName(each);
        if (name == "txbxContent") {
            boxes_.push_back(each);
            continue;
        }
        if (name == "docPr" || name == "shape") {
            if (alternativeText.empty()) alternativeText = attribute(each, name == "docPr" ? "descr" : "alt");
            if (alternativeText.empty()) alternativeText = attribute(each, "title");
        }
        if (name == "blip" || name == "imagedata") {
            shown = true;
            const std::string picture = target(attribute(each, name == "blip" ? "embed" : "id"));
            if (!picture.empty()) pictures.push_back(picture);
        }
        if (name == "chart" || name == "relIds") shown = true;
        if (name == "AlternateContent") {
            collectDrawing(alternative(each), alternativeText, pictures, shown);
        } else {
            collectDrawing(each, alternativeText, pictures, shown);
        }
    }
}

void DocxWalker::drawing(const Node& node) {
    std::string alternativeText;
    std::vector<std::string> pictures;
    bool shown = false;
    collectDrawing(node, alternativeText, pictures, shown);
    if (!shown) return;
    pages_.picture(pictures.empty() ? std::string() : pictures.front(), alternativeText);
    for (size_t i = 1; i < pictures.size(); ++i) pages_.picture(pictures[i], {});
}

void DocxWalker::table(const Node& node) {
    TableText out;
    rows(node, out);
    pages_.table(out);
}

void DocxWalker::rows(const Node& container, TableText& out) {
    const XmlDepth::Level level(depth_);
    for (const Node& node : container.children()) {
        if (depth_.tooDeep()) return;
        const std::string_view name = localName(node);
        if (name == "tr") tableRow(node, out);
        if (name == "sdt") rows(child(node, "sdtContent"), out);
        if (name == "ins" || name == "customXml") rows(node, out);
    }
}

void DocxWalker::tableRow(const Node& node, TableText& rows) {
    constexpr int kMaxSpan = 64;
    if (child(child(node, "trPr"), "del")) return;
    std::vector<std::string> cells;
    for (const Node& each : node.children()) {
        const Node cell = localName(each) == "sdt" ? child(child(each, "sdtContent"), "tc") : each;
        if (localName(cell) != "tc" || depth_.tooDeep()) continue;
        const Node properties = child(cell, "tcPr");
        const Node merged = child(properties, "vMerge");
        pages_.beginAside();
        walkBlocks(cell);
        std::string text = cellText(pages_.endAside());
        // Without "restart" the cell is a part of the one above.
        if (merged && attribute(merged, "val") != "restart") text.clear();
        cells.push_back(std::move(text));
        const std::string_view span = attribute(child(properties, "gridSpan"), "val");
        int columns = 1;
        std::from_chars(span.data(), span.data() + span.size(), columns);
        cells.resize(cells.size() + static_cast<size_t>(std::clamp(columns, 1, kMaxSpan) - 1));
    }
    rows.push_back(std::move(cells));
}

// The main part: where the package says it is, which is nearly always here.
std::string mainPart(ZipArchive& archive) {
    for (const Relation& relation : relationsOf(archive, "")) {
        if (relation.type.ends_with("/officeDocument")) return relation.target;
    }
    return "word/document.xml";
}

// The texts of the headers or footers of all sections, each once.
Result<> marginals(ZipArchive& archive, const Part& main, std::string_view reference, DocxWalker& walker,
                   FlowPages& pages) {
    std::set<std::string> seen;
    for (const auto& found : main.xml.select_nodes(fmt::format("//*[local-name()='{}']", reference).c_str())) {
        const auto target = main.targets.find(attribute(found.node(), "id"));
        if (target == main.targets.end() || !archive.has(target->second)) continue;
        PAL_ASSIGN(const Part part, readPart(archive, target->second));
        pages.beginAside();
        PAL_TRY(walker.blocks(part.xml.document_element(), part));
        const std::string text = pages.endAside();
        // Page numbers alone say nothing.
        if (text.find_first_not_of("0123456789 -/\n\t") == std::string::npos || !seen.insert(text).second) continue;
        pages.text(text);
        pages.writer().endBlock();
    }
    return {};
}

size_t countChildren(ZipArchive& archive, const std::string& name) {
    if (!archive.has(name)) return 0;
    const auto xml = readXml(archive, name);
    if (!xml.has_value()) return 0;
    const auto children = xml->document_element().children();
    return static_cast<size_t>(std::count_if(children.begin(), children.end(),
                                             [](const Node& node) { return node.type() == pugi::node_element; }));
}

}  // namespace

Result<FlowDocument> readDocx(ZipArchive& archive, const ReadLimits& limits) {
    const std::string main = mainPart(archive);
    const std::string folder = folderOf(main);
    PAL_ASSIGN(const Part part, readPart(archive, main));
    DocxStyles styles;
    DocxNumbering numbering;
    if (archive.has(folder + "styles.xml")) {
        PAL_ASSIGN(const pugi::xml_document xml, readXml(archive, folder + "styles.xml"));
        styles = DocxStyles(xml);
    }
    if (archive.has(folder + "numbering.xml")) {
        PAL_ASSIGN(const pugi::xml_document xml, readXml(archive, folder + "numbering.xml"));
        numbering = DocxNumbering(xml);
    }
    Part footnotes;
    Part endnotes;
    if (archive.has(folder + "footnotes.xml")) {
        PAL_ASSIGN(footnotes, readPart(archive, folder + "footnotes.xml"));
    }
    if (archive.has(folder + "endnotes.xml")) {
        PAL_ASSIGN(endnotes, readPart(archive, folder + "endnotes.xml"));
    }
    FlowPages pages(limits.textBytes);
    DocxWalker walker(styles, std::move(numbering), pages);
    walker.setNotes(&footnotes, &endnotes);
    const Node body = child(part.xml.document_element(), "body");
    if (!body) return fail(ErrorCode::kFormat, "\"{}\" has no body: no Word document", main);
    PAL_TRY(marginals(archive, part, "headerReference", walker, pages));
    PAL_TRY(walker.blocks(body, part));
    PAL_TRY(marginals(archive, part, "footerReference", walker, pages));

    FlowDocument out;
    out.document.kind = DocumentKind::kDocx;
    if (archive.has("docProps/core.xml")) {
        const auto core = readXml(archive, "docProps/core.xml");
        if (core.has_value()) out.document.title = child(core->document_element(), "title").text().get();
    }
    if (const size_t comments = countChildren(archive, folder + "comments.xml"); comments > 0) {
        out.document.warnings.push_back(
            fmt::format("{} {} not in the text", comments, comments == 1 ? "comment is" : "comments are"));
    }
    PAL_TRY(pages.finish(out));
    return out;
}

}  // namespace pal::extract
