// SPDX-License-Identifier: Apache-2.0
#include "app/cli/bench_json.h"

#include <algorithm>
#include <vector>

#include "app/cli/placement_json.h"

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

double medianRoundShare(const DecodeRate& rate) {
    std::vector<double> shares;
    for (const DecodeRound& round : rate.rounds) {
        const double bytes = perSecond(static_cast<double>(rate.weightBytes), round.secondsPerToken);
        shares.push_back(perSecond(bytes, round.streamBytesPerSecond));
    }
    if (shares.empty()) return 0;
    std::ranges::sort(shares);
    return (shares[(shares.size() - 1) / 2] + shares[shares.size() / 2]) / 2;
}

namespace {

nlohmann::json partsJson(const std::vector<PartCost>& parts) {
    nlohmann::json out;
    for (const PartCost& part : parts) out[part.part] = {{"seconds", part.seconds}, {"weight_bytes", part.weightBytes}};
    return out;
}

nlohmann::json roundsJson(const std::vector<DecodeRound>& rounds) {
    nlohmann::json out = nlohmann::json::array();
    for (const DecodeRound& round : rounds)
        out.push_back(
            {{"stream_bytes_per_second", round.streamBytesPerSecond}, {"seconds_per_token", round.secondsPerToken}});
    return out;
}

nlohmann::json opsJson(const std::vector<OpUse>& ops, const BenchLimits& limits) {
    nlohmann::json out = nlohmann::json::array();
    double all = 0;
    for (const OpUse& op : ops) all += op.seconds;
    for (const OpUse& op : ops) {
        const double bytes = perSecond(static_cast<double>(op.bytes), op.seconds);
        const double flops = perSecond(op.flops, op.seconds);
        out.push_back({{"op", op.op},
                       {"part", op.part},
                       {"calls", op.calls},
                       {"seconds", op.seconds},
                       {"share", perSecond(op.seconds, all)},
                       {"bytes", op.bytes},
                       {"flops", op.flops},
                       {"of_copy", perSecond(bytes, limits.bytesPerSecond)},
                       {"of_product", perSecond(flops, limits.flopsPerSecond)}});
    }
    return out;
}

nlohmann::json predictionJson(const Prediction& prediction, double seconds) {
    return {{"link_bytes", prediction.linkBytes},
            {"measured_link_bytes", prediction.measuredLinkBytes},
            {"seconds_at_least", prediction.seconds},
            {"measured_seconds", seconds}};
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
    nlohmann::json out{
        {"device", report.device},
        {"load_seconds", report.loadSeconds},
        {"model_bytes", report.modelBytes},
        {"stream_bytes_per_second", report.streamBytesPerSecond},
        {"limits",
         {{"copy_bytes_per_second", report.limits.bytesPerSecond},
          {"product_flops_per_second", report.limits.flopsPerSecond},
          {"link_bytes_per_second", report.limits.linkBytesPerSecond}}},
        {"op_times", report.deviceTimes ? "events of the device, without a graph" : "a clock around each op"},
        {"prefill", nlohmann::json::array()},
        {"decode", nlohmann::json::array()}};
    if (report.plan.gpuBytes() > 0) {
        out["placement"] = placementJson(report.plan);
        out["placement"]["gpu"]["measured_bytes"] = report.gpuBytesTaken;
    }
    for (const PrefillRate& rate : report.prefill) {
        out["prefill"].push_back({{"tokens", rate.tokens},
                                  {"seconds", rate.seconds},
                                  {"tokens_per_second", perSecond(static_cast<double>(rate.tokens), rate.seconds)},
                                  {"matrix_flops_per_second", rate.flops},
                                  {"parts", partsJson(rate.parts)},
                                  {"prediction", predictionJson(rate.prediction, rate.seconds)},
                                  {"ops", opsJson(rate.ops, report.limits)}});
    }
    for (const DecodeRate& rate : report.decode) {
        out["decode"].push_back({{"context", rate.context},
                                 {"tokens_per_second", perSecond(1, rate.secondsPerToken)},
                                 {"seconds_per_token", rate.secondsPerToken},
                                 {"weight_bytes", rate.weightBytes},
                                 {"state_bytes", rate.stateBytes},
                                 {"weight_bytes_per_second", weightRate(rate)},
                                 {"share_of_stream", shareOfStream(report, rate)},
                                 {"median_round_share", medianRoundShare(rate)},
                                 {"rounds", roundsJson(rate.rounds)},
                                 {"parts", partsJson(rate.parts)},
                                 {"prediction", predictionJson(rate.prediction, rate.secondsPerToken)},
                                 {"op_tokens", rate.timedTokens},
                                 {"ops", opsJson(rate.ops, report.limits)}});
    }
    if (report.decode.size() > 1) out["decode_growth"] = growthJson(report.decode);
    return out;
}

}  // namespace pal::cli
