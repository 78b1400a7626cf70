// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/api/chat.h"

namespace pal {

// Collects the segments of a prompt.
class SegmentWriter {
  public:
    // Structure: may become control tokens.
    void control(std::string_view text) { segments_.push_back({std::string(text), SpecialTokens::kAllow}); }
    // Anything else; empty text leaves no segment.
    void text(std::string_view text) {
        if (!text.empty()) segments_.push_back({std::string(text), SpecialTokens::kForbid});
    }
    [[nodiscard]] std::vector<Segment> take() { return std::move(segments_); }

  private:
    std::vector<Segment> segments_;
};

// Kimi K3: XTML, after the published encoding_k3.py. `request.messages` must have passed sortToolResults.
Result<std::vector<Segment>> renderK3(const ChatRequest& request);

// Kimi K2 and Kimi-Linear: the shape of K2's published template. Reasoning, thinking and effort have no form there and are left out;
// images, tool_choice, response formats and tools declared within the conversation are refused.
Result<std::vector<Segment>> renderK2(const ChatRequest& request);

}  // namespace pal
