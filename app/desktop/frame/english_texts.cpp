// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/english_texts.h"

#include <string_view>

namespace pal::desktop {

QString EnglishTexts::translate(const char* context, const char* source, const char* disambiguation, int n) const {
    const std::string_view of(context);
    const bool ours = of.starts_with("pal::") || of == "Transcript" || of == "Preview";
    if (!ours || of == "pal::desktop::Chat") return {};  // what Qt says, and names of sessions
    const QString english = QTranslator::translate(context, source, disambiguation, n);
    const QString text = english.isEmpty() ? QString::fromUtf8(source) : english;
    if (text.isEmpty() || text.contains(QStringLiteral("(*"))) return text;  // a filter of file names is not only read
    const QString mark(QChar(0x200E));                                       // left to right
    return (text.front().isLetter() ? QString() : mark) + text + (text.back().isLetterOrNumber() ? QString() : mark);
}

}  // namespace pal::desktop
