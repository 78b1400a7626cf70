// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFont>
#include <QImage>
#include <QObject>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/desktop/bridge/mailbox.h"
#include "app/desktop/bridge/task_thread.h"
#include "app/desktop/inspect/figure_canvas.h"
#include "app/desktop/inspect/figure_export.h"
#include "app/inspect/canvas.h"
#include "app/inspect/memory_source.h"
#include "app/inspect/story.h"
#include "app/inspect/view.h"

namespace pal::desktop {

// What a panel wants to show.
struct FigureWish {
    const inspect::View* view = nullptr;
    std::shared_ptr<const inspect::MemorySource> source, otherSource;  // the other one may be null
    inspect::Selection selection;
    std::optional<inspect::Selection> other;
    inspect::ViewOptions options;
    enum class Story { kSame, kNew } story = Story::kNew;  // whether what is told of the selection may have changed
    inspect::FigureStyle style;
    QFont font;
    double scale = 1;  // pixels of the image to a length
};

struct MadeFigure {
    inspect::Figure figure;
    QImage image;                                          // the figure painted
    std::optional<std::vector<inspect::StoryLine>> story;  // of Story::kNew
};

// Builds, paints and writes the figures of one panel on a thread of its own, so that the window never waits for data, singular values or
// files. UI thread.
class FigureMaker : public QObject {
    Q_OBJECT

  public:
    explicit FigureMaker(QObject* parent = nullptr);
    ~FigureMaker() override;

    // Any thread, one at a time for the same `painter`. What was made is of no use once `stop` was requested.
    [[nodiscard]] static MadeFigure make(const FigureWish& wish, FigurePainter& painter, const std::stop_token& stop);

    // made() or failed() follows. Of the wishes that come while one is made, the newest is the next.
    void want(FigureWish wish);
    // Nothing that was wanted is made any more.
    void cancel();
    // As desktop::writeFigure; written() follows.
    void write(const inspect::Figure& figure, FigureFile kind, int scale, const QFont& font, const QString& path);

  Q_SIGNALS:
    void made(const pal::desktop::MadeFigure& made);
    void failed(const pal::Error& error);
    void written(const std::optional<pal::Error>& error);

  private:
    void start(FigureWish wish);

    Mailbox mailbox_;
    std::stop_source stop_;   // of what is made
    std::stop_source close_;  // of files
    bool busy_ = false;
    std::optional<FigureWish> next_;
    FigurePainter painter_;  // used by thread_ only
    TaskThread thread_;      // ends before what it posts to
};

}  // namespace pal::desktop
