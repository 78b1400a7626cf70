// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/single_instance.h"

#include <QCryptographicHash>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocalSocket>
#include <QStandardPaths>

namespace pal::desktop {
namespace {

constexpr int kWaitMs = 1000;
constexpr qint64 kMostBytes = 1 << 20;  // of a message with file names

// In the user's runtime folder, which nobody else may enter; without one, names are told apart by the home folder.
QString socketName(const QString& folder) {
    const QByteArray place = (QDir::homePath() + QLatin1Char('\n') + folder).toUtf8();
    const QString hash =
        QString::fromLatin1(QCryptographicHash::hash(place, QCryptographicHash::Sha256).toHex().left(16));
    const QString runtime = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    const QString name = QStringLiteral("palimpsest-%1").arg(hash);
    return runtime.isEmpty() ? name : QDir(runtime).filePath(name);
}

}  // namespace

SingleInstance::SingleInstance(const QString& folder, QObject* parent)
    : QObject(parent), name_(socketName(folder.isEmpty() ? QString() : QDir(folder).absolutePath())) {
    server_.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&server_, &QLocalServer::newConnection, this, &SingleInstance::take);
}

bool SingleInstance::handOver(const QStringList& files) {
    QLocalSocket socket;
    socket.connectToServer(name_);
    if (!socket.waitForConnected(kWaitMs)) return false;
    QJsonArray list;
    for (const QString& file : files) list.append(QDir::current().absoluteFilePath(file));
    socket.write(QJsonDocument(list).toJson(QJsonDocument::Compact) + '\n');
    // Its answer says that the message was taken: a program that hangs is not a window.
    return socket.waitForBytesWritten(kWaitMs) && socket.waitForReadyRead(kWaitMs);
}

bool SingleInstance::listen() {
    if (server_.listen(name_)) return true;
    QLocalServer::removeServer(name_);  // left by a program that died; nobody answered at it
    return server_.listen(name_);
}

void SingleInstance::take() {
    while (QLocalSocket* socket = server_.nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
            if (socket->bytesAvailable() > kMostBytes) socket->abort();
            if (!socket->canReadLine()) return;
            const QJsonDocument message = QJsonDocument::fromJson(socket->readLine());
            if (!message.isArray()) {
                socket->abort();
                return;
            }
            QStringList files;
            for (const auto& file : message.array()) files << file.toString();
            socket->write("ok\n");
            socket->flush();
            Q_EMIT asked(files);
        });
    }
}

}  // namespace pal::desktop
