// SPDX-License-Identifier: Apache-2.0
#include <QDirIterator>
#include <QImage>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "app/desktop/style/icons.h"
#include "app/desktop/style/theme.h"

using namespace pal::desktop;

namespace {

// Relative luminance and contrast as WCAG 2.1 defines them.
double luminance(const QColor& colour) {
    const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double first = luminance(a), second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

bool hasInk(const QIcon& icon, const QColor& colour) {
    const QImage image = icon.pixmap(QSize(48, 48)).toImage();
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor at = image.pixelColor(x, y);
            if (at.alpha() > 200 && std::abs(at.red() - colour.red()) < 12 && std::abs(at.blue() - colour.blue()) < 12)
                return true;
        }
    }
    return false;
}

}  // namespace

class StyleTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void textCanBeRead() {
        for (const Scheme scheme : {Scheme::kLight, Scheme::kDark}) {
            const Theme theme(scheme);
            const Colours& c = theme.colours();
            for (const QColor& behind : {c.window, c.surface, c.raised, c.sunken}) {
                for (const QColor& ink : {c.text, c.muted, c.accent, c.warning, c.error, c.success, c.codeKeyword,
                                          c.codeString, c.codeNumber, c.codeComment, c.codeName}) {
                    QVERIFY2(
                        contrast(ink, behind) >= 4.5,
                        qPrintable(
                            QStringLiteral("%1 on %2: %3").arg(ink.name(), behind.name()).arg(contrast(ink, behind))));
                }
            }
            QVERIFY(contrast(c.onAccent, c.accent) >= 4.5);
            QVERIFY(contrast(c.text, c.selection) >= 4.5);
        }
    }

    void everyIconDrawsAndFollowsTheTheme() {
        Theme theme(Scheme::kLight);
        int count = 0;
        for (QDirIterator files(QStringLiteral(":/palimpsest/icons")); files.hasNext(); ++count) {
            files.next();
            theme.setScheme(Scheme::kLight);
            const QIcon drawn = icon(files.fileInfo().completeBaseName(), theme);
            QVERIFY2(hasInk(drawn, theme.colours().text), qPrintable(files.fileName()));
            theme.setScheme(Scheme::kDark);
            QVERIFY2(hasInk(drawn, theme.colours().text), qPrintable(files.fileName()));
        }
        QVERIFY(count >= 20);
        QVERIFY(icon(QStringLiteral("no such icon"), theme).isNull());
    }

    void zoomIsKeptInBounds() {
        Theme theme(Scheme::kLight);
        const QSignalSpy told(&theme, &Theme::changed);
        const double before = theme.body().pointSizeF();
        theme.setZoom(2);
        QCOMPARE(theme.body().pointSizeF(), before * 2);
        theme.setZoom(100);
        QCOMPARE(theme.zoom(), 3.0);
        theme.setZoom(3);
        QCOMPARE(told.count(), 2);
    }
};

QTEST_MAIN(StyleTest)
#include "style_test.moc"
