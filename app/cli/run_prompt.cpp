// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_prompt.h"

#include "app/cli/text_input.h"

namespace pal::cli {

Result<RunPrompt> readPrompt(const Terminal& terminal, const RunOptions& options) {
    RunPrompt prompt;
    PAL_ASSIGN(prompt.attachments, attachmentsOf(options.attachments));
    const bool inputIsFile = options.attachments.readsInput();
    prompt.question = options.prompt;
    if (prompt.question.empty() && !terminal.inIsTerminal() && !inputIsFile) {
        PAL_ASSIGN(prompt.question, readTextInput("-"));
    }
    return prompt;
}

}  // namespace pal::cli
