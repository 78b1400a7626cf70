// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/transcript_accessible.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QHash>
#include <QPointer>
#include <algorithm>

#include "app/desktop/transcript/transcript_view.h"

namespace pal::desktop {
namespace {

// A message. Reads the view each time, so that it is never stale.
class MessageAccessible : public QAccessibleInterface, public QAccessibleTextInterface {
  public:
    MessageAccessible(TranscriptView* view, int row) : view_(view), row_(row) {}

    [[nodiscard]] bool isValid() const override {
        return view_ != nullptr && view_->model() != nullptr && row_ < view_->model()->rowCount();
    }
    [[nodiscard]] QObject* object() const override { return nullptr; }
    [[nodiscard]] QWindow* window() const override {
        return view_ == nullptr ? nullptr : view_->window()->windowHandle();
    }
    [[nodiscard]] QAccessibleInterface* childAt(int /*x*/, int /*y*/) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* parent() const override {
        return QAccessible::queryAccessibleInterface(view_.data());
    }
    [[nodiscard]] QAccessibleInterface* child(int /*index*/) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* /*child*/) const override { return -1; }
    [[nodiscard]] QAccessible::Role role() const override { return QAccessible::ListItem; }

    [[nodiscard]] QString text(QAccessible::Text kind) const override {
        if (!isValid()) return {};
        const TranscriptMessage& message = view_->model()->message(row_);
        if (kind == QAccessible::Name) {
            constexpr qsizetype kHeardAtOnce = 4000;
            return QStringLiteral("%1: %2").arg(TranscriptModel::authorOf(message), content().left(kHeardAtOnce));
        }
        if (kind == QAccessible::Description) return view_->describedState(row_);
        return {};
    }
    void setText(QAccessible::Text /*kind*/, const QString& /*text*/) override {}

    [[nodiscard]] QRect rect() const override {
        if (!isValid()) return {};
        const QRect own = view_->messageRect(row_);
        return own.isEmpty() ? QRect() : own.translated(view_->viewport()->mapToGlobal(QPoint()));
    }
    [[nodiscard]] QAccessible::State state() const override {
        QAccessible::State state;
        state.focusable = state.selectable = state.readOnly = state.multiLine = true;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        state.focused = state.selected = view_->currentRow() == row_ && view_->hasFocus();
        state.offscreen = view_->messageRect(row_).isEmpty();
        state.busy = view_->model()->message(row_).state == MessageState::kStreaming;
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::TextInterface ? static_cast<QAccessibleTextInterface*>(this) : nullptr;
    }

    // Text, read only; the base class finds lines and words in it.
    void selection(int /*index*/, int* begin, int* end) const override { *begin = *end = 0; }
    [[nodiscard]] int selectionCount() const override { return 0; }
    void addSelection(int /*begin*/, int /*end*/) override {}
    void removeSelection(int /*index*/) override {}
    void setSelection(int /*index*/, int /*begin*/, int /*end*/) override {}
    [[nodiscard]] int cursorPosition() const override { return 0; }
    void setCursorPosition(int /*position*/) override {}
    [[nodiscard]] QString text(int begin, int end) const override { return content().mid(begin, end - begin); }
    [[nodiscard]] int characterCount() const override { return static_cast<int>(content().size()); }
    [[nodiscard]] QRect characterRect(int /*offset*/) const override { return rect(); }
    [[nodiscard]] int offsetAtPoint(const QPoint& /*point*/) const override { return 0; }
    void scrollToSubstring(int /*begin*/, int /*end*/) override {
        if (isValid()) view_->setCurrentRow(row_);
    }
    [[nodiscard]] QString attributes(int /*offset*/, int* begin, int* end) const override {
        *begin = 0;
        *end = characterCount();
        return {};
    }

  private:
    [[nodiscard]] QString content() const { return isValid() ? view_->heardText(row_) : QString(); }

    QPointer<TranscriptView> view_;
    int row_;
};

class TranscriptAccessible : public QAccessibleWidget {
  public:
    explicit TranscriptAccessible(TranscriptView* view) : QAccessibleWidget(view, QAccessible::List) {}
    ~TranscriptAccessible() override { forget(); }

    [[nodiscard]] int childCount() const override {
        return view()->model() == nullptr ? 0 : view()->model()->rowCount();
    }
    [[nodiscard]] QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount()) return nullptr;
        const auto known = children_.constFind(index);
        if (known != children_.constEnd()) return QAccessible::accessibleInterface(*known);
        auto* made = new MessageAccessible(view(), index);  // Qt's cache owns it
        children_.insert(index, QAccessible::registerAccessibleInterface(made));
        return made;
    }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override {
        for (auto each = children_.constBegin(); each != children_.constEnd(); ++each) {
            if (QAccessible::accessibleInterface(each.value()) == child) return each.key();
        }
        return -1;
    }
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override {
        const QPoint at = view()->viewport()->mapFromGlobal(QPoint(x, y));
        for (int row = 0; row < childCount(); ++row) {
            if (view()->messageRect(row).contains(at)) return child(row);
        }
        return nullptr;
    }
    [[nodiscard]] QAccessibleInterface* focusChild() const override {
        return view()->hasFocus() ? child(view()->currentRow()) : nullptr;
    }
    void forget() const {
        for (const QAccessible::Id id : std::as_const(children_)) QAccessible::deleteAccessibleInterface(id);
        children_.clear();
    }

  private:
    [[nodiscard]] TranscriptView* view() const { return static_cast<TranscriptView*>(widget()); }

    mutable QHash<int, QAccessible::Id> children_;
};

QAccessibleInterface* make(const QString& /*className*/, QObject* object) {
    auto* view = qobject_cast<TranscriptView*>(object);
    return view == nullptr ? nullptr : new TranscriptAccessible(view);
}

}  // namespace

void installTranscriptAccessibility() {
    QAccessible::installFactory(make);  // Qt keeps one of each
}

void announceReset(TranscriptView& view) {
    if (!QAccessible::isActive()) return;
    if (auto* own = dynamic_cast<TranscriptAccessible*>(QAccessible::queryAccessibleInterface(&view))) own->forget();
    QAccessibleEvent event(&view, QAccessible::ObjectReorder);
    QAccessible::updateAccessibility(&event);
}

void announceMessage(TranscriptView& view, int row) {
    if (!QAccessible::isActive()) return;
    QAccessibleEvent event(&view, QAccessible::NameChanged);
    event.setChild(row);
    QAccessible::updateAccessibility(&event);
}

void announceFocus(TranscriptView& view, int row) {
    if (!QAccessible::isActive() || !view.hasFocus()) return;
    QAccessibleEvent event(&view, QAccessible::Focus);
    event.setChild(row);
    QAccessible::updateAccessibility(&event);
}

}  // namespace pal::desktop
