// SPDX-License-Identifier: Apache-2.0
// pal-extract: reads the document on its standard input and writes JSON lines to its standard output (vision/documents/extract_protocol.h).
// Programs run it through vision/documents/document_reader.h; it is a program of its own so that a hostile file can take down nothing else.
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>

#include "app/extract/confinement.h"
#include "app/extract/extract.h"
#include "vision/documents/extract_protocol.h"

namespace pal::extract {
namespace {

constexpr const char* kUsage =
    "usage: pal-extract [OPTION VALUE]... < FILE\n"
    "  --name NAME         the file's own name; its ending decides what its bytes leave open\n"
    "  --pages FIRST-LAST  only these pages; 0 is the last one\n"
    "  --image PAGE        the image of a page instead of text\n"
    "  --pictures FIRST-LAST  the pictures that lie in these pages instead of text\n"
    "  --memory BYTES      address space besides the file, 2 GiB when not given\n"
    "  --cpu SECONDS       processor time, 1800 when not given\n"
    "  --text-bytes BYTES  limit of all text, and of all pictures, 256 MiB when not given\n"
    "The environment variable PAL_DOCUMENT_PASSWORD opens a locked PDF.\n";

struct Arguments {
    std::string name;
    Request request;
    ConfinementLimits limits{uint64_t{2} << 30, 1800};
    std::optional<int> image;
    enum class Output { kText, kPictures } output = Output::kText;
};

template <typename Number>
bool parse(std::string_view text, Number& out) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc{} && end == text.data() + text.size();
}

bool parseRange(std::string_view text, PageRange& range) {
    const size_t dash = text.find('-');
    return dash != std::string_view::npos && parse(text.substr(0, dash), range.first) &&
           parse(text.substr(dash + 1), range.last);
}

bool parseOption(std::string_view option, const char* value, Arguments& out) {
    if (option == "--name") {
        out.name = value;
        return true;
    }
    if (option == "--pages") return parseRange(value, out.request.pages);
    if (option == "--image") return parse(value, out.image.emplace());
    if (option == "--pictures") {
        out.output = Arguments::Output::kPictures;
        return parseRange(value, out.request.pages);
    }
    if (option == "--memory") return parse(value, out.limits.memoryBytes);
    if (option == "--cpu") return parse(value, out.limits.cpuSeconds);
    return option == "--text-bytes" && parse(value, out.request.limits.textBytes);
}

std::optional<Arguments> parseArguments(int argc, char** argv) {
    Arguments out;
    if (argc % 2 == 0) return std::nullopt;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!parseOption(argv[i], argv[i + 1], out)) return std::nullopt;
    }
    if (const char* password = std::getenv("PAL_DOCUMENT_PASSWORD"); password != nullptr)
        out.request.password = password;
    return out;
}

// The file on standard input; stays mapped until the process ends.
Result<std::string_view> mapInput() {
    struct stat status {};
    if (fstat(STDIN_FILENO, &status) != 0) return fail(ErrorCode::kIo, "{}", std::strerror(errno));
    if (!S_ISREG(status.st_mode)) return fail(ErrorCode::kUnsupported, "not a regular file");
    const auto size = static_cast<size_t>(status.st_size);
    if (size == 0) return std::string_view();
    void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, STDIN_FILENO, 0);
    if (data == MAP_FAILED) return fail(ErrorCode::kIo, "{}", std::strerror(errno));
    return std::string_view(static_cast<const char*>(data), size);
}

void writeOut(std::string_view bytes) {
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    std::fflush(stdout);
}

Result<std::vector<std::string>> work(const Arguments& arguments) {
    PAL_ASSIGN(const std::string_view bytes, mapInput());
    std::vector<std::string> warnings;
    for (const std::string& problem : confine(arguments.limits)) {
        warnings.push_back(fmt::format("read without every protection: {}", problem));
    }
    const Input input{bytes, arguments.name};
    Result<std::vector<std::string>> done =
        arguments.image.has_value() ? writeImage(input, arguments.request, *arguments.image, writeOut)
        : arguments.output == Arguments::Output::kPictures ? writePictures(input, arguments.request, writeOut)
                                                           : writePages(input, arguments.request, writeOut);
    if (done.has_value()) done->insert(done->end(), warnings.begin(), warnings.end());
    return done;
}

}  // namespace
}  // namespace pal::extract

int main(int argc, char** argv) {
    using namespace pal::extract;
    const std::optional<Arguments> arguments = parseArguments(argc, argv);
    if (!arguments.has_value()) {
        std::fputs(kUsage, stderr);
        return 2;
    }
    close_range(STDERR_FILENO + 1, ~0U, 0);  // what the caller left open by mistake
    const auto done = work(*arguments);
    writeOut(done.has_value() ? endLine(*done) : errorLine(done.error()));
    // Nothing needs taking down, and libraries that a hostile file has confused may not survive it.
    std::_Exit(done.has_value() ? 0 : 1);
}
