// SPDX-License-Identifier: Apache-2.0
#include "app/compose/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "app/compose/found_pictures.h"
#include "app/compose/marks.h"
#include "app/compose/media_requests.h"
#include "vision/documents/document_kind.h"

namespace pal {
namespace {

// Grows one message part by part.
class Composer {
  public:
    Composer(const ComposeOptions& options, size_t attachments) : options_(options), attachmentCount_(attachments) {
        out_.message.role = "user";
    }

    Result<> add(const AttachedFile& attachment) {
        current_ = out_.attachments.size();
        wanted_ = attachment.options;
        ComposedAttachment& made = out_.attachments.emplace_back();
        made.name = attachment.name;
        made.kind = attachment.kind;
        switch (attachment.kind) {
            case AttachedKind::kText:
            case AttachedKind::kDocument: {
                PAL_ASSIGN(Document document, documentOf(attachment));
                PAL_TRY(readPicturesOf(attachment, document));
                return addDocument(std::move(document), made);
            }
            case AttachedKind::kImage:
                return addImage(attachment, made);
            case AttachedKind::kVideo:
                return addVideo(attachment, made);
        }
        return {};
    }

    ComposedMessage finish(std::string_view question) {
        if (!question.empty()) {
            separate();
            append(TextPiece::From::kQuestion, question, 0);
        }
        endText();
        return std::move(out_);
    }

  private:
    Result<Document> documentOf(const AttachedFile& attachment) const {
        if (attachment.document) return pagesOf(*attachment.document, attachment);
        if (attachment.kind == AttachedKind::kText) {
            Document text;
            text.pageCount = 1;
            text.pages.emplace_back().text = attachment.text;
            return text;
        }
        return readDocument(attachment.path, documentRequest(attachment, options_.document));
    }

    // As the reader does it.
    static Result<Document> pagesOf(const Document& whole, const AttachedFile& attachment) {
        const int last = attachment.options.lastPage == 0 ? whole.pageCount : attachment.options.lastPage;
        const int first = attachment.options.firstPage;
        if (first < 1 || first > last || last > whole.pageCount) {
            return fail(ErrorCode::kInvalidArgument, "{}: pages {} to {} asked for; there are {}", attachment.name,
                        first, last, whole.pageCount);
        }
        Document out{whole.kind, whole.title, whole.encoding, whole.delimiter, whole.pageCount, {}, whole.warnings};
        std::copy_if(whole.pages.begin(), whole.pages.end(), std::back_inserter(out.pages),
                     [&](const DocumentPage& page) { return page.number >= first && page.number <= last; });
        return out;
    }

    Result<> needVision(const AttachedFile& attachment) const {
        if (options_.media) return {};
        return fail(ErrorCode::kUnsupported, "{}: this model cannot see", attachment.name);
    }

    // Marks cost tokens and small models know them badly: a single page of text has none.
    [[nodiscard]] bool needsMarks(const Document& document) const {
        return attachmentCount_ > 1 || document.pageCount > 1;
    }

    Result<> addDocument(Document document, ComposedAttachment& made) {
        const bool marks = needsMarks(document);
        if (marks) {
            separate();
            append(TextPiece::From::kMark, fileMark(current_, made.name, document.pageCount), 0);
        }
        for (const std::string& warning : document.warnings) warn("{}: {}", made.name, warning);
        for (const DocumentPage& page : document.pages) {
            if (marks && document.pageCount > 1) {
                separate();
                append(TextPiece::From::kMark, pageMark(current_, page.number, page.label), 0);
            }
            for (const std::string& warning : page.warnings) warn("{}, page {}: {}", made.name, page.number, warning);
            // A page of pictures may still have a word in its text: signs, or what stands for a picture.
            if (!page.text.empty()) {
                marks ? append(TextPiece::From::kMark, "\n", 0) : separate();
                append(TextPiece::From::kPage, page.text, page.number);
            }
            PAL_TRY(addPictures(page, made));
        }
        made.document = std::move(document);
        return {};
    }

    // The pictures that lie in a document without laid out pages; a problem with them costs no text.
    Result<> readPicturesOf(const AttachedFile& attachment, const Document& document) {
        pictures_ = std::make_shared<const std::vector<FoundPicture>>();
        const bool holds = std::any_of(document.pages.begin(), document.pages.end(),
                                       [](const DocumentPage& page) { return page.pictures > 0; });
        if (!options_.media || !holds) return {};
        if (attachment.pictures) {
            if (FoundPictures::List known = attachment.pictures->find(wanted_)) {
                pictures_ = std::move(known);
                return {};
            }
        }
        DocumentOptions quiet = documentRequest(attachment, options_.document);
        quiet.progress = {};
        auto pictures = readPictures(attachment.path, quiet);
        if (!pictures && pictures.error().code == ErrorCode::kCancelled) return fail(std::move(pictures.error()));
        if (!pictures) {
            warn("its pictures cannot be shown: {}", pictures.error().message);
            return {};
        }
        std::vector<FoundPicture> found;
        for (const EmbeddedPicture& picture : *pictures) {
            FoundPicture& made = found.emplace_back(FoundPicture{picture.page, infoOf(picture)});
            if (!made.info && made.info.error().code == ErrorCode::kCancelled) return fail(made.info.error());
        }
        pictures_ = std::make_shared<const std::vector<FoundPicture>>(std::move(found));
        if (attachment.pictures) attachment.pictures->keep(wanted_, pictures_);
        return {};
    }

    // What only the image of a page, or the pictures in it, can tell.
    Result<> addPictures(const DocumentPage& page, ComposedAttachment& made) {
        const bool drawn = page.pictureOnly || !page.figures.empty();
        if (!drawn && page.pictures == 0) return {};
        made.picturePages.push_back(page.number);
        const std::string_view what = page.pictureOnly ? "has no text" : "has pictures beside its text";
        if (!options_.media) {
            warn("{}, page {}: {}, and this model cannot see", made.name, page.number, what);
            return {};
        }
        std::vector<ComposedMedium> media;
        if (page.imageWidth > 0) {
            media.push_back(pictureOf(page.number, 0, page.imageWidth, page.imageHeight));
        } else {
            media = picturesIn(page, made);
        }
        int64_t tokens = 0;
        for (const ComposedMedium& medium : media) tokens += medium.rows();
        made.pictureTokens += tokens;
        if (media.empty()) return {};
        if (wanted_.picturePages == PicturePages::kName) {
            warn("{}, page {}: {}; shown as {} it would take {} tokens", made.name, page.number, what,
                 media.size() == 1 ? "a picture" : fmt::format("{} pictures", media.size()), tokens);
            return {};
        }
        for (ComposedMedium& medium : media) {
            std::string prompt = imagePrompt(static_cast<uint32_t>(medium.width), static_cast<uint32_t>(medium.height));
            addMedium(std::move(medium), std::move(prompt));
        }
        return {};
    }

    std::vector<ComposedMedium> picturesIn(const DocumentPage& page, const ComposedAttachment& made) {
        std::vector<ComposedMedium> out;
        size_t number = 0;
        for (const FoundPicture& picture : *pictures_) {
            if (picture.page != page.number) continue;
            ++number;
            if (picture.info) {
                out.push_back(pictureOf(page.number, number, picture.info->width, picture.info->height));
            } else {
                warn("{}, page {}: {}", made.name, page.number, picture.info.error().message);
            }
        }
        const auto named = static_cast<size_t>(page.pictures);
        if (number < named)
            warn("{}, page {}: {} of its {} pictures are not in the file or come twice", made.name, page.number,
                 named - number, named);
        return out;
    }

    // One that will be shown is decoded once before it has a place in the prompt: damage in it then costs nothing but the picture.
    [[nodiscard]] Result<ImageInfo> infoOf(const EmbeddedPicture& picture) const {
        const auto source = MediaSource::bytes(picture.name, std::as_bytes(std::span(picture.file)));
        const ImageRequest request = imageRequest(wanted_);
        if (wanted_.picturePages == PicturePages::kShow)
            PAL_TRY(prepareImage(source, *options_.media, request, options_.stop));
        PAL_ASSIGN(const ImagePlan plan, planImageFile(source, *options_.media, request));
        return plan.info;
    }

    [[nodiscard]] ComposedMedium pictureOf(int page, size_t picture, int64_t width, int64_t height) const {
        ComposedMedium medium;
        medium.page = page;
        medium.picture = picture;
        medium.width = width;
        medium.height = height;
        medium.resize = planPicture(width, height);
        return medium;
    }

    [[nodiscard]] ResizePlan planPicture(int64_t width, int64_t height) const {
        const MediaConfig& config = *options_.media;
        return wanted_.pictureTokens
                   ? planWithinTokens(config, config.patchLimit, *wanted_.pictureTokens, width, height)
                   : planImage(config, width, height);
    }

    Result<> addImage(const AttachedFile& attachment, ComposedAttachment& made) {
        PAL_TRY(needVision(attachment));
        PAL_ASSIGN(const ImagePlan plan,
                   planImageFile(sourceOf(attachment), *options_.media, imageRequest(attachment.options)));
        markMedium(made);
        ComposedMedium medium;
        medium.width = plan.info.width;
        medium.height = plan.info.height;
        medium.resize = plan.resize;
        addMedium(std::move(medium),
                  imagePrompt(static_cast<uint32_t>(plan.info.width), static_cast<uint32_t>(plan.info.height)));
        made.image = plan;
        return {};
    }

    Result<> addVideo(const AttachedFile& attachment, ComposedAttachment& made) {
        PAL_TRY(needVision(attachment));
        if (!options_.media->video)
            return fail(ErrorCode::kUnsupported, "{}: this model knows no clips", attachment.name);
        const VideoRequest request = videoRequest(attachment.options);
        PAL_ASSIGN(VideoPlan plan,
                   attachment.clip
                       ? replanVideo(*attachment.clip, *options_.media, request, attachment.name)
                       : planVideo(sourceOf(attachment), *options_.media, request, options_.indexing, options_.stop));
        markMedium(made);
        for (const std::string& warning : plan.warnings) warn("{}: {}", made.name, warning);
        for (const VideoChunkPlan& chunk : plan.chunks) {
            ComposedMedium medium;
            medium.kind = ComposedMedium::Kind::kVideoChunk;
            medium.width = plan.width;
            medium.height = plan.height;
            medium.resize = chunk.resize;
            medium.frames = chunk.frames;
            addMedium(std::move(medium), videoChunkPrompt(chunk.timestamp));
        }
        made.video = std::move(plan);
        return {};
    }

    void markMedium(const ComposedAttachment& made) {
        if (attachmentCount_ == 1) return;
        separate();
        append(TextPiece::From::kMark, fileMark(current_, made.name, 1) + "\n", 0);
    }

    void addMedium(ComposedMedium medium, std::string prompt) {
        endText();
        medium.patchSize = options_.media->patchSize;
        medium.mergeSize = options_.media->mergeSize;
        medium.attachment = current_;
        medium.part = out_.message.content.size();
        out_.message.content.push_back({ContentPart::Kind::kImage, std::move(prompt)});
        out_.media.push_back(std::move(medium));
    }

    void append(TextPiece::From from, std::string_view text, int page) {
        const size_t begin = text_.size();
        text_ += text;
        out_.texts.push_back({from, out_.message.content.size(), begin, text_.size(), current_, page});
    }

    // A blank line between texts; none before the first of a message, and none behind a picture.
    void separate() {
        if (!text_.empty()) append(TextPiece::From::kMark, "\n\n", 0);
    }

    void endText() {
        if (text_.empty()) return;
        out_.message.content.push_back({ContentPart::Kind::kText, std::move(text_)});
        text_.clear();
    }

    template <typename... Args>
    void warn(fmt::format_string<Args...> format, Args&&... args) {
        out_.warnings.push_back(fmt::format(format, std::forward<Args>(args)...));
    }

    const ComposeOptions& options_;
    AttachmentOptions wanted_;  // of the current attachment
    size_t attachmentCount_;
    size_t current_ = 0;
    std::string text_;              // of the part that is growing
    FoundPictures::List pictures_;  // of the document that is added
    ComposedMessage out_;
};

std::string headOf(const std::filesystem::path& path) {
    std::string head(kKindBytes, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<size_t>(file.gcount()));
    return head;
}

}  // namespace

Result<AttachedFile> recogniseFile(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        return fail(ErrorCode::kNotFound, "{}: {}", path.string(),
                    error ? error.message() : "No such file or directory");
    }
    if (std::filesystem::is_directory(path, error))
        return fail(ErrorCode::kUnsupported, "{}: a folder; attach the files in it", path.string());
    if (looksLikeDocument(path)) return AttachedFile::file(AttachedKind::kDocument, path);
    const auto image = probeImage(MediaSource::file(path));
    if (image.has_value() || image.error().code != ErrorCode::kUnsupported)
        return AttachedFile::file(AttachedKind::kImage, path);
    const std::string other = guessKind(headOf(path), path.filename().string()).otherwise;
    if (!other.empty() && other.find("video") == std::string::npos)
        return fail(ErrorCode::kUnsupported, "{}: {}", path.string(), other);
    return AttachedFile::file(AttachedKind::kVideo, path);  // planVideo says what is wrong with anything else
}

Result<std::optional<MediaConfig>> mediaConfigOf(const std::filesystem::path& folder) {
    Result<MediaConfig> config = readMediaConfig(folder);
    if (config) return std::optional(std::move(*config));
    if (config.error().code == ErrorCode::kUnsupported || config.error().code == ErrorCode::kNotFound)
        return std::optional<MediaConfig>();
    return fail(config.error());
}

Result<ComposedMessage> composeMessage(std::span<const AttachedFile> attachments, std::string_view question,
                                       const ComposeOptions& options) {
    Composer composer(options, attachments.size());
    for (const AttachedFile& attachment : attachments) PAL_TRY(composer.add(attachment));
    return composer.finish(question);
}

}  // namespace pal
