// SPDX-License-Identifier: Apache-2.0
// `pal verify`: reads a whole model and tells everything that is wrong with it.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/file_progress.h"
#include "app/cli/format.h"
#include "app/cli/interrupt.h"
#include "app/cli/model_option.h"
#include "app/cli/print_json.h"
#include "engine/api/model_files.h"
#include "engine/api/tokenizer.h"

namespace pal::cli {
namespace {

struct VerifyFlags {
    std::string model;
    bool json = false;
};

// The vocabulary belongs to a model, but not to its weights: a folder without one is only told.
void checkTokenizer(const std::filesystem::path& folder, VerifyReport& report) {
    std::error_code error;
    if (!std::filesystem::exists(std::filesystem::symlink_status(folder / "tiktoken.model", error))) {
        report.notes.emplace_back("tiktoken.model is not there: text cannot be turned into tokens");
        return;
    }
    std::string problem;
    if (const auto tokenizer = Tokenizer::loadModelFolder(folder); !tokenizer.has_value()) {
        problem = tokenizer.error().message;
    } else if (report.vocabulary > 0 && tokenizer->size() > report.vocabulary) {
        problem = fmt::format("tiktoken.model and its control tokens make {} tokens, vocab_size is {}",
                              tokenizer->size(), report.vocabulary);
    } else {
        return;
    }
    report.problems.push_back(std::move(problem));
    ++report.problemCount;
}

void printReport(Terminal& terminal, const VerifyReport& report) {
    for (const std::string& note : report.notes) terminal.outLine("Note: {}", note);
    for (const std::string& problem : report.problems) terminal.outLine("Problem: {}", problem);
    if (report.problemCount == 0) {
        terminal.outLine("Sound: {} tensors, {}", groupDigits(report.tensors),
                         describeRate(report.bytes, report.seconds));
    } else {
        const size_t shown = report.problems.size();
        terminal.outLine("Not sound: {} problem{}{}", report.problemCount, report.problemCount == 1 ? "" : "s",
                         shown < report.problemCount ? fmt::format(", {} of them shown", shown) : "");
    }
}

int runVerify(Terminal& terminal, const VerifyFlags& flags) {
    const auto model = chooseModel(flags.model);
    if (!model.has_value()) return terminal.report(model.error());
    tellModel(terminal, *model);
    const Interrupt interrupt;
    FileProgressLine line(terminal, "Checking");
    auto report = verifyModel(
        model->path, [&](const FileProgress& progress) { line.show(progress); }, interrupt.token());
    if (!report.has_value()) return terminal.report(report.error());
    const auto folder = findModelFolder(model->path);
    if (!folder.has_value()) return terminal.report(folder.error());
    checkTokenizer(*folder, *report);
    if (flags.json) {
        printJson(terminal, nlohmann::json{{"sound", report->problemCount == 0},
                                           {"problems", report->problems},
                                           {"problem_count", report->problemCount},
                                           {"notes", report->notes},
                                           {"tensors", report->tensors},
                                           {"bytes", report->bytes},
                                           {"seconds", report->seconds}});
    } else {
        printReport(terminal, *report);
    }
    return report->problemCount == 0 ? kExitOk : kExitFailure;
}

}  // namespace

void addVerifyCommand(CLI::App& app, Runner& selected) {
    const auto flags = std::make_shared<VerifyFlags>();
    CLI::App* command = app.add_subcommand("verify", "Check a model: files, names, shapes, types, and every value");
    addModelOption(*command, flags->model);
    command->add_flag("--json", flags->json, "Print JSON");
    command->footer("Exit code 0: sound, 1: something is wrong (listed), 130: interrupted.");
    command->callback(
        [flags, &selected] { selected = [flags](Terminal& terminal) { return runVerify(terminal, *flags); }; });
}

}  // namespace pal::cli
