// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSpinBox>

#include "app/composition/session_settings.h"
#include "app/desktop/models/presets.h"
#include "app/desktop/style/theme.h"

namespace pal::desktop {

// How a session asks: system prompt, thinking, sampling, length; with presets to start from.
class SettingsDialog : public QDialog {
    Q_OBJECT

  public:
    SettingsDialog(const SessionSettings& settings, Presets presets, const Theme& theme, QWidget* parent);

    [[nodiscard]] SessionSettings settings() const;
    // Whether new sessions shall ask like this, too.
    [[nodiscard]] bool forNewSessions() const { return forNew_->isChecked(); }

  private:
    void build(const Theme& theme);
    void fill(const SessionSettings& settings);
    void listPresets(const QString& chosen);
    void savePreset();
    void importPreset();
    void removePreset();
    void say(const Error& error);

    Presets presets_;
    SessionSettings rest_;  // what the dialog does not show
    QComboBox* preset_;
    QPlainTextEdit* system_;
    QCheckBox* thinking_;
    QComboBox* effort_;
    QDoubleSpinBox* temperature_;
    QDoubleSpinBox* topP_;
    QDoubleSpinBox* minP_;
    QSpinBox* topK_;
    QDoubleSpinBox* repetition_;
    QSpinBox* seed_;
    QSpinBox* maxTokens_;
    QCheckBox* forNew_;
    QLabel* problem_;
};

}  // namespace pal::desktop
