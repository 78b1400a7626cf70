// SPDX-License-Identifier: Apache-2.0
#include "app/extract/xml_part.h"

namespace pal::extract {
namespace {

std::string_view withoutPrefix(std::string_view name) {
    return name.substr(name.find(':') + 1);  // npos + 1 is 0
}

}  // namespace

Result<pugi::xml_document> readXml(ZipArchive& archive, const std::string& name) {
    PAL_ASSIGN(const std::string bytes, archive.read(name));
    // pugixml expands no entity that a file declares; one that does is still not what it pretends to be.
    if (bytes.find("<!ENTITY") != std::string::npos) {
        return fail(ErrorCode::kFormat, "\"{}\" declares XML entities, which a document may not", name);
    }
    pugi::xml_document document;
    const pugi::xml_parse_result parsed =
        document.load_buffer(bytes.data(), bytes.size(), pugi::parse_default | pugi::parse_ws_pcdata);
    if (!parsed) {
        const auto code = parsed.status == pugi::status_out_of_memory ? ErrorCode::kOutOfMemory : ErrorCode::kFormat;
        return fail(code, "\"{}\": {} at byte {}", name, parsed.description(), parsed.offset);
    }
    return document;
}

std::string_view localName(const pugi::xml_node& node) {
    return withoutPrefix(node.name());
}

std::string_view localName(const pugi::xml_attribute& attribute) {
    return withoutPrefix(attribute.name());
}

pugi::xml_node child(const pugi::xml_node& node, std::string_view name) {
    for (const pugi::xml_node& each : node.children()) {
        if (localName(each) == name) return each;
    }
    return {};
}

std::string_view attribute(const pugi::xml_node& node, std::string_view name) {
    for (const pugi::xml_attribute& each : node.attributes()) {
        if (localName(each) == name) return each.value();
    }
    return {};
}

std::string allText(const pugi::xml_node& node, int depth) {
    std::string out = node.value();
    if (depth > kMaxXmlDepth) return out;
    for (const pugi::xml_node& each : node.children()) out += allText(each, depth + 1);
    return out;
}

}  // namespace pal::extract
