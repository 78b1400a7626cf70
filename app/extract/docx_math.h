// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pugixml.hpp>
#include <string>

namespace pal::extract {

// A formula of Office (m:oMath) on one line: fractions as (a)/(b), powers as x^2, roots as √(x).
std::string mathText(const pugi::xml_node& formula);

}  // namespace pal::extract
