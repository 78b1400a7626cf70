// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace pal::inspect {

// 0xRRGGBB
using Colour = uint32_t;

// Two maps that people with any kind of colour vision can read: brightness rises along the first and falls away from the middle of the
// second. `at` is cut to 0..1.

// Viridis (Smith and van der Walt, 2015), dark to bright.
[[nodiscard]] Colour sequentialColour(double at);
// ColorBrewer's RdBu turned round: blue below the middle, white in it, red above.
[[nodiscard]] Colour divergingColour(double at);

// Colours for parts that have no order (Okabe and Ito, 2008); repeats after kPartColours.
inline constexpr int kPartColours = 8;
[[nodiscard]] Colour partColour(int64_t part);

// Relative luminance (WCAG 2.1), 0 black to 1 white: text is dark on what is above 0.18.
[[nodiscard]] double luminance(Colour colour);

}  // namespace pal::inspect
