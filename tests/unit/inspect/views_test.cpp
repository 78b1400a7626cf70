// SPDX-License-Identifier: Apache-2.0
// Every view on a model whose axes all have other lengths and whose values say where they belong: a view that takes the wrong layer, head,
// axis or token shows a number that is wrong here.
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <utility>

#include "app/inspect/state_figures.h"
#include "app/inspect/view.h"
#include "app/inspect/view_support.h"
#include "tests/unit/inspect/uneven_source.h"

namespace pal::inspect {
namespace {

using test::Uneven;

constexpr int64_t kRegions = 6;

class ViewsTest : public testing::Test {
  protected:
    ViewsTest() : source_(Uneven::source(24, 37, kRegions)) {}

    Figure build(std::string_view name, Selection selection, ViewOptions options = {}) {
        const View* view = findView(name);
        return view->build({*source_, selection, options, {}, nullptr, {}});
    }
    // The cell with this target; fails when there is none or several in the panel.
    static float cell(const Panel& panel, const std::function<bool(const Target&)>& is) {
        float out = -1;
        int found = 0;
        for (size_t r = 0; r < panel.rows.size(); ++r) {
            for (size_t c = 0; c < panel.columns.size(); ++c) {
                if (!is(merged(panel.rows[r].target, panel.columns[c].target))) continue;
                out = panel.values[panel.cell(r, c)];
                ++found;
            }
        }
        EXPECT_EQ(found, 1);
        return out;
    }

    std::unique_ptr<MemorySource> source_;
};

TEST_F(ViewsTest, NeverMoreMarksThanPixelsAndAllTextsThere) {
    source_->setWindow(Uneven::window(24, 37), Uneven::regions(kRegions));
    std::set<std::string_view> names;
    for (const View& view : views()) {
        EXPECT_TRUE(names.insert(view.name).second);
        for (const char* sentence : view.explanation) EXPECT_EQ(std::string(sentence).back(), '.') << view.name;
        for (const auto& [width, height] : {std::pair(760.0, 520.0), {240.0, 180.0}}) {
            ViewOptions options;
            options.width = width;
            options.height = height;
            const Figure figure = view.build(
                {*source_, {{30, 32}, view.name == "reads" ? 3 : -1, -1}, options, {}, nullptr, Selection{{33, 34}}});
            EXPECT_EQ(figure.message, "") << view.name;
            EXPECT_FALSE(figure.panels.empty()) << view.name;
            EXPECT_GE(figure.caption.size(), 2U) << view.name;
            EXPECT_LE(markCount(figure), static_cast<size_t>(width * height)) << view.name;
            for (const Panel& panel : figure.panels) {
                EXPECT_EQ(panel.values.size(), panel.rows.size() * panel.columns.size()) << view.name;
                EXPECT_GE(panel.area.x, 0);
                EXPECT_LE(panel.area.right(), width + 1) << view.name;
                EXPECT_LE(panel.area.bottom(), height + 1) << view.name;
            }
        }
    }
    EXPECT_EQ(findView("nothing"), nullptr);
}

// The selection is shared by all views: a KDA head may be no head of an MLA layer, a layer may be of the model before.
TEST_F(ViewsTest, WhatIsNotThereIsNotChosen) {
    source_->setWindow(Uneven::window(24, 37), Uneven::regions(kRegions));
    for (const View& view : views()) {
        for (const auto& [layer, head] : {std::pair<int64_t, int64_t>(5, 4), {3, 99}, {99, 0}}) {
            if (layer >= Uneven::kLayers && (view.name == "reads" || view.name == "state")) continue;
            const Figure figure = build(view.name, {{30, 32}, layer, head});
            for (const Panel& panel : figure.panels) {
                EXPECT_LT(panel.chosenRow, std::ssize(panel.rows)) << view.name;
                EXPECT_LT(panel.chosenColumn, std::ssize(panel.columns)) << view.name;
            }
        }
    }
}

// Its layers and heads are others: no view could show both.
TEST_F(ViewsTest, ARecordOfAnotherModelIsLeftOut) {
    auto other = Uneven::token(40, kRegions);
    other->layers.resize(3);
    source_->add(other, Capture::kLive);
    EXPECT_EQ(source_->shape().layers.size(), 7U);
    EXPECT_NE(source_->at(30), nullptr);
    EXPECT_EQ(source_->at(40), nullptr);
    for (const View& view : views()) build(view.name, {{24, 41}, -1, -1});
}

TEST_F(ViewsTest, NothingCapturedIsSaid) {
    for (const View& view : views()) {
        if (view.name == "tokens" || view.name == "state" || view.name == "compare") continue;
        const Figure figure = build(view.name, {{3, 4}, -1, -1});
        EXPECT_NE(figure.message, "") << view.name;
        EXPECT_TRUE(figure.panels.empty()) << view.name;
    }
}

TEST_F(ViewsTest, LayersHasEachLayersOwnMean) {
    const Figure figure = build("layers", {{30, 32}, 4, -1});
    const Panel& panel = figure.panels.at(0);
    ASSERT_EQ(panel.columns.size(), 7U);
    ASSERT_EQ(panel.rows.size(), 8U);
    EXPECT_EQ(panel.chosenColumn, 4);
    // The largest write of a head is that of head 4; mean of tokens 30 and 31.
    EXPECT_FLOAT_EQ(panel.values[panel.cell(1, 3)], (Uneven::write(30, 3, 4) + Uneven::write(31, 3, 4)) / 2);
    EXPECT_TRUE(std::isnan(panel.values[panel.cell(1, 5)]));
    EXPECT_FLOAT_EQ(panel.values[panel.cell(5, 5)], 5.05F);   // entropy of MLA layer 5
    EXPECT_TRUE(std::isnan(panel.values[panel.cell(7, 0)]));  // layer 0 has no experts
}

// Of many replies not every one's bins are read: then the means are those of tokens that are evenly spaced, and nothing else is said.
TEST(LayersView, IsBoundedByTheRepliesToo) {
    const auto caption = [](const Figure& figure) {
        std::string out;
        for (const std::string& line : figure.caption) out += line;
        return out;
    };
    for (const auto& [replies, tokens] : {std::pair<int64_t, int64_t>{20, 28}, {100, 8}}) {
        MemorySource source(Uneven::options());
        for (int64_t reply = 0; reply < replies; ++reply)
            for (int64_t t = 0; t < tokens; ++t) source.add(Uneven::token(reply * 30 + t, kRegions), Capture::kLive);
        const TokenSpan span{0, replies * 30};
        const Figure figure = findView("layers")->build({source, {span, -1, -1}, {}, {}, nullptr, {}});
        const bool fromBins = replies == 20;
        EXPECT_EQ(caption(figure).find("from bins") != std::string::npos, fromBins) << caption(figure);
        EXPECT_NE(caption(figure).find("evenly spaced"), std::string::npos);
        const SpanRecords records = recordsIn(source, span);
        ASSERT_TRUE(records.sampled);
        double every = 0, some = 0;
        for (int64_t reply = 0; reply < replies; ++reply)
            for (int64_t t = 0; t < tokens; ++t) every += Uneven::write(reply * 30 + t, 3, 4);
        for (const auto& probe : records.tokens) some += Uneven::write(probe->position, 3, 4);
        every /= static_cast<double>(replies * tokens);
        some /= static_cast<double>(std::ssize(records.tokens));
        ASSERT_GT(std::abs(every - some), 1e-5 * every);
        const Panel& panel = figure.panels.at(0);
        EXPECT_NEAR(panel.values[panel.cell(1, 3)], fromBins ? every : some, 1e-6 * every);
    }
}

TEST_F(ViewsTest, TokensAreTintedByTheirOwnValue) {
    ViewOptions options;
    options.colourBy = Scalar::kNextEntropy;
    const Figure figure = build("tokens", {{30, 31}, -1, -1}, options);
    const Panel& panel = figure.panels.at(0);
    EXPECT_FLOAT_EQ(cell(panel, [](const Target& t) { return t.begin == 29; }), 29.5F);
    const auto at = static_cast<size_t>(panel.chosenColumn);
    EXPECT_EQ(panel.columns[at].target.begin, 30);
    EXPECT_EQ(panel.texts[at], " t30");
    // What the record of token 29 found likely at 30: token id 530 with e^-0.25.
    EXPECT_NE(panel.details(at).find("“n530” 77.9 %"), std::string::npos) << panel.details(at);
    options.colourBy = Scalar::kBeta;
    const Figure beta = build("tokens", {{30, 31}, 4, -1}, options);
    EXPECT_FLOAT_EQ(cell(beta.panels.at(0), [](const Target& t) { return t.begin == 31; }),
                    (Uneven::beta(31, 4, 0) + Uneven::beta(31, 4, 4)) / 2);
}

TEST_F(ViewsTest, ContextHasTheMassOfEachLayerHeadAndRegion) {
    const Figure figure = build("context", {{31, 32}, 5, 1});
    ASSERT_EQ(figure.panels.size(), 4U);
    const Panel& layers = figure.panels[0];
    ASSERT_EQ(layers.rows.size(), 4U);     // three MLA layers and their mean
    ASSERT_EQ(layers.columns.size(), 7U);  // six regions and what is behind
    const Panel& heads = figure.panels[2];
    ASSERT_EQ(heads.rows.size(), 2U);
    for (int64_t head = 0; head < 2; ++head) {
        const auto row = Uneven::mass(31, 5, head, 7);
        for (int64_t region = 0; region < 7; ++region) {
            const float expected = row[static_cast<size_t>(region)] - (region == 0 ? Uneven::sink(5, head, 7) : 0);
            EXPECT_NEAR(cell(heads, [&](const Target& t) { return t.head == head && t.region == region; }), expected,
                        1e-6);
        }
    }
    // The selected head of layer 6, not the mean.
    EXPECT_NEAR(cell(layers, [](const Target& t) { return t.layer == 6 && t.region == 3; }),
                Uneven::mass(31, 6, 1, 7)[3], 1e-6);
    const Panel& sink = figure.panels[1];
    EXPECT_NEAR(cell(sink, [](const Target& t) { return t.layer == 2; }), Uneven::sink(2, 1, 7), 1e-7);
    // A row with its sink sums to 1.
    for (size_t row = 0; row < layers.rows.size(); ++row) {
        double sum = sink.values[row];
        for (size_t c = 0; c < 7; ++c)
            if (const float v = layers.values[layers.cell(row, c)]; !std::isnan(v)) sum += v;
        EXPECT_NEAR(sum, 1, 1e-6);
    }
    EXPECT_EQ(merged(layers.rows[0].target, layers.columns[3].target).keyBegin, 12);
    EXPECT_EQ(layers.columns[3].name, "page 3");
    EXPECT_EQ(layers.columns[6].target.keyBegin, 24);
}

// The last part is the answer itself, and no neighbour would tell: it has its name as far as there is room, also where its column alone has none.
TEST_F(ViewsTest, LabelsOfPartsDoNotTouch) {
    ViewOptions options;
    options.sink = ViewOptions::Sink::kHide;
    const double size = options.textSize;
    for (options.width = 300; options.width < 900; options.width += 20) {
        const Panel panel = build("context", {{31, 32}, 5, -1}, options).panels.at(0);
        double end = panel.area.x - size;
        for (const Tick& tick : panel.columnTicks) {
            const double half = 0.45 * size * textWidth(tick.label), at = panel.area.x + tick.at * panel.area.width;
            EXPECT_GT(at - half, end) << tick.label << " at " << options.width;
            end = at + half;
        }
        EXPECT_LE(end, panel.area.right() + size) << options.width;
        if (panel.area.width > 230) {
            EXPECT_EQ(panel.columnTicks.back().label, "answer") << options.width;
        }
    }
}

// Parts behind the selected tokens have no column: an empty one would look like a part that nobody read.
TEST_F(ViewsTest, ContextEndsWithWhatCouldBeSeen) {
    auto regions = Uneven::regions(kRegions);
    const Figure whole = build("context", {{30, 31}, 2, -1});
    regions.push_back(regions.back());
    regions.back().begin = 32;
    regions.back().end = 40;
    regions.back().name = "a later message";
    const auto later = Uneven::source(24, 32);
    later->setRegions({24, 32}, regions);
    for (int64_t t = 24; t < 32; ++t) later->add(Uneven::token(t, kRegions + 2), Capture::kLive);
    const Figure figure = findView("context")->build({*later, {{30, 31}, 2, -1}, {}, {}, nullptr, {}});
    ASSERT_EQ(figure.panels.at(0).columns.size(), static_cast<size_t>(kRegions));
    EXPECT_EQ(figure.panels.at(0).columns.back().target.keyEnd, regions[kRegions - 1].end);
    EXPECT_EQ(whole.panels.at(0).columns.size(), static_cast<size_t>(kRegions) + 1);
}

TEST_F(ViewsTest, HidingTheSinkMakesTheRestSumToOne) {
    ViewOptions options;
    options.sink = ViewOptions::Sink::kHide;
    const Figure figure = build("context", {{31, 32}, 5, -1}, options);
    ASSERT_EQ(figure.panels.size(), 2U);
    for (const Panel& panel : figure.panels)
        for (size_t row = 0; row < panel.rows.size(); ++row) {
            double sum = 0;
            for (size_t c = 0; c < panel.columns.size(); ++c) sum += panel.values[panel.cell(row, c)];
            EXPECT_NEAR(sum, 1, 1e-6);
        }
}

TEST_F(ViewsTest, MassThresholdKeepsTheLargest) {
    ViewOptions options;
    options.mass = 0.6;
    const Figure figure = build("context", {{31, 32}, 5, 0}, options);
    int shown = 0;
    for (size_t c = 0; c < 7; ++c) shown += std::isnan(figure.panels[0].values[figure.panels[0].cell(1, c)]) ? 0 : 1;
    EXPECT_EQ(shown, 1);
    EXPECT_NEAR(cell(figure.panels[0], [](const Target& t) { return t.layer == 5 && t.region == (5 + 31) % 7; }),
                Uneven::mass(31, 5, 0, 7)[1], 0.02);
}

TEST_F(ViewsTest, MostLookedAtIsAPageOrPicture) {
    // Token 24 looks at regions (2+24)%7=5, (5+24)%7=1, (6+24)%7=2 and, with head 1, at 6, 2 and 3: the picture wins.
    const auto found = mostLookedAt(*source_, {24, 25});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->region.name, "picture");
    EXPECT_FALSE(mostLookedAt(*source_, {2, 3}));
}

TEST_F(ViewsTest, OverlayTakesTheGridFromTheWindow) {
    source_->setWindow(Uneven::window(24, 37), Uneven::regions(kRegions));
    const Figure figure = build("overlay", {{26, 27}, 5, 1});
    const Panel& panel = figure.panels.at(0);
    ASSERT_EQ(panel.rows.size(), 2U);
    ASSERT_EQ(panel.columns.size(), 2U);
    EXPECT_FLOAT_EQ(panel.values[panel.cell(1, 0)], Uneven::attention(26, 1, 10));
    EXPECT_FLOAT_EQ(panel.values[panel.cell(0, 1)], Uneven::attention(26, 1, 9));
    // Every cell is of its own token, of the layer that is shown.
    for (size_t row = 0; row < 2; ++row)
        for (size_t column = 0; column < 2; ++column) {
            const Target target = targetOf(figure, {0, row, column});
            EXPECT_EQ(target.keyBegin, static_cast<int64_t>(8 + 2 * row + column));
            EXPECT_EQ(target.keyEnd, target.keyBegin + 1);
            EXPECT_EQ(target.layer, 5);
        }
}

// As what is told of the answer: of no layer in particular it is what all of them did.
TEST_F(ViewsTest, OverlayOfAnyLayerIsTheMeanOfAll) {
    const Figure figure = build("overlay", {{26, 27}, -1, -1});
    const Panel& panel = figure.panels.at(0);
    // Of the most attended keys of token 26, layer 2 has (52 + 2 + 2 * 5) % 27 = 10 on the picture, layer 5 8, layer 6 9.
    EXPECT_FLOAT_EQ(panel.values[panel.cell(0, 0)], 0.25F / 3);
    EXPECT_FLOAT_EQ(panel.values[panel.cell(0, 1)], 0.25F / 3);
    EXPECT_FLOAT_EQ(panel.values[panel.cell(1, 0)], 0.2F / 3);
    EXPECT_TRUE(std::isnan(panel.values[panel.cell(1, 1)]));
    EXPECT_NE(figure.caption.at(0).find("all layers"), std::string::npos);
    EXPECT_EQ(panel.rows[1].target.layer, -1);
    const Figure one = build("overlay", {{26, 27}, 5, -1});
    EXPECT_FLOAT_EQ(one.panels.at(0).values[panel.cell(0, 0)], 0.25F);
    EXPECT_TRUE(std::isnan(one.panels.at(0).values[panel.cell(0, 1)]));
    EXPECT_EQ(one.caption.at(0).find("all layers"), std::string::npos);
}

TEST_F(ViewsTest, AttentionRowsAreTheTokensOwn) {
    source_->setWindow(Uneven::window(24, 37), Uneven::regions(kRegions));
    ViewOptions options;
    options.width = 1000;
    const Figure figure = build("attention", {{26, 27}, 5, 1}, options);
    const Panel& panel = figure.panels.at(0);
    ASSERT_EQ(panel.rows.size(), 13U);
    ASSERT_EQ(panel.columns.size(), 37U);
    EXPECT_FLOAT_EQ(cell(panel, [](const Target& t) { return t.begin == 28 && t.keyBegin == 7; }),
                    Uneven::attention(28, 1, 7));
    EXPECT_TRUE(std::isnan(cell(panel, [](const Target& t) { return t.begin == 28 && t.keyBegin == 30; })));
    for (size_t row = 0; row < 13; ++row) {
        double sum = 0;
        for (size_t c = 0; c < 37; ++c)
            if (const float v = panel.values[panel.cell(row, c)]; !std::isnan(v)) sum += v;
        EXPECT_NEAR(sum, 1, 1e-5);
    }
    ASSERT_EQ(figure.panels.size(), 2U);
    EXPECT_EQ(figure.panels[1].kind, Panel::Kind::kLinks);
}

// As the overlay: of no layer in particular it is what all of them did, unless a window has one layer's rows whole.
TEST_F(ViewsTest, AttentionOfAnyLayerIsTheMeanOfAll) {
    ViewOptions options;
    options.width = 1000;
    options.range = TokenSpan{26, 29};
    const auto row26 = [](const Panel& panel, int64_t key) {
        return cell(panel, [&](const Target& t) { return t.begin == 26 && t.keyBegin == key; });
    };
    const Figure figure = build("attention", {{26, 27}, -1, -1}, options);
    const Panel& panel = figure.panels.at(0);
    // Most attended keys of token 26, (52 + layer + 5 i) % 27: of layer 2 0, 5, 10; of layer 5 3, 8, 13; of layer 6 4, 9, 14.
    for (const auto& [key, mass] : {std::pair<int64_t, float>(0, 0.3F), {5, 0.25F}, {8, 0.25F}, {14, 0.2F}})
        EXPECT_FLOAT_EQ(row26(panel, key), mass / 3) << key;
    EXPECT_TRUE(std::isnan(row26(panel, 6)));
    EXPECT_EQ(panel.rows.front().target.layer, -1);
    EXPECT_NE(figure.title.find("mean over layers"), std::string::npos) << figure.title;
    const Figure one = build("attention", {{26, 27}, 5, -1}, options);
    EXPECT_FLOAT_EQ(row26(one.panels.at(0), 8), 0.25F);
    EXPECT_TRUE(std::isnan(row26(one.panels.at(0), 5)));
    EXPECT_NE(one.title.find("layer 5"), std::string::npos);
    source_->setWindow(Uneven::window(24, 37), Uneven::regions(kRegions));  // has the rows of layer 5
    const Figure whole = build("attention", {{26, 27}, -1, 1}, options);
    EXPECT_FLOAT_EQ(row26(whole.panels.at(0), 7), Uneven::attention(26, 1, 7));
    EXPECT_NE(whole.title.find("layer 5"), std::string::npos);
}

// Rows of a head and means over heads make no mean: what is said of the heads stays true of all layers.
TEST_F(ViewsTest, OneHeadsRowsAreNotMixedWithMeansOverHeads) {
    const auto without = build("overlay", {{26, 27}, -1, 1});
    source_->setWindow(Uneven::window(24, 37), Uneven::regions(kRegions));  // of layer 5 alone
    const auto with = build("overlay", {{26, 27}, -1, 1});
    const auto& a = without.panels.at(0).values;
    const auto& b = with.panels.at(0).values;
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) << i;
    std::string caption;
    for (const std::string& line : with.caption) caption += line + " ";
    EXPECT_NE(caption.find("mean over heads"), std::string::npos) << caption;
}

// Two groups of frames of other sizes: cells are of their own row, column and time.
TEST_F(ViewsTest, OverlayOfAClipHasItsFramesApart) {
    auto regions = Uneven::regions(1);
    regions[0].end = 3;
    for (const auto& [begin, grid, end, rows] : {std::array<int64_t, 4>{3, 3, 18, 3}, {18, 20, 30, 2}}) {
        Region& frames = regions.emplace_back();
        frames.begin = begin;
        frames.gridBegin = grid;
        frames.end = end;
        frames.kind = Region::Kind::kFrames;
        frames.name = "clip";
        frames.attachment = 0;
        frames.seconds = static_cast<double>(begin);
        frames.rows = rows;
        frames.columns = 5;
    }
    const auto window = Uneven::window(24, 37);
    for (TokenProbe& probe : window->tokens) probe = *Uneven::token(probe.position, 4);
    source_->setWindow(window, regions);
    const Figure most = build("overlay", {{36, 37}, 5, 1});
    const Panel& second = most.panels.at(0);
    ASSERT_EQ(second.rows.size(), 2U);
    ASSERT_EQ(second.columns.size(), 5U);
    EXPECT_FLOAT_EQ(second.values[second.cell(1, 3)], Uneven::attention(36, 1, 28));
    EXPECT_EQ(targetOf(most, {0, 1, 3}).keyBegin, 28);
    ViewOptions options;
    options.range = TokenSpan{5, 6};
    const Figure chosen = build("overlay", {{36, 37}, 5, 1}, options);
    const Panel& first = chosen.panels.at(0);
    ASSERT_EQ(first.rows.size(), 3U);
    EXPECT_FLOAT_EQ(first.values[first.cell(2, 1)], Uneven::attention(36, 1, 14));
    const Panel& time = chosen.panels.at(1);
    ASSERT_EQ(time.columns.size(), 2U);
    EXPECT_FLOAT_EQ(time.values[0], Uneven::mass(36, 5, 1, 4)[1]);
    EXPECT_FLOAT_EQ(time.values[1], Uneven::mass(36, 5, 1, 4)[2]);
    EXPECT_EQ(time.columns[1].label, "18.0 s");
    EXPECT_GT(time.scale.high, *std::max_element(time.values.begin(), time.values.end()));
    // A picture's tokens are none of the first: what they got is the same with it and without, cells and times alike.
    options.sink = ViewOptions::Sink::kHide;
    const Figure hidden = build("overlay", {{36, 37}, 5, 1}, options);
    EXPECT_EQ(hidden.panels.at(0).values, first.values);
    EXPECT_EQ(hidden.panels.at(1).values, time.values);
    const Figure map = build("context", {{36, 37}, 5, 1});
    EXPECT_EQ(map.panels.at(0).columns.at(1).label, "3.0 s");
    EXPECT_EQ(map.panels.at(0).columns.at(2).label, "18.0 s");
}

TEST_F(ViewsTest, HalfLivesAreOfTheirLayerHeadAndChannel) {
    const Figure plain = build("half-life", {{30, 31}, 3, -1});
    EXPECT_FLOAT_EQ(cell(plain.panels.at(0), [](const Target& t) { return t.layer == 4 && t.head == 2; }),
                    Uneven::halfLife(30, 4, 2, 2));
    const Panel& spread = plain.panels.at(1);
    EXPECT_FLOAT_EQ(spread.low[1], Uneven::halfLife(30, 3, 1, 0));
    EXPECT_FLOAT_EQ(spread.values[1], Uneven::halfLife(30, 3, 1, 2));
    EXPECT_FLOAT_EQ(spread.high[1], Uneven::halfLife(30, 3, 1, 4));
    source_->setWindow(Uneven::window(24, 37), Uneven::regions(kRegions));
    ViewOptions options;
    options.remember = 20;
    const Figure full = build("half-life", {{30, 31}, 3, 2}, options);
    const Panel& channels = full.panels.at(2);
    ASSERT_EQ(channels.rows.size(), 6U);
    ASSERT_EQ(channels.columns.size(), 13U);
    EXPECT_NEAR(cell(channels, [](const Target& t) { return t.begin == 27 && t.channel == 4; }),
                0.6931472 / -Uneven::logDecay(3, 2, 4), 1e-3);
    // ln 2 / 0.001 n > 20 where n = 1 + channel + 10 head + 100 token < 34.66: of head 3 channels 0 to 3 of the first token.
    EXPECT_NEAR(cell(full.panels.at(3), [](const Target& t) { return t.head == 3; }), 4.0 / (6 * 13), 1e-6);
}

TEST(HalfLife, LabelsAreRightAtKnownDecays) {
    // alpha = e^-5, 0.9, 0.99, 0.9999: ln 2 / -ln alpha.
    EXPECT_EQ(numberText(halfLife(-5.0F)), "0.139");
    EXPECT_EQ(numberText(halfLife(std::log(0.9F))), "6.58");
    EXPECT_EQ(numberText(halfLife(std::log(0.99F))), "69");
    EXPECT_NEAR(halfLife(static_cast<float>(std::log(0.9999))), 6931.1, 0.5);
    EXPECT_EQ(numberText(halfLife(static_cast<float>(std::log(0.9999)))), "6931");
    EXPECT_EQ(halfLife(0), KdaProbe::kLongestHalfLife);
}

TEST_F(ViewsTest, WritesListTheLargestFirst) {
    const Figure figure = build("writes", {{30, 31}, 1, 2});
    const Panel& heat = figure.panels.at(0);
    EXPECT_FLOAT_EQ(cell(heat, [](const Target& t) { return t.begin == 26 && t.head == 3; }), Uneven::write(26, 1, 3));
    const Panel& beta = figure.panels.at(1);
    const float mean = cell(beta, [](const Target& t) { return t.begin == 26; });
    EXPECT_FLOAT_EQ(mean, Uneven::beta(26, 1, 2));
    const Panel& list = figure.panels.at(2);
    EXPECT_EQ(list.rows.front().target.begin, 36);
    EXPECT_FLOAT_EQ(list.values.front(), Uneven::write(36, 1, 2));
    EXPECT_EQ(list.rows[1].target.begin, 35);
}

TEST_F(ViewsTest, StateShowsOneHeadsMatrixValueByKey) {
    source_->setWindow(Uneven::window(24, 37), Uneven::regions(kRegions));
    const Figure figure = build("state", {{30, 31}, 3, 4});
    const Panel& norm = figure.panels.at(0);
    double sum = 0;
    for (int64_t head = 0; head < 5; ++head) sum += std::pow(Uneven::norm(30, 3, head), 2);
    EXPECT_NEAR(cell(norm, [](const Target& t) { return t.begin == 30; }), std::sqrt(sum), 1e-3);
    const RawKda& kda = source_->window(30)->raw.at(0).kda;
    const auto at = [](const std::vector<float>& state, int64_t v, int64_t k) {
        return state[static_cast<size_t>((4 * 3 + v) * 6 + k)];  // head 4 of [5, 3, 6]
    };
    const Panel& after = figure.panels.at(1);
    ASSERT_EQ(after.rows.size(), 3U);     // value channels
    ASSERT_EQ(after.columns.size(), 6U);  // key channels
    EXPECT_EQ(after.values[after.cell(2, 5)], at(kda.stateAfter, 2, 5));
    EXPECT_EQ(after.values[after.cell(1, 0)], at(kda.stateAfter, 1, 0));
    const Panel& change = figure.panels.at(2);
    EXPECT_FLOAT_EQ(change.values[change.cell(1, 4)], at(kda.stateAfter, 1, 4) - at(kda.stateBefore, 1, 4));
    // The squares of the singular values sum to that of the norm.
    const Panel& spectrum = figure.panels.at(3);
    ASSERT_EQ(spectrum.columns.size(), 3U);
    double squares = 0, norm2 = 0;
    for (size_t i = 0; i < 3; ++i) squares += std::pow(spectrum.values[spectrum.cell(1, i)], 2);
    for (int64_t v = 0; v < 3; ++v)
        for (int64_t k = 0; k < 6; ++k) norm2 += std::pow(at(kda.stateAfter, v, k), 2);
    EXPECT_NEAR(squares, norm2, 1e-5 * norm2);
}

TEST_F(ViewsTest, ReadsAreWhatAValueWouldChange) {
    const auto window = Uneven::window(24, 37);
    source_->setWindow(window, Uneven::regions(kRegions));
    const Figure figure = build("reads", {{31, 33}, 3, 4});
    const Panel& weights = figure.panels.at(0);
    ASSERT_EQ(weights.rows.size(), 5U);
    ASSERT_EQ(weights.columns.size(), 9U);  // tokens 24 to 32
    // One more in a value of token 26, head 4, moves the read of token 32 by the weight.
    RawKda changed = window->raw.at(0).kda;
    changed.v[(2 * 5 + 4) * 3 + 1] += 1;
    Uneven::recur(changed, 13);
    const size_t read = (8 * 5 + 4) * 3 + 1;
    EXPECT_NEAR(cell(weights, [](const Target& t) { return t.head == 4 && t.keyBegin == 26; }),
                changed.read[read] - window->raw.at(0).kda.read[read], 2e-6);
    EXPECT_EQ(weights.scale.kind, ValueScale::Kind::kDiverging);
    EXPECT_EQ(figure.panels.at(1).rows.front().label, "older");
    std::string caption;
    for (const std::string& line : figure.caption) caption += line;
    EXPECT_NE(caption.find("own read within"), std::string::npos);
    // Outside of the window, or of another layer, nothing is known.
    EXPECT_NE(build("reads", {{31, 33}, 4, 0}).message, "");
    EXPECT_NE(build("reads", {{36, 39}, 3, 0}).message, "");
}

TEST_F(ViewsTest, GatesAreOfTheirLayerHeadAndToken) {
    const Figure figure = build("gates", {{30, 31}, 4, -1});
    EXPECT_FLOAT_EQ(cell(figure.panels.at(0), [](const Target& t) { return t.layer == 6 && t.head == 1; }),
                    Uneven::gate(30, 6, 1));
    EXPECT_TRUE(std::isnan(cell(figure.panels.at(0), [](const Target& t) { return t.layer == 6 && t.head == 3; })));
    const Panel& shares = figure.panels.at(1);
    EXPECT_FLOAT_EQ(shares.values[shares.cell(3, 0)], 0.1F + 0.01F * 43);
    EXPECT_FLOAT_EQ(shares.values[shares.cell(3, 2)], 0.17F);
    EXPECT_FLOAT_EQ(cell(figure.panels.at(2), [](const Target& t) { return t.begin == 33 && t.head == 2; }),
                    Uneven::gate(33, 4, 2));
}

TEST_F(ViewsTest, DepthKeepsTheRunningStreamLast) {
    const Figure figure = build("depth", {{30, 33}, 6, -1});
    const Panel& panel = figure.panels.at(0);
    ASSERT_EQ(panel.rows.size(), 15U);
    ASSERT_EQ(panel.columns.size(), 5U);
    // Layer 2, feed-forward: three sources; the third is the running stream and stands in the last column.
    EXPECT_FLOAT_EQ(panel.values[panel.cell(5, 0)], Uneven::mix(2, 0, 3, 1));
    EXPECT_FLOAT_EQ(panel.values[panel.cell(5, 1)], Uneven::mix(2, 1, 3, 1));
    EXPECT_EQ(panel.values[panel.cell(5, 2)], 0);
    EXPECT_FLOAT_EQ(panel.values[panel.cell(5, 4)], Uneven::mix(2, 2, 3, 1));
    EXPECT_FLOAT_EQ(panel.values[panel.cell(14, 3)], 0.15F);
    for (size_t row = 0; row < 15; ++row) {
        double sum = 0;
        for (size_t c = 0; c < 5; ++c) sum += panel.values[panel.cell(row, c)];
        EXPECT_NEAR(sum, 1, 1e-6);
    }
}

TEST_F(ViewsTest, RoutingCountsTheExpertsOfItsLayer) {
    const Figure figure = build("routing", {{30, 33}, -1, -1});
    const Panel& load = figure.panels.at(0);
    ASSERT_EQ(load.rows.size(), 6U);
    ASSERT_EQ(load.columns.size(), 11U);
    int times = 0;
    for (int64_t token = 30; token < 33; ++token)
        for (int64_t choice = 0; choice < 4; ++choice) times += Uneven::expert(token, 4, choice) == 6 ? 1 : 0;
    EXPECT_FLOAT_EQ(cell(load, [](const Target& t) { return t.layer == 4 && t.expert == 6; }),
                    static_cast<float>(times) / 3);
    const Panel& chips = figure.panels.at(2);
    EXPECT_EQ(chips.texts[chips.cell(2, 3)], std::to_string(Uneven::expert(30, 3, 3)));
    EXPECT_FLOAT_EQ(chips.values[chips.cell(2, 3)], Uneven::expertWeight(30, 3, 3));
    EXPECT_FLOAT_EQ(figure.panels.at(3).values[4], 0.5F + 0.31F);
}

TEST_F(ViewsTest, CompareIsSecondMinusFirst) {
    ViewOptions options;
    options.compared = "context";
    const View* view = findView("compare");
    const Figure figure = view->build({*source_, {{31, 32}, 5, 0}, options, {}, nullptr, Selection{{33, 34}, 5, 0}});
    ASSERT_EQ(figure.panels.size(), 3U);
    const auto at = [&](size_t panel) {
        return cell(figure.panels[panel], [](const Target& t) { return t.layer == 6 && t.region == 4; });
    };
    EXPECT_FLOAT_EQ(at(0), Uneven::mass(31, 6, 0, 7)[4]);
    EXPECT_FLOAT_EQ(at(1), Uneven::mass(33, 6, 0, 7)[4]);
    EXPECT_FLOAT_EQ(at(2), at(1) - at(0));
    EXPECT_EQ(figure.panels[2].scale.kind, ValueScale::Kind::kDiverging);
}

// With another source for the second: the same tokens of a branch that went on otherwise.
TEST_F(ViewsTest, CompareAcrossBranches) {
    auto branch = Uneven::source(24, 30, kRegions);
    auto odd = Uneven::token(30, kRegions + 1);
    odd->layers[4].kda.gate.mean[2] = 0.875F;
    branch->add(odd, Capture::kLive);
    ViewOptions options;
    options.compared = "gates";
    const Figure figure = findView("compare")->build(
        {*source_, {{30, 31}, 4, -1}, options, {}, branch.get(), Selection{{30, 31}, 4, -1}});
    ASSERT_EQ(figure.panels.size(), 3U);
    const auto at = [&](size_t panel, int64_t layer) {
        return cell(figure.panels[panel], [&](const Target& t) { return t.layer == layer && t.head == 2; });
    };
    EXPECT_FLOAT_EQ(at(0, 4), Uneven::gate(30, 4, 2));
    EXPECT_FLOAT_EQ(at(1, 4), 0.875F);
    EXPECT_FLOAT_EQ(at(2, 4), 0.875F - Uneven::gate(30, 4, 2));
    EXPECT_FLOAT_EQ(at(2, 3), 0);
}

// What was written to one head's memory between two places: the windows' last states, the second minus the first.
TEST_F(ViewsTest, StatesOfTwoWindowsAreCompared) {
    const auto first = Uneven::window(24, 28), second = Uneven::window(30, 37);
    source_->setWindow(first, Uneven::regions(kRegions));
    source_->setWindow(second, Uneven::regions(kRegions));
    ViewOptions options;
    options.compared = "state";
    const Figure figure =
        findView("compare")->build({*source_, {{26, 27}, 3, 4}, options, {}, nullptr, Selection{{33, 34}, 3, 4}});
    ASSERT_EQ(figure.panels.size(), 3U) << figure.message;
    const Panel& change = figure.panels[2];
    ASSERT_EQ(change.rows.size(), 3U);
    ASSERT_EQ(change.columns.size(), 6U);
    for (size_t v = 0; v < 3; ++v) {
        for (size_t k = 0; k < 6; ++k) {
            const size_t at = (4 * 3 + v) * 6 + k;
            EXPECT_FLOAT_EQ(change.values[change.cell(v, k)],
                            second->raw[0].kda.stateAfter[at] - first->raw[0].kda.stateAfter[at]);
        }
    }
    source_->setWindow(Uneven::window(33, 36), Uneven::regions(kRegions));
    EXPECT_EQ(source_->window(26), nullptr) << "the two newest are kept";
    EXPECT_EQ(source_->window(34)->begin, 33);
    EXPECT_EQ(source_->window(31)->begin, 30);
}

TEST_F(ViewsTest, ModelShowsEveryHeadsMap) {
    const Figure figure = build("model", {{24, 37}, -1, -1});
    ASSERT_EQ(figure.panels.size(), 1U);
    const Panel& panel = figure.panels[0];
    ASSERT_EQ(panel.rows.size(), 3U * 13 + 2);    // three layers with attention, a row between them
    ASSERT_EQ(panel.columns.size(), 2U * 7 + 1);  // two heads, seven parts
    for (const int64_t layer : {2, 5, 6}) {
        for (int64_t head = 0; head < 2; ++head) {
            for (int64_t region = 1; region < 7; ++region) {
                const float value = cell(panel, [&](const Target& t) {
                    return t.layer == layer && t.begin == 31 && t.head == head && t.region == region;
                });
                EXPECT_FLOAT_EQ(value, Uneven::mass(31, layer, head, 7)[static_cast<size_t>(region)]);
            }
        }
    }
    const auto saysOne = [](const Figure& shown) {
        std::string caption;
        for (const std::string& line : shown.caption) caption += line + " ";
        return caption.find("made to sum to 1") != std::string::npos;
    };
    ViewOptions options;
    options.sink = ViewOptions::Sink::kHide;
    EXPECT_FALSE(saysOne(figure));
    EXPECT_TRUE(saysOne(build("model", {{24, 37}, -1, -1}, options)));
    EXPECT_TRUE(std::isnan(panel.values[panel.cell(13, 0)]));
    EXPECT_TRUE(std::isnan(panel.values[panel.cell(0, 7)]));
}

TEST_F(ViewsTest, CaptionsSayWhichHeads) {
    const auto caption = [&](std::string_view view, int64_t head) {
        std::string out;
        for (const std::string& line : build(view, {{31, 32}, 5, head}).caption) out += line + " ";
        return out;
    };
    EXPECT_NE(caption("context", -1).find("mean over heads"), std::string::npos);
    EXPECT_NE(caption("context", 1).find("head 1"), std::string::npos);
    EXPECT_EQ(caption("context", 1).find("mean over heads"), std::string::npos);
    // Of the most attended tokens only the mean is known, whichever head is chosen.
    EXPECT_NE(caption("attention", 1).find("mean over heads"), std::string::npos);
    source_->setWindow(Uneven::window(24, 37), Uneven::regions(kRegions));
    EXPECT_NE(caption("attention", 1).find("head 1"), std::string::npos);
    EXPECT_EQ(caption("attention", 1).find("mean over heads"), std::string::npos);
    EXPECT_NE(caption("overlay", 1).find("head 1"), std::string::npos);
}

TEST_F(ViewsTest, GiniCountsExpertsThatNeverRan) {
    // One token of 4 experts among 11: sorted 7 zeros, 4 ones; G = (9 + 10 + 11 + 8) * 2 / (11 * 4) - 12 / 11.
    const Figure figure = build("routing", {{30, 31}, -1, -1});
    EXPECT_NEAR(figure.panels.at(1).values[0], 2.0 * 38 / 44 - 12.0 / 11, 1e-6);
}

TEST(StateFigures, StopsWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    const std::vector<float> state(64 * 64, 1);
    EXPECT_TRUE(stateFigures(state, 64, 64, stop.get_token()).singular.empty());
}

}  // namespace
}  // namespace pal::inspect
