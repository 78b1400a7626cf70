# SPDX-License-Identifier: Apache-2.0
"""Bar charts: title, labels, axis or printed values; questions about bars, values, order, colours and the whole."""
from dataclasses import dataclass
from functools import partial

import drawing
from dialog import Split
from drawing import COLOURS, FONTS
from tasks import scenes, wordings
from tasks.media import Question, invented_word, rare_words, say, words, wording
from tasks.scenes import Scene, photograph

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


def short_words(r, split, count):
    """Different words of up to five letters; in training some that hardly anybody knows, and made-up ones."""
    found = set()
    while len(found) < count:
        kind = r.random() if split is Split.TRAIN else 0.0
        word = r.choice(words(split)) if kind < 0.4 else r.choice(rare_words()) if kind < 0.6 else invented_word(r)
        if len(word) <= 5:
            found.add(word)
    return r.sample(sorted(found), count)


def invent(r, split):
    """Labels, values and title. Values read off an axis are multiples of a twentieth of it."""
    count = r.randint(3, 6)
    if r.random() < 0.6:
        names = list(r.choice([s for s in LABEL_SETS if len(s) >= count]))
        start = r.randint(0, len(names) - count)
        labels = names[start:start + count] if r.random() < 0.7 else r.sample(names, count)
    else:
        labels = [r.choice((w, w.capitalize())) for w in short_words(r, split, count)]
    top, printed = r.choice((10, 20, 50, 100, 100, 200)), r.random() < 0.5
    step = max(1, top // 20)
    low = max(1, top // 10)
    values = [r.randint(low, top) if printed else step * r.randint(-(-low // step), top // step) for _ in range(count)]
    title = r.choice(TITLES) if r.random() < 0.6 else r.choice(words(split)).capitalize()
    return Chart(title if r.random() < 0.8 else "", labels, values, top, "", printed)


def plot(r, split, chart):
    """Draws the chart; None when the labels do not fit. Sets chart.colour."""
    width, height = scenes.picture_size(r, 150, 224, 1.35)
    name, small = r.choice(FONTS[split]), r.randint(11, 14)
    face, head = drawing.font(name, small), drawing.font(name, small + r.randint(1, 4))
    left = 6 if chart.printed else 10 + drawing.text_width(face, str(chart.top))
    top = 8 + (head.size + 4 if chart.title else 2) + (small if chart.printed else 4)
    bottom = height - small - 8
    pitch = (width - left - 6) / len(chart.labels)
    if max(drawing.text_width(face, text) for text in chart.labels + [str(v) for v in chart.values]) > pitch - 3:
        return None
    paper = (255, 255, 255) if r.random() < 0.75 else tuple(r.randint(225, 250) for _ in range(3))
    canvas = scenes.render(r, Scene(width, height, drawing.Background(paper, paper, "plain")))
    level = lambda value: bottom - (bottom - top) * value / chart.top
    ticks = axis_ticks(r, chart, height)
    marks = ticks if ticks else [chart.top * k / 4 for k in range(5)] if r.random() < 0.15 else []
    for tick in marks:
        canvas.rectangle((left, level(tick) - 0.5, width - 4, level(tick) + 0.5), (205, 205, 205))
    draw_bars(r, canvas, chart, [left + (i + 0.5) * pitch for i in range(len(chart.labels))], pitch, level)
    canvas.rectangle((left, bottom - 0.5, width - 4, bottom + 1), (40, 40, 40))
    if r.random() < 0.3:                                                        # an upright axis
        canvas.rectangle((left - 0.5, top - 4, left + 0.5, bottom), (40, 40, 40))
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


def axis_ticks(r, chart, height):
    """Values written at the axis; none where they stand above the bars."""
    if chart.printed:
        return []
    parts = 5 if chart.top % 5 == 0 and height > 170 else 4 if chart.top % 4 == 0 and height > 160 and r.random() < 0.3 else 2
    return [chart.top * k / parts for k in range(parts + 1)]


def draw_bars(r, canvas, chart, middles, pitch, level):
    """The bars, in one colour or each in its own, sometimes with an edge. Sets chart.colour."""
    usable = [c for c in COLOURS if c not in ("white", "black")]
    chart.colour = r.choice(usable) if r.random() < 0.7 else ""
    base, thick = drawing.shade(r, chart.colour or "gray"), pitch * r.uniform(0.45, 0.85)
    edge = r.choice(((30, 30, 30), (90, 90, 90))) if r.random() < 0.2 else None
    for i, (middle, value) in enumerate(zip(middles, chart.values)):
        rgb = base if chart.colour else drawing.shade(r, usable[(i * 4 + 1) % len(usable)])
        box = (middle - thick / 2, level(value), middle + thick / 2, level(0))
        if edge:
            canvas.rectangle(box, edge)
            box = (box[0] + 1, box[1] + 1, box[2] - 1, box[3])
        canvas.rectangle(box, rgb)


def extreme(r, split, chart, frames, sign):
    """Question about the largest (sign 1) or smallest (-1) bar, when it is clearly so."""
    first, second = sorted((sign * v for v in chart.values), reverse=True)[:2]
    if first - second >= TALL * chart.top:
        return Question(wording(r, split, frames), chart.labels[chart.values.index(sign * first)], chart.trace)


def ask_largest(r, split, chart):
    return extreme(r, split, chart, wordings.LARGEST, 1)


def ask_smallest(r, split, chart):
    return extreme(r, split, chart, wordings.SMALLEST, -1)


def ask_value(r, split, chart):
    i = r.randrange(len(chart.labels))
    value, slack = chart.values[i], 0 if chart.printed else chart.top // 20
    return Question(wording(r, split, wordings.VALUE, it=chart.labels[i]), str(value),
                    chart.trace, tuple(str(v) for v in range(value - slack, value + slack + 1) if v != value))


def ask_compare(r, split, chart):
    i, j = r.sample(range(len(chart.labels)), 2)
    (a, x), (b, y) = ((chart.labels[k], chart.values[k]) for k in (i, j))
    if abs(x - y) < TALL * chart.top:
        return None
    trace = f"{a} {x}, {b} {y}."
    if r.random() < 0.5:
        return Question(wording(r, split, wordings.HIGHER, a=a, b=b), "Yes." if x > y else "No.", trace)
    return Question(wording(r, split, wordings.COMPARE, a=a, b=b), a if x > y else b, trace)


def ask_bars(r, split, chart):
    return Question(wording(r, split, wordings.BARS), say(str(len(chart.labels))))


def ask_title(r, split, chart):
    return Question(wording(r, split, wordings.TITLE), chart.title or "The chart has no title.")


def ask_labels(r, split, chart):
    return Question(wording(r, split, wordings.LABELS), ", ".join(chart.labels))


def ask_colour(r, split, chart):
    return Question(wording(r, split, wordings.HUE), say(chart.colour)) if chart.colour else None


def ask_describe(r, split, chart):
    title = f' titled "{chart.title}"' if chart.title else ""
    return Question(wording(r, split, wordings.CHART if r.random() < 0.6 else wordings.DESCRIBE), f"A bar chart{title} with {len(chart.labels)} bars: {chart.trace}")


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
