// SPDX-License-Identifier: Apache-2.0
#include "app/cli/attachment_options.h"

#include <charconv>

#include "app/cli/text_input.h"

namespace pal::cli {
namespace {

// `text` is empty for all pages, or "3", or "3-7".
Result<> setPages(const std::string& text, DocumentOptions& options) {
    if (text.empty()) return {};
    const char* end = text.data() + text.size();
    std::from_chars_result parsed = std::from_chars(text.data(), end, options.firstPage);
    options.lastPage = options.firstPage;
    if (parsed.ec == std::errc{} && parsed.ptr != end && *parsed.ptr == '-')
        parsed = std::from_chars(parsed.ptr + 1, end, options.lastPage);
    if (parsed.ec != std::errc{} || parsed.ptr != end || options.firstPage < 1 || options.lastPage < options.firstPage)
        return fail(ErrorCode::kInvalidArgument, "--pages {}: expected a page as 3 or pages as 3-7", inQuotes(text));
    return {};
}

}  // namespace

void addAttachmentOptions(CLI::App& command, AttachmentFlags& flags) {
    command.add_option("--image", flags.images, "A picture; may be repeated")->allow_extra_args(false);
    command.add_option("--video", flags.videos, "A clip; may be repeated")->allow_extra_args(false);
    command.add_option("--pages", flags.pages, "Pages of documents to read, as 3 or 3-7");
    command
        .add_option("--password", flags.password,
                    "Password of locked PDFs; other users can see it here, not in PAL_DOCUMENT_PASSWORD")
        ->envname("PAL_DOCUMENT_PASSWORD");
    command.add_flag("--page-images", flags.pageImages,
                     "Show pages of PDFs without text or with figures as pictures, and pictures that lie in documents");
    command.add_option("--image-tokens", flags.imageTokens, "Make pictures smaller until each takes at most so many")
        ->check(CLI::PositiveNumber);
    command.add_option("--video-fps", flags.videoFps, "Frames to take per second of a clip")
        ->check(CLI::PositiveNumber);
    command.add_option("--video-frames", flags.videoFrames, "Frames to take of a clip at most")
        ->check(CLI::PositiveNumber);
    command.add_option("--video-tokens", flags.videoTokens, "Take fewer frames until a clip costs at most so many")
        ->check(CLI::PositiveNumber);
    command.add_option("--video-start", flags.videoStart, "Seconds into a clip to start at")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--video-end", flags.videoEnd, "Seconds into a clip to end at")->check(CLI::PositiveNumber);
}

Result<std::vector<AttachedFile>> attachmentsOf(const AttachmentFlags& flags) {
    std::vector<AttachedFile> out;
    for (const std::string& file : flags.files) {
        if (file == "-") {
            PAL_ASSIGN(std::string text, readInput(file));
            if (!text.empty()) out.push_back({AttachedKind::kText, {}, std::move(text), inputName(file)});
            continue;
        }
        PAL_ASSIGN(AttachedFile attachment, recogniseFile(file));
        out.push_back(std::move(attachment));
    }
    for (const std::string& image : flags.images) out.push_back(AttachedFile::file(AttachedKind::kImage, image));
    for (const std::string& video : flags.videos) out.push_back(AttachedFile::file(AttachedKind::kVideo, video));
    return out;
}

Result<ComposeOptions> composeOptionsOf(const AttachmentFlags& flags, std::optional<MediaConfig> media) {
    ComposeOptions options;
    options.media = std::move(media);
    PAL_TRY(setPages(flags.pages, options.document));
    options.document.password = flags.password;
    options.picturePages = flags.pageImages ? PicturePages::kShow : PicturePages::kName;
    if (flags.imageTokens > 0) options.image.maxTokens = flags.imageTokens;
    if (flags.videoFps > 0) options.video.fps = flags.videoFps;
    if (flags.videoFrames > 0) options.video.maxFrames = flags.videoFrames;
    if (flags.videoTokens > 0) options.video.maxTokens = flags.videoTokens;
    if (flags.videoStart > 0) options.video.start = flags.videoStart;
    if (flags.videoEnd > 0) options.video.end = flags.videoEnd;
    return options;
}

void showComposing(Terminal& terminal, const Interrupt& interrupt, ComposeOptions& options) {
    options.stop = options.document.stop = interrupt.token();
    options.document.progress = [&terminal](const DocumentProgress& at) {
        terminal.status(fmt::format("Extracting page {} of {}", at.pagesDone, at.pagesTotal));
    };
    options.indexing = [&terminal](double done) {
        terminal.status(done < 1 ? fmt::format("Looking through the clip, {:.0f} %", 100 * done) : std::string());
    };
}

Result<std::optional<MediaConfig>> mediaConfigOf(const std::filesystem::path& folder) {
    Result<MediaConfig> config = readMediaConfig(folder);
    if (config) return std::optional(std::move(*config));
    if (config.error().code == ErrorCode::kUnsupported || config.error().code == ErrorCode::kNotFound)
        return std::optional<MediaConfig>();
    return fail(config.error());
}

}  // namespace pal::cli
