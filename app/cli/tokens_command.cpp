// SPDX-License-Identifier: Apache-2.0
// `pal tokens`: text to token ids and back, and what attachments cost.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/attachment_options.h"
#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/format.h"
#include "app/cli/interrupt.h"
#include "app/cli/model_option.h"
#include "app/cli/print_json.h"
#include "app/cli/text_input.h"
#include "app/cli/tokenizer_option.h"
#include "app/cli/two_words.h"
#include "app/compose/prompt.h"
#include "engine/api/model_files.h"

namespace pal::cli {
namespace {

struct TokensFlags {
    TokenizerFlags tokenizer;
    std::vector<std::string> words;  // [MODEL] [FILE]
    std::string file;                // empty: standard input
    bool special = false;
    bool idsOnly = false;
    bool decode = false;
    bool json = false;
    AttachmentFlags attachments;
};

// Which word is the model and which the text's file: a single one is the file when there is one or the vocabulary is named by a flag.
Result<> takeWords(TokensFlags& flags) {
    if (flags.words.empty()) return {};
    std::error_code ignored;
    const bool fileAlone =
        flags.tokenizer.given() || flags.words[0] == "-" || std::filesystem::is_regular_file(flags.words[0], ignored);
    const bool hasFile = flags.words.size() == 2 || fileAlone;
    if (flags.words.size() == 2 && flags.tokenizer.given())
        return fail(ErrorCode::kInvalidArgument, "the vocabulary is named twice: {} and by a flag", flags.words[0]);
    if (hasFile && !flags.file.empty())
        return fail(ErrorCode::kInvalidArgument, "two files are named: {} and {}", flags.words.back(), flags.file);
    if (hasFile) flags.file = flags.words.back();
    if (flags.words.size() == 2 || !hasFile) flags.tokenizer.model = flags.words[0];
    return {};
}

void printIds(Terminal& terminal, const std::vector<TokenId>& ids) {
    std::string line;
    for (const TokenId id : ids) line += fmt::format("{}{}", line.empty() ? "" : " ", id);
    terminal.outLine("{}", line);
}

const char* kindName(AttachedKind kind) {
    constexpr const char* kNames[] = {"text", "document", "image", "video"};
    return kNames[static_cast<size_t>(kind)];
}

nlohmann::ordered_json toJson(const TokenCounts& counts) {
    return {{"text", counts.text}, {"image", counts.image}, {"video", counts.video}, {"markup", counts.markup}};
}

void printCounts(Terminal& terminal, std::string_view name, std::string_view kind, const TokenCounts& counts) {
    const auto number = [](int64_t value) { return groupDigits(static_cast<uint64_t>(value)); };
    terminal.outLine("{:<28}{:<10}{:>10}{:>10}{:>10}{:>10}{:>11}", name, kind, number(counts.text),
                     number(counts.image), number(counts.video), number(counts.markup), number(counts.all()));
}

void printCosts(Terminal& terminal, const MappedPrompt& prompt, const ComposedMessages& composed,
                const TokensFlags& flags) {
    const ComposedMessage& message = composed.at(0);
    nlohmann::ordered_json out;
    if (!flags.json)
        terminal.outLine("{:<38}{:>10}{:>10}{:>10}{:>10}{:>11}", "", "text", "image", "video", "markup", "all");
    for (size_t i = 0; i < message.attachments.size(); ++i) {
        const ComposedAttachment& attachment = message.attachments[i];
        const TokenCounts counts = prompt.countsOf(0, i, composed);
        if (!flags.json) {
            printCounts(terminal, attachment.name, kindName(attachment.kind), counts);
            continue;
        }
        auto& entry = out["attachments"].emplace_back(toJson(counts));
        entry["name"] = attachment.name;
        entry["kind"] = kindName(attachment.kind);
        if (!attachment.picturePages.empty()) {
            entry["picture_pages"] = attachment.picturePages;
            entry["picture_tokens"] = attachment.pictureTokens;
        }
    }
    if (flags.json) {
        out.update(toJson(prompt.counts()));
        out["tokens"] = prompt.counts().all();
        out["warnings"] = message.warnings;
        printJson(terminal, out);
        return;
    }
    printCounts(terminal, "the whole prompt", "", prompt.counts());
    for (const std::string& warning : message.warnings) terminal.errLine("Note: {}", warning);
}

// The media of the model whose vocabulary it is; a vocabulary alone has none.
Result<std::optional<MediaConfig>> mediaOf(const TokenizerFlags& flags) {
    if (!flags.vocabulary.empty()) return std::optional<MediaConfig>();
    PAL_ASSIGN(const ModelChoice model, chooseModel(flags.model));
    PAL_ASSIGN(const std::filesystem::path folder, findModelFolder(model.path));
    return mediaConfigOf(folder);
}

// The prompt that `pal run` would send for these attachments without a question.
Result<> countAttachments(Terminal& terminal, const TokensFlags& flags, const Tokenizer& tokenizer) {
    PAL_ASSIGN(std::optional<MediaConfig> media, mediaOf(flags.tokenizer));
    ComposeOptions options = composeOptionsOf(flags.attachments, std::move(media));
    const Interrupt interrupt;
    showComposing(terminal, interrupt, options);
    PAL_ASSIGN(const std::vector<AttachedFile> attachments, attachmentsOf(flags.attachments));
    ComposedMessages composed;
    PAL_ASSIGN(composed[0], composeMessage(attachments, "", options));
    terminal.status("");
    ChatRequest request;
    request.effort = ThinkingEffort::kMax;
    request.messages.push_back(composed[0].message);
    PAL_ASSIGN(const MappedPrompt prompt, mapPrompt(request, composed, tokenizer));
    printCosts(terminal, prompt, composed, flags);
    return {};
}

// Of text its ids, of ids their text.
void printAsJson(Terminal& terminal, const Tokenizer& tokenizer, const std::vector<TokenId>& ids, bool decoded) {
    nlohmann::ordered_json out{{"tokens", ids.size()}, {"ids", ids}};
    if (decoded) out["text"] = tokenizer.decode(ids);
    printJson(terminal, out, JsonLayout::kOneLine);
}

int runTokens(Terminal& terminal, TokensFlags& flags) {
    if (const auto taken = takeWords(flags); !taken) return terminal.report(taken.error());
    if (flags.file.empty()) flags.file = "-";
    const auto tokenizer = loadTokenizer(flags.tokenizer);
    if (!tokenizer) return terminal.report(tokenizer.error());
    if (flags.attachments.given()) {
        const auto done = countAttachments(terminal, flags, *tokenizer);
        return done ? kExitOk : terminal.report(done.error());
    }
    const auto input = readInput(flags.file);
    if (!input) return terminal.report(input.error());
    if (flags.decode) {
        const auto ids = parseIds(*input, flags.file, *tokenizer);
        if (!ids) return terminal.report(ids.error());
        if (flags.json)
            printAsJson(terminal, *tokenizer, *ids, true);
        else
            terminal.out(tokenizer->decode(*ids));
        return kExitOk;
    }
    const auto ids = tokenizer->encode(*input, flags.special ? SpecialTokens::kAllow : SpecialTokens::kForbid);
    if (flags.json) {
        printAsJson(terminal, *tokenizer, ids, false);
        return kExitOk;
    }
    if (flags.idsOnly) {
        printIds(terminal, ids);
        return kExitOk;
    }
    std::string out;
    for (const TokenId id : ids) out += fmt::format("{}\t{}\n", id, inQuotes(tokenizer->tokenBytes(id)));
    terminal.out(out);
    return kExitOk;
}

}  // namespace

void addTokensCommand(CLI::App& app, Runner& selected) {
    const auto flags = std::make_shared<TokensFlags>();
    CLI::App* command =
        app.add_subcommand("tokens", "Turn text into token ids, or ids into text; count what attachments cost");
    addTwoWords(*command, flags->words, {"MODEL", "Whose vocabulary it is"}, {"FILE", "The text"});
    addTokenizerOptions(*command, flags->tokenizer, ModelForm::kFlag);
    command->add_option("-f,--file", flags->file, "Read this file instead of standard input");
    command->add_flag("--special", flags->special, "Let text that spells a control token become that token");
    auto* idsOnly = command->add_flag("--ids", flags->idsOnly, "Print the ids alone, on one line with blanks between");
    command
        ->add_flag("--decode", flags->decode,
                   "Read ids (decimal, apart by blanks, line ends or commas) and write their bytes")
        ->excludes(idsOnly);
    addFileOption(*command, flags->attachments, "--attach",
                  "Instead: count what a document, text, picture or clip costs as an attachment; may be repeated");
    addAttachmentOptions(*command, flags->attachments);
    command->add_flag("--json", flags->json, "Counts of attachments, or ids (and with --decode their text), as JSON");
    command->footer(
        "A single word is FILE if there is such a file, or with -m or --vocab; else it is MODEL.\n"
        "Every byte of the input counts, also a last line end. Prints one token per line: its id, a tab, and its bytes "
        "in quotes "
        "with C escapes.\nExample: printf 'Hello' | pal tokens --vocab tiktoken.model --ids | pal tokens --vocab "
        "tiktoken.model --decode\n"
        "With --attach, --image or --video: the tokens of the prompt that `pal run` would send, by kind. Nothing is "
        "decoded but, with --page-images, pictures in documents.\nThe line of a file counts what is in it; the whole "
        "prompt has the marks of files, pages and times, "
        "too.");
    command->callback(
        [flags, &selected] { selected = [flags](Terminal& terminal) { return runTokens(terminal, *flags); }; });
}

}  // namespace pal::cli
