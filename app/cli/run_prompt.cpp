// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_prompt.h"

#include <algorithm>

#include "app/cli/text_input.h"

namespace pal::cli {

Result<RunPrompt> composePrompt(const Terminal& terminal, const RunOptions& options) {
    RunPrompt prompt;
    const auto add = [&](const std::string& part) {
        if (part.empty()) return;
        if (!prompt.text.empty()) prompt.text += "\n\n";
        prompt.text += part;
    };
    for (const std::string& path : options.files) {
        PAL_ASSIGN(const std::string part, readInput(path));
        add(part);
    }
    const bool inputIsFile = std::count(options.files.begin(), options.files.end(), "-") > 0;
    if (!options.prompt.empty()) {
        add(options.prompt);
    } else if (!terminal.inIsTerminal() && !inputIsFile) {
        PAL_ASSIGN(const std::string question, readInput("-"));
        add(question);
    }
    return prompt;
}

}  // namespace pal::cli
