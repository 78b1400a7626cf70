# SPDX-License-Identifier: Apache-2.0
"""Tables as CSV, markdown or cards, invented or from the World Factbook: cells, extremes, filters and sums.

In thinking mode the steps stand in the trace; in direct mode the answer itself names the rows it rests on.
"""
import re
from dataclasses import dataclass

from dialog import Split, Turn
from tasks import corpus, names
from tasks.facts import capital
from tasks.questions import UNKNOWN, cost, family, frame, size, with_document


@dataclass
class Table:
    kind: str               # what a row is: "locker"
    head: str               # name of the first column
    columns: list           # names of the others
    rows: list              # (name, [cell text, ...])
    numeric: list           # per column: True if its cells are plain integers
    unit: list              # per column: text after the number, "" or " km"

    def number(self, row, column):
        return int(re.sub(r"[^\d-]", "", self.rows[row][1][column]))

    def column(self, c):
        return [cells[c] for _, cells in self.rows]


# row kind -> columns (name, unit or None if not a number, value)
SYNTHETIC = {
    "person": (("age", "", lambda r, s: r.randint(8, 90)), ("city", None, lambda r, s: names.draw(r, s, "city")),
               ("profession", None, lambda r, s: names.draw(r, s, "profession")),
               ("salary", "", lambda r, s: r.randint(10, 99) * 100),
               ("favorite color", None, lambda r, s: r.choice(names.COLOR[:6])),
               ("score", "", lambda r, s: r.randint(1, 99))),
    "product": (("price", "", lambda r, s: r.randint(2, 250)), ("stock level", "", lambda r, s: r.randint(0, 120)),
                ("color", None, lambda r, s: r.choice(names.COLOR[:6])), ("weight", "", lambda r, s: r.randint(1, 90)),
                ("supplier", None, lambda r, s: names.draw(r, s, "last")),
                ("shelf", None, lambda r, s: f"{r.choice('ABCD')}{r.randint(1, 9)}")),
    "city": (("population", "", lambda r, s: r.randint(2, 900) * 100), ("rainfall", "", lambda r, s: r.randint(100, 2000)),
             ("mayor", None, lambda r, s: names.draw(r, s, "first")), ("museum count", "", lambda r, s: r.randint(1, 40)),
             ("river", None, lambda r, s: names.invented(r, s)), ("temperature", "", lambda r, s: r.randint(2, 39))),
    "train": (("platform", "", lambda r, s: r.randint(1, 14)), ("destination", None, lambda r, s: names.draw(r, s, "city")),
              ("departure", None, lambda r, s: f"{r.randint(0, 23):02}:{r.randrange(0, 60, 5):02}"),
              ("delay", "", lambda r, s: r.randint(0, 60)),
              ("seat count", "", lambda r, s: r.randint(40, 600)), ("driver", None, lambda r, s: names.draw(r, s, "last"))),
    "student": (("grade", "", lambda r, s: r.randint(1, 10)), ("subject", None, lambda r, s: r.choice(names.SUBJECT[:8])),
                ("score", "", lambda r, s: r.randint(10, 100)), ("room", "", lambda r, s: r.randint(100, 400)),
                ("teacher", None, lambda r, s: names.draw(r, s, "last")),
                ("homework score", "", lambda r, s: r.randint(0, 15))),
    "project": (("budget", "", lambda r, s: r.randint(5, 95) * 100),
                ("leader", None, lambda r, s: names.draw(r, s, "first")),
                ("status", None, lambda r, s: r.choice(("open", "closed", "planned"))),
                ("duration", "", lambda r, s: r.randint(10, 500)),
                ("month", None, lambda r, s: r.choice(names.MONTH)), ("team size", "", lambda r, s: r.randint(2, 25))),
}
ROW_NAME = {"person": lambda r, s: names.draw(r, s, "first"), "product": lambda r, s: names.draw(r, s, "thing"),
            "city": names.city, "train": names.label, "student": lambda r, s: names.draw(r, s, "first"),
            "project": names.label}
FACTBOOK = (("capital", "Government / Capital / name", None), ("total area in sq km", "Geography / Area / total", "sq km"),
            ("coastline in km", "Geography / Coastline", "km"),
            ("internet code", "Communications / Internet country code", None),
            ("number of airports", "Transportation / Airports", ""), ("government", "Government / Government type", None),
            ("population", "People and Society / Population", ""),
            ("median age", "People and Society / Median age / total", None),
            ("life expectancy", "People and Society / Life expectancy at birth / total population", None))


def synthetic(r, split, rows, columns):
    kind = r.choice(list(SYNTHETIC))
    chosen = r.sample(SYNTHETIC[kind], min(columns, len(SYNTHETIC[kind])))
    table = Table(kind, r.choice((kind, "name")), [c[0] for c in chosen], [], [c[1] is not None for c in chosen],
                  [c[1] or "" for c in chosen])
    seen, tries = set(), 0
    while len(table.rows) < rows and tries < 500:
        tries += 1
        name = ROW_NAME[kind](r, split)
        if name not in seen:
            seen.add(name)
            table.rows.append((name, [str(c[2](r, split)) for c in chosen]))
    return table


def plain_number(text):
    """"1,234 sq km" or "45,000 (July 2013 est.)" -> "1234", else None"""
    match = re.fullmatch(r"(\d[\d,]*)(?: (?:sq )?km)?(?: \([^)]*\))?", text)
    return match and match.group(1).replace(",", "")


def factbook(r, split, rows, columns):
    chosen = r.sample(FACTBOOK, min(columns, len(FACTBOOK)))
    table = Table("country", "country", [c[0] for c in chosen], [], [c[2] is not None for c in chosen],
                  ["" for _ in chosen])
    pool = corpus.countries(split)
    for name, fields in r.sample(pool, len(pool)):
        cells = []
        for _, field, unit in chosen:
            value = fields.get(field, "")
            value = plain_number(value) if unit is not None else re.sub(r"\s*[;(].*", "", value)
            if not value or value.startswith("NA") or len(value) > 40 or "," in value or "|" in value:
                break
            cells.append(value)
        if len(cells) == len(chosen) and "," not in name:
            table.rows.append((name, cells))
        if len(table.rows) == rows:
            break
    return table


def as_text(r, table):
    kind = r.random()
    head, rows = [table.head, *table.columns], [[name, *cells] for name, cells in table.rows]
    if kind < 0.4:
        return "\n".join(",".join(line) for line in [head, *rows]) + "\n\n"
    if kind < 0.75:
        lines = ["| " + " | ".join(line) + " |" for line in [head, *rows]]
        lines.insert(1, "|" + " --- |" * len(head))
        return "\n".join(lines) + "\n\n"
    if kind < 0.82:
        return "\n".join("\t".join(line) for line in [head, *rows]) + "\n\n"
    cards = ["\n".join([f"{head[0]}: {row[0]}"] + [f"{key}: {value}" for key,
                                                   value in zip(head[1:], row[1:])]) for row in rows]
    return "\n\n".join(cards) + "\n\n"


# ---- questions: each returns (question, answer, trace) or None ------------------------------------------------------

CELL = ("What is the {c} of {n}?", "Tell me the {c} of {n}.", "Which {c} does {n} have?", "Look up the {c} of {n}.",
        "What does the table say about the {c} of {n}?",
        "I need the {c} of {n}.", "Find the {c} of {n}.", "Please give me the {c} of {n}.",
        "According to the table, what is the {c} of {n}?",
        "What value is in the column {c} for {n}?", "For {n}, what is the {c}?", "Could you tell me the {c} of {n}?")
CELL_SHORT = ("{n}, {c}?", "Give only the {c} of {n}.", "Just the {c} of {n}, please.", "The {c} of {n}?",
              "What is the {c} of {n}? Short answer.",
              "Only the {c} of {n}.", "State the {c} of {n} and nothing else.")
BACK = ("Which {k} has the {c} {v}?", "Whose {c} is {v}?", "For which {k} is the {c} {v}?",
        "Find the {k} with the {c} {v}.", "Name the {k} whose {c} is {v}.",
        "Which {k} is listed with the {c} {v}?", "The {c} {v} belongs to which {k}?", "Tell me which {k} has the {c} {v}.")
MOST = ("Which {k} has the highest {c}?", "Which {k} has the largest {c}?", "Where is the {c} highest?",
        "Name the {k} with the highest {c}.", "Find the {k} with the greatest {c}.",
        "What {k} has the highest {c}?", "Tell me which {k} has the largest {c}.", "Highest {c}: which {k}?",
        "In the table, which {k} has the most {c}?",
        "Which {k} is first when ranked by highest {c}?")
LEAST = ("Which {k} has the lowest {c}?", "Which {k} has the smallest {c}?", "Where is the {c} lowest?",
         "Name the {k} with the lowest {c}.", "Find the {k} with the smallest {c}.",
         "What {k} has the lowest {c}?", "Tell me which {k} has the smallest {c}.", "Lowest {c}: which {k}?",
         "In the table, which {k} has the least {c}?",
         "Which {k} is last when ranked by highest {c}?")
COUNT_EQUAL = ("How many rows have the {c} {v}?", "How many times does the {c} {v} occur?",
               "Count the rows with the {c} {v}.", "In how many rows is the {c} {v}?",
               "How many entries have the {c} {v}?", "For how many is the {c} {v}?", "How often is the {c} {v}?",
               "Count the entries whose {c} is {v}.")
COUNT_ABOVE = ("How many rows have {a} {c} above {v}?", "How many have {a} {c} greater than {v}?",
               "Count the rows with {a} {c} over {v}.", "In how many rows is the {c} more than {v}?",
               "How many entries have {a} {c} higher than {v}?", "For how many is the {c} larger than {v}?",
               "How often is the {c} above {v}?", "Count the entries whose {c} exceeds {v}.")
SUM = ("What is the total {c} of {n}?", "Add up the {c} of {n}.", "What is the sum of the {c} of {n}?",
       "How much is the {c} of {n} together?", "Sum the {c} for {n}.",
       "What do you get if you add the {c} of {n}?", "Calculate the total {c} for {n}.",
       "Together, what is the {c} of {n}?")
ROWS = ("How many rows does the table have?", "How many entries are in the table?", "Count the rows of the table.",
        "How long is the table, without its header?",
        "How many {k} entries are there?", "How many rows are there?")


def joined(items):
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


def cell(r, split, t):
    n, c = r.randrange(len(t.rows)), r.randrange(len(t.columns))
    name, v = t.rows[n][0], t.rows[n][1][c]
    if r.random() < 0.1:
        others = [o for kind in SYNTHETIC.values() for o, _, _ in kind if o not in t.columns]
        column, row = (r.choice(others), name) if r.random() < 0.5 else (t.columns[c],
                                                                         ROW_NAME.get(t.kind, names.invented)(r, split))
        if row != name and row in [x for x, _ in t.rows]:
            return None
        return frame(r, split, CELL).format(c=column, n=row), UNKNOWN, ""
    if r.random() < 0.3:
        return frame(r, split, CELL_SHORT).format(c=t.columns[c], n=name), v, ""
    return frame(r, split, CELL).format(c=t.columns[c], n=name), f"The {t.columns[c]} of {name} is {v}.", ""


def back(r, split, t):
    n, c = r.randrange(len(t.rows)), r.randrange(len(t.columns))
    v = t.rows[n][1][c]
    if t.column(c).count(v) != 1:
        return None
    return frame(r, split, BACK).format(k=t.kind, c=t.columns[c], v=v), f"{t.rows[n][0]} has the {t.columns[c]} {v}.", ""


def extreme(r, split, t):
    columns = [c for c in range(len(t.columns)) if t.numeric[c]]
    if not columns or len(t.rows) > 12:
        return None
    c, largest = r.choice(columns), r.random() < 0.6
    values = [t.number(n, c) for n in range(len(t.rows))]
    best = max(values) if largest else min(values)
    if values.count(best) != 1:
        return None
    steps, running = [], None
    for (name, cells), value in zip(t.rows, values):
        running = value if running is None or (value > running) == largest else running
        steps.append(f"{name} {value}, best {running}.")
    winner = t.rows[values.index(best)][0]
    question = frame(r, split, MOST if largest else LEAST).format(k=t.kind, c=t.columns[c])
    return question, f"{winner} has the {'highest' if largest else 'lowest'} {t.columns[c]}, {best}.", " ".join(steps)


def count(r, split, t):
    if len(t.rows) > 12:
        return None
    c = r.randrange(len(t.columns))
    if t.numeric[c]:
        values = [t.number(n, c) for n in range(len(t.rows))]
        v = r.choice(values) + r.choice((0, 1, -1, 5))
        hits = [n for n, value in enumerate(values) if value > v]
        question = frame(r, split, COUNT_ABOVE).format(c=t.columns[c], v=v, a="an" if t.columns[c][0] in "aeiou" else "a")
        steps = " ".join(f"{t.rows[n][0]} {value} {'yes' if value > v else 'no'}." for n, value in enumerate(values))
    else:
        v = r.choice(t.column(c))
        if t.column(c).count(v) == 1 and r.random() < 0.8:
            return None
        hits = [n for n, value in enumerate(t.column(c)) if value == v]
        question = frame(r, split, COUNT_EQUAL).format(c=t.columns[c], v=v)
        steps = ""
    found = [t.rows[n][0] for n in hits]
    numbered = ", ".join(f"{i} {name}" for i, name in enumerate(found, 1)) + "." if found else "None."
    return question, f"{len(found)}: {joined(found)}." if found else "0.", f"{steps} {numbered}".strip()


def total(r, split, t):
    columns = [c for c in range(len(t.columns)) if t.numeric[c]]
    if not columns or len(t.rows) < 2:
        return None
    c = r.choice(columns)
    chosen = sorted(r.sample(range(len(t.rows)), min(len(t.rows), r.randint(2, 5))))
    values = [t.number(n, c) for n in chosen]
    if max(values) > 9999:
        return None
    steps, running = [], values[0]
    for value in values[1:]:
        steps.append(f"{running} + {value} = {running + value}")
        running += value
    listed = ", ".join(f"{t.rows[n][0]} {value}" for n, value in zip(chosen, values))
    question = frame(r, split, SUM).format(c=t.columns[c], n=joined([t.rows[n][0] for n in chosen]))
    return question, f"The total is {running}.", f"{listed}. {', '.join(steps)}."


def length(r, split, t):
    if len(t.rows) > 20:
        return None
    numbered = ", ".join(f"{i} {name}" for i, (name, _) in enumerate(t.rows, 1))
    return frame(r, split, ROWS).format(k=t.kind), f"The table has {len(t.rows)} rows.", f"{numbered}."


def conversation(r, split, budget, kinds, most_rows):
    make = factbook if r.random() < 0.3 else synthetic
    columns = r.randint(2, 5)
    table = make(r, split, max(3, min(most_rows, int(budget * 0.4 / (columns * 5)), r.randint(3, most_rows))), columns)
    if len(table.rows) < 3:
        table = synthetic(r, split, 4, columns)
    document = [as_text(r, table)]
    thinking = r.random() < 0.5
    turns, spent, left, asked = [], 0, budget - size(document) - 60, set()
    for _ in range(150):
        if spent >= left and turns or len(turns) >= 40:
            break
        made = r.choice(kinds)(r, split, table) or (cell(r, split, table) if r.random() < 0.2 else None)
        if not made or made[0] in asked:
            continue
        question, answer, trace = made
        asked.add(question)
        if trace and not thinking and answer[0] == "T" and made[2] and "=" in trace:
            answer = f"{trace} {answer}"                # a sum is only right with its steps
        turns.append(Turn([question], answer, trace))
        spent += cost(question, answer, trace if thinking else "")
    if not turns:
        name, cells = table.rows[0]
        turns.append(Turn([f"What is the {table.columns[0]} of {name}?"],
                          f"The {table.columns[0]} of {name} is {cells[0]}."))
    dialog = with_document(r, split, document, turns)
    dialog.thinking = thinking
    return dialog


@family("table-cell", thinking=None)
def table_cell(r, split, budget):
    return conversation(r, split, budget, (cell, cell, cell, back), 30)


@family("table-extreme", thinking=None)
def table_extreme(r, split, budget):
    return conversation(r, split, budget, (extreme, extreme, cell), 10)


@family("table-count", thinking=None)
def table_count(r, split, budget):
    return conversation(r, split, budget, (count, count, count, length), 10)


@family("table-sum", thinking=None)
def table_sum(r, split, budget):
    return conversation(r, split, budget, (total,), 12)


# ---- one country's profile as a card --------------------------------------------------------------------------------

NOT_IN_FACTBOOK = ("postal code", "oldest bridge", "number of dentists", "tallest tower", "first king", "national bird",
                   "number of libraries", "favorite dish", "longest tunnel")


@family("card")
def card(r, split, budget):
    """Fields of one or several Factbook profiles as they stand there, long values included."""
    chosen, used = [], 0
    for name, fields in r.sample(corpus.countries(split), 4):
        keys = r.sample(sorted(fields), min(len(fields), r.randint(6, 24)))
        lines, short = [f"Country: {name}"], {}
        for key in keys:
            parts = key.split(" / ")
            label = parts[-1] if len(parts) < 3 else f"{parts[-2]} ({parts[-1]})"
            if label not in short and used < budget * 0.5 and "conventional" not in label and not fields[key].startswith("NA"):
                short[label] = fields[key].split(" ++ ")[0]
                lines.append(f"{label}: {short[label]}")
                used += corpus.tokens(lines[-1])
        if len(short) >= 2:
            chosen.append((name, short, "\n".join(lines)))
        if used > budget * 0.35:
            break
    document = ["\n\n".join(text for _, _, text in chosen) + "\n\n"]
    pairs = [(name, label, value) for name, short, _ in chosen for label, value in short.items()]
    r.shuffle(pairs)
    turns, spent, left = [], 0, budget - size(document) - 60
    while pairs and (spent < left or not turns):
        name, label, value = pairs.pop()
        if r.random() < 0.1:
            question, answer = frame(r, split, CELL_SHORT).format(c=r.choice(NOT_IN_FACTBOOK), n=name), UNKNOWN
        else:
            question, answer = frame(r, split, CELL_SHORT).format(c=label, n=name), value
        turns.append(Turn([question], answer))
        spent += cost(question, answer)
    return with_document(r, split, document, turns)


FAMILIES = {"table-cell": table_cell, "table-extreme": table_extreme, "table-count": table_count, "table-sum": table_sum,
            "card": card}
