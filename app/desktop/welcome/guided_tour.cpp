// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/welcome/guided_tour.h"

#include <QFile>
#include <utility>

namespace pal::desktop {

GuidedTour::GuidedTour(Chat& chat, Composer& composer, QObject* parent)
    : QObject(parent), chat_(chat), composer_(composer) {
    connect(&chat_, &Chat::started, this, [this](const TurnStart& start) {
        if (running_ && session_ == 0) session_ = start.session;
    });
    connect(&chat_, &Chat::ended, this, [this](const TurnEnd& turn) {
        if (!running_ || turn.report.session != session_) return;
        answered_ = !turn.error && turn.report.done.cause != EndCause::kCancelled;
        if (!answered_) end();
    });
    // A sample that cannot be read is not sent: the next question is the user's own, and the tour is over.
    connect(&composer_, &Composer::sendRequested, this, [this](const ComposedRequest& sent) {
        if (running_ && sent.text != question_) end();
    });
    connect(&chat_, &Chat::refused, this, &GuidedTour::end);
    connect(&chat_, &Chat::shown, this, [this] {
        if (!running_) return;
        if (chat_.session() != session_) {
            if (holdsComposer()) composer_.clear();  // it would wait there as a draft
            return end();
        }
        if (answered_ && !chat_.isBusy()) next();
    });
}

void GuidedTour::start(const std::vector<Sample>& samples) {
    if (running_ || chat_.isBusy()) return;
    running_ = true;
    session_ = chat_.session();
    left_.assign(samples.begin(), samples.end());
    next();
}

void GuidedTour::next() {
    answered_ = false;
    if (left_.empty() || !composer_.draft().empty()) return end();
    const Sample sample = left_.front();
    left_.pop_front();
    const Result<QString> file = unpack(sample.file);
    if (!file) {
        Q_EMIT failed(file.error());
        return end();
    }
    question_ = sample.question;
    composer_.setDraft({sample.question, {}});
    composer_.addFiles({*file});
    composer_.submit();  // goes when the file is read
}

void GuidedTour::end() {
    if (!std::exchange(running_, false)) return;
    left_.clear();
    Q_EMIT ended();
}

bool GuidedTour::holdsComposer() const {
    return running_ && composer_.draft().text == question_;
}

Result<QString> GuidedTour::unpack(const QString& name) const {
    const QString place = folder_.filePath(name);
    if (!QFile::exists(place) && !QFile::copy(QStringLiteral(":/palimpsest/samples/") + name, place))
        return fail(ErrorCode::kIo, "{}: the sample cannot be written", place.toStdString());
    return place;
}

}  // namespace pal::desktop
