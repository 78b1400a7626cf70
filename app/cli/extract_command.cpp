// SPDX-License-Identifier: Apache-2.0
// `pal extract`: what a model would see of a file.
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/attachment_options.h"
#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/extract_json.h"
#include "app/cli/extract_output.h"
#include "app/cli/format.h"
#include "app/cli/interrupt.h"
#include "app/cli/model_option.h"
#include "app/cli/print_json.h"
#include "app/compose/message.h"
#include "engine/api/model_files.h"

namespace pal::cli {
namespace {

struct ExtractFlags {
    std::string file;
    std::string model;
    AttachmentFlags attachments;
    std::string images;   // folder to write
    std::string patches;  // file to write
    bool json = false;
};

void printMedium(Terminal& terminal, const ComposedMedium& medium, const std::string& prompt) {
    terminal.outLine("{}", prompt);
    const std::string frames = medium.frames.empty()
                                   ? ""
                                   : fmt::format(", {} frame{} to {:.3f} s", medium.frames.size(),
                                                 medium.frames.size() == 1 ? "" : "s", medium.frames.back().seconds);
    terminal.errLine("{} x {} pixels as {} x {} patches, {} token{}{}", medium.width, medium.height,
                     medium.resize.columns, medium.resize.rows, medium.rows(), medium.rows() == 1 ? "" : "s", frames);
}

// The message part by part, as the model reads it. A document cannot command the terminal; a pipe gets its bytes as they are.
void printText(Terminal& terminal, const ComposedMessage& message) {
    size_t medium = 0;
    for (const ContentPart& part : message.message.content) {
        if (part.kind == ContentPart::Kind::kImage) {
            printMedium(terminal, message.media[medium++], part.text);
        } else {
            terminal.out((terminal.outIsTerminal() ? withoutControls(part.text) : part.text) + "\n");
        }
    }
    for (const std::string& warning : message.warnings) terminal.errLine("Note: {}", warning);
}

// For which model pictures are prepared. The text of a document needs none.
Result<std::optional<MediaConfig>> mediaFor(Terminal& terminal, const ExtractFlags& flags, AttachedKind kind) {
    const auto model = chooseModel(flags.model);
    if (!model) {
        if (kind == AttachedKind::kDocument && flags.model.empty()) return std::optional<MediaConfig>();
        return fail(model.error());
    }
    if (kind != AttachedKind::kDocument) tellModel(terminal, *model);
    PAL_ASSIGN(const std::filesystem::path folder, findModelFolder(model->path));
    return mediaConfigOf(folder);
}

Result<> writeOutputs(Terminal& terminal, const ExtractFlags& flags, const AttachedFile& attachment,
                      const ComposeOptions& options, ComposedMessage& message) {
    if (!flags.images.empty()) {
        PAL_ASSIGN(const size_t count, writePageImages(attachment, message, options, flags.images));
        terminal.errLine("{}: {} picture{}", flags.images, count, count == 1 ? "" : "s");
    }
    if (flags.patches.empty()) return {};
    if (message.media.empty())
        return fail(ErrorCode::kInvalidArgument, "{}: has no pictures for --patches", attachment.name);
    const auto progress = [&](size_t done, size_t total) {
        terminal.status(fmt::format("Decoding {} of {} pictures", done, total));
    };
    PAL_TRY(loadMedia(message, std::span(&attachment, 1), options, progress, options.stop));
    return writePatchFile(message, *options.media, flags.patches);
}

Result<> extract(Terminal& terminal, const ExtractFlags& flags, const Interrupt& interrupt) {
    AttachmentFlags given = flags.attachments;
    given.list = {{std::nullopt, flags.file}};
    PAL_ASSIGN(const std::vector<AttachedFile> attachments, attachmentsOf(given));
    if (attachments.empty()) return fail(ErrorCode::kInvalidArgument, "standard input is empty");
    const AttachedFile& attachment = attachments.front();
    PAL_ASSIGN(std::optional<MediaConfig> media, mediaFor(terminal, flags, attachment.kind));
    ComposeOptions options = composeOptionsOf(flags.attachments, std::move(media));
    showComposing(terminal, interrupt, options);
    PAL_ASSIGN(ComposedMessage message, composeMessage(std::span(&attachment, 1), "", options));
    PAL_TRY(writeOutputs(terminal, flags, attachment, options, message));
    terminal.status("");
    if (flags.json) {
        printJson(terminal, extractJson(message));
    } else {
        printText(terminal, message);
    }
    return {};
}

int runExtract(Terminal& terminal, const ExtractFlags& flags) {
    const Interrupt interrupt;
    const auto done = extract(terminal, flags, interrupt);
    return done.has_value() ? kExitOk : terminal.report(done.error());
}

}  // namespace

void addExtractCommand(CLI::App& app, Runner& selected) {
    const auto flags = std::make_shared<ExtractFlags>();
    CLI::App* command = app.add_subcommand("extract", "Print what a model would see of a document, picture or clip");
    command->add_option("file", flags->file, "A document, picture or clip")->required();
    command->add_option("-m,--model", flags->model,
                        "For which model pictures are prepared; without one the embedded model");
    addAttachmentOptions(*command, flags->attachments);
    command->add_option("--page", flags->attachments.pages, "The same as --pages");
    command->add_option("--images", flags->images,
                        "Folder for pictures of a document's pages (PNG), or the pictures that lie in it");
    command->add_option("--patches", flags->patches, "Safetensors file with the pixels as they enter the vision tower");
    command->add_flag("--json", flags->json, "Print JSON: pages with text, warnings and map; pictures; frames");
    command->footer(
        "--patches writes for the n-th picture or chunk of a clip, n = 0, 1, ...:\n"
        "  vision.<n>.pixels F32 [patches, 3, patch, patch], vision.<n>.grid I64 [3] (frames, rows, columns),\n"
        "  vision.<n>.frames I64 [frames] (their numbers in the clip) and vision.<n>.seconds F64 [frames] for clips.\n"
        "`pal dump` reads pixels and grid. Pictures are decoded for --patches, those in documents for --page-images, "
        "too; else their "
        "sizes are read.");
    command->callback(
        [flags, &selected] { selected = [flags](Terminal& terminal) { return runExtract(terminal, *flags); }; });
}

}  // namespace pal::cli
