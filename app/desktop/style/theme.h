// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>

namespace pal::desktop {

// Light or dark.
enum class Scheme { kLight, kDark };

// The colours of everything that is painted, by what they are for. Text on `window`, `surface` and `raised` has a contrast of at least
// 4.5:1 (WCAG 2.1 AA), `faint` is for what is no text.
struct Colours {
    QColor window;   // behind everything
    QColor surface;  // transcript, composer
    QColor raised;   // cards, the user's messages, menus
    QColor sunken;   // code, wells
    QColor text;
    QColor muted;      // times, counts, hints
    QColor faint;      // lines and inactive marks
    QColor accent;     // what is chosen, links, the send button
    QColor onAccent;   // text on it
    QColor selection;  // behind selected text
    QColor warning;
    QColor error;
    QColor success;
    // Of highlighted code.
    QColor codeKeyword, codeString, codeNumber, codeComment, codeName;
};

// Colours, fonts and lengths of the window. Owned by the application and handed to whoever paints; UI thread. Views repaint (and lay out
// again) on changed().
class Theme : public QObject {
    Q_OBJECT

  public:
    explicit Theme(Scheme scheme, QObject* parent = nullptr);

    [[nodiscard]] Scheme scheme() const { return scheme_; }
    [[nodiscard]] const Colours& colours() const { return colours_; }
    // For standard widgets: the same colours in Qt's roles.
    [[nodiscard]] QPalette palette() const;

    // Fonts follow the system's choice times zoom().
    [[nodiscard]] QFont body() const;
    [[nodiscard]] QFont small() const;             // muted lines
    [[nodiscard]] QFont heading(int level) const;  // 1 to 6
    [[nodiscard]] QFont mono() const;

    // Lengths in device-independent pixels, in steps of a quarter of the body's line height: space(1) parts a word from its icon, space(2)
    // lines that belong together, space(4) blocks.
    [[nodiscard]] int space(int quarters) const;
    [[nodiscard]] int radius() const;        // of rounded corners
    [[nodiscard]] int iconSize() const;      // edge
    [[nodiscard]] int readingWidth() const;  // the widest that a column of text gets, about 90 characters

    void setScheme(Scheme scheme);
    // 1 is the system's size; kept between 0.5 and 3.
    void setZoom(double zoom);
    [[nodiscard]] double zoom() const { return zoom_; }

  Q_SIGNALS:
    void changed();

  private:
    [[nodiscard]] QFont scaled(double factor) const;

    Scheme scheme_;
    Colours colours_;
    double zoom_ = 1;
};

}  // namespace pal::desktop
