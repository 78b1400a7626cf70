// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "engine/api/telemetry.h"

namespace pal::cli {

// amount / seconds, 0 when nothing was measured.
[[nodiscard]] double perSecond(double amount, double seconds);
// Weight bytes of a decode step per second, and that as a share of the plain read.
[[nodiscard]] double weightRate(const DecodeRate& rate);
[[nodiscard]] double shareOfStream(const BenchReport& report, const DecodeRate& rate);
// That share of each round's own read, the median.
[[nodiscard]] double medianRoundShare(const DecodeRate& rate);

// The report as `pal bench --json` prints it: seconds, bytes, flops. With several contexts `decode_growth` holds what a step costs after the
// longest over what it costs after the shortest, part by part.
[[nodiscard]] nlohmann::json benchJson(const BenchReport& report);

}  // namespace pal::cli
