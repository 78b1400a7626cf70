// SPDX-License-Identifier: Apache-2.0
// Figures as data: colours, scales, what is under a point, and files that hold exactly what is drawn.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/inspect/binned_series.h"
#include "app/inspect/export.h"
#include "app/inspect/view_support.h"
#include "app/inspect/words.h"

namespace pal::inspect {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

TEST(ColourMap, BrightnessTellsTheValueWithoutHue) {
    for (int i = 1; i <= 100; ++i)
        EXPECT_GT(luminance(sequentialColour(i / 100.0)), luminance(sequentialColour((i - 1) / 100.0))) << i;
    for (int i = 1; i <= 50; ++i) {
        EXPECT_GE(luminance(divergingColour(i / 100.0)), luminance(divergingColour((i - 1) / 100.0))) << i;
        EXPECT_LE(luminance(divergingColour(0.5 + i / 100.0)), luminance(divergingColour(0.5 + (i - 1) / 100.0))) << i;
    }
    EXPECT_EQ(sequentialColour(0), 0x440154U);
    EXPECT_EQ(sequentialColour(2), 0xfde725U);
    EXPECT_EQ(divergingColour(0.5), 0xf7f7f7U);
}

TEST(ValueScale, PlacesValues) {
    const ValueScale log{ValueScale::Kind::kLog, 1, 1000};
    EXPECT_DOUBLE_EQ(log.at(1), 0);
    EXPECT_NEAR(log.at(10), 1.0 / 3, 1e-12);
    EXPECT_DOUBLE_EQ(log.at(0), 0);
    EXPECT_DOUBLE_EQ(log.at(1e9), 1);
    const ValueScale both{ValueScale::Kind::kDiverging, -2, 2};
    EXPECT_DOUBLE_EQ(both.at(0), 0.5);
    EXPECT_DOUBLE_EQ(both.at(-2), 0);
    EXPECT_DOUBLE_EQ(both.at(1), 0.75);
    EXPECT_TRUE(std::isnan(both.at(kNone)));
}

TEST(ValueScale, FitsValues) {
    const std::vector<float> values = {kNone, 3, -1, 0.5F};
    EXPECT_EQ(scaleOf(values, ValueScale::Kind::kLinear).low, -1);
    EXPECT_EQ(scaleOf(values, ValueScale::Kind::kDiverging).low, -3);
    EXPECT_EQ(scaleOf(values, ValueScale::Kind::kLog).low, 0.5);
    const std::vector<float> none = {kNone};
    EXPECT_LT(scaleOf(none, ValueScale::Kind::kLog).low, scaleOf(none, ValueScale::Kind::kLog).high);
    const std::vector<float> equal = {2, 2};
    EXPECT_LT(scaleOf(equal, ValueScale::Kind::kLog).low, 2);
}

// A column that no label fits under is told by its neighbours; the last one's is cut instead.
TEST(PanelLabels, TheLastNameIsCutRatherThanLeftOut) {
    const auto labelsOf = [](const std::vector<std::string>& names, double width) {
        Panel panel;
        for (const std::string& name : names) panel.columns.push_back({name, {}, {}});
        panel.rows = {{"x", {}, {}}};
        panel.values.assign(names.size(), 1.0F);
        Figure figure;
        figure.textSize = 10;
        fit(panel, {0, 0, width, 100}, figure, Legend::kNone);
        std::string out;
        double end = -width;
        for (const Tick& tick : panel.columnTicks) {
            const double half = textWidth(tick.label) * 9 / 2, at = tick.at * panel.area.width;
            EXPECT_GE(at - half, end) << tick.label;
            end = at + half;
            out += tick.label + "|";
        }
        return out;
    };
    EXPECT_EQ(labelsOf({"S. 1", "Nachricht 1", "diese Antwort"}, 400), "S. 1|Nachricht 1|diese Antwort|");
    const std::string narrow = labelsOf({"S. 1", "Nachricht 1", "diese Antwort"}, 190);
    EXPECT_TRUE(narrow.starts_with("S. 1|Nachricht 1|dies")) << narrow;
    EXPECT_TRUE(narrow.ends_with("…|")) << narrow;
    EXPECT_EQ(labelsOf({}, 100), "");
    const std::string crowded = labelsOf({"page 1", "page 2", "page 3", "page 4", "page 5"}, 130);
    EXPECT_EQ(crowded.find("…"), std::string::npos) << crowded << ": no name but the last is cut";
    // A name that begins with what no text begins with.
    for (double width = 60; width < 160; width += 5) labelsOf({"first name", std::string(8, '\x80') + "wwwww"}, width);
}

TEST(Words, NumbersAreInGroupsAsTheReaderWritesThem) {
    const Words plain;
    EXPECT_EQ(plain.say("tokens {}–{}", int64_t{999}, int64_t{1000}), "tokens 999–1,000");
    EXPECT_EQ(plain.number(-1234567), "-1,234,567");
    const Words german([](const char*) { return "{} von {} Tokens"; }, ".");
    EXPECT_EQ(german.say("{} of {} tokens", 12, size_t{107419}), "12 von 107.419 Tokens");
    const Words none([](const char* english) { return english; }, "");
    EXPECT_EQ(none.say("{} and “{}”", 107419, std::string("1000")), "107419 and “1000”");
    const Words wrong([](const char*) { return "{} {} {}"; });
    EXPECT_EQ(wrong.say("layer {}", 4000), "layer 4,000");
}

TEST(ValueScale, TicksAreRound) {
    std::string labels;
    for (const Tick& tick : ticksOf({ValueScale::Kind::kLinear, 0, 1}, 5)) labels += tick.label + " ";
    EXPECT_EQ(labels, "0 0.2 0.4 0.6 0.8 1 ");
    labels.clear();
    for (const Tick& tick : ticksOf({ValueScale::Kind::kLog, 0.5, 2e6}, 10)) labels += tick.label + " ";
    EXPECT_EQ(labels, "1 10 100 1000 10k 100k 1M ");
    EXPECT_EQ(numberText(6.5788), "6.58");
    EXPECT_EQ(numberText(6931.1), "6931");
    EXPECT_EQ(numberText(69314.7), "69.3k");
    EXPECT_EQ(numberText(1e9), "1G");
    EXPECT_EQ(numberText(0.138629), "0.139");
    EXPECT_EQ(numberText(0), "0");
    EXPECT_EQ(numberText(0.001), "0.001");
    EXPECT_EQ(numberText(1e-6), "10⁻⁶");
    EXPECT_EQ(numberText(-2.718e-5), "-2.7·10⁻⁵");
    EXPECT_EQ(numberText(3.26e-12), "3.3·10⁻¹²");
    EXPECT_EQ(numberText(-1e-4), "-10⁻⁴");
    EXPECT_EQ(numberText(-0.0005), "-5·10⁻⁴");
    EXPECT_EQ(numberText(1e-100), "10⁻¹⁰⁰");
    EXPECT_EQ(numberText(0.138629, ','), "0,139");
    EXPECT_EQ(tenthsText(12, ','), "12,0");
    EXPECT_EQ(numberText(kNone), "-");
}

// 2 rows, 3 columns at (10, 20), 30 x 40; the second row has a hole.
Figure smallHeat() {
    Figure figure;
    figure.view = "test";
    figure.title = "A <title> & \"more\"";
    figure.caption = {"measured"};
    figure.width = 100;
    figure.height = 90;
    Panel panel;
    panel.area = {10, 20, 30, 40};
    panel.valueName = "mass";
    panel.rows = {{"a,b", "", {.layer = 4}}, {"c", "", {.layer = 5}}};
    panel.columns = {{"x", "", {.region = 0}}, {"y", "", {.region = 1}}, {"z", "", {.region = 2}}};
    panel.values = {0.1F, 0.2F, 0.3F, 1.1F, kNone, 1.3F};
    panel.scale = {ValueScale::Kind::kLinear, 0, 2};
    figure.panels.push_back(panel);
    return figure;
}

TEST(Figure, PointsAtCells) {
    const Figure figure = smallHeat();
    const auto place = cellAt(figure, 35, 50);
    ASSERT_TRUE(place);
    EXPECT_EQ(*place, (CellPlace{0, 1, 2}));
    EXPECT_EQ(valueOf(figure, *place), 1.3F);
    EXPECT_EQ(targetOf(figure, *place).layer, 5);
    EXPECT_EQ(targetOf(figure, *place).region, 2);
    EXPECT_EQ(describeCell(figure, *place), "c, z: mass 1.3");
    EXPECT_FALSE(cellAt(figure, 9, 50));
    EXPECT_FALSE(cellAt(figure, 35, 61));
}

TEST(Figure, KeysGoFromCellToCell) {
    Figure figure = smallHeat();
    Panel below = figure.panels.front();
    below.area.y = 70;
    below.rows.resize(1);
    below.columns.resize(2);
    below.values = {5, 6};
    figure.panels.push_back(below);
    CellPlace at{0, 0, 2};
    at = nextCell(figure, at, 1, 0);
    EXPECT_EQ(at, (CellPlace{0, 0, 2}));
    at = nextCell(figure, at, 0, 1);
    EXPECT_EQ(at, (CellPlace{0, 1, 2}));
    at = nextCell(figure, at, 0, 1);
    EXPECT_EQ(at, (CellPlace{1, 0, 1}));
    EXPECT_EQ(nextCell(figure, at, 0, -1), (CellPlace{0, 1, 1}));
    EXPECT_EQ(nextCell(figure, at, 0, 1), at);
}

TEST(Figure, BarsAreStackedAndFound) {
    Figure figure;
    Panel panel;
    panel.kind = Panel::Kind::kBars;
    panel.area = {0, 0, 100, 20};
    panel.rows = {{"r", "", {}}, {"s", "", {}}};
    panel.columns = {{"p", "", {}}, {"q", "", {}}};
    panel.values = {0.25F, 0.75F, 0.5F, 0.5F};
    figure.panels.push_back(panel);
    EXPECT_NEAR(cellRect(panel, 0, 1).x, 25, 1e-9);
    EXPECT_NEAR(cellRect(panel, 0, 1).width, 75, 1e-9);
    EXPECT_EQ(*cellAt(figure, 30, 5), (CellPlace{0, 0, 1}));
    EXPECT_EQ(*cellAt(figure, 30, 15), (CellPlace{0, 1, 0}));
}

TEST(Export, CsvHasEveryCellOnce) {
    std::istringstream lines(csvOf(smallHeat()));
    std::string line;
    std::vector<std::string> all;
    while (std::getline(lines, line)) all.push_back(line);
    ASSERT_EQ(all.size(), 6U);  // the header and five cells with a value
    EXPECT_EQ(all[1], "mass,\"a,b\",x,0.1,,,,,,,,4,,0,,,\r");
    EXPECT_EQ(all[5], "mass,c,z,1.3,,,,,,,,5,,2,,,\r");
}

TEST(Export, JsonReadsBack) {
    const auto json = nlohmann::json::parse(jsonOf(smallHeat()));
    EXPECT_EQ(json["panels"][0]["cells"].size(), 5U);
    EXPECT_EQ(json["panels"][0]["cells"][4]["value"].get<float>(), 1.3F);
    EXPECT_EQ(json["panels"][0]["cells"][4]["layer"], 5);
    EXPECT_EQ(json["panels"][0]["scale"]["high"], 2);
    EXPECT_EQ(json["caption"][0], "measured");
}

size_t count(const std::string& text, std::string_view part) {
    size_t out = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++out;
    return out;
}

TEST(Export, SvgHasAShapePerCell) {
    const std::string svg = svgOf(smallHeat(), {}, {});
    // Background, frame of the panel, five cells.
    EXPECT_EQ(count(svg, "<rect"), 7U);
    EXPECT_NE(svg.find("A &lt;title&gt; &amp; &quot;more&quot;"), std::string::npos);
    const Colour colour = ValueScale{ValueScale::Kind::kLinear, 0, 2}.colour(1.3F);
    char text[16];
    std::snprintf(text, sizeof text, "#%06x", colour);
    EXPECT_NE(svg.find(text), std::string::npos);
}

TEST(Export, NumbersInCellsDoNotTouch) {
    Figure figure = smallHeat();
    Panel& panel = figure.panels.front();
    figure.title = "x";
    figure.textSize = 10;
    const auto shown = [&](std::vector<std::string> texts, double width) {
        panel.texts = std::move(texts);
        panel.area.width = width;
        const std::string svg = svgOf(figure, {}, {});
        return count(svg, ">11</text>") + 10 * count(svg, ">4757</text>") + 100 * count(svg, "…");
    };
    // A cell of 30 is wide enough for four digits of 5 with room between, one of 22 for two: a row has all of its numbers or none.
    EXPECT_EQ(shown({"11", "11", "11", "4757", "", "4757"}, 90), 23U);
    EXPECT_EQ(shown({"11", "11", "11", "4757", "", "4757"}, 66), 3U);
    EXPECT_EQ(shown({"11", "4757", "11", "11", "", "11"}, 66), 2U);
}

TEST(Export, SvgOfManyCellsSaysThatItEmbedsAnImage) {
    Figure figure = smallHeat();
    Panel& panel = figure.panels.front();
    panel.rows.assign(150, {"r", "", {}});
    panel.columns.assign(150, {"c", "", {}});
    panel.values.assign(150 * 150, 1);
    const std::string svg = svgOf(figure, {}, {});
    EXPECT_LT(count(svg, "<rect"), 10U);
    EXPECT_EQ(count(svg, "data:image/png;base64,"), 1U);
    EXPECT_NE(svg.find("embedded as PNG"), std::string::npos);
}

TEST(BinnedSeries, StaysBoundedAndKeepsExtremes) {
    BinnedSeries series;
    constexpr int64_t kTokens = 1'000'000;
    for (int64_t t = 0; t < kTokens; ++t) series.add(t, t == 654'321 ? 99.0F : t == 11 ? -7.0F : 1.0F);
    EXPECT_EQ(series.width(), 256);
    const auto bins = series.bins({0, kTokens}, 2048);
    ASSERT_EQ(bins.size(), 489U);
    int64_t count = 0;
    for (const SeriesBin& bin : bins) {
        count += bin.count;
        EXPECT_EQ(bin.high == 99.0F, bin.tokens.contains(654'321));
        EXPECT_EQ(bin.low == -7.0F, bin.tokens.contains(11));
    }
    EXPECT_EQ(count, kTokens);
    EXPECT_LE(series.bytes(), uint64_t{BinnedSeries::kMostBins} * 2 * 24);
}

TEST(BinnedSeries, MeansAreThoseOfTheTokens) {
    BinnedSeries series;
    for (int64_t t = 0; t < 100; ++t)
        if (t % 10 != 3) series.add(t, static_cast<float>(t));
    const auto bins = series.bins({20, 40}, 10);
    ASSERT_EQ(bins.size(), 2U);
    EXPECT_EQ(bins[0].count, 9);
    EXPECT_FLOAT_EQ(bins[0].mean, (245.0F - 23) / 9);
    EXPECT_EQ(bins[1].low, 30);
    EXPECT_EQ(bins[1].high, 39);
}

}  // namespace
}  // namespace pal::inspect
