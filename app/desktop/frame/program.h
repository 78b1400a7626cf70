// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QTranslator>
#include <memory>
#include <vector>

#include "app/desktop/bridge/bridge.h"
#include "app/desktop/frame/log_file.h"
#include "app/desktop/frame/main_window.h"
#include "app/desktop/frame/preferences.h"
#include "app/desktop/frame/single_instance.h"
#include "app/desktop/style/system_scheme.h"
#include "app/desktop/style/theme.h"

namespace pal::desktop {

struct ProgramOptions {
    QString dataFolder;  // empty: the XDG places
    QString model;       // chosen from now on; empty: the one that was chosen before
    QStringList files;   // to attach or import
};

// The window with everything it needs, put together. One per process, after QApplication and before its exec(); UI thread.
class Program {
  public:
    explicit Program(const ProgramOptions& options);
    ~Program();

    // Errors: kInvalidArgument when there is no place for data.
    Result<> start();
    [[nodiscard]] MainWindow& window() { return *window_; }
    [[nodiscard]] Bridge& bridge() { return bridge_; }
    [[nodiscard]] Theme& theme() { return theme_; }

  private:
    void setScheme(Preferences::SchemeChoice choice);

    const ProgramOptions options_;
    std::unique_ptr<LogFile> log_;  // outlives everything that logs
    Preferences preferences_;
    SystemScheme system_;
    Theme theme_;
    SingleInstance instance_;
    Bridge bridge_;
    std::unique_ptr<MainWindow> window_;
};

// Names of the program, style, translations for the user's language. Once, after QApplication; `translators` live as long as it.
void prepareApplication(std::vector<std::unique_ptr<QTranslator>>& translators);

}  // namespace pal::desktop
