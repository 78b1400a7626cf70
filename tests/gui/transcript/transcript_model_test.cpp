// SPDX-License-Identifier: Apache-2.0
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "app/desktop/transcript/transcript_model.h"
#include "tests/gui/transcript/sample_messages.h"

using namespace pal::desktop;
using Channel = TranscriptModel::Channel;

class TranscriptModelTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    // The tester watches every signal of a life from an empty transcript to another session.
    void livesThroughASession() {
        TranscriptModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.appendMessage(userMessage(1, "Who repaired the clock?"));
        TranscriptMessage reply = answer(2, "");
        reply.state = MessageState::kStreaming;
        reply.timing = {};
        model.appendMessage(reply);
        const QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.appendText(2, Channel::kThinking, "Page 3 ");
        model.appendText(2, Channel::kThinking, "names her.");
        model.appendText(2, Channel::kText, "Ada Winter.");
        model.setTool(2, 0, {QStringLiteral("search"), QStringLiteral("{}"), {}});
        model.setTool(2, 0, {QStringLiteral("search"), QStringLiteral("{\"q\":1}"), QStringLiteral("found")});
        model.setTool(2, 5, {});  // not the next
        model.appendText(7, Channel::kText, "nobody");
        QCOMPARE(changed.count(), 5);
        const QModelIndex at = model.index(1);
        QCOMPARE(at.data(TranscriptModel::kThinkingRole).toString(), QStringLiteral("Page 3 names her."));
        QCOMPARE(at.data().toString(), QStringLiteral("Ada Winter."));
        QCOMPARE(at.data(TranscriptModel::kToolCountRole).toInt(), 1);
        QCOMPARE(at.data(TranscriptModel::kStateRole).toInt(), int(MessageState::kStreaming));
        MessageTiming timing;
        timing.firstTokenSeconds = 0.84;
        timing.tokensPerSecond = 21.4;
        timing.reusedTokens = 18204;
        timing.computedTokens = 312;
        model.finish(2, MessageState::kStopped, timing);
        QCOMPARE(at.data(TranscriptModel::kStateRole).toInt(), int(MessageState::kStopped));
        QCOMPARE(at.data(TranscriptModel::kTimingRole).toString(),
                 QStringLiteral("first token 0.8 s · 21.4 tokens/s · 18,204 reused, 312 computed"));
        model.setSibling(2, 2, 3);
        QCOMPARE(at.data(TranscriptModel::kSiblingRole).toString(), QStringLiteral("2/3"));
        model.addNotice(2, {Notice::Kind::kError, QStringLiteral("the disk is full")});
        QCOMPARE(at.data(TranscriptModel::kNoticesRole).toStringList().size(), 1);
        model.removeFrom(2);
        QCOMPARE(model.rowCount(), 1);
        model.replaceAll(longTranscript(50));
        QCOMPARE(model.rowCount(), 50);
        model.replaceAll({});
        QCOMPARE(model.rowCount(), 0);
    }

    void thinkingThatWasNoneIsText() {
        TranscriptModel model;
        model.appendMessage(answer(1, "and more"));
        model.appendText(1, Channel::kThinking, "An answer ");
        const int revision = model.revision(0);
        model.thinkingIsText(1);
        QCOMPARE(model.index(0).data().toString(), QStringLiteral("An answer and more"));
        QVERIFY(model.message(0).thinking.empty());
        QVERIFY(model.revision(0) > revision);
    }

    void idsAreUnique() {
        TranscriptModel model;
        model.replaceAll({userMessage(1, "a"), userMessage(1, "b"), userMessage(2, "c")});
        QCOMPARE(model.rowCount(), 2);
        model.appendMessage(userMessage(2, "again"));
        QCOMPARE(model.rowCount(), 2);
        model.setId(2, 17);
        QCOMPARE(model.rowOf(17), 1);
        QCOMPARE(model.rowOf(2), -1);
        model.setId(17, 1);
        QCOMPARE(model.rowOf(17), 1);
    }
};

QTEST_MAIN(TranscriptModelTest)
#include "transcript_model_test.moc"
