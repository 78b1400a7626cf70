// SPDX-License-Identifier: Apache-2.0
#include "app/extract/docx_math.h"

#include <algorithm>

#include "app/extract/xml_part.h"

namespace pal::extract {
namespace {

// In brackets when it is more than one character.
std::string group(const std::string& text) {
    const auto characters =
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
    return characters <= 1 ? text : "(" + text + ")";
}

std::string linear(const pugi::xml_node& node, int depth);

std::string part(const pugi::xml_node& node, std::string_view name, int depth) {
    return linear(child(node, name), depth);
}

std::string property(const pugi::xml_node& node, std::string_view properties, std::string_view name,
                     const char* fallback) {
    const pugi::xml_node found = child(child(node, properties), name);
    return found ? std::string(attribute(found, "val")) : fallback;
}

std::string delimited(const pugi::xml_node& node, int depth) {
    std::string out = property(node, "dPr", "begChr", "(");
    bool first = true;
    for (const pugi::xml_node& each : node.children()) {
        if (localName(each) != "e") continue;
        if (!first) out += property(node, "dPr", "sepChr", "|");
        first = false;
        out += linear(each, depth);
    }
    return out + property(node, "dPr", "endChr", ")");
}

std::string linear(const pugi::xml_node& node, int depth) {
    if (depth > kMaxXmlDepth) return {};
    const std::string_view name = localName(node);
    if (name == "t") return node.text().get();
    if (name == "f") return group(part(node, "num", depth + 1)) + "/" + group(part(node, "den", depth + 1));
    if (name == "sSup") return part(node, "e", depth + 1) + "^" + group(part(node, "sup", depth + 1));
    if (name == "sSub") return part(node, "e", depth + 1) + "_" + group(part(node, "sub", depth + 1));
    if (name == "sSubSup") {
        return part(node, "e", depth + 1) + "_" + group(part(node, "sub", depth + 1)) + "^" +
               group(part(node, "sup", depth + 1));
    }
    if (name == "rad") {
        const std::string degree = part(node, "deg", depth + 1);
        return (degree.empty() ? "" : degree) + "\xE2\x88\x9A" + group(part(node, "e", depth + 1));
    }
    if (name == "d") return delimited(node, depth + 1);
    if (name == "nary") {
        std::string out = property(node, "naryPr", "chr", "\xE2\x88\xAB");
        if (const std::string sub = part(node, "sub", depth + 1); !sub.empty()) out += "_" + group(sub);
        if (const std::string sup = part(node, "sup", depth + 1); !sup.empty()) out += "^" + group(sup);
        return out + " " + part(node, "e", depth + 1);
    }
    std::string out;
    for (const pugi::xml_node& each : node.children()) out += linear(each, depth + 1);
    return out;
}

}  // namespace

std::string mathText(const pugi::xml_node& formula) {
    return linear(formula, 0);
}

}  // namespace pal::extract
