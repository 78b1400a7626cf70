// SPDX-License-Identifier: Apache-2.0
#include "app/cli/bench_json.h"

#include <algorithm>

namespace pal::cli {

double perSecond(double amount, double seconds) {
    return seconds > 0 ? amount / seconds : 0;
}

double weightRate(const DecodeRate& rate) {
    return perSecond(static_cast<double>(rate.weightBytes), rate.secondsPerToken);
}

double shareOfStream(const BenchReport& report, const DecodeRate& rate) {
    return perSecond(weightRate(rate), report.streamBytesPerSecond);
}

namespace {

nlohmann::json partsJson(const std::vector<PartCost>& parts) {
    nlohmann::json out;
    for (const PartCost& part : parts) out[part.part] = {{"seconds", part.seconds}, {"weight_bytes", part.weightBytes}};
    return out;
}

nlohmann::json growthJson(const std::vector<DecodeRate>& rates) {
    const auto [shortest, longest] =
        std::ranges::minmax_element(rates, {}, [](const DecodeRate& rate) { return rate.context; });
    nlohmann::json parts;
    for (size_t i = 0; i < longest->parts.size(); ++i)
        parts[longest->parts[i].part] = perSecond(longest->parts[i].seconds, shortest->parts[i].seconds);
    return {{"from", shortest->context},
            {"to", longest->context},
            {"total", perSecond(longest->secondsPerToken, shortest->secondsPerToken)},
            {"parts", parts}};
}

}  // namespace

nlohmann::json benchJson(const BenchReport& report) {
    nlohmann::json out{{"device", report.device},
                       {"load_seconds", report.loadSeconds},
                       {"model_bytes", report.modelBytes},
                       {"stream_bytes_per_second", report.streamBytesPerSecond},
                       {"prefill", nlohmann::json::array()},
                       {"decode", nlohmann::json::array()}};
    for (const PrefillRate& rate : report.prefill) {
        out["prefill"].push_back({{"tokens", rate.tokens},
                                  {"seconds", rate.seconds},
                                  {"tokens_per_second", perSecond(static_cast<double>(rate.tokens), rate.seconds)},
                                  {"matrix_flops_per_second", rate.flops},
                                  {"parts", partsJson(rate.parts)}});
    }
    for (const DecodeRate& rate : report.decode) {
        out["decode"].push_back({{"context", rate.context},
                                 {"tokens_per_second", perSecond(1, rate.secondsPerToken)},
                                 {"seconds_per_token", rate.secondsPerToken},
                                 {"weight_bytes", rate.weightBytes},
                                 {"state_bytes", rate.stateBytes},
                                 {"weight_bytes_per_second", weightRate(rate)},
                                 {"share_of_stream", shareOfStream(report, rate)},
                                 {"parts", partsJson(rate.parts)}});
    }
    if (report.decode.size() > 1) out["decode_growth"] = growthJson(report.decode);
    return out;
}

}  // namespace pal::cli
