// SPDX-License-Identifier: Apache-2.0
#include "vision/documents/document_kind.h"

#include <algorithm>
#include <array>
#include <utility>

namespace pal {
namespace {

using std::string_view_literals::operator""sv;

struct Signature {
    size_t offset;
    std::string_view bytes;
    std::string_view what;
};

// Formats that are told by their first bytes and are read elsewhere or not at all.
constexpr std::array kOthers{
    Signature{0, "\x89PNG\r\n\x1A\n"sv, "a PNG image"},
    Signature{0, "\xFF\xD8\xFF"sv, "a JPEG image"},
    Signature{0, "GIF8"sv, "a GIF image"},
    Signature{8, "WEBP"sv, "a WebP image"},
    Signature{0, "II*\0"sv, "a TIFF image"},
    Signature{0, "MM\0*"sv, "a TIFF image"},
    Signature{4, "ftyp"sv, "a video or image (MP4 family)"},
    Signature{0, "\x1A\x45\xDF\xA3"sv, "a video (Matroska or WebM)"},
    Signature{8, "AVI "sv, "a video (AVI)"},
    Signature{8, "WAVE"sv, "a sound file"},
    Signature{0, "ID3"sv, "a sound file"},
    Signature{0, "OggS"sv, "a sound or video file"},
    Signature{0, "fLaC"sv, "a sound file"},
    Signature{0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv,
              "an old Microsoft Office document or an encrypted one; save it as .docx without a password, or as PDF"},
    Signature{0, "{\\rtf"sv, "an RTF document; save it as .docx or PDF"},
    Signature{0, "%!PS"sv, "a PostScript file; convert it to PDF"},
    Signature{0, "\x1F\x8B"sv, "a gzip archive; unpack it first"},
    Signature{0, "BZh"sv, "a bzip2 archive; unpack it first"},
    Signature{0,
              "\xFD"
              "7zXZ"sv,
              "an xz archive; unpack it first"},
    Signature{0, "\x28\xB5\x2F\xFD"sv, "a zstd archive; unpack it first"},
    Signature{0, "7z\xBC\xAF\x27\x1C"sv, "a 7z archive; unpack it first"},
    Signature{0, "Rar!"sv, "a RAR archive; unpack it first"},
    Signature{257, "ustar"sv, "a tar archive; unpack it first"},
    Signature{0,
              "\x7F"
              "ELF"sv,
              "a program"},
    Signature{0, "SQLite format 3"sv, "a database"},
};

struct Ending {
    std::string_view name;
    DocumentKind kind;
};
constexpr std::array kEndings{
    Ending{"pdf", DocumentKind::kPdf},     Ending{"docx", DocumentKind::kDocx},
    Ending{"docm", DocumentKind::kDocx},   Ending{"odt", DocumentKind::kOdt},
    Ending{"epub", DocumentKind::kEpub},   Ending{"html", DocumentKind::kHtml},
    Ending{"htm", DocumentKind::kHtml},    Ending{"xhtml", DocumentKind::kHtml},
    Ending{"md", DocumentKind::kMarkdown}, Ending{"markdown", DocumentKind::kMarkdown},
    Ending{"csv", DocumentKind::kCsv},     Ending{"tsv", DocumentKind::kCsv},
    Ending{"txt", DocumentKind::kText},    Ending{"log", DocumentKind::kText},
};
// Source code and structured text; kept exactly as it is, like every text, but shown in a fixed pitch.
constexpr std::array kCodeEndings{
    "ada"sv, "asm"sv,   "bash"sv,  "bat"sv, "c"sv,     "cc"sv,    "cfg"sv,  "clj"sv,  "cmake"sv, "conf"sv, "cpp"sv,
    "cs"sv,  "css"sv,   "cu"sv,    "cuh"sv, "cxx"sv,   "d"sv,     "dart"sv, "diff"sv, "el"sv,    "erl"sv,  "ex"sv,
    "f90"sv, "fs"sv,    "go"sv,    "h"sv,   "hh"sv,    "hpp"sv,   "hs"sv,   "ini"sv,  "ipynb"sv, "java"sv, "jl"sv,
    "js"sv,  "json"sv,  "jsonl"sv, "jsx"sv, "kt"sv,    "lisp"sv,  "lua"sv,  "m"sv,    "ml"sv,    "mm"sv,   "nix"sv,
    "pas"sv, "patch"sv, "php"sv,   "pl"sv,  "proto"sv, "ps1"sv,   "py"sv,   "qml"sv,  "r"sv,     "rb"sv,   "rs"sv,
    "s"sv,   "scala"sv, "scm"sv,   "sh"sv,  "sql"sv,   "swift"sv, "tcl"sv,  "tex"sv,  "toml"sv,  "ts"sv,   "tsx"sv,
    "v"sv,   "vhdl"sv,  "vim"sv,   "vue"sv, "xml"sv,   "yaml"sv,  "yml"sv,  "zig"sv,  "zsh"sv,
};

std::string lowerCase(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return out;
}

std::optional<DocumentKind> kindOfName(std::string_view name) {
    const std::string file = lowerCase(name.substr(name.find_last_of('/') + 1));
    if (file == "makefile" || file == "dockerfile" || file == "cmakelists.txt") return DocumentKind::kCode;
    const size_t dot = file.find_last_of('.');
    if (dot == std::string::npos) return std::nullopt;
    const std::string_view ending = std::string_view(file).substr(dot + 1);
    for (const Ending& known : kEndings) {
        if (known.name == ending) return known.kind;
    }
    if (std::find(kCodeEndings.begin(), kCodeEndings.end(), ending) != kCodeEndings.end()) return DocumentKind::kCode;
    return std::nullopt;
}

bool textKind(std::optional<DocumentKind> kind) {
    return kind.has_value() && *kind != DocumentKind::kPdf && *kind != DocumentKind::kDocx &&
           *kind != DocumentKind::kOdt && *kind != DocumentKind::kEpub;
}

// Text holds next to no control characters. UTF-16 and UTF-32 do, in every second byte or more: zeros that stand in one column only.
bool looksLikeText(std::string_view head) {
    if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF") || head.starts_with("\0\0\xFE\xFF"sv)) return true;
    std::array<size_t, 4> zeros{};
    size_t controls = 0;
    for (size_t i = 0; i < head.size(); ++i) {
        const auto byte = static_cast<unsigned char>(head[i]);
        if (byte == 0) {
            ++zeros[i % 4];
        } else if (byte < 0x20 && std::string_view("\t\n\v\f\r\x1B\x0E\x0F").find(head[i]) == std::string_view::npos) {
            ++controls;
        }
    }
    const size_t even = zeros[0] + zeros[2];
    const size_t odd = zeros[1] + zeros[3];
    const bool wide = head.size() % 2 == 0 && std::max(even, odd) > head.size() / 16 &&
                      std::min(even, odd) <= std::max(even, odd) / 16;
    if (wide) return true;
    // UTF-16 of Chinese, Japanese and Korean has zeros only in its spaces and line ends, and its other bytes are anything.
    if (even + odd == 0) return controls <= head.size() / 100;
    return even + odd <= head.size() / 1000 && controls <= head.size() / 100;
}

bool looksLikeHtml(std::string_view head) {
    const std::string start = lowerCase(head.substr(0, 1024));
    const size_t first = start.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first == std::string::npos) return false;
    const std::string_view text = std::string_view(start).substr(first);
    return text.starts_with("<!doctype html") || text.starts_with("<html") ||
           (text.starts_with("<?xml") && text.find("<html") != std::string_view::npos);
}

// Words that a text may begin with are no sign of another format in a file that calls itself a text and reads as one.
bool mayBeWords(const Signature& signature) {
    return std::all_of(signature.bytes.begin(), signature.bytes.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

}  // namespace

KindGuess guessKind(std::string_view head, std::string_view name) {
    const std::optional<DocumentKind> named = kindOfName(name);
    const bool text = looksLikeText(head);
    const size_t pdf = head.substr(0, 1024).find("%PDF-");
    if (pdf == 0 || (pdf != std::string_view::npos && !textKind(named))) return {DocumentKind::kPdf, false, {}};
    if (head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06")) return {named, true, {}};
    for (const Signature& other : kOthers) {
        if (mayBeWords(other) && textKind(named) && text) continue;
        if (head.size() >= other.offset && head.substr(other.offset).starts_with(other.bytes)) {
            return {std::nullopt, false, std::string(other.what)};
        }
    }
    // A name in front of other bytes: the reader of that kind says what is wrong with them.
    if (named.has_value() && !textKind(named)) return {named, false, {}};
    if (looksLikeHtml(head) && (!named.has_value() || *named == DocumentKind::kText))
        return {DocumentKind::kHtml, false, {}};
    if (named.has_value() || text) return {named.value_or(DocumentKind::kText), false, {}};
    return {std::nullopt, false, {}};
}

}  // namespace pal
