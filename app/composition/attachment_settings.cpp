// SPDX-License-Identifier: Apache-2.0
#include "app/composition/attachment_settings.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace pal {
namespace {

using nlohmann::json;

// A whole number of at least `least`, or nothing.
std::optional<int64_t> wholeAt(const json& object, const char* key, int64_t least) {
    const auto at = object.find(key);
    if (at == object.end() || !at->is_number_integer()) return std::nullopt;
    const auto value = at->get<int64_t>();
    return value >= least ? std::optional(value) : std::nullopt;
}

int pageAt(const json& object, const char* key, int otherwise) {
    const auto value = wholeAt(object, key, 1);
    return value && *value <= std::numeric_limits<int>::max() ? static_cast<int>(*value) : otherwise;
}

std::optional<double> secondsAt(const json& object, const char* key) {
    const auto at = object.find(key);
    if (at == object.end() || !at->is_number()) return std::nullopt;
    const auto value = at->get<double>();
    return std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

std::string attachmentOptionsText(const AttachmentOptions& options) {
    const AttachmentOptions usual;
    json out = json::object();
    if (options.firstPage != usual.firstPage) out["first_page"] = options.firstPage;
    if (options.lastPage != usual.lastPage) out["last_page"] = options.lastPage;
    if (options.picturePages == PicturePages::kShow) out["page_pictures"] = true;
    if (options.pictureTokens) out["picture_tokens"] = *options.pictureTokens;
    if (options.start) out["start"] = *options.start;
    if (options.end) out["end"] = *options.end;
    if (options.fps) out["fps"] = *options.fps;
    if (options.maxFrames) out["max_frames"] = *options.maxFrames;
    if (options.clipTokens) out["clip_tokens"] = *options.clipTokens;
    return out.dump();
}

AttachmentOptions attachmentOptionsFrom(std::string_view text) {
    AttachmentOptions out;
    const json object = json::parse(text, nullptr, false);
    if (!object.is_object()) return out;
    out.firstPage = pageAt(object, "first_page", out.firstPage);
    out.lastPage = pageAt(object, "last_page", out.lastPage);
    if (out.lastPage != 0 && out.lastPage < out.firstPage) out.firstPage = out.lastPage;
    const auto shown = object.find("page_pictures");
    if (shown != object.end() && *shown == true) out.picturePages = PicturePages::kShow;
    out.pictureTokens = wholeAt(object, "picture_tokens", 1);
    out.start = secondsAt(object, "start");
    out.end = secondsAt(object, "end");
    out.fps = secondsAt(object, "fps");
    if (out.fps && *out.fps <= 0) out.fps.reset();
    out.maxFrames = wholeAt(object, "max_frames", 1);
    out.clipTokens = wholeAt(object, "clip_tokens", 1);
    return out;
}

}  // namespace pal
