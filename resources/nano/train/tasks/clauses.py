# SPDX-License-Identifier: Apache-2.0
"""Invented events as sentences of many forms, and what can be asked about each part of them.

A clause has roles (who, what, where, when, why, ...). It is stated in one form (active, passive, reported, cleft) and
asked about in another, with another verb of the same meaning or a shorter name for a thing; the answer is the part of
the sentence that was asked for, word for word.
"""
from dataclasses import dataclass, field

from tasks import lexicon, names, verbs
from tasks.facts import capital, plural
from tasks.frames import expand


@dataclass
class Inquiry:
    """A question as a main clause and as an object clause, and the words of the text that answer it ("" if none do)."""
    direct: str                 # "who repaired the clock"
    answer: str
    indirect: str = ""
    noun: str = ""              # "the reason for it"
    key: tuple = ()             # what it asks for: two inquiries with one key have one answer

    def __post_init__(self):
        self.indirect = self.indirect or self.direct


@dataclass
class Noun:
    """A thing of the document. full: "the old brass clock"; short: "the clock", where that is clear."""
    full: str
    short: str
    kind: str
    many: bool = False

    def said(self, r):
        return self.short if r.random() < 0.4 else self.full


NUMBERS = "two three four five six seven eight nine ten eleven twelve".split()
DOCUMENT = "letter report invoice contract manual poem article petition map brochure list diary newsletter manuscript recipe speech postcard form survey essay song".split()
EVENT = """meeting party concert workshop auction exhibition festival race lecture picnic tournament course parade lottery reunion wedding
bazaar rehearsal debate ceremony excursion raffle seminar quiz hearing show opening sale""".split()
PLAN = "plan proposal budget idea rule project suggestion schedule design application price change offer request".split()
GROUP = "club committee team choir company department orchestra council group society crew board".split()
KIND_WORDS = {"document": DOCUMENT, "event": EVENT, "plan": PLAN, "group": GROUP}
ROLES = """chair treasurer secretary director manager coach editor captain president owner caretaker head cook gardener teacher librarian guide
speaker organizer mayor clerk driver supervisor""".split()
REASONS = ("it [was|is] [too old|too heavy|too small|too expensive|leaking|rotten|dangerous|out of order|no longer needed|the only one left|very popular]",
           "[the roof|the floor|the pipe|the engine|the lock|the wall|the ground] [was|is] [wet|cracked|broken|hollow|unsafe|frozen|worn out]",
           "[nobody|no one|hardly anybody] [had|has] [time|a key|a license|the money|the skill|asked for it]",
           "[many|some|several] [guests|members|neighbors|visitors|customers|children|parents] [complained|asked for it|were ill|could not come|had arrived late]",
           "[the money|the space|the time|the paint|the wood] [ran out|was not enough]", "of [the storm|the heavy rain|the strike|a power cut|the holidays|low demand|the noise|a flood]",
           "[he|she] [was|had been] [ill|away|busy|late|on holiday|tired]", "the [old|last|first] one [was|had been] [stolen|sold|lost|broken]",
           "the [law|contract|insurance|doctor|owner|bank] [required|demanded|allowed] it", "[winter|the season|the inspection|the deadline] [is|was] near")
PURPOSES = ("to [save|raise|earn] [money|time|energy]", "to [keep out|stop|avoid] [the rain|mice|noise|accidents|the cold|dust]", "to help [the school|new members|the victims|a neighbor|the poor]",
            "to make [room|space] for [visitors|a piano|the children|new books]", "to thank [the volunteers|the sponsors|everybody]",
            "to celebrate [the anniversary|the victory|the birthday]", "to [protect|warn|reach|surprise] [the public|the birds|the guests|the neighbors]")
TOOL = ("with {}", "by means of {}", "with the help of {}", "using {}")
PREPOSITIONS = ("in", "in", "in", "in", "near", "behind", "next to", "in front of", "outside", "opposite", "under", "above", "beside", "at")


def everyday(r, split, pool):
    """A word, mostly a frequent one, as on pages people write."""
    words = lexicon.pool(split, pool)
    return r.choice(words[:len(words) // 12 + 20]) if r.random() < 0.6 else lexicon.common(r, words)


class Cast:
    """The people, things and places of one document; every head noun is used for one thing only."""

    def __init__(self, r, split):
        self.r, self.split, self.heads, self.things, self.used = r, split, set(), {}, set()
        self.people, self.firsts = [], set()
        for _ in range(r.randint(3, 7)):
            self.new_person()

    def new_person(self):
        while True:
            first = names.draw(self.r, self.split, "first")
            if first not in self.firsts:
                break
        self.firsts.add(first)
        full = f"{first} {names.surname(self.r, self.split)}" if self.r.random() < 0.75 else first
        kind = self.r.random()
        person = Noun(full if kind < 0.88 else f"{self.r.choice(('Mr.', 'Mrs.', 'Ms.', 'Dr.'))} {names.surname(self.r, self.split)}", "", "person")
        person.short = person.full.split()[0] if kind < 0.88 else person.full
        self.people.append(person)
        return person

    def person(self):
        return self.r.choice(self.people) if self.r.random() < 0.8 else self.new_person()

    def _head(self, kind):
        if kind in KIND_WORDS and self.r.random() < 0.8:
            return self.r.choice(KIND_WORDS[kind])
        pool = {"food": "food", "animal": "animal", "plant": "plant", "building": "building", "document": "thing"}.get(kind, "thing")
        return everyday(self.r, self.split, pool)

    def noun(self, kind):
        """A new thing of the kind, or one that occurred before."""
        r, split = self.r, self.split
        known = self.things.setdefault(kind, [])
        if known and r.random() < 0.3:
            return r.choice(known)
        if kind == "person":
            return self.person()
        if kind == "town":
            made = Noun(*(names.city(r, split),) * 2, kind)
        elif kind == "subject":
            made = Noun(*(names.draw(r, split, "subject"),) * 2, kind)
        else:
            made = self._thing(kind)
        known.append(made)
        return made

    def _thing(self, kind):
        r, split = self.r, self.split
        for _ in range(20):
            head = self._head(kind)
            if head not in self.heads:
                break
        alone = head not in self.heads
        self.heads.add(head)
        style, adjective = r.random(), everyday(r, split, "adjective")
        if style < 0.15:
            full, short = f"the {head}", f"the {head}"
        elif style < 0.55:
            full, short = f"the {adjective} {head}", f"the {head}"
        elif style < 0.65:
            full, short = f"{'an' if adjective[0] in 'aeiou' else 'a'} {adjective} {head}", f"the {head}"
        elif style < 0.75 and kind in ("thing", "food", "animal", "plant", "document"):
            full, short = f"the {adjective} {plural(head)}", f"the {plural(head)}"
            return Noun(full, short if alone else full, kind, True)
        elif style < 0.85:
            full, short = f"the {head} of {r.choice((lambda: names.city(r, split), lambda: r.choice(self.people).full))()}", f"the {head}"
        elif style < 0.93:
            full, short = f"the {lexicon.lemma(r, split)} {head}", f"the {head}"
        else:
            full, short = f"the {head} {names.label(r, split)}", f"the {head}"
        return Noun(full, short if alone else full, kind)

    def place(self):
        r = self.r
        if r.random() < 0.3:
            return f"in {names.city(r, self.split)}"
        if r.random() < 0.15:
            return f"{r.choice(('in', 'in', 'outside'))} {r.choice(('room', 'hall', 'house', 'building', 'gate'))} {r.randint(1, 300)}"
        return f"{r.choice(PREPOSITIONS)} {names.place(r, self.split)}"

    def time(self):
        r = self.r
        return r.choice((lambda: f"on {r.choice(names.WEEKDAY)}", lambda: f"on {names.day(r)}", lambda: f"on {names.date(r)}",
                         lambda: f"in {r.choice(names.MONTH)}", lambda: f"in {r.randint(1850, 2040)}", lambda: f"at {names.hour(r)}",
                         lambda: f"on {r.choice(names.WEEKDAY)} {names.day(r)}", lambda: f"on {r.choice(names.WEEKDAY)} {r.choice(('morning', 'evening', 'afternoon'))}",
                         lambda: r.choice(("yesterday", "last week", "this morning", "in spring", "during the night", "at noon", "in the summer", "next week", "tomorrow", "every Sunday",
                                           "after lunch", "before breakfast", "at the weekend", "last year", "two weeks ago", "at half past six", "at seven o'clock"))))()


@dataclass
class Clause:
    """verb: one of the action's; roles: {name: text with its preposition}; amount stands in front of the object."""
    who: Noun
    action: verbs.Action
    what: Noun
    tense: str
    roles: dict = field(default_factory=dict)
    agent: bool = True          # whether the text names who did it


def make_clause(cast):
    r, split = cast.r, cast.split
    for _ in range(60):
        action = r.choice(verbs.ACTIONS) if r.random() < 0.82 else verbs.open_action(r, split)
        who = cast.person() if r.random() < 0.85 else cast.noun("group")
        what = cast.noun(r.choice(action.kinds))
        if what.full != who.full and not {("who", action.verbs[0].base, what.full), ("what", action.verbs[0].base, who.full)} & cast.used:
            break
    cast.used |= {("who", action.verbs[0].base, what.full), ("what", action.verbs[0].base, who.full)}
    clause = Clause(who, action, what, r.choice(verbs.TENSES))
    wanted = {"place": 0.0 if what.kind in ("town", "building") else 0.3, "time": 0.4, "reason": 0.15, "purpose": 0.07} | {role: 0.35 for role in action.roles}
    for role, share in wanted.items():
        if r.random() < share and len(clause.roles) < 3 and not (role == "purpose" and "reason" in clause.roles):
            clause.roles[role] = role_text(cast, role, clause)
    return clause


def role_text(cast, role, clause):
    r, split = cast.r, cast.split
    other = next(p for p in iter(cast.person, None) if p.full != clause.who.full)
    return {
        "place": cast.place, "time": cast.time, "reason": lambda: "because " + expand(r, r.choice(REASONS)),
        "purpose": lambda: expand(r, r.choice(PURPOSES)), "price": lambda: f"for {names.money(r)}",
        "source": lambda: f"from {other.full if r.random() < 0.5 else names.company(r, split)}",
        "recipient": lambda: (f"for {other.full}" if clause.action.verbs[0].base in ("bake", "cook", "pack") else f"to {other.full}"),
        "companion": lambda: f"{r.choice(('together with', 'with'))} {other.full}",
        "duration": lambda: f"for {r.choice(NUMBERS)} {r.choice(('hours', 'days', 'weeks', 'months', 'years'))}",
        "tool": lambda: r.choice(TOOL).format(f"a {names.adjective(r, split)} {lexicon.lemma(r, split, 'thing')}"),
        "other": lambda: f"with {cast.noun('thing').full}", "goal": lambda: f"to {names.place(r, split)}",
        "until": lambda: f"to {r.choice(names.WEEKDAY) if r.random() < 0.5 else names.day(r)}", "food": lambda: f"with {names.draw(r, split, 'food')}",
        "trade": lambda: f"as {r.choice(ROLES)}", "amount": lambda: str(r.randint(2, 400)) if r.random() < 0.6 else r.choice(NUMBERS),
    }[role]()


def _object(clause, text):
    """"12 boxes" for an amount, else the text."""
    return f"{clause.roles['amount']} {_plural_head(clause)}" if "amount" in clause.roles else text


def _plural_head(clause):
    words = clause.what.short.split()[1:] or clause.what.short.split()
    return " ".join(words) if clause.what.many else " ".join(words[:-1] + [plural(words[-1])]) if words[-1].islower() else "pieces"


def _tail(r, roles, skip=()):
    order = [role for role in ("other", "goal", "recipient", "source", "until", "food", "trade", "price", "tool", "companion", "place", "duration", "time", "purpose", "reason")
             if role in roles and role not in skip]
    if r.random() < 0.3:
        order = [role for role in order if role not in ("place", "time")] + [role for role in ("time", "place") if role in order]
        order = [role for role in order if role not in ("purpose", "reason")] + [role for role in ("purpose", "reason") if role in order]
    return "".join((", " if role == "reason" and r.random() < 0.3 else " ") + roles[role] for role in order)


def statement(r, clause, first=True):
    """The clause in the document's words, without a full stop; sets clause.agent."""
    v, roles = r.choice(clause.action.verbs), clause.roles
    o, kind = _object(clause, clause.what.full), r.random()
    front = ""
    if "time" in roles and kind < 0.25 and first:
        front = f"{roles['time']}, " if r.random() < 0.7 else f"{roles['time']} "
    elif "reason" in roles and kind > 0.95 and first:
        front = f"{roles['reason']}, "
    skip = ("time",) if front.startswith(roles.get("time", "-")) and front else ("reason",) if front else ()
    form = r.random()
    if form < 0.62:
        return f"{front}{clause.who.full} {verbs.active(v, clause.tense)[0]} {o}{_tail(r, roles, skip)}"
    if form < 0.9:
        clause.agent = r.random() < 0.65
        by = f" by {clause.who.full}" if clause.agent else ""
        many = clause.what.many or "amount" in roles
        early, late = (by, "") if r.random() < 0.7 else ("", by)
        return f"{front}{o} {verbs.passive(v, clause.tense, many)[0]}{early}{_tail(r, roles, skip)}{late}"
    if form < 0.95 and clause.tense in ("past", "future", "present"):
        return f"it {'will be' if clause.tense == 'future' else 'is' if clause.tense == 'present' else 'was'} {clause.who.full} who {verbs.active(v, clause.tense)[0]} {o}{_tail(r, roles)}"
    return f"{front}{clause.who.full} {verbs.active(v, clause.tense)[0]} {o}{_tail(r, roles, skip)}"


# role -> (question words, indirect question words) or how the question goes otherwise
WH = {"place": ("where",) * 5 + ("in which place", "in what place"), "time": ("when",) * 6 + ("on which day", "at what time"), "reason": ("why",) * 5 + ("for what reason", "how come"),
      "purpose": ("why", "for what purpose", "what ... for"), "price": ("for how much", "for what price", "for how much money", "at what price"),
      "source": ("where", "from whom"), "recipient": ("to whom", "who ... to", "for whom", "who ... for"), "companion": ("with whom", "who ... with", "together with whom"),
      "duration": ("how long", "for how long", "for how much time"), "tool": ("with what", "how", "what ... with", "by what means"), "other": ("with what", "what ... with", "by what"),
      "goal": ("where", "to which place", "where ... to"), "until": ("to which day", "until when", "to when"), "food": ("with what", "what ... with"), "trade": ("as what",)}


def wh_time(r, text):
    """"when", or what fits the time more closely."""
    if r.random() < 0.65:
        return "when"
    if text.startswith("at") and any(c.isdigit() for c in text):
        return r.choice(("at what time", "what time", "at which hour"))
    if text.startswith("in") and text[3:].isdigit():
        return r.choice(("in which year", "in what year"))
    if any(day in text for day in names.WEEKDAY) or any(c.isdigit() for c in text):
        return r.choice(("on which day", "on what day", "what day", "on which date") if text.startswith("on") else ("when",))
    return "when"


def inquiries(r, clause):
    """What the statement answers and, with an empty answer, what it leaves open. Call after statement()."""
    v = r.choice(clause.action.verbs)
    roles, who, key = clause.roles, clause.who, clause.action.verbs[0].base
    s, o = who.said(r), _object(clause, clause.what.said(r))
    many = clause.what.many or "amount" in roles
    said, aux, main = verbs.active(v, clause.tense)
    psaid, paux, pmain = verbs.passive(v, clause.tense, many)
    answer = who.full if clause.agent else ""
    found = [r.choice((
        Inquiry(f"who {said} {o}", answer), Inquiry(f"who {said} {o}", answer), Inquiry(f"who {said} {o}", answer, noun=f"the person who {said} {o}"),
        Inquiry(f"by whom {paux} {o} {pmain}", answer, f"by whom {o} {psaid}"), Inquiry(f"who {paux} {o} {pmain} by", answer, f"who {o} {psaid} by"),
        Inquiry(f"which person {said} {o}", answer), Inquiry(f"who was it that {said} {o}", answer)))]
    found[0].key = ("who", key, clause.what.full)
    if clause.agent:
        whole = _object(clause, clause.what.full)
        head = clause.what.short.split()[-1]
        ask = r.choice((Inquiry(f"what {aux} {s} {main}", whole, f"what {s} {said}"), Inquiry(f"what {psaid if not many else psaid.replace('were', 'was', 1)} by {s}", whole),
                        Inquiry(f"what {aux} {s} {main}", whole, f"what {s} {said}", f"what {s} {said}"),
                        Inquiry(f"which {head} {aux} {s} {main}", whole, f"which {head} {s} {said}")))
        if clause.what.kind in ("person", "town", "subject"):
            word = "who" if clause.what.kind == "person" else "what"
            ask = Inquiry(f"{word} {aux} {s} {main}", whole, f"{word} {s} {said}")
        if "amount" not in roles or r.random() < 0.3:
            found.append(ask)
            ask.key = ("what", key, who.full)
    for role in (() if clause.what.kind in ("town", "building") else ("place",)) + ("time", "reason") + tuple(x for x in clause.action.roles if x != "amount") + (("purpose",) if "purpose" in roles else ()):
        if role == "purpose" and "reason" in roles or role == "reason" and "purpose" in roles:
            continue
        found.append(_role_inquiry(r, clause, role, (s, o, said, aux, main, psaid, paux, pmain)))
        found[-1].key = (role, key, clause.what.full, who.full)
    if "amount" in roles:
        heads = _plural_head(clause)
        whole = _object(clause, "")
        found.append(Inquiry(f"how many {heads} {aux} {s} {main}", whole, f"how many {heads} {s} {said}", f"the number of {heads}") if clause.agent and r.random() < 0.6 else
                     Inquiry(f"how many {heads} {psaid}", whole))
        found[-1].key = ("amount", key, heads)
    return found


def _role_inquiry(r, clause, role, parts):
    s, o, said, aux, main, psaid, paux, pmain = parts
    answer = clause.roles.get(role, "")
    word = wh_time(r, answer) if role == "time" and answer else r.choice(WH[role])
    use_passive = not clause.agent or r.random() < 0.4
    subject, auxiliary, verb_, stated = (o, paux, pmain, f"{o} {psaid}") if use_passive else (s, aux, f"{main} {o}", f"{s} {said} {o}")
    if role == "price" and not use_passive and r.random() < 0.5 and clause.action.verbs[0].base in ("buy", "rent", "order", "sell", "install", "build"):
        get = clause.action.verbs[0].base == "sell"
        tail = f"{'get' if get else 'pay'} for {o}"
        return Inquiry(f"how much did {s} {tail}", answer, f"how much {s} {'got' if get else 'paid'} for {o}", f"the price of {o}")
    before, _, after = word.partition(" ... ")
    ending = f" {after}" if after else ""
    if before == "how come":
        return Inquiry(f"how come {stated}", answer)
    return Inquiry(f"{before} {auxiliary} {subject} {verb_}{ending}", answer, f"{before} {stated}{ending}")


def sentence(cast, clauses):
    """One or two clauses as a sentence of the document."""
    r = cast.r
    if len(clauses) == 2:
        joint = r.choice((", and ", ", and ", ", but ", "; ", ", while ", " and "))
        text = statement(r, clauses[0]) + joint + statement(r, clauses[1], False)
    else:
        text = statement(r, clauses[0])
    if r.random() < 0.16:
        teller, v = cast.person(), r.choice(verbs.REPORT)
        text = expand(r, r.choice(("{p} {v} that {x}", "{p} {v} that {x}", "[It was agreed|It was decided|We were told|It turned out|We heard|It is planned|Everybody knows|The report says|Please note|Remember] that {x}",
                                   "[Last but not least|In addition|As planned|By the way|Finally|Meanwhile|Once again|As usual|Fortunately|Unfortunately|Also], {x}"))).format(p=teller.full, v=v.past, x=text)
    return capital(text) + ("" if text[-1] in ".!?" else ".")
