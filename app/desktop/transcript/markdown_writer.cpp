// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/markdown_writer.h"

#include <QStringList>
#include <algorithm>

namespace pal::desktop {
namespace {

// Characters that would begin markup.
QString escaped(QStringView text) {
    QString out;
    for (const QChar c : text) {
        if (QStringView(u"\\`*_<~|$").contains(c)) out += u'\\';
        out += c;
    }
    // Brackets that are escaped would be a formula.
    return out.replace(QStringLiteral("]("), QStringLiteral("]&#40;"));
}

QString wrapped(const QString& text, QStringView mark) {
    return text.isEmpty() ? text : mark.toString() + text + mark.toString();
}

QString codeSpan(const QString& text) {
    const QString mark = text.contains(u'`') ? QStringLiteral("``") : QStringLiteral("`");
    const QString space = text.startsWith(u'`') || text.endsWith(u'`') ? QStringLiteral(" ") : QString();
    return mark + space + text + space + mark;
}

QString spanMarkdown(const InlineText& text, const Span& span, QStringView piece) {
    const auto has = [&](SpanStyle style) { return (span.style & style) != 0; };
    if (has(kSpanCitation)) return piece.toString();
    QString out = has(kSpanCode) ? codeSpan(piece.toString()) : escaped(piece);
    if (has(kSpanItalic)) out = wrapped(out, u"*");
    if (has(kSpanBold)) out = wrapped(out, u"**");
    if (has(kSpanStrike)) out = wrapped(out, u"~~");
    if (has(kSpanLink) && span.target >= 0) {
        const QString& target = text.targets[static_cast<size_t>(span.target)];
        out = piece == target ? target : QStringLiteral("[%1](<%2>)").arg(out, target);
    }
    return out;
}

QString writeInline(const InlineText& text, int begin, int end, CopyFormat format) {
    const QStringView all(text.text);
    QString out;
    int done = begin;
    int32_t formula = -1;
    const auto plain = [&](QStringView piece) {
        out += format == CopyFormat::kMarkdown ? escaped(piece) : piece.toString();
    };
    for (const Span& span : text.spans) {
        const int from = std::max(span.begin, begin), to = std::min(span.end, end);
        if (from >= to) continue;
        plain(all.mid(done, from - done));
        done = to;
        if ((span.style & kSpanMath) != 0 && span.target >= 0) {
            if (span.target != formula) out += text.targets[static_cast<size_t>(span.target)];
            formula = span.target;
            continue;
        }
        const QStringView piece = all.mid(from, to - from);
        out += format == CopyFormat::kMarkdown ? spanMarkdown(text, span, piece) : piece.toString();
    }
    plain(all.mid(done, end - done));
    out.replace(QChar::LineSeparator, format == CopyFormat::kMarkdown ? QStringLiteral("  \n") : QStringLiteral("\n"));
    return out;
}

QString writeTable(const Block& block, int begin, int end, CopyFormat format) {
    const size_t columns = block.aligns.size();
    QStringList lines;
    QStringList row;
    int offset = 0;
    for (size_t i = 0; i < block.cells.size(); ++i) {
        const InlineText& cell = block.cells[i];
        const int from = std::clamp(begin - offset, 0, static_cast<int>(cell.text.size()));
        const int to = std::clamp(end - offset, 0, static_cast<int>(cell.text.size()));
        const bool touched = offset < end && offset + cell.text.size() >= begin;
        if (touched || format == CopyFormat::kMarkdown)
            row += from < to ? writeInline(cell, from, to, format) : QString();
        offset += static_cast<int>(cell.text.size()) + 1;
        if ((i + 1) % columns != 0) continue;
        if (format == CopyFormat::kMarkdown) {
            lines += QStringLiteral("| ") + row.join(QStringLiteral(" | ")) + QStringLiteral(" |");
            if (i + 1 == columns && !block.continues) {
                QString rule = QStringLiteral("|");
                for (const CellAlign align : block.aligns) {
                    rule += align == CellAlign::kCentre  ? QStringLiteral(":-:|")
                            : align == CellAlign::kRight ? QStringLiteral("--:|")
                            : align == CellAlign::kLeft  ? QStringLiteral(":--|")
                                                         : QStringLiteral("---|");
                }
                lines += rule;
            }
        } else if (!row.isEmpty()) {
            lines += row.join(u'\t');
        }
        row.clear();
    }
    return lines.join(u'\n');
}

// `text` behind what its containers put before each line.
QString inContainers(const Block& block, const QString& text, bool withMarker) {
    QString first, rest;
    size_t item = 0;
    const QStringList markers = block.marker.split(u' ', Qt::SkipEmptyParts);
    const auto items =
        static_cast<size_t>(std::count_if(block.containers.begin(), block.containers.end(),
                                          [](const Container& c) { return c.kind == Container::Kind::kItem; }));
    for (const Container& container : block.containers) {
        if (container.kind == Container::Kind::kQuote) {
            first += QStringLiteral("> ");
            rest += QStringLiteral("> ");
            continue;
        }
        const auto own = static_cast<qsizetype>(item++) - static_cast<qsizetype>(items) + markers.size();
        QString marker = withMarker && own >= 0 && own < markers.size() ? markers[own] : QString();
        if (marker == u"•") marker = QStringLiteral("-");
        if (marker == u"☐") marker = QStringLiteral("- [ ]");
        if (marker == u"☑") marker = QStringLiteral("- [x]");
        const QString indent(std::max<qsizetype>(container.markerWidth + 1, 2), u' ');
        first += marker.isEmpty() ? indent : marker + u' ';
        rest += indent;
    }
    QString out = text;
    out.replace(u'\n', u'\n' + rest);
    return first + out;
}

QString writeMarkdown(const Block& block, int begin, int end) {
    switch (block.kind) {
        case BlockKind::kRule:
            return QStringLiteral("---");
        case BlockKind::kTable:
            return writeTable(block, begin, end, CopyFormat::kMarkdown);
        case BlockKind::kCode: {
            QString fence = QStringLiteral("```");
            while (block.content.text.contains(fence)) fence += u'`';
            const QString open = block.continues ? QString() : fence + block.language + u'\n';
            const QString close = block.continued ? QString() : u'\n' + fence;
            return open + block.content.text.mid(begin, end - begin) + close;
        }
        case BlockKind::kHeading:
            return QString(block.level, u'#') + u' ' + writeInline(block.content, begin, end, CopyFormat::kMarkdown);
        default:
            return writeInline(block.content, begin, end, CopyFormat::kMarkdown);
    }
}

}  // namespace

QString writeBlock(const Block& block, int begin, int end, CopyFormat format) {
    if (format == CopyFormat::kMarkdown) return inContainers(block, writeMarkdown(block, begin, end), begin == 0);
    QString out;
    switch (block.kind) {
        case BlockKind::kRule:
            return QString();
        case BlockKind::kTable:
            out = writeTable(block, begin, end, format);
            break;
        case BlockKind::kCode:
            return block.content.text.mid(begin, end - begin);
        default:
            out = writeInline(block.content, begin, end, format);
            break;
    }
    if (block.marker.isEmpty() || begin > 0) return out;
    return block.marker + u' ' + out;
}

}  // namespace pal::desktop
