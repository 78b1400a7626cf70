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

// Pages as full as a novel's, of words that differ.
std::vector<std::string> makePages() {
    std::mt19937 random(1);
    std::vector<std::string> pages;
    for (int page = 0; page < kPages; ++page) {
        std::string text;
        for (int line = 0; line < kLines; ++line) {
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

}  // namespace

int main() {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "pal_document_bench.pdf";
    std::ofstream(file, std::ios::binary) << pal::test::makeTextPdf(makePages());
    pal::DocumentOptions options;
    options.helper = PAL_EXTRACT;
    size_t bytes = 0;
    const double seconds = bestOf([&] {
        const auto document = pal::readDocument(file, options);
        if (!document.has_value()) {
            std::fprintf(stderr, "%s\n", document.error().message.c_str());
            return false;
        }
        bytes = 0;
        for (const pal::DocumentPage& page : document->pages) bytes += page.text.size();
        return document->pages.size() == kPages;
    });
    Json out{{"bench", "document"}, {"kind", "pdf"},      {"pages", kPages},
             {"text_bytes", bytes}, {"seconds", seconds}, {"pages_per_second", kPages / seconds}};
    if (std::system("command -v pdftotext > /dev/null") == 0) {
        const std::string command = "pdftotext " + file.string() + " /dev/null";
        const double peer = bestOf([&] { return std::system(command.c_str()) == 0; });
        out["pdftotext_pages_per_second"] = kPages / peer;
    }
    std::filesystem::remove(file);
    std::printf("%s\n", out.dump(2).c_str());
    return 0;
}
