// SPDX-License-Identifier: Apache-2.0
// Clips from files: which frames are taken and when they are, what they cost, and what becomes of odd and broken files. Every frame of the
// clips carries its number (tests/data/media/make_clips.py).
#include "vision/video.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/support/contains.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/vision/k3_media_config.h"
#include "tests/unit/vision/pam.h"
#include "tests/unit/vision/peak_memory.h"

namespace pal {
namespace {

const std::filesystem::path kClips = "tests/data/media/clips";

MediaSource clip(const char* name) {
    return MediaSource::file(kClips / name);
}

// A pixel's red of frame `frame`, 0 .. 255.
int red(const MediaInput& input, int64_t frame, int64_t x, int64_t y) {
    const int64_t patch = (frame * input.rows + y / 14) * input.columns + x / 14;
    return static_cast<int>((input.patches[static_cast<size_t>(patch * 588 + y % 14 * 14 + x % 14)] + 1) * 127.5F);
}

// The number that a frame shows.
int64_t numberIn(const MediaInput& input, int64_t frame) {
    int64_t number = 0;
    for (int64_t bit = 0; bit < 12; ++bit) number += int64_t{red(input, frame, bit * 5 + 2, 2) > 127} << bit;
    return number;
}

struct Taken {
    std::vector<int64_t> planned, shown;  // numbers by the plan, and as seen in the pixels
    std::vector<double> seconds;
    std::vector<std::string> stamps;
};

Taken take(const MediaSource& source, const VideoRequest& request = {}, const MediaConfig& config = test::k3Media(),
           int threads = 2) {
    Taken out;
    const auto plan = planVideo(source, config, request);
    EXPECT_TRUE(plan.has_value()) << plan.error().message;
    if (!plan) return out;
    auto reader = VideoReader::open(source, config, *plan, {0, threads});
    EXPECT_TRUE(reader.has_value()) << reader.error().message;
    if (!reader) return out;
    int64_t tokens = 0;
    uint64_t bytes = 0;
    for (;;) {
        auto chunk = reader->next();
        EXPECT_TRUE(chunk.has_value()) << chunk.error().message;
        if (!chunk || !*chunk) break;
        const MediaInput& input = (*chunk)->input;
        EXPECT_EQ(input.frames, static_cast<int64_t>((*chunk)->frames.size()));
        for (int64_t f = 0; f < input.frames; ++f) {
            out.planned.push_back((*chunk)->frames[static_cast<size_t>(f)].index);
            out.seconds.push_back((*chunk)->frames[static_cast<size_t>(f)].seconds);
            out.shown.push_back(numberIn(input, f));
        }
        out.stamps.push_back((*chunk)->timestamp);
        tokens += input.rows * input.columns / 4;
        bytes += input.patches.size() * sizeof(float);
    }
    EXPECT_EQ(tokens, plan->tokens);  // known before decoding, exactly
    EXPECT_EQ(bytes, plan->patchBytes);
    EXPECT_EQ(static_cast<int64_t>(out.shown.size()), plan->sampledFrames);
    return out;
}

// numpy: np.round(np.linspace(0, frames - 1, n))
std::vector<int64_t> reference(int64_t frames, int64_t n) {
    std::vector<int64_t> out;
    for (int64_t k = 0; k < n; ++k) {
        const double step = static_cast<double>(frames - 1) / static_cast<double>(std::max<int64_t>(1, n - 1));
        out.push_back(static_cast<int64_t>(
            std::nearbyint(k == n - 1 && n > 1 ? static_cast<double>(frames - 1) : static_cast<double>(k) * step)));
    }
    return out;
}

TEST(Video, AnotherRequestOfAPlannedClipIsTheSamePlan) {
    for (const char* name : {"h264.mp4", "vfr.mkv"}) {
        const VideoPlan whole = planVideo(clip(name), test::k3Media()).value();
        VideoRequest request;
        request.start = 0.5;
        request.fps = 3;
        request.maxFrames = 4;
        const VideoPlan expected = planVideo(clip(name), test::k3Media(), request).value();
        const VideoPlan again = replanVideo(whole, test::k3Media(), request, name).value();
        EXPECT_EQ(again.tokens, expected.tokens);
        EXPECT_EQ(again.sampledFrames, expected.sampledFrames);
        EXPECT_EQ(again.patchBytes, expected.patchBytes);
        ASSERT_EQ(again.chunks.size(), expected.chunks.size());
        for (size_t i = 0; i < again.chunks.size(); ++i) EXPECT_EQ(again.chunks[i].frames, expected.chunks[i].frames);
        request.start = 1e6;
        EXPECT_FALSE(replanVideo(whole, test::k3Media(), request, name).has_value());
    }
}

TEST(Video, ThePlanSaysEverythingBeforeDecoding) {
    const auto plan = planVideo(clip("h264.mp4"), test::k3Media());
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    EXPECT_EQ(plan->codec, "h264");
    EXPECT_EQ(plan->width, 64);
    EXPECT_EQ(plan->height, 48);
    EXPECT_EQ(plan->frameCount, 90);
    EXPECT_EQ(plan->fps, 30);
    EXPECT_EQ(plan->rate, VideoPlan::Rate::kConstant);
    EXPECT_NEAR(plan->seconds, 3, 1e-9);
    EXPECT_EQ(plan->sound, VideoPlan::Sound::kUnused);
    EXPECT_EQ(plan->sampledFrames, 24);  // 8 a second
    EXPECT_EQ(plan->chunks.size(), 6U);
    EXPECT_EQ(plan->chunks[0].resize, planFrame(test::k3Media(), 4, 64, 48));
    EXPECT_EQ(plan->tokens, 6 * 3 * 2);
    EXPECT_EQ(plan->patchBytes, 24U * 6 * 4 * 588 * 4);
    EXPECT_TRUE(plan->warnings.empty()) << plan->warnings[0];
    EXPECT_EQ(planVideo(clip("h264.mov"), test::k3Media())->sound, VideoPlan::Sound::kNone);
}

// Every container and codec gives the frames that the reference would index.
TEST(Video, FramesAreTheReferencesOfEveryContainer) {
    for (const char* name : {"h264.mp4", "h264.mov", "h264.mkv", "h264.avi", "moov_last.mp4"}) {
        const Taken taken = take(clip(name));
        EXPECT_EQ(taken.planned, reference(90, 24)) << name;
        EXPECT_EQ(taken.shown, taken.planned) << name;
        for (size_t i = 0; i < taken.seconds.size(); ++i) {
            EXPECT_NEAR(taken.seconds[i], static_cast<double>(taken.planned[i]) / 30, 1e-9) << name;
        }
        EXPECT_EQ(taken.stamps, (std::vector<std::string>{"00:00:00.000", "00:00:00.500", "00:00:01.033",
                                                          "00:00:01.533", "00:00:02.066", "00:00:02.566"}))
            << name;
    }
    const struct {
        const char* name;
        int64_t frames, fps;
    } others[] = {{"hevc.mp4", 30, 24},
                  {"vp9.webm", 30, 25},
                  {"av1.mkv", 20, 25},
                  {"mjpeg.avi", 40, 10},
                  {"one_frame.mp4", 1, 30}};
    for (const auto& other : others) {
        const Taken taken = take(clip(other.name));
        const double wanted = static_cast<double>(other.frames) * 8 / static_cast<double>(other.fps);
        const int64_t n = std::max<int64_t>(1, static_cast<int64_t>(std::nearbyint(wanted)));
        EXPECT_EQ(taken.planned, reference(other.frames, n)) << other.name;
        if (other.frames > 1) {
            EXPECT_EQ(taken.shown, taken.planned) << other.name;
        }
    }
}

// When frame `n` of the clips vfr.* is shown: thirty at 30 a second, then thirty at 7.5.
double vfrSeconds(int64_t n) {
    return static_cast<double>(n < 30 ? n : 30 + (n - 30) * 4) / 30;
}

TEST(Video, TimesStayTrueWhenTheRateVaries) {
    for (const char* name : {"vfr.mkv", "vfr.mp4"}) {
        const auto plan = planVideo(clip(name), test::k3Media());
        ASSERT_TRUE(plan.has_value()) << plan.error().message;
        EXPECT_EQ(plan->rate, VideoPlan::Rate::kVariable);
        EXPECT_EQ(plan->frameCount, 60);
        const Taken taken = take(clip(name));
        EXPECT_EQ(taken.shown, taken.planned) << name;
        for (size_t i = 0; i < taken.planned.size(); ++i) {
            const int64_t n = taken.planned[i];
            EXPECT_NEAR(taken.seconds[i], vfrSeconds(n), 0.001) << name << " frame " << n;
        }
        // Of as many points in time as the average rate asks for, each takes the nearest frame; no frame is taken twice.
        const auto n = static_cast<int64_t>(std::nearbyint(60 * 8 / plan->fps));
        std::vector<int64_t> nearest;
        for (int64_t k = 0; k < n; ++k) {
            const double target = vfrSeconds(59) * static_cast<double>(k) / static_cast<double>(n - 1);
            int64_t best = 0;
            for (int64_t i = 1; i < 60; ++i) {
                if (std::abs(vfrSeconds(i) - target) < std::abs(vfrSeconds(best) - target)) best = i;
            }
            if (nearest.empty() || nearest.back() != best) nearest.push_back(best);
        }
        EXPECT_EQ(taken.planned, nearest) << name;
    }
}

TEST(Video, ARotationFlagTurnsTheFrames) {
    const auto plan = planVideo(clip("turned.mp4"), test::k3Media()).value();
    EXPECT_EQ(plan.storedWidth, 64);
    EXPECT_EQ(plan.width, 48);
    EXPECT_EQ(plan.height, 64);
    auto reader = VideoReader::open(clip("turned.mp4"), test::k3Media(), plan).value();
    const auto chunk = reader.next().value().value();
    // As the program ffmpeg shows it: the stored top row is the left column, from the bottom up. The last frame of the chunk is number 12.
    ASSERT_EQ(chunk.frames.back().index, 12);
    for (int64_t bit = 0; bit < 12; ++bit) {
        EXPECT_EQ(red(chunk.input, 3, 2, 63 - (bit * 5 + 2)) > 127, (12 >> bit & 1) == 1) << bit;
    }
}

TEST(Video, OddSizesAndASecondDecoderThread) {
    const auto plan = planVideo(clip("odd.webm"), test::k3Media()).value();
    EXPECT_EQ(plan.width, 61);
    EXPECT_EQ(plan.height, 47);
    const Taken one = take(clip("odd.webm"), {}, test::k3Media(), 1);
    EXPECT_EQ(one.shown, reference(16, 8));
    EXPECT_EQ(take(clip("odd.webm"), {}, test::k3Media(), 4).shown, one.shown);
}

TEST(Video, AnEditListHidesFrames) {
    const auto plan = planVideo(clip("edit_list.mp4"), test::k3Media()).value();
    EXPECT_EQ(plan.frameCount, 75);
    const Taken taken = take(clip("edit_list.mp4"));
    EXPECT_EQ(taken.planned, reference(75, 20));
    ASSERT_EQ(taken.shown.size(), taken.planned.size());
    for (size_t i = 0; i < taken.shown.size(); ++i) EXPECT_EQ(taken.shown[i], taken.planned[i] + 15);
}

// Few frames of a long clip: groups without a wanted frame are not decoded, and frames in front of a key frame are still right.
TEST(Video, SparseFramesOfLongOpenGroups) {
    for (const double fps : {0.3, 0.5, 1.0, 3.0, 30.0}) {
        VideoRequest request;
        request.fps = fps;
        const Taken taken = take(clip("long_groups.mp4"), request);
        EXPECT_EQ(taken.planned, reference(300, static_cast<int64_t>(std::nearbyint(10 * std::min(fps, 30.0))))) << fps;
        EXPECT_EQ(taken.shown, taken.planned) << fps;
    }
}

TEST(Video, LimitsOfTheRequest) {
    VideoRequest request;
    request.start = 1.0;
    request.end = 2.0;
    Taken taken = take(clip("h264.mp4"), request);
    EXPECT_EQ(taken.planned.front(), 30);
    EXPECT_EQ(taken.planned.back(), 60);
    EXPECT_EQ(taken.planned.size(), 8U);
    EXPECT_EQ(taken.shown, taken.planned);
    EXPECT_EQ(taken.stamps.front(), "00:00:01.000");

    request = {};
    request.maxFrames = 5;
    taken = take(clip("h264.mp4"), request);
    EXPECT_EQ(taken.planned, reference(90, 5));
    EXPECT_EQ(taken.shown, taken.planned);

    request = {};
    request.maxTokens = 20;  // 6 a chunk
    EXPECT_EQ(planVideo(clip("h264.mp4"), test::k3Media(), request)->tokens, 18);
    request.maxTokens = 36;
    EXPECT_EQ(planVideo(clip("h264.mp4"), test::k3Media(), request)->sampledFrames, 24);
    request.maxTokens = 5;
    const auto tooFew = planVideo(clip("h264.mp4"), test::k3Media(), request);
    ASSERT_FALSE(tooFew.has_value());
    EXPECT_PRED2(test::contains, tooFew.error().message, "cost 6 tokens, the limit is 5");

    request = {};
    request.start = 50.0;
    const auto outside = planVideo(clip("h264.mp4"), test::k3Media(), request);
    ASSERT_FALSE(outside.has_value());
    EXPECT_EQ(outside.error().code, ErrorCode::kInvalidArgument);
    EXPECT_PRED2(test::contains, outside.error().message, "2.967 s");

    MediaConfig few = test::k3Media();
    few.video->frameLimit = 3;
    EXPECT_EQ(planVideo(clip("h264.mp4"), few)->sampledFrames, 3);
    few.video = std::nullopt;
    EXPECT_EQ(planVideo(clip("h264.mp4"), few).error().code, ErrorCode::kUnsupported);
}

TEST(Video, BadFilesGetOneClearError) {
    const struct {
        const char* name;
        ErrorCode code;
        const char* says;
    } cases[] = {{"no_frames.mp4", ErrorCode::kFormat, "0 frames"},
                 {"sound_only.mp4", ErrorCode::kUnsupported, "no video"}};
    for (const auto& bad : cases) {
        const auto plan = planVideo(clip(bad.name), test::k3Media());
        ASSERT_FALSE(plan.has_value()) << bad.name;
        EXPECT_EQ(plan.error().code, bad.code) << plan.error().message;
        EXPECT_PRED2(test::contains, plan.error().message, bad.says);
        EXPECT_PRED2(test::contains, plan.error().message, bad.name);
    }
    const std::string text = "just a text, no clip at all";
    const auto source = MediaSource::bytes("notes.txt", std::as_bytes(std::span(text)));
    EXPECT_EQ(planVideo(source, test::k3Media()).error().code, ErrorCode::kUnsupported);
    EXPECT_EQ(planVideo(clip("missing.mp4"), test::k3Media()).error().code, ErrorCode::kNotFound);
    // A playlist may not lead to other files or to the network.
    const std::string list = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nh264.mp4\n#EXT-X-ENDLIST\n";
    const auto playlist = MediaSource::bytes("list.m3u8", std::as_bytes(std::span(list)));
    EXPECT_EQ(planVideo(playlist, test::k3Media()).error().code, ErrorCode::kUnsupported);
    VideoRequest request;
    request.limits.maxPixels = 3000;
    const auto large = planVideo(clip("h264.mp4"), test::k3Media(), request);
    EXPECT_EQ(large.error().code, ErrorCode::kOutOfMemory);
    EXPECT_PRED2(test::contains, large.error().message, "64x48");
}

TEST(Video, ACutFileSaysWhatIsMissing) {
    const std::string whole = test::readBytes(kClips / "h264.mp4");
    const std::string half = whole.substr(0, whole.size() * 6 / 10);
    const auto source = MediaSource::bytes("half.mp4", std::as_bytes(std::span(half)));
    const auto plan = planVideo(source, test::k3Media());
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    EXPECT_LT(plan->frameCount, 90);
    EXPECT_GT(plan->frameCount, 20);
    ASSERT_FALSE(plan->warnings.empty());
    EXPECT_PRED2(test::contains, plan->warnings.back(), "ends early");
    // Frames missing at the end leave a gap in the times, which stay true.
    const Taken taken = take(source);
    ASSERT_GE(taken.shown.size(), 8U);
    for (size_t i = 0; i < taken.shown.size(); ++i) {
        EXPECT_NEAR(taken.seconds[i] * 30, static_cast<double>(taken.shown[i]), 1e-6);
    }
    // A few frames less are less than a header's time can tell, and told by its list.
    const std::string shorter = whole.substr(0, 20'000);
    const auto few = planVideo(MediaSource::bytes("shorter.mp4", std::as_bytes(std::span(shorter))), test::k3Media());
    ASSERT_TRUE(few.has_value()) << few.error().message;
    EXPECT_EQ(few->frameCount, 85);
    ASSERT_EQ(few->warnings.size(), 1U);
    EXPECT_PRED2(test::contains, few->warnings[0], "ends early: 85 of the 90 frames that it lists are there");
    // Without its table of contents, which stands at the end, nothing can be read.
    const std::string headless = test::readBytes(kClips / "moov_last.mp4").substr(0, 4000);
    const auto lost =
        planVideo(MediaSource::bytes("headless.mp4", std::as_bytes(std::span(headless))), test::k3Media());
    ASSERT_FALSE(lost.has_value());
    EXPECT_EQ(lost.error().code, ErrorCode::kFormat);
}

TEST(Video, ProgressAndStop) {
    std::vector<double> steps;
    ASSERT_TRUE(
        planVideo(clip("mjpeg.avi"), test::k3Media(), {}, [&](double done) { steps.push_back(done); }).has_value());
    ASSERT_FALSE(steps.empty());
    EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
    EXPECT_EQ(steps.back(), 1);

    std::stop_source stop;
    const auto plan = planVideo(clip("h264.mp4"), test::k3Media()).value();
    auto reader = VideoReader::open(clip("h264.mp4"), test::k3Media(), plan, {16, 2}).value();
    ASSERT_TRUE(reader.next().value().has_value());
    stop.request_stop();
    EXPECT_EQ(reader.next(stop.get_token()).error().code, ErrorCode::kCancelled);
    EXPECT_EQ(reader.next().error().code, ErrorCode::kCancelled);
    const auto chunk =
        VideoReader::open(clip("h264.mp4"), test::k3Media(), plan, {16, 2}).value().next().value().value();
    ASSERT_EQ(chunk.thumbnails.size(), 4U);
    EXPECT_EQ(chunk.thumbnails[0].width, 16);
    EXPECT_EQ(chunk.thumbnails[0].height, 12);
    EXPECT_EQ(planVideo(clip("h264.mp4"), test::k3Media(), {}, {}, stop.get_token()).error().code,
              ErrorCode::kCancelled);
}

TEST(Video, NamesOfAnyKind) {
    const test::TempFolder folder;
    const auto path = folder / "片 é\n.mp4";
    std::filesystem::copy_file(kClips / "h264.mp4", path);
    EXPECT_TRUE(planVideo(MediaSource::file(path), test::k3Media()).has_value());
}

// A thumbnail's pixel is the mean of the 2 x 2 that it stands for.
TEST(Video, EveryFrameHasAThumbnailWhenAskedFor) {
    const auto source = clip("h264.mp4");
    const VideoPlan plan = planVideo(source, test::k3Media()).value();
    auto reader = VideoReader::open(source, test::k3Media(), plan, {32, 1}).value();
    size_t seen = 0;
    while (const auto chunk = reader.next().value()) {
        ASSERT_EQ(chunk->thumbnails.size(), chunk->frames.size());
        for (const Raster& small : chunk->thumbnails) {
            ASSERT_EQ(small.width, 32);
            ASSERT_EQ(small.height, 24);
            const auto frame = static_cast<int64_t>(&small - chunk->thumbnails.data());
            for (int64_t y = 0; y < 24; ++y) {
                for (int64_t x = 0; x < 32; ++x) {
                    int sum = 0;
                    for (int64_t i = 0; i < 4; ++i) sum += red(chunk->input, frame, 2 * x + i % 2, 2 * y + i / 2);
                    ASSERT_NEAR(small.row(y)[4 * x], sum / 4.0, 2) << x << ", " << y;
                }
            }
            ++seen;
        }
    }
    EXPECT_EQ(seen, 24U);
}

// 90 seconds of 1920 x 1080: half a million tokens and 18 GB of patches in all. The budget is judged before decoding, and reading holds one
// chunk.
TEST(Video, ALongClipNeedsLittleMemory) {
    const auto source = clip("long_1080p.mp4");
    const auto plan = planVideo(source, test::k3Media());
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    EXPECT_EQ(plan->frameCount, 2700);
    EXPECT_EQ(plan->sampledFrames, 720);
    EXPECT_EQ(plan->tokens, 180 * 2691);
    EXPECT_EQ(plan->patchBytes, 720ULL * 78 * 138 * 588 * 4);
    VideoRequest request;
    request.maxTokens = 2690;
    EXPECT_PRED2(test::contains, planVideo(source, test::k3Media(), request).error().message, "cost 2691 tokens");

    const long growth = test::peakGrowthKilobytes([&] {
        auto reader = VideoReader::open(source, test::k3Media(), *plan).value();
        for (int chunk = 0; chunk < 20; ++chunk) {
            if (!reader.next().value()) return false;
        }
        return true;
    });
    EXPECT_GT(growth, 100'000);  // one chunk: the measurement sees something
    EXPECT_LT(growth, test::kSanitized ? 1'500'000 : 500'000);
}

// The embedded model: at most 64 patches a frame, chunks of 4, 8 frames a second.
TEST(Video, TheEmbeddedModelsNumbers) {
    const MediaConfig config = readMediaConfig("resources/nano").value();
    const auto plan = planVideo(clip("h264.mp4"), config).value();
    EXPECT_EQ(plan.sampledFrames, 24);
    EXPECT_EQ(plan.chunks[0].frames.size(), 4U);
    EXPECT_EQ(plan.chunks[0].resize, (ResizePlan{64, 48, 4, 6, 6}));
    EXPECT_EQ(take(clip("h264.mp4"), {}, config).shown, reference(90, 24));
}

TEST(VideoTimestamp, CutsMillisecondsAndWrapsAtADay) {
    EXPECT_EQ(videoTimestamp(0), "00:00:00.000");
    EXPECT_EQ(videoTimestamp(1.9999), "00:00:01.999");
    EXPECT_EQ(videoTimestamp(3725.125), "01:02:05.125");
    EXPECT_EQ(videoTimestamp(86400 + 61.5), "00:01:01.500");
}

}  // namespace
}  // namespace pal
