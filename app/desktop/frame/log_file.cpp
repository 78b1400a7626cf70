// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/log_file.h"

#include <QDateTime>
#include <atomic>

#include "engine/base/private_folder.h"

namespace pal::desktop {

Q_LOGGING_CATEGORY(logWindow, "pal.window", QtInfoMsg)
Q_LOGGING_CATEGORY(logSessions, "pal.sessions", QtInfoMsg)
Q_LOGGING_CATEGORY(logModel, "pal.model", QtInfoMsg)
Q_LOGGING_CATEGORY(logTurn, "pal.turn", QtInfoMsg)

namespace {

// Qt's message handler is a plain function, so it finds its file here.
std::atomic<LogFile*> current{nullptr};

const char* levelName(QtMsgType type) {
    switch (type) {
        case QtDebugMsg:
            return "debug";
        case QtInfoMsg:
            return "info";
        case QtWarningMsg:
            return "warning";
        case QtCriticalMsg:
            return "error";
        case QtFatalMsg:
            return "fatal";
    }
    return "info";
}

}  // namespace

LogFile::LogFile(const QString& name, const Limits& limits) : limits_(limits), file_(name) {}

Result<std::unique_ptr<LogFile>> LogFile::open(const std::filesystem::path& folder, const Limits& limits) {
    PAL_TRY(makePrivateFolder(folder));
    std::unique_ptr<LogFile> log(new LogFile(QString::fromStdString((folder / "palimpsest.log").string()), limits));
    if (!log->file_.open(QIODevice::WriteOnly | QIODevice::Append))
        return fail(ErrorCode::kIo, "{}: {}", log->file_.fileName().toStdString(),
                    log->file_.errorString().toStdString());
    log->file_.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    LogFile* none = nullptr;
    if (!current.compare_exchange_strong(none, log.get()))
        return fail(ErrorCode::kConflict, "{}: this program has a log already", log->file_.fileName().toStdString());
    log->before_ = qInstallMessageHandler(&LogFile::receive);
    return log;
}

LogFile::~LogFile() {
    LogFile* self = this;
    if (!current.compare_exchange_strong(self, nullptr)) return;
    qInstallMessageHandler(before_);
}

void LogFile::receive(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    LogFile* log = current;
    if (log == nullptr) return;
    const QDateTime now = QDateTime::currentDateTime();
    const QString time = now.toOffsetFromUtc(now.offsetFromUtc()).toString(Qt::ISODateWithMs);
    log->write(QStringLiteral("%1 %2 %3 %4\n")
                   .arg(time, QLatin1String(levelName(type)), QLatin1String(context.category),
                        QString(message).replace(QLatin1Char('\n'), QLatin1Char(' '))));
    if (type != QtDebugMsg && type != QtInfoMsg && log->before_ != nullptr) log->before_(type, context, message);
}

void LogFile::write(const QString& line) {
    const std::lock_guard lock(mutex_);
    const QByteArray bytes = line.toUtf8();
    if (file_.isOpen() && file_.size() + bytes.size() > limits_.bytes) rotate();
    if (!file_.isOpen()) return;  // Qt would tell that in a message
    file_.write(bytes);
    file_.flush();
}

void LogFile::rotate() {
    const QString name = file_.fileName();
    file_.close();
    const auto numbered = [&](int number) { return QStringLiteral("%1.%2").arg(name).arg(number); };
    QFile::remove(numbered(limits_.files - 1));
    for (int number = limits_.files - 2; number >= 1; --number) QFile::rename(numbered(number), numbered(number + 1));
    QFile::rename(name, numbered(1));
    if (file_.open(QIODevice::WriteOnly | QIODevice::Append))
        file_.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
}

}  // namespace pal::desktop
