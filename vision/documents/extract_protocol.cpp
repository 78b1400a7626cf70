// SPDX-License-Identifier: Apache-2.0
#include "vision/documents/extract_protocol.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace pal::extract {
namespace {

using Json = nlohmann::json;

constexpr int kMaxPages = 1'000'000;
// Of a line: an empty list takes three bytes to send and some fifty to hold. A page's map takes 7 a region.
constexpr int kMaxValues = 4'000'000;
constexpr int kMaxDepth = 5;  // of the protocol's own lines: object, page, map, region
constexpr std::array kKinds{DocumentKind::kPdf,  DocumentKind::kDocx, DocumentKind::kOdt,
                            DocumentKind::kEpub, DocumentKind::kHtml, DocumentKind::kMarkdown,
                            DocumentKind::kCsv,  DocumentKind::kCode, DocumentKind::kText};
constexpr std::array kErrors{ErrorCode::kCancelled,   ErrorCode::kInvalidArgument, ErrorCode::kNotFound,
                             ErrorCode::kIo,          ErrorCode::kFormat,          ErrorCode::kUnsupported,
                             ErrorCode::kOutOfMemory, ErrorCode::kInternal};

std::string asLine(const char* name, Json body) {
    return Json{{name, std::move(body)}}.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string withBytes(std::string line, const std::vector<uint8_t>& bytes) {
    line.append(bytes.begin(), bytes.end());
    line += '\n';
    return line;
}

// Points to a hundredth: enough to draw a frame around a line.
double rounded(double points) {
    return std::round(points * 100) / 100;
}

// A member of the wrong type or out of range; caught in Decoder::line.
struct Malformed {
    std::string what;
};

const Json& member(const Json& object, const char* name) {
    const auto found = object.find(name);
    if (found == object.end()) throw Malformed{fmt::format("no \"{}\"", name)};
    return *found;
}

std::string textMember(const Json& object, const char* name) {
    const Json& value = member(object, name);
    if (!value.is_string()) throw Malformed{fmt::format("\"{}\" is no text", name)};
    return value.get<std::string>();
}

uint64_t integer(const Json& value, uint64_t most, const char* name) {
    if (!value.is_number_unsigned() || value.get<uint64_t>() > most) {
        throw Malformed{fmt::format("\"{}\" is no number from 0 to {}", name, most)};
    }
    return value.get<uint64_t>();
}

int intMember(const Json& object, const char* name, uint64_t most) {
    return static_cast<int>(integer(member(object, name), most, name));
}

double number(const Json& value, const char* name) {
    if (!value.is_number() || !std::isfinite(value.get<double>()))
        throw Malformed{fmt::format("\"{}\" is no number", name)};
    return value.get<double>();
}

const Json& arrayOf(const Json& value, size_t size, const char* name) {
    if (!value.is_array() || value.size() != size) throw Malformed{fmt::format("\"{}\" is no list of {}", name, size)};
    return value;
}

std::vector<std::string> textList(const Json& object, const char* name) {
    const Json& value = member(object, name);
    if (!value.is_array()) throw Malformed{fmt::format("\"{}\" is no list", name)};
    std::vector<std::string> out;
    for (const Json& item : value) {
        if (!item.is_string()) throw Malformed{fmt::format("\"{}\" holds something that is no text", name)};
        out.push_back(item.get<std::string>());
    }
    return out;
}

template <typename Code, size_t kCount>
Code named(const std::string& name, const std::array<Code, kCount>& codes, std::string_view (*nameOf)(Code)) {
    const auto found = std::find_if(codes.begin(), codes.end(), [&](Code code) { return nameOf(code) == name; });
    if (found == codes.end()) throw Malformed{fmt::format("\"{}\" is unknown", name)};
    return *found;
}

std::vector<TextRegion> readMap(const Json& list, size_t textBytes) {
    if (!list.is_array()) throw Malformed{"\"map\" is no list"};
    std::vector<TextRegion> out;
    size_t last = 0;
    for (const Json& item : list) {
        arrayOf(item, 6, "map");
        TextRegion region;
        region.begin = integer(item[0], textBytes, "map");
        region.end = integer(item[1], textBytes, "map");
        if (region.begin < last || region.end < region.begin) throw Malformed{"\"map\" is out of order"};
        last = region.end;
        region.region = {number(item[2], "map"), number(item[3], "map"), number(item[4], "map"),
                         number(item[5], "map")};
        out.push_back(region);
    }
    return out;
}

std::vector<PageRegion> readFigures(const Json& list) {
    if (!list.is_array()) throw Malformed{"\"figures\" is no list"};
    std::vector<PageRegion> out;
    for (const Json& item : list) {
        arrayOf(item, 4, "figures");
        out.push_back({number(item[0], "figures"), number(item[1], "figures"), number(item[2], "figures"),
                       number(item[3], "figures")});
    }
    return out;
}

DocumentPage readPage(const Json& body) {
    DocumentPage page;
    page.number = intMember(body, "number", kMaxPages);
    page.label = textMember(body, "label");
    page.text = textMember(body, "text");
    page.warnings = textList(body, "warnings");
    const Json& pictureOnly = member(body, "picture_only");
    if (!pictureOnly.is_boolean()) throw Malformed{"\"picture_only\" is not true or false"};
    page.pictureOnly = pictureOnly.get<bool>();
    page.pictures = intMember(body, "pictures", kMaxPages);
    page.figures = readFigures(member(body, "figures"));
    const Json& size = arrayOf(member(body, "size"), 2, "size");
    page.width = number(size[0], "size");
    page.height = number(size[1], "size");
    const Json& image = arrayOf(member(body, "image"), 2, "image");
    page.imageWidth = static_cast<int>(integer(image[0], kMaxPageImagePixels, "image"));
    page.imageHeight = static_cast<int>(integer(image[1], kMaxPageImagePixels, "image"));
    page.map = readMap(member(body, "map"), page.text.size());
    return page;
}

}  // namespace

std::string startLine(const Start& start) {
    const Document& document = start.document;
    return asLine("document", {{"kind", documentKindName(document.kind)},
                               {"title", document.title},
                               {"encoding", document.encoding},
                               {"delimiter", document.delimiter},
                               {"page_count", document.pageCount},
                               {"pages", start.pages}});
}

std::string pageLine(const DocumentPage& page) {
    Json map = Json::array();
    for (const TextRegion& region : page.map) {
        const PageRegion& at = region.region;
        map.push_back({region.begin, region.end, rounded(at.x), rounded(at.y), rounded(at.width), rounded(at.height)});
    }
    Json figures = Json::array();
    for (const PageRegion& at : page.figures)
        figures.push_back({rounded(at.x), rounded(at.y), rounded(at.width), rounded(at.height)});
    return asLine("page", {{"number", page.number},
                           {"label", page.label},
                           {"text", page.text},
                           {"warnings", page.warnings},
                           {"picture_only", page.pictureOnly},
                           {"pictures", page.pictures},
                           {"figures", std::move(figures)},
                           {"size", {rounded(page.width), rounded(page.height)}},
                           {"image", {page.imageWidth, page.imageHeight}},
                           {"map", std::move(map)}});
}

std::string imageLine(const PageImage& image) {
    return withBytes(asLine("image", {{"width", image.width}, {"height", image.height}, {"bytes", image.rgb.size()}}),
                     image.rgb);
}

std::string pictureLine(const EmbeddedPicture& picture) {
    return withBytes(
        asLine("picture", {{"page", picture.page}, {"name", picture.name}, {"bytes", picture.file.size()}}),
        picture.file);
}

std::string errorLine(const Error& error) {
    return asLine("error", {{"code", errorCodeName(error.code)}, {"message", error.message}});
}

std::string endLine(const std::vector<std::string>& warnings) {
    return asLine("end", {{"warnings", warnings}});
}

Result<> Decoder::feed(std::string_view bytes) {
    try {
        return take(bytes);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::kOutOfMemory, "what the helper program sends takes more memory than there is");
    } catch (const std::length_error&) {
        return fail(ErrorCode::kOutOfMemory, "what the helper program sends takes more memory than there is");
    }
}

Result<> Decoder::take(std::string_view bytes) {
    received_ += bytes.size();
    if (received_ > maxBytes_) {
        return fail(ErrorCode::kOutOfMemory, "the helper program sent more than {} bytes", maxBytes_);
    }
    while (!bytes.empty()) {
        if (blobLeft_ > 0) {
            const auto taken = static_cast<size_t>(std::min<uint64_t>(blobLeft_, bytes.size()));
            blob_->insert(blob_->end(), bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(taken));
            blobLeft_ -= taken;
            bytes.remove_prefix(taken);
            continue;
        }
        if (blobLineEnd_) {
            if (bytes[0] != '\n') return fail(ErrorCode::kInternal, "the helper program sent too many raw bytes");
            blobLineEnd_ = false;
            bytes.remove_prefix(1);
            continue;
        }
        const size_t end = bytes.find('\n');
        pending_.append(bytes.substr(0, end));
        if (end == std::string_view::npos) break;
        bytes.remove_prefix(end + 1);
        const std::string text = std::exchange(pending_, {});
        PAL_TRY(line(text));
    }
    return {};
}

Result<> Decoder::line(std::string_view text) {
    try {
        if (ended_ || error_.has_value()) throw Malformed{"more after the end"};
        int values = 0;
        const auto bounded = [&values](int depth, Json::parse_event_t event, Json&) {
            if (depth > kMaxDepth) throw Malformed{"lists within lists"};
            const bool ends = event == Json::parse_event_t::array_end || event == Json::parse_event_t::object_end;
            if (!ends && ++values > kMaxValues) throw Malformed{fmt::format("more than {} values", kMaxValues)};
            return true;
        };
        const Json json = Json::parse(text, bounded, false);
        if (!json.is_object() || json.size() != 1) throw Malformed{"no JSON object with one member"};
        const std::string& name = json.begin().key();
        const Json& body = *json.begin();
        if (!body.is_object()) throw Malformed{fmt::format("\"{}\" is no object", name)};
        if (name == "error") {
            error_ = Error{named(textMember(body, "code"), kErrors, errorCodeName), textMember(body, "message")};
        } else if (name == "document" && !started_) {
            started_ = true;
            document_.kind = named(textMember(body, "kind"), kKinds, documentKindName);
            document_.title = textMember(body, "title");
            document_.encoding = textMember(body, "encoding");
            document_.delimiter = textMember(body, "delimiter");
            document_.pageCount = intMember(body, "page_count", kMaxPages);
            pagesExpected_ = intMember(body, "pages", kMaxPages);
        } else if (name == "page" && started_ && document_.pages.size() < static_cast<size_t>(pagesExpected_)) {
            DocumentPage page = readPage(body);
            if (!document_.pages.empty() && page.number != document_.pages.back().number + 1)
                throw Malformed{"pages out of order"};
            document_.pages.push_back(std::move(page));
        } else if (name == "image" && images_.empty()) {
            PageImage image;
            image.width = intMember(body, "width", kMaxPageImagePixels);
            image.height = intMember(body, "height", kMaxPageImagePixels);
            const uint64_t size =
                uint64_t{3} * static_cast<uint64_t>(image.width) * static_cast<uint64_t>(image.height);
            if (size > 3 * kMaxPageImagePixels) throw Malformed{"an image above the limit"};
            if (integer(member(body, "bytes"), size, "bytes") != size) throw Malformed{"an image of the wrong size"};
            expectBlob(images_.emplace_back(std::move(image)).rgb, size);
        } else if (name == "picture") {
            EmbeddedPicture picture{intMember(body, "page", kMaxPages), textMember(body, "name"), {}};
            const uint64_t size = integer(member(body, "bytes"), maxBytes_, "bytes");
            expectBlob(pictures_.emplace_back(std::move(picture)).file, size);
        } else if (name == "end") {
            if (document_.pages.size() != static_cast<size_t>(pagesExpected_)) {
                throw Malformed{fmt::format("{} of {} pages", document_.pages.size(), pagesExpected_)};
            }
            document_.warnings = textList(body, "warnings");
            ended_ = true;
        } else {
            throw Malformed{fmt::format("\"{}\" out of place", name)};
        }
    } catch (const Malformed& problem) {
        return fail(ErrorCode::kInternal, "the helper program sent a line that cannot be right: {}", problem.what);
    } catch (const Json::exception& problem) {
        return fail(ErrorCode::kInternal, "the helper program sent a line that cannot be right: {}", problem.what());
    }
    return {};
}

void Decoder::expectBlob(std::vector<uint8_t>& target, uint64_t bytes) {
    blob_ = &target;
    blobLeft_ = bytes;
    blobLineEnd_ = true;
}

}  // namespace pal::extract
