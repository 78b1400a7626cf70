// SPDX-License-Identifier: Apache-2.0
#include "app/inspect/story.h"

#include <algorithm>
#include <cmath>

#include "app/inspect/attention_mass.h"
#include "app/inspect/implied_reads.h"

namespace pal::inspect {
namespace {

std::string percent(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

std::string placeText(const ViewInput& input, int64_t token) {
    return spanText(input, {token, token + 1});
}

// The layer and head that looked at a region most.
struct Looker {
    int64_t layer = -1, head = -1;
    double mass = 0;
};
Looker strongestLooker(const ViewInput& input, const SpanRecords& records, size_t region) {
    Looker out;
    for (const int64_t layer : layersWith(input.source.shape(), isMla)) {
        for (int64_t head = 0; head < input.source.shape().layers[static_cast<size_t>(layer)].heads; ++head) {
            const RegionMass mass = massOf(records, layer, head, ViewOptions::Sink::kShow);
            if (region < mass.region.size() && mass.region[region] > out.mass) out = {layer, head, mass.region[region]};
        }
    }
    return out;
}

void tellWhere(const ViewInput& input, const SpanRecords& records, std::vector<StoryLine>& out) {
    const auto looked = mostLookedAt(input.source, input.selection.tokens);
    if (!looked) return;
    const auto regions = input.source.regions(records.tokens.back()->position);
    const auto at =
        static_cast<size_t>(std::find_if(regions->begin(), regions->end(),
                                         [&](const Region& region) { return region.begin == looked->region.begin; }) -
                            regions->begin());
    const Looker best = strongestLooker(input, records, at);
    Selection shown = input.selection;
    shown.layer = best.layer;
    shown.head = best.head;
    out.push_back(
        {input.words.say("Of what was attached it looked most at {}: {} of all attention, and {} of that of "
                         "layer {}, head {}.",
                         looked->region.name, percent(looked->mass), percent(best.mass), best.layer, best.head),
         "context", shown});
}

void tellSureness(const ViewInput& input, std::vector<StoryLine>& out) {
    const int64_t token = input.selection.tokens.begin;
    const auto before = input.source.at(token - 1);
    if (!before || before->next.empty()) return;
    const TokenAlternative& first = before->next.front();
    const std::string name = input.source.tokenName(first.token);
    std::string text = input.words.say("Before {} the likeliest token was “{}” with {}", placeText(input, token), name,
                                       percent(std::exp(static_cast<double>(first.logProbability))));
    constexpr double kWorthNaming = 0.005;
    if (before->next.size() > 1 && std::exp(static_cast<double>(before->next[1].logProbability)) >= kWorthNaming) {
        const TokenAlternative& second = before->next[1];
        text += input.words.say(", then “{}” with {}", input.source.tokenName(second.token),
                                percent(std::exp(static_cast<double>(second.logProbability))));
    }
    out.push_back({input.words.say("{}.", text), "tokens", input.selection});
}

void tellWrites(const ViewInput& input, const SpanRecords& records, std::vector<StoryLine>& out) {
    float most = -1;
    int64_t token = 0, layer = -1, head = -1;
    std::vector<float> all;
    for (const auto& probe : records.tokens) {
        for (size_t l = 0; l < probe->layers.size(); ++l) {
            const auto& writes = probe->layers[l].kda.write;
            all.insert(all.end(), writes.begin(), writes.end());
            for (size_t h = 0; h < writes.size(); ++h) {
                if (writes[h] <= most) continue;
                most = writes[h];
                token = probe->position;
                layer = static_cast<int64_t>(l);
                head = static_cast<int64_t>(h);
            }
        }
    }
    if (layer < 0) return;
    std::nth_element(all.begin(), all.begin() + std::ssize(all) / 2, all.end());
    const double median = all[all.size() / 2];
    Selection shown = input.selection;
    shown.layer = layer;
    shown.head = head;
    out.push_back({input.words.say("The largest write was at {}, in layer {}, head {}: {}, {} times the median of all "
                                   "heads here.",
                                   placeText(input, token), layer, head, numberText(most, input.options.decimal),
                                   numberText(most / median, input.options.decimal)),
                   "writes", shown});
}

void tellReads(const ViewInput& input, std::vector<StoryLine>& out) {
    const int64_t token = input.selection.tokens.end - 1;
    const auto window = input.source.window(token);
    if (!window) return;
    for (const RawLayer& raw : window->raw) {
        if (raw.kda.read.empty()) continue;
        const int64_t head = std::clamp<int64_t>(input.selection.head, 0, raw.kda.heads - 1);
        const ImpliedReads reads = impliedReads(raw.kda, token - window->begin, head);
        const auto best = std::max_element(reads.share.begin(), reads.share.end());
        const int64_t from = window->begin + (best - reads.share.begin());
        Selection shown = input.selection;
        shown.layer = raw.layer;
        shown.head = head;
        out.push_back(
            {input.words.say("What layer {}, head {} recalled at {} came most from {} (weight {}), and {} from "
                             "before the window.",
                             raw.layer, head, placeText(input, token), placeText(input, from),
                             numberText(reads.weight[static_cast<size_t>(from - window->begin)], input.options.decimal),
                             numberText(reads.olderShare, input.options.decimal)),
             "reads", shown});
        return;
    }
}

void tellDepth(const ViewInput& input, const SpanRecords& records, std::vector<StoryLine>& out) {
    double best = 0;
    int64_t layer = -1;
    for (const auto& probe : records.tokens) {
        for (size_t l = 0; l < probe->layers.size(); ++l) {
            const auto& mix = probe->layers[l].mixAttention;
            if (mix.size() < 2) continue;
            const double drawn = 1 - static_cast<double>(mix.back());
            if (drawn <= best) continue;
            best = drawn;
            layer = static_cast<int64_t>(l);
        }
    }
    if (layer < 0) return;
    Selection shown = input.selection;
    shown.layer = layer;
    out.push_back({input.words.say("Layer {} drew most on earlier depths: {} of its input came from snapshots.", layer,
                                   percent(best)),
                   "depth", shown});
}

}  // namespace

std::vector<StoryLine> tellStory(const ViewInput& input) {
    std::vector<StoryLine> out;
    const SpanRecords records = recordsIn(input.source, input.selection.tokens, 256);
    if (records.tokens.empty()) return out;
    tellWhere(input, records, out);
    tellSureness(input, out);
    tellWrites(input, records, out);
    tellReads(input, out);
    tellDepth(input, records, out);
    return out;
}

}  // namespace pal::inspect
