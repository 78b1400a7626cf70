// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "app/desktop/transcript/code_highlighter.h"

using namespace pal::desktop;

namespace {

// "kind:text" for each token.
QStringList tokens(const QString& language, const QString& code, HighlightState* state = nullptr) {
    HighlightState fresh;
    QStringList out;
    const QStringList names{QStringLiteral("keyword"), QStringLiteral("string"), QStringLiteral("number"),
                            QStringLiteral("comment"), QStringLiteral("name")};
    for (const CodeToken& token : highlightCode(code, *codeLanguage(language), state == nullptr ? fresh : *state))
        out += names[int(token.kind)] + u':' + code.mid(token.begin, token.end - token.begin);
    return out;
}

}  // namespace

class HighlightTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void languages_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QStringList>("expected");
        const auto row = [](const char* language, const char* code, const char* expected) {
            QTest::newRow(language) << QString::fromUtf8(language) << QString::fromUtf8(code)
                                    << QString::fromUtf8(expected).split(u'|');
        };
        row("C++", "int f(0x1F, \"a\\\"b\"); // c", "keyword:int|name:f|number:0x1F|string:\"a\\\"b\"|comment:// c");
        row("python", "def f(x): return 'a' # no", "keyword:def|name:f|keyword:return|string:'a'|comment:# no");
        row("js", "const a = `x${b}`", "keyword:const|string:`x${b}`");
        row("sql", "SELECT a FROM t -- c", "keyword:SELECT|keyword:FROM|comment:-- c");
        row("json", "{\n  \"a\": [1, true]\n}", "name:\"a\"|number:1|keyword:true");
        row("html", "<a href=\"x\">t</a>", "keyword:<a|name:href|string:\"x\"|keyword:>|keyword:</a|keyword:>");
        row("diff", "+a\n-b\n c\n@@", "string:+a|number:-b|keyword:@@");
        row("sh", "echo a#b # c", "keyword:echo|comment:# c");
    }
    void languages() {
        QFETCH(QString, language);
        QFETCH(QString, code);
        QFETCH(QStringList, expected);
        QCOMPARE(tokens(language, code), expected);
    }

    void commentsAndStringsReachOverParts() {
        HighlightState state;
        QCOMPARE(tokens(QStringLiteral("c"), QStringLiteral("a /* b\n"), &state),
                 QStringList{QStringLiteral("comment:/* b\n")});
        QCOMPARE(tokens(QStringLiteral("c"), QStringLiteral("c */ int\n"), &state),
                 (QStringList{QStringLiteral("comment:c */"), QStringLiteral("keyword:int")}));
        QCOMPARE(state, HighlightState());
        static_cast<void>(tokens(QStringLiteral("py"), QStringLiteral("'''doc\n"), &state));
        QCOMPARE(tokens(QStringLiteral("py"), QStringLiteral("if ''' if"), &state),
                 (QStringList{QStringLiteral("string:if '''"), QStringLiteral("keyword:if")}));
    }

    // Any text in any language: tokens are in order and inside it.
    void tokensAreInOrder() {
        const QString text = QStringLiteral("'\"`\\ /* */ // # <a --> ''' \"\"\" 12.e 'x\n\t@y {- -} --[[ ]] \\");
        for (const char* name :
             {"c",    "py",   "js",  "java", "cs",    "go",   "rs",  "swift", "sh", "sql", "json", "yaml",
              "toml", "html", "css", "diff", "cmake", "make", "lua", "php",   "rb", "r",   "hs"}) {
            const CodeLanguage* language = codeLanguage(QString::fromLatin1(name));
            QVERIFY2(language != nullptr, name);
            for (qsizetype begin = 0; begin < text.size(); ++begin) {
                HighlightState state;
                int done = 0;
                const QString code = text.mid(begin);
                for (const CodeToken& token : highlightCode(code, *language, state)) {
                    QVERIFY(token.begin >= done && token.end > token.begin && token.end <= code.size());
                    done = token.end;
                }
            }
        }
        QVERIFY(codeLanguage(QStringLiteral("klingon")) == nullptr);
    }
};

QTEST_APPLESS_MAIN(HighlightTest)
#include "highlight_test.moc"
