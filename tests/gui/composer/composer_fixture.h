// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDir>
#include <QSignalSpy>
#include <QTest>

#include "app/desktop/composer/composer.h"

namespace pal::desktop {

// For the embedded model, a first question of a session.
inline ComposerContext nanoContext(int64_t contextTokens = 8192) {
    ComposerContext context;
    context.tokenizer = Tokenizer::loadModelFolder("resources/nano").value();
    context.media = readMediaConfig("resources/nano").value();
    context.contextTokens = contextTokens;
    return context;
}

inline void prepare(Composer& composer, int64_t contextTokens = 8192) {
    DocumentOptions reading;
    reading.helper = PAL_EXTRACT;
    composer.setReading(reading);
    composer.setContext(nanoContext(contextTokens));
    composer.setMode(Composer::Mode::kReady);
}

inline QString testFile(const char* name) {
    return QDir::current().absoluteFilePath(QStringLiteral("tests/data/") + QString::fromLatin1(name));
}

// Until everything is read and counted.
inline bool settle(const Composer& composer) {
    return QTest::qWaitFor(
        [&] { return !composer.attachments().anyIn(AttachmentItem::State::kReading) && composer.count().has_value(); },
        30'000);
}

template <typename Part>
Part* part(const QWidget& of) {
    Part* found = of.findChild<Part*>();
    Q_ASSERT(found != nullptr);
    return found;
}

}  // namespace pal::desktop
