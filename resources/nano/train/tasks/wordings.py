# SPDX-License-Identifier: Apache-2.0
"""How the questions about pictures and clips are worded.

A wording is written as a pattern: `(a|b|)` stands for one of its alternatives, `{it}` is filled in later. Patterns make
hundreds of sentences out of a few lines, so that the model learns what is asked rather than a list of questions. The
sentences of `test` occur in no training question.
"""
from dataclasses import dataclass


@dataclass(frozen=True)
class Frames:
    """Sentences of one question: in training one of `train`'s groups is drawn, then one of its sentences."""
    train: tuple
    test: tuple


def expand(pattern):
    """All sentences of a pattern."""
    head, bracket, rest = pattern.partition("(")
    if not bracket:
        return [pattern]
    choices, _, tail = rest.partition(")")
    return [head + choice + end for choice in choices.split("|") for end in expand(tail)]


def frames(*patterns, test):
    held = tuple(sentence for pattern in test for sentence in expand(pattern))
    groups = (tuple(s for s in expand(pattern) if s not in held) for pattern in patterns)
    return Frames(tuple(group for group in groups if group), held)


def only(frames_, keep):
    """The same without the sentences that keep(sentence) refuses."""
    groups = (tuple(s for s in group if keep(s)) for group in frames_.train)
    return Frames(tuple(group for group in groups if group), tuple(s for s in frames_.test if keep(s)))


# Sentences before and after a question, as people write them; only in training.
OPENINGS = tuple(expand("(Hey|OK|Well|So|Now|Next|Please|Right|Good), ") + expand("(Quick|One more|Another|A) question: ")
                 + expand("(Look closely|Look at the picture|Have a look|See the picture|Thanks|Good|And now|Next one). ")
                 + ["Please tell me: ", "Tell me: ", "Can you say: ", "I would like to know: ", "Next: ", "Question: ", "Q: "])
CLOSINGS = tuple(expand(" (Answer|Reply|Say it) (briefly|in short|shortly).") + [" Thanks!", " Please.", " Thank you.", " Be brief."])


# ----------------------------------------------------------------------------- one shape

COLOUR_OF = frames(
    "(What|Which) colour (is|has) the {it}?", "(What|Which) colour does the {it} have?",
    "(What is|What would you call) the colour of the {it}?", "(Tell me|Name|Give|Give me|Say|State) the colour of the {it}.",
    "The {it} (is|has) (which|what) colour?", "(And|Now|What about) the colour of the {it}?", "Colour of the {it}?",
    "Look at the {it}. (What|Which) colour (is it|does it have|do you see)?",
    "(Can you tell|Can you see|Could you say|Do you see) (what|which) colour the {it} (is|has)?",
    "(Tell me|Say|Please say) (what|which) colour the {it} (is|has).", "How is the {it} coloured?",
    "(What|Which) colour was the {it} (painted|given)?", "In (what|which) colour is the {it} (shown|painted|filled)?",
    test=("Which colour does the {it} have?", "In what colour is the {it} drawn?"))
COLOUR_OF_ONLY = frames(
    "(What|Which) colour is (the shape|it|this|the object|this shape)?", "(Name|Tell me|Give|Say) the colour of the (shape|object|figure).",
    "(What|Which) colour (do you see|is shown|can you see)?", "What is the colour of (the shape|it|this figure|the object)?",
    "(What|Which) colour does (it|the shape|the figure) have?", "(And the|The|Its) colour?", "What colour is the (figure|thing) in the (picture|image|drawing)?",
    test=("What colour is this shape?", "Which colour does the object have?"))
KIND_OF = frames(
    "(What|Which) shape is {it}?", "(Name|Tell me|Give|Say) the {it} (shape|object|figure).", "What is the {it} (shape|thing|figure|object)?",
    "Which {it} shape (do you see|is there|can you see|is shown)?", "What (kind|sort|type) of shape is {it}?", "The {it} (thing|one|object) is (what|which) shape?",
    "(Tell me|Say) which shape is {it}.", "Which (of the shapes|shape here|object|figure) is {it}?", "What is (painted|filled|coloured) {it}?",
    "(What|Which) (form|shape) has the {it} (thing|object|one)?", "Something is {it}. What is it?",
    test=("What shape does the {it} object have?", "Which shape is drawn in {it}?"))
KIND_OF_ONLY = frames(
    "(What|Which) shape (is it|is shown|do you see|is that|can you see)?", "Name the (shape|figure|object).", "What is (drawn|shown|pictured) here?",
    "What (kind|sort|type) of (shape|figure) is (this|it|that)?", "(What|Which) (shape|figure) does the (picture|image|drawing) show?",
    "(What|Which) (form|shape) does (it|the object) have?", test=("Which shape is in the picture?", "What shape is this?"))
SIZE_OF = frames(
    "How (big|large) is the {it}?", "(What|Which) size (is|has) the {it}?", "Is the {it} (small, medium or large|large, medium or small)?",
    "(Tell me|Name|Say) the size of the {it}.", "What is the size of the {it}?", "(What|Which) size does the {it} have(| here)?", "The {it} is (how big|which size|what size)?",
    "How (big|large) (was|has) the {it} (drawn|been drawn)?", "(And the|The) size of the {it}?",
    test=("Which size does the {it} have?", "Give the size of the {it}: small, medium or large."))
WHERE = frames(
    "Where is the {it}(| in the picture| in the image| in the drawing)?", "In (which|what) part of the (picture|image|drawing) is the {it}?",
    "Where (do you see|can you see|do I find|is there) the {it}?", "(Tell me|Say|Show me) where the {it} (is|lies|sits|stands).",
    "What is the (position|place|location) of the {it}?", "(Locate|Find) the {it}.", "(Find|See) the {it}: where (is it|does it lie)?",
    "Where can I (see|look for|spot) the {it}?", "In (what|which) (place|area|region|corner) is the {it}?", "Where does the {it} (lie|sit|stand|belong)?",
    "The {it} is where(| in the picture)?", "(Name|Give|State) the (position|place|location) of the {it}.", "Where was the {it} (put|placed|painted|set)?",
    "Where is the {it} (located|placed|shown|positioned)?", "(In|At) which (spot|place) (is|can I see) the {it}?", "(And|Now) where is the {it}?",
    "Where in the (image|picture) (did they put|have they put|do we have) the {it}?",
    test=("Where has the {it} been drawn?", "Whereabouts in the image is the {it}?"))
EDGE = frames(
    "(Which|What) (edge|side|border) is the {it} (closest|nearest) to?", "(What|Which) edge is (nearest|closest) to the {it}?",
    "The {it} is (closest|nearest) to (which|what) (edge|side)?", "(Tell me|Name|Say) the edge (nearest|closest) to the {it}.",
    test=("Which side of the picture is nearest to the {it}?", "To which edge is the {it} closest?"))

# ----------------------------------------------------------------------------- several shapes

COUNT_ALL = frames(
    "How many (shapes|objects|things|figures) are (there|here|in the picture|in the image)?", "How many (shapes|objects|figures) (do|can) you see?",
    "Count (the shapes|all shapes|the objects|all objects|everything).", "What is the (number|count) of (shapes|objects|figures)?",
    "How many (things|shapes|figures) (are drawn|are shown|were drawn)?", "(Give|Tell me|Say) the number of (shapes|objects).",
    "(Shapes|Objects) in the picture: how many?", "How many (shapes|objects) (are there altogether|are there in all|in total)?",
    test=("How many shapes does the picture show?", "Tell me how many shapes there are."))
COUNT_SOME = frames(
    "How many {what} are (there|here|in the picture|in the image|in it|shown|drawn)?", "How many {what} (do|can) you (see|find|count)?",
    "Count (the|all|all the) {what}.", "What is the (number|count) of {what}?", "(Tell me|Say) how many {what} (there are|you see|you can see).",
    "How many of the (shapes|objects|figures) are {what}?", "(Give|State|Name|Find) the number of {what}.", "{what}: how many?", "The number of {what}?",
    "How many {what} (did they draw|were drawn|has the picture|has the drawing)?", "How (often|many times) (do|can) you see {what}?",
    test=("How many {what} can be seen?", "How many {what} does the picture show?"))
COUNT_SHAPES = only(COUNT_SOME, lambda s: "How many of" not in s)                # where {what} is "red shapes"
RELATIVE = frames(
    "Where is the {a} (relative|compared|in relation) to the {b}?", "Seen from the {b}, where (is|lies) the {a}?",
    "Is the {a} (left of, right of, above or below|above, below, left of or right of) the {b}?",
    "On (which|what) side of the {b} (is|lies) the {a}?", "How does the {a} (lie|stand) to the {b}?",
    "Where (is|lies|sits) the {a}, seen from the {b}?", "(Tell me|Say) where the {a} is relative to the {b}.",
    "From the {b}, (where is|which way to|in which direction is) the {a}?", "(Look at|Take|Start at) the {b}. Where is the {a}?",
    "Where does the {a} (lie|stand|sit) (compared|in relation) to the {b}?",
    test=("In relation to the {b}, where is the {a}?", "What is the position of the {a} relative to the {b}?"))
IS_RELATED = frames(
    "Is the {a} {where} the {b}?", "Does the {a} (lie|sit|stand) {where} the {b}?", "Is it (true|right|correct) that the {a} is {where} the {b}?",
    "The {a} is {where} the {b}(: yes or no|, isn't it|. Right|. True)?", "(Do|Did) you see the {a} {where} the {b}?",
    test=("Can you see the {a} {where} the {b}?", "Would you say the {a} is {where} the {b}?"))
INSIDE = frames(
    "What is (inside|in|within) the {it}?", "(What|Which) (shape|object|figure) is (inside|in|within) the {it}?", "What do you (see|find) (inside|in) the {it}?",
    "(Name|Tell me|Say) the (shape|object|figure) (inside|in) the {it}.", "The {it} (contains|holds|has inside|encloses) what?",
    "What does the {it} (contain|hold|enclose)?", "(What|Which) (shape|object|figure) (sits|stands|can be seen|was put) (inside|in) the {it}?",
    "Look (inside|into) the {it}. What (is there|do you see)?", "Inside the {it} there is (what|which shape)?", "(What|Which one) is surrounded by the {it}?",
    "(Tell me|Say) what is (inside|in|within) the {it}.", "What was (painted|put|placed) (inside|in) the {it}?",
    test=("What shape lies in the {it}?", "What has been drawn inside the {it}?"))
NEAREST = frames(
    "(Which|What) (shape|object|figure) is (nearest|closest) to the {it}?", "What is (closest|nearest|next) to the {it}?",
    "What (lies|stands|sits) (nearest|closest) to the {it}?", "(Tell me|Find|Say) the shape (nearest|closest) to the {it}.",
    "(Nearest|Closest) to the {it}: which shape?", "Which (of the shapes|one) is (nearest|closest) to the {it}?",
    test=("Name the shape next to the {it}.", "Which object is the closest to the {it}?"))
SAME = frames(
    "Are the {a} and the {b} (the same|of the same|equal in) {what}?", "Do the {a} and the {b} have the same {what}?",
    "Is the {what} of the {a} the same as that of the {b}?", "Same {what}: the {a} and the {b}?", "Has the {a} the same {what} as the {b}?",
    "(Compare|Take) the {a} and the {b}: same {what}?", "Is the {a} the same {what} as the {b}?",
    test=("Do the {a} and the {b} share the same {what}?", "Have the {a} and the {b} got the same {what}?"))
SAME_TWO = frames(
    "Are (the|both|these) two (shapes|objects) the same {what}?", "Do (both|the|these two) (shapes|objects) have the same {what}?",
    "Is the {what} of (both|the two) (shapes|objects) the same?", "Same {what}?", "(Compare the two|Both shapes): same {what}?",
    test=("Do the two shapes share the same {what}?", "Have both objects got the same {what}?"))
MORE = frames(
    "Are there more {a} than {b}(| here| in the picture)?", "(Do|Can) you see more {a} than {b}?", "Does the (picture|image|drawing) (show|have|contain) more {a} than {b}?",
    "More {a} than {b}?", "(Is it true that there are|Would you say there are) more {a} than {b}?",
    test=("Are the {a} more than the {b}?", "Can more {a} than {b} be seen?"))
EXISTS = frames(
    "Is there {a}(| here| in the picture| in the image)?", "(Do|Did) you (see|find) {a}?", "Is {a} in the (picture|image|drawing)?",
    "Does the (picture|image|drawing) (show|have|contain) {a}?", "(Is|Was) {a} (drawn|shown) (here|in the picture)?", "{a}: is it there?",
    test=("Can you see {a} in the picture?", "Does {a} appear in the image?"))
BACKGROUND = frames(
    "(What|Which) colour (is|has) the background?", "(Name|Tell me|Say) the (background colour|colour of the background).", "What is the background colour?",
    test=("What is the colour of the background?", "The background is which colour?"))
DESCRIBE = frames(
    "Describe (the picture|the image|this|what you see|it|the drawing).", "What (do|can) you see (here|in the picture|in the image)?", "What do you see?",
    "What does the (picture|image|drawing) show?", "What is in the (picture|image)?", "Tell me (what you see|about this picture|what is in the picture).",
    "(List|Name) everything in the (picture|image|drawing).", "What is (this|this picture|on this picture)?", "What can you see?",
    "(Give|Write) a description.", "What is shown here?",
    test=("Give a description of the picture.", "Please describe this image."))

DESCRIBE_PICTURE = only(DESCRIBE, lambda s: "picture" in s or "image" in s)

# ----------------------------------------------------------------------------- text in pictures

READ = frames(
    "What does it say?", "Read (the text|this|it|the writing|everything)(| aloud).", "What is (written|printed) here?", "What text (do you see|is there|is it)?",
    "What does the (picture|image|text|sign) say?", "(Which|What) text is in the (picture|image)?", "Copy the text(| from the picture| in the image).",
    "What is (written|printed)(| in the picture| in the image)?", "(Type out|Write down|Repeat|Spell out) the text.", "Please read (the text|it).",
    "(What|Which) (words or numbers|characters) (do you see|are there)?", "Give the text in the image.",
    test=("What text is shown?", "Read out what is written in the picture."))
NUMBER = frames(
    "(What|Which) number (is shown|do you see|is it|is there|is written)?", "(Read|Copy|Write down|Tell me|Give) the number(| in the picture| you see).",
    "What is the number(| in the picture| in the image)?", "What number is in the (picture|image)?", "What does the number say?", "Please read the number.",
    "(The|Its) number(| please)?", "(What|Which) (digits|number) do you (see|find)?",
    test=("What number can you read?", "Which number is written here?"))
WORD = frames(
    "(What|Which) word (is shown|do you see|is it|is there|is printed)?", "(Read|Copy|Write down|Tell me|Give) the word(| in the picture| you see).",
    "What is the word(| in the picture| in the image)?", "What word is in the (picture|image)?", "What does the word say?", "Please read the word.",
    "(The|That) word(| please)?", "(What|Which) (letters|word) do you (see|find)?",
    test=("What word can you read?", "Which word is written here?"))
LINE = frames(
    "What is (written|printed) at the {place}?", "(Read|Give|Copy) the {place} line.", "What does the {place} line say?", "What is the text at the {place}?",
    "(Which|What) (text|line) is at the {place}?", "(The|And the) {place} line?", "At the {place}: what does it say?",
    test=("What can you read at the {place}?", "Read out the {place} line."))
INK = frames(
    "(What|Which) colour (is|has) the (text|writing)?", "In (what|which) colour is it (written|printed)?", "(Name|Tell me|Give) the (colour of the text|text colour).",
    test=("What colour is the writing?", "Which colour do the characters have?"))
LENGTH = frames(
    "How many digits (does the number have|are there|has it|do you see)?", "Count the digits.", "How many digits long is (the number|it)?",
    test=("What is the number of digits?", "Tell me how many digits it has."))
LABELLED = frames(
    "(Which|What) (shape|object|figure) has the {what} {label}?", "(What|Which) shape is (marked|labelled|tagged) {label}?", "The {what} {label} is in (which|what) shape?",
    "(What|Which) shape is the {what} {label} in?", "(Which|What) shape (holds|contains|shows) the {what} {label}?", "Where is the {what} {label}(| written)?",
    "(Find|Name) the shape with (the|) {what} {label}.", "{label} is written (in|on) which shape?", "In (what|which) (shape|figure) (is|stands) {label}?",
    test=("In which shape do you read {label}?", "Which shape bears the {what} {label}?"))
LABEL_OF = frames(
    "What is (written|printed) (in|on|inside) the {it}?", "(Which|What) {what} is (in|on|inside) the {it}?", "(Read|Give|Tell me) the {what} (in|on) the {it}.",
    "What does the {it} say?", "(Which|What) {what} (has|does the {it} show|do you read in|stands in) the {it}?", "The {it} has (which|what) {what}?",
    "What is the (label|inscription|{what}) (of|on|in) the {it}?", "(Which|What) label (is on|stands in|belongs to|does one see on) the {it}?",
    "(Label|Inscription|{what}) (of|on) the {it}?", "How is the {it} (labelled|marked)?", "(With which|With what) {what} is the {it} marked?", "(Which|What) {what} is on the {it}?",
    test=("Which {what} does the {it} hold?", "What label has the {it}?"))
LABEL_OF = only(LABEL_OF, lambda s: s.count("{it}") == 1)

# ----------------------------------------------------------------------------- bar charts

LARGEST = frames(
    "(Which|What) bar is the (largest|tallest|highest|longest|biggest)?", "(What|Which one|Who) has the (highest|largest|biggest|greatest) (value|number|bar)?",
    "(Which|What) label has the (largest|highest|tallest) (value|bar)?", "What is the (largest|tallest|highest|longest) bar?", "Where is the (maximum|largest value|peak|top value)?",
    "(Name|Give|Find|Tell me) the (tallest|largest|highest|biggest) (bar|one).", "Which one is the (largest|tallest|biggest|highest)?",
    "(Largest|Tallest|Highest) bar?", "(Which|What) (group|name|item|entry) (leads|is on top|comes first|has the most)?", "(What|Which) (is|one is) the maximum?",
    test=("Which category has the highest bar?", "Which bar reaches highest?"))
SMALLEST = frames(
    "(Which|What) bar is the (smallest|shortest|lowest)?", "(What|Which one|Who) has the (lowest|smallest|least) (value|number|bar)?",
    "(Which|What) label has the (smallest|lowest|shortest) (value|bar)?", "What is the (smallest|shortest|lowest) bar?", "Where is the (minimum|smallest value|lowest value)?",
    "(Name|Give|Find|Tell me) the (shortest|smallest|lowest) (bar|one).", "Which one is the (smallest|shortest|lowest)?",
    "(Smallest|Shortest|Lowest) bar?", "(Which|What) (group|name|item|entry) (is last|has the least|comes last)?",
    test=("Which category has the lowest bar?", "Which bar reaches least high?"))
VALUE = frames(
    "What is the (value|number|height) (of|for|at) {it}?", "(What|Which) (value|number) (has|is at|stands at) {it}?", "How (much|many|high) is {it}?",
    "How (high|tall|large|big) is (the bar {it}|the bar of {it}|the {it} bar)?", "(Read|Give|Tell me|Say|State|Find) the (value|number) (of|for|at) {it}.",
    "{it}: (which|what) (value|number)?", "{it}?", "(What|Which value) does (the bar {it}|{it}|the {it} bar) (show|reach|stand at|have there)?",
    "(What|Which) number belongs to {it}?", "(And|Now|What about) {it}?", "How (much|many) (does {it} have|for {it}|has {it})?",
    "What (does the chart say|do you read|do you see|can be read) (for|at) {it}?", "(What|Which value) (is given|is drawn|is reported|do we have) for {it}?",
    "What is {it} (at|worth)?", "The value (of|for) {it}(| please)?",
    test=("Which value does {it} have?", "What is shown for {it}?"))
HIGHER = frames(
    "Is {a} (higher|larger|bigger|taller|more|greater) than {b}?", "Is the bar {a} (taller|higher|larger) than (|the bar ){b}?",
    "(Does|Has) {a} (have |)a (higher|larger) (value|bar) than {b}?", "Is {a} above {b}?", "Does {a} (beat|lie above) {b}?",
    "Is the value (of|for) {a} (larger|higher) than (that of|the value of|the one of) {b}?",
    test=("Is {a} more than {b}?", "Does {a} exceed {b}?"))
COMPARE = frames(
    "Which (is|bar is|one is) (larger|higher|taller|bigger), {a} or {b}?", "{a} or {b}: which is (higher|larger|taller|more)?",
    "Which has the (higher|larger) (value|bar), {a} or {b}?", "(Compare|Take) {a} and {b}: which is (larger|higher|taller)?",
    "Of {a} and {b}, which is (larger|higher|taller)?", "What is (more|larger|higher), {a} or {b}?", "(Is {a} or {b}|Are there more) (larger|higher)?",
    test=("Between {a} and {b}, which is taller?", "Of the two, {a} and {b}, which one has more?"))
COMPARE = only(COMPARE, lambda s: "Are there more" not in s)
BARS = frames(
    "How many (bars|columns) (are there|does the chart have|do you see|has the chart)?", "Count the (bars|columns).", "What is the number of bars?",
    "(Give|Say) the number of bars.", test=("How many bars are shown?", "Tell me how many bars there are."))
TITLE = frames(
    "What is the (title|heading|headline)(| of the chart)?", "What is the chart (about|called)?", "(Read|Give|Tell me|Copy) the (title|heading).",
    "(Which|What) (title|heading) (does the chart have|is there|do you see)?", test=("Name the title of the chart.", "What does the title say?"))
LABELS = frames(
    "(List|Name|Read|Give|Copy) (the labels|all labels|the bars|the names)(| from left to right).", "What are the (labels|names)(| from left to right)?",
    "(Which|What) (bars|labels) (are there|do you see)?", test=("List the bars.", "What are the bars called?"))
HUE = frames(
    "(What|Which) colour (are|have) the bars?", "(Which|What) colour do the bars have?", "(Name|Tell me|Say) the colour of the bars.",
    "In (what|which) colour are the bars (drawn|shown|painted)?", test=("What is the colour of the bars?", "Which colour are the bars?"))
CHART = frames(
    "(Describe|Read|Explain) the chart.", "What does the (chart|graph|diagram) (show|say)?", "(Give|List|Read|Tell me) all (values|numbers).",
    "(List|Give|Name) the bars with their values.", "What are the (values|numbers)?", "(Turn|Put) the chart into (words|text).",
    "Tell me what the chart shows.", test=("Please describe the chart.", "Report all values of the chart."))

# ----------------------------------------------------------------------------- clips

WAY = frames(
    "(Which|What) way does the {it} (move|go|travel|head)?", "In (which|what) direction (does the {it} move|does the {it} go|is the {it} heading)?",
    "Where does the {it} (go|move|head)?", "(Which|What) direction does the {it} (move in|take|go)?", "(Tell me|Say|Name) the direction of the {it}.",
    "Where is the {it} (moving|going|heading)?", "How does the {it} (move|travel)?", "What is the direction of (motion|movement) of the {it}?",
    "Does the {it} move (left, right, up or down|up, down, left or right)?", "(Tell me|Say) (how|where) the {it} moves.", "The {it} moves (where|which way)?",
    test=("Which way is the {it} going?", "To which side does the {it} travel?"))
FIRST = frames(
    "(Which|What) (shape|object|figure) (appears|comes|is seen|is there|shows up) first?", "What (appears|comes|is seen|do you see) first?",
    "Which one (is seen|comes|appears) first?", "(Name|Tell me|Say) the (shape|object) that (appears|comes) first.",
    "Which (shape|object|one) is the first(| to appear| to come| one)?", "First (shape|object)?",
    test=("Which object turns up first?", "What shows up first?"))
LAST = frames(
    "(Which|What) (shape|object|figure) (appears|comes|is seen) (last|second|later)?", "What (appears|comes|do you see) (second|last|later)?",
    "Which one (is seen|comes|appears) (later|second|last)?", "(Name|Tell me|Say) the (shape|object) that (appears|comes) (second|last).",
    "Which (shape|object|one) is the (second|last)(| to appear| one)?", test=("Which object turns up second?", "What shows up second?"))
LEAVES = frames(
    "(Which|What) (shape|object|figure) (disappears|leaves|is gone|goes) first?", "What (disappears|leaves|goes) first?", "Which one (goes away|disappears|leaves) first?",
    "(Name|Tell me|Say) the (shape|object) that (disappears|leaves) first.", "Which (shape|object|one) is the first to (leave|go|disappear)?",
    test=("Which object vanishes first?", "What goes away first?"))
FLASHES = frames(
    "How (many times|often) does the {it} (flash|blink|appear|come up)?", "Count the (flashes|blinks) of the {it}.", "How many (flashes|blinks) (are there|do you see|do you count)?",
    "(Tell me|Say) how (many times|often) the {it} (flashes|blinks|appears).", "What is the number of (flashes|blinks)?", "How (many times|often) (do you see|is there) the {it}?",
    "How often (is the {it} lit|does the {it} go on)?", "How many times does the {it} light up?",
    test=("How many times can the {it} be seen?", "How often does the {it} show up?"))
SEQUENCE = frames(
    "(Which|What) colours does the {it} (have|take|get), (in order|one by one)?", "What colours does the {it} (take|have|go through)?", "List the colours(| of the {it})(| in order).",
    "In (which|what) order do the colours (appear|come)?", "Name the colours(| of the {it})(| in order).", "What is the (sequence|order) of (the |)colours?",
    "(Which|What) colours do you see(, first to last|, in order|)?", "How does the colour of the {it} change?", "(Tell me|Say) the colours in order.",
    test=("Give the colours of the {it} from first to last.", "What colours does the {it} show, one after the other?"))
END_COLOUR = frames(
    "(What|Which) colour (is|has) the {it} at the {end}?", "(Which|What) colour does the {it} have at the {end}?", "At the {end}, (what|which) colour (is|has) the {it}?",
    "The colour of the {it} at the {end}?", test=("Name the colour of the {it} at the {end}.", "Tell me the colour of the {it} at the {end}."))
FASTER = frames(
    "(Which|What) (shape|object|one) (is|moves|goes) faster?", "What (moves|is|goes) faster?", "Which one is the (faster|quicker) one?",
    "(Name|Tell me|Say) the (faster|quicker) (shape|object|one).", "Which (shape|object) is (faster|quicker|the fastest)?", "Which of the two is (faster|the faster one)?",
    "(Which|What) (shape|figure|one) (goes|travels|runs|advances) (at the higher speed|with more speed|more rapidly|more swiftly|at a quicker pace)?",
    "(Which|What) (shape|object|one) (covers|crosses) (more ground|a longer way)(| in the same time)?", "(Which|What) has the higher speed?",
    "Which (one|shape|object) moves (in the quicker way|with the greater speed|the fastest|the quickest|faster than the other)?",
    "(Of the two, which|Which of them|Which of both) (moves|goes|is) (faster|the faster one|the fastest)?", "Compare the speeds: which (one|shape) (wins|moves faster|is ahead)?",
    test=("Which of the two is quicker?", "Which one moves more quickly?"))
SLOWER = frames(
    "(Which|What) (shape|object|one) (is|moves|goes) slower?", "What moves (more slowly|slower)?", "(Name|Tell me|Say) the slower (shape|object|one).",
    "Which (shape|one) is the (slower|slowest) one?", test=("Which object is slower?", "Which of the two is the slower one?"))
MEET = frames(
    "Do (the shapes|the two shapes|they|the objects) (bounce or pass|pass or bounce)?", "Do the (two |)(shapes|objects) bounce off each other or pass?",
    "What happens when (the shapes|they|the two) meet: bounce or pass?", "When they meet, do (the shapes|they) bounce or pass?", "(Bounce or pass|A bounce or a pass)?",
    test=("Do the objects bounce or pass each other?", "Is it a bounce or a pass?"))
PLACE = frames(
    "Where is the {it} at the {end}?", "In (which|what) part of the (picture|clip|image) is the {it} at the {end}?", "At the {end}, where (is|do you see) the {it}?",
    "(Tell me|Say) where the {it} is at the {end}.", "What is the place of the {it} at the {end}?",
    test=("Where do you see the {it} at the {end}?", "Where can the {it} be found at the {end}?"))
HOW_MANY = frames(
    "How many (shapes|objects|figures) are (there|in the clip)?", "How many (shapes|objects) do you see?", "Count the (shapes|objects).",
    test=("How many shapes does the clip show?", "Tell me how many shapes there are."))
DESCRIBE_CLIP = frames(
    "Describe (the clip|the video|what happens|this).", "What happens(| in the clip| in the video| here)?", "What do you see?", "Tell me what (happens|you see).",
    "What does the (video|clip) show?", "What (goes|is going) on(| in the clip)?", test=("What can be seen in the video?", "Please describe this video."))
