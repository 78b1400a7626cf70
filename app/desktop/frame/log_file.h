// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFile>
#include <QLoggingCategory>
#include <filesystem>
#include <memory>
#include <mutex>

#include "engine/base/result.h"

namespace pal::desktop {

// What the window logs. Never the text of a message, of an answer or of an attachment; names of files only in errors, without the home
// folder. QT_LOGGING_RULES chooses other levels ("pal.turn=false").
Q_DECLARE_LOGGING_CATEGORY(logWindow)
Q_DECLARE_LOGGING_CATEGORY(logSessions)
Q_DECLARE_LOGGING_CATEGORY(logModel)
Q_DECLARE_LOGGING_CATEGORY(logTurn)

// Everything that is logged through Qt, a line per message with time, zone, level and category; warnings go on to where messages went
// before, too. A full file becomes palimpsest.log.1 and so on; the oldest goes. One per process. Messages may come from any thread, but from
// none any more when it ends.
class LogFile {
  public:
    struct Limits {
        qint64 bytes = 4 << 20;  // of a file
        int files = 5;           // at least 2
    };
    // Makes the folder. Errors: kIo; kConflict when there is one in this process.
    static Result<std::unique_ptr<LogFile>> open(const std::filesystem::path& folder, const Limits& limits);
    // Messages go where they went before.
    ~LogFile();
    LogFile(const LogFile&) = delete;
    LogFile& operator=(const LogFile&) = delete;

    [[nodiscard]] QString fileName() const { return file_.fileName(); }

  private:
    LogFile(const QString& name, const Limits& limits);
    static void receive(QtMsgType type, const QMessageLogContext& context, const QString& message);
    void write(const QString& line);
    void rotate();

    const Limits limits_;
    std::mutex mutex_;
    QFile file_;
    QtMessageHandler before_ = nullptr;
};

}  // namespace pal::desktop
