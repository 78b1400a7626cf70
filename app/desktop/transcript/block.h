// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

namespace pal::desktop {

// How a run of inline text looks and what it is; several at once are added up.
enum SpanStyle : uint32_t {
    kSpanBold = 1u << 0,
    kSpanItalic = 1u << 1,
    kSpanStrike = 1u << 2,
    kSpanCode = 1u << 3,
    kSpanLink = 1u << 4,      // target: the address
    kSpanCitation = 1u << 5,  // target: what the caller's InlinePattern said
    kSpanMath = 1u << 6,      // target: the LaTeX source with its delimiters
    kSpanSuper = 1u << 7,     // raised, as in mathematics
    kSpanSub = 1u << 8,       // lowered
};

// A run of `text` of the InlineText it belongs to, in UTF-16 code units. Text between spans is plain.
struct Span {
    int begin = 0, end = 0;
    uint32_t style = 0;   // sum of SpanStyle
    int32_t target = -1;  // index into InlineText::targets
    friend bool operator==(const Span&, const Span&) = default;
};

// Text as it is read, and what its parts are. Lines end with U+2028 inside paragraphs, with '\n' in code.
struct InlineText {
    QString text;
    std::vector<Span> spans;  // in order, apart from each other
    std::vector<QString> targets;
    friend bool operator==(const InlineText&, const InlineText&) = default;
};

enum class BlockKind : uint8_t { kParagraph, kHeading, kCode, kTable, kMath, kRule };
enum class CellAlign : uint8_t { kStart, kLeft, kCentre, kRight };

// What a block stands in, outermost first.
struct Container {
    enum class Kind : uint8_t { kQuote, kItem };
    Kind kind = Kind::kQuote;
    uint8_t markerWidth = 0;  // of an item: characters that the list's markers need
    friend bool operator==(const Container&, const Container&) = default;
};

// A leaf of a document, whole enough to be laid out and painted alone.
struct Block {
    BlockKind kind = BlockKind::kParagraph;
    uint8_t level = 0;             // of a heading, 1 to 6
    bool tight = false;            // an item of a list without blank lines between its items
    bool continues = false;        // long code and tables come in parts: this goes on with what the block before began
    bool continued = false;        // and the block after goes on with this
    uint8_t sharedContainers = 0;  // how many of `containers`, from the outermost, are those of the block before
    std::vector<Container> containers;
    QString marker;    // before the first block of an item: "•", "3.", "☐", "☑"
    QString language;  // of code, as written in the fence
    InlineText content;
    std::vector<InlineText>
        cells;  // of a table, row by row, `aligns.size()` to a row; the first row of its first part is the head
    std::vector<CellAlign> aligns;  // a table's columns
    // Of a table in parts, the same in all: texts that may need the most room in its columns, equally many to a column, column by column, the
    // first of each its head.
    std::vector<InlineText> widest;
    friend bool operator==(const Block&, const Block&) = default;
};

}  // namespace pal::desktop
