// SPDX-License-Identifier: Apache-2.0
// Pictures and clips to patches. Prints JSON.
//   media_bench [SECONDS]
// A 4000 x 3000 JPEG on one core, for several limits. Then a 1080p clip of SECONDS (90) beside the program `ffmpeg`, which makes the clip,
// and then picks and scales the same frames of it: wall seconds of both, runs alternating, the best of each; and the memory that reading
// the clip took.
#include <cstddef>
#include <cstdio>
// jpeglib.h needs the two above.
#include <jpeglib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "tests/unit/vision/k3_media_config.h"
#include "vision/image.h"
#include "vision/video.h"

namespace {

using Json = nlohmann::ordered_json;

double wallSeconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
double cpuSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
long peakKilobytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

// Edges, gradients and grain, as a photograph has.
std::string photograph(int width, int height) {
    std::vector<unsigned char> row(static_cast<size_t>(width) * 3);
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    unsigned char* out = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&jpeg, &out, &size);
    jpeg.image_width = static_cast<JDIMENSION>(width);
    jpeg.image_height = static_cast<JDIMENSION>(height);
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 90, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    unsigned noise = 1;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width * 3; ++x) {
            noise = noise * 1664525 + 1013904223;
            const double wave = 100 + 60 * std::sin(x * 0.003) * std::cos(y * 0.011) + 40 * ((x / 900 + y / 170) % 2);
            row[static_cast<size_t>(x)] = static_cast<unsigned char>(wave + (noise >> 28));
        }
        JSAMPROW line = row.data();
        jpeg_write_scanlines(&jpeg, &line, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    std::string bytes(reinterpret_cast<const char*>(out), size);
    std::free(out);
    return bytes;
}

Json benchPicture() {
    const std::string bytes = photograph(4000, 3000);
    const auto source = pal::MediaSource::bytes("picture", std::as_bytes(std::span(bytes)));
    Json out = {{"bytes", bytes.size()}};
    for (const int64_t limit : {65536, 16384, 256}) {
        pal::MediaConfig config = pal::test::k3Media();
        config.patchLimit = limit;
        double wall = 1e9, cpu = 1e9;
        pal::ResizePlan plan;
        for (int run = 0; run < 7; ++run) {
            const double wallStart = wallSeconds(), cpuStart = cpuSeconds();
            const auto prepared = pal::prepareImage(source, config);
            wall = std::min(wall, wallSeconds() - wallStart);
            cpu = std::min(cpu, cpuSeconds() - cpuStart);
            plan = prepared.value().resize;
        }
        out["patch_limit_" + std::to_string(limit)] = {
            {"resized", {plan.width, plan.height}}, {"tokens", plan.tokens}, {"wall_s", wall}, {"cpu_s", cpu}};
    }
    return out;
}

// Runs the program `ffmpeg`; the seconds it took, or a negative number when it failed.
double runFfmpeg(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"ffmpeg", "-nostdin", "-y", "-v", "error"});
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const double start = wallSeconds();
    const pid_t child = fork();
    if (child == 0) {
        execvp(argv[0], argv.data());
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? wallSeconds() - start : -1;
}

bool makeClip(const std::filesystem::path& folder, int seconds) {
    const std::string part = folder / "part.mp4", whole = folder / "clip.mp4";
    const bool made = runFfmpeg({"-f", "lavfi", "-i", "testsrc2=size=1920x1080:rate=30:duration=10", "-c:v", "libx264",
                                 "-preset", "veryfast", "-pix_fmt", "yuv420p", part}) >= 0;
    const std::string loops = std::to_string(std::max(0, (seconds + 9) / 10 - 1));
    return made &&
           runFfmpeg({"-stream_loop", loops, "-i", part, "-c", "copy", "-t", std::to_string(seconds), whole}) >= 0;
}

// "n is one of these" in FFmpeg's language, as a balanced tree: a flat sum of hundreds is too deep for its parser.
std::string anyOf(std::span<const int64_t> indices) {
    if (indices.size() == 1) return "eq(n\\," + std::to_string(indices[0]) + ")";
    const size_t half = indices.size() / 2;
    return "(" + anyOf(indices.first(half)) + "+" + anyOf(indices.subspan(half)) + ")";
}

Json benchClip(const std::filesystem::path& clip, int64_t frameLimit, int threads) {
    pal::MediaConfig config = pal::test::k3Media();
    config.video->patchLimitPerFrame = frameLimit;
    const auto source = pal::MediaSource::file(clip);
    const double planStart = wallSeconds();
    const pal::VideoPlan plan = pal::planVideo(source, config).value();
    const double planSeconds = wallSeconds() - planStart;
    std::vector<int64_t> indices;
    for (const auto& chunk : plan.chunks) {
        for (const auto& frame : chunk.frames) indices.push_back(frame.index);
    }
    const std::string select = "select=" + anyOf(indices);
    const pal::ResizePlan& size = plan.chunks[0].resize;
    const std::string filter =
        select + ",scale=" + std::to_string(size.width) + ":" + std::to_string(size.height) + ":flags=bicubic";
    double ours = 1e9, theirs = 1e9;
    const long before = peakKilobytes();
    for (int run = 0; run < 3; ++run) {
        const double start = wallSeconds();
        auto reader = pal::VideoReader::open(source, config, plan, {0, threads}).value();
        while (reader.next().value()) {
        }
        ours = std::min(ours, wallSeconds() - start);
        const double other = runFfmpeg({"-threads", std::to_string(threads), "-i", clip.string(), "-vf", filter,
                                        "-vsync", "0", "-f", "rawvideo", "-pix_fmt", "rgb24", "/dev/null"});
        if (other < 0) return "ffmpeg failed";
        theirs = std::min(theirs, other);
    }
    return {{"frames_taken", plan.sampledFrames},
            {"resized", {size.width, size.height}},
            {"tokens", plan.tokens},
            {"plan_s", planSeconds},
            {"read_s", ours},
            {"ffmpeg_s", theirs},
            {"speed_of_ffmpeg", theirs / ours},
            {"peak_rss_growth_mb", (peakKilobytes() - before) / 1000}};
}

}  // namespace

int main(int argc, char** argv) {
    const int seconds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 90;
    std::string name = (std::filesystem::temp_directory_path() / "media_bench_XXXXXX").string();
    if (!mkdtemp(name.data())) return 1;
    const std::filesystem::path folder = name;
    Json out;
    if (makeClip(folder, seconds)) {
        constexpr int kThreads = 2;
        out["clip"] = {{"size", {1920, 1080}}, {"seconds", seconds}, {"decoder_threads", kThreads}};
        out["clip"]["patch_limit_1024"] = benchClip(folder / "clip.mp4", 1024, kThreads);
        out["clip"]["patch_limit_16384"] = benchClip(folder / "clip.mp4", 16384, kThreads);
    } else {
        out["clip"] = "skipped: the program ffmpeg is not there";
    }
    out["jpeg_4000x3000"] = benchPicture();
    std::filesystem::remove_all(folder);
    std::printf("%s\n", out.dump(1).c_str());
    return 0;
}
