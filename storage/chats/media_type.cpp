// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/media_type.h"

#include <array>
#include <utility>

namespace pal {

std::string mediaTypeFor(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kTypes{{
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".jpeg", "image/jpeg"},
        {".webp", "image/webp"},
        {".gif", "image/gif"},
        {".bmp", "image/bmp"},
        {".tif", "image/tiff"},
        {".tiff", "image/tiff"},
        {".mp4", "video/mp4"},
        {".webm", "video/webm"},
        {".mkv", "video/x-matroska"},
        {".mov", "video/quicktime"},
        {".pdf", "application/pdf"},
        {".html", "text/html"},
        {".md", "text/markdown"},
        {".txt", "text/plain"},
    }};
    std::string lower(name);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    for (const auto& [ending, type] : kTypes)
        if (lower.ends_with(ending)) return std::string(type);
    return "application/octet-stream";
}

}  // namespace pal
