// SPDX-License-Identifier: Apache-2.0
// How long the transcript holds the window's thread, in milliseconds, without a display: each frame of scrolling through 2,000 messages at
// 3440 x 1440, each gap of a timer that wants to fire every millisecond while 8 MB are pasted and while an answer of 1 MB streams in, each
// frame of a table of 64 KB.
#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/desktop/transcript/transcript_view.h"
#include "tests/gui/transcript/sample_messages.h"

namespace {

using namespace pal::desktop;
using nlohmann::ordered_json;

// Milliseconds by the clock, and of the thread's own work: where others use the machine too, only the latter tell about the code.
struct Cost {
    double wall = 0, cpu = 0;
};

class Stopwatch {
  public:
    Stopwatch() { restart(); }
    void restart() { begin_ = now(); }
    [[nodiscard]] Cost elapsed() const {
        const Cost end = now();
        return {end.wall - begin_.wall, end.cpu - begin_.cpu};
    }

  private:
    static double read(clockid_t clock) {
        timespec time{};
        clock_gettime(clock, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    }
    static Cost now() { return {read(CLOCK_MONOTONIC), read(CLOCK_THREAD_CPUTIME_ID)}; }
    Cost begin_;
};

ordered_json toJson(const Cost& span) {
    return {{"ms", span.wall}, {"cpu_ms", span.cpu}};
}

ordered_json summary(const std::vector<Cost>& spans) {
    if (spans.empty()) return nullptr;
    std::vector<double> wall, cpu;
    for (const Cost& span : spans) {
        wall.push_back(span.wall);
        cpu.push_back(span.cpu);
    }
    std::sort(wall.begin(), wall.end());
    std::sort(cpu.begin(), cpu.end());
    const auto at = [&](double share) { return static_cast<size_t>(share * static_cast<double>(wall.size() - 1)); };
    return {{"count", wall.size()},      {"median_ms", wall[at(0.5)]},    {"p99_ms", wall[at(0.99)]},
            {"worst_ms", wall.back()},   {"median_cpu_ms", cpu[at(0.5)]}, {"p99_cpu_ms", cpu[at(0.99)]},
            {"worst_cpu_ms", cpu.back()}};
}

struct Window {
    Theme theme{Scheme::kLight};
    TranscriptModel model;
    TranscriptView view{theme};
    Window() {
        view.setModel(&model);
        view.resize(3440, 1440);
        view.show();
        QApplication::processEvents();
    }
};

// One frame: what `change` does, and painting it.
Cost frame(Window& window, const std::function<void()>& change) {
    const Stopwatch watch;
    change();
    window.view.viewport()->repaint();
    return watch.elapsed();
}

// Gaps between the firings of a timer of one millisecond while `busy` says that something goes on.
ordered_json probed(const std::function<bool()>& busy) {
    std::vector<Cost> gaps;
    QEventLoop loop;
    QTimer probe;
    Stopwatch since;
    probe.setTimerType(Qt::PreciseTimer);
    QObject::connect(&probe, &QTimer::timeout, &loop, [&] {
        gaps.push_back(since.elapsed());
        since.restart();
        if (!busy()) loop.quit();
    });
    since.restart();
    probe.start(1);
    loop.exec();
    return summary(gaps);
}

ordered_json scrolling() {
    Window window;
    ordered_json out;
    out["first_open"] = toJson(frame(window, [&] { window.model.replaceAll(longTranscript(20)); }));  // loads the fonts
    auto messages = longTranscript(2000);
    out["open"] = toJson(frame(window, [&] { window.model.replaceAll(std::move(messages)); }));
    QScrollBar* bar = window.view.verticalScrollBar();
    const auto scroll = [&](int step, int frames) {
        std::vector<Cost> times;
        for (int i = 0; i < frames; ++i) times.push_back(frame(window, [&] { bar->setValue(bar->value() + step); }));
        return summary(times);
    };
    out["wheel_up"] = scroll(-120, 3000);
    out["wheel_down_seen"] = scroll(120, 1000);
    out["page_up"] = scroll(-1300, 1500);
    std::vector<Cost> jumps;
    for (int i = 0; i < 200; ++i) {
        const int to = static_cast<int>(static_cast<qint64>(bar->maximum()) * (i * 37 % 100) / 100);
        jumps.push_back(frame(window, [&] { bar->setValue(to); }));
    }
    out["jump"] = summary(jumps);
    return out;
}

ordered_json pasting() {
    Window window;
    window.model.replaceAll(longTranscript(20));
    std::string text;
    while (text.size() < (8u << 20))
        text += "A line of a long text that somebody pasted into the window.\n" +
                std::string(text.size() % 7 == 0 ? "\n" : "");
    QTimer::singleShot(20, &window.view, [&] { window.model.appendMessage(userMessage(1000, std::move(text))); });
    QElapsedTimer whole;
    whole.start();
    auto out = probed([&] {
        const auto& rows = window.view.layout().visible();
        const bool pending = std::any_of(rows.begin(), rows.end(),
                                         [](const auto& row) { return row.key.part == MessageItem::Part::kPending; });
        return whole.elapsed() < 500 || pending;
    });
    out["until_parsed_ms"] = whole.elapsed();
    return out;
}

// A table of 64 KB: finished and opened, scrolled through, and streamed in.
ordered_json table() {
    std::string text = "| word | count | remark | seen |\n|---|--:|---|---|\n";
    for (int i = 0; text.size() < (64 << 10) - 100; ++i)
        text += "| word" + std::to_string(i * 7919 % 1000) + " | " + std::to_string(i) +
                " | a remark of some words | page " + std::to_string(i % 40) + " |\n";
    Window window;
    ordered_json out;
    std::vector<TranscriptMessage> messages = longTranscript(20);
    messages.push_back(answer(1000, text));
    out["open"] = toJson(frame(window, [&] { window.model.replaceAll(std::move(messages)); }));
    std::vector<Cost> scrolls;
    QScrollBar* bar = window.view.verticalScrollBar();
    while (bar->value() > 0 && scrolls.size() < 500)
        scrolls.push_back(frame(window, [&] { bar->setValue(bar->value() - 300); }));
    out["scroll"] = summary(scrolls);
    messages = longTranscript(20);
    messages.push_back(answer(1000, ""));
    messages.back().state = MessageState::kStreaming;
    window.model.replaceAll(std::move(messages));
    std::vector<Cost> pieces;
    for (size_t at = 0; at < text.size(); at += 256)
        pieces.push_back(frame(window, [&] {
            window.model.appendText(1000, TranscriptModel::Channel::kText, std::string_view(text).substr(at, 256));
        }));
    out["stream_256_bytes"] = summary(pieces);
    return out;
}

ordered_json streaming() {
    Window window;
    window.model.replaceAll(longTranscript(20));
    TranscriptMessage reply = answer(1000, "");
    reply.state = MessageState::kStreaming;
    window.model.appendMessage(reply);
    std::string text;
    while (text.size() < (1u << 20)) text += sampleMarkdown() + "\n" + sampleCode() + "\n" + sampleChinese() + "\n";
    size_t at = 0;
    QTimer feed;
    QObject::connect(&feed, &QTimer::timeout, &window.view, [&] {
        constexpr size_t kDelta = 400;
        window.model.appendText(1000, TranscriptModel::Channel::kText, std::string_view(text).substr(at, kDelta));
        at = std::min(text.size(), at + kDelta);
    });
    feed.start(4);
    QElapsedTimer whole;
    whole.start();
    auto out = probed([&] { return at < text.size(); });
    out["seconds"] = static_cast<double>(whole.elapsed()) / 1000;
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    ordered_json out;
    out["scroll_2000_messages"] = scrolling();
    out["paste_8_mb"] = pasting();
    out["stream_1_mb"] = streaming();
    out["table_64_kb"] = table();
    std::puts(out.dump(2).c_str());
    return 0;
}
