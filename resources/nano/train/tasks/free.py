# SPDX-License-Identifier: Apache-2.0
"""Pages in plain English and free questions about them: minutes, letters, notices, reports.

The answer is the part of the text that was asked for, word for word; in thinking mode the sentence it stands in comes
first. The same question is answered on one page and declined on the next, where the text leaves that part open.
"""
from dataclasses import dataclass, field

from dialog import Split, Turn
from tasks import clauses, corpus, lexicon, names, relations, verbs
from tasks.copying import BY_FACT
from tasks.facts import capital, stop
from tasks.frames import expand, frame
from tasks.natural import ABOUT
from tasks.questions import FULL, NOUN_FULL, UNKNOWN, cost, family, size, with_document

OPEN_SHARE = 0.13               # of the questions
TITLES = ("Minutes of the {g}, {d}", "News from the {g}", "{G} meeting on {d}", "Report of the {g}", "Notes", "What happened this week", "Letter to the members",
          "Invitation", "To all members of the {g}", "Weekly update", "Diary, {d}", "Local news", "The {g} in brief", "Announcements", "{d}", "Dear {p}", "Press release", "Memo")
CHATTER = ("The [chair|director|host] opened the [meeting|evening].", "There was a lively discussion.", "Nobody objected.", "All others agreed.",
           "More about this next time.", "That was all.", "We thank everybody for coming.", "It was a long evening.", "The weather was fine.", "Several questions were asked.", "This took some time.",
           "The [members|guests|neighbors] were [pleased|surprised|not happy].", "Please tell your friends.", "We hope to see you all.", "Nothing else was decided.", "Some thought it was too late.")
OBJECT_CLAUSE = ("[Tell me|Say|Please tell me|Do you know|Can you tell me|Could you tell me|I want to know|I'd like to know|Find out|I wonder|Does it say|Does the text say|Is it said|Let me know] {indirect}[?|.]",
                 "[Can|Could] you [say|find|find out|look up] {indirect}?", "[Remind me|Explain|Check] {indirect}.")
TYPING = str.maketrans({"?": "", ".": ""})


@dataclass
class Statement:
    text: str                   # a sentence of the document
    asked: list                 # of Inquiry, answered by the sentence
    left: list = field(default_factory=list)        # of Inquiry that it leaves open
    heads: tuple = ()           # names of things in it
    claim: tuple = ()           # ("did Ann sell the clock", "did Bob sell the clock"): a true and a false yes-or-no question


def event(cast):
    r = cast.r
    parts = [clauses.make_clause(cast) for _ in range(2 if r.random() < 0.22 else 1)]
    text = clauses.sentence(cast, parts)
    found = [inquiry for clause in parts for inquiry in clauses.inquiries(r, clause)]
    claim = ()
    clause = parts[0]
    other = cast.person()
    if clause.agent and other.full != clause.who.full and ("what", clause.action.verbs[0].base, other.full) not in cast.used:
        _, aux, main = verbs.active(r.choice(clause.action.verbs), clause.tense)
        o = clause.what.said(r)
        claim = tuple(f"{aux} {who.said(r)} {main} {o}" for who in (clause.who, other)) if "amount" not in clause.roles else ()
    return Statement(text, [q for q in found if q.answer], [q for q in found if not q.answer],
                     tuple(clause.what.short.split()[-1] for clause in parts if clause.what.kind != "person"), claim)


def property_of(cast):
    r = cast.r
    text, asked, (relation, noun, *_) = relations.describe(cast)
    if r.random() < 0.22:
        more, also, _ = relations.describe(cast)
        text, asked = f"{text}{r.choice((', and ', '; ', ', but ', ' and '))}{more}", asked + also
    if r.random() < 0.12:
        text = f"{cast.person().full} {r.choice(verbs.REPORT).past} that {text}"
    heads = (noun.short.split()[-1],) if noun.kind != "person" else ()
    return Statement(stop(capital(text)), asked, [], heads)


def attendance(cast):
    """"Present: Ann Bell (chair), Tom and Ida. Apologies came from Max." as questions about roles and absence."""
    r, people = cast.r, cast.people[:]
    r.shuffle(people)
    roles = r.sample(clauses.ROLES, len(people)) if len(people) <= len(clauses.ROLES) else []
    asked, shown = [], []
    for person, role in zip(people, roles):
        if r.random() < 0.5 and ("role", role) not in cast.used:
            cast.used.add(("role", role))
            relation = next(x for x in relations.RELATIONS if x.name == "role")
            asked += relations.ask(cast, relation, person, person.full, dict(v=role, unit="", h="", year="", city=""), ("role", role))
            shown.append(f"{person.full} ({role})" if r.random() < 0.7 else f"{role} {person.full}")
        else:
            shown.append(person.full)
    listed = ", ".join(shown[:-1]) + f" and {shown[-1]}"
    asked += [clauses.Inquiry(q, listed) for q in r.sample(("who was present", "who was there", "who took part", "who came", "which people were present", "who attended"), 2)]
    return Statement(f"{r.choice(('Present', 'Attending', 'Those present', 'In the room', 'Participants'))}: {listed}.", asked)


def statements(cast, budget):
    """Statements of about that many tokens, in an order that reads well enough."""
    r, out, used = cast.r, [], 0
    if r.random() < 0.2:
        out.append(attendance(cast))
    share = r.choice((0.35, 0.5, 0.65))
    while used < budget and len(out) < 90 or len(out) < 2:
        made = (event if r.random() < share else property_of)(cast)
        out.append(made)
        used += corpus.tokens(made.text) + 1
    return out


def lay_out(cast, sentences):
    """Title, paragraphs of a few sentences, sometimes a letter or lines with marks."""
    r, kind = cast.r, cast.r.random()
    title = r.choice(TITLES)
    title = title.format(g=r.choice(clauses.GROUP), G=capital(r.choice(clauses.GROUP)), d=names.day(r), p=cast.people[0].short)
    if kind < 0.15:
        mark = r.choice(("- ", "* ", "", "", "• "))
        return [f"{title}\n\n" + "\n".join(mark + s for s in sentences) + "\n\n"]
    if kind < 0.22:
        return [" ".join(sentences) + "\n\n"]
    out, rest = [f"{r.choice(('', '', '# ', '## '))}{title}\n\n"] if r.random() < 0.8 else [], list(sentences)
    while rest:
        count = r.randint(1, 5)
        out.append(("" if r.random() > 0.08 else f"{lexicon.phrase(r, cast.split).capitalize()}\n\n") + " ".join(rest[:count]) + "\n\n")
        rest = rest[count:]
    if r.random() < 0.1:
        out.append(f"{expand(r, '[Best wishes|Yours|Kind regards|See you soon]')},\n{cast.people[-1].full}\n\n")
    return out


def wording(r, split, inquiry):
    """The question as somebody types it."""
    kind = r.random()
    if inquiry.noun and (kind < 0.4 or not inquiry.direct):
        text = r.choice(("What is {noun}?", "What was {noun}?", "{Noun}?", "{noun}")) if r.random() < 0.3 and not inquiry.noun.startswith(("the person", "what")) else frame(r, split, NOUN_FULL)
    elif inquiry.indirect and kind < 0.25:
        text = expand(r, r.choice(OBJECT_CLAUSE)) if split is Split.TRAIN else "Say {indirect}."
    elif inquiry.indirect and kind < 0.4:
        text = frame(r, split, FULL)
    else:
        text = r.choice(("{Direct}?",) * 9 + ("{direct}?", "{direct}", "{Direct}"))
    text = text.format(direct=inquiry.direct, Direct=capital(inquiry.direct or "x"), indirect=inquiry.indirect, noun=inquiry.noun, Noun=capital(inquiry.noun or "x"))
    if split is Split.TRAIN and r.random() < 0.06:
        text = text.lower() if r.random() < 0.6 else text.translate(TYPING)
    if split is Split.TRAIN and r.random() < 0.03 and len(text) > 12:       # a slip of the finger
        at = r.randrange(4, len(text) - 2)
        text = text[:at] + text[at + 1:] if r.random() < 0.5 else text[:at] + text[at + 1] + text[at] + text[at + 2:]
    return text


NOTHING = "The text does not say that."


def turn_of(r, split, statement, inquiry):
    return Turn([wording(r, split, inquiry)], stop(capital(inquiry.answer)) if inquiry.answer else UNKNOWN,
                f"{statement.text} {'' if inquiry.answer else NOTHING}".strip() if statement else NOTHING)


def questions(cast, said, text):
    """Endless turns about the statements, each inquiry at most once; None when there are none left."""
    r, split = cast.r, cast.split
    pool = [(s, q) for s in said for q in s.asked]
    left = [(s, q) for s in said for q in s.left]
    claims = [s for s in said if s.claim]
    for mixed in (pool, left, claims):
        r.shuffle(mixed)
    counts = {head: text.lower().count(f" {head.lower()}") for s in said for head in s.heads}
    alone = [(s, head) for s in said for head in s.heads if counts[head] == 1]
    while pool:
        kind = r.random()
        if kind < OPEN_SHARE:
            kind = r.random()
            if left and kind < 0.5:
                yield turn_of(r, split, *left.pop())
            else:
                found = missing(cast)
                if found:
                    yield turn_of(r, split, None, found)
        elif kind < OPEN_SHARE + 0.06 and alone:
            statement, head = alone.pop()
            yield Turn([frame(r, split, ABOUT).format(x=f"the {head}")], statement.text, statement.text)
        elif kind < OPEN_SHARE + 0.11 and claims:
            statement = claims.pop()
            true = r.random() < 0.5
            yield Turn([capital(statement.claim[0 if true else 1]) + "?"], "Yes." if true else f"No. {statement.text}", statement.text)
        elif kind < OPEN_SHARE + 0.15:
            statement, inquiry = pool.pop()
            if inquiry.indirect:
                yield Turn([frame(r, split, BY_FACT).format(x=inquiry.indirect)], statement.text, statement.text)
        else:
            yield turn_of(r, split, *pool.pop())


def missing(cast):
    """A question about a known thing (or an unknown one) that no statement answers, or None."""
    r = cast.r
    relation = r.choice(relations.RELATIONS)
    if relation.name in ("absent", "reason", "role", "condition", "bring", "served", "next"):
        return None
    known = [noun for kind in relation.kinds for noun in cast.things.get(kind, [])] + (cast.people if "person" in relation.kinds else [])
    noun = r.choice(known) if known and r.random() < 0.75 else cast.noun(r.choice(relation.kinds))
    others = {"leader": ("contact",), "contact": ("leader",), "cost": ("fee",), "fee": ("cost",), "start": ("date", "end"), "date": ("start", "founded", "deadline"), "venue": ("location",),
              "location": ("venue", "home"), "maker": (), "phone": ("mail",), "mail": ("phone",), "capacity": ("size", "count"), "nickname": ("number",), "home": ("location",), "account": ("cost", "remaining"),
              "age": ("founded",), "founded": ("age", "date", "start"), "duration": ("end", "size"), "end": ("duration", "deadline"), "deadline": ("date", "end"), "size": ("capacity", "weight"), "password": ()}
    if noun.many or any((name, noun.full) in cast.used for name in (relation.name, *others.get(relation.name, ()))):
        return None
    if {"location", "venue", "cost", "owner", "maker"} & {relation.name}:       # events may have told it in passing
        if any(key[-1] == noun.full for key in cast.used if key[0] == "who"):
            return None
    _, unit = relations.value_of(cast, relation)
    fill = dict(v="", unit=unit, h=noun.short.split()[-1], year=1900, city="")
    return relations.ask(cast, relation, noun, "", fill, (), 1)[0]


@family("free")
def free(r, split, budget):
    """One page and free questions about it; a long page hides its statements in other text."""
    cast = clauses.Cast(r, split)
    long = budget > 2500
    said = statements(cast, budget * (r.uniform(0.08, 0.2) if long else r.uniform(0.3, 0.5)))
    sentences = [s.text for s in said]
    for _ in range(r.randint(0, 1 + len(sentences) // 6)):
        sentences.insert(r.randrange(len(sentences) + 1), expand(r, r.choice(CHATTER)))
    document = lay_out(cast, sentences)
    if long or budget > 900 and r.random() < 0.3:
        prose = corpus.filler(r, split, max(60, budget * (0.6 if long else 0.3) - 30), short=True)
        parts = document
        document = []
        cuts = sorted(r.randrange(len(prose) + 1) for _ in parts)
        for i in range(len(prose) + 1):
            document += [part for part, cut in zip(parts, cuts) if cut == i]
            document += prose[i] if i < len(prose) else []
    turns, spent, left = [], 0, budget - size(document) - 60
    text = "".join(document)
    for turn in questions(cast, said, text):
        turns.append(turn)
        spent += cost(turn.user[0], turn.answer, turn.think)
        if spent > left or len(turns) == 60:
            break
    return with_document(r, split, document, turns)


FAMILIES = {"free": free}
