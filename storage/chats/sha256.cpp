// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/sha256.h"

#include <openssl/evp.h>

#include "engine/base/check.h"

namespace pal {

struct Sha256Stream::Context {
    EVP_MD_CTX* md = EVP_MD_CTX_new();
    Context() { PAL_CHECK(md != nullptr && EVP_DigestInit_ex(md, EVP_sha256(), nullptr) == 1); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ~Context() { EVP_MD_CTX_free(md); }
};

Sha256Stream::Sha256Stream() : context_(std::make_unique<Context>()) {}
Sha256Stream::Sha256Stream(Sha256Stream&&) noexcept = default;
Sha256Stream& Sha256Stream::operator=(Sha256Stream&&) noexcept = default;
Sha256Stream::~Sha256Stream() = default;

void Sha256Stream::add(std::span<const std::byte> bytes) {
    PAL_CHECK(EVP_DigestUpdate(context_->md, bytes.data(), bytes.size()) == 1);
}

Sha256 Sha256Stream::finish() {
    Sha256 out{};
    PAL_CHECK(EVP_DigestFinal_ex(context_->md, reinterpret_cast<unsigned char*>(out.data()), nullptr) == 1);
    return out;
}

Sha256 sha256(std::span<const std::byte> bytes) {
    Sha256Stream stream;
    stream.add(bytes);
    return stream.finish();
}

std::string toHex(const Sha256& hash) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out;
    for (const std::byte byte : hash) {
        out += kDigits[std::to_integer<size_t>(byte >> 4)];
        out += kDigits[std::to_integer<size_t>(byte & std::byte{15})];
    }
    return out;
}

std::optional<Sha256> sha256FromHex(std::string_view hex) {
    Sha256 out{};
    if (hex.size() != 2 * out.size()) return std::nullopt;
    for (size_t i = 0; i < hex.size(); ++i) {
        const size_t digit = std::string_view("0123456789abcdef").find(hex[i]);
        if (digit == std::string_view::npos) return std::nullopt;
        out[i / 2] = (out[i / 2] << 4) | static_cast<std::byte>(digit);
    }
    return out;
}

}  // namespace pal
