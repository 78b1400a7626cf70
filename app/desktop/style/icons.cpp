// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/style/icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace pal::desktop {
namespace {

// The drawings' only colour is "currentColor", which the engine replaces before it draws.
class IconEngine : public QIconEngine {
  public:
    IconEngine(QByteArray drawing, const Theme& theme, IconColour colour)
        : drawing_(std::move(drawing)), theme_(theme), colour_(colour) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State /*state*/) override {
        QByteArray drawing = drawing_;
        drawing.replace("currentColor", colour(mode).name().toLatin1());
        QSvgRenderer(drawing).render(painter, rect);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap out(size);
        out.fill(Qt::transparent);
        QPainter painter(&out);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return out;
    }

    QIconEngine* clone() const override { return new IconEngine(drawing_, theme_, colour_); }

  private:
    [[nodiscard]] QColor colour(QIcon::Mode mode) const {
        const Colours& colours = theme_.colours();
        if (mode == QIcon::Disabled) return colours.faint;
        switch (colour_) {
            case IconColour::kMuted:
                return colours.muted;
            case IconColour::kAccent:
                return colours.accent;
            case IconColour::kOnAccent:
                return colours.onAccent;
            case IconColour::kWarning:
                return colours.warning;
            case IconColour::kError:
                return colours.error;
            case IconColour::kText:
                break;
        }
        return colours.text;
    }

    QByteArray drawing_;
    const Theme& theme_;
    IconColour colour_;
};

}  // namespace

QIcon icon(const QString& name, const Theme& theme, IconColour colour) {
    QFile file(QStringLiteral(":/palimpsest/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QIcon(new IconEngine(file.readAll(), theme, colour));
}

}  // namespace pal::desktop
