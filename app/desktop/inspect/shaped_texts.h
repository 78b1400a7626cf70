// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFont>
#include <QStaticText>
#include <QString>
#include <array>
#include <string>
#include <unordered_map>

#include "app/inspect/canvas.h"

namespace pal::desktop {

// Texts of figures made ready for drawing. Shaping a word costs more than drawing it, and a text of tokens has the same ones again and again, in one
// picture and in the next. Used by one thread at a time.
class ShapedTexts {
  public:
    struct Shaped {
        QString text;
        double width = 0;
        QStaticText glyphs;
    };
    struct Role {
        QFont font;
        double ascent = 0, descent = 0;
    };

    // The font, and the size of kBody, of the texts from now on. With others than before, what is there is forgotten.
    void use(const QFont& font, double textSize);

    [[nodiscard]] const Role& role(inspect::TextRole role) const { return roles_[static_cast<size_t>(role)]; }
    // On one line, cut with an ellipsis where it is wider than `room` (<= 0: not cut). Valid until the next call.
    [[nodiscard]] const Shaped& shaped(const std::string& text, inspect::TextRole role, double room);

  private:
    using Texts = std::unordered_map<std::string, Shaped>;
    const Shaped& keep(Texts& texts, const std::string& key, QString text, size_t role);

    QFont font_;
    double textSize_ = 0;
    std::array<Role, 3> roles_;
    std::array<Texts, 3> whole_, cut_;  // by role; what is cut under its text and the room
};

}  // namespace pal::desktop
