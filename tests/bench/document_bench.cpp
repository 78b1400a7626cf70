// SPDX-License-Identifier: Apache-2.0
// How fast documents become text, as the program gets it: helper process, protocol and checks included, beside pdftotext where it is
// installed. Prints JSON. Times are wall seconds, the best of several runs.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "tests/support/text_pdf.h"
#include "vision/documents/document_reader.h"

namespace {

using Json = nlohmann::ordered_json;

constexpr int kPages = 600;
constexpr int kLines = 60;
constexpr int kLineCharacters = 75;
constexpr int kRuns = 3;

double bestOf(const std::function<bool()>& work) {
    double best = 1e9;
    for (int i = 0; i < kRuns; ++i) {
        const auto start = std::chrono::steady_clock::now();
        if (!work()) std::exit(1);
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

// Pages of words that differ.
std::vector<std::string> makePages(int lines) {
    std::mt19937 random(1);
    std::vector<std::string> pages;
    for (int page = 0; page < kPages; ++page) {
        std::string text;
        for (int line = 0; line < lines; ++line) {
            std::string words;
            while (words.size() < kLineCharacters) {
                for (uint32_t letters = 2 + random() % 8; letters > 0; --letters)
                    words += static_cast<char>('a' + random() % 26);
                words += ' ';
            }
            text += words + "\n";
        }
        pages.push_back(std::move(text));
    }
    return pages;
}

// The file as the program reads it, and as pdftotext does.
Json measure(const std::filesystem::path& file, const char* kind) {
    pal::DocumentOptions options;
    options.helper = PAL_EXTRACT;
    size_t bytes = 0, figures = 0;
    const double seconds = bestOf([&] {
        const auto document = pal::readDocument(file, options);
        if (!document.has_value()) {
            std::fprintf(stderr, "%s\n", document.error().message.c_str());
            return false;
        }
        bytes = figures = 0;
        for (const pal::DocumentPage& page : document->pages) {
            bytes += page.text.size();
            figures += page.figures.size();
        }
        return document->pages.size() == kPages;
    });
    Json out{{"kind", kind},       {"pages", kPages},    {"text_bytes", bytes},
             {"figures", figures}, {"seconds", seconds}, {"pages_per_second", kPages / seconds}};
    if (std::system("command -v pdftotext > /dev/null") == 0) {
        const std::string command = "pdftotext " + file.string() + " /dev/null";
        const double peer = bestOf([&] { return std::system(command.c_str()) == 0; });
        out["pdftotext_pages_per_second"] = kPages / peer;
    }
    return out;
}

}  // namespace

int main() {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "pal_document_bench.pdf";
    std::ofstream(file, std::ios::binary) << pal::test::makeTextPdf(makePages(kLines));
    Json out{{"bench", "document"}};
    out["runs"].push_back(measure(file, "full pages of text"));
    // All have to be drawn before it is known that there is a figure.
    constexpr const char* kDrawing =
        "0.2 0.4 0.8 rg 80 80 300 220 re f 0 G 2 w 90 90 m 200 250 350 100 370 290 c 90 290 m 200 100 350 250 370 90 c "
        "S";
    std::ofstream(file, std::ios::binary) << pal::test::makeTextPdf(makePages(kLines / 2), kDrawing);
    out["runs"].push_back(measure(file, "text with a drawing on each page"));
    std::filesystem::remove(file);
    std::printf("%s\n", out.dump(2).c_str());
    return 0;
}
