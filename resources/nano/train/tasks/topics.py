# SPDX-License-Identifier: Apache-2.0
"""Pages about one or two things of everyday kinds (a company, a village, a person, a ship, ...), told with pronouns and
joined sentences, and questions in other words than the text's: topics.txt.

The answer is the part of the text that was asked for, word for word; in thinking mode its sentence comes first.  What a page
leaves out is asked now and then and declined.
"""
import functools
from dataclasses import dataclass
from pathlib import Path

from dialog import Split, Turn
from tasks import clauses, corpus, free, lexicon, names, relations
from tasks.copying import BY_FACT
from tasks.facts import capital, plural, stop
from tasks.fields import fields
from tasks.frames import expand, frame
from tasks.questions import UNKNOWN, cost, family, size, with_document

OPEN_SHARE = 0.12               # of the questions


@dataclass(frozen=True)
class Fact:
    value: str
    stated: tuple
    asked: tuple


@dataclass(frozen=True)
class Topic:
    names: tuple
    short: tuple
    pronoun: str
    facts: tuple


def _cut(text, mark):
    return tuple(part.strip() for part in text.split(mark) if part.strip())


@functools.lru_cache(maxsize=None)
def topics():
    """{kind: Topic} of topics.txt"""
    found = {}
    text = "\n".join(line for line in (Path(__file__).parent / "topics.txt").read_text().splitlines() if not line.startswith("#"))
    for block in text.strip().split("\n\n"):
        head, *lines = block.strip().split("\n")
        kind, called, short, pronoun = fields(head, 4)
        facts = tuple(Fact(value, _cut(stated, " / "), _cut(asked, " / ")) for value, stated, asked in (fields(line, 3) for line in lines))
        found[kind] = Topic(_cut(called, ";"), _cut(short, ";"), pronoun, facts)
    return found


def _any(text):
    choices = text.split("/")
    return lambda r, s: r.choice(choices)


def _adjective_thing(r, s):
    adjective = free.clauses.everyday(r, s, "adjective")
    return f"{'an' if adjective[0] in 'aeiou' else 'a'} {adjective} {clauses.everyday(r, s, 'thing')}"


def _several(r, s):
    return f"{clauses.everyday(r, s, 'adjective')} {plural(clauses.everyday(r, s, 'thing'))}"


def _number(low, high):
    return lambda r, s: r.choice(clauses.NUMBERS) if r.random() < 0.5 else str(r.randint(low, high))


_CATCH = relations.CATCH
VALUES = {
    "person": names.person, "city": names.city, "year": lambda r, s: str(r.randint(1480, 2030)), "money": _CATCH["money"], "hour": _CATCH["hour"], "day": _CATCH["day"], "phone": _CATCH["phone"],
    "count": lambda r, s: r.choice(clauses.NUMBERS) if r.random() < 0.2 else f"{r.randint(3, 4000):,}", "number": _number(2, 60), "bigcount": lambda r, s: f"{r.choice(('', '', '', 'about ', 'more than ', 'nearly '))}{r.randint(20, 10 ** r.randint(2, 5)):,}",
    "product": lambda r, s: _several(r, s) if r.random() < 0.6 else f"{plural(clauses.everyday(r, s, 'thing'))} and {plural(clauses.everyday(r, s, 'thing'))}", "place_in": lambda r, s: f"{r.choice(clauses.PREPOSITIONS)} {names.place(r, s)}",
    "reason": _CATCH["reason"], "river": lambda r, s: names.label(r, s).split()[0] if r.random() < 0.7 else lexicon.invented(r, s).capitalize(), "distance": _CATCH["distance"], "weekday": lambda r, s: r.choice(names.WEEKDAY),
    "cause": lambda r, s: r.choice(("a broken {t}", "a forgotten {t}", "a loose {t}", "a {t} that had not been cleaned", "a mistake with the {t}", "lightning", "a heavy storm", "too much rain", "a leaking pipe", "a gas leak", "a short circuit", "an old {t}", "a hard frost",
                                    "the noise of the {t}", "a wrong {t}", "bad {f}", "a cracked {t}", "three days of snow", "a strike", "a power cut", "a cigarette", "rust", "mice", "an open window")).format(t=clauses.everyday(r, s, "thing"), f=names.draw(r, s, "food")),
    "food": _CATCH["food"], "profession": _CATCH["profession"], "subject": lambda r, s: names.draw(r, s, "subject"), "instrument": lambda r, s: names.draw(r, s, "instrument"), "language": lambda r, s: names.draw(r, s, "language"), "animal": lambda r, s: names.draw(r, s, "pet"),
    "prize": lambda r, s: r.choice(("the {l} Prize", "a {c} medal", "first prize in {d}", "the cup of {d}", "a {t}", "the {l} Award", "second place in {d}")).format(l=names.label(r, s).split()[0], c=r.choice(("gold", "silver", "bronze")), d=names.city(r, s), t=clauses.everyday(r, s, "thing")),
    "length": _CATCH["length"], "duration": _CATCH["duration"], "material": _CATCH["material"], "color": _CATCH["color"], "years": _CATCH["years"], "weight": _CATCH["weight"], "frequency": _CATCH["frequency"], "share": _CATCH["share"], "result": _CATCH["result"],
    "ghost": lambda r, s: f"the ghost of a {names.draw(r, s, 'profession')}" if r.random() < 0.5 else f"a {clauses.everyday(r, s, 'adjective')} {names.draw(r, s, 'pet')}", "afraid": lambda r, s: plural(clauses.everyday(r, s, r.choice(("thing", "animal")))),
    "trick": lambda r, s: r.choice(("open the {t}", "carry a {t}", "jump over a {t}", "find a lost {t}", "dance to the {i}", "count to {n}", "ring the bell", "catch {t}s", "swim across the river", "sit on a {t}")).format(t=clauses.everyday(r, s, "thing"), i=names.draw(r, s, "instrument"), n=r.choice(clauses.NUMBERS)),
    "bring": lambda r, s: r.choice((_adjective_thing, _several))(r, s) if r.random() < 0.6 else f"{_adjective_thing(r, s)} and {_several(r, s)}", "lodging": lambda r, s: r.choice(("an old {t}", "tents", "a hotel in {c}", "the {l} hotel", "a hut near {c}", "a school in {c}", "a former {b}")).format(
        t=names.place(r, s).split()[-1], c=names.city(r, s), l=names.label(r, s).split()[0], b=clauses.everyday(r, s, "building")), "vehicle": _any("train/bus/ship/bicycle/boat/car/plane/tram/coach/ferry/cable car/horse and cart"),
    "weather": _any("rain/snow/fog/strong wind/sunshine/heavy rain/thunder and lightning/frost/hail/bright sunshine/a warm wind/dense fog/showers/heat/a light breeze/wet snow"), "button": lambda r, s: r.choice((r.choice(names.COLOR), "left", "right", "upper", "lower", "round", "large", "middle", "second")),
    "signal": lambda r, s: r.choice(names.COLOR), "cleaning": _any("a damp cloth/warm water/alcohol/a soft brush/soap and water/vinegar/a dry towel/compressed air/cold water/a sponge/lemon juice/fine sand"), "thing": lambda r, s: _adjective_thing(r, s) if r.random() < 0.6 else f"{r.choice(clauses.NUMBERS)} {_several(r, s)}",
    "topic": lambda r, s: f"the {lexicon.lemma(r, s)} of {names.city(r, s)}" if r.random() < 0.4 else lexicon.lemma(r, s, "activity") if r.random() < 0.4 else plural(clauses.everyday(r, s, r.choice(("animal", "thing", "plant")))), "size": lambda r, s: f"{r.randint(2, 900)} {r.choice(('square meters', 'hectares', 'acres', 'square feet'))}",
    "plant": lambda r, s: plural(clauses.everyday(r, s, "plant")), "month": lambda r, s: r.choice(names.MONTH) if r.random() < 0.7 else r.choice(("spring", "autumn", "early summer", "late autumn", "winter")), "water": lambda r, s: r.choice(("a deep well", "the river", "a small lake", "the hills", "an old canal", "a spring in the woods", "the town's pipes", "two ponds", "the {} river".format(names.label(r, s).split()[0]))),
    "rule": lambda r, s: r.choice(("feed the {a}s", "smoke", "bring {t}s", "pick the {p}s", "play the {i}", "ride bicycles", "make noise after ten", "light fires", "climb the trees", "leave {t}s on the stairs", "keep {a}s", "swim in the pond", "paint the walls")).format(a=names.draw(r, s, "pet"), t=clauses.everyday(r, s, "thing"), p=clauses.everyday(r, s, "plant"), i=names.draw(r, s, "instrument")),
    "end": lambda r, s: r.choice(("{p} finds the {t}", "the {t} is broken", "everybody goes home", "{p} leaves for {c}", "{p} marries the {j}", "the {j} was the thief", "nobody is left", "{p} gives the {t} away", "the {a} comes back")).format(p=names.draw(r, s, "first"), t=clauses.everyday(r, s, "thing"), c=names.city(r, s), j=names.draw(r, s, "profession"), a=names.draw(r, s, "pet")),
    "price": _any("too long/a masterpiece/rather dull/very funny/hard to understand/the best of the year/sad but beautiful/much too short/clever/old-fashioned/wonderful/strange/not bad/a disappointment"), "codelang": _any("Python/Rust/C/Java/Go/Ruby/Lua/Perl/Haskell/JavaScript/Fortran/Erlang/Tcl/assembly"),
    "port": lambda r, s: str(r.randint(80, 65000)), "memory": lambda r, s: f"{r.randint(2, 900)} {r.choice(('MB', 'GB', 'KB'))}", "file": lambda r, s: r.choice(("{a}.conf", "/etc/{a}/{b}.ini", "{a}.json", "~/.{a}rc", "config/{a}.yaml", "{a}.{b}.toml", "settings/{a}.xml")).format(a=lexicon.word(r, s), b=lexicon.word(r, s)),
    "command": lambda r, s: r.choice(("{a}", "{a} start", "run-{a}", "{a} --{b}", "./{a}.sh", "{a} {b}")).format(a=lexicon.word(r, s), b=lexicon.word(r, s)), "option": lambda r, s: f"--{lexicon.word(r, s)}" if r.random() < 0.6 else f"-{r.choice('abcdefghijkmnpqrstuvwxyz')}",
    "heating": _any("gas/wood/oil/electricity/hot water from the factory/coal/a large stove/solar panels/steam"), "result2": lambda r, s: r.choice(("{x} make people happy", "{x} are better than {y}", "most people forget their {x}", "{x} need more water than {y}", "children like {x}", "nobody needs {x}", "{x} cost more than they bring")).format(
        x=plural(clauses.everyday(r, s, "thing")), y=plural(clauses.everyday(r, s, "thing"))), "doubt": lambda r, s: r.choice(("the group was too small", "nobody checked the numbers", "only men were asked", "it was too short", "the questions were badly put", "the data were lost", "the author sells {x}", "no other group found the same")).format(x=plural(clauses.everyday(r, s, "thing"))),
}
CHATTER = free.CHATTER + ("This is not the first time.", "There are many stories about this.", "Not everybody likes it.", "More can be read on the next page.", "That may change.", "Opinions differ.", "We will see.", "The rest is well known.", "So much for that.",
                          "Few people know this.", "It could have been worse.", "All this takes time.", "Nobody knows why.", "Photographs can be seen at the entrance.", "Of course there is more to tell.")
TITLES = ("{e}", "{e}", "About {e}", "All about {e}", "{e} in brief", "Facts about {e}", "Information", "Read this first", "Our story", "Portrait: {e}", "From the newspaper", "Guide", "Things to know", "{e}: an overview", "Welcome")


class Subject:
    """One thing a page is about: its names, the facts that the page tells (statements) and those it leaves out."""

    def __init__(self, r, split, kind):
        topic = topics()[kind]
        self.r, self.split, self.topic = r, split, topic
        if kind == "somebody":
            first = names.draw(r, split, "first")
            self.full, self.short, self.pronoun = f"{first} {names.surname(r, split)}", first, r.choice(("she", "he"))
        else:
            label = names.label(r, split) if r.random() < 0.7 else names.city(r, split)
            self.full, self.short, self.pronoun = r.choice(topic.names).format(label), r.choice(topic.short), topic.pronoun
        facts = list(topic.facts)
        r.shuffle(facts)
        if kind in ("company", "somebody", "ship", "trip") and r.random() < 0.5:        # in the order of life
            facts.sort(key=topic.facts.index)
        told = r.randint(min(4, len(facts) - 2), len(facts) - 2)
        kept = set(r.sample(range(len(facts)), told))
        self.told = [fact for i, fact in enumerate(facts) if i in kept]
        self.left = [fact for i, fact in enumerate(facts) if i not in kept]
        values = {}
        for fact in self.told:                              # one value for one thing, or an answer would not be clear
            while True:
                value = VALUES[fact.value](r, split)
                if value not in values.values() and value.lower() not in self.full.lower():
                    break
            values[fact] = value
        self.values = values

    def named(self, subject, first=False):
        kind = self.r.random()
        if first or kind < 0.25:
            return self.full
        return self.short if kind < 0.6 else self.pronoun if subject or self.pronoun == "it" else self.short

    def statements(self):
        """[(sentence, [facts])]: now and then two facts in one sentence."""
        r, out, facts = self.r, [], list(self.told)
        while facts:
            taken = [facts.pop(0)]
            pattern = expand(r, r.choice(taken[0].stated))
            text = self.filled(pattern, taken[0], not any(self.full in said for said, _ in out))
            if facts and r.random() < 0.3:
                more = facts.pop(0)
                taken.append(more)
                pattern = expand(r, r.choice(more.stated))
                text += r.choice((", and ", ", and ", "; ", ", but ", " and ")) + self.filled(pattern, more, False)
            out.append((stop(capital(text)), taken))
        return out

    def filled(self, pattern, fact, first):
        return pattern.format(s=self.named(True, first), e=self.named(False, first), p=self.pronoun, v=self.values[fact])

    def question(self, fact, alone):
        """An Inquiry about the fact or None; alone: the page is about nothing else, so it need not be named."""
        r = self.r
        asked = [text for text in (fact.asked[:-1] if self.split is Split.TRAIN else fact.asked[-1:]) if alone or "{e}" in text]
        if not asked:
            return None
        kind = r.random()
        name = self.full if not alone or kind < 0.4 else self.short if kind < 0.85 or self.pronoun != "it" else "it"
        direct = expand(r, r.choice(asked)).format(e=name)
        return clauses.Inquiry(direct, self.values.get(fact, ""))


def told_page(r, split, subjects, statements):
    """The page as text: title, paragraphs, for several things one part each."""
    out = []
    for subject, said in zip(subjects, statements):
        sentences = [text for text, _ in said]
        for _ in range(r.randint(0, 1 + len(sentences) // 5)):
            sentences.insert(r.randrange(1, len(sentences) + 1), expand(r, r.choice(CHATTER)))
        kind = r.random()
        if kind < 0.7 or len(subjects) > 1 or not any(subject.full in text or capital(subject.full) in text for text in sentences):
            title = r.choice(TITLES if kind < 0.7 and len(subjects) == 1 else TITLES[:5]).format(e=capital(subject.full))
            out.append(f"{r.choice(('', '', '# ', '## ', '**'))}{title}\n\n".replace("**" + title, f"**{title}**"))
        if kind > 0.9:
            mark = r.choice(("- ", "* ", "", "• "))
            out.append("\n".join(mark + text for text in sentences) + "\n\n")
            continue
        while sentences:
            count = r.randint(2, 6)
            out.append(" ".join(sentences[:count]) + "\n\n")
            sentences = sentences[count:]
    return out


def turns_about(r, split, subjects, statements):
    """Turns; each fact is asked for at most twice."""
    where = {(subject, fact): text for subject, said in zip(subjects, statements) for text, facts in said for fact in facts}
    pool = [(subject, fact) for subject in subjects for fact in subject.told] * 2
    left = [(subject, fact) for subject in subjects for fact in subject.left]
    r.shuffle(pool)
    r.shuffle(left)
    alone = len(subjects) == 1
    while pool:
        if left and r.random() < OPEN_SHARE:
            subject, fact = left.pop()
            inquiry = subject.question(fact, alone)
            if inquiry:
                yield free.turn_of(r, split, None, inquiry)
            continue
        subject, fact = pool.pop()
        inquiry, sentence = subject.question(fact, alone), where[subject, fact]
        if not inquiry:
            continue
        if r.random() < 0.05 and inquiry.direct.startswith("who "):
            yield Turn([frame(r, split, BY_FACT).format(x=inquiry.direct)], sentence, sentence)
        else:
            yield free.turn_of(r, split, free.Statement(sentence, []), inquiry)


@family("topic")
def topic(r, split, budget):
    kinds = list(topics())
    count = 1 if budget < 500 or r.random() < 0.45 else r.randint(2, 2 + int(min(budget, 3000) // 900))
    first = r.choice(kinds)
    subjects = [Subject(r, split, first if r.random() < 0.4 else r.choice(kinds)) for _ in range(count)]
    if len({subject.full for subject in subjects}) < len(subjects):
        subjects = subjects[:1]                             # one name for two things
    statements = [subject.statements() for subject in subjects]
    document = told_page(r, split, subjects, statements)
    long = budget > 2500
    if long or budget > 1000 and r.random() < 0.3:
        prose = corpus.filler(r, split, max(60, budget * (0.6 if long else 0.3) - 30), short=True)
        parts, document = document, []
        cut = sorted(r.randrange(len(prose) + 1) for _ in range(1))[0]
        for i in range(len(prose) + 1):
            document += parts if cut == i else []
            document += prose[i] if i < len(prose) else []
    turns, spent, room = [], 0, budget - size(document) - 60
    for turn in turns_about(r, split, subjects, statements):
        turns.append(turn)
        spent += cost(turn.user[0], turn.answer, turn.think)
        if spent > room or len(turns) == 60:
            break
    if not turns:                                           # no question about the chosen facts names its thing
        turns = [Turn([r.choice(("What is this page about?", "What does the page tell about?", "About what is this?"))],
                      stop(capital(" and ".join(subject.full for subject in subjects))))]
    return with_document(r, split, document, turns)


FAMILIES = {"topic": topic}
