// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <vector>

#include "app/composition/session_source.h"
#include "app/desktop/bridge/bridge.h"
#include "app/desktop/chat/chat.h"
#include "app/desktop/inspect/inspect_model.h"
#include "vision/media_config.h"

namespace pal::desktop {

// Keeps the views' data at what the chat shows: another branch when another one is opened, single records while an answer is written. UI
// thread.
class InspectFeed : public QObject {
    Q_OBJECT

  public:
    // All outlive it.
    InspectFeed(Bridge& bridge, Chat& chat, InspectModel& model, QObject* parent = nullptr);

    // Nothing is read and kept while nobody looks. What a turn tells meanwhile is stored with its session and shown when it has ended.
    void setWatched(bool watched);
    // What turns look at from the next one on.
    void setCapture(ProbeLevel level);
    [[nodiscard]] ProbeLevel capture() const { return capture_; }
    // A model was loaded: the runner is a new one.
    void modelLoaded();
    // Tokens of a message of the branch that is shown; nothing while it is not read.
    [[nodiscard]] std::optional<inspect::TokenSpan> spanOf(MessageId message) const;
    // The tokens of the `before`-th `word` of a message, counted from 0; nothing where it is not in its text.
    [[nodiscard]] std::optional<inspect::TokenSpan> wordOf(MessageId message, const QString& word, int before) const;
    [[nodiscard]] const std::map<MessageId, inspect::TokenSpan>& messages() const { return messages_; }
    // What computing these tokens again would take, for `then`; of the layers `raw` with every value.
    void estimate(const inspect::TokenSpan& tokens, const std::vector<int64_t>& raw,
                  const std::function<void(const Result<ChatRunner::LookCost>&)>& then);
    // Reads another version of the branch for the comparison, by its last message; it is then in the model. 0: leaves it.
    void loadOther(qint64 head);
    // Computes them; lookProgressed() and lookEnded() follow. What was seen is then in the model.
    void look(const inspect::TokenSpan& tokens, const std::vector<int64_t>& raw);
    void stopLook();
    [[nodiscard]] bool isLooking() const { return looking_; }
    // Bytes that a captured token takes in memory, over those that are there; 0: none.
    [[nodiscard]] uint64_t bytesPerToken() const { return records_ == 0 ? 0 : recordBytes_ / records_; }

  Q_SIGNALS:
    // The branch's texts and regions are there.
    void loaded();
    void lookProgressed(qint64 done, qint64 all);
    void lookEnded();
    void failed(const pal::Error& error);

  private:
    [[nodiscard]] LookRequest request(const inspect::TokenSpan& tokens, const std::vector<int64_t>& raw) const;
    void takeWindow(const std::shared_ptr<const WindowProbe>& window);
    void endLook(const std::optional<Error>& error);
    void follow();
    struct Read {
        SessionSource source;
        std::optional<MediaConfig> media;
    };
    void load(BranchRequest branch);
    // `before`: of what is computed again there, that of common tokens is taken over; may be null. `then` is called while isWanted() says so.
    void readBranch(const BranchRequest& branch, std::shared_ptr<const inspect::MemorySource> before,
                    const std::function<bool()>& isWanted, const std::function<void(Result<Read>)>& then);
    void take(Read read);
    [[nodiscard]] std::vector<InspectModel::Branch> branches() const;
    void loadPicture(quint64 request, const inspect::Region& region);
    void begin(const TurnStart& start);
    void end();
    void grow(const TurnNews& news);
    void add(const std::shared_ptr<const TokenProbe>& probe);
    void sendCapture();

    Bridge& bridge_;
    Chat& chat_;
    InspectModel& model_;
    bool watched_ = false, stale_ = true;
    ProbeLevel capture_ = ProbeLevel::kSummary;
    SessionId session_ = 0;  // what the model has, or will have
    MessageId head_ = 0;
    quint64 loading_ = 0;  // the newest request wins
    quint64 loadingOther_ = 0;
    bool reading_ = false;
    bool looking_ = false;
    SessionId lookedSession_ = 0;  // of the newest look, as session_ and head_ were
    MessageId lookedHead_ = 0;
    std::vector<inspect::Region> regions_;                  // of the whole branch
    std::map<int64_t, ComposedMedium> shown_;               // its pictures and clips, by the first token of their grid
    std::optional<MediaConfig> media_;                      // of the model
    std::optional<TurnStart> live_;                         // the turn whose records come
    bool ended_ = false;                                    // that turn
    bool missed_ = false;                                   // nobody looked for a part of it
    std::vector<std::shared_ptr<const TokenProbe>> early_;  // came before the branch was read
    std::map<MessageId, inspect::TokenSpan> messages_;
    uint64_t recordBytes_ = 0, records_ = 0;
};

}  // namespace pal::desktop
