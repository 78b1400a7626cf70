// SPDX-License-Identifier: Apache-2.0
// Views of a session of a million tokens whose records lie in probes.db (a made-up model of 7 layers), as the window shows them at
// 1920 x 1080, or another size: how long a session and each view take to open (a new source each time, so that nothing is in memory), what a frame of panning
// and zooming takes the window's thread and how long the view's own thread needs for it, the memory that all of it takes, and a hash of all pictures, so
// that two programs can be seen to draw the same. Prints JSON.
//   inspect_bench [TOKENS] [FOLDER] [WIDTH HEIGHT] [VIEW]       FOLDER keeps the records for another run
#include <sys/resource.h>

#include <QApplication>
#include <QHashFunctions>
#include <QTemporaryDir>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/composition/stored_replies.h"
#include "app/desktop/inspect/figure_canvas.h"
#include "app/desktop/inspect/figure_maker.h"
#include "app/desktop/inspect/figure_widget.h"
#include "tests/unit/inspect/uneven_source.h"

namespace {

using namespace pal::inspect;
using namespace pal::desktop;
using Clock = std::chrono::steady_clock;
using nlohmann::ordered_json;
using pal::inspect::test::Uneven;

constexpr int64_t kRegions = 40;
constexpr int64_t kReplies = 64;

struct Size {
    int width = 1920, height = 1080;
};

double milliseconds(Clock::time_point since) {
    return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

// Largest memory of the process so far.
uint64_t peakBytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) << 10;
}

std::vector<Region> pages(int64_t tokens) {
    std::vector<Region> out = Uneven::regions(kRegions);
    for (int64_t i = 0; i < kRegions; ++i) {
        out[static_cast<size_t>(i)].begin = tokens * i / kRegions;
        out[static_cast<size_t>(i)].end = tokens * (i + 1) / kRegions;
        out[static_cast<size_t>(i)].rows = 0;
    }
    return out;
}

void fill(pal::ProbeLibrary& library, int64_t tokens) {
    constexpr int64_t kBatch = 1000;
    for (int64_t reply = 0; reply < kReplies; ++reply) {
        const int64_t begin = tokens * reply / kReplies, end = tokens * (reply + 1) / kReplies;
        for (int64_t first = begin; first < end; first += kBatch) {
            pal::ProbeBatch batch{1, reply + 1, "made up", {}, {}};
            for (int64_t t = first; t < std::min(first + kBatch, end); ++t)
                batch.tokens.push_back(Uneven::token(t, kRegions + 1));
            library.add(std::move(batch));
            library.flush();
        }
        library.finish(reply + 1);
        library.flush();
    }
}

class Bench {
  public:
    Bench(std::shared_ptr<pal::ProbeLibrary> library, int64_t tokens, Size size)
        : library_(std::move(library)), tokens_(tokens), size_(size), theme_(Scheme::kLight), widget_(theme_) {
        widget_.resize(size.width, size.height);
        screen_ = QImage(size.width, size.height, QImage::Format_RGB32);
        screen_.fill(Qt::black);
    }

    // As session_source does it.
    [[nodiscard]] std::shared_ptr<MemorySource> open() const {
        MemorySource::Options options = Uneven::options();
        options.recordBytes = 64ULL << 20;
        options.store =
            std::make_shared<const pal::StoredReplies>(library_, library_->replies(1).value(), std::nullopt);
        auto out = std::make_shared<MemorySource>(std::move(options));
        std::vector<pal::TokenId> ids(static_cast<size_t>(tokens_));
        for (size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<pal::TokenId>(i % 1000);
        out->setIds(std::move(ids));
        out->setRegions({0, tokens_}, pages(tokens_));
        return out;
    }

    struct Times {
        double view = 0;    // of the view's thread
        double window = 0;  // of the window's thread
    };
    Times show(const View& view, const std::shared_ptr<MemorySource>& source, const Selection& selection,
               std::optional<TokenSpan> range, FigureWish::Story story) {
        FigureWish wish;
        wish.view = &view;
        wish.source = source;
        wish.selection = selection;
        wish.other = Selection{{100, 200}, 3, 1};
        wish.options.width = size_.width;
        wish.options.height = size_.height;
        wish.options.range = range;
        wish.story = story;
        wish.font = QApplication::font();
        Times out;
        auto start = Clock::now();
        MadeFigure made = FigureMaker::make(wish, painter_, {});
        out.view = milliseconds(start);
        marks_ = markCount(made.figure);
        for (int y = 0; y < made.image.height(); ++y)
            pictures_ = qHashBits(made.image.constScanLine(y), static_cast<size_t>(made.image.width()) * 4, pictures_);
        start = Clock::now();
        widget_.setFigure(std::move(made.figure), std::move(made.image));
        widget_.render(&screen_);
        out.window = milliseconds(start);
        return out;
    }

    ordered_json opened(const View& view, const Selection& selection) {
        const auto start = Clock::now();
        const auto source = open();
        const double session = milliseconds(start);
        const Times times = show(view, source, selection, {}, FigureWish::Story::kNew);
        return {{"session_ms", session}, {"view_ms", times.view}, {"window_ms", times.window}, {"marks", marks_}};
    }

    // The same view at 60 places and widths of its axis, one after the other.
    ordered_json moved(const View& view, const Selection& selection) {
        const auto source = open();
        std::vector<double> made, shown;
        for (int i = 0; i < 60; ++i) {
            const int64_t width = std::max<int64_t>(64, tokens_ >> (i / 5));
            const int64_t begin = (tokens_ - width) * i / 60;
            const Times times =
                show(view, source, selection, TokenSpan{begin, begin + width}, FigureWish::Story::kSame);
            made.push_back(times.view);
            shown.push_back(times.window);
        }
        const auto numbers = [](std::vector<double> values) -> ordered_json {
            std::sort(values.begin(), values.end());
            return {{"median_ms", values[30]}, {"p95_ms", values[57]}, {"worst_ms", values.back()}};
        };
        return {{"window", numbers(shown)}, {"view", numbers(made)}, {"record_bytes", source->bytes()}};
    }

    // Small steps at one width, as a hand drags.
    double dragged(const View& view, const Selection& selection) {
        const auto source = open();
        const int64_t width = tokens_ / 8;
        std::vector<double> made;
        for (int i = 0; i < 60; ++i) {
            const int64_t begin = tokens_ / 4 + width * i / 100;
            made.push_back(
                show(view, source, selection, TokenSpan{begin, begin + width}, FigureWish::Story::kSame).view);
        }
        std::sort(made.begin(), made.end());
        return made[30];
    }

    // Of all that was shown since the last call. Two runs on one processor can be compared.
    size_t picturesHash() { return std::exchange(pictures_, 0); }

  private:
    std::shared_ptr<pal::ProbeLibrary> library_;
    const int64_t tokens_;
    const Size size_;
    const Theme theme_;
    FigureWidget widget_;
    FigurePainter painter_;  // as the view's thread keeps it
    QImage screen_;          // as a window has one
    size_t marks_ = 0;
    size_t pictures_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    const int64_t tokens = argc > 1 ? std::atoll(argv[1]) : 1'000'000;
    const Size size = argc > 4 ? Size{std::atoi(argv[3]), std::atoi(argv[4])} : Size{};
    const QTemporaryDir temporary;
    pal::ProbeLibraryOptions options;
    options.file = std::filesystem::path(argc > 2 ? argv[2] : temporary.path().toStdString()) / "probes.db";
    options.budgetBytes = 1ULL << 40;
    options.series = &pal::seriesOf;
    const std::shared_ptr<pal::ProbeLibrary> library = std::move(pal::ProbeLibrary::open(options).value());
    const auto filling = Clock::now();
    if (library->replies(1).value().empty()) fill(*library, tokens);
    uint64_t stored = 0;
    const auto replies = library->replies(1);
    for (const pal::StoredReply& reply : *replies) stored += reply.bytes;
    ordered_json out{{"tokens", tokens},       {"width", size.width},
                     {"height", size.height},  {"fill_seconds", milliseconds(filling) / 1e3},
                     {"stored_bytes", stored}, {"peak_bytes_before", peakBytes()}};
    Bench bench(library, tokens, size);
    const Selection whole{{0, tokens}, -1, -1};
    const Selection one{{tokens / 2, tokens / 2 + 1}, -1, -1};
    const std::string only = argc > 5 ? argv[5] : "";
    for (const View& view : views()) {
        if (!only.empty() && view.name != only) continue;
        ordered_json& shown = out["views"][std::string(view.name)];
        shown["one_token"] = bench.opened(view, one);
        shown["whole_session"] = bench.opened(view, whole);
        shown["pan_and_zoom"] = bench.moved(view, one);
        shown["drag_view_median_ms"] = bench.dragged(view, one);
        shown["pictures_hash"] = bench.picturesHash();
    }
    out["peak_bytes"] = peakBytes();
    std::printf("%s\n", out.dump(1).c_str());
    return 0;
}
