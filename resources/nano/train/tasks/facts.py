# SPDX-License-Identifier: Apache-2.0
"""Invented facts: a sentence that states something and the questions it answers.

World keeps the facts of one document free of contradictions: the same question never has two answers, and a question
that is meant to be unanswerable is never answered.
"""
from dataclasses import dataclass, field

from tasks import lexicon, names
from tasks.frames import expand
from tasks.names import draw


@dataclass
class Query:
    direct: str             # "who repaired the clock"
    indirect: str           # as in "tell me ...": "who repaired the clock"
    full: str = ""          # "Nadia repaired the clock."; empty if the document does not say
    short: str = ""         # "Nadia"
    noun: str = ""          # "the owner of the clock", if the question is one for a thing
    wrong: str = ""         # as full, with another value: a false claim


@dataclass
class Fact:
    sentence: str
    queries: list
    key: tuple = ()
    listed: str = ""        # the fact as a line of a list, if it can be one
    near: list = field(default_factory=list)    # questions about the same things that the document leaves open
    details: dict = field(default_factory=dict)  # of an event: "where", "when", "why" -> Query, also if left open


def capital(text):
    return text[0].upper() + text[1:]


def stop(text):
    """With one full stop at the end, also after "at 3 p.m."."""
    if text.endswith(".."):
        return text[:-1]
    return text if text[-1] in ".!?" else text + "."


def plural(noun):
    """"box" -> "boxes", "city" -> "cities" """
    if noun[-1] == "y" and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


def _digits(low, high):
    return lambda r, split: names.digits(r, low, high)


def _of(*values):
    return lambda r, split: r.choice(values)


def _plain(make):
    return lambda r, split: make(r)


_PERSON, _CITY = names.person, names.city
_CODE, _DATE, _DAY, _HOUR = map(_plain, (names.code, names.date, names.day, names.hour))
_MONEY, _COUNT = _plain(names.money), _plain(names.count)
_COLOR, _WEEKDAY, _MONTH = _of(*names.COLOR), _of(*names.WEEKDAY), _of(*names.MONTH)
_YEAR = lambda r, split: str(r.randint(1890, 2029))
_WEIGHT, _LENGTH = _plain(names.unit("kg", "pounds", "tons")), _plain(names.unit("meters", "feet", "km"))
_TEMPERATURE, _PERCENT = _plain(names.unit("degrees")), _plain(names.unit("percent"))
_PASSWORD = lambda r, split: (names.draw(r, split, "word").lower() + names.digits(r, 2, 4)) if r.random() < 0.6 else \
    f"{names.draw(r, split, 'word').lower()}-{names.draw(r, split, 'thing')}"
_ROOM = lambda r, split: f"room {names.digits(r, 1, 3)}"
_PHONE = lambda r, split: f"555-{names.digits(r, 4, 4)}"
_VERSION = lambda r, split: f"{r.randint(0, 19)}.{r.randint(0, 30)}.{r.randint(0, 30)}"
_ADDRESS = lambda r, split: ".".join(str(r.randint(1, 254)) for _ in range(4))
_MAIL = lambda r, split: f"{names.draw(r, split, 'first').lower()}@{names.draw(r, split, 'word').lower()}.{r.choice(('org', 'com', 'net'))}"
_WORD = lambda r, split: names.draw(r, split, "word")
_FOOD = lambda r, split: names.draw(r, split, "food")

# what an entity is called, and its attributes: (name, preposition, value)
ENTITIES = (
    ("locker {}", (("access code", "for", _CODE), ("owner", "of", _PERSON), ("color", "of", _COLOR),
                   ("monthly fee", "for", _MONEY))),
    ("safe {}", (("combination", "of", _digits(4, 7)), ("key holder", "of", _PERSON), ("weight", "of", _WEIGHT))),
    ("the {} account", (("password", "for", _PASSWORD), ("balance", "of", _MONEY), ("account number", "of", _digits(5, 8)),
                        ("contact address", "for", _MAIL))),
    ("project {}", (("budget", "of", _MONEY), ("deadline", "of", _DATE), ("manager", "of", _PERSON),
                    ("code name", "of", _WORD), ("start date", "of", _DATE), ("main office", "of", _CITY))),
    ("train {}", (("departure time", "of", _HOUR), ("destination", "of", _CITY), ("platform", "for", _digits(1, 2)),
                  ("arrival time", "of", _HOUR), ("driver", "of", _PERSON))),
    ("flight {}", (("gate", "for", _CODE), ("boarding time", "for", _HOUR), ("destination", "of", _CITY),
                   ("seat count", "of", _COUNT), ("captain", "of", _PERSON))),
    ("the ship {}", (("captain", "of", _PERSON), ("home port", "of", _CITY), ("length", "of", _LENGTH),
                     ("crew size", "of", _COUNT), ("launch year", "of", _YEAR))),
    ("server {}", (("address", "of", _ADDRESS), ("administrator", "of", _PERSON), ("port number", "of", _digits(4, 5)),
                   ("software version", "of", _VERSION), ("restart time", "of", _HOUR))),
    ("parcel {}", (("tracking number", "of", _CODE), ("weight", "of", _WEIGHT), ("recipient", "of", _PERSON),
                   ("delivery date", "of", _DAY), ("shipping cost", "of", _MONEY))),
    ("order {}", (("total price", "of", _MONEY), ("invoice number", "of", _digits(4, 6)), ("customer", "for", _PERSON),
                  ("delivery day", "for", _WEEKDAY))),
    ("the {} team", (("captain", "of", _PERSON), ("trainer", "of", _PERSON), ("home city", "of", _CITY),
                     ("jersey color", "of", _COLOR), ("training day", "of", _WEEKDAY))),
    ("the {} museum", (("entrance fee", "of", _MONEY), ("director", "of", _PERSON), ("opening time", "of", _HOUR),
                       ("closing day", "of", _WEEKDAY), ("founding year", "of", _YEAR))),
    ("the village of {}", (("population", "of", _COUNT), ("mayor", "of", _PERSON), ("market day", "of", _WEEKDAY),
                           ("postal code", "of", _digits(4, 5)), ("elevation", "of", _LENGTH))),
    ("the {} river", (("length", "of", _LENGTH), ("average depth", "of", _LENGTH),
                      ("water temperature", "of", _TEMPERATURE))),
    ("mount {}", (("height", "of", _LENGTH), ("first ascent", "of", _DATE), ("snow depth", "on", _LENGTH))),
    ("machine {}", (("serial number", "of", _CODE), ("operator", "of", _PERSON),
                    ("power use", "of", _plain(names.unit("watts", "kilowatts"))), ("next inspection", "of", _DATE),
                    ("running temperature", "of", _TEMPERATURE))),
    ("the {} hotel", (("phone number", "of", _PHONE), ("manager", "of", _PERSON), ("room rate", "of", _MONEY),
                      ("breakfast time", "at", _HOUR), ("number of rooms", "in", _COUNT))),
    ("room {}", (("door code", "for", _CODE), ("capacity", "of", _COUNT), ("wall color", "of", _COLOR),
                 ("temperature", "in", _TEMPERATURE))),
    ("the {} file", (("size", "of", _plain(names.unit("KB", "MB", "GB"))), ("author", "of", _PERSON),
                     ("last change", "to", _DATE), ("checksum", "of", _CODE))),
    ("the {} course", (("teacher", "of", _PERSON), ("room", "for", _ROOM), ("exam date", "of", _DAY),
                       ("course fee", "for", _MONEY), ("start time", "of", _HOUR))),
    ("patient {}", (("room number", "of", _digits(2, 3)), ("doctor", "of", _PERSON),
                    ("blood pressure", "of", lambda r, s: f"{r.randint(95, 180)}/{r.randint(55, 110)}"),
                    ("admission date", "of", _DATE), ("insurance number", "of", _digits(6, 8)))),
    ("the {} contract", (("signing date", "of", _DATE), ("notice period", "of", _plain(names.unit("days", "weeks"))),
                         ("contract value", "of", _MONEY), ("lawyer", "for", _PERSON))),
    ("the restaurant {}", (("chef", "of", _PERSON), ("dish of the day", "at", _FOOD), ("phone number", "of", _PHONE),
                           ("closing time", "of", _HOUR))),
    ("the {} farm", (("owner", "of", _PERSON), ("number of cows", "on", _COUNT), ("harvest month", "of", _MONTH),
                     ("size", "of", _plain(names.unit("acres", "hectares"))))),
    ("bus {}", (("last stop", "of", _CITY), ("first departure", "of", _HOUR), ("ticket price", "for", _MONEY),
                ("color", "of", _COLOR))),
    ("sample {}", (("mass", "of", _plain(names.unit("g", "mg"))), ("boiling point", "of", _TEMPERATURE),
                   ("water content", "of", _PERCENT), ("lab technician", "for", _PERSON))),
    ("satellite {}", (("launch date", "of", _DATE), ("orbit height", "of", _LENGTH), ("call sign", "of", _CODE),
                      ("battery level", "of", _PERCENT))),
    ("branch {}", (("monthly revenue", "of", _MONEY), ("number of employees", "in", _COUNT), ("head", "of", _PERSON),
                   ("growth rate", "of", _PERCENT))),
    ("the {} festival", (("opening day", "of", _DAY), ("organizer", "of", _PERSON), ("ticket price", "of", _MONEY),
                         ("location", "of", _CITY), ("number of visitors", "at", _COUNT))),
    ("cabinet {}", (("magic number", "for", _digits(3, 7)), ("secret word", "for", _WORD), ("lock code", "of", _CODE))),
)
# Attributes and entities of any kind: "the spare door number of crate Ulmen", "the rating of the copper sieve"
ATTRIBUTE = """code number name size weight price label rating capacity password serial reference category status address
contact deadline length width height depth cost fee limit version title symbol supplier color keyword score budget order date""".split()
QUALIFIER = """spare old new main second first official internal daily weekly monthly yearly local public secret backup current
former final usual average total maximum minimum north south east west upper lower left right inner outer emergency
preferred""".split()
VALUES = {"serial": lexicon.code, "code": lexicon.code, "reference": lexicon.code, "number": lexicon.code, "date": names.date,
          "deadline": names.date, "price": names.money, "cost": names.money, "fee": names.money, "budget": names.money,
          "weight": names.unit("kg", "pounds", "g"), "length": names.unit("meters", "feet"), "width": names.unit("cm", "inches"),
          "height": names.unit("meters", "cm"), "depth": names.unit("meters", "feet")}
STATEMENTS = (
    "The {a} {p} {e} is {v}.", "The {a} {p} {e} is {v}.", "The {a} {p} {e} is {v}.", "For {e}, the {a} is {v}.",
    "[Remember|Note|Keep in mind|Do not forget|Please note|We know] that the {a} {p} {e} is {v}.",
    "[As far as we know|According to the records|As before|In fact|For now|By the way|Since last week], the {a} {p} {e} is {v}.",
    "They [wrote down|noted|recorded|gave|entered] {v} as the {a} {p} {e}.",
    "It [is well known|was confirmed|has been decided|is certain|turned out] that the {a} {p} {e} is {v}.",
    "[Someone|The office|My aunt|A clerk|The guide] [confirmed|said|reported|told us] that the {a} {p} {e} is {v}.",
    "In the [list|file|register|catalog], {v} is [given|entered|shown] as the {a} {p} {e}.",
    "The {a} {p} {e} [was set to|was changed to|is now|is still|has been] {v}.",
    "[The clerk|Everybody] uses {v} as the {a} {p} {e}.",
)
LISTED = ("{a} {p} {e}: {v}", "{e}, {a}: {v}", "The {a} {p} {e} is {v}.", "{e} | {a} | {v}", "{a} ({e}) = {v}")
REGULAR = """repair paint clean deliver design order return measure photograph wrap weigh inspect discover polish unpack carry
collect examine admire adjust borrow remove destroy carve cover describe display donate dust empty exchange film fix fold
guard hang-up heat identify import label lift lock mark move name need notice open pack pick pull push purchase receive
recommend record replace request rescue restore sample save scratch search select sharpen sketch store study test touch trade
transport trim use varnish visit want wash water welcome wipe load mend insure register auction scan rent reserve test""".replace("hang-up ", "").split()


def regular(verb):
    """(past tense, base form, participle) of a regular verb"""
    doubled = {"trim": "trimmed", "wrap": "wrapped", "scan": "scanned"}
    past = doubled.get(verb) or (verb + "d" if verb[-1] == "e" else verb[:-1] + "ied" if verb[-1] == "y" and verb[-2] not in "aeiou"
                                 else verb + "ed")
    return past, verb, past


# past tense, base form, participle
VERBS = tuple(regular(verb) for verb in dict.fromkeys(REGULAR)) + (
    ("bought", "buy", "bought"), ("sold", "sell", "sold"), ("found", "find", "found"), ("lost", "lose", "lost"),
    ("stole", "steal", "stolen"), ("hid", "hide", "hidden"), ("broke", "break", "broken"), ("built", "build", "built"),
    ("drew", "draw", "drawn"), ("took", "take", "taken"), ("left", "leave", "left"), ("brought", "bring", "brought"),
    ("dropped", "drop", "dropped"), ("saw", "see", "seen"), ("kept", "keep", "kept"), ("sent", "send", "sent"),
    ("chose", "choose", "chosen"), ("burned", "burn", "burned"), ("cut", "cut", "cut"), ("held", "hold", "held"))
REASONS = ("it was [raining|too loud|a gift|very old|too heavy|for sale]", "nobody else had [time|the key|a license]",
           "the old one was [missing|broken|lost]", "a [friend|neighbor|customer|cousin] had asked for it",
           "the [shop|office|museum|road] was closing", "[winter|spring|the storm|the holiday] was coming",
           "the [neighbors|guests|owners] complained", "the price was [low|right|falling]",
           "it looked [strange|pretty|dangerous]",
           "there was no [light|room|heating]", "the [guests|trains|workers] were late", "the [manager|doctor|teacher] insisted",
           "the [bus|ferry] had left")
# "{p} lives in {v}": third person, base form and preposition, the question word, how the value is drawn
RELATIONS = (
    ("lives in {v}", "where does {p} live", "where {p} lives", "who lives in {v}", _CITY),
    ("was born in {v}", "where was {p} born", "where {p} was born", "who was born in {v}", _CITY),
    ("works as a {v}", "what does {p} work as", "what {p} works as", "who works as a {v}",
     lambda r, s: next(p for p in iter(lambda: draw(r, s, "profession"), None) if p[0] not in "aeiou")),
    ("works for {v}", "which company does {p} work for", "which company {p} works for", "who works for {v}", names.company),
    ("plays the {v}", "which instrument does {p} play", "which instrument {p} plays", "who plays the {v}",
     lambda r, s: draw(r, s, "instrument")),
    ("speaks {v}", "which language does {p} speak", "which language {p} speaks", "who speaks {v}", lambda r,
     s: draw(r, s, "language")),
    ("studies {v}", "what does {p} study", "what {p} studies", "who studies {v}", lambda r, s: draw(r, s, "subject")),
    ("owns a {v}", "which pet does {p} own", "which pet {p} owns", "who owns a {v}",
     lambda r, s: next(p for p in iter(lambda: draw(r, s, "pet"), None) if p[0] not in "aeiou")),
    ("is allergic to {v}", "what is {p} allergic to", "what {p} is allergic to", "who is allergic to {v}", _FOOD),
    ("was married in {v}", "when was {p} married", "when {p} was married", "who was married in {v}", _YEAR),
    ("moved to {v}", "where did {p} move to", "where {p} moved to", "who moved to {v}", _CITY),
    ("collects {v}", "what does {p} collect", "what {p} collects", "who collects {v}",
     lambda r, s: f"{names.adjective(r, s)} {plural(lexicon.lemma(r, s, 'thing'))}"),
    ("is afraid of {v}", "what is {p} afraid of", "what {p} is afraid of", "who is afraid of {v}",
     lambda r, s: plural(lexicon.lemma(r, s, "animal"))),
    ("grew up in {v}", "where did {p} grow up", "where {p} grew up", "who grew up in {v}", _CITY),
    ("likes {v}", "what does {p} like", "what {p} likes", "who likes {v}", lambda r, s: lexicon.lemma(r, s, "activity")),
    ("grows {v}", "what does {p} grow", "what {p} grows", "who grows {v}", lambda r, s: lexicon.lemma(r, s, "plant")),
    ("retired in {v}", "when did {p} retire", "when {p} retired", "who retired in {v}", _YEAR),
    ("is called {v} by friends", "what do friends call {p}", "what friends call {p}", "who is called {v} by friends",
     lambda r, s: lexicon.invented(r, s).capitalize()),
    ("sits in {v}", "where does {p} sit", "where {p} sits", "who sits in {v}", lambda r, s: f"seat {lexicon.code(r)}"),
    ("drives a {v} car", "what color is the car that {p} drives", "what color the car of {p} is", "who drives a {v} car",
     lambda r, s: r.choice([c for c in names.COLOR if c != "orange"])),
)


class World:
    """Facts and questions of one document; r a random.Random."""

    def __init__(self, r, split):
        self.r, self.split = r, split
        self._taken = set()
        self._people, self._things, self._entities, self._unstated = {}, [], [], []

    def person(self):
        """A person; nobody else in the document has the same first name, so the first name alone is clear too."""
        if self._people and self.r.random() < 0.25:
            return self.r.choice(list(self._people.values()))
        full = names.person(self.r, self.split)
        return self._people.setdefault(full.split()[0], full)

    def thing(self):
        """Now and then one that occurred before: the same clock is repaired by one and sold by another."""
        if self._things and self.r.random() < 0.15:
            return self.r.choice(self._things)
        self._things.append(names.thing(self.r, self.split))
        return self._things[-1]

    def _fresh(self, *keys):
        """Claims the keys, or none of them if one is taken."""
        if any(key in self._taken for key in keys):
            return False
        self._taken.update(keys)
        return True

    def fact(self):
        kind = self.r.random()
        make = self.attribute if kind < 0.45 else self.event if kind < 0.8 else self.relation
        return make()

    # ---- attributes: "The access code for locker Maple is 48213."

    def entity(self):
        """Often one that occurred before, or one with nearly the same name, so that both parts of a question count."""
        kind = self.r.random()
        if self._entities and kind < 0.3:
            return self.r.choice(self._entities)[:3]
        if self._entities and kind < 0.4:
            _, attributes, pattern, label = self.r.choice(self._entities)
            label = f"{label.split()[0]} {self.r.randint(2, 99)}"
        else:
            pattern, attributes = self.r.choice(ENTITIES) if kind < 0.7 else self._open_entity()
            label = names.label(self.r, self.split)
        self._entities.append((pattern.format(label), attributes, pattern, label))
        return self._entities[-1][:3]

    def _open_entity(self):
        """A kind of thing nobody has thought of, with attributes of its own."""
        r, attributes = self.r, {}
        noun = lexicon.lemma(r, self.split, "thing")
        for _ in range(4):
            base = r.choice(ATTRIBUTE) if r.random() < 0.75 else lexicon.lemma(r, self.split)
            name = f"{r.choice(QUALIFIER)} {base}" if r.random() < 0.6 else base
            make = VALUES.get(base)
            attributes[name] = (name, r.choice(("of", "of", "of", "for")), _plain(make) if make else lexicon.value)
        return r.choice((f"{noun} {{}}", f"the {{}} {noun}")), tuple(attributes.values())

    def attribute(self):
        r = self.r
        for _ in range(200):
            e, attributes, pattern = self.entity()
            attribute = a, p, make = r.choice(attributes)
            if self._fresh((e, a)):
                break
        else:
            raise RuntimeError("no free attribute left")
        near = [other for other in attributes if (e, other[0]) not in self._taken]
        v = make(r, self.split)
        fact = Fact(capital(stop(expand(r, r.choice(STATEMENTS)).format(a=a, p=p, e=e, v=v))),
                    [attribute_query(attribute, e, v)], (e, a),
                    r.choice(LISTED).format(a=a, p=p, e=e, v=v).replace("m..", "m."))
        other = make(r, self.split)
        if other != v:
            fact.queries[0].wrong = attribute_query(attribute, e, other).full
        if near:
            other = r.choice(near)
            fact.near.append((attribute_query(other, e), (e, other[0])))
        sibling = e
        for _ in range(20):
            if sibling != e and (sibling, a) not in self._taken:
                fact.near.append((attribute_query(attribute, sibling), (sibling, a)))
                break
            sibling = pattern.format(names.label(r, self.split))
        return fact

    # ---- events: "On Monday, Nadia repaired the brass clock in the harbor office."

    def event(self):
        r, split = self.r, self.split
        for _ in range(200):
            p, o, verb = self.person(), self.thing(), r.choice(VERBS)
            if self._fresh(("who", verb[0], o), ("what", verb[0], p)):
                break
        else:
            raise RuntimeError("no free event left")
        past, base, participle = verb
        place = f"in {names.place(r, split)}" if r.random() < 0.6 else ""
        time = self._time() if r.random() < 0.5 else ""
        reason = f"because {expand(r, r.choice(REASONS))}" if r.random() < 0.2 else ""
        queries = [Query(f"who {past} {o}", f"who {past} {o}", f"{p} {past} {o}.", p, f"the person who {past} {o}"),
                   Query(f"what did {p} {base}", f"what {p} {past}", f"{p} {past} {o}.", o)]
        someone, something = self.person(), names.thing(r, split)
        if someone != p:
            queries[0].wrong = f"{someone} {past} {o}."
        if something != o:
            queries[1].wrong = f"{p} {past} {something}."
        near, details = [], {}
        for word, value in (("where", place), ("when", time), ("why", reason)):
            query = details[word] = Query(f"{word} did {p} {base} {o}", f"{word} {p} {past} {o}")
            if value:
                query.full, query.short = stop(f"{p} {past} {o} {value}"), value
                queries.append(query)
            else:
                near.append((query, ("detail", query.direct)))
        other = names.thing(r, split)
        if ("who", past, other) not in self._taken:
            near.append((Query(f"who {past} {other}", f"who {past} {other}"), ("who", past, other)))
        stranger = self.person()
        if ("what", past, stranger) not in self._taken:
            near.append((Query(f"what did {stranger} {base}", f"what {stranger} {past}"), ("what", past, stranger)))
        return Fact(self._event_sentence(p, past, participle, o, place, time, reason), queries, ("who", past, o),
                    near=near, details=details)

    def _time(self):
        r = self.r
        return r.choice((f"on {r.choice(names.WEEKDAY)}", f"in {r.choice(names.MONTH)}", f"on {names.day(r)}",
                         f"at {names.hour(r)}", f"in {r.randint(1900, 2030)}", f"on {r.choice(names.WEEKDAY)} morning",
                         f"on {r.choice(names.WEEKDAY)} evening", f"at {r.choice(('noon', 'midnight', 'sunrise'))}"))

    def _event_sentence(self, p, past, participle, o, place, time, reason):
        def ending(*parts):
            return "".join(f" {part}" for part in parts if part)

        tail, kind = ending(place, time, reason), self.r.random()
        if kind < 0.3 and time:
            return capital(stop(f"{time}, {p} {past} {o}{ending(place, reason)}"))
        if kind < 0.45 and place:
            return capital(stop(f"{place}, {p} {past} {o}{ending(time, reason)}"))
        if kind < 0.5 and reason:
            return capital(stop(f"{reason}, {p} {past} {o}{ending(place, time)}"))
        if kind < 0.65:
            return capital(stop(f"{o} was {participle} by {p}{tail}"))
        if kind < 0.75:
            return stop(f"It was {p} who {past} {o}{tail}")
        return stop(f"{p} {past} {o}{tail}")

    # ---- relations: "Nadia lives in Lisbon."

    def relation(self):
        r, split = self.r, self.split
        for _ in range(200):
            p, (phrase, direct, indirect, who, make) = self.person(), r.choice(RELATIONS)
            v = make(r, split)
            if self._fresh((p, phrase), (phrase, v)):
                break
        else:
            raise RuntimeError("no free relation left")
        full = f"{p} {phrase.format(v=v)}."
        queries = [Query(direct.format(p=p), indirect.format(p=p), full, v),
                   Query(who.format(v=v), who.format(v=v), full, p, f"the person who {phrase.format(v=v)}")]
        stranger, other, elsewhere = self.person(), r.choice(RELATIONS), make(r, split)
        if elsewhere != v:
            queries[0].wrong = f"{p} {phrase.format(v=elsewhere)}."
        if stranger != p and (stranger, phrase) not in self._taken:
            queries[1].wrong = f"{stranger} {phrase.format(v=v)}."
        near = [(Query(other[1].format(p=p), other[2].format(p=p)), (p, other[0])),
                (Query(direct.format(p=stranger), indirect.format(p=stranger)), (stranger, phrase))]
        near = [(query, key) for query, key in near if key not in self._taken]
        sentence = r.choice(("{}", "{}", "{}", "[As everybody knows|As I heard|These days|By the way], {}",
                             "[We learned|It turned out|She wrote|Everyone knows|People say] that {}"))
        sentence = expand(r, sentence).format(full)
        return Fact(sentence, queries, (p, phrase), near=near)

    # ---- what the document leaves open

    def leave_out(self, count):
        """Makes facts that the document will not state: their questions are twins of those it answers."""
        for _ in range(count):
            self._unstated += [Query(q.direct, q.indirect, noun=q.noun) for q in self.fact().queries]
        self.r.shuffle(self._unstated)

    def open_query(self, facts):
        """A question that no fact of this document answers, often one close to a fact, or None."""
        if self._unstated and self.r.random() < 0.6:
            return self._unstated.pop()
        for _ in range(20):
            near = self.r.choice(facts).near
            if near:
                query, key = self.r.choice(near)
                if key not in self._taken:
                    return query
        return None


def attribute_query(attribute, e, v=""):
    a, p, make = attribute
    noun, word = f"the {a} {p} {e}", "who" if make is _PERSON else "what"
    return Query(f"{word} is {noun}", f"{word} {noun} is", stop(f"The {a} {p} {e} is {v}") if v else "", v, noun)
