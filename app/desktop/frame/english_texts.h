// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTranslator>

namespace pal::desktop {

// The program's own English texts for a window that runs from right to left, where there is no translation: each keeps its direction, so that
// what stands at its ends (a number, an ellipsis) stays there. Load() it with the plural forms of English.
class EnglishTexts : public QTranslator {
    Q_OBJECT

  public:
    using QTranslator::QTranslator;
    [[nodiscard]] QString translate(const char* context, const char* source, const char* disambiguation,
                                    int n) const override;
};

}  // namespace pal::desktop
