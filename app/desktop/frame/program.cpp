// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/program.h"

#include <QApplication>
#include <QIcon>
#include <QLibraryInfo>
#include <QLocale>

#include "app/desktop/frame/control_style.h"
#include "app/desktop/frame/english_texts.h"
#include "app/desktop/frame/window_style.h"
#include "app/desktop/style/icons.h"

namespace pal::desktop {

void prepareApplication(std::vector<std::unique_ptr<QTranslator>>& translators) {
    QApplication::setOrganizationName(QStringLiteral("palimpsest"));
    QApplication::setApplicationName(QStringLiteral("palimpsest"));
    QApplication::setApplicationDisplayName(QStringLiteral("Palimpsest"));
    QApplication::setApplicationVersion(QStringLiteral(PAL_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.palimpsest.Palimpsest"));
    QGuiApplication::setWindowIcon(QIcon(QStringLiteral(":/palimpsest/org.palimpsest.Palimpsest.svg")));
    QApplication::setStyle(new ControlStyle);  // the application owns it
    QApplication::setQuitOnLastWindowClosed(false);
    QGuiApplication::setLayoutDirection(QLocale().textDirection());
    const QString ours = QStringLiteral(":/palimpsest/translations");
    const QString qts = QLibraryInfo::path(QLibraryInfo::TranslationsPath);
    const auto install = [&translators](auto&&... from) {
        auto translator = std::make_unique<QTranslator>();
        if (!translator->load(from...)) return false;
        QApplication::installTranslator(translator.get());
        translators.push_back(std::move(translator));
        return true;
    };
    static_cast<void>(install(QStringLiteral("palimpsest_en"), ours));  // plural forms where there is no translation
    // Qt's own buttons speak the language of the rest.
    if (install(QLocale(), QStringLiteral("palimpsest"), QStringLiteral("_"), ours)) {
        static_cast<void>(install(QLocale(), QStringLiteral("qtbase"), QStringLiteral("_"), qts));
        return;
    }
    // English in a window of another script: numbers are written like the words around them, and both keep their direction.
    if (QLocale().zeroDigit() != QStringLiteral("0"))
        QLocale::setDefault(QLocale(QLocale::English, QLocale().territory()));
    if (!QGuiApplication::isRightToLeft()) return;
    auto english = std::make_unique<EnglishTexts>();
    if (!english->load(QStringLiteral("palimpsest_en"), ours)) return;
    QApplication::installTranslator(english.get());
    translators.push_back(std::move(english));
}

Program::Program(const ProgramOptions& options)
    : options_(options), preferences_(options.dataFolder), theme_(Scheme::kLight), instance_(options.dataFolder) {
    theme_.setZoom(preferences_.zoom());
    setScheme(preferences_.scheme());
    if (!options_.model.isEmpty()) preferences_.setModel(options_.model, preferences_.engine());
    // Before any widget hears of a change: a new style sheet gives widgets back the palettes that they had before the last one.
    applyTheme(theme_);
    QObject::connect(&theme_, &Theme::changed, &theme_, [this] { applyTheme(theme_); });
    window_ = std::make_unique<MainWindow>(bridge_, theme_, preferences_);
    QObject::connect(&system_, &SystemScheme::changed, window_.get(), [this] { setScheme(preferences_.scheme()); });
    QObject::connect(window_.get(), &MainWindow::schemeChosen, window_.get(), [this](Preferences::SchemeChoice choice) {
        preferences_.setScheme(choice);
        setScheme(choice);
    });
    QObject::connect(window_.get(), &MainWindow::finished, qApp, &QCoreApplication::quit, Qt::QueuedConnection);
    QObject::connect(&instance_, &SingleInstance::asked, window_.get(), [this](const QStringList& files) {
        window_->openFiles(files);
        window_->setWindowState(window_->windowState() & ~Qt::WindowMinimized);
        window_->show();
        window_->raise();
        window_->activateWindow();
    });
}

Program::~Program() = default;

void Program::setScheme(Preferences::SchemeChoice choice) {
    switch (choice) {
        case Preferences::SchemeChoice::kSystem:
            theme_.setScheme(system_.scheme());
            break;
        case Preferences::SchemeChoice::kLight:
            theme_.setScheme(Scheme::kLight);
            break;
        case Preferences::SchemeChoice::kDark:
            theme_.setScheme(Scheme::kDark);
            break;
    }
}

Result<> Program::start() {
    WorkplaceOptions place;
    PAL_ASSIGN(place.places, dataPlaces(options_.dataFolder.isEmpty()
                                            ? std::nullopt
                                            : std::optional<std::filesystem::path>(options_.dataFolder.toStdString())));
    place.program = "palimpsest";
    // A log that cannot be written is no reason not to start.
    if (auto log = LogFile::open(place.places.states / "log", {})) log_ = std::move(*log);
    qCInfo(logWindow).nospace() << "Palimpsest " << PAL_VERSION << ", Qt " << qVersion() << ", "
                                << qPrintable(QGuiApplication::platformName());
    instance_.listen();
    window_->show();
    window_->start(place);
    if (!options_.files.isEmpty()) window_->openFiles(options_.files);
    return {};
}

}  // namespace pal::desktop
