// SPDX-License-Identifier: Apache-2.0
// Views as a user meets them, on the made-up model with unequal axes: one selection for all, keys that speak, zoom, files of what is drawn.
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>
#include <condition_variable>
#include <mutex>
#include <new>

#include "app/desktop/inspect/figure_canvas.h"
#include "app/desktop/inspect/figure_export.h"
#include "app/desktop/inspect/inspect_panel.h"
#include "app/inspect/export.h"
#include "tests/unit/inspect/uneven_source.h"

using namespace pal::desktop;
using pal::inspect::Figure;
using pal::inspect::Panel;
using pal::inspect::Rect;
using pal::inspect::test::Uneven;

namespace {

QString firstDifference(const QImage& a, const QImage& b) {
    int different = 0;
    QString first;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            if (a.pixel(x, y) == b.pixel(x, y)) continue;
            if (different++ == 0)
                first = QStringLiteral("(%1, %2) of %3 x %4").arg(x).arg(y).arg(a.width()).arg(a.height());
        }
    }
    return QStringLiteral("%1 pixels differ, the first is %2").arg(different).arg(first);
}

// A disk that is slow: records come when it is told so.
class SlowStore : public pal::inspect::ProbeStore {
  public:
    [[nodiscard]] const std::vector<pal::inspect::TokenSpan>& covered() const override { return covered_; }
    [[nodiscard]] std::shared_ptr<const pal::TokenProbe> read(int64_t token) const override {
        std::unique_lock lock(mutex_);
        if (token != 24) ready_.wait(lock, [this] { return go_; });  // the first tells the model's shape
        ++reads_;
        return Uneven::token(token, 7);
    }
    void visitLayer(const pal::inspect::TokenSpan& span, int64_t,
                    const std::function<void(const pal::TokenProbe&)>& visit) const override {
        for (int64_t token = span.begin; token < span.end; ++token) visit(*read(token));
    }
    [[nodiscard]] std::vector<pal::inspect::SeriesBin> bins(pal::inspect::Scalar, int64_t, pal::inspect::TokenSpan,
                                                            int64_t) const override {
        return {};
    }
    void go() {
        const std::lock_guard lock(mutex_);
        go_ = true;
        ready_.notify_all();
    }
    [[nodiscard]] int reads() const {
        const std::lock_guard lock(mutex_);
        return reads_;
    }

  private:
    const std::vector<pal::inspect::TokenSpan> covered_{{24, 37}};
    mutable std::mutex mutex_;
    mutable std::condition_variable ready_;
    mutable int reads_ = 0;
    bool go_ = false;
};

QPoint middle(const Rect& rect) {
    return {static_cast<int>(rect.x + rect.width / 2), static_cast<int>(rect.y + rect.height / 2)};
}

}  // namespace

class InspectPanelTest : public QObject {
    Q_OBJECT

  private:
    Theme theme_{Scheme::kLight};

    void show(InspectPanel& panel, std::string_view view) {
        panel.resize(900, 760);
        panel.setView(view);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const auto there = [&] {
            const Figure& figure = panel.figure().figure();
            return figure.view == view && figure.width == panel.figure().width() &&
                   figure.height == panel.figure().height();
        };
        QTRY_VERIFY(there());
    }

    static std::unique_ptr<InspectModel> model() {
        auto out = std::make_unique<InspectModel>();
        auto source = Uneven::source(24, 37);
        source->setWindow(Uneven::window(24, 37), Uneven::regions(6));
        out->setSource(std::move(source));
        out->selectTokens({30, 31});
        return out;
    }

  private Q_SLOTS:
    void oneSelectionForAllViews() {
        const auto model = this->model();
        InspectPanel layers(*model, theme_), heads(*model, theme_);
        show(layers, "layers");
        show(heads, "half-life");
        QCOMPARE(heads.figure().figure().panels.at(0).chosenRow, -1 + 1);  // the first KDA layer, chosen by the view
        const Panel& strip = layers.figure().figure().panels.at(0);
        QTest::mouseClick(&layers.figure(), Qt::LeftButton, {}, middle(pal::inspect::cellRect(strip, 0, 3)));
        QCOMPARE(model->selection().layer, 3);
        QTRY_COMPARE(heads.figure().figure().panels.at(0).chosenRow, 2);
        QCOMPARE(layers.findChild<QComboBox*>(QStringLiteral("layers"))->currentData().toInt(), 3);
        // A click on a head in the other view comes back as the head here.
        const Panel& medians = heads.figure().figure().panels.at(0);
        QTest::mouseClick(&heads.figure(), Qt::LeftButton, {}, middle(pal::inspect::cellRect(medians, 3, 2)));
        QCOMPARE(model->selection().layer, 4);
        QCOMPARE(model->selection().head, 2);
        QTRY_COMPARE(layers.figure().figure().panels.at(0).chosenColumn, 4);
    }

    void altChoosesTheSecondToCompare() {
        const auto model = this->model();
        InspectPanel text(*model, theme_), both(*model, theme_);
        show(text, "tokens");
        show(both, "compare");
        QVERIFY(!both.figure().figure().message.empty());
        const Panel& tokens = text.figure().figure().panels.at(0);
        size_t at = 0;
        while (tokens.columns[at].target.begin != 33) ++at;
        QTest::mouseClick(&text.figure(), Qt::LeftButton, Qt::AltModifier, middle(tokens.places[at]));
        QCOMPARE(model->selection().tokens.begin, 30);
        QTRY_COMPARE(both.figure().figure().panels.size(), size_t{3});
        QVERIFY(both.figure().accessibleDescription().contains(QStringLiteral("33")));
    }

    void keysSpeakTheCellUnderTheCursor() {
        const auto model = this->model();
        InspectPanel panel(*model, theme_);
        show(panel, "context");
        FigureWidget& figure = panel.figure();
        figure.setFocus();
        QVERIFY(figure.accessibleName().contains(QStringLiteral("30")));  // the title, before the first key
        QVERIFY(!figure.accessibleDescription().isEmpty());
        QTest::keyClick(&figure, Qt::Key_Right);
        QTest::keyClick(&figure, Qt::Key_Right);
        QTest::keyClick(&figure, Qt::Key_Down);
        QVERIFY(figure.cursor().has_value());
        QCOMPARE(figure.cursor()->row, size_t{1});
        QCOMPARE(figure.cursor()->column, size_t{1});
        // Layer 5, page 1: both heads' mean; head 1 looks there, (5 + 1 + 30) % 7 = 1.
        const float both = (Uneven::mass(30, 5, 0, 7)[1] + Uneven::mass(30, 5, 1, 7)[1]) / 2;
        const QString spoken = figure.accessibleName();
        QVERIFY2(spoken.contains(QStringLiteral("layer 5")) && spoken.contains(QStringLiteral("page 1")),
                 qPrintable(spoken));
        QVERIFY2(spoken.contains(QString::fromStdString(pal::inspect::numberText(both))), qPrintable(spoken));
        QTest::keyClick(&figure, Qt::Key_End);
        QCOMPARE(figure.cursor()->column, size_t{6});
        QSignalSpy opened(model.get(), &InspectModel::regionOpened);
        QTest::keyClick(&figure, Qt::Key_Home);
        QTest::keyClick(&figure, Qt::Key_Right);
        QTest::keyClick(&figure, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened[0][0].value<pal::inspect::Region>().page, 1);
        QTest::keyClick(&figure, Qt::Key_Return);
        QCOMPARE(model->selection().layer, 5);
    }

    void filesHoldWhatIsDrawn() {
        const QTemporaryDir folder;
        const auto model = this->model();
        InspectPanel panel(*model, theme_);
        show(panel, "context");
        const Figure& figure = panel.figure().figure();
        const auto write = [&](FigureFile kind, const char* name, int scale = 1) {
            const QString path = folder.filePath(QString::fromLatin1(name));
            const auto done = writeFigure(figure, kind, scale, theme_.body(), path);
            QFile file(path);
            return done && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QCOMPARE(write(FigureFile::kCsv, "a.csv"), QByteArray::fromStdString(pal::inspect::csvOf(figure)));
        QCOMPARE(write(FigureFile::kJson, "a.json"), QByteArray::fromStdString(pal::inspect::jsonOf(figure)));
        QVERIFY(write(FigureFile::kSvg, "a.svg").contains("<svg"));
        for (int scale = 1; scale <= 4; ++scale) {
            QVERIFY(!write(FigureFile::kPng, "a.png", scale).isEmpty());
            const QImage image(folder.filePath(QStringLiteral("a.png")));
            QCOMPARE(image.width(), qRound(figure.width) * scale);
            // Every cell of the first heat has the colour of its value.
            const Panel& heat = figure.panels.at(0);
            for (size_t row = 0; row < heat.rows.size(); ++row) {
                for (size_t column = 0; column < heat.columns.size(); ++column) {
                    const Rect rect = pal::inspect::cellRect(heat, row, column);
                    const QPoint at(static_cast<int>((rect.x + rect.width * 0.3) * scale),
                                    static_cast<int>((rect.y + rect.height * 0.3) * scale));
                    QCOMPARE(image.pixel(at) & 0xFFFFFF, heat.scale.colour(heat.values[heat.cell(row, column)]));
                }
            }
        }
        const auto refused = writeFigure(figure, FigureFile::kCsv, 1, theme_.body(), QStringLiteral("/nowhere/a.csv"));
        QVERIFY(!refused && refused.error().message.find("/nowhere/a.csv") != std::string::npos);
    }

    void aFigureThatFindsNoMemoryIsToldAndTheNextOneIsMade() {
        const pal::inspect::View greedy{
            "greedy", "Greedy", {}, [](const pal::inspect::ViewInput&) -> pal::inspect::Figure {
                throw std::bad_alloc();
            }};
        FigureMaker maker;
        QSignalSpy failed(&maker, &FigureMaker::failed);
        QSignalSpy made(&maker, &FigureMaker::made);
        FigureWish wish;
        wish.view = &greedy;
        wish.source = std::make_shared<pal::inspect::MemorySource>(Uneven::options());
        maker.want(wish);
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed.front().front().value<pal::Error>().code, pal::ErrorCode::kOutOfMemory);
        wish.view = &pal::inspect::views().front();
        maker.want(wish);
        QTRY_COMPARE(made.count(), 1);
    }

    // Large pictures are painted by two threads, in memory that was used before: what they show is what one painter draws.
    void aPictureIsTheSameHoweverItIsPainted() {
        const auto model = this->model();
        FigurePainter painter;
        QImage before;  // shown while the next is painted
        for (const double scale : {1.0, 1.25, 2.0}) {
            for (const pal::inspect::View& view : pal::inspect::views()) {
                pal::inspect::ViewOptions options;
                options.width = 1403;
                options.height = 907;
                const Figure figure = view.build({model->source(), {{26, 31}, 3, 1}, options, {}, nullptr, {}});
                const pal::inspect::FigureStyle style = figureStyle(theme_);
                const QImage image = painter.paint(figure, style, theme_.body(), scale);
                QImage whole(image.size(), QImage::Format_RGB32);
                whole.setDevicePixelRatio(scale);
                {
                    QPainter alone(&whole);
                    ShapedTexts texts;
                    texts.use(theme_.body(), figure.textSize);
                    FigureCanvas canvas(alone, whole, 0, texts);
                    pal::inspect::paintFigure(figure, style, canvas);
                }
                QVERIFY2(image == whole, qPrintable(QStringLiteral("%1 at %2: %3")
                                                        .arg(QString::fromUtf8(view.name.data()))
                                                        .arg(scale)
                                                        .arg(firstDifference(image, whole))));
                QVERIFY(image.constBits() != before.constBits());
                before = image;
            }
        }
    }

    void cellsAreRectanglesOverWhatIsThere() {
        constexpr int kAcross = 7, kDown = 5;                                   // pixels of a cell
        const std::vector<uint32_t> pixels{0xFF102030, 0,          0x80C0A010,  //
                                           0x40FFFFFF, 0xFF0000FF, 0xFFFFFFFF};
        QImage got(40, 20, QImage::Format_RGB32);
        got.fill(QColor(200, 90, 33));
        QImage want = got, blown(3 * kAcross, 2 * kDown, QImage::Format_ARGB32_Premultiplied);
        for (int y = 0; y < blown.height(); ++y)
            for (int x = 0; x < blown.width(); ++x)
                blown.setPixel(x, y, qPremultiply(pixels[static_cast<size_t>(y / kDown * 3 + x / kAcross)]));
        {
            QPainter painter(&want);
            painter.drawImage(4, 6, blown);
        }
        {
            QPainter painter(&got);
            ShapedTexts texts;
            FigureCanvas canvas(painter, got, 0, texts);
            canvas.cells({4, 6, 3 * kAcross, 2 * kDown}, {3, 2, pixels});
        }
        QVERIFY(got == want);
        QVERIFY(got.pixel(4, 6) == 0xFF102030 && got.pixel(4 + kAcross, 6) == qRgb(200, 90, 33));
    }

    void zoomKeepsWhatIsUnderThePointer() {
        const auto model = this->model();
        InspectPanel panel(*model, theme_);
        show(panel, "writes");
        const auto shown = [&] {
            const auto& columns = panel.figure().figure().panels.at(0).columns;
            return std::pair(columns.front().target.begin, columns.back().target.end);
        };
        QCOMPARE(shown(), (std::pair<int64_t, int64_t>(24, 37)));
        Q_EMIT panel.figure().zoomed(13.0 / 8, 1.0);
        QTRY_COMPARE(shown(), (std::pair<int64_t, int64_t>(29, 37)));
        Q_EMIT panel.figure().panned(-0.25);
        QTRY_COMPARE(shown(), (std::pair<int64_t, int64_t>(27, 35)));
        Q_EMIT panel.figure().shownAll();
        QTRY_COMPARE(shown(), (std::pair<int64_t, int64_t>(24, 37)));
    }

    // The window goes on while a view waits for the disk, and nothing is read for a view that nobody sees.
    void aSlowDiskDoesNotHoldTheWindow() {
        const auto store = std::make_shared<SlowStore>();
        auto options = Uneven::options();
        options.store = store;
        InspectModel model;
        const auto source = std::make_shared<pal::inspect::MemorySource>(std::move(options));
        source->setRegions({24, 37}, Uneven::regions(6));
        model.setSource(source);
        InspectPanel panel(model, theme_);
        panel.resize(900, 760);
        panel.setView("gates");
        QTest::qWait(100);
        QCOMPARE(store->reads(), 1);  // hidden
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        for (int64_t token = 25; token < 30; ++token) {
            model.selectTokens({token, token + 1});
            QTest::qWait(20);
        }
        QVERIFY(panel.figure().figure().panels.empty());
        store->go();
        QTRY_VERIFY(panel.figure().figure().title.find("29") != std::string::npos);
        panel.hide();
        QTest::qWait(50);
        const int before = store->reads();
        model.selectTokens({35, 36});
        QTest::qWait(100);
        QCOMPARE(store->reads(), before);
        QVERIFY(panel.figure().figure().title.find("29") != std::string::npos);
        panel.show();
        QTRY_VERIFY(panel.figure().figure().title.find("35") != std::string::npos);
    }

    void filesAreWrittenBesideTheWindow() {
        const QTemporaryDir folder;
        const auto model = this->model();
        InspectPanel panel(*model, theme_);
        show(panel, "depth");
        FigureMaker maker;
        QSignalSpy written(&maker, &FigureMaker::written);
        const QString path = folder.filePath(QStringLiteral("a.csv"));
        maker.write(panel.figure().figure(), FigureFile::kCsv, 1, theme_.body(), path);
        QTRY_COMPARE(written.count(), 1);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray::fromStdString(pal::inspect::csvOf(panel.figure().figure())));
        std::stop_source stop;
        stop.request_stop();
        const QString none = folder.filePath(QStringLiteral("b.png"));
        const auto stopped =
            writeFigure(panel.figure().figure(), FigureFile::kPng, 4, theme_.body(), none, stop.get_token());
        QVERIFY(!stopped && stopped.error().code == pal::ErrorCode::kCancelled);
        QVERIFY(!QFile::exists(none));
    }

    void theNewestTokenIsSelectedUntilSomeoneChooses() {
        InspectModel model;
        model.setSource(std::make_shared<pal::inspect::MemorySource>(Uneven::options()));
        const auto come = [&](int64_t token) {
            model.grow([&](pal::inspect::MemorySource& source) {
                source.add(Uneven::token(token, 7), pal::inspect::Capture::kLive);
            });
        };
        come(40);
        QCOMPARE(model.selection().tokens.begin, 40);
        come(41);
        QCOMPARE(model.selection().tokens.begin, 41);
        model.choose({.layer = 3});  // no other tokens
        come(42);
        QCOMPARE(model.selection().tokens.begin, 42);
        QCOMPARE(model.selection().layer, 3);
        model.selectTokens({40, 42});
        come(43);
        QCOMPARE(model.selection().tokens.begin, 40);
        QCOMPARE(model.selection().tokens.end, 42);
    }

    void streamsWhileTokensCome() {
        const auto model = this->model();
        InspectPanel panel(*model, theme_);
        show(panel, "writes");
        model->grow([](pal::inspect::MemorySource& source) {
            source.setRegions({37, 38}, Uneven::regions(6));
            source.add(Uneven::token(37, 7), pal::inspect::Capture::kLive);
        });
        QTRY_COMPARE(panel.figure().figure().panels.at(0).columns.back().target.begin, 37);
    }
};

QTEST_MAIN(InspectPanelTest)
#include "inspect_panel_test.moc"
