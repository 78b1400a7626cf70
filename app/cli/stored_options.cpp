// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stored_options.h"

#include <limits>

#include "app/cli/data_option.h"
#include "app/cli/number_check.h"

namespace pal::cli {
namespace {

constexpr const char* kSettingFlags[] = {"--think",
                                         "--sys",
                                         "--temp",
                                         "--top-p",
                                         "--top-k",
                                         "--min-p",
                                         "--repeat-penalty",
                                         "--presence-penalty",
                                         "--frequency-penalty",
                                         "--seed",
                                         "--predict",
                                         "--stop"};
constexpr uint64_t kMaxStateGibibytes = 1 << 20;
constexpr uint64_t kMaxMessage = std::numeric_limits<int64_t>::max();

}  // namespace

void addStoredOptions(CLI::App& command, StoredOptions& options) {
    const auto message = [&](const char* flag, int64_t& id, const char* help) {
        return command.add_option(flag, id, help)->check(wholeNumber(1, kMaxMessage))->type_name("MESSAGE");
    };
    addDataOption(command, options.data);
    command
        .add_option("--session", options.session, "Session to go on with, by name or #id; made when it is not there")
        ->check(CLI::Validator(
            [](const std::string& name) { return name.empty() ? "the session needs a name" : std::string(); }, ""));
    CLI::Option* parent = message("--parent", options.parent, "Fork: the question goes below this message");
    CLI::Option* edit =
        message("--edit", options.edit, "The question takes the place of this one, with its attachments; both stay");
    message("--again", options.again, "Answer this question again; no new question is needed")
        ->excludes(parent)
        ->excludes(edit);
    edit->excludes(parent);
    command
        .add_option(
            "--state-budget", options.stateGibibytes,
            "GiB of disk that stored states may take from now on, at first 32; the least recently used go first")
        ->check(wholeNumber(0, kMaxStateGibibytes));
}

void noteGiven(const CLI::App& command, StoredOptions& options) {
    for (const char* flag : kSettingFlags)
        if (command.count(flag) > 0) options.given.insert(flag);
}

SessionSettings settingsAfter(const SessionSettings& stored, const RunOptions& run, const StoredOptions& options,
                              SessionAge age) {
    SessionSettings out = stored;
    const auto take = [&](const char* flag, auto& target, const auto& value) {
        if (age == SessionAge::kFresh || options.given.contains(flag)) target = value;
    };
    const ChatOptions& chat = run.chat;
    take("--think", out.thinking, chat.thinking);
    take("--think", out.effort, chat.effort);
    take("--sys", out.system, chat.system);
    take("--temp", out.sampling.temperature, chat.sampling.temperature);
    take("--top-p", out.sampling.topP, chat.sampling.topP);
    take("--top-k", out.sampling.topK, chat.sampling.topK);
    take("--min-p", out.sampling.minP, chat.sampling.minP);
    take("--repeat-penalty", out.sampling.repetitionPenalty, chat.sampling.repetitionPenalty);
    take("--presence-penalty", out.sampling.presencePenalty, chat.sampling.presencePenalty);
    take("--frequency-penalty", out.sampling.frequencyPenalty, chat.sampling.frequencyPenalty);
    take("--seed", out.sampling.seed, chat.sampling.seed);
    take("--predict", out.maxTokens, chat.maxTokens);
    take("--stop", out.stops, chat.stops);
    return out;
}

}  // namespace pal::cli
