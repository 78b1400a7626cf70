# SPDX-License-Identifier: Apache-2.0
"""Tables as CSV, markdown or cards, invented or from the World Factbook: cells, extremes, filters and sums.

In thinking mode the steps stand in the trace; in direct mode the answer itself names the rows it rests on.
"""
import re
from dataclasses import dataclass

from dialog import Split, Turn
from tasks import corpus, lexicon, names
from tasks.facts import ATTRIBUTE
from tasks.frames import frame
from tasks.lists import item_maker, numbered
from tasks.questions import UNKNOWN, cost, family, size, with_document


@dataclass
class Table:
    kind: str               # what a row is: "locker"
    head: str               # name of the first column
    columns: list           # names of the others
    rows: list              # (name, [cell text, ...])
    numeric: list           # per column: True if its cells are plain integers
    unit: list              # per column: text after the number, "" or " km"
    row_name: object        # (r, split) -> a name for a row

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
QUANTITY = """age score price weight height length width depth cost rank grade size speed limit budget rating capacity level power
distance output volume delay income visits votes points goals pages seats errors orders""".split()
FACTBOOK = (("capital", "Government / Capital / name", None), ("total area in sq km", "Geography / Area / total", "sq km"),
            ("coastline in km", "Geography / Coastline", "km"),
            ("internet code", "Communications / Internet country code", None),
            ("number of airports", "Transportation / Airports", ""), ("government", "Government / Government type", None),
            ("population", "People and Society / Population", ""),
            ("median age", "People and Society / Median age / total", None),
            ("life expectancy", "People and Society / Life expectancy at birth / total population", None))


def open_kind(r, split, columns):
    """(row kind, columns, row name) of a table about anything: "oar: limit, first color, damp score"."""
    noun, made = lexicon.lemma(r, split, "thing"), {}
    while len(made) < columns:
        numeric = r.random() < 0.5
        base = r.choice(QUANTITY) if numeric else r.choice(ATTRIBUTE) if r.random() < 0.6 else lexicon.lemma(r, split)
        name = f"{lexicon.lemma(r, split, 'adjective')} {base}" if r.random() < 0.25 else base
        if numeric:
            top = r.choice((10, 50, 100, 500, 2000))
            made[name] = (name, "", lambda r, s, top=top: r.randint(0, top))
        elif r.random() < 0.4:
            few = [lexicon.word(r, split) for _ in range(r.randint(2, 4))]
            made[name] = (name, None, lambda r, s, few=few: r.choice(few))
        else:
            make = item_maker(r, split)
            made[name] = (name, None, lambda r, s, make=make: make())
    return noun, list(made.values()), names.label if r.random() < 0.3 else lambda r, s: lexicon.token(r, s)


def synthetic(r, split, rows, columns):
    if r.random() < 0.5:
        kind, chosen, row_name = open_kind(r, split, columns)
    else:
        kind = r.choice(list(SYNTHETIC))
        chosen, row_name = r.sample(SYNTHETIC[kind], min(columns, len(SYNTHETIC[kind]))), ROW_NAME[kind]
    table = Table(kind, r.choice((kind, "name")), [c[0] for c in chosen], [], [c[1] is not None for c in chosen],
                  [c[1] or "" for c in chosen], row_name)
    seen, tries = set(), 0
    while len(table.rows) < rows and tries < 500:
        tries += 1
        name = row_name(r, split)
        if name.lower() not in seen and not name.isdigit():
            seen.add(name.lower())
            table.rows.append((name, [str(c[2](r, split)) for c in chosen]))
    return table


def plain_number(text):
    """"1,234 sq km" or "45,000 (July 2013 est.)" -> "1234", else None"""
    match = re.fullmatch(r"(\d[\d,]*)(?: (?:sq )?km)?(?: \([^)]*\))?", text)
    return match and match.group(1).replace(",", "")


def factbook(r, split, rows, columns):
    chosen = r.sample(FACTBOOK, min(columns, len(FACTBOOK)))
    table = Table("country", "country", [c[0] for c in chosen], [], [c[2] is not None for c in chosen],
                  ["" for _ in chosen], names.invented)
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

CELL = ("[As for|In the case of|With|Regarding|As to|About] {n}, [what is|what's|tell me|give me|which is] the {c}[?|.]",
       '[With|In the case of|As for] {n}[:|,] the {c}[?|, please.]',
       'Taking {n}, [what|how much] is the {c}?',
       '{n} comes with [what|which] {c}?',
       '[Concerning|On] {n}: what [is|do we know of] the {c}?',
       '[Under|In] {c}, what [is given|is written|do you find] for {n}?',
       '[Read off|See|Note|Report|Print|Name] the {c} [of|for] {n}[.|, please.]',
       '{n}: {c}[?|, please.|]',
       '[How about|What about] the {c} of {n}?',
       'Which {c} [is listed|is given|stands|do we have|was noted] for {n}?',
       '[In the row|On the line|At the entry] {n}, what is the {c}?',
       '[Go to|Look in|Check] the column {c}[.|:] What [does|is] [it say for|there for] {n}?',
       "[What's|What is] {n}'s {c}?",
       '{n} has [which|what] {c}?',
       "I [don't|do not] know the {c} of {n}. [Tell me.|Do you?|Can you look?]",
       "[What is|What's] the {c} of {n}?", "[Tell me|Find|Look up|Give me|Check|State|Read me] the {c} of {n}[.|, please.]",
        "[Which|What] {c} does {n} have?",
        "What does the [table|list|data] [say about|show for|give for] the {c} of {n}?",
        "[I need|I want|I am looking for] the {c} of {n}.",
        "[Please|Now|Next,] [find|give me|look up|tell me] the {c} of {n}.",
        "[According to|Going by|From] the [table|data], what is the {c} of {n}?",
        "[And|So|OK,] [what is |]the {c} of {n}?", "{n}: what is the {c}?",
        "[Can|Could] you [find|look up|give me] the {c} of {n}?",
        "[What|Which value] [do you see|does the table have|is listed|is given] [for|as] the {c} of {n}?",
        "[I'd like|I would like|We need|Show me] the {c} of {n}[.|, please.]",
        "[Take|Look at|Go to] [the row of |the entry |]{n}. [What is|Give me|Tell me] the {c}[.|?]",
        "What [value|entry] is in the column {c} for {n}?", "For {n}, what [is|does the table give as] the {c}?",
        "Could you tell me the {c} of {n}?")
CELL_SHORT = ('{c}, {n}[?|]',
       '{n} - {c}?',
       "[What's|What is] {n}'s {c}? [Just that.|Only that.|No sentence, please.]",
       '[Value only|In one word|Without a sentence]: the {c} of {n}.',
       '{c} for {n}[?|, only the value.]',
       '[Keep it short|Be brief]: the {c} of {n}[.|?]',
       '[Output|Return|Type|Say] just the {c} of {n}.',
       "{n}, {c}?",
              "[I want|I need|Give me|Please give me] [only|just|nothing but] the {c} of {n}[.|, no sentence.|, please.]",
              "[In short|Briefly], the {c} of {n}[?|.|, please.]",
              "[Reply|Answer] [only|just] with the {c} of {n}.", "[Give|Name|Print] only the {c} of {n}.",
              "Just the {c} of {n}[, please.|.|, no more.]", "The {c} of {n}?", "{c} of {n}?",
              "What is the {c} of {n}? [Short answer.|Just the value.|Only the answer.]",
              "[I only need|I just want] the {c} of {n}.",
              "Only the {c} of {n}.", "State the {c} of {n} and nothing else.")
BACK = ('[Where|In which row] is the {c} {v}?',
       '{v} is the {c} of [what|which {k}|whom]?',
       '[Tell me|Say] who or what has the {c} {v}.',
       'The {c} {v}: [which {k} is that|whose is it]?',
       '[Look for|Search for] the {c} {v}. Which {k} is it?',
       'Which of them has the {c} {v}?',
       "[Which|What] {k} has the {c} {v}?", "Whose {c} is {v}?", "For [which|what] {k} is the {c} {v}?",
        "[Find|Name|Give me|Look up] the {k} [with|that has] the {c} {v}.", "[Name|Find|Tell me] the {k} whose {c} is {v}.",
        "[I am looking for|I need|I want to find] the {k} [whose {c} is|with the {c}] {v}.",
        "[Please|Now|Next,] [find|name|tell me] the {k} [with the {c}|whose {c} is] {v}.",
        "[Which|What] {k} is [listed|given|shown] with the {c} {v}?", "[Who or what|Which row] has the {c} {v}?",
        "The {c} {v} belongs to which {k}?", "Tell me which {k} has the {c} {v}.")
MOST = ('[If|When] [sorted|ordered|ranked] by [highest|largest] {c}, [which {k}|who or what] is [at the top|number one|the first one]?',
       '[If|When] [sorted|ordered|ranked] by [lowest|smallest] {c}, [which {k}|who or what] is [last|at the end|the last one]?',
       '[Falling|Descending] order by {c}: which {k} [is|comes] first?',
       '[Rising|Ascending] order by {c}: which {k} is [last|at the end]?',
       '[Who or what|Which one|Which of them|Which row] has the [highest|largest|most|greatest|biggest|maximum] {c}?',
       '[Of all|Among all|Among the] {k} entries, which has the [highest|largest|most|greatest|biggest|maximum] {c}?',
       'The [highest|largest|most|greatest|biggest|maximum] {c} [belongs to|is that of|is held by] [which {k}|whom|what]?',
       'Whose {c} is the [highest|largest|most|greatest|biggest|maximum]?',
       '[Go through|Compare|Check] [the column {c}|all {c} values]: [which {k} has|where is] the [highest|largest|most|greatest|biggest|maximum]?',
       'What {k} [has|shows|comes with] the [highest|largest|most|greatest|biggest|maximum] {c}?',
       '[Sort|Order] by {c} in your head: [who|which {k}] has the [highest|largest|most|greatest|biggest|maximum]?',
       'Which {k} [tops|leads] the [table|list] [in|by] {c}?',
       '[No|Which] {k} has a {c} as high as which one? [Find it.|Name it.]',
       'Which {k} has more {c} than [all others|any other]?',
       "[Which|What] {k} has the [highest|largest|greatest|biggest] {c}?", "Where is the {c} [highest|largest|greatest]?",
        "[Name|Find|Give me|Look up|Pick] the {k} with the [highest|greatest|largest] {c}.",
        "[Tell me|Say|Find out] which {k} has the [largest|highest] {c}.",
        "[Highest|Largest|Maximum] {c}: which {k}?", "[In|Looking at] the table, which {k} has the [highest|largest] {c}?",
        "[I want|I need|I am looking for] the {k} [with|that has] the [highest|largest|greatest] {c}.",
        "[Rank|Compare] the rows by {c}. Which {k} is [at the top|highest|first]?",
        "[Please|Now|Next,] find the {k} with the [highest|largest] {c}.",
        "In the table, which {k} has the most {c}?", "Which {k} is first when ranked by highest {c}?")
LEAST = ('[If|When] [sorted|ordered|ranked] by [highest|largest] {c}, [which {k}|who or what] is [last|at the end|the last one]?',
       '[If|When] [sorted|ordered|ranked] by [lowest|smallest] {c}, [which {k}|who or what] is [first|at the top|number one]?',
       '[Falling|Descending] order by {c}: which {k} is [last|at the end|at the bottom]?',
       '[Rising|Ascending] order by {c}: which {k} [comes first|is first]?',
       '[Who or what|Which one|Which of them|Which row] has the [lowest|smallest|least|minimum] {c}?',
       '[Of all|Among all|Among the] {k} entries, which has the [lowest|smallest|least|minimum] {c}?',
       'The [lowest|smallest|least|minimum] {c} [belongs to|is that of|is held by] [which {k}|whom|what]?',
       'Whose {c} is the [lowest|smallest|least|minimum]?',
       '[Go through|Compare|Check] [the column {c}|all {c} values]: [which {k} has|where is] the [lowest|smallest|least|minimum]?',
       'What {k} [has|shows|comes with] the [lowest|smallest|least|minimum] {c}?',
       '[Sort|Order] by {c} in your head: [who|which {k}] has the [lowest|smallest|least|minimum]?',
       'Which {k} [is at the end|comes last|is the last one] [by|in] {c}?',
       'Which {k} has less {c} than [all others|any other]?',
       "[Which|What] {k} has the [lowest|smallest|least] {c}?", "Where is the {c} [lowest|smallest|least]?",
         "[Name|Find|Give me|Look up|Pick] the {k} with the [lowest|smallest|least] {c}.",
         "[Tell me|Say|Find out] which {k} has the [smallest|lowest] {c}.",
         "[Lowest|Smallest|Minimum] {c}: which {k}?", "[In|Looking at] the table, which {k} has the [lowest|smallest] {c}?",
         "[I want|I need|I am looking for] the {k} [with|that has] the [lowest|smallest] {c}.",
         "[Rank|Compare] the rows by {c}. Which {k} is [at the bottom|lowest|last]?",
         "[Please|Now|Next,] find the {k} with the [lowest|smallest] {c}.",
         "In the table, which {k} has the least {c}?", "Which {k} is last when ranked by highest {c}?")
COUNT_EQUAL = ('[For|With|In] how many [rows|entries|records] [is|do we have|do you find] the {c} {v}?',
       '[How many|Count the] [rows|records|lines] whose {c} [is|equals|reads] {v}[.|?]',
       '[In|For] how many cases is the {c} {v}?',
       '[How many|What number of] [of them|of the rows|of these|{k} entries|records] [have|show|come with] the {c} {v}?',
       '[What is|Give me|Tell me] the number of [rows|entries|records|lines] [with|that have|whose {c} is] the {c} {v}[.|, please.]',
       '{c} {v}: how many [rows|entries|times]?',
       '[How many|Number of] [rows|entries|lines] where [the {c} is|{c} =|{c} is] {v}[?|.]',
       '[Look|Go] through the column {c}. How [often|many times] [is it|do you find|does it say] {v}?',
       '[Among|Of] all [rows|entries], how many have {v} as [the|their] {c}?',
       'How many share the {c} {v}?',
       "How many [rows|entries|lines] have the {c} {v}?", "How many times does the {c} {v} [occur|appear]?",
               "[Count|Find|Tally] the [rows|entries] [with|that have] the {c} {v}.", "In how many [rows|lines] is the {c} {v}?",
               "[Tell me|Say|Find out] how many [rows|entries] have the {c} {v}.", "[Number of|How many] rows with the {c} {v}?",
               "[I want|I need] to know how many [rows|entries] have the {c} {v}.",
               "[Go through|Check] the table: how many times is the {c} {v}?",
               "[Please|Now|Next,] [count|tally] the [rows|entries] whose {c} equals {v}.",
               "For how many is the {c} {v}?", "How often is the {c} {v}?", "Count the entries whose {c} is {v}.")
COUNT_ABOVE = ('[For|With|In] how many [rows|entries|records|cases] [is|do we find] the {c} [above|over|greater than] {v}?',
       '[Count|Find|Tell me how many are] the [rows|records|lines] whose {c} [is above|is over|is greater than|passes|tops] {v}.',
       '[How many|What number] have a {c} that [exceeds|passes|is above] {v}?',
       '[How many|What number of] [of them|of the rows|of these|{k} entries|records] [have|show] {a} {c} [above|over|of more than|exceeding] {v}?',
       '[What is|Give me|Tell me] the number of [rows|entries|records] [with {a} {c} over|whose {c} is above|where the {c} is more than] {v}[.|, please.]',
       '{c} [above|over|>] {v}: how many [rows|entries]?',
       '[How many|Number of] [rows|entries|lines] where the {c} is [greater than|higher than|over] {v}[?|.]',
       '[Look|Go] through the column {c}. How [often|many times] is it [above|more than|over] {v}?',
       'How many [exceed|pass|are above|lie above] {v} [in|by] {c}?',
       '[Among|Of] all [rows|entries], how many have more than {v} as [the|their] {c}?',
       "How many [rows|entries|lines] have {a} {c} [above|over|greater than|higher than|larger than] {v}?",
               "[Count|Find|Tally] the [rows|entries] with {a} {c} [over|above|greater than] {v}.",
               "In how many [rows|lines] is the {c} [more than|above|over] {v}?",
               "[Tell me|Say|Find out] how many have {a} {c} [above|over] {v}.",
               "For how many is the {c} [larger|greater|higher] than {v}?",
               "[Number of|How many] rows with {a} {c} above {v}?", "How often is the {c} above {v}?",
               "Count the entries whose {c} exceeds {v}.")
SUM = ('[Together|Jointly|Combined|As a group], [what|how much] {c} do {n} [come to|reach|bring|make]?',
       '[Counted|Put|Added] together, [what|how much] {c} [have|do we get from|is it for] {n}?',
       'How much {c} [have|do we have for|is there for] {n} [in all|altogether|together]?',
       '[Sum|Add|Total] the {c} [of|belonging to|given for|in the rows] {n}[:|.| please.]',
       '[Add|Put] together the {c} of {n}.',
       '[How much|What] [do|would] {n} [make|have|come to] [together|in all|in total] in {c}?',
       '{n}: [sum|total|combined] {c}[?|, please.]',
       '[What is|Give me|I need] the {c} of {n} [combined|added up|put together|as a sum][?|.]',
       '[Sum|Total] of {c}[ for|:|, for] {n}[?|.]',
       '[In sum|All in all|Summed up|Added together], [how much|what] is the {c} of {n}?',
       'If you [add|count] together the {c} of {n}, [what is the result|how much is it|what do you get]?',
       "What is the [total|sum of the|combined] {c} of {n}?", "[Add up|Sum|Sum up|Total] the {c} of {n}.",
       "[Calculate|Compute|Work out|Find] the [total|combined] {c} [of|for] {n}.",
       "How much is the {c} of {n} [together|in total|altogether]?", "What do you get if you add the {c} of {n}?",
       "[I want|I need|Tell me|Give me] the [sum|total] of the {c} [of|for] {n}.",
       "[Can|Could|Would] you [add up|sum|total] the {c} of {n}?", "[Take|Consider] {n}. What is [the total|their total] {c}?",
       "[Together|In total|Altogether], what is the {c} of {n}?", "[Please|Now] add the {c} of {n}.",
       "Sum the {c} for {n}.", "Taken together, what {c} do {n} have?")
ROWS = ('[How big|How large] is the table in rows?',
       '[Say|Give|Find|State] the number of [rows|entries|lines|records][ in the table|].',
       'The table has how many [rows|lines|entries]?',
       '[Rows|Entries] in the table: how many?',
       "How many [rows|entries|lines] does the table have[|, without its header]?",
        "How many [entries|rows] are [in the table|there|listed]?",
        "[Count|Tally] the rows of the table.", "[Tell me|Say] how many rows [there are|the table has].",
        "How long is the table, without its header?",
        "How many {k} entries are there?", "[What is the number of|Number of] rows?")


def joined(items):
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


def place(t, c):
    """Where a column stands among all, as the step before reading it: "price is column 3." """
    return f"{t.columns[c]} is column {c + 2}."


def row_trace(t, n, c):
    """The row read up to the cell, with the columns' names."""
    return ", ".join(f"{key}: {value}" for key, value in zip([t.head, *t.columns[:c + 1]], [t.rows[n][0], *t.rows[n][1]])) + "."


def cell(r, split, t):
    n, c = r.randrange(len(t.rows)), r.randrange(len(t.columns))
    name, v = t.rows[n][0], t.rows[n][1][c]
    if r.random() < 0.1:
        others = [o for kind in SYNTHETIC.values() for o, _, _ in kind if o not in t.columns]
        column, row = (r.choice(others), name) if r.random() < 0.5 else (t.columns[c],
                                                                         t.row_name(r, split))
        if row != name and row in [x for x, _ in t.rows]:
            return None
        return frame(r, split, CELL).format(c=column, n=row), UNKNOWN, ""
    if r.random() < 0.3:
        return frame(r, split, CELL_SHORT).format(c=t.columns[c], n=name), v, row_trace(t, n, c)
    return frame(r, split, CELL).format(c=t.columns[c], n=name), f"The {t.columns[c]} of {name} is {v}.", row_trace(t, n, c)


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
    for (name, _), value in zip(t.rows, values):
        running = value if running is None or (value > running) == largest else running
        steps.append(f"{name}: {value}, best {running}.")
    winner = t.rows[values.index(best)][0]
    question = frame(r, split, MOST if largest else LEAST).format(k=t.kind, c=t.columns[c])
    return question, f"{winner} has the {'highest' if largest else 'lowest'} {t.columns[c]}, {best}.", f"{place(t, c)} {' '.join(steps)}"


def count(r, split, t):
    if len(t.rows) > 12:
        return None
    c = r.randrange(len(t.columns))
    if t.numeric[c]:
        values = [t.number(n, c) for n in range(len(t.rows))]
        v = r.choice(values) + r.choice((0, 1, -1, 5))
        hits = [n for n, value in enumerate(values) if value > v]
        question = frame(r, split, COUNT_ABOVE).format(k=t.kind, c=t.columns[c], v=v, a="an" if t.columns[c][0] in "aeiou" else "a")
        steps = " ".join(f"{t.rows[n][0]}: {value} {'yes' if value > v else 'no'}." for n, value in enumerate(values))
    else:
        v = r.choice(t.column(c))
        if t.column(c).count(v) == 1 and r.random() < 0.8:
            return None
        hits = [n for n, value in enumerate(t.column(c)) if value == v]
        question = frame(r, split, COUNT_EQUAL).format(k=t.kind, c=t.columns[c], v=v)
        steps = " ".join(f"{name}: {cells[c]} {'yes' if cells[c] == v else 'no'}." for name, cells in t.rows)
    found = [t.rows[n][0] for n in hits]
    listed = numbered(found) + "." if found else "None."
    return question, f"{len(found)}: {joined(found)}." if found else "0.", f"{place(t, c)} {steps} {listed}"


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
    listed = ", ".join(f"{t.rows[n][0]}: {value}" for n, value in zip(chosen, values))
    question = frame(r, split, SUM).format(c=t.columns[c], n=joined([t.rows[n][0] for n in chosen]))
    return question, f"The total is {running}.", f"{place(t, c)} {listed}. {', '.join(steps)}."


def length(r, split, t):
    if len(t.rows) > 20:
        return None
    return frame(r, split, ROWS).format(k=t.kind), f"The table has {len(t.rows)} rows.", numbered([name for name,
                                                            _ in t.rows]) + "."


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
        if not thinking and answer.startswith("The total is"):
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
