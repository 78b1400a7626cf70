// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/inspect/figure_maker.h"

#include "app/desktop/inspect/inspect_model.h"
#include "engine/base/guarded.h"

namespace pal::desktop {

FigureMaker::FigureMaker(QObject* parent) : QObject(parent), thread_(TaskThread::Options{}) {}

FigureMaker::~FigureMaker() {
    cancel();
    close_.request_stop();
    thread_.stop();
}

MadeFigure FigureMaker::make(const FigureWish& wish, FigurePainter& painter, const std::stop_token& stop) {
    const inspect::ViewInput input{*wish.source,           wish.selection, wish.options, figureWords(),
                                   wish.otherSource.get(), wish.other,     stop};
    MadeFigure out{wish.view->build(input), {}, std::nullopt};
    if (stop.stop_requested()) return out;
    if (wish.story == FigureWish::Story::kNew) out.story = inspect::tellStory(input);
    if (stop.stop_requested()) return out;
    out.image = painter.paint(out.figure, wish.style, wish.font, wish.scale);
    return out;
}

void FigureMaker::want(FigureWish wish) {
    if (!busy_) return start(std::move(wish));
    // What was to be told is still to be told.
    if (next_ && next_->story == FigureWish::Story::kNew) wish.story = FigureWish::Story::kNew;
    next_ = std::move(wish);
}

void FigureMaker::start(FigureWish wish) {
    stop_ = {};
    const auto work = [this, wish = std::move(wish), stop = stop_.get_token()] {
        const auto done = std::make_shared<Result<MadeFigure>>(
            guarded("the view", [&]() -> Result<MadeFigure> { return make(wish, painter_, stop); }));
        mailbox_.post([this, done, stop] {
            busy_ = false;
            if (stop.stop_requested()) {
                // nobody waits for it
            } else if (*done) {
                Q_EMIT made(**done);
            } else {
                Q_EMIT failed(done->error());
            }
            if (!busy_ && next_) start(*std::exchange(next_, std::nullopt));
        });
    };
    busy_ = thread_.post(work);
}

void FigureMaker::cancel() {
    stop_.request_stop();
    next_.reset();
}

void FigureMaker::write(const inspect::Figure& figure, FigureFile kind, int scale, const QFont& font,
                        const QString& path) {
    const auto work = [this, figure, kind, scale, font, path, stop = close_.get_token()] {
        const auto done = guarded("the figure", [&] { return writeFigure(figure, kind, scale, font, path, stop); });
        const std::optional<Error> error = done ? std::nullopt : std::optional(done.error());
        mailbox_.post([this, error] { Q_EMIT written(error); });
    };
    if (!thread_.post(work)) Q_EMIT written(Error{ErrorCode::kBusy, "too much waits to be written"});
}

}  // namespace pal::desktop
