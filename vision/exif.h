// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace pal {

// The orientation tag (0x0112) of an EXIF block that begins with its TIFF header ("II*\0" or "MM\0*"): 1..8, and 1 when there is none or
// the block makes no sense, since it cannot hurt the picture.
int exifOrientation(std::span<const std::byte> tiff);

// The same for a block with "Exif\0\0" in front, as JPEG and some WebP files have it.
int prefixedExifOrientation(std::span<const std::byte> block);

}  // namespace pal
