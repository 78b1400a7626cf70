// SPDX-License-Identifier: Apache-2.0
#include "app/cli/text_input.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>

#include "engine/base/descriptor.h"
#include "engine/base/system_message.h"
#include "vision/documents/document_reader.h"

namespace pal::cli {
namespace {

// Bytes of the code point that `bytes` begin with; 0 when they begin with none.
size_t codePointLength(std::string_view bytes) {
    for (size_t length = 1; length <= std::min<size_t>(bytes.size(), 4); ++length) {
        if (validUtf8(bytes.substr(0, length)) == bytes.substr(0, length)) return length;
    }
    return 0;
}

// UTF-8 that nothing speaks against: UTF-16 of English is UTF-8 with zeros, and the encodings of seven bits are ASCII with signs.
bool isPlainUtf8(std::string_view bytes) {
    using std::string_view_literals::operator""sv;
    for (const std::string_view sign : {"\0"sv, "\x1B$"sv, "~{"sv})
        if (bytes.find(sign) != std::string_view::npos) return false;
    if (bytes.starts_with("%PDF-")) return false;
    return validUtf8(bytes) == bytes;
}

// Through the helper that opens documents; it wants a file.
Result<Document> readAsDocument(std::string_view bytes, const std::string& name) {
    const Descriptor file(memfd_create("text", MFD_CLOEXEC));
    if (!file.isOpen()) return fail(ErrorCode::kIo, "{}: {}", name, systemMessage(errno));
    while (!bytes.empty()) {
        const ssize_t written = write(file.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return fail(ErrorCode::kIo, "{}: {}", name, systemMessage(errno));
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    DocumentOptions options;
    options.name = name + ".txt";  // where its bytes do not tell
    auto document = readDocument(fmt::format("/proc/self/fd/{}", file.get()), options);
    if (document || !document.error().message.starts_with(options.name)) return document;
    Error error = document.error();
    error.message.replace(0, options.name.size(), name);
    return fail(std::move(error));
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

Result<std::string> readTextInput(const std::string& path) {
    PAL_ASSIGN(std::string bytes, readInput(path));
    if (isPlainUtf8(bytes)) return bytes;
    PAL_ASSIGN(const Document document, readAsDocument(bytes, inputName(path)));
    if (document.encoding.empty())
        return fail(ErrorCode::kUnsupported, "{}: a document, not text; give the name of its file", inputName(path));
    std::string text;
    for (const DocumentPage& page : document.pages) text += (text.empty() ? "" : "\n\n") + page.text;
    return text;
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
