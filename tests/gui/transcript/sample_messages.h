// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/desktop/transcript/transcript_message.h"

namespace pal::desktop {

// Messages with everything a transcript shows; what tests, pictures and benchmarks are made of.
[[nodiscard]] std::string sampleMarkdown();  // each construct once
[[nodiscard]] std::string sampleCode();
[[nodiscard]] std::string sampleChinese();
[[nodiscard]] std::string sampleArabic();
[[nodiscard]] TranscriptMessage userMessage(int64_t id, std::string text);
[[nodiscard]] TranscriptMessage answer(int64_t id, std::string text);
// Questions and answers in turn.
[[nodiscard]] std::vector<TranscriptMessage> longTranscript(int messages);

}  // namespace pal::desktop
