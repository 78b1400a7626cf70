// SPDX-License-Identifier: Apache-2.0
#include "app/extract/epub_reader.h"

#include <map>
#include <utility>

#include "app/extract/html_text.h"
#include "app/extract/text_encoding.h"
#include "app/extract/xml_part.h"

namespace pal::extract {
namespace {

using Node = pugi::xml_node;
using Labels = std::map<std::string, std::string, std::less<>>;

struct Item {
    std::string path;  // in the archive
    std::string type, properties;
};

struct Package {
    std::string title;
    std::map<std::string, Item, std::less<>> items;  // by id
    std::vector<std::string> spine;                  // ids
    std::string tableId;                             // EPUB 2's table of contents
};

std::string withoutEscapes(std::string_view address) {
    std::string out;
    for (size_t i = 0; i < address.size(); ++i) {
        const auto hex = [](char c) {
            return c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
        };
        if (address[i] == '%' && i + 2 < address.size() && hex(address[i + 1]) >= 0 && hex(address[i + 2]) >= 0) {
            out += static_cast<char>(hex(address[i + 1]) * 16 + hex(address[i + 2]));
            i += 2;
        } else {
            out += address[i];
        }
    }
    return out;
}

// An address in a file as an entry of the archive, without its place in the page. Nothing outside of the archive can be named.
std::string resolve(const std::string& from, std::string_view address) {
    std::string target = withoutEscapes(address.substr(0, address.find('#')));
    std::string folder = from.substr(0, from.find_last_of('/') + 1);
    while (target.starts_with("../") || target.starts_with("./")) {
        const bool up = target.starts_with("../");
        target.erase(0, up ? 3 : 2);
        if (up && !folder.empty()) folder.erase(folder.find_last_of('/', folder.size() - 2) + 1);
    }
    return folder + target;
}

Result<Package> readPackage(ZipArchive& archive) {
    PAL_ASSIGN(const pugi::xml_document container, readXml(archive, "META-INF/container.xml"));
    const Node rootFile = child(child(container.document_element(), "rootfiles"), "rootfile");
    const std::string path(attribute(rootFile, "full-path"));
    PAL_ASSIGN(const pugi::xml_document xml, readXml(archive, path));
    const Node root = xml.document_element();
    Package package;
    package.title = child(child(root, "metadata"), "title").text().get();
    for (const Node& node : child(root, "manifest").children()) {
        if (localName(node) != "item") continue;
        package.items[std::string(attribute(node, "id"))] = {resolve(path, attribute(node, "href")),
                                                             std::string(attribute(node, "media-type")),
                                                             std::string(attribute(node, "properties"))};
    }
    const Node spine = child(root, "spine");
    package.tableId = attribute(spine, "toc");
    for (const Node& node : spine.children()) {
        if (localName(node) == "itemref") package.spine.emplace_back(attribute(node, "idref"));
    }
    if (package.spine.empty()) return fail(ErrorCode::kFormat, "\"{}\" names no chapters: no EPUB", path);
    return package;
}

void addLabel(const std::string& path, std::string_view address, std::string label, Labels& labels) {
    const size_t first = label.find_first_not_of(" \n\t\r");
    if (first == std::string::npos) return;
    label = label.substr(first, label.find_last_not_of(" \n\t\r") - first + 1);
    labels.emplace(resolve(path, address), std::move(label));  // the first one counts
}

// Titles of chapters by file: EPUB 3's navigation page, EPUB 2's NCX. A broken table of contents costs only the titles.
Labels readLabels(ZipArchive& archive, const Package& package) {
    Labels labels;
    for (const auto& [id, item] : package.items) {
        const bool navigation = (" " + item.properties + " ").find(" nav ") != std::string::npos;
        if (!navigation && id != package.tableId) continue;
        const auto xml = archive.has(item.path) ? readXml(archive, item.path)
                                                : Result<pugi::xml_document>(fail(ErrorCode::kNotFound, "-"));
        if (!xml.has_value()) continue;
        if (navigation) {
            for (const auto& found : xml->select_nodes("//*[local-name()='nav']//*[local-name()='a']")) {
                addLabel(item.path, attribute(found.node(), "href"), allText(found.node()), labels);
            }
        } else {
            for (const auto& found : xml->select_nodes("//*[local-name()='navPoint']")) {
                addLabel(item.path, attribute(child(found.node(), "content"), "src"),
                         allText(child(found.node(), "navLabel")), labels);
            }
        }
    }
    return labels;
}

// Fonts are scrambled in books without any protection; chapters are not.
Result<> checkProtection(ZipArchive& archive, const Package& package) {
    if (!archive.has("META-INF/encryption.xml")) return {};
    PAL_ASSIGN(const pugi::xml_document xml, readXml(archive, "META-INF/encryption.xml"));
    for (const auto& found : xml.select_nodes("//*[local-name()='CipherReference']")) {
        const std::string path = withoutEscapes(attribute(found.node(), "URI"));
        for (const std::string& id : package.spine) {
            const auto item = package.items.find(id);
            if (item != package.items.end() && item->second.path == path) {
                return fail(ErrorCode::kUnsupported, "the book is copy-protected: \"{}\" is encrypted", path);
            }
        }
    }
    return {};
}

}  // namespace

Result<FlowDocument> readEpub(ZipArchive& archive, const ReadLimits& limits) {
    PAL_ASSIGN(const Package package, readPackage(archive));
    PAL_TRY(checkProtection(archive, package));
    const Labels labels = readLabels(archive, package);
    FlowDocument out;
    out.document.kind = DocumentKind::kEpub;
    out.document.title = package.title;
    uint64_t left = limits.textBytes;
    for (const std::string& id : package.spine) {
        const int number = static_cast<int>(out.document.pages.size()) + 1;
        const auto item = package.items.find(id);
        if (item == package.items.end() || !archive.has(item->second.path)) {
            DocumentPage& page = out.document.pages.emplace_back(flowPage(number, {}, {}, 0, 0));
            page.warnings.push_back(fmt::format("the chapter \"{}\" is named by the book but not in it", id));
            out.pictures.emplace_back();
            continue;
        }
        const std::string& path = item->second.path;
        if (item->second.type.starts_with("image/") && item->second.type != "image/svg+xml") {
            out.document.pages.push_back(flowPage(number, {}, "[picture]\n", 0, 1));
            out.pictures.push_back({path});
            continue;
        }
        PAL_ASSIGN(const std::string bytes, archive.read(path));
        Result<HtmlText> html = htmlToText(decodeText(bytes, "UTF-8").text, LinkTargets::kExternal, left);
        if (!html.has_value()) return fail(html.error().withContext(fmt::format("\"{}\"", path)));
        left -= html->text.size();
        const auto label = labels.find(path);
        std::string title = label != labels.end() ? label->second : html->firstHeading;
        std::vector<std::string>& pictures = out.pictures.emplace_back();
        for (const std::string& address : html->pictures) {
            if (!address.empty()) pictures.push_back(address.starts_with("data:") ? address : resolve(path, address));
        }
        out.document.pages.push_back(flowPage(number, std::move(title), std::move(html->text), html->characters,
                                              static_cast<int>(html->pictures.size())));
    }
    out.document.pageCount = static_cast<int>(out.document.pages.size());
    return out;
}

}  // namespace pal::extract
