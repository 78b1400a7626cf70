// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/inspect/inspect_feed.h"

#include <QCoreApplication>
#include <QPointer>
#include <algorithm>
#include <utility>

#include "app/composition/prompt_regions.h"
#include "app/composition/region_picture.h"

namespace pal::desktop {

namespace {

// A branch begins as the one before did: what was computed again of the common tokens stays.
void keepComputed(inspect::MemorySource& into, const inspect::MemorySource& before) {
    if (before.model() != into.model()) return;
    const std::vector<TokenId> old = before.ids(), now = into.ids();
    const auto [mine, others] = std::mismatch(old.begin(), old.end(), now.begin(), now.end());
    into.keepComputed(before, mine - old.begin());
}

}  // namespace

InspectFeed::InspectFeed(Bridge& bridge, Chat& chat, InspectModel& model, QObject* parent)
    : QObject(parent), bridge_(bridge), chat_(chat), model_(model) {
    connect(&chat_, &Chat::shown, this, &InspectFeed::follow);
    connect(&chat_, &Chat::started, this, &InspectFeed::begin);
    connect(&chat_, &Chat::grew, this, &InspectFeed::grow);
    connect(&chat_, &Chat::ended, this, &InspectFeed::end);
    connect(&bridge_, &Bridge::windowProbed, this, &InspectFeed::takeWindow);
    connect(&bridge_, &Bridge::lookEnded, this, &InspectFeed::endLook);
    connect(&bridge_, &Bridge::turnNews, this, [this](const TurnNews& news) {
        if (looking_ && news.progress)
            Q_EMIT lookProgressed(news.progress->reused + news.progress->computed, news.progress->total);
    });
}

void InspectFeed::setWatched(bool watched) {
    watched_ = watched;
    const bool writing = live_ && !ended_;
    if (!watched_) {
        missed_ = missed_ || writing;
        stale_ = stale_ || writing;
        early_.clear();
    } else if (stale_ && writing && chat_.session() == live_->session) {
        load({live_->session, live_->question, StoredReplies::Growing{live_->reply, live_->promptTokens - 1}});
    } else if (stale_) {
        follow();
    }
}

void InspectFeed::setCapture(ProbeLevel level) {
    capture_ = level;
    sendCapture();
}

void InspectFeed::modelLoaded() {
    stale_ = true;
    sendCapture();
}

void InspectFeed::sendCapture() {
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
    ended_ = false;
    missed_ = stale_ = !watched_;
    early_.clear();
    // The regions of its records are those of its question.
    if (watched_) load({start.session, start.question, StoredReplies::Growing{start.reply, start.promptTokens - 1}});
}

void InspectFeed::end() {
    ended_ = true;
    stale_ = stale_ || missed_;
}

// The branch of a running turn was read when it began, and its records came since.
void InspectFeed::follow() {
    const bool ofTurn = chat_.session() == session_ && head_ != 0 && chat_.tree().parent(chat_.head()) == head_;
    if (ofTurn && !stale_) {
        if (!reading_) model_.setBranches(branches());  // else take() does, with the source that they belong to
        return;
    }
    const bool same = chat_.session() == session_ && chat_.head() == head_;
    if (same && (reading_ || !stale_)) return;
    stale_ = true;
    if (!watched_) return;
    // What a turn elsewhere tells is kept with its session; it is not for this branch.
    live_.reset();
    early_.clear();
    if (chat_.session() != 0 && chat_.head() != 0) load({chat_.session(), chat_.head()});
}

void InspectFeed::load(BranchRequest branch) {
    const quint64 request = ++loading_;
    session_ = branch.session;
    head_ = branch.head;
    reading_ = true;
    branch.wish = [self = QPointer<InspectFeed>(this), request](const inspect::Region& region) {
        const auto ask = [self, request, region] {
            if (self) self->loadPicture(request, region);
        };
        QMetaObject::invokeMethod(qApp, ask, Qt::QueuedConnection);
    };
    readBranch(
        branch, model_.sharedSource(), [this, request] { return request == loading_; },
        [this](Result<Read> read) {
            reading_ = false;
            if (read) return take(std::move(*read));
            stale_ = true;
            if (read.error().code != ErrorCode::kBusy) Q_EMIT failed(read.error());
        });
}

// The engine's thread gives what it takes of the model; reading itself goes on beside it, so that a running reply is not held up.
void InspectFeed::readBranch(const BranchRequest& branch, std::shared_ptr<const inspect::MemorySource> before,
                             const std::function<bool()>& isWanted, const std::function<void(Result<Read>)>& then) {
    using Done = Result<std::shared_ptr<Read>>;
    const auto read = [branch, words = figureWords(), before = std::move(before)](const BranchReading& with,
                                                                                  const LibraryDesk& desk) -> Done {
        auto out = std::make_shared<Read>();
        PAL_ASSIGN(out->source, sessionSource(with, desk.library.sources(), desk.reader, branch, words));
        if (before) keepComputed(*out->source.source, *before);
        out->media = with.media;
        return out;
    };
    const auto end = [isWanted, then](const Done& done) {
        if (!isWanted()) return;
        if (!done) return then(fail(done.error()));
        then(std::move(**done));
    };
    bridge_.engine(
        this,
        [](EngineDesk& desk) -> Result<BranchReading> {
            if (!desk.hasModel()) return fail(ErrorCode::kBusy, "no model is loaded");
            return branchReading(desk.place()->runner());
        },
        [this, read, end, isWanted](const Result<BranchReading>& with) {
            if (!isWanted()) return;
            if (!with) return end(fail(with.error()));
            bridge_.errand(
                this, [read, with = *with](LibraryDesk& desk) { return read(with, desk); }, end);
        });
}

void InspectFeed::take(Read read) {
    messages_ = std::move(read.source.messages);
    regions_ = std::move(read.source.regions);
    shown_ = std::move(read.source.media);
    media_ = std::move(read.media);
    stale_ = false;
    model_.setSource(std::move(read.source.source));
    model_.setBranches(branches());
    Q_EMIT loaded();
    for (const auto& probe : std::exchange(early_, {})) add(probe);
}

// The other versions of the messages of the branch, the newest first.
std::vector<InspectModel::Branch> InspectFeed::branches() const {
    constexpr size_t kMost = 20;
    std::vector<InspectModel::Branch> out;
    const auto& messages = chat_.messages();
    for (auto message = messages.rbegin(); message != messages.rend() && out.size() < kMost; ++message) {
        const std::vector<MessageId>& versions = chat_.tree().siblings(message->node.id);
        for (size_t i = 0; i < versions.size() && out.size() < kMost; ++i) {
            if (versions[i] == message->node.id) continue;
            out.push_back({chat_.tree().newestBelow(versions[i]), tr("with version %1 of %2 of message %3")
                                                                      .arg(i + 1)
                                                                      .arg(versions.size())
                                                                      .arg(std::distance(message, messages.rend()))});
        }
    }
    return out;
}

void InspectFeed::loadOther(qint64 head) {
    const quint64 request = ++loadingOther_;
    model_.wantOtherBranch(head);
    if (head == 0) return;
    readBranch(
        {session_, head}, nullptr,
        [this, request, head, of = loading_] {
            return request == loadingOther_ && of == loading_ && model_.otherHead() == head;
        },
        [this, head](Result<Read> read) {
            if (!read) {
                model_.wantOtherBranch(0);
                return Q_EMIT failed(read.error());
            }
            SessionSource& source = read->source;
            const auto message = source.messages.find(head);
            const inspect::TokenSpan tokens =
                message != source.messages.end() ? message->second : inspect::TokenSpan{0, 1};
            model_.setOtherBranch(std::move(source.source), tokens);
        });
}

void InspectFeed::loadPicture(quint64 request, const inspect::Region& region) {
    if (request != loading_ || !media_) return;  // another branch is shown now
    const auto medium = shown_.find(region.gridBegin);
    if (medium == shown_.end()) return;
    bridge_.errand(
        this, [medium = medium->second, media = *media_](LibraryDesk&) { return regionPicture(medium, media, {}); },
        [this, region, request](const Result<std::shared_ptr<const inspect::Picture>>& made) {
            if (!made || request != loading_) return;
            model_.grow([&](inspect::MemorySource& source) { source.setPicture(region, *made); });
        });
}

LookRequest InspectFeed::request(const inspect::TokenSpan& tokens, const std::vector<int64_t>& raw) const {
    const bool writing = live_ && !ended_;  // its reply cannot be looked at yet
    LookRequest out{session_, writing ? head_ : chat_.head(), {}};
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
    lookedSession_ = session_;
    lookedHead_ = head_;
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
    if (!looking_ || lookedSession_ != session_ || lookedHead_ != head_) return;  // another branch is shown now
    model_.grow([&](inspect::MemorySource& source) { source.setWindow(window, regions_); });
}

void InspectFeed::endLook(const std::optional<Error>& error) {
    looking_ = false;
    Q_EMIT lookEnded();
    if (error && error->code != ErrorCode::kCancelled) Q_EMIT failed(*error);
}

void InspectFeed::grow(const TurnNews& news) {
    if (!live_ || !watched_ || news.probes.empty()) return;
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
    model_.grow([&](inspect::MemorySource& source) { source.add(probe, inspect::Capture::kLive); });
    // The prompt's last token is told, too: it says what the reply's first one was drawn from.
    if (live_ && probe->position >= live_->promptTokens) {
        auto& span = messages_[live_->reply];
        if (span.end == 0) span = {probe->position, probe->position};
        span.end = probe->position + 1;
    }
}

}  // namespace pal::desktop
