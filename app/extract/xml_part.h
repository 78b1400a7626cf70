// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "app/extract/zip_archive.h"
#include "engine/base/result.h"

namespace pal::extract {

// Elements deeper than this are an attack: real documents stay below 60.
inline constexpr int kMaxXmlDepth = 256;

// How deep a recursive walk is: one Level stands in each of its calls. Once too deep it stays so, and the walk unwinds.
class XmlDepth {
  public:
    class Level {
      public:
        explicit Level(XmlDepth& depth) : depth_(depth) {
            if (++depth_.now_ > kMaxXmlDepth) depth_.tooDeep_ = true;
        }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;
        ~Level() { --depth_.now_; }

      private:
        XmlDepth& depth_;
    };

    [[nodiscard]] bool tooDeep() const { return tooDeep_; }
    // kFormat when the walk was too deep.
    [[nodiscard]] Result<> check() const {
        if (tooDeep_) return fail(ErrorCode::kFormat, "XML elements nested deeper than {}", kMaxXmlDepth);
        return {};
    }

  private:
    int now_ = 0;
    bool tooDeep_ = false;
};

// An XML file of an archive, white space kept. Errors: those of ZipArchive::read; kFormat with the place; kFormat for declared entities,
// which no document of these kinds may have and which unfold without end.
Result<pugi::xml_document> readXml(ZipArchive& archive, const std::string& name);

// Names without their namespace prefix, which every writer chooses for itself.
std::string_view localName(const pugi::xml_node& node);
std::string_view localName(const pugi::xml_attribute& attribute);

// The first child, and the value of an attribute, by local name; an empty node and "" when there is none.
pugi::xml_node child(const pugi::xml_node& node, std::string_view name);
std::string_view attribute(const pugi::xml_node& node, std::string_view name);

// All text in a node, in its order; without what is deeper than kMaxXmlDepth.
std::string allText(const pugi::xml_node& node, int depth = 0);

}  // namespace pal::extract
