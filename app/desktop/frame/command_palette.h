// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAction>
#include <QDialog>
#include <QLineEdit>
#include <QListWidget>

namespace pal::desktop {

// Every command by its name: type a few letters, Enter. Fuzzy: letters in order, in any place; better matches first.
class CommandPalette : public QDialog {
    Q_OBJECT

  public:
    CommandPalette(const QList<QAction*>& actions, QWidget* parent);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void filter(const QString& text);
    void run();

    QList<QAction*> actions_;
    QLineEdit* query_;
    QListWidget* list_;
};

// How well `pattern` is in `text`, higher is better; negative: not at all.
[[nodiscard]] int fuzzyScore(const QString& pattern, const QString& text);

}  // namespace pal::desktop
