// SPDX-License-Identifier: Apache-2.0
#include "app/cli/file_progress.h"

#include <algorithm>

#include "app/cli/format.h"

namespace pal::cli {
namespace {

double rateOf(uint64_t bytes, double seconds) {
    return static_cast<double>(bytes) / std::max(seconds, 1e-6);
}

}  // namespace

void FileProgressLine::show(const FileProgress& progress) {
    constexpr std::chrono::milliseconds kInterval(100);
    const auto now = std::chrono::steady_clock::now();
    if (now - shown_ < kInterval) return;
    shown_ = now;
    const double rate = rateOf(progress.doneBytes, progress.seconds);
    const double left = static_cast<double>(progress.totalBytes - progress.doneBytes) / std::max(rate, 1.0);
    terminal_.status(fmt::format("{} {:3.0f} %  {} of {}  {}/s  {} left", verb_,
                                 100.0 * static_cast<double>(progress.doneBytes) /
                                     static_cast<double>(std::max<uint64_t>(progress.totalBytes, 1)),
                                 formatBytes(progress.doneBytes), formatBytes(progress.totalBytes),
                                 formatBytes(static_cast<uint64_t>(rate)), formatDuration(left)));
}

std::string describeRate(uint64_t bytes, double seconds) {
    return fmt::format("{} in {}, {}/s", formatBytes(bytes), formatDuration(seconds),
                       formatBytes(static_cast<uint64_t>(rateOf(bytes, seconds))));
}

}  // namespace pal::cli
