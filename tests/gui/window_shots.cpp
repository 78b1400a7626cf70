// SPDX-License-Identifier: Apache-2.0
// Pictures of the window's main states, made on the offscreen platform with the embedded model.
//   window_shots OUT [light|dark]        language, scale and direction come from the environment (tests/gui/screenshots sets them)
#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QTextStream>

#include "app/desktop/composer/attachment_dialog.h"
#include "app/desktop/composer/source_dialog.h"
#include "app/desktop/frame/shortcut_list.h"
#include "app/desktop/models/model_dialog.h"
#include "app/desktop/models/settings_dialog.h"
#include "storage/chats/clock.h"
#include "tests/gui/window_fixture.h"

using namespace pal::desktop;
using namespace pal::desktop::test;

namespace {

constexpr const char* kAnswer =
    "The delta rule **erases what a key recalled** and writes the difference:\n\n"
    "$$S_t = S_{t-1}\\left(\\alpha_t - \\beta_t k_t k_t^\\top\\right) + \\beta_t v_t k_t^\\top$$\n\n"
    "| part | bytes per token |\n|---|---:|\n| latents | 1,920 |\n| state | 0 |\n\n"
    "1. Decay what is there.\n2. Read what the key recalls.\n3. Write the difference.\n\n"
    "```cpp\n// One step of one head.\nfor (int v = 0; v < kValues; ++v) {\n    const float recalled = dot(state[v], "
    "key);\n"
    "    axpy(beta * (value[v] - recalled), key, state[v]);\n}\n```\n\nSee page 12 of the report.";
constexpr const char* kArabic = "يُمحى ما استرجعه المفتاح ثم يُكتب الفرق فقط. الحالة ثابتة الحجم مهما طال النص (`S`).";
constexpr const char* kChinese = "增量规则先擦除键所回忆的内容，再写入差值。无论文本多长，状态的大小都不变。";

class Shots {
  public:
    Shots(Window& window, QString out, QString look) : window_(window), out_(std::move(out)), look_(std::move(look)) {}

    void take(const char* name, QWidget* widget = nullptr) {
        QTest::qWait(250);
        const QString file = QDir(out_).filePath(QStringLiteral("%1-%2.png").arg(QString::fromLatin1(name), look_));
        (widget != nullptr ? widget : &window_.main())->grab().save(file);
        QTextStream(stdout) << file << '\n';
    }

    // Sessions as someone has them after some weeks.
    pal::SessionId fill() {
        pal::SessionId first = 0;
        bool done = false;
        window_.program().bridge().lists(
            &window_.main(),
            [](LibraryDesk& desk) { return desk.library.writeNow([](pal::ChatDatabase& db) { return write(db); }); },
            [&](const pal::Result<pal::SessionId>& id) {
                first = id.value_or(0);
                done = true;
            });
        static_cast<void>(QTest::qWaitFor([&] { return done; }, kPatienceMs));
        return first;
    }

  private:
    static pal::Result<pal::SessionId> write(pal::ChatDatabase& db) {
        constexpr std::pair<const char*, const char*> kSessions[] = {
            {"How the delta rule works", "Papers"},
            {"Lease of the flat in Bergstraße", "Home"},
            {"增量规则的解释", "Papers"},
            {"ما هي قاعدة دلتا؟", ""},
            {"Minutes of the May meeting", ""},
            {"Why does the build fail on GCC 12?", ""},
            {"Clip of the experiment, run 14", "Papers"},
            {"Every step from the raw readings of the barometer to the table in the appendix", "Home"}};
        pal::SessionId first = 0;
        int64_t ms = pal::nowMs() - 1000;
        for (const auto& [name, folder] : kSessions) {
            ms -= int64_t{7} * 3600 * 1000;
            PAL_ASSIGN(const pal::SessionId session, db.sessions().add(name, "{}", ms));
            PAL_TRY(db.sessions().setFolder(session, folder));
            PAL_ASSIGN(pal::MessageId last, say(db, session, 0, pal::Role::kUser, name, ms));
            PAL_ASSIGN(last, say(db, session, last, pal::Role::kAssistant, kAnswer, ms));
            PAL_ASSIGN(last, say(db, session, last, pal::Role::kUser, "用中文再说一遍，وبالعربية أيضا.", ms));
            PAL_TRY(say(db, session, last, pal::Role::kAssistant, std::string(kChinese) + "\n\n" + kArabic, ms));
            PAL_TRY(db.sessions().setStored(session, 900, 3 << 20, ""));
            if (first == 0) first = session;
        }
        return first;
    }

    static pal::Result<pal::MessageId> say(pal::ChatDatabase& db, pal::SessionId session, pal::MessageId parent,
                                           pal::Role role, const std::string& text, int64_t ms) {
        pal::NewMessage message;
        message.session = session;
        message.parent = parent;
        message.role = role;
        message.text = text;
        message.createdMs = ms;
        message.tokens = 450;
        if (role == pal::Role::kAssistant) {
            message.reasoning = "The user wants the rule itself, its cost, and code.";
            message.details = R"({"prompt_tokens":1234,"reused_tokens":1000,"computed_tokens":234,"output_tokens":180,)"
                              R"("first_token_seconds":0.42,"decode_seconds":9.5})";
        }
        return db.messages().add(message);
    }

    Window& window_;
    QString out_, look_;
};

void readLong(Window& window, Shots& shots) {
    window.chat().startNew({});
    window.greedy(40);
    std::string text = "Here is a long report. ";
    for (int i = 0; i < 1200; ++i) text += "Anna repaired clock number " + std::to_string(i) + ". ";
    bool shot = false;
    const auto connection = QObject::connect(&window.chat(), &Chat::grew, &window.main(), [&](const TurnNews& news) {
        if (shot || !news.progress || news.progress->computed < news.progress->total / 3) return;
        shot = true;
        QMetaObject::invokeMethod(
            &window.main(), [&] { shots.take("reading"); }, Qt::QueuedConnection);
    });
    static_cast<void>(window.ask(QString::fromStdString(text + "Who repaired clock number 17?")));
    QObject::disconnect(connection);
}

// The samples in the composer, what the model sees of the clip, and a citation of the document.
void attach(Window& window, Shots& shots) {
    window.chat().startNew({});
    QStringList files;
    for (const char* name : {"lighthouse.pdf", "shapes.png", "motion.mp4"})
        files << QDir::current().absoluteFilePath(QStringLiteral("resources/desktop/samples/") +
                                                  QString::fromLatin1(name));
    window.drop(files);
    window.input().setFocus();
    window.input().setPlainText(QStringLiteral("What do these have in common?"));
    Composer& composer = window.composer();
    const auto counted = [&] {
        return !composer.attachments().anyIn(AttachmentItem::State::kReading) && composer.count().has_value();
    };
    static_cast<void>(QTest::qWaitFor(counted, kPatienceMs));
    shots.take("attachments");
    composer.open(composer.attachments().items().back().id);
    QTest::qWait(1500);
    shots.take("clip", window.main().findChild<AttachmentDialog*>());
    window.main().findChild<AttachmentDialog*>()->close();
    composer.clear();
    window.greedy(40);
    window.drop(files.mid(0, 1));
    static_cast<void>(window.turn([&] { window.type(QStringLiteral("Who repaired the lamp?")); }));
    QTest::qWait(500);
    shots.take("document");
    Q_EMIT window.transcript().citationActivated(QStringLiteral("0:2"), window.chat().head());
    QTest::qWait(1500);
    shots.take("citation", window.main().findChild<SourceDialog*>());
    window.main().findChild<SourceDialog*>()->close();
}

// The plan of models on GPUs that this machine has not: all of one fits, experts of the other stay in RAM, a third is too small.
pal::Result<pal::GpuMemory> largeGpu(pal::GpuRates /*rates*/) {
    return pal::GpuMemory{"NVIDIA H200", 141ULL << 30, 140ULL << 30, 120ULL << 30, 4e12, 5e10};
}
pal::Result<pal::GpuMemory> smallGpu(pal::GpuRates /*rates*/) {
    return pal::GpuMemory{"NVIDIA RTX 4090", 24ULL << 30, 23ULL << 30, 120ULL << 30, 9e11, 2.5e10};
}

pal::Result<pal::GpuMemory> tinyGpu(pal::GpuRates /*rates*/) {
    return pal::GpuMemory{"NVIDIA RTX 3050", 4ULL << 30, 3ULL << 30, 120ULL << 30, 2e11, 1.2e10};
}

void planGpus(Window& window, Shots& shots) {
    RuntimeChoice choice;
    choice.model = QDir::current().absoluteFilePath(QStringLiteral("tests/data/configs/kimi-linear-48b.json"));
    choice.engine.device = pal::Device::kCuda;
    for (const auto& [name, gpu] : {std::pair<const char*, ModelDialog::GpuReader>("gpu-large", largeGpu),
                                    {"gpu-small", smallGpu},
                                    {"gpu-tiny", tinyGpu}}) {
        ModelDialog dialog(window.program().bridge(), choice, window.program().theme(), &window.main(), gpu);
        dialog.show();
        static_cast<void>(QTest::qWaitFor([&] { return dialog.planned(); }, kPatienceMs));
        shots.take(name, &dialog);
    }
}

void search(Window& window, Shots& shots) {
    window.main().actions().get(Command::kSearch)->trigger();
    auto* box = window.main().findChild<SessionPanel*>(QStringLiteral("sessions"))->findChild<QLineEdit*>();
    box->setText(QStringLiteral("delta"));
    QTest::qWait(800);
    shots.take("search");
    box->clear();
    QTest::qWait(300);
}

int shoot(const QString& out, const QString& scheme) {
    const QTemporaryDir folder;
    Window window(folder.path());
    window.main().resize(1180, 780);
    const bool dark = scheme == QStringLiteral("dark");
    window.main().actions().get(dark ? Command::kSchemeDark : Command::kSchemeLight)->trigger();
    if (!window.start()) return 1;
    QDir().mkpath(out);
    const QString look =
        QStringLiteral("%1-%2-%3x").arg(scheme, QLocale::system().name()).arg(qApp->devicePixelRatio());
    Shots shots(window, out, look);
    shots.take("empty");
    const pal::SessionId session = shots.fill();
    window.chat().open(session);
    QTest::qWait(500);
    shots.take("chatting");
    search(window, shots);
    ModelDialog model(window.program().bridge(), {}, window.program().theme(), &window.main());
    model.show();
    static_cast<void>(QTest::qWaitFor([&] { return model.planned(); }, kPatienceMs));
    shots.take("model", &model);
    model.hide();
    planGpus(window, shots);
    ShortcutList shortcuts(*window.main().menuBar(), window.program().theme(), &window.main());
    shortcuts.show();
    shots.take("shortcuts", &shortcuts);
    shortcuts.hide();
    SettingsDialog settings({}, Presets(folder.path()), window.program().theme(), &window.main());
    settings.show();
    shots.take("settings", &settings);
    settings.hide();
    attach(window, shots);
    readLong(window, shots);
    shots.take("answered");
    return window.close() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    std::vector<std::unique_ptr<QTranslator>> translators;
    prepareApplication(translators);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() < 2) {
        QTextStream(stderr) << "usage: window_shots OUT [light|dark]\n";
        return 2;
    }
    return shoot(arguments[1], arguments.value(2, QStringLiteral("light")));
}
