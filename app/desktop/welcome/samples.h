// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <vector>

namespace pal::desktop {

// A file that comes with the program (resources/desktop/samples), and a question about it that the embedded model answers rightly.
struct Sample {
    QString file;      // its name, also below :/palimpsest/samples
    QString icon;      // of style/icons.h
    QString title;     // for people, translated
    QString question;  // English, which is all that the embedded model reads
};

// A document, a picture, a clip.
[[nodiscard]] std::vector<Sample> samples();

}  // namespace pal::desktop
