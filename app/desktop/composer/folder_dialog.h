// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QListWidget>
#include <QStringList>

namespace pal::desktop {

// The files below a folder with a tick each, to attach some of them. Hidden files are not offered, and at most kMostFiles. UI thread.
class FolderDialog : public QDialog {
    Q_OBJECT

  public:
    static constexpr int kMostFiles = 1000;

    explicit FolderDialog(const QString& folder, QWidget* parent = nullptr);
    [[nodiscard]] QStringList ticked() const;

  private:
    void fill(const QString& folder);
    void tick(Qt::CheckState state);

    QListWidget* files_;
};

}  // namespace pal::desktop
