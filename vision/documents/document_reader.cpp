// SPDX-License-Identifier: Apache-2.0
#include "vision/documents/document_reader.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "engine/base/descriptor.h"
#include "engine/base/system_message.h"
#include "vision/documents/document_kind.h"
#include "vision/documents/extract_protocol.h"
#include "vision/documents/helper_process.h"

namespace pal {
namespace {

constexpr const char* kProgram = "pal-extract";

// Opens without waiting for the other end of a pipe; only regular files are documents.
Result<Descriptor> openDocument(const std::filesystem::path& file, uint64_t maxBytes) {
    Descriptor opened(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (opened.get() < 0)
        return fail(errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo, "{}", systemMessage(errno));
    struct stat status {};
    if (fstat(opened.get(), &status) != 0) return fail(ErrorCode::kIo, "{}", systemMessage(errno));
    if (S_ISDIR(status.st_mode)) return fail(ErrorCode::kUnsupported, "a folder, not a document");
    if (!S_ISREG(status.st_mode)) return fail(ErrorCode::kUnsupported, "not a regular file");
    const auto size = static_cast<uint64_t>(status.st_size);
    if (size > maxBytes) {
        return fail(ErrorCode::kOutOfMemory, "{} bytes; documents of up to {} bytes are read", size, maxBytes);
    }
    return opened;
}

// Why a helper that said neither "end" nor "error" ended.
Error describeEnd(const HelperEnd& end, const DocumentLimits& limits) {
    const auto helper = [](std::string_view what) {
        return Error{ErrorCode::kInternal, fmt::format("{} {}; the document was not read", kProgram, what)};
    };
    if (end.lastWords.find("Out of memory") != std::string::npos ||
        end.lastWords.find("bad_alloc") != std::string::npos) {
        return {ErrorCode::kOutOfMemory,
                fmt::format("reading it takes more than the {} bytes of memory that {} may use", limits.memoryBytes,
                            kProgram)};
    }
    if (end.signal == SIGXCPU) return helper("used up its processor time");
    if (end.signal == SIGBUS) return helper("could not read on, as happens when a file is shortened while it is read");
    if (end.signal != 0)
        return helper(fmt::format("was ended by the signal {} ({})", end.signal, strsignal(end.signal)));
    const size_t line = end.lastWords.find_last_not_of('\n');
    const std::string words = line == std::string::npos ? "" : end.lastWords.substr(0, line + 1);
    const size_t start = words.find_last_of('\n');
    const std::string last = start == std::string::npos ? words : words.substr(start + 1);
    return helper(fmt::format("ended early with exit code {}{}{}", end.exitCode, last.empty() ? "" : ": ", last));
}

std::vector<std::string> commonArguments(const std::string& name, const DocumentLimits& limits) {
    const auto total = std::chrono::ceil<std::chrono::seconds>(limits.total).count();
    return {"--name",       name,
            "--memory",     std::to_string(limits.memoryBytes),
            "--text-bytes", std::to_string(limits.textBytes),
            "--cpu",        std::to_string(std::max<int64_t>(total, 1))};
}

std::string pagesOf(const DocumentOptions& options) {
    return fmt::format("{}-{}", options.firstPage, options.lastPage);
}

// One run of the helper. Messages get the file's name from the callers.
Result<extract::Decoder> runExtractor(const std::filesystem::path& file, const DocumentOptions& options,
                                      const std::vector<std::string>& arguments) {
    const DocumentLimits& limits = options.limits;
    PAL_ASSIGN(const Descriptor opened, openDocument(file, limits.fileBytes));
    HelperRun run;
    run.program = options.helper;
    if (run.program.empty()) {
        PAL_ASSIGN(run.program, findExtractor());
    }
    run.arguments = commonArguments(options.name.empty() ? file.filename().string() : options.name, limits);
    run.arguments.insert(run.arguments.end(), arguments.begin(), arguments.end());
    // Not an argument: those are shown to every user of the machine.
    if (!options.password.empty()) run.environment.push_back("PAL_DOCUMENT_PASSWORD=" + options.password);
    run.input = opened.get();
    run.silence = limits.silence;
    run.total = limits.total;
    run.stop = options.stop;

    // JSON may spell a character in six bytes; images come raw, and so do pictures, which textBytes bounds as all that is unpacked.
    extract::Decoder decoder(6 * limits.textBytes + uint64_t{3} * kMaxPageImagePixels + (1 << 20));
    size_t reported = 0;
    run.output = [&](std::string_view bytes) -> Result<> {
        PAL_TRY(decoder.feed(bytes));
        const size_t done = decoder.document().pages.size();
        if (options.progress && done > reported) options.progress({static_cast<int>(done), decoder.pagesExpected()});
        reported = done;
        return {};
    };
    const Result<HelperEnd> end = runHelper(run);
    // What the helper said of the document comes before how it ended.
    if (decoder.error().has_value()) return fail(*decoder.error());
    if (!end.has_value()) {
        if (end.error().code == ErrorCode::kInternal) return fail(end.error().withContext(kProgram));
        return fail(end.error());
    }
    if (!decoder.ended()) return fail(describeEnd(*end, limits));
    return decoder;
}

// Puts what the file is called in front of an error.
template <typename T>
Result<T> named(const std::filesystem::path& file, const DocumentOptions& options, Result<T> result) {
    return std::move(result).map_error(
        [&](const Error& error) { return error.withContext(options.name.empty() ? file.string() : options.name); });
}

}  // namespace

Result<std::filesystem::path> findExtractor() {
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error)
        return fail(ErrorCode::kNotFound, "{}: the running program's folder is unknown: {}", kProgram, error.message());
    const std::filesystem::path folder = self.parent_path();
    for (const char* place : {".", "../libexec/palimpsest", "../extract"}) {
        const std::filesystem::path candidate = (folder / place / kProgram).lexically_normal();
        if (access(candidate.c_str(), X_OK) == 0) return candidate;
    }
    return fail(ErrorCode::kNotFound, "{} is neither in {} nor in ../libexec/palimpsest beside it", kProgram,
                folder.string());
}

Result<Document> readDocument(const std::filesystem::path& file, const DocumentOptions& options) {
    auto run = runExtractor(file, options, {"--pages", pagesOf(options)});
    return named(file, options,
                 std::move(run).map([](extract::Decoder decoder) { return std::move(decoder.document()); }));
}

Result<PageImage> readPageImage(const std::filesystem::path& file, int page, const DocumentOptions& options) {
    auto run = runExtractor(file, options, {"--image", std::to_string(page)});
    return named(file, options, std::move(run).and_then([](extract::Decoder decoder) -> Result<PageImage> {
        if (decoder.images().empty()) return fail(ErrorCode::kInternal, "{} sent no image", kProgram);
        return std::move(decoder.images().front());
    }));
}

Result<std::vector<EmbeddedPicture>> readPictures(const std::filesystem::path& file, const DocumentOptions& options) {
    auto run = runExtractor(file, options, {"--pictures", pagesOf(options)});
    return named(file, options,
                 std::move(run).map([](extract::Decoder decoder) { return std::move(decoder.pictures()); }));
}

bool looksLikeDocument(const std::filesystem::path& file) {
    const Result<Descriptor> opened = openDocument(file, UINT64_MAX);
    if (!opened.has_value()) return false;
    std::array<char, kKindBytes> head{};
    const ssize_t count = pread(opened->get(), head.data(), head.size(), 0);
    if (count < 0) return false;
    const KindGuess guess = guessKind({head.data(), static_cast<size_t>(count)}, file.filename().string());
    return guess.kind.has_value() || guess.zip;
}

}  // namespace pal
