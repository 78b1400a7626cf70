// SPDX-License-Identifier: Apache-2.0
#include "storage/transfer/loose_messages.h"

#include <fmt/format.h>

#include <unordered_map>

namespace pal {
namespace {

class TreeBuilder {
  public:
    TreeBuilder(std::vector<LooseMessage> messages, SessionDocument& document)
        : messages_(std::move(messages)), document_(document), placed_(messages_.size()) {
        for (size_t i = 0; i < messages_.size(); ++i) byId_.try_emplace(messages_[i].id, i);
    }

    void build() {
        std::vector<std::vector<size_t>> children(messages_.size());
        std::vector<size_t> roots;
        for (size_t i = 0; i < messages_.size(); ++i) {
            const auto parent = byId_.find(messages_[i].parent);
            if (parent == byId_.end() || parent->second == i) {
                roots.push_back(i);
            } else {
                children[parent->second].push_back(i);
            }
        }
        for (const size_t root : roots) place(root, children);
        for (size_t i = 0; i < messages_.size(); ++i) {
            if (placed_[i].done) continue;
            document_.warnings.push_back(fmt::format("message {} is its own ancestor", messages_[i].id));
            place(i, children);
        }
    }

    void setHead(std::string_view head) {
        if (!document_.messages.empty()) document_.head = document_.messages.size() - 1;
        const auto at = byId_.find(std::string(head));
        if (at != byId_.end() && placed_[at->second].index) document_.head = placed_[at->second].index;
    }

  private:
    struct Place {
        bool done = false;
        std::optional<size_t> index;  // in the document: its own, or of the nearest ancestor there
        std::string reasoning;        // waiting for the next reply
    };

    // A tree from its root, depth first without recursion: exports are as deep as their conversations are long.
    void place(size_t root, const std::vector<std::vector<size_t>>& children) {
        struct Step {
            size_t message;
            std::optional<size_t> above;
            std::string reasoning;
        };
        std::vector<Step> waiting;
        waiting.push_back({root, std::nullopt, {}});
        while (!waiting.empty()) {
            Step step = std::move(waiting.back());
            waiting.pop_back();
            Place& place = placed_[step.message];
            if (place.done) continue;
            place.done = true;
            settle(messages_[step.message], step.above, std::move(step.reasoning), place);
            const auto& below = children[step.message];
            for (size_t i = below.size(); i > 0; --i) waiting.push_back({below[i - 1], place.index, place.reasoning});
        }
    }

    void settle(LooseMessage& loose, std::optional<size_t> above, std::string reasoning, Place& place) {
        if (!loose.message) {
            place.index = above;
            place.reasoning = std::move(reasoning);
            if (!place.reasoning.empty() && !loose.reasoning.empty()) place.reasoning += "\n\n";
            place.reasoning += loose.reasoning;
            return;
        }
        MessageDocument message = std::move(*loose.message);
        message.parent = above;
        if (message.role == Role::kAssistant && message.reasoning.empty()) message.reasoning = std::move(reasoning);
        place.index = document_.messages.size();
        document_.messages.push_back(std::move(message));
    }

    std::vector<LooseMessage> messages_;
    SessionDocument& document_;
    std::vector<Place> placed_;
    std::unordered_map<std::string, size_t> byId_;
};

}  // namespace

void addLooseMessages(std::vector<LooseMessage> messages, std::string_view head, SessionDocument& document) {
    TreeBuilder builder(std::move(messages), document);
    builder.build();
    builder.setHead(head);
}

}  // namespace pal
