// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/sessions/session_tree.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QMimeData>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>
#include <map>

#include "app/desktop/sessions/hit_list.h"
#include "app/desktop/sessions/session_lines.h"
#include "app/desktop/sessions/session_panel.h"

using namespace pal::desktop;
using pal::OpeningCost;

namespace {

ListedSession session(pal::SessionId id, const char* name, int64_t changedMs, const char* folder = "") {
    ListedSession out;
    out.summary.id = id;
    out.summary.name = name;
    out.summary.changedMs = changedMs;
    out.summary.folder = folder;
    out.summary.tokens = 100 * id;
    return out;
}

// Everything as lines: "folder/" and "  name".
QStringList lines(const QAbstractItemModel& model, const QModelIndex& parent = {}, const QString& indent = {}) {
    QStringList out;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        const bool folder = index.data(SessionTree::kIdRole).toLongLong() == 0;
        out << indent + index.data().toString() + (folder ? QStringLiteral("/") : QString());
        out << lines(model, index, indent + QStringLiteral("  "));
    }
    return out;
}

QStringList words(std::initializer_list<const char*> texts) {
    QStringList out;
    for (const char* text : texts) out << QString::fromUtf8(text);
    return out;
}

}  // namespace

class SessionTreeTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void showsFoldersThenTheNewest() {
        Bridge bridge;
        SessionTree tree(bridge);
        const QAbstractItemModelTester tester(&tree, QAbstractItemModelTester::FailureReportingMode::QtTest);
        tree.setSessions({session(1, "old", 10), session(2, "new", 30), session(3, "paper", 20, "Work"),
                          session(4, "note", 25, "Work"), session(5, "soup", 5, "Home")});
        QCOMPARE(lines(tree), words({"Home/", "  soup", "Work/", "  note", "  paper", "new", "old"}));
        QCOMPARE(tree.indexOf(3).data().toString(), QStringLiteral("paper"));
        QCOMPARE(tree.parent(tree.indexOf(3)).data().toString(), QStringLiteral("Work"));
        QVERIFY(!tree.indexOf(99).isValid());
        QCOMPARE(tree.size(), size_t{5});
    }

    void followsChangesRowByRow() {
        Bridge bridge;
        SessionTree tree(bridge);
        const QAbstractItemModelTester tester(&tree, QAbstractItemModelTester::FailureReportingMode::QtTest);
        tree.setSessions({session(1, "a", 10), session(2, "b", 20), session(3, "c", 30)});
        const QPersistentModelIndex first = tree.indexOf(1);
        tree.put(session(1, "a", 40));
        QCOMPARE(lines(tree), words({"a", "c", "b"}));
        QCOMPARE(first.row(), 0);
        tree.put(session(4, "d", 35));
        QCOMPARE(lines(tree), words({"a", "d", "c", "b"}));
        tree.put(session(3, "c", 30, "Work"));
        QCOMPARE(lines(tree), words({"Work/", "  c", "a", "d", "b"}));
        tree.put(session(2, "b", 20, "Art"));
        tree.put(session(3, "c", 30, "Art"));
        QCOMPARE(lines(tree), words({"Art/", "  c", "  b", "a", "d"}));
        tree.put(session(3, "see", 30));
        tree.drop(2);
        tree.drop(2);
        QCOMPARE(lines(tree), words({"a", "d", "see"}));
    }

    // Any order of changes ends in what a fresh model of the same sessions shows.
    void anyOrderOfChangesIsTheSame() {
        Bridge bridge;
        SessionTree tree(bridge);
        const QAbstractItemModelTester tester(&tree, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QRandomGenerator random(7);
        std::map<pal::SessionId, ListedSession> truth;
        constexpr const char* kFolders[] = {"", "A", "B", "Ä"};
        for (int64_t step = 1; step <= 400; ++step) {
            const pal::SessionId id = random.bounded(1, 25);
            if (random.bounded(4) == 0) {
                tree.drop(id);
                truth.erase(id);
                continue;
            }
            // A change brings a session to the top or leaves its time as it is.
            const auto known = truth.find(id);
            const int64_t ms = known != truth.end() && random.bounded(2) == 0 ? known->second.summary.changedMs : step;
            const ListedSession now = session(id, "s", ms, kFolders[random.bounded(4)]);
            truth.insert_or_assign(id, now);
            tree.put(now);
        }
        SessionTree fresh(bridge);
        std::vector<ListedSession> all;
        for (const auto& [id, listed] : truth) all.push_back(listed);
        fresh.setSessions(all);
        QCOMPARE(lines(tree), lines(fresh));
        for (const auto& [id, listed] : truth) QCOMPARE(tree.indexOf(id).data(SessionTree::kIdRole).toLongLong(), id);
    }

    void thousandsAreFast() {
        Bridge bridge;
        SessionTree tree(bridge);
        std::vector<ListedSession> many;
        for (int i = 1; i <= 10'000; ++i) many.push_back(session(i, "session", i, i % 3 == 0 ? "F" : ""));
        QTreeView view;
        view.setModel(&tree);
        view.resize(300, 800);
        view.show();
        tree.setSessions(many);
        QElapsedTimer clock;
        clock.start();
        for (int i = 0; i < 100; ++i) tree.put(session(5'000, "session", 20'000 + i));
        QVERIFY2(clock.elapsed() < 5'000, "100 changes among 10,000 sessions");
        QCOMPARE(tree.rowCount(), 1 + 10'000 - 3'333);
    }

    // Filing the open session opens no other one, and it stays the chosen row; without any session the panel says what would begin one.
    void theOpenSessionStaysChosenWhereverItGoes() {
        Bridge bridge;
        const Theme theme(Scheme::kLight);
        SessionPanel panel(bridge, theme);
        panel.resize(300, 400);
        panel.show();
        const auto* view = panel.findChild<QTreeView*>(QStringLiteral("sessionTree"));
        SessionTree& tree = panel.tree();
        tree.setSessions({});
        QVERIFY(!view->isVisible());
        tree.setSessions({session(1, "a", 30), session(2, "b", 20), session(3, "c", 10)});
        QVERIFY(view->isVisible());
        QSignalSpy chosen(&panel, &SessionPanel::chosen);
        panel.setCurrent(2);
        tree.put(session(2, "b", 20, "Work"));
        QCOMPARE(view->currentIndex(), tree.indexOf(2));
        QVERIFY(view->isExpanded(tree.parent(tree.indexOf(2))));
        tree.put(session(2, "b", 20));
        QCOMPARE(view->currentIndex(), tree.indexOf(2));
        tree.drop(1);
        QCOMPARE(view->currentIndex(), tree.indexOf(2));
        QCOMPARE(chosen.count(), 0);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(tree.indexOf(3)).center());
        QCOMPARE(chosen.count(), 1);
        panel.setCurrent(0);
        tree.drop(2);
        tree.drop(3);
        QTRY_VERIFY(!view->isVisible());
    }

    void draggedSessionsAreOnlyTakenFromHere() {
        Bridge bridge;
        SessionTree tree(bridge);
        tree.setSessions({session(1, "a", 10), session(2, "b", 20, "Work")});
        const std::unique_ptr<QMimeData> dragged(tree.mimeData({tree.indexOf(1)}));
        QVERIFY(dragged->hasFormat(tree.mimeTypes().front()));
        QVERIFY(!tree.dropMimeData(dragged.get(), Qt::CopyAction, -1, -1, {}));
        QMimeData broken;
        broken.setData(tree.mimeTypes().front(), "x");
        QVERIFY(!tree.dropMimeData(&broken, Qt::MoveAction, -1, -1, {}));
        QVERIFY(tree.flags(tree.indexOf(1)).testFlag(Qt::ItemIsDragEnabled));
        QVERIFY(tree.flags(tree.parent(tree.indexOf(2))).testFlag(Qt::ItemIsDropEnabled));
    }

    void costsAreSaidInWords() {
        const auto ofTokens = [](int64_t tokens) {
            pal::SessionSummary session;
            session.messages = 2;
            session.tokens = tokens;
            return session;
        };
        OpeningCost stored;
        stored.bytes = 1 << 20;
        stored.seconds = 3;
        QVERIFY(SessionLines::cost(ofTokens(1'000), stored).contains(QStringLiteral("opens in 3 s")));
        OpeningCost again;
        again.tokens = 1'000;
        again.seconds = 7'200;
        QVERIFY(SessionLines::cost(ofTokens(1'000), again).contains(QStringLiteral("2 h")));
        OpeningCost atOnce;
        atOnce.seconds = 0.1;
        QVERIFY(SessionLines::cost(ofTokens(5), atOnce).contains(QStringLiteral("at once")));
        QCOMPARE(SessionLines::cost(ofTokens(0), {}), QStringLiteral("not read yet"));  // imported
        QCOMPARE(SessionLines::cost(pal::SessionSummary{}, {}), QStringLiteral("empty"));
    }

    void hitsAreAList() {
        Bridge bridge;
        HitList hits(bridge);
        const QAbstractItemModelTester tester(&hits, QAbstractItemModelTester::FailureReportingMode::QtTest);
        hits.setHits({{1, 0, "clock", ""}, {1, 7, "clock", "Anna\nrepaired"}});
        QCOMPARE(hits.rowCount(), 2);
        QCOMPARE(hits.index(1).data(HitList::kLineRole).toString(), QStringLiteral("Anna repaired"));
        hits.setHits(
            {{1, 0, "clock", ""}, {1, 7, "clock", "The **rule** `__init__` of **two words**, 2**3 and **cut"}});
        QCOMPARE(hits.index(1).data(HitList::kLineRole).toString(),
                 QStringLiteral("The rule __init__ of two words, 2**3 and **cut"));
        QCOMPARE(hits.index(1).data(HitList::kMessageRole).toLongLong(), 7);
        QVERIFY(!hits.index(1).data(SessionTree::kWhenRole).isValid());
        hits.setHits({});
        QCOMPARE(hits.rowCount(), 0);
    }
};

QTEST_MAIN(SessionTreeTest)
#include "session_tree_test.moc"
