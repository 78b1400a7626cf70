# SPDX-License-Identifier: Apache-2.0
"""Questions that need two or three facts in a row. The trace, or in direct mode the answer itself, names each link."""
from dialog import Turn
from tasks import corpus, names
from tasks.facts import capital
from tasks.frames import frame
from tasks.lookup import weave
from tasks.questions import UNKNOWN, cost, family, size, with_document

# subject kind -> relations: (object kind, sentence, noun phrase for the object)
RELATIONS = {
    "person": (("person", "The manager of {s} is {o}.", "the manager of {s}"),
               ("town", "{s} lives in {o}.", "the town where {s} lives"),
               ("company", "{s} works for {o}.", "the company that {s} works for"),
               ("truck", "{s} drives {o}.", "the truck that {s} drives"),
               ("number", "The phone extension of {s} is {o}.", "the phone extension of {s}"),
               ("person", "The best friend of {s} is {o}.", "the best friend of {s}"),
               ("instrument", "{s} plays {o}.", "the instrument that {s} plays")),
    "town": (("person", "The mayor of {s} is {o}.", "the mayor of {s}"),
             ("river", "{s} lies on {o}.", "the river of {s}"),
             ("number", "The postal code of {s} is {o}.", "the postal code of {s}")),
    "company": (("town", "{s} has its head office in {o}.", "the town where {s} has its head office"),
                ("person", "The director of {s} is {o}.", "the director of {s}"),
                ("number", "The tax number of {s} is {o}.", "the tax number of {s}")),
    "truck": (("place", "{s} is parked at {o}.", "the place where {s} is parked"),
              ("color", "{s} is painted {o}.", "the color of {s}"),
              ("number", "The license number of {s} is {o}.", "the license number of {s}")),
    "item": (("box", "{s} is in {o}.", "the box that holds {s}"),
             ("person", "{s} belongs to {o}.", "the owner of {s}")),
    "box": (("room", "{s} stands in {o}.", "the room where {s} stands"),
            ("person", "{s} was packed by {o}.", "the person who packed {s}"),
            ("number", "The lock of {s} opens with {o}.", "the number that opens {s}")),
    "room": (("person", "The key to {s} is kept by {o}.", "the person who keeps the key to {s}"),
             ("color", "The walls of {s} are {o}.", "the wall color of {s}")),
    "parcel": (("truck", "{s} is carried by {o}.", "the truck that carries {s}"),
               ("town", "{s} goes to {o}.", "the town to which {s} goes"),
               ("person", "{s} was sent by {o}.", "the sender of {s}")),
    "ship": (("person", "The captain of {s} is {o}.", "the captain of {s}"),
             ("town", "The home port of {s} is {o}.", "the home port of {s}")),
}
RELATIONS["person"] += tuple(("person", f"The {who} of {{s}} is {{o}}.", f"the {who} of {{s}}")
                             for who in "brother teacher doctor neighbor lawyer coach assistant landlord".split())
RELATIONS["town"] += tuple(("person", f"The {who} of {{s}} is {{o}}.", f"the {who} of {{s}}") for who in ("judge",
                                                            "oldest baker"))
RELATIONS["company"] += (("ship", "{s} owns {o}.", "the ship that {s} owns"),
                         ("room", "The safe of {s} stands in {o}.", "the room with the safe of {s}"))
RELATIONS["room"] += (("item", "The best piece in {s} is {o}.", "the best piece in {s}"),
                      ("number", "The door code of {s} is {o}.", "the door code of {s}"))
MAKERS = {
    "person": lambda r, s: names.person(r, s) if r.random() < 0.5 else names.draw(r, s, "first"),
    "town": names.city, "company": names.company,
    "truck": lambda r, s: f"truck {names.label(r, s)}", "item": names.thing, "box": lambda r, s: f"box {names.label(r, s)}",
    "room": lambda r, s: f"room {names.label(r, s)}", "parcel": lambda r, s: f"parcel {names.label(r, s)}",
    "ship": lambda r, s: f"the ship {names.label(r, s)}", "number": lambda r, s: names.digits(r, 3, 5),
    "place": names.place, "color": lambda r, s: r.choice(names.COLOR), "river": lambda r,
    s: f"the {names.invented(r, s)} river",
    "instrument": lambda r, s: f"the {names.draw(r, s, 'instrument')}",
}
ASK = (
    "{Wh} {x}?", "{Wh} {x}?", "{Wh} {x}?", "[Tell me|Find|Name|Give me|Work out|Look up] {x}[.|, please.]",
    "[I need|I want|I would like] to know {x}.", "[Can|Could|Would] you [work out|find|tell me|name] {x}?",
    "[Please|Now|Next,] [find|name|work out|tell me] {x}.", "[According to|Going by|From] the [text|document|notes], {wh} {x}?",
    "[And|So|OK,|Then] {wh} {x}?", "[Question|Quick question|Next one]: {wh} {x}?",
    "[Do you know|Can we tell|Does the text say] {x}?",
    "[I am looking for|Please give me|Let me know|Show me|Find out] {x}[.|, please.]",
    "[Follow|Use] the [text|facts|document]: {wh} {x}?", "[Someone|My boss|A friend] [asks|wants to know] {x}.",
    "{Wh} {x}, [if you follow the text|going by the text|judging by the document]?",
    "{Wh} {x}, according to the text?", "[Figure out|State] {x}.",
)
ASK_SHORT = ("[Give|Name|Print|Return] only {x}.", "{Wh} {x}? [Just the answer.|Answer briefly.|Only the answer.|Keep it short.]",
             "[Just|Only] {x}, please.", "[I want|I need|Give me] [only|just|nothing but] {x}[.|, no sentence.|, please.]",
             "[Reply|Answer] [only|just] with {x}.",
             "[In short|Briefly], {wh} {x}?", "[I only need|I just want] {x}.",
             "{Wh} {x}? Short answer.", "Only {x}, nothing else.")


class Links:
    """A graph of people, places and things in which every relation of a subject has one object."""

    def __init__(self, r, split, count, hops):
        self.r, self.split = r, split
        self.facts = {}                     # (subject, relation index) -> object
        self.kind = {}
        self._firsts = set()
        starts = r.sample(["person", "item", "parcel", "ship", "company", "box"], r.randint(1, 3))
        while len(self.facts) < count:
            self._grow(self._entity(r.choice(starts)), r.randint(hops, 4))

    def _entity(self, kind):
        known = [e for e, k in self.kind.items() if k == kind]
        if known and kind not in ("number", "color") and self.r.random() < 0.25:
            return self.r.choice(known)
        for _ in range(50):
            name = MAKERS[kind](self.r, self.split)
            first = name.split()[0]
            if kind != "person" and name not in self.kind or kind == "person" and first not in self._firsts:
                break
        else:
            return self.r.choice(known) if known else name
        self._firsts.add(first)
        self.kind.setdefault(name, kind)
        return name

    def _grow(self, subject, depth):
        for _ in range(depth):
            relations = RELATIONS.get(self.kind[subject])
            if not relations:
                return
            free = [i for i in range(len(relations)) if (subject, i) not in self.facts]
            if not free:
                return
            i = self.r.choice(free)
            o = self._entity(relations[i][0])
            if o == subject:
                return
            self.facts[subject, i] = o
            subject = o

    def sentence(self, subject, i):
        return capital(RELATIONS[self.kind[subject]][i][1].format(s=subject, o=self.facts[subject, i]))

    def sentences(self):
        return [self.sentence(*key) for key in self.facts]

    def path(self, hops):
        """(noun phrase, facts on the way, object or None if the last link is not stated, its kind), or None."""
        subject, i = self.r.choice(list(self.facts))
        phrase, links = subject, []
        for step in range(hops):
            kind = self.kind[subject]
            relations = RELATIONS.get(kind)
            if not relations:
                return None
            if step:
                known = [j for j in range(len(relations)) if (subject, j) in self.facts]
                missing = [j for j in range(len(relations)) if (subject, j) not in self.facts]
                if step == hops - 1 and missing and self.r.random() < 0.12:
                    j = self.r.choice(missing)
                    return relations[j][2].format(s=phrase), links, None, relations[j][0]
                if not known:
                    return None
                i = self.r.choice(known)
            links.append(self.sentence(subject, i))
            phrase = relations[i][2].format(s=phrase)
            subject = self.facts[subject, i]
        return phrase, links, subject, self.kind[subject]


def hop_turn(r, split, links, hops, thinking):
    found = links.path(hops)
    if found is None:
        return None
    phrase, trail, o, kind = found
    wh = "who is" if kind == "person" else "what is"
    short = r.random() < (0.4 if thinking else 0.15)
    question = frame(r, split, ASK_SHORT if short else ASK).format(x=phrase, wh=wh, Wh=capital(wh))
    trace = " ".join(trail)
    if o is None:
        return Turn([question], UNKNOWN, f"{trace} The text does not give the last link.")
    if short:
        return Turn([question], o, trace)
    return Turn([question], f"{capital(phrase)} is {o}." if thinking else trace, trace)


def hop(r, split, budget, hops):
    thinking = r.random() < 0.7
    prose = budget > 4096 or r.random() < 0.5
    share = 0.5 if budget <= 2500 else 0.15
    count = max(6, min(90, int(budget * (0.4 if not prose else share * 0.45) / 14)))
    links = Links(r, split, count, hops)
    sentences = links.sentences()
    r.shuffle(sentences)
    if prose:
        inside = sum(map(corpus.tokens, sentences))
        document = weave(r, sentences, corpus.filler(r, split, max(60, budget * (1 - share) - inside)))
    else:
        document = [r.choice((" ", "\n")).join(sentences) + "\n\n"]
    turns, spent, left, asked, unknown = [], 0, budget - size(document) - 60, set(), 0
    for _ in range(400):
        if spent >= left and turns:
            break
        turn = hop_turn(r, split, links, hops if r.random() < 0.85 else 5 - hops, thinking)
        if turn and turn.answer == UNKNOWN and unknown * 6 > len(turns):
            continue
        if turn and turn.user[0] not in asked:
            unknown += turn.answer == UNKNOWN
            asked.add(turn.user[0])
            turns.append(turn)
            spent += cost(turn.user[0], turn.answer, turn.think if thinking else "")
    if not turns:
        subject, i = next(iter(links.facts))
        turns.append(Turn([f"What do we know about {subject}?"], links.sentence(subject, i)))
    dialog = with_document(r, split, document, turns)
    dialog.thinking = thinking
    return dialog


@family("hop2", thinking=None)
def hop2(r, split, budget):
    return hop(r, split, budget, 2)


@family("hop3", thinking=None)
def hop3(r, split, budget):
    return hop(r, split, budget, 3)


FAMILIES = {"hop2": hop2, "hop3": hop3}
