// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

namespace pal {

// Where the bytes of a medium are: in a file, or in memory that the caller keeps alive. `name` stands at the front of every error.
struct MediaSource {
    std::string name;
    std::filesystem::path path;         // empty: the bytes are in memory
    std::span<const std::byte> memory;  // when `path` is empty

    static MediaSource file(std::filesystem::path path) {
        std::string name = path.string();
        return {std::move(name), std::move(path), {}};
    }
    static MediaSource bytes(std::string name, std::span<const std::byte> memory) {
        return {std::move(name), {}, memory};
    }
};

}  // namespace pal
