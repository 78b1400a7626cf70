// SPDX-License-Identifier: Apache-2.0
// Pictures of every view on the guided example, made on the offscreen platform with the embedded model.
//   view_shots OUT [light|dark] [WIDTHxHEIGHT [VIEWS]]    of the window and of the part with the views; language and scale come from the
//                                                         environment (tests/gui/screenshots sets them)
#include <QApplication>
#include <QDir>
#include <QTextStream>

#include "app/desktop/inspect/inspect_dock.h"
#include "tests/gui/inspect/guided_example.h"

using namespace pal::desktop;
using namespace pal::desktop::test;

namespace {

constexpr QSize kUsual(1500, 900);

class ViewShots {
  public:
    ViewShots(Window& window, QString out, QString look)
        : window_(window), out_(std::move(out)), look_(std::move(look)) {}

    // One view alone, then nothing else changes.
    void take(std::string_view view, const char* name) {
        InspectPanel& panel = window_.main().inspect().panel();
        panel.setView(view);
        settle(panel, view);
        save(&panel, name);
    }
    // Waits until the view is there, in the size that its texts leave it, and stays as it is.
    static void settle(InspectPanel& panel, std::string_view view) {
        QImage before;
        static_cast<void>(QTest::qWaitFor(
            [&] {
                QTest::qWait(200);
                const QImage now = panel.grab().toImage();
                const auto& figure = panel.figure().figure();
                return figure.view == view && figure.width == panel.figure().width() &&
                       std::exchange(before, now) == now;
            },
            kPatienceMs));
    }
    void save(QWidget* widget, const char* name) {
        const QString file =
            QDir(out_).filePath(QStringLiteral("view-%1-%2.png").arg(QString::fromLatin1(name), look_));
        widget->grab().save(file);
        QTextStream(stdout) << file << '\n';
    }

    void select(const pal::inspect::TokenSpan& tokens, int64_t layer, int64_t head) {
        window_.main().inspect().model().select({tokens, layer, head});
    }
    // The selection with every value of these layers.
    bool look(const pal::inspect::TokenSpan& tokens, const std::vector<int64_t>& layers) {
        InspectFeed& feed = window_.main().inspect().feed();
        QSignalSpy ended(&feed, &InspectFeed::lookEnded);
        feed.look(tokens, layers);
        return QTest::qWaitFor([&] { return ended.count() == 1; }, kPatienceMs);
    }

  private:
    Window& window_;
    QString out_, look_;
};

bool shootDocument(Window& window, GuidedExample& example, ViewShots& shots) {
    const auto end = example.document();
    if (!end || end->error) return false;
    InspectDock& dock = window.main().inspect();
    const auto span = dock.feed().spanOf(end->report.reply);
    if (!span) return false;
    shots.select(*span, -1, -1);
    for (const char* view : {"layers", "tokens", "context", "attention", "model", "half-life", "writes", "state",
                             "gates", "depth", "routing"})
        shots.take(view, view);
    shots.save(&window.main(), "window");
    if (!shots.look({std::max<int64_t>(0, span->begin - 40), span->end}, {0, 3})) return false;
    shots.select({span->begin, span->begin + 1}, 0, 1);
    for (const char* view : {"half-life", "state", "reads"}) shots.take(view, (std::string(view) + "-full").c_str());
    shots.select({span->begin, span->begin + 1}, 3, 0);
    shots.take("attention", "attention-full");
    dock.model().chooseOther({.begin = span->end - 2, .end = span->end - 1});
    shots.take("compare", "compare");
    return true;
}

// The answer to a question about a picture or a clip.
bool shootMedium(Window& window, ViewShots& shots, const std::optional<TurnEnd>& end, const std::string& name) {
    const auto span = end ? window.main().inspect().feed().spanOf(end->report.reply) : std::nullopt;
    if (!span) return false;
    shots.select(*span, -1, -1);
    shots.take("overlay", ("overlay-" + name).c_str());
    QTest::qWait(1500);  // the picture itself is loaded
    shots.take("overlay", ("overlay-" + name).c_str());
    shots.take("context", ("context-" + name).c_str());
    return true;
}

// The question with the keys, read again so that its own tokens are shown.
bool shootKeys(Window& window, GuidedExample& example, ViewShots& shots) {
    const auto end = example.keys();
    const auto span = end ? window.main().inspect().feed().spanOf(end->report.question) : std::nullopt;
    if (!span || !shots.look(*span, {0})) return false;
    shots.select(*span, 0, -1);
    shots.take("writes", "writes-keys");
    shots.select({span->end - 1, span->end}, 0, 0);
    shots.take("reads", "reads-keys");
    return true;
}

int shoot(const QString& out, const QString& scheme, const QSize& size, int views) {
    const QTemporaryDir folder;
    Window window(folder.path());
    window.main().resize(size);
    const bool dark = scheme == QStringLiteral("dark");
    window.main().actions().get(dark ? Command::kSchemeDark : Command::kSchemeLight)->trigger();
    if (!window.start()) return 1;
    QDir().mkpath(out);
    window.main().actions().get(Command::kInspect)->setChecked(true);
    window.main().resizeDocks({&window.main().inspect()}, {views}, Qt::Horizontal);
    QString look = QStringLiteral("%1-%2-%3x").arg(scheme, QLocale::system().name()).arg(qApp->devicePixelRatio());
    if (size != kUsual) look += QStringLiteral("-%1x%2").arg(size.width()).arg(size.height());
    ViewShots shots(window, out, look);
    GuidedExample example(window, folder.path());
    if (!shootDocument(window, example, shots)) return 1;
    if (!shootMedium(window, shots, example.picture(), "picture")) return 1;
    if (!shootMedium(window, shots, example.clip(), "clip")) return 1;
    if (!shootKeys(window, example, shots)) return 1;
    return window.close() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    std::vector<std::unique_ptr<QTranslator>> translators;
    prepareApplication(translators);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() < 2) {
        QTextStream(stderr) << "usage: view_shots OUT [light|dark] [WIDTHxHEIGHT [VIEWS]]\n";
        return 2;
    }
    const QStringList size = arguments.value(3).split(u'x');
    return shoot(arguments[1], arguments.value(2, QStringLiteral("light")),
                 size.size() == 2 ? QSize(size[0].toInt(), size[1].toInt()) : kUsual,
                 arguments.value(4, QStringLiteral("820")).toInt());
}
