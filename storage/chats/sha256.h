// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "storage/chats/chat_types.h"

namespace pal {

// SHA-256 (FIPS 180-4) of bytes that come in pieces. Confined to one thread.
class Sha256Stream {
  public:
    Sha256Stream();
    Sha256Stream(Sha256Stream&&) noexcept;
    Sha256Stream& operator=(Sha256Stream&&) noexcept;
    ~Sha256Stream();

    void add(std::span<const std::byte> bytes);
    // The hash of all of it; the stream is used up.
    [[nodiscard]] Sha256 finish();

  private:
    struct Context;
    std::unique_ptr<Context> context_;
};

[[nodiscard]] Sha256 sha256(std::span<const std::byte> bytes);

// 64 lower-case hexadecimal digits, and back.
[[nodiscard]] std::string toHex(const Sha256& hash);
[[nodiscard]] std::optional<Sha256> sha256FromHex(std::string_view hex);

}  // namespace pal
