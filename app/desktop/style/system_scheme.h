// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDBusVariant>
#include <QObject>
#include <QString>

#include "app/desktop/style/theme.h"

namespace pal::desktop {

// What the desktop prefers, light or dark: the settings portal's answer where there is one, else what the platform's palette looks like.
// Follows changes. UI thread; never waits.
class SystemScheme : public QObject {
    Q_OBJECT

  public:
    explicit SystemScheme(QObject* parent = nullptr);
    [[nodiscard]] Scheme scheme() const { return scheme_; }

  Q_SIGNALS:
    void changed(pal::desktop::Scheme scheme);

  private Q_SLOTS:
    void settingChanged(const QString& area, const QString& key, const QDBusVariant& value);

  private:
    void ask();
    void take(const QVariant& value);

    Scheme scheme_;
};

}  // namespace pal::desktop
