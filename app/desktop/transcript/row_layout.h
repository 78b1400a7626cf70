// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPainter>
#include <QRectF>
#include <QString>
#include <vector>

#include "app/desktop/style/theme.h"

namespace pal::desktop {

// Something in a row that can be pressed.
struct Hot {
    enum class Kind { kLink, kCitation, kCopyCode, kFold, kAction };
    Kind kind = Kind::kLink;
    std::vector<QRectF> rects;  // in the row, one for each line it is on
    QString target;             // address; what the citation's pattern said
    QString name;               // for people who hear it
    int action = 0;             // of kAction: a MessageAction
};

// A run of a row's text that was searched for.
struct FoundRun {
    int begin = 0, end = 0;
    bool current = false;
};

struct RowPaint {
    int selectionBegin = 0, selectionEnd = 0;  // equal: nothing is selected
    std::vector<FoundRun> found;
    int hovered = -1, focused = -1;  // index into hots()
    bool active = false;             // the message is under the mouse or has the focus
    QRectF clip;                     // what of the row is painted; empty: all of it
};

// A row of the transcript as it is laid out at one width: it paints itself and tells where its text is. Coordinates are the row's own,
// (0, 0) its top left; `width` is that of the column. UI thread.
class RowLayout {
  public:
    virtual ~RowLayout() = default;
    RowLayout() = default;
    RowLayout(const RowLayout&) = delete;
    RowLayout& operator=(const RowLayout&) = delete;

    [[nodiscard]] qreal height() const { return height_; }
    [[nodiscard]] const std::vector<Hot>& hots() const { return hots_; }
    virtual void paint(QPainter& painter, const Theme& theme, const RowPaint& state) const = 0;
    // The offset of the row's text nearest to a point, and where an offset is. Rows without text: 0 and an empty rectangle.
    [[nodiscard]] virtual int offsetAt(QPointF point) const;
    [[nodiscard]] virtual QRectF caret(int offset) const;

  protected:
    void paintFocus(QPainter& painter, const Theme& theme, const RowPaint& state) const;

    qreal height_ = 0;
    std::vector<Hot> hots_;
};

}  // namespace pal::desktop
