// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_options.h"

#include <fmt/format.h>

#include "app/cli/model_option.h"
#include "app/cli/number_check.h"
#include "app/cli/two_words.h"

namespace pal::cli {
namespace {

void addSamplingOptions(CLI::App& command, ChatOptions& chat) {
    SamplingParams& sampling = chat.sampling;
    sampling.topP = 0.95F;
    command.add_option("--temp", sampling.temperature, "Temperature; 0 always takes the most likely token")
        ->capture_default_str();
    command.add_option("--top-p", sampling.topP, "Draw from the most likely tokens that hold this share")
        ->capture_default_str();
    command.add_option("--top-k", sampling.topK, "Draw from so many most likely tokens; 0: all")->capture_default_str();
    command.add_option("--min-p", sampling.minP, "Drop tokens less likely than this share of the best one")
        ->capture_default_str();
    command
        .add_option("--repeat-penalty", sampling.repetitionPenalty, "Makes tokens that occurred less likely; 1: off")
        ->capture_default_str();
    command.add_option("--presence-penalty", sampling.presencePenalty, "Once per token of the reply")
        ->capture_default_str();
    command.add_option("--frequency-penalty", sampling.frequencyPenalty, "Per occurrence in the reply")
        ->capture_default_str();
    command
        .add_option("-s,--seed", sampling.seed,
                    "The same seed gives the same answer of the same model, device and "
                    "version of this program")
        ->capture_default_str();
    command.add_option("-n,--predict", chat.maxTokens, "Longest answer in tokens; 0: up to the context limit")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    command
        .add_option("--stop", chat.stops, "End the answer before this text; may be repeated. Thinking is not searched")
        ->check(CLI::Validator([](const std::string& text) { return text.empty() ? "--stop needs a text" : ""; }, ""))
        ->allow_extra_args(false);
}

void applyThinking(RunOptions& options) {
    ChatOptions& chat = options.chat;
    chat.thinking = options.think == "off" ? Thinking::kOff : Thinking::kOn;
    chat.effort = options.think == "low"    ? ThinkingEffort::kLow
                  : options.think == "high" ? ThinkingEffort::kHigh
                  : options.think == "max"  ? ThinkingEffort::kMax
                                            : ThinkingEffort::kUnset;
}

}  // namespace

void addRunOptions(CLI::App& command, RunOptions& options) {
    addTwoWords(command, options.words, {"MODEL", "A model folder or Hugging Face name"}, {"PROMPT", "The question"});
    command.add_option("-m,--model", options.model,
                       "Model folder or Hugging Face name; without one the embedded model (or PALIMPSEST_MODEL)");
    addFileOption(command, options.attachments, "-f,--file",
                  "A document, text, picture or clip to read before the question; - is text on standard input; may be "
                  "repeated");
    addAttachmentOptions(command, options.attachments);
    command.add_option("--think", options.think, "How much to think before answering")
        ->check(CLI::IsMember({"off", "low", "high", "max"}))
        ->capture_default_str();
    command.add_option("--sys,--system-prompt", options.chat.system, "What the model is told first; also as -sys");
    command
        .add_option("-c,--ctx-size", options.engine.options.contextTokens,
                    "Context in tokens; 0: what the model allows")
        ->check(wholeNumber(0, kMaxContextTokens))
        ->capture_default_str();
    addSamplingOptions(command, options.chat);
    addEngineOptions(command, options.engine);
    addCheckpointOption(command, options.engine);
    command.add_flag("--json", options.json, "Write the answer and its numbers as one JSON object");
}

Result<> completeOptions(RunOptions& options) {
    const size_t mostWords = options.model.empty() ? 2 : 1;
    if (options.words.size() > mostWords) {
        return fail(ErrorCode::kInvalidArgument, "{} arguments beside the flags, at most {}: quote the question",
                    options.words.size(), mostWords);
    }
    const bool modelFirst = options.words.size() == 2 ||
                            (options.words.size() == 1 && options.model.empty() && namesModel(options.words[0]));
    if (modelFirst) options.model = options.words.front();
    if (modelFirst && options.words.size() == 1) {
        options.modelHint = fmt::format(
            "'{0}' was taken for the model: a single argument is one if it is a folder or has a slash and no blank. "
            "As a question it needs the model before it: pal run MODEL '{0}'",
            options.model);
    }
    if (options.words.size() > (modelFirst ? 1U : 0U)) options.prompt = options.words.back();
    applyThinking(options);
    if (options.json) options.chat.output = ChatOptions::Output::kSilent;
    return {};
}

}  // namespace pal::cli
