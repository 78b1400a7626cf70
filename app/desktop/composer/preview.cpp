// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/composer/preview.h"

#include <QCoreApplication>
#include <QLocale>

#include "app/desktop/composer/attachment_model.h"
#include "app/desktop/composer/pictures.h"

namespace pal::desktop {
namespace {

// Bytes of one entry. A widget takes some ms to show as much, and seconds for a text of 50 MB.
constexpr size_t kLongestText = 64 << 10;

class Text {
    Q_DECLARE_TR_FUNCTIONS(Preview)
};

QString mediumTitle(const ComposedMedium& medium) {
    const QString tokens = QLocale().toString(static_cast<qlonglong>(medium.rows()));
    if (medium.page > 0) return Text::tr("Page %1 as a picture, %2 tokens").arg(medium.page).arg(tokens);
    if (medium.frames.empty()) return Text::tr("Picture, %1 tokens").arg(tokens);
    return Text::tr("%1: %Ln frame(s), %2 tokens", nullptr, static_cast<int>(medium.frames.size()))
        .arg(durationText(medium.frames.front().seconds), tokens);
}

// Where a part that begins at `begin` ends: after a line if one ends in it, never within a character.
size_t endOfPart(const std::string& text, size_t begin) {
    if (text.size() - begin <= kLongestText) return text.size();
    size_t end = begin + kLongestText;
    if (const size_t line = text.rfind('\n', end - 1); line != std::string::npos && line >= begin) return line + 1;
    while (end > begin + kLongestText - 4 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return end;
}

// Texts of the attachment: what was collected so far belongs to the page that ends it.
class Collector {
  public:
    Collector(const ComposedMessage& message, size_t attachment) : message_(message), attachment_(attachment) {}

    std::vector<PreviewEntry> collect() {
        size_t medium = 0;
        auto piece = message_.texts.begin();
        for (size_t part = 0; part < message_.message.content.size(); ++part) {
            for (; piece != message_.texts.end() && piece->part == part; ++piece) addText(*piece);
            if (message_.message.content[part].kind != ContentPart::Kind::kImage) continue;
            if (message_.media[medium].attachment == attachment_) addMedium(medium);
            ++medium;
        }
        flush(0);
        return std::move(entries_);
    }

  private:
    void addText(const TextPiece& piece) {
        if (piece.attachment != attachment_ || piece.from == TextPiece::From::kQuestion) return;
        text_ += message_.message.content[piece.part].text.substr(piece.begin, piece.end - piece.begin);
        if (piece.from == TextPiece::From::kPage) flush(piece.page);
    }

    void addMedium(size_t medium) {
        flush(0);
        const ComposedMedium& shown = message_.media[medium];
        entries_.push_back({mediumTitle(shown), {}, medium, shown.page});
        if (!shown.frames.empty()) entries_.back().seconds = shown.frames.front().seconds;
    }

    void flush(int page) {
        const auto& document = message_.attachments[attachment_].document;
        const bool blank = text_.find_first_not_of('\n') == std::string::npos;
        if (!blank) {
            const QString title =
                page > 0 && document && document->pageCount > 1 ? Text::tr("Page %1").arg(page) : Text::tr("Text");
            addParts(title, page);
        }
        text_.clear();
    }

    void addParts(const QString& title, int page) {
        const size_t first = entries_.size();
        for (size_t begin = 0; begin < text_.size();) {
            const size_t end = endOfPart(text_, begin);
            entries_.push_back({title, QString::fromStdString(text_.substr(begin, end - begin)), std::nullopt, page});
            begin = end;
        }
        const size_t parts = entries_.size() - first;
        if (parts == 1) return;
        const QLocale locale;
        for (size_t part = 0; part < parts; ++part) {
            entries_[first + part].title =
                Text::tr("%1, part %2 of %3")
                    .arg(title, locale.toString(qulonglong(part + 1)), locale.toString(qulonglong(parts)));
        }
    }

    const ComposedMessage& message_;
    size_t attachment_;
    std::string text_;
    std::vector<PreviewEntry> entries_;
};

}  // namespace

Result<Preview> makePreview(const std::vector<AttachedFile>& files, size_t attachment,
                            const std::optional<MediaConfig>& media, const std::stop_token& stop,
                            const DocumentOptions& reading) {
    ComposeOptions options;
    options.media = media;
    options.document = reading;
    options.stop = options.document.stop = stop;
    PAL_ASSIGN(ComposedMessage message, composeMessage(files, "", options));
    options.stop = options.document.stop = {};
    if (!message.media.empty()) deferMedia(message, files, options);
    Preview out;
    out.entries = Collector(message, attachment).collect();
    out.message = std::make_shared<const ComposedMessage>(std::move(message));
    out.media = media;
    return out;
}

std::optional<size_t> entryAt(const Preview& preview, const PreviewPlace& place) {
    std::optional<size_t> found;
    for (size_t i = 0; i < preview.entries.size(); ++i) {
        const PreviewEntry& entry = preview.entries[i];
        if (place.seconds) {
            constexpr double kRounding = 0.0005;  // times are told in milliseconds
            if (entry.seconds && *entry.seconds <= *place.seconds + kRounding) found = i;
        } else if (place.page > 0 && entry.page == place.page && !found) {
            found = i;
        }
    }
    return found;
}

Result<std::vector<PreviewFrame>> previewFrames(const Preview& preview, size_t medium, const std::stop_token& stop) {
    const ComposedMedium& wanted = preview.message->media[medium];
    MediaInput input{wanted.input->frames, wanted.input->rows, wanted.input->columns, {}, nullptr};
    PAL_ASSIGN(input.patches, wanted.input->later->make(stop));
    std::vector<PreviewFrame> out;
    for (QImage& image : imagesOf(input, wanted.resize, *preview.media)) {
        const size_t i = out.size();
        out.push_back(
            {i < wanted.frames.size() ? durationText(wanted.frames[i].seconds) : QString(), std::move(image)});
    }
    return out;
}

}  // namespace pal::desktop
