// SPDX-License-Identifier: Apache-2.0
// Parts of the window that need no engine.
#include <QAccessible>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QLocalSocket>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTranslator>
#include <QTreeWidget>
#include <set>
#include <thread>

#include "app/composition/model_choice.h"
#include "app/desktop/bridge/error_text.h"
#include "app/desktop/bridge/plain_words.h"
#include "app/desktop/chat/message_tree.h"
#include "app/desktop/chat/turn_line.h"
#include "app/desktop/composer/attachment_model.h"
#include "app/desktop/composer/attachment_reader.h"
#include "app/desktop/frame/about.h"
#include "app/desktop/frame/command_palette.h"
#include "app/desktop/frame/diagnostics.h"
#include "app/desktop/frame/log_file.h"
#include "app/desktop/frame/main_window.h"
#include "app/desktop/frame/notice_bar.h"
#include "app/desktop/frame/preferences.h"
#include "app/desktop/frame/shortcut_list.h"
#include "app/desktop/frame/single_instance.h"
#include "app/desktop/models/load_plan.h"
#include "app/desktop/models/model_dialog.h"
#include "app/desktop/models/presets.h"
#include "app/desktop/models/settings_dialog.h"

using namespace pal::desktop;

namespace {

// Everything that takes the focus and has no name for a screen reader.
QStringList nameless(const QWidget& window) {
    QStringList out;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisibleTo(&window)) continue;
        if (widget->objectName().startsWith(QStringLiteral("qt_"))) continue;
        if (const auto* label = qobject_cast<QLabel*>(widget); label != nullptr && label->text().isEmpty()) continue;
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
        if (face == nullptr || !face->text(QAccessible::Name).isEmpty()) continue;
        // The editor inside a box has the box's name.
        if (qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) != nullptr) continue;
        if (qobject_cast<QComboBox*>(widget->parentWidget()) != nullptr) continue;
        out << QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') + widget->objectName();
    }
    return out;
}

// Presses Tab until it comes round; everything it came to, in that order.
QList<QWidget*> tabOrder() {
    QList<QWidget*> order;
    for (int i = 0; i < 200; ++i) {
        QWidget* at = QApplication::focusWidget();
        if (at == nullptr || (!order.isEmpty() && at == order.front())) break;
        order << at;
        QTest::keyClick(at, Qt::Key_Tab);
    }
    return order;
}

// Everything that can have the focus by Tab and is not in `order`.
QStringList missedBy(const QList<QWidget*>& order, const QWidget& window) {
    QStringList out;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        const bool takes = (widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus && widget->focusProxy() == nullptr;
        if (takes && widget->isVisible() && widget->isEnabled() && widget->window() == &window &&
            !order.contains(widget))
            out << QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ') + widget->objectName();
    }
    return out;
}

pal::MessageNode node(pal::MessageId id, pal::MessageId parent) {
    pal::MessageNode out;
    out.id = id;
    out.parent = parent;
    return out;
}

}  // namespace

class FrameTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void logsHaveCategoriesAndRotate() {
        const QTemporaryDir folder;
        const std::filesystem::path place = folder.filePath(QStringLiteral("log")).toStdString();
        const auto lines = [&](const char* name) {
            QFile file(QString::fromStdString((place / name).string()));
            return file.open(QIODevice::ReadOnly) ? file.readAll().split('\n') : QList<QByteArray>();
        };
        {
            auto log = LogFile::open(place, {1000, 3});
            QVERIFY(log);
            QVERIFY(!LogFile::open(place, {}));  // one in a process
            qCInfo(logModel) << "loaded";
            qCDebug(logModel) << "not at this level";
            const QByteArray line = lines("palimpsest.log").front();
            QVERIFY2(line.endsWith(" info pal.model loaded"), line.constData());
            QVERIFY(
                QDateTime::fromString(QString::fromLatin1(line.left(line.indexOf(' '))), Qt::ISODateWithMs).isValid());
            QCOMPARE(lines("palimpsest.log").size(), 2);
            std::vector<std::thread> writers;
            for (int t = 0; t < 4; ++t)
                writers.emplace_back([] {
                    for (int i = 0; i < 50; ++i) qCInfo(logTurn) << "a line from some thread";
                });
            for (std::thread& writer : writers) writer.join();
        }
        qCInfo(logModel) << "nobody listens";
        QCOMPARE(QDir(QString::fromStdString(place.string())).entryList(QDir::Files).size(), 3);
        for (const char* name : {"palimpsest.log", "palimpsest.log.1", "palimpsest.log.2"}) {
            QVERIFY(lines(name).size() > 1 && lines(name).join('\n').size() <= 1000);
            for (const QByteArray& line : lines(name)) QVERIFY(line.isEmpty() || line.endsWith("thread"));
        }
        QVERIFY(LogFile::open(place, {}));
    }

    void everyControlHasANameAndEveryShortcutIsItsOwn() {
        const QTemporaryDir folder;
        Theme theme(Scheme::kLight);
        Preferences preferences(folder.path());
        Bridge bridge;
        MainWindow window(bridge, theme, preferences);
        window.show();
        QCOMPARE(nameless(window).join(QStringLiteral(", ")), QString());
        window.actions().get(Command::kInspect)->setChecked(true);
        window.actions().get(Command::kFind)->trigger();
        QCOMPARE(nameless(window).join(QStringLiteral(", ")), QString());
        std::set<QString> keys;
        for (const QAction* action : window.actions().all()) {
            const QString key = action->shortcut().toString();
            QVERIFY2(key.isEmpty() || keys.insert(key).second, qPrintable(key));
        }
        QVERIFY(keys.size() > 20);
    }

    // Tab comes to everything that can have the focus, from the top left to the bottom right of each part, and round.
    void tabGoesThroughTheWholeWindow() {
        const QTemporaryDir folder;
        Theme theme(Scheme::kLight);
        Preferences preferences(folder.path());
        Bridge bridge;
        MainWindow window(bridge, theme, preferences);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* panel = window.findChild<SessionPanel*>(QStringLiteral("sessions"));
        panel->focusSearch();
        const QList<QWidget*> order = tabOrder();
        QCOMPARE(missedBy(order, window).join(QStringLiteral(", ")), QString());
        const auto place = [&](const QString& name) { return order.indexOf(window.findChild<QWidget*>(name)); };
        QVERIFY(place(QStringLiteral("modelButton")) > order.indexOf(panel->findChild<QLineEdit*>()));
        for (QWidget* widget : order) {
            const bool write = window.findChild<Composer*>()->isAncestorOf(widget);
            if (write) QVERIFY(order.indexOf(widget) > place(QStringLiteral("modelButton")));
        }
        QCOMPARE(std::count_if(order.begin(), order.end(), [&](QWidget* w) { return panel->isAncestorOf(w); }),
                 std::count_if(order.begin(), order.begin() + place(QStringLiteral("modelButton")),
                               [&](QWidget* w) { return panel->isAncestorOf(w); }));
    }

    // A dialog is named control by control, Tab comes to all of them and round, and Escape leaves it.
    void everyDialogWorksWithoutAMouse() {
        const QTemporaryDir folder;
        Theme theme(Scheme::kLight);
        Preferences preferences(folder.path());
        Bridge bridge;
        MainWindow window(bridge, theme, preferences);
        window.show();
        std::vector<std::unique_ptr<QDialog>> dialogs;
        dialogs.push_back(std::make_unique<ModelDialog>(bridge, RuntimeChoice{}, theme, &window));
        dialogs.push_back(
            std::make_unique<SettingsDialog>(pal::SessionSettings{}, Presets(folder.path()), theme, &window));
        dialogs.push_back(std::make_unique<About>(theme, &window));
        dialogs.push_back(std::make_unique<ShortcutList>(*window.menuBar(), theme, &window));
        dialogs.push_back(std::make_unique<CommandPalette>(window.actions().all(), &window));
        for (const auto& dialog : dialogs) {
            const QString about = QLatin1String(dialog->metaObject()->className()) + QLatin1Char(' ');
            dialog->show();
            dialog->activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(dialog.get()));
            QVERIFY2(nameless(*dialog).isEmpty(), qPrintable(about + nameless(*dialog).join(QStringLiteral(", "))));
            if (QApplication::focusWidget() == nullptr) QTest::keyClick(dialog.get(), Qt::Key_Tab);
            const QStringList missed = missedBy(tabOrder(), *dialog);
            QVERIFY2(missed.isEmpty(), qPrintable(about + missed.join(QStringLiteral(", "))));
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
            QVERIFY2(!dialog->isVisible(), qPrintable(about));
        }
    }

    void theListOfShortcutsHasEveryKey() {
        const QTemporaryDir folder;
        Theme theme(Scheme::kLight);
        Preferences preferences(folder.path());
        Bridge bridge;
        MainWindow window(bridge, theme, preferences);
        ShortcutList list(*window.menuBar(), theme, &window);
        list.show();
        QCOMPARE(nameless(list).join(QStringLiteral(", ")), QString());
        const auto* tree = list.findChild<QTreeWidget*>();
        for (const QAction* action : window.actions().all()) {
            const QString keys = action->shortcut().toString(QKeySequence::NativeText);
            if (!keys.isEmpty())
                QVERIFY2(!tree->findItems(keys, Qt::MatchExactly | Qt::MatchRecursive, 1).isEmpty(), qPrintable(keys));
        }
        const QRect first = tree->visualItemRect(tree->topLevelItem(0)->child(0));
        QVERIFY(first.isValid() && tree->viewport()->rect().contains(first.center()));
    }

    void settingsComeBackAsTheyWere() {
        const QTemporaryDir folder;
        const Theme theme(Scheme::kLight);
        pal::SessionSettings given;
        given.system = "Be brief.\n简短。";
        given.thinking = pal::Thinking::kOff;
        given.sampling.temperature = 0.25F;
        given.sampling.topP = 0.5F;
        given.sampling.topK = 40;
        given.sampling.presencePenalty = 1.5F;  // not shown
        given.sampling.seed = uint64_t{1} << 40;
        given.maxTokens = 77;
        given.stops = {"END"};
        const SettingsDialog dialog(given, Presets(folder.path()), theme, nullptr);
        QCOMPARE(settingsText(dialog.settings()), settingsText(given));
    }

    void presetsAreFiles() {
        const QTemporaryDir folder;
        Presets presets(folder.filePath(QStringLiteral("presets")));
        const size_t builtIn = presets.all().size();
        pal::SessionSettings settings;
        settings.system = "You are a judge.";
        QVERIFY(presets.save(QStringLiteral("Judge 法官"), settings));
        QVERIFY(!presets.save(QStringLiteral("../x"), settings));
        QVERIFY(!presets.save({}, settings));
        QCOMPARE(presets.all().size(), builtIn + 1);
        QCOMPARE(presets.all().back().settings.system, settings.system);
        QFile broken(folder.filePath(QStringLiteral("broken.json")));
        QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("[1") == 2);
        broken.close();
        QVERIFY(!presets.import(broken.fileName()));
        QVERIFY(presets.remove(QStringLiteral("Judge 法官")));
        QCOMPARE(presets.all().size(), builtIn);
    }

    void onlyPresetsOfTheUserCanBeRemoved() {
        const QTemporaryDir folder;
        const Theme theme(Scheme::kLight);
        Presets presets(folder.path());
        QVERIFY(presets.save(QStringLiteral("Mine"), {}));
        const SettingsDialog dialog({}, presets, theme, nullptr);
        auto* list = dialog.findChild<QComboBox*>();
        QPushButton* remove = nullptr;
        for (auto* button : dialog.findChildren<QPushButton*>())
            if (button->text() == SettingsDialog::tr("Remove")) remove = button;
        QVERIFY(list != nullptr && remove != nullptr);
        QVERIFY(!remove->isEnabled());
        list->setCurrentIndex(1);
        QVERIFY(!remove->isEnabled());
        list->setCurrentIndex(list->findText(QStringLiteral("Mine")));
        QVERIFY(remove->isEnabled());
        remove->click();
        QVERIFY(!remove->isEnabled());
        QCOMPARE(list->findText(QStringLiteral("Mine")), -1);
    }

    void preferencesSurviveAndBadOnesAreNotChosen() {
        const QTemporaryDir folder;
        {
            Preferences preferences(folder.path());
            pal::EngineOptions engine;
            engine.device = pal::Device::kCuda;
            engine.contextTokens = 9'000'000'000;
            preferences.setModel(QStringLiteral("/m/é"), engine);
            preferences.setZoom(1.5);
            preferences.setScheme(Preferences::SchemeChoice::kDark);
            preferences.setLastSession(7);
        }
        Preferences preferences(folder.path());
        QCOMPARE(preferences.model(), QStringLiteral("/m/é"));
        QVERIFY(preferences.engine().device == pal::Device::kCuda);
        QCOMPARE(preferences.engine().contextTokens, 9'000'000'000);
        QCOMPARE(preferences.zoom(), 1.5);
        QVERIFY(preferences.scheme() == Preferences::SchemeChoice::kDark);
        QCOMPARE(preferences.lastSession(), 7);
        QSettings file(preferences.file(), QSettings::IniFormat);
        file.setValue(QStringLiteral("look/zoom"), QStringLiteral("huge"));
        file.setValue(QStringLiteral("window/session"), -5);
        file.sync();
        preferences.sync();
        QCOMPARE(Preferences(folder.path()).zoom(), 1.0);
        QCOMPARE(Preferences(folder.path()).lastSession(), 0);
    }

    void aSecondProgramHandsOverItsFiles() {
        const QTemporaryDir folder;
        QVERIFY(!SingleInstance(folder.path()).handOver({}));
        SingleInstance first(folder.path());
        QVERIFY(first.listen());
        QSignalSpy asked(&first, &SingleInstance::asked);
        // It waits for an answer, so it runs beside this one.
        bool taken = false;
        std::thread second([&] { taken = SingleInstance(folder.path()).handOver({QStringLiteral("/tmp/a b\n.pdf")}); });
        QTRY_COMPARE(asked.count(), 1);
        second.join();
        QVERIFY(taken);
        QCOMPARE(asked.front().front().toStringList(), QStringList({QStringLiteral("/tmp/a b\n.pdf")}));
        const QTemporaryDir other;
        QVERIFY(!SingleInstance(other.path()).handOver({}));
    }

    void noticesWaitForEachOtherAndCanBeUndone() {
        const Theme theme(Scheme::kLight);
        NoticeBar bar(theme);
        int undone = 0;
        bar.add({NoticeBar::Kind::kError, QStringLiteral("first")});
        bar.add({NoticeBar::Kind::kError, QStringLiteral("first")});
        bar.add({NoticeBar::Kind::kInfo, QStringLiteral("undo me"), QStringLiteral("Undo"), [&] { ++undone; }});
        QCOMPARE(bar.text(), QStringLiteral("undo me"));
        bar.act();
        QCOMPARE(undone, 1);
        QCOMPARE(bar.text(), QStringLiteral("first"));
        bar.act();
        QVERIFY(!bar.isVisible());
    }

    void commandsAreNamedWithoutTheMarksOfTheirKeys() {
        QCOMPARE(plainName(QStringLiteral("M&odel")), QStringLiteral("Model"));
        QCOMPARE(plainName(QStringLiteral("Files && &folders")), QStringLiteral("Files & folders"));
        QCOMPARE(plainName(QString::fromUtf8("添加附件(&A)…")), QString::fromUtf8("添加附件…"));
        QCOMPARE(plainName(QStringLiteral("Answer (again)")), QStringLiteral("Answer (again)"));
    }

    void commandsAreFoundByLetters() {
        QVERIFY(fuzzyScore(QStringLiteral("ns"), QStringLiteral("New session")) >
                fuzzyScore(QStringLiteral("ns"), QStringLiteral("Answer again")));
        QCOMPARE(fuzzyScore(QStringLiteral("xyz"), QStringLiteral("New session")), -1);
        QVERIFY(fuzzyScore(QStringLiteral("SESS"), QStringLiteral("New session")) > 0);
    }

    void branchesAreFollowedToTheirEnds() {
        const MessageTree tree({node(1, 0), node(2, 1), node(3, 1), node(4, 2), node(5, 3), node(6, 5)});
        QCOMPARE(tree.siblings(2), std::vector<pal::MessageId>({2, 3}));
        QCOMPARE(tree.newestBelow(1), 6);
        QCOMPARE(tree.newestBelow(2), 4);
        QVERIFY(tree.isAbove(3, 6));
        QVERIFY(!tree.isAbove(2, 6));
        QCOMPARE(tree.parent(99), 0);
    }

    void readingIsSaidWithWhatIsLeft() {
        pal::PrefillProgress at;
        at.reused = 80'000;
        at.computed = 5'000;
        at.total = 100'000;
        const QString line = TurnLine::ofReading(at, 500);
        QVERIFY2(line.contains(QStringLiteral("85,000 of 100,000")), qPrintable(line));
        QVERIFY(line.contains(QStringLiteral("80,000 from stored")));
        QVERIFY(line.contains(QStringLiteral("30 s left")));
        QVERIFY(!TurnLine::ofReading(at, 0).contains(QStringLiteral("left")));
    }

    void plansAddUp() {
        pal::ModelSummary summary;
        summary.weightBytes = 1'000;
        summary.parts = {{"routed experts", 1, 600}, {"head", 1, 400}};
        summary.latentBytesPerToken = 2;
        summary.contextTokens = 50;
        summary.checkpointBytes = 30;
        summary.workspaceBytes = 70;
        LoadPlan plan = loadPlan(summary, pal::LatentType::kFloat32);
        QCOMPARE(plan.bytes(), uint64_t{1'200});
        QCOMPARE(loadPlan(summary, pal::LatentType::kBFloat16).bytes(), uint64_t{1'150});
        QVERIFY(!plan.fits());
        plan.freeBytes = 1'199;
        QCOMPARE(plan.fits(), std::optional<bool>(false));
        plan.memoryBytes = plan.freeBytes = 1'200;
        QCOMPARE(LoadPlanText::verdict(plan, pal::Device::kCuda),
                 QStringLiteral("1.17 KiB needed, 1.17 KiB free: fits\nPlanned for 50 tokens of context"));
        QVERIFY(machineMemory().total >= machineMemory().available && machineMemory().available > 0);
    }

    void aGpuLeavesExpertsInRam() {
        pal::ModelSummary summary;
        summary.contextTokens = 1000;
        summary.gpu.weightBytes = 4'000'000'000;
        summary.gpu.weightReadBytes = 3'000'000'000;
        summary.gpu.expertLayers.assign(10, 1'000'000'000);
        summary.gpu.experts = 10;
        summary.gpu.expertsPerToken = 1;
        summary.gpu.stateBytes = 100'000'000;
        summary.gpu.latentNumbersPerToken = 1000;
        pal::EngineOptions options;
        pal::GpuMemory gpu{"card", 24'000'000'000, 16'000'000'000, 0, 1e12, 1e10};
        const auto all = gpuLoadPlan(summary, options, gpu);
        QVERIFY(all.has_value());
        QCOMPARE(all->ramLayers, 0);
        QVERIFY(*all->fits());
        QVERIFY(!LoadPlanText::verdict(*all, pal::Device::kCuda).contains(QStringLiteral("RAM")));
        gpu.freeBytes = 12'000'000'000;  // another program has the rest
        const auto some = gpuLoadPlan(summary, options, gpu);
        QVERIFY(some.has_value() && *some->fits());
        QVERIFY(some->ramLayers > 0);
        QCOMPARE(some->ramBytes, uint64_t(some->ramLayers) * 1'000'000'000);
        QVERIFY(some->bytes() + some->ramBytes > all->bytes());
        const QString verdict = LoadPlanText::verdict(*some, pal::Device::kCuda);
        QVERIFY2(verdict.contains(QStringLiteral("of 10 layers")), qPrintable(verdict));
        QVERIFY2(verdict.contains(QStringLiteral("tokens per second")), qPrintable(verdict));
        options.gpuBytes = 8'000'000'000;
        QVERIFY(gpuLoadPlan(summary, options, gpu)->ramLayers > some->ramLayers);
        options.gpuBytes = 0;
        gpu.ramBytes = some->ramBytes;
        QVERIFY(*gpuLoadPlan(summary, options, gpu)->fits());
        --gpu.ramBytes;
        const auto noRam = gpuLoadPlan(summary, options, gpu);
        QCOMPARE(noRam->fits(), std::optional<bool>(false));
        const QString lacks = LoadPlanText::verdict(*noRam, pal::Device::kCuda);
        QVERIFY2(lacks.contains(QStringLiteral("do not fit in RAM")), qPrintable(lacks));
        gpu.ramBytes = 0;
        gpu.freeBytes = 3'000'000'000;
        const auto noRoom = gpuLoadPlan(summary, options, gpu);
        QCOMPARE(noRoom->fits(), std::optional<bool>(false));
        const QString small = LoadPlanText::verdict(*noRoom, pal::Device::kCuda);
        QVERIFY2(small.contains(QStringLiteral("2.79 GiB free: does not fit")), qPrintable(small));
        QVERIFY2(!small.contains(QStringLiteral("tokens per second")), qPrintable(small));
    }

    void modelsAreCalledByTheirNames() {
        using pal::modelName;
        QCOMPARE(modelName("/models/Kimi-Linear-48B-A3B-Instruct/"), std::string("Kimi-Linear-48B-A3B-Instruct"));
        QCOMPARE(modelName("/c/hub/models--moonshotai--Kimi-K3/snapshots/0123abcd"), std::string("Kimi-K3"));
        QCOMPARE(modelName("/c/hub/models--gpt2/snapshots/0123abcd"), std::string("gpt2"));
        QCOMPARE(modelName("/c/models--a--b/refs"), std::string("refs"));
        QCOMPARE(modelName("."), std::filesystem::current_path().filename().string());
    }

    void namesThatAreTooLongEndInAnEllipsis() {
        ElidedLabel label;
        label.setText(QStringLiteral("A name that is much longer than the place that there is for it"));
        label.resize(label.sizeHint());
        const auto ink = [&] { return label.grab().toImage(); };
        const QImage whole = ink();
        label.resize(label.width() / 2, label.height());
        QVERIFY(label.minimumSizeHint().width() == 0);
        QVERIFY(ink() != whole.copy(QRect(QPoint(), ink().size())));  // not only cut off
        QCOMPARE(QAccessible::queryAccessibleInterface(&label)->text(QAccessible::Name), label.text());
    }

    // What a card says of a file that cannot be read comes from programs that know no language.
    void whatIsWrongWithAFileIsSaidInTheUsersLanguage() {
        const QTemporaryDir folder;
        const auto write = [&](const char* name, const QByteArray& bytes) {
            QFile file(folder.filePath(QString::fromLatin1(name)));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        };
        write("empty.txt", {});
        write("packed.gz", "\x1F\x8B\x08 and more");
        write("noise.wav", QByteArray("RIFF\0\0\0\0WAVEfmt ", 16));
        write("half.pdf", "%PDF-1.7\n1 0 obj\n<< /Type /Catalog");
        QDir(folder.path()).mkdir(QStringLiteral("letters"));
        QTranslator german;
        QVERIFY(german.load(QStringLiteral(":/palimpsest/translations/palimpsest_de.qm")));
        QCoreApplication::installTranslator(&german);
        AttachmentModel model;
        const auto said = [&](const char* name) {
            const std::filesystem::path path = folder.filePath(QString::fromLatin1(name)).toStdString();
            AttachmentItem item;
            item.facts.file = pal::AttachedFile::file(pal::AttachedKind::kDocument, path);
            model.clear();
            model.insert(0, item);
            AttachmentOrder order{item.facts.file, {}, {}, {}};
            order.reading.helper = PAL_EXTRACT;
            const auto facts = readAttachment(order, [](double) {}, {});
            if (!facts) model.setFailed(item.id, facts.error());
            return model.index(0).data(AttachmentModel::kDetailRole).toString();
        };
        QCOMPARE(said("empty.txt"), QStringLiteral("die Datei ist leer"));
        QCOMPARE(said("packed.gz"), QStringLiteral("ein Archiv; packen Sie es zuerst aus"));
        QCOMPARE(said("noise.wav"), QStringLiteral("eine Tondatei"));
        QVERIFY2(said("half.pdf").startsWith(QStringLiteral("ein beschädigtes oder unvollständiges PDF (")),
                 qPrintable(said("half.pdf")));
        QCOMPARE(said("letters"), QStringLiteral("ein Ordner; hängen Sie die Dateien darin an"));
        QCOMPARE(said("gone.txt"), QStringLiteral("es ist nicht (mehr) da"));
        // A warning has its place before it, and numbers are written as the language does.
        QCOMPARE(
            plainWords(QStringLiteral("a: b.pdf, page 3: has no text; shown as a picture it would take 12345 tokens")),
            QStringLiteral("a: b.pdf, Seite 3: hat keinen Text; als Bild gezeigt kostet sie %1 Tokens")
                .arg(QLocale().toString(12345)));
        QCOMPARE(errorText({pal::ErrorCode::kIo, "/data/chats.db: after 4096 bytes: No space left on device"}),
                 QStringLiteral("Die Platte ist voll: /data/chats.db"));
        QCOMPARE(errorText({pal::ErrorCode::kNotFound, "/data/x.txt: No such file or directory"}),
                 QStringLiteral("Es ist nicht (mehr) da: /data/x.txt"));
        QCOMPARE(
            errorText({pal::ErrorCode::kIo, "states: /data/x: COMMIT: disk I/O error (10)"}),
            QStringLiteral("Das System hat abgelehnt: states: /data/x: COMMIT: die Platte antwortet nicht oder ist "
                           "beschädigt (10)"));
        QCoreApplication::removeTranslator(&german);
        QCOMPARE(errorText({pal::ErrorCode::kIo, "/data/x.part: Read-only file system"}),
                 QStringLiteral("The disk may only be read: /data/x.part"));
        // What a place holds is no place itself.
        QCOMPARE(plainWords(QStringLiteral("the picture \"%1 %2\" is not in the file")),
                 QStringLiteral("the picture “%1 %2” is not in the file"));
        QCOMPARE(plainWords(QStringLiteral("something else")), QStringLiteral("something else"));
    }

    void diagnosticsNameNobody() {
        const QString home = QDir::homePath();
        pal::ModelInfo model;
        model.folder = (home + QStringLiteral("/models/x")).toStdString();
        const QString text = diagnostics(model, {QStringLiteral("io: ") + home + QStringLiteral("/secret.pdf: gone")});
        QVERIFY(text.contains(QStringLiteral("Palimpsest ")));
        QVERIFY(text.contains(QStringLiteral("~/models/x")));
        QVERIFY(home.size() < 2 || !text.contains(home + QLatin1Char('/')));
    }

    void aboutHasTheLicences() {
        const Theme theme(Scheme::kLight);
        const About about(theme, nullptr);
        QString all;
        for (const auto* page : about.findChildren<QPlainTextEdit*>()) all += page->toPlainText();
        QVERIFY(all.contains(QStringLiteral("Apache License")));
        QVERIFY(all.contains(QStringLiteral("md4c")));
        QVERIFY(all.contains(QStringLiteral("Qt")));
    }
};

QTEST_MAIN(FrameTest)
#include "frame_test.moc"
