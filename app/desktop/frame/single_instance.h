// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLocalServer>
#include <QObject>
#include <QStringList>

namespace pal::desktop {

// One window per user and data folder: the first program listens on a local socket, later ones hand it their files and end. UI thread.
class SingleInstance : public QObject {
    Q_OBJECT

  public:
    // `folder` is the data folder that was named, or empty.
    explicit SingleInstance(const QString& folder, QObject* parent = nullptr);

    // Whether another program has the window; then it got `files` and shows itself. Waits at most a second for each of its steps.
    [[nodiscard]] bool handOver(const QStringList& files);
    // From now on others hand over to this program. False when the socket cannot be made; the program works without.
    bool listen();

  Q_SIGNALS:
    // Another start; `files` may be empty.
    void asked(const QStringList& files);

  private:
    void take();

    QString name_;
    QLocalServer server_;
};

}  // namespace pal::desktop
