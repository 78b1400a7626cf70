// SPDX-License-Identifier: Apache-2.0
// The window. Everything but the command line is in frame/program.h.
#include <QApplication>
#include <QCommandLineParser>
#include <cstdio>

#include "app/desktop/frame/program.h"

namespace {

int refuse(const std::string& message) {
    std::fprintf(stderr, "palimpsest: %s\n", message.c_str());
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace pal::desktop;
    QApplication application(argc, argv);
    std::vector<std::unique_ptr<QTranslator>> translators;
    prepareApplication(translators);

    QCommandLineParser parser;
    parser.setApplicationDescription(
        QCoreApplication::translate("main", "Chat with documents, pictures and clips on a model of this machine"));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption data(QStringLiteral("data-dir"),
                                  QCoreApplication::translate("main", "Folder for sessions and stored states"),
                                  QStringLiteral("DIR"));
    const QCommandLineOption model({QStringLiteral("m"), QStringLiteral("model")},
                                   QCoreApplication::translate("main", "Model folder or Hugging Face name"),
                                   QStringLiteral("MODEL"));
    const QCommandLineOption apart(QStringLiteral("new-instance"),
                                   QCoreApplication::translate("main", "Do not hand over to a window that is open"));
    parser.addOptions({data, model, apart});
    parser.addPositionalArgument(QStringLiteral("files"), QCoreApplication::translate("main", "Files to attach"),
                                 QStringLiteral("[FILE...]"));
    parser.process(application);

    const ProgramOptions options{parser.value(data), parser.value(model), parser.positionalArguments()};
    if (!parser.isSet(apart) && SingleInstance(options.dataFolder).handOver(options.files)) return 0;
    Program program(options);
    if (const auto started = program.start(); !started) return refuse(started.error().message);
    return QApplication::exec();
}
