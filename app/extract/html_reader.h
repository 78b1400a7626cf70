// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/extract/extract.h"
#include "app/extract/flow_pages.h"

namespace pal::extract {

// A web page: one page. Its encoding is what a byte order mark, its bytes, its meta element or the detector says, in this order.
// Errors: those of htmlToText.
Result<FlowDocument> readHtml(const Input& input, const ReadLimits& limits);

}  // namespace pal::extract
