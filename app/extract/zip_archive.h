// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/base/result.h"

struct zip;

namespace pal::extract {

// A zip archive in memory; its entries are found by name and never become files. What is unpacked is counted, so that an archive that
// unpacks to more than it may is refused whatever it says of itself. Confined to one thread; the bytes outlive it.
class ZipArchive {
  public:
    // `maxUnpacked` bounds all reads together. Errors: kFormat (no zip archive, or a cut off one).
    static Result<ZipArchive> open(std::string_view bytes, uint64_t maxUnpacked);

    [[nodiscard]] bool has(const std::string& name) const;
    // The first entry of this name. Errors: kFormat (not there, damaged), kUnsupported (encrypted), kOutOfMemory (above maxUnpacked).
    Result<std::string> read(const std::string& name);

  private:
    struct Close {
        void operator()(zip* archive) const;
    };
    ZipArchive(std::unique_ptr<zip, Close> archive, uint64_t left, uint64_t most)
        : archive_(std::move(archive)), left_(left), most_(most) {}

    std::unique_ptr<zip, Close> archive_;
    uint64_t left_;
    uint64_t most_;
};

}  // namespace pal::extract
