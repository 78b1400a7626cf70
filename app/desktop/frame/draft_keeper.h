// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <map>
#include <optional>

#include "app/composition/drafts.h"
#include "app/desktop/bridge/bridge.h"
#include "app/desktop/composer/composer.h"

namespace pal::desktop {

// What is written in a session: its next question and, while an old one is written again, that.
struct SessionDraft {
    ComposerDraft question;
    MessageId edited = 0;  // 0: none is written again
    ComposerDraft again;
};

// One after the other; of two that are written again, the first.
[[nodiscard]] SessionDraft joined(SessionDraft first, SessionDraft second);

// Drafts of all sessions, in the data folder and here. UI thread; files are read and written on the lists' thread.
class DraftKeeper : public QObject {
    Q_OBJECT

  public:
    explicit DraftKeeper(Bridge& bridge, QObject* parent = nullptr) : QObject(parent), bridge_(bridge) {}

    // Of an open data folder. loaded() comes before the answer to anything that the lists' thread is asked afterwards.
    void load();
    // Nothing when none is kept.
    [[nodiscard]] SessionDraft take(SessionId session);
    void keep(SessionId session, SessionDraft draft);
    // A question of this session is on its way: until release() its file stays, so that a program that dies meanwhile has asked or still has it.
    void hold(SessionId session) { held_ = session; }
    void release() { held_.reset(); }

  Q_SIGNALS:
    // `pasted` is where pasted pictures belong.
    void loaded(const QString& pasted);
    // Drafts cannot be read or kept; said once until it works again.
    void failed(const pal::Error& error);

  private:
    void write(SessionId session, const SessionDraft& draft);

    Bridge& bridge_;
    std::map<SessionId, SessionDraft> drafts_;
    std::optional<SessionId> held_;
    bool loaded_ = false;
    bool told_ = false;
};

}  // namespace pal::desktop
