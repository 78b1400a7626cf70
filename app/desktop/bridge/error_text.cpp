// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/bridge/error_text.h"

#include <QCoreApplication>

#include "app/desktop/bridge/plain_words.h"

namespace pal::desktop {
namespace {

// Strings are marked by QT_TRANSLATE_NOOP, since there is no class around them.
const char* sentence(ErrorCode code) {
    switch (code) {
        case ErrorCode::kCancelled:
            return QT_TRANSLATE_NOOP("pal::desktop::Errors", "Stopped");
        case ErrorCode::kInvalidArgument:
            return QT_TRANSLATE_NOOP("pal::desktop::Errors", "That is not possible");
        case ErrorCode::kNotFound:
            return QT_TRANSLATE_NOOP("pal::desktop::Errors", "Not found");
        case ErrorCode::kIo:
            return QT_TRANSLATE_NOOP("pal::desktop::Errors", "The system refused");
        case ErrorCode::kFormat:
            return QT_TRANSLATE_NOOP("pal::desktop::Errors", "The file cannot be read");
        case ErrorCode::kUnsupported:
            return QT_TRANSLATE_NOOP("pal::desktop::Errors", "This version cannot do that");
        case ErrorCode::kOutOfMemory:
            return QT_TRANSLATE_NOOP("pal::desktop::Errors", "There is not enough memory");
        case ErrorCode::kDeviceLost:
            return QT_TRANSLATE_NOOP("pal::desktop::Errors", "The device does not answer any more");
        case ErrorCode::kBusy:
            return QT_TRANSLATE_NOOP("pal::desktop::Errors", "Not now");
        case ErrorCode::kConflict:
            return QT_TRANSLATE_NOOP("pal::desktop::Errors", "Two things do not fit together");
        case ErrorCode::kCorrupt:
            return QT_TRANSLATE_NOOP("pal::desktop::Errors", "Stored data is damaged");
        case ErrorCode::kInternal:
            break;
    }
    return QT_TRANSLATE_NOOP("pal::desktop::Errors", "Something went wrong in the program");
}

}  // namespace

QString errorText(const Error& error) {
    const QString pattern = QCoreApplication::translate("pal::desktop::Errors", "%1: %2");
    if (const auto disk = diskTrouble(QString::fromStdString(error.message)))
        return pattern.arg(disk->what, disk->where);
    return pattern.arg(QCoreApplication::translate("pal::desktop::Errors", sentence(error.code)),
                       plainWords(error.message));
}

}  // namespace pal::desktop
