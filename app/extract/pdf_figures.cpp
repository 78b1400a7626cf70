// SPDX-License-Identifier: Apache-2.0
#include "app/extract/pdf_figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace pal::extract {
namespace {

constexpr int kWhite = 250;             // a channel at least this bright is white
constexpr int kPaperTolerance = 12;     // levels of grey around the paper's own
constexpr int kJoin = 2;                // pixels by which marks grow to find their neighbours
constexpr double kLeastSide = 0.08;     // of a page's longer side
constexpr double kLeastArea = 0.025;    // of a page
constexpr double kMostWords = 0.2;      // share of a figure's box that may lie under words
constexpr double kGridSide = 64;        // cells along a page's longer side when only the words are looked at
constexpr double kLargestMargin = 0.1;  // of a side

// 255 where a word lies, on a grid of `scale` cells per point. Words grow by a cell: glyphs reach over their boxes.
cv::Mat maskOf(std::span<const PdfWord> words, cv::Size size, double scale) {
    cv::Mat mask(size, CV_8U, cv::Scalar(0));
    for (const PdfWord& word : words) {
        const auto cell = [&](double points, int limit) {
            return static_cast<int>(std::clamp(points * scale, 0.0, static_cast<double>(limit)));
        };
        const int left = cell(word.box.x, size.width), top = cell(word.box.y, size.height);
        const int right = std::min(cell(word.box.x + word.box.width, size.width) + 2, size.width);
        const int bottom = std::min(cell(word.box.y + word.box.height, size.height) + 2, size.height);
        if (right <= left) continue;
        for (int y = top; y < bottom; ++y) std::fill(mask.ptr(y) + left, mask.ptr(y) + right, uint8_t{255});
    }
    return mask;
}

cv::Mat viewOf(const PageSketch& sketch) {
    return {sketch.height, sketch.width, CV_8UC3, const_cast<char*>(sketch.pixels), sketch.stride};
}

// 255 where a page differs from its paper: the grey that most of its edge has.
cv::Mat marksOn(const PageSketch& sketch) {
    cv::Mat grey;
    cv::cvtColor(viewOf(sketch), grey, cv::COLOR_RGB2GRAY);
    std::array<size_t, 256> histogram{};
    for (const cv::Mat& edge : {grey.row(0), grey.row(grey.rows - 1), grey.col(0), grey.col(grey.cols - 1)}) {
        for (const uint8_t level : cv::Mat_<uint8_t>(edge)) ++histogram[level];
    }
    const auto paper = std::max_element(histogram.begin(), histogram.end()) - histogram.begin();
    cv::Mat difference;
    cv::absdiff(grey, cv::Scalar(static_cast<double>(paper)), difference);
    return difference > kPaperTolerance;
}

// Cuts the white frame off that all pages have, and no more of it than such a frame is wide: a figure beside the text counts.
cv::Range withoutMargins(int first, int last, int size) {
    const auto most = static_cast<int>(kLargestMargin * size);
    return {std::min(first, most), std::max(last, size - most)};
}

}  // namespace

bool mayHoldFigure(double width, double height, std::span<const PdfWord> words) {
    const double scale = kGridSide / std::max(width, height);
    const cv::Size size(std::max(1, static_cast<int>(width * scale)), std::max(1, static_cast<int>(height * scale)));
    const cv::Mat mask = maskOf(words, size, scale);
    const cv::Rect text = cv::boundingRect(mask);
    const cv::Mat inner = mask(withoutMargins(text.y, text.y + text.height, size.height),
                               withoutMargins(text.x, text.x + text.width, size.width));
    // The distance to the next word or border, counted as a chess king walks: squares around the farthest cell are free.
    cv::Mat framed, distance;
    cv::copyMakeBorder(inner == 0, framed, 1, 1, 1, 1, cv::BORDER_CONSTANT, cv::Scalar(0));
    cv::distanceTransform(framed, distance, cv::DIST_C, 3);
    double farthest = 0;
    cv::minMaxLoc(distance, nullptr, &farthest);
    return 2 * farthest - 1 >= kLeastSide * kGridSide;
}

double inkShare(const PageSketch& sketch, std::span<const PdfWord> words) {
    cv::Mat white;
    cv::inRange(viewOf(sketch), cv::Scalar::all(kWhite), cv::Scalar::all(255), white);
    white.setTo(255, maskOf(words, white.size(), sketch.pixelsPerPoint));
    const auto all = static_cast<double>(white.total());
    return (all - cv::countNonZero(white)) / all;
}

std::vector<PageRegion> findFigures(const PageSketch& sketch, std::span<const PdfWord> words) {
    cv::Mat marks = marksOn(sketch);
    const cv::Mat text = maskOf(words, marks.size(), sketch.pixelsPerPoint);
    marks.setTo(0, text);
    const int reach = 2 * kJoin + 1;
    cv::dilate(marks, marks, cv::getStructuringElement(cv::MORPH_RECT, {reach, reach}));
    cv::Mat labels, boxes, centres;
    const int count = cv::connectedComponentsWithStats(marks, labels, boxes, centres);
    const double least = kLeastSide * std::max(marks.cols, marks.rows);
    std::vector<PageRegion> out;
    for (int i = 1; i < count; ++i) {  // 0 is the paper
        const cv::Rect grown(boxes.at<int>(i, cv::CC_STAT_LEFT), boxes.at<int>(i, cv::CC_STAT_TOP),
                             boxes.at<int>(i, cv::CC_STAT_WIDTH), boxes.at<int>(i, cv::CC_STAT_HEIGHT));
        // Without what they grew by, except where the page ended first.
        const int left = grown.x + (grown.x > 0 ? kJoin : 0), top = grown.y + (grown.y > 0 ? kJoin : 0);
        const int right = grown.br().x - (grown.br().x < marks.cols ? kJoin : 0);
        const int bottom = grown.br().y - (grown.br().y < marks.rows ? kJoin : 0);
        if (right - left < least || bottom - top < least) continue;
        const cv::Rect box(left, top, right - left, bottom - top);
        if (box.area() < kLeastArea * static_cast<double>(marks.total())) continue;
        if (cv::countNonZero(text(box)) > kMostWords * box.area()) continue;
        const double points = 1 / sketch.pixelsPerPoint;
        out.push_back({box.x * points, box.y * points, box.width * points, box.height * points});
    }
    std::sort(out.begin(), out.end(), [](const PageRegion& a, const PageRegion& b) { return a.y < b.y; });
    return out;
}

}  // namespace pal::extract
