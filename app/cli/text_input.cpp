// SPDX-License-Identifier: Apache-2.0
#include "app/cli/text_input.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>

namespace pal::cli {
namespace {

// Bytes of the code point that `bytes` begin with; 0 when they begin with none.
size_t codePointLength(std::string_view bytes) {
    for (size_t length = 1; length <= std::min<size_t>(bytes.size(), 4); ++length) {
        if (validUtf8(bytes.substr(0, length)) == bytes.substr(0, length)) return length;
    }
    return 0;
}

}  // namespace

std::string inputName(const std::string& path) {
    return path == "-" ? "standard input" : path;
}

Result<std::string> readInput(const std::string& path) {
    const auto close = [](std::FILE* file) {
        if (file != stdin) std::fclose(file);
    };
    const std::unique_ptr<std::FILE, decltype(close)> file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"), close);
    if (file == nullptr) {
        return fail(errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo, "{}: {}", path, std::strerror(errno));
    }
    std::string out;
    std::array<char, 65'536> buffer{};
    while (const size_t count = std::fread(buffer.data(), 1, buffer.size(), file.get()))
        out.append(buffer.data(), count);
    if (std::ferror(file.get()) != 0) return fail(ErrorCode::kIo, "{}: {}", inputName(path), std::strerror(errno));
    return out;
}

Result<std::vector<TokenId>> parseIds(const std::string& text, const std::string& path, const Tokenizer& tokenizer) {
    constexpr std::string_view kBetween = " \t\r\n,[]";
    std::vector<TokenId> ids;
    for (size_t at = text.find_first_not_of(kBetween); at != std::string::npos;
         at = text.find_first_not_of(kBetween, at)) {
        const size_t end = std::min(text.find_first_of(kBetween, at), text.size());
        TokenId id = 0;
        const auto [stop, error] = std::from_chars(text.data() + at, text.data() + end, id);
        if (error != std::errc{} || stop != text.data() + end || id < 0 || id >= tokenizer.size()) {
            const auto line = std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n') + 1;
            return fail(ErrorCode::kFormat, "{}:{}: {} is not a token id below {}", inputName(path), line,
                        inQuotes(std::string_view(text).substr(at, std::min<size_t>(end - at, 40))), tokenizer.size());
        }
        ids.push_back(id);
        at = end;
    }
    return ids;
}

std::string inQuotes(std::string_view bytes) {
    std::string out = "\"";
    while (!bytes.empty()) {
        const size_t length = codePointLength(bytes);
        const char first = bytes[0];
        if (const size_t named = std::string_view("\"\\\n\r\t").find(first); named != std::string_view::npos) {
            out += '\\';
            out += "\"\\nrt"[named];
        } else if (length == 0 || static_cast<unsigned char>(first) < 0x20 || first == 0x7F) {
            out += fmt::format("\\x{:02X}", static_cast<unsigned char>(first));
        } else {
            out += bytes.substr(0, length);
        }
        bytes.remove_prefix(std::max<size_t>(length, 1));
    }
    return out + "\"";
}

}  // namespace pal::cli
