// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringView>

namespace pal::desktop {

// The Unicode text of a LaTeX command without arguments ("alpha", "leq", ","); a null view when it is not known.
[[nodiscard]] QStringView mathSymbol(QStringView command);
// Commands that are names of functions and set upright: "sin", "lim", "softmax" is not one.
[[nodiscard]] bool isMathFunction(QStringView command);

}  // namespace pal::desktop
