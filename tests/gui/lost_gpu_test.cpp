// SPDX-License-Identifier: Apache-2.0
// The window on a GPU (one that computes on a CPU thread, played_gpu.h): what it holds and has is told before a model is loaded, it is not measured while
// it may be answering, and when it stops answering it is given back before the CPU goes on from what was stored.
#include <QComboBox>
#include <QPushButton>

#include "app/desktop/frame/notice_bar.h"
#include "app/desktop/models/model_dialog.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/played_gpu.h"

using namespace pal::desktop;
using namespace pal::desktop::test;
using pal::test::PlayedGpu;
using pal::test::playedGpu;

namespace {

// The GPU as the model dialog read it last.
std::optional<pal::GpuMemory> lastRead;
pal::Result<pal::GpuMemory> readGpu(pal::GpuRates rates) {
    auto gpu = pal::gpuMemory(rates);
    if (gpu) lastRead = *gpu;
    return gpu;
}

void chooseGpu(const QString& folder) {
    pal::EngineOptions engine;
    engine.device = pal::Device::kCuda;
    Preferences preferences(folder);
    preferences.setModel({}, engine);
    preferences.sync();
}

}  // namespace

class LostGpuTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theDialogCountsWhatTheLoadedModelGivesBack() {
        const QTemporaryDir folder;
        chooseGpu(folder.path());
        Window window(folder.path());
        QVERIFY(window.start());
        const uint64_t taken = playedGpu().takenBytes;
        QVERIFY(taken > 10 * PlayedGpu::kWeightBytes);
        const int measured = playedGpu().timesMeasured;
        QCOMPARE(measured, 1);  // before the model was loaded
        RuntimeChoice choice;
        choice.engine.device = pal::Device::kCuda;
        ModelDialog dialog(window.program().bridge(), choice, window.program().theme(), &window.main(), readGpu);
        dialog.show();
        QTRY_VERIFY_WITH_TIMEOUT(dialog.planned(), kPatienceMs);
        QVERIFY(lastRead);
        QCOMPARE(lastRead->freeBytes, PlayedGpu::kBytes - taken);
        const QString all = QLocale().formattedDataSize(static_cast<qint64>(PlayedGpu::kBytes));
        const auto labels = dialog.findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(),
                            [&](const QLabel* l) { return l->text().contains(all + QStringLiteral(" free: fits")); }));
        QVERIFY(lastRead->copyRate > 0);  // as it was known
        QCOMPARE(playedGpu().timesMeasured.load(), measured);
        QVERIFY(window.close());
        QCOMPARE(playedGpu().takenBytes.load(), uint64_t{0});
    }

    void theCpuAnswersWhatTheGpuLeft() {
        const QTemporaryDir folder;
        chooseGpu(folder.path());
        Window window(folder.path());
        QVERIFY(window.start());
        QCOMPARE(playedGpu().inUse.load(), 1);
        window.greedy(12);
        playedGpu().callsLeft = 60;  // the question is read and the answer begun
        const auto lost = window.ask(QStringLiteral("Anna repaired the clock in May. Who repaired the clock?"));
        QVERIFY(lost && lost->error);
        QCOMPARE(lost->error->code, pal::ErrorCode::kDeviceLost);
        auto* notices = window.main().findChild<NoticeBar*>();
        auto* button = notices->findChild<QPushButton*>(QStringLiteral("noticeAction"));
        QTRY_COMPARE(button->text(), QStringLiteral("Go on with the CPU"));
        int inUse = -1;  // while the model is loaded anew
        QObject::connect(&window.program().bridge(), &Bridge::modelLoading, &window.main(),
                         [&](const pal::LoadProgress&) { inUse = std::max<int>(inUse, playedGpu().inUse.load()); });
        const auto end = window.turn([&] { QTest::mouseClick(button, Qt::LeftButton); });
        QVERIFY(end && !end->error);
        QCOMPARE(end->report.question, lost->report.question);
        QVERIFY(end->report.done.generated > 0);
        QCOMPARE(inUse, 0);
        QVERIFY(window.close());
    }
};

int main(int argc, char** argv) {
    return runWindowTest<LostGpuTest>(argc, argv);
}
#include "lost_gpu_test.moc"
