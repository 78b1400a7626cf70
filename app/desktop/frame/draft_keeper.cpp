// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/draft_keeper.h"

#include <utility>

#include "engine/base/private_folder.h"

namespace pal::desktop {
namespace {

DraftText textOf(const ComposerDraft& draft) {
    DraftText out{draft.text.toStdString(), {}};
    for (const AttachmentItem& item : draft.attachments) out.attachments.push_back(item.facts.file);
    return out;
}

ComposerDraft draftOf(DraftText text) {
    ComposerDraft out{QString::fromStdString(text.text), {}};
    for (AttachedFile& file : text.attachments) out.attachments.emplace_back().facts.file = std::move(file);
    return out;
}

struct Kept {
    std::map<SessionId, Draft> drafts;
    std::filesystem::path pasted;
};

}  // namespace

SessionDraft joined(SessionDraft first, SessionDraft second) {
    const bool same = first.edited == second.edited;
    if (first.edited == 0) {
        first.edited = second.edited;
        first.again = std::move(second.again);
    } else if (same) {
        first.again = joined(std::move(first.again), std::move(second.again));
    }
    first.question = joined(std::move(first.question), std::move(second.question));
    return first;
}

void DraftKeeper::load() {
    bridge_.lists(
        this,
        [](LibraryDesk& desk) -> Result<Kept> {
            Kept out;
            out.pasted = pastedFolder(draftFolder(desk.library.places().data));
            PAL_ASSIGN(out.drafts, readDrafts(draftFolder(desk.library.places().data), [&](SessionId session) {
                           const auto known = desk.reader.sessions().get(session);
                           return known || known.error().code != ErrorCode::kNotFound;
                       }));
            PAL_TRY(makePrivateFolder(out.pasted));
            return out;
        },
        [this](Result<Kept> kept) {
            if (!kept) {
                Q_EMIT failed(kept.error());
                return;
            }
            loaded_ = true;
            for (auto& [session, draft] : kept->drafts) {
                SessionDraft old{draftOf(std::move(draft.question)), draft.edited, draftOf(std::move(draft.again))};
                drafts_[session] = joined(std::move(old), take(session));
            }
            Q_EMIT loaded(QString::fromStdString(kept->pasted.string()));
        });
}

SessionDraft DraftKeeper::take(SessionId session) {
    const auto at = drafts_.extract(session);
    return at ? std::move(at.mapped()) : SessionDraft();
}

void DraftKeeper::keep(SessionId session, SessionDraft draft) {
    if (loaded_ && held_ != session) write(session, draft);
    drafts_[session] = std::move(draft);
}

void DraftKeeper::write(SessionId session, const SessionDraft& draft) {
    bridge_.lists(
        this,
        [session, kept = Draft{textOf(draft.question), draft.edited, textOf(draft.again)}](LibraryDesk& desk) {
            return writeDraft(draftFolder(desk.library.places().data), session, kept);
        },
        [this](const Result<>& done) {
            if (done) {
                told_ = false;
            } else if (!std::exchange(told_, true)) {
                Q_EMIT failed(done.error());
            }
        });
}

}  // namespace pal::desktop
