// SPDX-License-Identifier: Apache-2.0
// composer_shots FOLDER, from the root of the source tree: pictures of the composer in its states, light and dark, for people to look at.
#include <QApplication>
#include <QVBoxLayout>

#include "app/desktop/composer/attachment_dialog.h"
#include "tests/gui/composer/composer_fixture.h"

using namespace pal::desktop;

namespace {

class Shots {
  public:
    Shots(QString folder, Scheme scheme, Qt::LayoutDirection direction)
        : folder_(std::move(folder)), theme_(scheme), direction_(direction) {
        QApplication::setPalette(theme_.palette());
        QApplication::setFont(theme_.body());
        QApplication::setLayoutDirection(direction);
        suffix_ = scheme == Scheme::kDark ? QStringLiteral("dark") : QStringLiteral("light");
        if (direction == Qt::RightToLeft) suffix_ += QStringLiteral("-rtl");
    }

    bool all() {
        return one(QStringLiteral("empty"), [](Composer&) {}) && one(QStringLiteral("reading"), reading) &&
               one(QStringLiteral("attached"), attached) && one(QStringLiteral("refused"), refused) &&
               one(QStringLiteral("failed"), failed) && dialog("documents/labels.pdf", QStringLiteral("pages")) &&
               dialog("media/images/colour.jpg", QStringLiteral("picture")) &&
               dialog("media/clips/h264.mp4", QStringLiteral("clip"));
    }

  private:
    template <typename Set>
    bool one(const QString& name, Set set) {
        Composer composer(theme_);
        prepare(composer);
        composer.resize(760, 100);
        composer.show();
        set(composer);
        composer.resize(760, composer.sizeHint().height());
        QCoreApplication::processEvents();
        composer.resize(760, composer.sizeHint().height());
        return save(composer, name);
    }

    static void reading(Composer& composer) {
        composer.addFiles({testFile("documents/two_columns.pdf"), testFile("media/clips/long_1080p.mp4")});
        part<InputEdit>(composer)->setPlainText(QStringLiteral("What does the second column say?"));
        QTest::keyClick(part<InputEdit>(composer), Qt::Key_Return);
    }
    static void attached(Composer& composer) {
        composer.addFiles({testFile("media/images/colour.jpg"), testFile("documents/scanned.pdf"),
                           testFile("media/clips/h264.mp4"), testFile("documents/book.epub")});
        part<InputEdit>(composer)->setPlainText(
            QStringLiteral("Which of these shows the clock?\nAnd who repaired it?"));
        settle(composer);
    }
    static void refused(Composer& composer) {
        prepare(composer, 400);
        attached(composer);
    }
    static void failed(Composer& composer) {
        composer.addFiles({testFile("documents/truncated.pdf"), testFile("documents/locked.pdf")});
        composer.addText(QStringLiteral("The clock was repaired by Anna. ").repeated(400), {});
        settle(composer);
    }

    bool dialog(const char* file, const QString& name) {
        Composer composer(theme_);
        prepare(composer);
        composer.resize(760, 200);
        composer.show();
        composer.addFiles({testFile(file)});
        settle(composer);
        composer.open(composer.attachments().items()[0].id);
        auto* shown = part<AttachmentDialog>(composer);
        QTest::qWait(1500);
        return save(*shown, name);
    }

    bool save(QWidget& widget, const QString& name) {
        widget.setLayoutDirection(direction_);
        QCoreApplication::processEvents();
        return widget.grab().save(QStringLiteral("%1/composer-%2-%3.png").arg(folder_, name, suffix_));
    }

    QString folder_, suffix_;
    Theme theme_;
    Qt::LayoutDirection direction_;
};

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    const QString folder = app.arguments().value(1, QStringLiteral("."));
    const bool made = Shots(folder, Scheme::kLight, Qt::LeftToRight).all() &&
                      Shots(folder, Scheme::kDark, Qt::LeftToRight).all() &&
                      Shots(folder, Scheme::kLight, Qt::RightToLeft).all();
    return made ? 0 : 1;
}
