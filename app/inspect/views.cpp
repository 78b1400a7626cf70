// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "app/inspect/view_builders.h"

namespace pal::inspect {
namespace {

// PAL_TEXT marks what Words translates.
#define PAL_TEXT(english) english

// The selection is shared by all views: a layer may be of a model before this one, a head may be none of the kind of layer that a view shows.
// What is not there counts as not chosen.
template <Figure (*kBuild)(const ViewInput&), bool LayerShape::*kShown>
Figure ofWhatIsThere(const ViewInput& input) {
    int64_t heads = 0;
    const std::vector<LayerShape>& layers = input.source.shape().layers;
    for (const LayerShape& layer : layers)
        if (layer.*kShown) heads = std::max(heads, layer.heads);
    const auto fitting = [&](Selection selection) {
        if (selection.layer >= std::ssize(layers)) selection.layer = -1;
        if (selection.head >= heads) selection.head = -1;
        return selection;
    };
    ViewInput there = input;
    there.selection = fitting(input.selection);
    if (there.other) there.other = fitting(*input.other);
    return kBuild(there);
}

constexpr View kViews[] = {
    {"layers",
     PAL_TEXT("Layers"),
     {PAL_TEXT("A column is a layer, a row is something measured in it: how long it remembers, how much it wrote, how "
               "open its gate was, how spread its attention and its experts were."),
      PAL_TEXT("Values are means over the selected tokens, and each row has its own scale because the rows have other "
               "units."),
      PAL_TEXT("Look for columns that stand out, and choose one to see that layer in the other views.")},
     &buildLayers},
    {"tokens",
     PAL_TEXT("Coloured text"),
     {PAL_TEXT("The text of the session with each token tinted by one number."),
      PAL_TEXT("The number was measured while the token was read; tokens without colour were not looked at."),
      PAL_TEXT("Bright tokens have large values; point at one to see what else the model might have written there.")},
     &buildTokens},
    {"context",
     PAL_TEXT("Where it looked"),
     {PAL_TEXT("How much attention the selected tokens paid to each page, file, frame and turn, layer by layer."),
      PAL_TEXT(
          "Attention is the softmax weight of the MLA layers, summed over the tokens of a part; the first token of "
          "the session, which takes what heads do not need elsewhere, is shown apart."),
      PAL_TEXT("A bright cell is a part that this layer read from; choose it to open that page or frame.")},
     &ofWhatIsThere<&buildContext, &LayerShape::mla>},
    {"overlay",
     PAL_TEXT("On the picture"),
     {PAL_TEXT("Attention of the selected tokens on a picture, a page shown as picture or a frame, over the picture "
               "itself."),
      PAL_TEXT("A cell is one token of the picture; for clips the line below shows attention over time."),
      PAL_TEXT("Bright cells are where the chosen layer and head looked, which need not be what decided the answer.")},
     &ofWhatIsThere<&buildOverlay, &LayerShape::mla>},
    {"attention",
     PAL_TEXT("Token to token"),
     {PAL_TEXT(
          "A row is a token that looks, a column a token that is looked at, the colour the attention between them."),
      PAL_TEXT("For a computed window every weight is known and each row sums to 1; otherwise only the most attended "
               "tokens of each row were kept."),
      PAL_TEXT("Vertical stripes are tokens that many others look at, a diagonal means looking at what came just "
               "before.")},
     &ofWhatIsThere<&buildAttention, &LayerShape::mla>},
    {"model",
     PAL_TEXT("All heads"),
     {PAL_TEXT("Every head of every layer with attention as one small map: the selected tokens from top to bottom, the "
               "parts of the context from left to right."),
      PAL_TEXT("It is the attention mass of “Where it looked”, with neighbouring tokens and parts joined so that all "
               "heads fit."),
      PAL_TEXT("Look for a map that differs from its neighbours, and choose it to see that head in the other views.")},
     &ofWhatIsThere<&buildModel, &LayerShape::mla>},
    {"half-life",
     PAL_TEXT("How long it remembers"),
     {PAL_TEXT("A delta attention layer forgets each channel of its memory at its own pace; shown is after how many "
               "tokens half is left."),
      PAL_TEXT("It is ln 2 divided by minus the log decay that the layer chose at each token."),
      PAL_TEXT("Heads with long half-lives can carry facts across a document, those with short ones only the last "
               "words.")},
     &ofWhatIsThere<&buildHalfLife, &LayerShape::kda>},
    {"writes",
     PAL_TEXT("What it wrote"),
     {PAL_TEXT("Before a delta attention layer writes, it reads what the key recalls and writes only the difference."),
      PAL_TEXT("The effective write is the length of that difference times the write strength β."),
      PAL_TEXT("Large values are tokens that told the memory something new; what was there before writes less when it "
               "comes again.")},
     &ofWhatIsThere<&buildWrites, &LayerShape::kda>},
    {"state",
     PAL_TEXT("Its memory"),
     {PAL_TEXT("The memory of a delta attention head is one matrix of fixed size, however long the text is."),
      PAL_TEXT(
          "Above is its norm over the session; below, for a computed window, the matrix itself and what the window "
          "changed in it."),
      PAL_TEXT("A norm that levels off means that old content decays as fast as new content is written.")},
     &ofWhatIsThere<&buildState, &LayerShape::kda>},
    {"reads",
     PAL_TEXT("What it recalled"),
     {PAL_TEXT(
          "Delta attention has no softmax, but its output is a sum over all earlier tokens with weights that follow "
          "from the recurrence; these weights are shown."),
      PAL_TEXT("They are signed and do not sum to 1; what was written before the window is one bar, and the sum is "
               "checked against what the layer really read."),
      PAL_TEXT("A positive weight adds the token's value to the output, a negative one takes it away.")},
     &ofWhatIsThere<&buildReads, &LayerShape::kda>},
    {"gates",
     PAL_TEXT("Gates"),
     {PAL_TEXT("Each attention head multiplies its output by a gate between 0 and 1 per channel."),
      PAL_TEXT("Shown is the mean over a head's channels, and how many of them are nearly shut or nearly open."),
      PAL_TEXT("A head with a shut gate adds nothing at that token, whatever it attended to.")},
     &buildGates},
    {"depth",
     PAL_TEXT("Depth"),
     {PAL_TEXT(
          "Before each part of a layer the model mixes earlier states of its residual stream with softmax weights."),
      PAL_TEXT("A bar is one part of a layer; its pieces are the weights of the snapshots, oldest first, and of the "
               "running sum."),
      PAL_TEXT("A part that draws on early snapshots passes over what the layers between have added.")},
     &buildDepth},
    {"routing",
     PAL_TEXT("Experts"),
     {PAL_TEXT("In most layers a router sends each token to a few of many experts."),
      PAL_TEXT("Above is how often each expert ran over the selection, below the experts of its first token with their "
               "weights."),
      PAL_TEXT("A high Gini index means that few experts do most of the work; low entropy means that the router was "
               "sure.")},
     &buildRouting},
    {"compare",
     PAL_TEXT("Compare"),
     {PAL_TEXT("One view of two tokens, spans or branches, one above the other, and their difference."),
      PAL_TEXT("Both have the same axes and the same colours; the difference is the second minus the first."),
      PAL_TEXT("Red is where the second has more, blue where it has less.")},
     &buildCompare},
};

#undef PAL_TEXT

}  // namespace

std::span<const View> views() {
    return kViews;
}

const View* findView(std::string_view name) {
    const auto* found =
        std::find_if(std::begin(kViews), std::end(kViews), [&](const View& view) { return view.name == name; });
    return found == std::end(kViews) ? nullptr : found;
}

}  // namespace pal::inspect
