// SPDX-License-Identifier: Apache-2.0
#include "app/extract/pdf_text.h"

#include <unicode/uchar.h>
#include <unicode/utf16.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "app/extract/pdf_order.h"
#include "app/extract/pdf_table.h"
#include "app/extract/text_cleanup.h"

namespace pal::extract {
namespace {

constexpr char16_t kSoftHyphen = 0x00AD;
constexpr double kTableColumns = 240;  // widest table, in characters

struct Line {
    std::u16string text;
    PageRegion region;
    LineBox box;
    int rotation = 0;
    std::optional<size_t> table;
};

// Poppler sees spaces between letters that are written singly, as Arabic and Hebrew ones are; a real one has some width.
bool spaceBetween(const PdfWord& left, const PdfWord& right) {
    if (!left.spaceAfter) return false;
    const LineBox a = lineBox(left.box, left.rotation);
    const LineBox b = lineBox(right.box, right.rotation);
    return b.u0 - a.u1 > 0.05 * a.height();
}

// The words' characters from left to right, a space where poppler saw one, in reading order and cleaned.
std::u16string lineText(std::span<const PdfWord> words, std::span<const size_t> members, PageText& out) {
    std::u16string text;
    for (size_t i = 0; i < members.size(); ++i) {
        text += words[members[i]].text;
        if (i + 1 < members.size() && spaceBetween(words[members[i]], words[members[i + 1]])) text += u' ';
    }
    if (hasRightToLeft(text)) text = logicalOrder(text);
    CleanText clean = cleanCharacters(text);
    out.unknown += clean.unknown;
    for (size_t at = 0; at < clean.text.size();) {
        UChar32 c = 0;
        U16_NEXT(clean.text, at, clean.text.size(), c);
        if (u_isalnum(c)) ++out.characters;
        if (c >= 0xA1 && c <= 0x2FF) ++out.foreign;
    }
    return std::move(clean.text);
}

// Whether a word goes on with the line that ends with `last`.
bool continues(const PdfWord& last, const PdfWord& next) {
    if (last.rotation != next.rotation) return false;
    const LineBox a = lineBox(last.box, last.rotation);
    const LineBox b = lineBox(next.box, next.rotation);
    const double height = std::min(a.height(), b.height());
    if (a.overlapV(b) < height / 2) return false;
    const double gap = b.u0 - a.u1;
    return gap > -std::max(height, 1.0) / 2 && (last.spaceAfter || gap < height * 0.8);
}

// The rows of a table, each cell begun at its column or two spaces after the one before.
std::vector<Line> tableLines(std::span<const PdfWord> words, const PdfTable& table, size_t index, PageText& out) {
    std::vector<double> widths;
    double left = words[table.rows.front().front().front()].box.x;
    for (const TableRow& row : table.rows) {
        for (const auto& cell : row) {
            left = std::min(left, words[cell.front()].box.x);
            for (const size_t word : cell) {
                widths.push_back(words[word].box.width /
                                 static_cast<double>(std::max<size_t>(words[word].text.size(), 1)));
            }
        }
    }
    std::nth_element(widths.begin(), widths.begin() + static_cast<ptrdiff_t>(widths.size() / 2), widths.end());
    const double pitch = std::max(widths[widths.size() / 2], 0.1);
    std::vector<Line> lines;
    for (const TableRow& row : table.rows) {
        Line& line = lines.emplace_back();
        line.table = index;
        line.region = words[row.front().front()].box;
        for (const auto& cell : row) {
            const double column = std::min((words[cell.front()].box.x - left) / pitch, kTableColumns);
            const size_t least = line.text.empty() ? 0 : line.text.size() + 2;
            line.text.resize(std::max(least, static_cast<size_t>(std::lround(column))), u' ');
            line.text += lineText(words, cell, out);
            for (const size_t word : cell) line.region = unite(line.region, words[word].box);
        }
        line.box = lineBox(line.region, 0);
    }
    return lines;
}

std::vector<Line> readLines(std::span<const PdfWord> words, PageText& out) {
    const std::vector<PdfTable> tables = findTables(words);
    std::vector<int> tableOf(words.size(), -1);
    for (size_t t = 0; t < tables.size(); ++t) {
        for (const TableRow& row : tables[t].rows) {
            for (const auto& cell : row) {
                for (const size_t word : cell) tableOf[word] = static_cast<int>(t);
            }
        }
    }
    std::vector<bool> written(tables.size(), false);
    std::vector<Line> lines;
    std::vector<size_t> members;
    const auto finish = [&] {
        if (members.empty()) return;
        Line line;
        line.rotation = words[members.front()].rotation;
        line.region = words[members.front()].box;
        for (const size_t word : members) line.region = unite(line.region, words[word].box);
        line.box = lineBox(line.region, line.rotation);
        line.text = lineText(words, members, out);
        if (!line.text.empty()) lines.push_back(std::move(line));
        members.clear();
    };
    for (size_t i = 0; i < words.size(); ++i) {
        if (tableOf[i] >= 0) {
            finish();
            const auto table = static_cast<size_t>(tableOf[i]);
            if (written[table]) continue;
            written[table] = true;
            for (Line& line : tableLines(words, tables[table], table, out)) lines.push_back(std::move(line));
            continue;
        }
        if (!members.empty() && !continues(words[members.back()], words[i])) finish();
        members.push_back(i);
    }
    finish();
    return lines;
}

// Whether b is the line below a of the same block.
bool stacked(const Line& a, const Line& b) {
    return a.rotation == b.rotation && b.box.v0 > a.box.v0 && b.box.u0 < a.box.u1 && b.box.u1 > a.box.u0;
}

// The usual distance between lines of a block, so that double-spaced text is not all paragraphs.
double usualDistance(const std::vector<Line>& lines) {
    std::vector<double> distances;
    for (size_t i = 1; i < lines.size(); ++i) {
        const double distance = lines[i].box.v0 - lines[i - 1].box.v1;
        if (stacked(lines[i - 1], lines[i]) && distance < 2 * lines[i].box.height()) distances.push_back(distance);
    }
    if (distances.empty()) return 0;
    const auto middle = distances.begin() + static_cast<ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    return std::max(*middle, 0.0);
}

bool newBlock(const Line& a, const Line& b, double usual) {
    if (a.table != b.table) return true;
    if (a.table.has_value()) return false;
    if (!stacked(a, b)) return true;
    return b.box.v0 - a.box.v1 > usual + std::min(a.box.height(), b.box.height()) / 2;
}

bool mostlyRightToLeft(const std::vector<Line>& lines) {
    const auto count =
        std::count_if(lines.begin(), lines.end(), [](const Line& line) { return hasRightToLeft(line.text); });
    return static_cast<size_t>(count) * 2 > lines.size();
}

// Puts the blocks of lines into reading order; columns that are read from the right stay as poppler has them.
void orderBlocks(std::vector<Line>& lines, double usual) {
    if (mostlyRightToLeft(lines)) return;
    std::vector<PdfBlock> blocks;
    std::vector<size_t> starts;
    for (size_t i = 0; i < lines.size(); ++i) {
        if (i == 0 || newBlock(lines[i - 1], lines[i], usual)) {
            starts.push_back(i);
            blocks.push_back({lines[i].region, 0, lines[i].rotation != 0});
        }
        blocks.back().region = unite(blocks.back().region, lines[i].region);
        ++blocks.back().lines;
    }
    std::vector<Line> ordered;
    ordered.reserve(lines.size());
    for (const size_t block : readingOrder(blocks)) {
        for (size_t i = 0; i < blocks[block].lines; ++i) ordered.push_back(std::move(lines[starts[block] + i]));
    }
    lines = std::move(ordered);
}

bool isHyphen(char16_t c) {
    return c == u'-' || c == 0x2010 || c == kSoftHyphen;
}

// The hyphenated words of a page that stand within a line.
std::unordered_set<std::u16string> wordsWithHyphen(const std::vector<Line>& lines) {
    std::unordered_set<std::u16string> out;
    for (const Line& line : lines) {
        std::u16string word;
        for (const char16_t c : line.text) {
            if (u_isalpha(c) || c == u'-') {
                word += c;
                continue;
            }
            if (word.find(u'-') != std::u16string::npos) out.insert(word);
            word.clear();
        }
    }
    return out;
}

enum class LineEnd { kBreak, kKeepHyphen, kDropHyphen };

// What becomes of the end of a line in front of the next one.
LineEnd lineEnd(const Line& line, const Line& next, const std::unordered_set<std::u16string>& known) {
    const std::u16string& text = line.text;
    if (line.table.has_value() || next.table.has_value() || text.size() < 2 || next.text.empty())
        return LineEnd::kBreak;
    if (!isHyphen(text.back()) || !u_isalpha(text[text.size() - 2]) || !u_islower(next.text.front()))
        return LineEnd::kBreak;
    if (text.back() == kSoftHyphen) return LineEnd::kDropHyphen;
    size_t start = text.size() - 1;
    while (start > 0 && (u_isalpha(text[start - 1]) || text[start - 1] == u'-')) --start;
    size_t end = 0;
    while (end < next.text.size() && (u_isalpha(next.text[end]) || next.text[end] == u'-')) ++end;
    const bool compound = known.contains(text.substr(start, text.size() - 1 - start) + u"-" + next.text.substr(0, end));
    return compound ? LineEnd::kKeepHyphen : LineEnd::kDropHyphen;
}

void withoutSoftHyphens(std::u16string& text) {
    std::erase(text, kSoftHyphen);
}

}  // namespace

PageText assemblePage(std::span<const PdfWord> words) {
    PageText out;
    std::vector<Line> lines = readLines(words, out);
    const double usual = usualDistance(lines);
    orderBlocks(lines, usual);
    const std::unordered_set<std::u16string> known = wordsWithHyphen(lines);
    for (size_t i = 0; i < lines.size(); ++i) {
        Line& line = lines[i];
        const bool last = i + 1 == lines.size();
        const LineEnd end = last ? LineEnd::kBreak : lineEnd(line, lines[i + 1], known);
        std::u16string text = line.text;
        if (end == LineEnd::kDropHyphen) text.pop_back();
        withoutSoftHyphens(text);
        const size_t begin = out.text.size();
        out.text += toUtf8(text);
        if (out.text.size() > begin) out.map.push_back({begin, out.text.size(), line.region});
        if (last || end != LineEnd::kBreak) continue;
        out.text += newBlock(line, lines[i + 1], usual) ? "\n\n" : "\n";
    }
    if (!out.text.empty()) out.text += '\n';
    return out;
}

}  // namespace pal::extract
