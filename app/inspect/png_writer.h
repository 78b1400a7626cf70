// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace pal::inspect {

// A PNG file of 8-bit R, G, B pixels, rows from the top: `rgb` has width * height * 3 bytes.
[[nodiscard]] std::vector<uint8_t> encodePng(int64_t width, int64_t height, std::span<const uint8_t> rgb);

}  // namespace pal::inspect
