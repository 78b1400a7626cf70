// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <string_view>

namespace pal::desktop {

// The text of an HTML entity ("&amp;", "&#955;", "&#x3bb;"); one that is not known stays as it is written.
[[nodiscard]] QString entityText(std::string_view entity);

}  // namespace pal::desktop
