// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "app/inspect/memory_source.h"
#include "app/inspect/view.h"

namespace pal::desktop {

// What all open views show: the data of the open branch, one selection, and how values are drawn. Every view follows it, and a click in any
// of them changes it for all. UI thread.
class InspectModel : public QObject {
    Q_OBJECT

  public:
    explicit InspectModel(QObject* parent = nullptr);

    [[nodiscard]] const inspect::MemorySource& source() const { return *source_; }
    // For those who read it on another thread.
    [[nodiscard]] std::shared_ptr<const inspect::MemorySource> sharedSource() const { return source_; }
    // Another session or branch.
    void setSource(std::shared_ptr<inspect::MemorySource> source);
    // More of it: `change` adds to the source. Until someone chooses other tokens, the newest one is selected.
    template <typename Change>
    void grow(Change change) {
        change(*source_);
        Q_EMIT dataChanged();
        if (!chosen_) selectNewest();
    }

    [[nodiscard]] const inspect::Selection& selection() const { return selection_; }
    [[nodiscard]] const std::optional<inspect::Selection>& other() const { return other_; }
    [[nodiscard]] const inspect::ViewOptions& options() const { return options_; }
    void select(const inspect::Selection& selection);
    void selectTokens(const inspect::TokenSpan& tokens);
    // Takes over what a mark stands for: its tokens, layer and head; the rest of the selection stays.
    void choose(const inspect::Target& target);
    // The second selection of the comparison, likewise, in the same branch.
    void chooseOther(const inspect::Target& target);

    // Other versions of this branch that it can be compared with.
    struct Branch {
        int64_t head = 0;  // its last message
        QString name;
    };
    [[nodiscard]] const std::vector<Branch>& branches() const { return branches_; }
    void setBranches(std::vector<Branch> branches);
    // The one that is compared with; null: this one.
    [[nodiscard]] const std::shared_ptr<const inspect::MemorySource>& otherSource() const { return otherSource_; }
    void setOtherBranch(std::shared_ptr<const inspect::MemorySource> source, const inspect::TokenSpan& tokens);
    // The last message of the one that is wanted or there; 0: this one.
    [[nodiscard]] int64_t otherHead() const { return otherHead_; }
    // Compares within this branch until the other one is there.
    void wantOtherBranch(int64_t head);
    // Size, range and texts are each view's own and stay out of it.
    void setOptions(const inspect::ViewOptions& options);

    // The region that a mark is on; nothing where it is on none.
    [[nodiscard]] std::optional<inspect::Region> regionOf(const inspect::Target& target) const;

  Q_SIGNALS:
    void selectionChanged();
    void dataChanged();
    void optionsChanged();
    void branchesChanged();
    // Someone wants to see this part of the context itself.
    void regionOpened(const pal::inspect::Region& region);

  private:
    void selectNewest();

    std::shared_ptr<inspect::MemorySource> source_;
    std::shared_ptr<const inspect::MemorySource> otherSource_;
    std::vector<Branch> branches_;
    inspect::Selection selection_;
    bool chosen_ = false;  // its tokens, by someone
    std::optional<inspect::Selection> other_;
    int64_t otherHead_ = 0;
    inspect::ViewOptions options_;
};

// Figure texts in the window's language.
[[nodiscard]] inspect::Words figureWords();

}  // namespace pal::desktop
