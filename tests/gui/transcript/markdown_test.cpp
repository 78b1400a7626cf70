// SPDX-License-Identifier: Apache-2.0
#include <QElapsedTimer>
#include <QTest>

#include "app/desktop/transcript/citations.h"
#include "app/desktop/transcript/inline_cuts.h"
#include "app/desktop/transcript/markdown_document.h"
#include "app/desktop/transcript/markdown_parser.h"
#include "app/desktop/transcript/math_text.h"
#include "tests/gui/transcript/random_markdown.h"

using namespace pal::desktop;
using Dialect = MarkdownDocument::Dialect;

namespace {

std::vector<Block> whole(std::string_view text, InlinePattern pattern = {}) {
    MarkdownDocument document(Dialect::kMarkdown, std::move(pattern));
    document.append(text);
    return document.blocks();
}

// Paragraph text with its spans written around it: <b i `>text</>.
QString shown(const InlineText& inlineText) {
    QString out;
    int done = 0;
    for (const Span& span : inlineText.spans) {
        out += inlineText.text.mid(done, span.begin - done);
        QString names;
        const std::pair<uint32_t, char> kNames[] = {{kSpanBold, 'b'}, {kSpanItalic, 'i'}, {kSpanStrike, 's'},
                                                    {kSpanCode, 'c'}, {kSpanLink, 'l'},   {kSpanCitation, 'p'},
                                                    {kSpanMath, 'm'}, {kSpanSuper, '^'},  {kSpanSub, '_'}};
        for (const auto& [style, name] : kNames) {
            if ((span.style & style) != 0) names += QLatin1Char(name);
        }
        out += QStringLiteral("<%1>%2</>").arg(names, inlineText.text.mid(span.begin, span.end - span.begin));
        done = span.end;
    }
    return out + inlineText.text.mid(done);
}

QString firstShown(std::string_view text) {
    const auto blocks = whole(text);
    return blocks.empty() ? QString() : shown(blocks.front().content);
}

// Parts of code and of tables joined, so that a document that comes in parts can be compared with one that does not.
std::vector<Block> joined(std::vector<Block> blocks) {
    std::vector<Block> out;
    for (Block& block : blocks) {
        if (block.continues && !out.empty()) {
            out.back().content.text += block.content.text;
            out.back().cells.insert(out.back().cells.end(), block.cells.begin(), block.cells.end());
        } else {
            out.push_back(std::move(block));
        }
        out.back().continued = false;
    }
    return out;
}

QString describe(const std::vector<Block>& blocks) {
    QString out;
    for (const Block& block : blocks) {
        out += QStringLiteral("[%1 depth %2 shared %3 tight %4 '%5' %6] %7\n")
                   .arg(int(block.kind))
                   .arg(block.containers.size())
                   .arg(block.sharedContainers)
                   .arg(block.tight)
                   .arg(block.marker, block.language, shown(block.content));
        for (const InlineText& cell : block.cells) out += QStringLiteral("   | ") + shown(cell) + u'\n';
    }
    return out;
}

}  // namespace

class MarkdownTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void blocks() {
        const auto blocks = whole(
            "# Title\n\nA *b* c\n\n> quoted\n>\n> more\n\n1. one\n2. two\n   - inner\n\n---\n\n```py\nx = 1\n```\n\n"
            "| a | b |\n|:--|--:|\n| 1 | **2** |\n");
        QCOMPARE(blocks.size(), size_t{10});
        QCOMPARE(blocks[0].kind, BlockKind::kHeading);
        QCOMPARE(blocks[0].level, uint8_t{1});
        QCOMPARE(shown(blocks[1].content), QStringLiteral("A <i>b</> c"));
        QCOMPARE(blocks[2].containers.size(), size_t{1});
        QCOMPARE(blocks[2].containers[0].kind, Container::Kind::kQuote);
        QCOMPARE(blocks[2].sharedContainers, uint8_t{0});
        QCOMPARE(blocks[3].sharedContainers, uint8_t{1});
        QCOMPARE(blocks[4].marker, QStringLiteral("1."));
        QCOMPARE(blocks[5].marker, QStringLiteral("2."));
        QCOMPARE(blocks[6].marker, QStringLiteral("•"));
        QCOMPARE(blocks[6].containers.size(), size_t{2});
        QVERIFY(blocks[6].tight);
        QCOMPARE(blocks[7].kind, BlockKind::kRule);
        QCOMPARE(blocks[8].kind, BlockKind::kCode);
        QCOMPARE(blocks[8].language, QStringLiteral("py"));
        QCOMPARE(blocks[8].content.text, QStringLiteral("x = 1"));
        QCOMPARE(blocks[9].kind, BlockKind::kTable);
        QCOMPARE(blocks[9].aligns, (std::vector<CellAlign>{CellAlign::kLeft, CellAlign::kRight}));
        QCOMPARE(blocks[9].cells.size(), size_t{4});
        QCOMPARE(shown(blocks[9].cells[3]), QStringLiteral("<b>2</>"));
    }

    void inlines_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const std::pair<const char*, const char*> rows[] = {
            {"***x*** ~~y~~ `z`", "<bi>x</> <s>y</> <c>z</>"},
            {"[a](https://b.c) https://d.e", "<l>a</> <l>https://d.e</>"},
            {"![cat](https://b.c/cat.png) and ![](https://b.c/d.png)", "<l>cat</> and <l>https://b.c/d.png</>"},
            {"a < b & <b>bold</b> &lt;&#955;&nbsp;&nothing;", "a < b & <b>bold</b> <λ\u00A0&nothing;"},
            {"line one\nline two  \nline three", "line one line two\u2028line three"},
            // Prices are no formulas, formulas are; code keeps its dollars.
            {"$5 and $10", "$5 and $10"},
            {"from $5 to $10, or US$20", "from $5 to $10, or US$20"},
            {"`$a$` and `\\(b\\)`", "<c>$a$</> and <c>\\(b\\)</>"},
            {"$a_1^2$", "<im>a</><m_>1</><m^>2</>"},
            {"\\(x\\)", "<im>x</>"},
            {"$\\alpha \\leq \\frac{1}{2}$", "<m>α ≤ 1/2</>"},
            {"$\\frac{a+b}{c}$", "<m>(</><im>a</><m> + </><im>b</><m>)/</><im>c</>"},
            {"$\\sqrt{2}$", "<m>√2</>"},
            {"cost \\$3 and $x$", "cost $3 and <im>x</>"},
            {"a *b $c*d$ e* f", "a <i>b </><im>c*d</><i> e</> f"},
            {"$\\unknown{x}$", "<cm>\\unknown{x}</>"},
            {"text \\[y\\] text", "text <im>y</> text"},
            {"[1]: https://a.b", "[1]: <l>https://a.b</>"},
            {"\\*not bold\\*", "*not bold*"},
        };
        for (const auto& [text, expected] : rows)
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(expected);
    }
    void inlines() {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QCOMPARE(firstShown(text.toStdString()), expected);
    }

    void displayedFormulasAreBlocks() {
        const auto blocks = whole("The sum is\n$$\n\\sum_{i=1}^n i\n$$\nand so on.\n\n\\[\nx = y\n\\]\n");
        QCOMPARE(blocks.size(), size_t{4});
        QCOMPARE(blocks[0].content.text, QStringLiteral("The sum is"));
        QCOMPARE(blocks[1].kind, BlockKind::kMath);
        QCOMPARE(shown(blocks[1].content), QStringLiteral("<m>∑</><im_>i</><m_> = 1</><im^>n</><im>i</>"));
        QCOMPARE(blocks[1].content.targets.front(), QStringLiteral("$$\n\\sum_{i=1}^n i\n$$"));
        QCOMPARE(blocks[2].content.text, QStringLiteral("and so on."));
        QCOMPARE(blocks[3].content.text, QStringLiteral("x = y"));
    }

    void linksKeepTheirTargets() {
        const auto blocks = whole("[a *b*](https://x.y/?a=1&amp;b=2) www.z.w me@x.y");
        const InlineText& text = blocks.front().content;
        QCOMPARE(text.targets,
                 (std::vector<QString>{QStringLiteral("https://x.y/?a=1&b=2"), QStringLiteral("http://www.z.w"),
                                       QStringLiteral("mailto:me@x.y")}));
        QCOMPARE(text.spans[0].target, text.spans[1].target);
    }

    void citationsAreFound() {
        const InlinePattern pattern = citationPattern(3);
        const auto blocks =
            whole("See **[file 2, page 3]**, [file 1: a_b_c.pdf, 12 pages] and `[file 1]`, not [file 9].", pattern);
        QCOMPARE(
            shown(blocks.front().content),
            QStringLiteral(
                "See <bp>[file 2, page 3]</>, <p>[file 1: a_b_c.pdf, 12 pages]</> and <c>[file 1]</>, not [file 9]."));
        QCOMPARE(blocks.front().content.targets, (std::vector<QString>{QStringLiteral("1:3"), QStringLiteral("0:0")}));
        const auto clip = whole("At [file 3, 00:00:01.500].", pattern);
        QCOMPARE(clip.front().content.targets, (std::vector<QString>{QStringLiteral("2:0:1.500")}));
        const auto moment = citationOf(clip.front().content.targets.front());
        QVERIFY(moment && moment->attachment == 2 && moment->seconds == 1.5);
    }

    void literalTextStaysAsTyped() {
        MarkdownDocument document(Dialect::kLiteral);
        document.append("# no heading\n  *x*\n\n__init__\n```py\n# code\n```\n");
        const auto& blocks = document.blocks();
        QCOMPARE(blocks.size(), size_t{3});
        QCOMPARE(blocks[0].content.text, QStringLiteral("# no heading\u2028  *x*"));
        QCOMPARE(blocks[1].content.text, QStringLiteral("__init__"));
        QCOMPARE(blocks[2].kind, BlockKind::kCode);
        QCOMPARE(blocks[2].content.text, QStringLiteral("# code"));
    }

    // However a text arrives, its blocks are those of the whole; and cutting it into pieces gives what md4c gives for all of it.
    void streamedEqualsWhole() {
        for (unsigned seed = 0; seed < 1500; ++seed) {
            std::mt19937 random(seed);
            const std::string text = randomMarkdown(random, 2 + int(random() % 60));
            for (const Dialect dialect : {Dialect::kMarkdown, Dialect::kLiteral}) {
                MarkdownDocument once(dialect), pieces(dialect);
                once.append(text);
                std::vector<Block> mirror;  // what a view would hold that replaces from the first changed block on
                for (size_t at = 0; at < text.size();) {
                    const size_t length =
                        std::min<size_t>(1 + random() % (random() % 4 == 0 ? 200 : 7), text.size() - at);
                    const size_t first = pieces.append(std::string_view(text).substr(at, length));
                    QVERIFY(first <= pieces.blocks().size() && pieces.frozen() <= pieces.blocks().size());
                    QVERIFY(first <= mirror.size());
                    mirror.assign(pieces.blocks().begin(), pieces.blocks().end());
                    at += length;
                }
                if (pieces.blocks() != once.blocks()) {
                    qWarning().noquote() << "seed" << seed << QString::fromStdString(text) << describe(pieces.blocks())
                                         << "whole:" << describe(once.blocks());
                    QFAIL("streamed and whole differ");
                }
            }
        }
    }

    void piecesEqualTheWholeOfMd4c() {
        for (unsigned seed = 0; seed < 4000; ++seed) {
            std::mt19937 random(seed);
            // Without what is cut out before md4c sees it, which depends on the piece it is in; without tabs, which md4c writes as spaces
            // in code; with an end, because md4c counts a last line of blanks as a line of code.
            const std::string text = randomMarkdown(random, 2 + int(random() % 40), "$\\[\t\r\xF3") + "\n\nend\n";
            const auto expected = joined(parseMarkdown(text, {}));
            const auto actual = joined(whole(text));
            if (actual != expected) {
                qWarning().noquote() << "seed" << seed << QString::fromStdString(text) << "pieces:" << describe(actual)
                                     << "md4c:" << describe(expected);
                QFAIL("the pieces differ from the whole");
            }
        }
    }

    // Every row once and in order, the head first, and all parts with the same columns.
    void longTablesComeInParts() {
        std::string text = "> | name | count |\n> |---|--:|\n";
        for (int i = 0; i < 300; ++i) text += "> | row " + std::to_string(i) + " | " + std::to_string(i * i) + " |\n";
        text += "> | the longest of all rows | 7 |\n";
        const auto blocks = whole(text);
        QVERIFY2(blocks.size() > 5, qPrintable(QString::number(blocks.size())));
        QStringList rows;
        for (size_t i = 0; i < blocks.size(); ++i) {
            QCOMPARE(blocks[i].kind, BlockKind::kTable);
            QCOMPARE(blocks[i].continues, i > 0);
            QCOMPARE(blocks[i].continued, i + 1 < blocks.size());
            QCOMPARE(blocks[i].aligns, blocks[0].aligns);
            QCOMPARE(blocks[i].widest, blocks[0].widest);
            QCOMPARE(blocks[i].containers, blocks[0].containers);
            QVERIFY(blocks[i].cells.size() <= 64);
            for (size_t cell = 0; cell + 1 < blocks[i].cells.size(); cell += 2)
                rows += blocks[i].cells[cell].text + u'\t' + blocks[i].cells[cell + 1].text;
        }
        QCOMPARE(rows.size(), 302);
        QCOMPARE(rows[0], QStringLiteral("name\tcount"));
        for (int i = 0; i < 300; ++i) QCOMPARE(rows[i + 1], QStringLiteral("row %1\t%2").arg(i).arg(i * i));
        const auto& widest = blocks[0].widest;
        QVERIFY(std::any_of(widest.begin(), widest.end(), [](const InlineText& cell) {
            return cell.text.startsWith(QStringLiteral("the longest"));
        }));
    }

    void bytesThatAreNoText() {
        MarkdownDocument document(Dialect::kMarkdown);
        document.append(std::string_view("a\0b \xFF\xC3", 6));
        document.append("\xA9 \r");
        document.append("\nnext");
        QCOMPARE(document.blocks().front().content.text, QStringLiteral("a\uFFFDb \uFFFDé next"));
    }

    void hostileTextStaysBounded_data() {
        QTest::addColumn<QByteArray>("text");
        const auto repeat = [](const char* piece, int times) { return QByteArray(piece).repeated(times); };
        QTest::newRow("one line of 10 MB") << repeat("x", 10 << 20);
        QTest::newRow("words of 10 MB") << repeat("word ", 2 << 20);
        QTest::newRow("a line of code of 10 MB") << "```\n" + repeat("x", 10 << 20);
        QTest::newRow("quotes in quotes") << repeat(">", 200'000);
        QTest::newRow("quotes in quotes, again") << repeat(repeat("> ", 500) + "\n\n", 200);
        QTest::newRow("lists in lists") << repeat("- ", 200'000);
        QTest::newRow("brackets") << repeat("[", 500'000);
        QTest::newRow("links in links") << repeat("[a](", 200'000);
        QTest::newRow("images") << repeat("![", 200'000);
        QTest::newRow("stars") << repeat("*a_ ", 200'000);
        QTest::newRow("stars alone") << repeat("*", 500'000);
        QTest::newRow("many tildes") << repeat("a~~b~", 200'000);
        QTest::newRow("backticks of all lengths") << [] {
            QByteArray out;
            for (int i = 1; i < 700; ++i) out += QByteArray("`").repeated(i) + "a";
            return out;
        }();
        QTest::newRow("dollars") << repeat("$a ", 300'000);
        QTest::newRow("formulas in formulas") << repeat("$", 1) + repeat("\\frac{", 100'000) + "$";
        QTest::newRow("formulas") << repeat("$$x$$\n", 100'000);
        QTest::newRow("open parentheses") << repeat("\\(", 300'000);
        QTest::newRow("a wide table") << repeat("|a", 30'000) + "\n" + repeat("|-", 30'000) + "\n" +
                                             repeat("|\n", 30'000);
        QTest::newRow("a table of 60 columns")
            << repeat("|a", 60) + "\n" + repeat("|-", 60) + "\n" + repeat("|\n", 30'000);
        QTest::newRow("entities") << repeat("&amp;", 200'000);
        QTest::newRow("addresses") << repeat("http://a.b/ ", 100'000);
        QTest::newRow("at signs") << repeat("a@", 300'000);
        QTest::newRow("angle brackets") << repeat("<a ", 300'000);
        QTest::newRow("references") << repeat("[a]: b\n\n", 100'000);
        QTest::newRow("area of cuts") << repeat("\xF3\xB0\x80\x80", 200'000);
        QTest::newRow("NULs") << QByteArray(1 << 20, '\0');
        QTest::newRow("no UTF-8") << QByteArray(1 << 20, '\xFF');
        QTest::newRow("blank lines") << repeat("\n", 5 << 20);
        QTest::newRow("one long list") << repeat("- an item of a list\n", 50'000);
        QTest::newRow("list without end") << repeat("- a\n\n  b\n\n", 50'000);
        QTest::newRow("numbers") << repeat("999999999. a\n", 50'000);
    }
    void hostileTextStaysBounded() {
        QFETCH(QByteArray, text);
        QElapsedTimer timer;
        timer.start();
        MarkdownDocument document(Dialect::kMarkdown);
        for (qsizetype at = 0; at < text.size(); at += 100'000)
            document.append({text.data() + at, size_t(std::min<qsizetype>(100'000, text.size() - at))});
        size_t bytes = 0;
        for (const Block& block : document.blocks()) {
            QVERIFY(block.containers.size() <= kMaxContainers);
            QVERIFY(block.content.text.size() <= 600'000);
            bytes += sizeof(Block) + size_t(block.content.text.size()) * 2 + block.content.spans.size() * sizeof(Span);
            bytes += block.cells.size() * sizeof(InlineText);
        }
        qInfo() << timer.elapsed() << "ms" << document.blocks().size() << "blocks" << bytes / 1024 << "KiB";
        // A bound of growth, not of speed: the quadratic behaviours these texts are after cost minutes or gigabytes.
        QVERIFY(bytes < size_t(text.size()) * 400 + 1'000'000);
        QVERIFY(timer.elapsed() < 60'000);
    }
};

QTEST_APPLESS_MAIN(MarkdownTest)
#include "markdown_test.moc"
