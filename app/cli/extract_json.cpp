// SPDX-License-Identifier: Apache-2.0
#include "app/cli/extract_json.h"

namespace pal::cli {
namespace {

using Json = nlohmann::ordered_json;

Json pageJson(const DocumentPage& page) {
    Json out{{"number", page.number}, {"label", page.label}, {"text", page.text}, {"warnings", page.warnings}};
    out["picture_only"] = page.pictureOnly;
    out["pictures"] = page.pictures;
    if (!page.figures.empty()) {
        Json& figures = out["figures"] = Json::array();
        for (const PageRegion& at : page.figures) figures.push_back({at.x, at.y, at.width, at.height});
    }
    if (page.width > 0) {
        out["points"] = {page.width, page.height};
        out["image_pixels"] = {page.imageWidth, page.imageHeight};
    }
    if (!page.map.empty()) {
        Json& map = out["map"] = Json::array();
        for (const TextRegion& line : page.map) {
            map.push_back({{"bytes", {line.begin, line.end}},
                           {"box", {line.region.x, line.region.y, line.region.width, line.region.height}}});
        }
    }
    return out;
}

Json documentJson(const Document& document) {
    Json out{{"format", documentKindName(document.kind)}, {"title", document.title}};
    if (!document.encoding.empty()) out["encoding"] = document.encoding;
    if (!document.delimiter.empty()) out["delimiter"] = document.delimiter;
    out["page_count"] = document.pageCount;
    Json& pages = out["pages"] = Json::array();
    for (const DocumentPage& page : document.pages) pages.push_back(pageJson(page));
    return out;
}

Json imageJson(const ImagePlan& plan) {
    return {{"format", imageFormatName(plan.info.format)},
            {"stored_size", {plan.info.storedWidth, plan.info.storedHeight}},
            {"orientation", plan.info.orientation},
            {"alpha", plan.info.alpha == Raster::Alpha::kStraight}};
}

Json videoJson(const VideoPlan& plan) {
    return {{"container", plan.container},
            {"codec", plan.codec},
            {"stored_size", {plan.storedWidth, plan.storedHeight}},
            {"size", {plan.width, plan.height}},
            {"orientation", plan.orientation},
            {"frames", plan.frameCount},
            {"seconds", plan.seconds},
            {"fps", plan.fps},
            {"variable_rate", plan.rate == VideoPlan::Rate::kVariable},
            {"sound", plan.sound == VideoPlan::Sound::kUnused},
            {"sample_fps", plan.sampleFps},
            {"sampled_frames", plan.sampledFrames},
            {"tokens", plan.tokens},
            {"patch_bytes", plan.patchBytes},
            {"reader_bytes", plan.readerBytes}};
}

Json mediumJson(const ComposedMessage& message, const ComposedMedium& medium) {
    Json out{{"prompt", message.message.content[medium.part].text},
             {"size", {medium.width, medium.height}},
             {"resized", {medium.resize.width, medium.resize.height}},
             {"grid", {std::max<size_t>(medium.frames.size(), 1), medium.resize.rows, medium.resize.columns}},
             {"tokens", medium.rows()}};
    if (medium.page > 0) out["page"] = medium.page;
    for (const VideoFrame& frame : medium.frames)
        out["frames"].push_back({{"index", frame.index}, {"seconds", frame.seconds}});
    return out;
}

}  // namespace

Json extractJson(const ComposedMessage& message) {
    const ComposedAttachment& attachment = message.attachments.front();
    Json out{{"name", attachment.name}};
    if (attachment.document) {
        out["kind"] = "document";
        out.update(documentJson(*attachment.document));
        out["picture_pages"] = attachment.picturePages;
        out["picture_tokens"] = attachment.pictureTokens;
    }
    if (attachment.image) {
        out["kind"] = "image";
        out.update(imageJson(*attachment.image));
    }
    if (attachment.video) {
        out["kind"] = "video";
        out["video"] = videoJson(*attachment.video);
    }
    Json& media = out["media"] = Json::array();
    for (const ComposedMedium& medium : message.media) media.push_back(mediumJson(message, medium));
    out["warnings"] = message.warnings;
    return out;
}

}  // namespace pal::cli
