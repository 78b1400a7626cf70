// SPDX-License-Identifier: Apache-2.0
// `pal tokens`: text to token ids and back.
#include <memory>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/text_input.h"
#include "app/cli/tokenizer_option.h"

namespace pal::cli {
namespace {

struct TokensFlags {
    TokenizerFlags tokenizer;
    std::string file = "-";
    bool special = false;
    bool idsOnly = false;
    bool decode = false;
};

void printIds(Terminal& terminal, const std::vector<TokenId>& ids) {
    std::string line;
    for (const TokenId id : ids) line += fmt::format("{}{}", line.empty() ? "" : " ", id);
    terminal.outLine("{}", line);
}

int runTokens(Terminal& terminal, const TokensFlags& flags) {
    const auto tokenizer = loadTokenizer(flags.tokenizer);
    if (!tokenizer) return terminal.report(tokenizer.error());
    const auto input = readInput(flags.file);
    if (!input) return terminal.report(input.error());
    if (flags.decode) {
        const auto ids = parseIds(*input, flags.file, *tokenizer);
        if (!ids) return terminal.report(ids.error());
        terminal.out(tokenizer->decode(*ids));
        return kExitOk;
    }
    const auto ids = tokenizer->encode(*input, flags.special ? SpecialTokens::kAllow : SpecialTokens::kForbid);
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
    CLI::App* command = app.add_subcommand("tokens", "Turn text into token ids, or ids into text");
    addTokenizerOptions(*command, flags->tokenizer);
    command->add_option("-f,--file", flags->file, "Read this file instead of standard input");
    command->add_flag("--special", flags->special, "Let text that spells a control token become that token");
    auto* idsOnly = command->add_flag("--ids", flags->idsOnly, "Print the ids alone, on one line with blanks between");
    command
        ->add_flag("--decode", flags->decode,
                   "Read ids (decimal, apart by blanks, line ends or commas) and write their bytes")
        ->excludes(idsOnly);
    command->footer(
        "Every byte of the input counts, also a last line end. Prints one token per line: its id, a tab, and its bytes "
        "in quotes "
        "with C escapes.\nExample: printf 'Hello' | pal tokens --vocab tiktoken.model --ids | pal tokens --vocab "
        "tiktoken.model --decode");
    command->callback(
        [flags, &selected] { selected = [flags](Terminal& terminal) { return runTokens(terminal, *flags); }; });
}

}  // namespace pal::cli
