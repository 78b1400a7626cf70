// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/markdown_parser.h"

#include <md4c.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "app/desktop/transcript/entities.h"
#include "app/desktop/transcript/inline_writer.h"
#include "app/desktop/transcript/table_parts.h"

namespace pal::desktop {
namespace {

constexpr unsigned kFlags =
    MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_PERMISSIVEAUTOLINKS | MD_FLAG_NOHTML;

// Puts blocks together from what md4c reports. Callbacks return nonzero to stop the parser.
class Builder {
  public:
    explicit Builder(const std::vector<Cut>& cuts, size_t bytes)
        : cuts_(cuts), writer_(cuts), budget_(bytes * 32 + 1024) {}

    std::vector<Block> take() { return std::move(blocks_); }

    int enterBlock(MD_BLOCKTYPE type, void* detail);
    int leaveBlock(MD_BLOCKTYPE type);
    int enterSpan(MD_SPANTYPE type, void* detail);
    int leaveSpan(MD_SPANTYPE type);
    int text(MD_TEXTTYPE type, std::string_view piece);

  private:
    struct List {
        bool ordered = false, tight = false;
        char delimiter = '.';
        unsigned next = 1;
    };
    struct Level {  // a container that is open
        bool quote = false;
        QString marker;  // of an item, until its first block takes it
        bool filled = false;
    };

    [[nodiscard]] int spend() { return budget_-- == 0 ? 1 : 0; }
    void enterItem(const MD_BLOCK_LI_DETAIL& detail);
    void begin(BlockKind kind, uint8_t level = 0);
    void end();
    void leaveContainer();
    void endTable();
    void push(Block block);
    [[nodiscard]] QString attribute(const MD_ATTRIBUTE& value) const;

    const std::vector<Cut>& cuts_;
    std::vector<Block> blocks_;
    std::vector<List> lists_;
    std::vector<Level> levels_;
    std::optional<Block> open_;
    InlineWriter writer_;
    size_t sharedLevels_ = 0;  // containers that were open at the last block and still are
    size_t budget_;
    bool inCell_ = false;
    size_t columns_ = 0, row_ = 0;
};

std::string_view view(const MD_ATTRIBUTE& value) {
    return value.text == nullptr ? std::string_view() : std::string_view(value.text, value.size);
}

QString Builder::attribute(const MD_ATTRIBUTE& value) const {
    QString out;
    const std::string_view text = view(value);
    if (text.empty()) return out;
    for (size_t i = 0; value.substr_offsets[i] < value.size; ++i) {
        const std::string_view part =
            text.substr(value.substr_offsets[i], value.substr_offsets[i + 1] - value.substr_offsets[i]);
        out += value.substr_types[i] == MD_TEXT_ENTITY ? entityText(part) : restoreCuts(part, cuts_);
    }
    return out;
}

void Builder::push(Block block) {
    block.sharedContainers = static_cast<uint8_t>(std::min(sharedLevels_, block.containers.size()));
    sharedLevels_ = levels_.size();
    blocks_.push_back(std::move(block));
}

// The next block takes the marker of the innermost item that has not shown one; outer items that begin with a list show theirs, too.
void Builder::begin(BlockKind kind, uint8_t level) {
    Block block;
    block.kind = kind;
    block.level = level;
    block.tight = !lists_.empty() && lists_.back().tight;
    size_t list = 0;
    for (Level& open : levels_) {
        if (!open.filled && !open.quote)
            block.marker = block.marker.isEmpty() ? open.marker : block.marker + u' ' + open.marker;
        open.filled = true;
        uint8_t width = 0;
        if (!open.quote) {
            const List& of = lists_[std::min(list++, lists_.size() - 1)];
            width = of.ordered ? static_cast<uint8_t>(QString::number(of.next).size() + 1) : uint8_t{1};
        }
        if (block.containers.size() < kMaxContainers) {
            block.containers.push_back({open.quote ? Container::Kind::kQuote : Container::Kind::kItem, width});
        }
    }
    open_ = std::move(block);
    writer_.start();
}

// Paragraphs part at displayed formulas that stand for themselves.
void Builder::end() {
    if (!open_) return;
    Block block = std::move(*open_);
    open_.reset();
    if (block.kind != BlockKind::kParagraph) {
        block.content = block.kind == BlockKind::kCode ? writer_.finishCode() : writer_.finish();
        return push(std::move(block));
    }
    auto parts = writer_.finishParagraph();
    for (auto& part : parts) {
        Block piece = block;
        piece.kind = part.display ? BlockKind::kMath : BlockKind::kParagraph;
        piece.content = std::move(part.content);
        push(std::move(piece));
        block.marker.clear();
    }
}

void Builder::enterItem(const MD_BLOCK_LI_DETAIL& detail) {
    List& list = lists_.back();
    Level level;
    level.marker = list.ordered ? QString::number(list.next) + QLatin1Char(list.delimiter) : QStringLiteral("•");
    if (list.ordered) ++list.next;
    if (detail.is_task != 0) level.marker = detail.task_mark == ' ' ? QStringLiteral("☐") : QStringLiteral("☑");
    levels_.push_back(std::move(level));
}

int Builder::enterBlock(MD_BLOCKTYPE type, void* detail) {
    if (spend() != 0) return 1;
    // The text of a tight item comes without a paragraph around it, so that only the next block ends it.
    if (type < MD_BLOCK_THEAD) end();
    switch (type) {
        case MD_BLOCK_QUOTE:
            levels_.push_back({.quote = true, .marker = {}, .filled = false});
            break;
        case MD_BLOCK_UL:
            lists_.push_back({false, static_cast<MD_BLOCK_UL_DETAIL*>(detail)->is_tight != 0, '.', 1});
            break;
        case MD_BLOCK_OL: {
            const auto& list = *static_cast<MD_BLOCK_OL_DETAIL*>(detail);
            lists_.push_back({true, list.is_tight != 0, list.mark_delimiter, list.start});
            break;
        }
        case MD_BLOCK_LI:
            enterItem(*static_cast<MD_BLOCK_LI_DETAIL*>(detail));
            break;
        case MD_BLOCK_HR:
            begin(BlockKind::kRule);
            break;
        case MD_BLOCK_H:
            begin(BlockKind::kHeading, static_cast<uint8_t>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level));
            break;
        case MD_BLOCK_CODE:
            begin(BlockKind::kCode);
            open_->language = attribute(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang);
            break;
        case MD_BLOCK_P:
            begin(BlockKind::kParagraph);
            break;
        case MD_BLOCK_TABLE:
            begin(BlockKind::kTable);
            columns_ = static_cast<MD_BLOCK_TABLE_DETAIL*>(detail)->col_count;
            row_ = 0;
            break;
        case MD_BLOCK_TH:
        case MD_BLOCK_TD: {
            inCell_ = true;
            writer_.start();
            if (row_ == 0) {
                const MD_ALIGN align = static_cast<MD_BLOCK_TD_DETAIL*>(detail)->align;
                open_->aligns.push_back(align == MD_ALIGN_LEFT     ? CellAlign::kLeft
                                        : align == MD_ALIGN_CENTER ? CellAlign::kCentre
                                        : align == MD_ALIGN_RIGHT  ? CellAlign::kRight
                                                                   : CellAlign::kStart);
            }
            break;
        }
        default:
            break;
    }
    return 0;
}

void Builder::leaveContainer() {
    if (!levels_.back().filled) {  // an empty item still shows its marker
        begin(BlockKind::kParagraph);
        push(std::move(*open_));
        open_.reset();
    }
    levels_.pop_back();
    sharedLevels_ = std::min(sharedLevels_, levels_.size());
}

void Builder::endTable() {
    if (!open_) return;
    Block table = std::move(*open_);
    open_.reset();
    table.cells.resize((table.cells.size() + columns_ - 1) / columns_ * columns_);
    for (Block& part : tableParts(std::move(table))) push(std::move(part));
}

int Builder::leaveBlock(MD_BLOCKTYPE type) {
    if (spend() != 0) return 1;
    switch (type) {
        case MD_BLOCK_QUOTE:
        case MD_BLOCK_LI:
            end();
            leaveContainer();
            break;
        case MD_BLOCK_UL:
        case MD_BLOCK_OL:
            lists_.pop_back();
            break;
        case MD_BLOCK_HR:
        case MD_BLOCK_H:
        case MD_BLOCK_CODE:
        case MD_BLOCK_P:
            end();
            break;
        case MD_BLOCK_TH:
        case MD_BLOCK_TD:
            open_->cells.push_back(writer_.finish());
            inCell_ = false;
            break;
        case MD_BLOCK_TR:
            ++row_;
            break;
        case MD_BLOCK_TABLE:
            endTable();
            break;
        default:
            break;
    }
    return 0;
}

int Builder::enterSpan(MD_SPANTYPE type, void* detail) {
    if (spend() != 0) return 1;
    if (!open_) begin(BlockKind::kParagraph);
    switch (type) {
        case MD_SPAN_EM:
            writer_.enter(kSpanItalic);
            break;
        case MD_SPAN_STRONG:
            writer_.enter(kSpanBold);
            break;
        case MD_SPAN_DEL:
            writer_.enter(kSpanStrike);
            break;
        case MD_SPAN_CODE:
            writer_.enter(kSpanCode);
            break;
        case MD_SPAN_A:
            writer_.enter(kSpanLink, attribute(static_cast<MD_SPAN_A_DETAIL*>(detail)->href));
            break;
        case MD_SPAN_IMG:
            writer_.enter(kSpanLink, attribute(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src));
            break;
        default:
            writer_.enter(0);
            break;
    }
    return 0;
}

int Builder::leaveSpan(MD_SPANTYPE type) {
    if (spend() != 0) return 1;
    writer_.leave(type == MD_SPAN_IMG ? InlineWriter::IfEmpty::kShowTarget : InlineWriter::IfEmpty::kNothing);
    return 0;
}

int Builder::text(MD_TEXTTYPE type, std::string_view piece) {
    if (spend() != 0) return 1;
    if (!open_) begin(BlockKind::kParagraph);
    switch (type) {
        case MD_TEXT_NULLCHAR:
            writer_.plain(QString(QChar(QChar::ReplacementCharacter)));
            break;
        case MD_TEXT_BR:
            writer_.plain(QString(QChar(QChar::LineSeparator)));
            break;
        case MD_TEXT_SOFTBR:
            writer_.softBreak();
            break;
        case MD_TEXT_ENTITY:
            writer_.plain(entityText(piece));
            break;
        case MD_TEXT_CODE:
            writer_.plain(restoreCuts(piece, cuts_));
            break;
        default:
            writer_.text(piece);
            break;
    }
    return 0;
}

std::vector<Block> plainParagraph(std::string_view text) {
    Block block;
    block.content.text = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).trimmed();
    block.content.text.replace(u'\n', QChar::LineSeparator);
    return {std::move(block)};
}

}  // namespace

std::vector<Block> parseMarkdown(std::string_view text, const InlinePattern& pattern) {
    const CutText cut = cutInline(text, pattern);
    Builder builder(cut.cuts, cut.text.size());
    MD_PARSER parser{};
    parser.flags = kFlags;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* user) {
        return static_cast<Builder*>(user)->enterBlock(type, detail);
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* user) {
        return static_cast<Builder*>(user)->leaveBlock(type);
    };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* user) {
        return static_cast<Builder*>(user)->enterSpan(type, detail);
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* user) {
        return static_cast<Builder*>(user)->leaveSpan(type);
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* piece, MD_SIZE size, void* user) {
        return static_cast<Builder*>(user)->text(type, {piece, size});
    };
    const int failed = md_parse(cut.text.data(), static_cast<MD_SIZE>(cut.text.size()), &parser, &builder);
    return failed != 0 ? plainParagraph(text) : builder.take();
}

}  // namespace pal::desktop
