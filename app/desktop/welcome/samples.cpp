// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/welcome/samples.h"

#include <QCoreApplication>

namespace pal::desktop {

std::vector<Sample> samples() {
    const auto title = [](const char* text) { return QCoreApplication::translate("Samples", text); };
    return {
        {QStringLiteral("lighthouse.pdf"), QStringLiteral("document"),
         title(QT_TRANSLATE_NOOP("Samples", "A document")), QStringLiteral("What is the height of the lighthouse?")},
        {QStringLiteral("shapes.png"), QStringLiteral("image"), title(QT_TRANSLATE_NOOP("Samples", "A picture")),
         QStringLiteral("Where is the red circle?")},
        {QStringLiteral("motion.mp4"), QStringLiteral("video"), title(QT_TRANSLATE_NOOP("Samples", "A clip")),
         QStringLiteral("Which way does the circle move?")}};
}

}  // namespace pal::desktop
