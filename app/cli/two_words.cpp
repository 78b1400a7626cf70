// SPDX-License-Identifier: Apache-2.0
#include "app/cli/two_words.h"

namespace pal::cli {

// An option for each word: what follows `--` stays with a sub-command only while an option of it lacks a value, which one list of none to
// two never does.
void addTwoWords(CLI::App& command, std::vector<std::string>& words, const Word& first, const Word& second) {
    for (const Word& word : {first, second}) {
        command.add_option_function<std::string>(
            word.name, [&words](const std::string& text) { words.push_back(text); }, word.help + "; optional");
    }
}

}  // namespace pal::cli
