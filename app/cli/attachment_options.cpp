// SPDX-License-Identifier: Apache-2.0
#include "app/cli/attachment_options.h"

#include <algorithm>
#include <charconv>

#include "app/cli/text_input.h"

namespace pal::cli {
namespace {

// `text` is empty for all pages, or "3", or "3-7".
Result<> setPages(const std::string& text, AttachmentOptions& options) {
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

// Each occurrence is taken when it is met, so that files of all kinds keep their order.
CLI::Option* addGiven(CLI::App& command, AttachmentFlags& flags, const std::string& name,
                      std::optional<AttachedKind> kind, const std::string& help) {
    const auto take = [&flags, kind](const std::string& file) { flags.list.push_back({kind, file}); };
    return command.add_option_function<std::string>(name, take, help)
        ->trigger_on_parse()
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->type_name("FILE");
}

Result<AttachmentOptions> optionsOf(const AttachmentFlags& flags) {
    AttachmentOptions options;
    PAL_TRY(setPages(flags.pages, options));
    options.picturePages = flags.pageImages ? PicturePages::kShow : PicturePages::kName;
    if (flags.imageTokens > 0) options.pictureTokens = flags.imageTokens;
    if (flags.videoFps > 0) options.fps = flags.videoFps;
    if (flags.videoFrames > 0) options.maxFrames = flags.videoFrames;
    if (flags.videoTokens > 0) options.clipTokens = flags.videoTokens;
    if (flags.videoStart > 0) options.start = flags.videoStart;
    if (flags.videoEnd > 0) options.end = flags.videoEnd;
    return options;
}

}  // namespace

bool AttachmentFlags::readsInput() const {
    return std::any_of(list.begin(), list.end(), [](const Given& given) { return !given.kind && given.file == "-"; });
}

void addFileOption(CLI::App& command, AttachmentFlags& flags, const std::string& name, const std::string& help) {
    addGiven(command, flags, name, std::nullopt, help);
}

void addAttachmentOptions(CLI::App& command, AttachmentFlags& flags) {
    addGiven(command, flags, "--image", AttachedKind::kImage, "A picture; may be repeated");
    addGiven(command, flags, "--video", AttachedKind::kVideo, "A clip; may be repeated");
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
    PAL_ASSIGN(const AttachmentOptions options, optionsOf(flags));
    std::vector<AttachedFile> out;
    for (const AttachmentFlags::Given& given : flags.list) {
        AttachedFile file;
        if (given.kind) {
            file = AttachedFile::file(*given.kind, given.file);
        } else if (given.file == "-") {
            PAL_ASSIGN(std::string text, readTextInput(given.file));
            if (text.empty()) continue;
            file = {AttachedKind::kText, {}, std::move(text), inputName(given.file)};
        } else {
            PAL_ASSIGN(file, recogniseFile(given.file));
        }
        file.options = options;
        out.push_back(std::move(file));
    }
    return out;
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

ComposeOptions composeOptionsOf(const AttachmentFlags& flags, std::optional<MediaConfig> media) {
    ComposeOptions options;
    options.media = std::move(media);
    options.document.password = flags.password;
    return options;
}

}  // namespace pal::cli
