// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/inspect/inspect_feed.h"

#include <algorithm>

#include "app/composition/prompt_regions.h"

namespace pal::desktop {

InspectFeed::InspectFeed(Bridge& bridge, Chat& chat, InspectModel& model, QObject* parent)
    : QObject(parent), bridge_(bridge), chat_(chat), model_(model) {
    connect(&chat_, &Chat::shown, this, &InspectFeed::follow);
    connect(&chat_, &Chat::started, this, &InspectFeed::begin);
    connect(&chat_, &Chat::grew, this, &InspectFeed::grow);
    connect(&chat_, &Chat::ended, this, [this] { live_.reset(); });
    connect(&bridge_, &Bridge::windowProbed, this, &InspectFeed::takeWindow);
    connect(&bridge_, &Bridge::lookEnded, this, &InspectFeed::endLook);
    connect(&bridge_, &Bridge::turnNews, this, [this](const TurnNews& news) {
        if (looking_ && news.progress)
            Q_EMIT lookProgressed(news.progress->reused + news.progress->computed, news.progress->total);
    });
}

void InspectFeed::setWatched(bool watched) {
    watched_ = watched;
    if (watched_ && stale_) follow();
}

void InspectFeed::setCapture(ProbeLevel level) {
    capture_ = level;
    modelLoaded();
}

void InspectFeed::modelLoaded() {
    bridge_.engine(
        this,
        [level = capture_](EngineDesk& desk) -> Result<> {
            if (!desk.hasModel()) return fail(ErrorCode::kBusy, "no model is loaded");
            desk.place()->runner().setCapture(level);
            return {};
        },
        [this](const Result<>& done) {
            if (done && stale_) follow();
        });
}

std::optional<inspect::TokenSpan> InspectFeed::spanOf(MessageId message) const {
    const auto found = messages_.find(message);
    if (found == messages_.end()) return std::nullopt;
    return found->second;
}

std::optional<inspect::TokenSpan> InspectFeed::wordOf(MessageId message, const QString& word, int before) const {
    const auto span = spanOf(message);
    if (!span) return std::nullopt;
    std::string text;
    std::vector<size_t> ends;  // of each token in the text
    for (int64_t token = span->begin; token < span->end; ++token) {
        text += model_.source().text(token);
        ends.push_back(text.size());
    }
    const std::string wanted = word.toStdString();
    size_t at = text.find(wanted);
    for (int i = 0; i < before && at != std::string::npos; ++i) at = text.find(wanted, at + wanted.size());
    if (at == std::string::npos) return std::nullopt;
    const auto first = std::upper_bound(ends.begin(), ends.end(), at);
    const auto last = std::lower_bound(first, ends.end(), at + wanted.size());
    return inspect::TokenSpan{span->begin + (first - ends.begin()), span->begin + (last - ends.begin()) + 1};
}

void InspectFeed::begin(const TurnStart& start) {
    live_ = start;
    early_.clear();
    stale_ = false;
    // The regions of its records are those of its question.
    load(start.session, start.question);
}

// The branch of a running turn was read when it began, and its records came since.
void InspectFeed::follow() {
    const bool ofTurn = chat_.session() == session_ && head_ != 0 && chat_.tree().parent(chat_.head()) == head_;
    if (ofTurn && !stale_) return;
    const bool same = chat_.session() == session_ && chat_.head() == head_;
    if (same && (reading_ || !stale_)) return;
    stale_ = true;
    if (!watched_ || chat_.session() == 0 || chat_.head() == 0) return;
    load(chat_.session(), chat_.head());
}

void InspectFeed::load(SessionId session, MessageId head) {
    const quint64 request = ++loading_;
    session_ = session;
    head_ = head;
    reading_ = true;
    bridge_.engine(
        this,
        [session, head, words = figureWords()](EngineDesk& desk) -> Result<std::shared_ptr<SessionSource>> {
            if (!desk.hasModel()) return fail(ErrorCode::kBusy, "no model is loaded");
            PAL_ASSIGN(SessionSource read, sessionSource(desk.place()->runner(), session, head, words));
            return std::make_shared<SessionSource>(std::move(read));
        },
        [this, request](const Result<std::shared_ptr<SessionSource>>& read) {
            if (request != loading_) return;
            reading_ = false;
            if (!read) {
                stale_ = true;
                if (read.error().code != ErrorCode::kBusy) Q_EMIT failed(read.error());
                return;
            }
            take(std::move(**read));
        });
}

void InspectFeed::take(Result<SessionSource> read) {
    keepRecords(*read);
    ids_ = read->ids;
    messages_ = std::move(read->messages);
    regions_ = std::move(read->regions);
    stale_ = false;
    model_.setSource(std::move(read->source));
    Q_EMIT loaded();
    for (const auto& probe : std::exchange(early_, {})) add(probe);
}

// A branch begins as the one before did: what was seen of the common tokens stays.
void InspectFeed::keepRecords(SessionSource& into) const {
    if (!ids_) return;
    const auto [mine, others] = std::mismatch(ids_->begin(), ids_->end(), into.ids->begin(), into.ids->end());
    const auto common = static_cast<int64_t>(mine - ids_->begin());
    const inspect::MemorySource& before = model_.source();
    for (const inspect::TokenSpan& span : before.covered()) {
        for (int64_t token = span.begin; token < std::min(span.end, common); ++token) {
            const auto probe = before.at(token);
            if (!probe) continue;
            into.source->setRegions({token, token + 1}, before.regions(token));
            into.source->add(probe, before.captureOf(token));
        }
    }
}

LookRequest InspectFeed::request(const inspect::TokenSpan& tokens, const std::vector<int64_t>& raw) const {
    LookRequest out{session_, live_ || head_ == 0 ? head_ : chat_.head(), {}};
    out.probes.level = raw.empty() ? ProbeLevel::kWindow : ProbeLevel::kFull;
    out.probes.begin = tokens.begin;
    out.probes.end = tokens.end;
    out.probes.rawLayers = raw;
    out.probes.regionEnds = endsOf(regions_);  // as the records will be read
    return out;
}

void InspectFeed::estimate(const inspect::TokenSpan& tokens, const std::vector<int64_t>& raw,
                           const std::function<void(const Result<ChatRunner::LookCost>&)>& then) {
    bridge_.engine(
        this,
        [wanted = request(tokens, raw)](EngineDesk& desk) -> Result<ChatRunner::LookCost> {
            if (!desk.hasModel()) return fail(ErrorCode::kBusy, "no model is loaded");
            return desk.place()->runner().lookCost(wanted);
        },
        then);
}

void InspectFeed::look(const inspect::TokenSpan& tokens, const std::vector<int64_t>& raw) {
    if (looking_) return;
    looking_ = true;
    bridge_.engine(
        this, [wanted = request(tokens, raw)](EngineDesk& desk) { return desk.look(wanted); },
        [this](const Result<>& started) {
            if (!started) endLook(started.error());
        });
}

void InspectFeed::stopLook() {
    if (looking_) bridge_.cancelTurn();
}

void InspectFeed::takeWindow(const std::shared_ptr<const WindowProbe>& window) {
    if (!looking_ || !ids_) return;
    model_.grow([&](inspect::MemorySource& source) { source.setWindow(window, regions_); });
}

void InspectFeed::endLook(const std::optional<Error>& error) {
    looking_ = false;
    Q_EMIT lookEnded();
    if (error && error->code != ErrorCode::kCancelled) Q_EMIT failed(*error);
}

void InspectFeed::grow(const TurnNews& news) {
    if (!live_ || news.probes.empty()) return;
    for (const auto& probe : news.probes) {
        recordBytes_ += inspect::bytesOf(*probe);
        ++records_;
        if (reading_) {
            early_.push_back(probe);
        } else if (session_ == live_->session && head_ == live_->question) {
            add(probe);
        }
    }
}

void InspectFeed::add(const std::shared_ptr<const TokenProbe>& probe) {
    // The next token of a reply is known when it was read.
    if (probe->position == std::ssize(*ids_)) ids_->push_back(probe->token);
    model_.grow([&](inspect::MemorySource& source) { source.add(probe, inspect::Capture::kLive); });
    if (live_ && live_->reply != 0) {
        auto& span = messages_[live_->reply];
        if (span.end == 0) span = {probe->position, probe->position};
        span.end = probe->position + 1;
    }
}

}  // namespace pal::desktop
