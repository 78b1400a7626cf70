// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/inspect/inspect_model.h"

#include <QCoreApplication>
#include <QLocale>

namespace pal::desktop {
namespace {

inspect::Selection with(inspect::Selection selection, const inspect::Target& target) {
    if (target.begin >= 0) selection.tokens = {target.begin, std::max(target.end, target.begin + 1)};
    if (target.layer >= 0) selection.layer = target.layer;
    if (target.head >= 0) selection.head = target.head;
    return selection;
}

}  // namespace

InspectModel::InspectModel(QObject* parent) : QObject(parent), source_(std::make_shared<inspect::MemorySource>()) {}

void InspectModel::setSource(std::shared_ptr<inspect::MemorySource> source) {
    source_ = std::move(source);
    other_.reset();
    otherSource_.reset();
    otherHead_ = 0;
    chosen_ = false;
    selection_.tokens = {0, 1};
    Q_EMIT dataChanged();
    selectNewest();
    Q_EMIT selectionChanged();
}

// The end of what was looked at: the newest answer's last token.
void InspectModel::selectNewest() {
    const std::vector<inspect::TokenSpan> covered = source_->covered();
    const int64_t last = covered.empty() ? 0 : covered.back().end - 1;
    if (selection_.tokens == inspect::TokenSpan{last, last + 1}) return;
    selection_.tokens = {last, last + 1};
    Q_EMIT selectionChanged();
}

void InspectModel::select(const inspect::Selection& selection) {
    if (selection == selection_) return;
    chosen_ = chosen_ || selection.tokens != selection_.tokens;
    selection_ = selection;
    Q_EMIT selectionChanged();
}

void InspectModel::selectTokens(const inspect::TokenSpan& tokens) {
    inspect::Selection next = selection_;
    next.tokens = tokens;
    select(next);
}

void InspectModel::choose(const inspect::Target& target) {
    select(with(selection_, target));
}

void InspectModel::chooseOther(const inspect::Target& target) {
    other_ = with(otherSource_ ? selection_ : other_.value_or(selection_), target);
    otherSource_.reset();
    otherHead_ = 0;
    Q_EMIT selectionChanged();
}

void InspectModel::setBranches(std::vector<Branch> branches) {
    branches_ = std::move(branches);
    Q_EMIT branchesChanged();
}

void InspectModel::setOtherBranch(std::shared_ptr<const inspect::MemorySource> source,
                                  const inspect::TokenSpan& tokens) {
    otherSource_ = std::move(source);
    other_ = selection_;
    other_->tokens = tokens;
    Q_EMIT selectionChanged();
}

void InspectModel::wantOtherBranch(int64_t head) {
    otherHead_ = head;
    if (otherSource_) other_.reset();
    otherSource_.reset();
    Q_EMIT selectionChanged();
}

void InspectModel::setOptions(const inspect::ViewOptions& options) {
    options_ = options;
    Q_EMIT optionsChanged();
}

std::optional<inspect::Region> InspectModel::regionOf(const inspect::Target& target) const {
    if (target.keyBegin < 0) return std::nullopt;
    const auto regions = source_->regions(selection_.tokens.begin);
    for (const inspect::Region& region : *regions)
        if (target.keyBegin >= region.begin && target.keyBegin < region.end) return region;
    return std::nullopt;
}

inspect::Words figureWords() {
    const QLocale locale;
    const bool grouped = !locale.numberOptions().testFlag(QLocale::OmitGroupSeparator);
    return inspect::Words(
        [](const char* english) { return QCoreApplication::translate("Figure", english).toStdString(); },
        grouped ? locale.groupSeparator().toStdString() : std::string(),
        locale.decimalPoint() == QLatin1String(",") ? ',' : '.');
}

}  // namespace pal::desktop
