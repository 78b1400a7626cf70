// SPDX-License-Identifier: Apache-2.0
#include "app/composition/stored_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace pal {
namespace {

using nlohmann::json;

constexpr std::string_view kBetween = "\n\n";
constexpr int kMapVersion = 2;

json toJson(const DocumentPage& page, size_t begin) {
    json out{{"page", page.number}, {"label", page.label}, {"begin", begin}, {"end", begin + page.text.size()}};
    if (!page.warnings.empty()) out["warnings"] = page.warnings;
    if (page.pictureOnly) out["picture_only"] = true;
    if (page.pictures > 0) out["pictures"] = page.pictures;
    for (const PageRegion& r : page.figures) out["figures"].push_back({r.x, r.y, r.width, r.height});
    if (page.width > 0) out["size"] = {page.width, page.height};
    if (page.imageWidth > 0) out["image"] = {page.imageWidth, page.imageHeight};
    for (const TextRegion& line : page.map) {
        const PageRegion& r = line.region;
        out["lines"].push_back({line.begin, line.end, r.x, r.y, r.width, r.height});
    }
    return out;
}

std::optional<size_t> sizeAt(const json& object, const char* key) {
    const auto at = object.find(key);
    if (at == object.end() || !at->is_number_unsigned()) return std::nullopt;
    return at->get<size_t>();
}

int intAt(const json& object, const char* key, int otherwise) {
    const auto value = sizeAt(object, key);
    return value && *value <= static_cast<size_t>(std::numeric_limits<int>::max()) ? static_cast<int>(*value)
                                                                                   : otherwise;
}

// `count` finite numbers, or nothing.
std::optional<std::vector<double>> numbersIn(const json& list, size_t count) {
    if (!list.is_array() || list.size() != count) return std::nullopt;
    std::vector<double> out;
    for (const json& value : list) {
        if (!value.is_number() || !std::isfinite(value.get<double>())) return std::nullopt;
        out.push_back(value.get<double>());
    }
    return out;
}

void readLines(const json& object, DocumentPage& page) {
    const auto lines = object.find("lines");
    if (lines == object.end() || !lines->is_array()) return;
    size_t before = 0;
    for (const json& line : *lines) {
        const auto n = numbersIn(line, 6);
        if (!n || (*n)[0] < 0 || (*n)[1] <= (*n)[0] || (*n)[1] > static_cast<double>(page.text.size())) continue;
        const auto begin = static_cast<size_t>((*n)[0]), end = static_cast<size_t>((*n)[1]);
        if (begin < before) continue;
        page.map.push_back({begin, end, {(*n)[2], (*n)[3], (*n)[4], (*n)[5]}});
        before = end;
    }
}

// Everything but the text.
DocumentPage pageFrom(const json& object) {
    DocumentPage page;
    page.number = intAt(object, "page", 0);
    if (const auto at = object.find("label"); at != object.end() && at->is_string())
        page.label = at->get<std::string>();
    if (const auto at = object.find("warnings"); at != object.end() && at->is_array()) {
        for (const json& warning : *at)
            if (warning.is_string()) page.warnings.push_back(warning.get<std::string>());
    }
    const auto only = object.find("picture_only");
    page.pictureOnly = only != object.end() && *only == true;
    page.pictures = intAt(object, "pictures", 0);
    if (const auto at = object.find("figures"); at != object.end() && at->is_array()) {
        for (const json& figure : *at)
            if (const auto r = numbersIn(figure, 4)) page.figures.push_back({(*r)[0], (*r)[1], (*r)[2], (*r)[3]});
    }
    constexpr double kMostPixels = 1'000'000;
    if (const auto at = object.find("size"); at != object.end()) {
        const auto size = numbersIn(*at, 2);
        if (size && (*size)[0] > 0 && (*size)[1] > 0) {
            page.width = (*size)[0];
            page.height = (*size)[1];
        }
    }
    if (const auto at = object.find("image"); at != object.end()) {
        const auto size = numbersIn(*at, 2);
        if (size && (*size)[0] >= 1 && (*size)[1] >= 1 && (*size)[0] <= kMostPixels && (*size)[1] <= kMostPixels) {
            page.imageWidth = static_cast<int>((*size)[0]);
            page.imageHeight = static_cast<int>((*size)[1]);
        }
    }
    return page;
}

// Nothing when the map does not hold together.
std::optional<std::vector<DocumentPage>> pagesFrom(const json& map, std::string_view text) {
    if (!map.is_array() || map.empty()) return std::nullopt;
    std::vector<DocumentPage> out;
    size_t before = 0;
    for (size_t i = 0; i < map.size(); ++i) {
        if (!map[i].is_object()) return std::nullopt;
        DocumentPage page = pageFrom(map[i]);
        const auto begin = sizeAt(map[i], "begin");
        auto end = sizeAt(map[i], "end");
        if (!end) {
            const bool more = i + 1 < map.size();
            const auto next = more && map[i + 1].is_object() ? sizeAt(map[i + 1], "begin") : std::nullopt;
            if (more && (!next || *next < kBetween.size())) return std::nullopt;
            end = next ? *next - kBetween.size() : text.size();
        }
        const int number = out.empty() ? 0 : out.back().number;
        if (!begin || *begin < before || *end < *begin || *end > text.size() || page.number <= number)
            return std::nullopt;
        page.text = text.substr(*begin, *end - *begin);
        readLines(map[i], page);
        out.push_back(std::move(page));
        before = *end;
    }
    return out;
}

}  // namespace

Extraction extractionOf(const Document& document) {
    Extraction out{0, "pal-extract", fmt::format("{}.{}", kExtractorVersion, kMapVersion), {}, {}, document.warnings};
    json map = json::array();
    for (const DocumentPage& page : document.pages) {
        if (!map.empty()) out.text += kBetween;
        map.push_back(toJson(page, out.text.size()));
        out.text += page.text;
    }
    out.map = map.dump(-1, ' ', false, json::error_handler_t::replace);
    return out;
}

Document documentOf(const Extraction& extraction) {
    Document out;
    out.warnings = extraction.warnings;
    if (auto pages = pagesFrom(json::parse(extraction.map, nullptr, false), extraction.text)) {
        out.pages = std::move(*pages);
    } else {
        out.pages.emplace_back().text = extraction.text;
    }
    out.pageCount = out.pages.back().number;
    return out;
}

}  // namespace pal
