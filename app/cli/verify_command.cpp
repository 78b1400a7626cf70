// SPDX-License-Identifier: Apache-2.0
// `pal verify`: reads a whole model and tells everything that is wrong with it.
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/file_progress.h"
#include "app/cli/format.h"
#include "app/cli/interrupt.h"
#include "engine/api/model_files.h"

namespace pal::cli {
namespace {

struct VerifyFlags {
    std::string model;
    bool json = false;
};

void printReport(Terminal& terminal, const VerifyReport& report) {
    for (const std::string& note : report.notes) terminal.outLine("Note: {}", note);
    for (const std::string& problem : report.problems) terminal.outLine("Problem: {}", problem);
    if (report.problems.empty()) {
        terminal.outLine("Sound: {} tensors, {}", groupDigits(report.tensors),
                         describeRate(report.bytes, report.seconds));
    } else {
        terminal.outLine("Not sound: {} problem{}", report.problems.size(), report.problems.size() == 1 ? "" : "s");
    }
}

int runVerify(Terminal& terminal, const VerifyFlags& flags) {
    const Interrupt interrupt;
    FileProgressLine line(terminal, "Checking");
    const auto report = verifyModel(
        flags.model, [&](const FileProgress& progress) { line.show(progress); }, interrupt.token());
    if (!report.has_value()) return terminal.report(report.error());
    if (flags.json) {
        const nlohmann::json out = {
            {"sound", report->problems.empty()}, {"problems", report->problems}, {"notes", report->notes},
            {"tensors", report->tensors},        {"bytes", report->bytes},       {"seconds", report->seconds}};
        terminal.outLine("{}", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    } else {
        printReport(terminal, *report);
    }
    return report->problems.empty() ? kExitOk : kExitFailure;
}

}  // namespace

void addVerifyCommand(CLI::App& app, Runner& selected) {
    const auto flags = std::make_shared<VerifyFlags>();
    CLI::App* command = app.add_subcommand("verify", "Check a model: files, names, shapes, types, and every value");
    command->add_option("model", flags->model, "Model folder or Hugging Face cache entry")->required();
    command->add_flag("--json", flags->json, "Print JSON");
    command->footer("Exit code 0: sound, 1: something is wrong (listed), 130: interrupted.");
    command->callback(
        [flags, &selected] { selected = [flags](Terminal& terminal) { return runVerify(terminal, *flags); }; });
}

}  // namespace pal::cli
