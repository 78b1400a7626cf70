// SPDX-License-Identifier: Apache-2.0
#include "app/cli/program_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <nlohmann/json.hpp>

#include "app/cli/print_json.h"
#include "app/cli/terminal.h"
#include "engine/base/system_message.h"

namespace pal::cli {
namespace {

const char* nameOf(LogLevel level) {
    constexpr const char* kNames[] = {"debug", "info", "warning", "error"};
    return kNames[static_cast<size_t>(level)];
}

// "2026-12-01T03:12:22.123+01:00", local time
std::string timeNow() {
    timeval now{};
    gettimeofday(&now, nullptr);
    std::tm local{};
    std::array<char, 32> date{};
    std::array<char, 8> zone{};
    if (localtime_r(&now.tv_sec, &local) == nullptr) return "";
    std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S", &local);
    std::strftime(zone.data(), zone.size(), "%z", &local);
    const std::string_view offset(zone.data());
    return fmt::format("{}.{:03}{}:{}", date.data(), now.tv_usec / 1000, offset.substr(0, 3), offset.substr(3));
}

// A line end would make two events of one.
std::string oneLine(std::string_view message) {
    std::string line = withoutControls(message);
    for (char& c : line)
        if (c == '\n') c = ' ';
    return line;
}

Result<Descriptor> openForAdding(const std::filesystem::path& path) {
    if (path.empty()) return Descriptor();
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (!file.isOpen()) return fail(ErrorCode::kIo, "{}: {}", path.string(), systemMessage(errno));
    return file;
}

}  // namespace

Result<std::unique_ptr<ProgramLog>> ProgramLog::open(const Places& places) {
    std::unique_ptr<ProgramLog> log(new ProgramLog);
    log->places_ = places;
    PAL_ASSIGN(log->text_, openForAdding(places.text));
    PAL_ASSIGN(log->jsonLines_, openForAdding(places.jsonLines));
    return log;
}

void ProgramLog::log(LogLevel level, std::string_view category, std::string_view message) {
    const std::string time = timeNow();
    const std::string text = fmt::format("{} {} {} {}\n", time, nameOf(level), category, oneLine(message));
    const nlohmann::ordered_json event{
        {"time", time}, {"level", nameOf(level)}, {"category", category}, {"message", oneLine(message)}};
    const std::lock_guard lock(mutex_);
    write(text_, places_.text, text);
    write(jsonLines_, places_.jsonLines, escapeControls(event.dump()) + "\n");
    if (places_.toError) std::fwrite(text.data(), 1, text.size(), stderr);
}

// One call per line: another program's lines may come between lines, never into one.
void ProgramLog::write(const Descriptor& file, const std::filesystem::path& path, const std::string& line) {
    if (!file.isOpen()) return;
    const ssize_t count = ::write(file.get(), line.data(), line.size());
    if (count == static_cast<ssize_t>(line.size()) || !written_) return;
    written_ = fail(ErrorCode::kIo, "{}: {}", path.string(), count < 0 ? systemMessage(errno) : "a line was cut");
}

Result<> ProgramLog::written() const {
    const std::lock_guard lock(mutex_);
    return written_;
}

}  // namespace pal::cli
