// SPDX-License-Identifier: Apache-2.0
// Views of a session of a million tokens, without a display: how long each takes to open, each frame of panning and zooming (made and
// painted at 1200 x 800), and the memory that its records and bins take. Records are made when they are asked for, as from a store.
//   inspect_bench [TOKENS]
#include <QApplication>
#include <QPainter>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/desktop/inspect/figure_canvas.h"
#include "app/inspect/memory_source.h"
#include "app/inspect/view.h"
#include "tests/unit/inspect/uneven_source.h"

namespace {

using namespace pal::inspect;
using Clock = std::chrono::steady_clock;
using nlohmann::ordered_json;
using pal::inspect::test::Uneven;

constexpr int64_t kRegions = 600;
constexpr double kWidth = 1200, kHeight = 800;

double milliseconds(Clock::time_point since) {
    return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
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

Figure build(const View& view, const MemorySource& source, const Selection& selection, std::optional<TokenSpan> range) {
    ViewOptions options;
    options.width = kWidth;
    options.height = kHeight;
    options.range = range;
    return view.build({source, selection, options, {}, nullptr, Selection{{100, 200}, 3, 1}});
}

double paint(const Figure& figure) {
    QImage image(static_cast<int>(kWidth), static_cast<int>(kHeight), QImage::Format_RGB32);
    const auto start = Clock::now();
    QPainter painter(&image);
    pal::desktop::FigureCanvas canvas(painter, QApplication::font(), figure.textSize);
    paintFigure(figure, {}, canvas);
    painter.end();
    return milliseconds(start);
}

// The same view at 60 places and widths of its axis.
ordered_json pan(const View& view, const MemorySource& source, const Selection& selection, int64_t tokens) {
    std::vector<double> frames;
    for (int i = 0; i < 60; ++i) {
        const int64_t width = std::max<int64_t>(64, tokens >> (i / 5));
        const int64_t begin = (tokens - width) * i / 60;
        const auto start = Clock::now();
        const Figure figure = build(view, source, selection, TokenSpan{begin, begin + width});
        const double made = milliseconds(start);
        frames.push_back(made + paint(figure));
    }
    std::sort(frames.begin(), frames.end());
    return {{"median_ms", frames[30]}, {"p95_ms", frames[57]}, {"worst_ms", frames.back()}};
}

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const int64_t tokens = argc > 1 ? std::atoll(argv[1]) : 1'000'000;
    MemorySource source(64ULL << 20, [](int64_t token) { return Uneven::token(token, kRegions + 1); });
    source.setRegions({0, tokens}, pages(tokens));
    source.setText([](int64_t token) { return " word" + std::to_string(token % 1000); });
    const auto filling = Clock::now();
    for (int64_t t = 0; t < tokens; ++t) source.add(Uneven::token(t, 3), Capture::kLive);
    ordered_json out{{"tokens", tokens},
                     {"add_us_per_token", milliseconds(filling) * 1e3 / static_cast<double>(tokens)},
                     {"memory_bytes", source.bytes()}};
    const Selection whole{{0, tokens}, -1, -1};
    const Selection one{{tokens / 2, tokens / 2 + 1}, -1, -1};
    for (const View& view : views()) {
        ordered_json entry;
        for (const auto& [name, selection] : {std::pair("one_token", one), {"whole_session", whole}}) {
            const auto start = Clock::now();
            const Figure figure = build(view, source, selection, {});
            const double made = milliseconds(start);
            entry[name] = {{"open_ms", made + paint(figure)}, {"marks", markCount(figure)}};
        }
        entry["pan_and_zoom"] = pan(view, source, one, tokens);
        out["views"][std::string(view.name)] = std::move(entry);
    }
    out["memory_bytes_after"] = source.bytes();
    std::printf("%s\n", out.dump(1).c_str());
    return 0;
}
