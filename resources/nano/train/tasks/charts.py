# SPDX-License-Identifier: Apache-2.0
"""Bar charts: title, labels, axis or printed values; questions about bars, values, order, colours and the whole."""
from dataclasses import dataclass
from functools import partial

import drawing
from dialog import Split
from drawing import COLOURS, FONTS
from tasks import scenes
from tasks.media import DESCRIBE, Question, say, words, wording
from tasks.scenes import Scene, photograph

LARGEST = ("Which bar is the largest?", "Which bar is the tallest?", "What has the highest value?", "Which label has the largest value?",
           "Which bar is the highest?", "What is the largest bar?", "Where is the maximum?", "Name the tallest bar.", "Which one is the largest?",
           "Which category has the highest bar?", "Which bar reaches highest?")
SMALLEST = ("Which bar is the smallest?", "Which bar is the shortest?", "What has the lowest value?", "Which label has the smallest value?",
            "Which bar is the lowest?", "What is the smallest bar?", "Where is the minimum?", "Name the shortest bar.", "Which one is the smallest?",
            "Which category has the lowest bar?", "Which bar reaches least high?")
VALUE = ("What is the value of {it}?", "What value has {it}?", "How much is {it}?", "How high is the bar {it}?", "Read the value of {it}.",
         "Give the value for {it}.", "{it}: which value?", "What does the bar {it} show?", "What number belongs to {it}?",
         "Tell me the value of {it}.", "Which value does {it} have?", "What is shown for {it}?")
HIGHER = ("Is {a} higher than {b}?", "Is the bar {a} taller than {b}?", "Is {a} larger than {b}?", "Does {a} have a higher value than {b}?",
          "Is the value of {a} larger than that of {b}?", "Is {a} more than {b}?", "Does {a} exceed {b}?")
COMPARE = ("Which is larger, {a} or {b}?", "Which bar is taller, {a} or {b}?", "{a} or {b}: which is higher?", "Which has the higher value, {a} or {b}?",
           "Of {a} and {b}, which is larger?", "What is more, {a} or {b}?", "Between {a} and {b}, which is taller?")
BARS = ("How many bars are there?", "How many bars does the chart have?", "Count the bars.", "How many bars do you see?",
        "What is the number of bars?", "How many bars are shown?", "Tell me how many bars there are.")
TITLE = ("What is the title of the chart?", "What is the chart about?", "What is the title?", "Read the title.", "Which title does the chart have?",
         "Name the title of the chart.", "What does the title say?")
LABELS = ("List the labels from left to right.", "What are the labels?", "Name the bars from left to right.", "Read the labels.",
          "Which bars are there?", "List the bars.", "What are the bars called?")
HUE = ("What colour are the bars?", "Which colour do the bars have?", "Name the colour of the bars.", "In what colour are the bars drawn?",
       "What is the colour of the bars?", "Which colour are the bars?")
CHART = ("Describe the chart.", "What does the chart show?", "Read the chart.", "Give all values.", "List the bars with their values.",
         "Tell me what the chart shows.", "What are the values?", "Please describe the chart.", "Report all values of the chart.")

LABEL_SETS = (("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"), ("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
              ("A", "B", "C", "D", "E", "F"), ("2019", "2020", "2021", "2022", "2023", "2024"), ("Q1", "Q2", "Q3", "Q4"),
              ("North", "South", "East", "West"), ("Ann", "Ben", "Cara", "Dan", "Eve", "Finn"), ("Oslo", "Rome", "Lima", "Cairo", "Bern", "Quito"),
              ("cats", "dogs", "birds", "fish", "cows", "pigs"), ("tea", "milk", "juice", "water", "soda"))
TITLES = ("Sales", "Visitors", "Rain", "Books", "Apples", "Points", "Hours", "Costs", "Trees", "Goals", "Guests", "Trips", "Steps", "Votes", "Profit",
          "Weight", "Orders", "Tickets", "Calls", "Energy")
TALL = 0.06                  # smallest difference of two bars, as a share of the axis, that a question may depend on


@dataclass
class Chart:
    title: str
    labels: list
    values: list
    top: int                 # end of the axis
    colour: str              # of all bars, or "" when each has its own
    printed: bool            # values stand above the bars instead of at an axis

    @property
    def trace(self):
        return ", ".join(f"{label} {value}" for label, value in zip(self.labels, self.values)) + "."


def invent(r, split):
    """Labels, values and title. Values read off an axis are multiples of a twentieth of it."""
    count = r.randint(3, 6)
    if r.random() < 0.6:
        names = list(r.choice([s for s in LABEL_SETS if len(s) >= count]))
        start = r.randint(0, len(names) - count)
        labels = names[start:start + count] if r.random() < 0.7 else r.sample(names, count)
    else:
        short = [w for w in r.sample(words(split), 60) if len(w) <= 5]
        labels = [r.choice((w, w.capitalize())) for w in short[:count]]
    top, printed = r.choice((10, 20, 50, 100, 100, 200)), r.random() < 0.5
    step = max(1, top // 20)
    low = max(1, top // 10)
    values = [r.randint(low, top) if printed else step * r.randint(-(-low // step), top // step) for _ in range(count)]
    title = r.choice(TITLES) if r.random() < 0.6 else r.choice(words(split)).capitalize()
    return Chart(title if r.random() < 0.8 else "", labels, values, top, "", printed)


def plot(r, split, chart):
    """Draws the chart; None when the labels do not fit. Sets chart.colour."""
    width, height = scenes.picture_size(r, 150, 224, 1.35)
    name, small = r.choice(FONTS[split]), r.randint(11, 13)
    face, head = drawing.font(name, small), drawing.font(name, small + r.randint(1, 4))
    left = 6 if chart.printed else 10 + drawing.text_width(face, str(chart.top))
    top = 8 + (head.size + 4 if chart.title else 2) + (small if chart.printed else 4)
    bottom = height - small - 8
    pitch = (width - left - 6) / len(chart.labels)
    if max(drawing.text_width(face, label) for label in chart.labels) > pitch - 3:
        return None
    white = r.random() < 0.75
    paper = (255, 255, 255) if white else tuple(r.randint(225, 250) for _ in range(3))
    scene = Scene(width, height, drawing.Background(paper, paper, "plain"))
    usable = [c for c in COLOURS if c not in ("white", "black")]
    chart.colour = r.choice(usable) if r.random() < 0.7 else ""
    base = drawing.shade(r, chart.colour or "gray")
    canvas = scenes.render(r, scene)
    level = lambda value: bottom - (bottom - top) * value / chart.top
    ticks = [] if chart.printed else [chart.top * k / 5 for k in range(6)] if chart.top % 5 == 0 and height > 170 else \
        [chart.top * k / 2 for k in range(3)]
    for tick in ticks:
        canvas.rectangle((left, level(tick) - 0.5, width - 4, level(tick) + 0.5), (205, 205, 205))
    thick = pitch * r.uniform(0.5, 0.8)
    for i, value in enumerate(chart.values):
        rgb = base if chart.colour else drawing.shade(r, usable[(i * 4 + 1) % len(usable)])
        middle = left + (i + 0.5) * pitch
        canvas.rectangle((middle - thick / 2, level(value), middle + thick / 2, bottom), rgb)
    canvas.rectangle((left, bottom - 0.5, width - 4, bottom + 1), (40, 40, 40))
    canvas.flatten()
    black = (r.randint(0, 50),) * 3
    for tick in ticks:
        canvas.text(left - 3, level(tick), f"{tick:g}", face, black, "rm")
    for i, (label, value) in enumerate(zip(chart.labels, chart.values)):
        middle = left + (i + 0.5) * pitch
        canvas.text(middle, bottom + 3, label, face, black, "ma")
        if chart.printed:
            canvas.text(middle, level(value) - 2, str(value), face, black, "mb")
    if chart.title:
        canvas.text(width / 2, 4, chart.title, head, black, "ma")
    return canvas.pixels()


def extreme(r, split, chart, frames, sign):
    """Question about the largest (sign 1) or smallest (-1) bar, when it is clearly so."""
    first, second = sorted((sign * v for v in chart.values), reverse=True)[:2]
    if first - second >= TALL * chart.top:
        return Question(wording(r, split, frames), chart.labels[chart.values.index(sign * first)], chart.trace)


def ask_largest(r, split, chart):
    return extreme(r, split, chart, LARGEST, 1)


def ask_smallest(r, split, chart):
    return extreme(r, split, chart, SMALLEST, -1)


def ask_value(r, split, chart):
    i = r.randrange(len(chart.labels))
    value, slack = chart.values[i], 0 if chart.printed else chart.top // 20
    return Question(wording(r, split, VALUE, it=chart.labels[i]), str(value),
                    also=tuple(str(v) for v in range(value - slack, value + slack + 1) if v != value))


def ask_compare(r, split, chart):
    i, j = r.sample(range(len(chart.labels)), 2)
    (a, x), (b, y) = ((chart.labels[k], chart.values[k]) for k in (i, j))
    if abs(x - y) < TALL * chart.top:
        return None
    trace = f"{a} {x}, {b} {y}."
    if r.random() < 0.5:
        return Question(wording(r, split, HIGHER, a=a, b=b), "Yes." if x > y else "No.", trace)
    return Question(wording(r, split, COMPARE, a=a, b=b), a if x > y else b, trace)


def ask_bars(r, split, chart):
    return Question(wording(r, split, BARS), say(str(len(chart.labels))))


def ask_title(r, split, chart):
    return Question(wording(r, split, TITLE), chart.title or "The chart has no title.")


def ask_labels(r, split, chart):
    return Question(wording(r, split, LABELS), ", ".join(chart.labels))


def ask_colour(r, split, chart):
    return Question(wording(r, split, HUE), say(chart.colour)) if chart.colour else None


def ask_describe(r, split, chart):
    title = f' titled "{chart.title}"' if chart.title else ""
    return Question(wording(r, split, CHART if r.random() < 0.6 else DESCRIBE), f"A bar chart{title} with {len(chart.labels)} bars: {chart.trace}")


ASK = (ask_largest, ask_smallest, ask_value, ask_value, ask_compare, ask_bars, ask_title, ask_labels, ask_colour, ask_describe)


def chart_episode(ask, r, split):
    while True:
        chart = invent(r, split)
        first = ask(r, split, chart)
        pixels = first and plot(r, split, chart)
        if pixels is None:
            continue
        questions = [first]
        if split is Split.TRAIN:
            asked = r.sample(ASK, r.randint(2, 5))
            new = [q for q in (f(r, split, chart) for f in asked) if q and q.text != first.text]
            questions += list({q.text: q for q in new}.values())
        return [photograph(r, split, pixels)], questions


EPISODES = {
    "chart-largest": partial(chart_episode, ask_largest),
    "chart-value": partial(chart_episode, ask_value),
    "chart-describe": partial(chart_episode, ask_describe),
}
