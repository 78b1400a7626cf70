# SPDX-License-Identifier: Apache-2.0
"""Finding stated facts: lists of facts, facts hidden in running text, several values of one key, and saying so
when the document does not say."""
import json

from dialog import Split, Turn
from tasks import corpus, lexicon, names
from tasks.facts import World, capital, stop
from tasks.frames import expand, with_tail
from tasks.persona import about_me, small_talk, too_big, world_question
from tasks.questions import UNKNOWN, ask, ask_batch, cost, family, frame, size, with_document

OPEN_SHARE = 0.13               # of the questions, when the family is not about them


def weave(r, sentences, paragraphs):
    """Prose with each sentence somewhere inside it, at uniform depth and in the given order."""
    places = sorted(r.randrange(len(paragraphs)) for _ in sentences)
    inside = {}
    for place, sentence in zip(places, sentences):
        inside.setdefault(place, []).append(sentence)
    out = []
    for i, paragraph in enumerate(paragraphs):
        group = inside.get(i, [])
        if len(paragraph) < 2:
            out += [f"{sentence}\n\n" for sentence in group] + paragraph
            continue
        cuts = sorted(r.randint(1, len(paragraph) - 1) for _ in group)
        at = 0
        for cut, sentence in zip(cuts, group):
            out += paragraph[at:cut] + [" " + sentence]
            at = cut
        out += paragraph[at:]
    return out


def plain_document(r, facts, split):
    """The facts alone: as a paragraph, lines, a list, a letter, a log, a conversation, notes under headings or a table."""
    sentences = [fact.sentence for fact in facts]
    kind = r.random()
    one, lines, layouts = (0.2, 0.3, LAYOUTS) if split is Split.TRAIN else (0.25, 0.4, LAYOUTS[:6])
    if kind < one:
        return [" ".join(sentences) + "\n\n"]
    if kind < lines:
        return ["\n".join(sentences) + "\n\n"]
    if kind < 0.6:
        return [layouts[int((kind - lines) / (0.6 - lines) * len(layouts))](r, split, sentences) + "\n\n"]
    mark = r.choice(("- ", "* ", "", "", "+ ", "• ", "> "))
    lines = [mark + (capital(fact.listed) if fact.listed else fact.sentence) for fact in facts]
    if r.random() < 0.2:
        lines = [f"{n}. {line.removeprefix(mark)}" for n, line in enumerate(lines, 1)]
    return ["\n".join(lines) + "\n\n"]


def letter(r, split, sentences):
    head = expand(r, "[Dear|Hello|Hi]") + " " + names.draw(r, split, "first")
    tail = expand(r, "[Best wishes|Yours|Kind regards|See you soon|Love],\n") + names.draw(r, split, "first")
    return f"{head},\n\n{' '.join(sentences)}\n\n{tail}"


def log(r, split, sentences):
    minute, lines = r.randint(0, 600), []
    shape = r.choice(("[{h:02}:{m:02}] {s}", "{h:02}:{m:02} {s}", "{h:02}:{m:02} | {s}", "{h:02}:{m:02} INFO {s}"))
    for sentence in sentences:
        minute += r.randint(1, 25)
        lines.append(shape.format(h=minute // 60 % 24, m=minute % 60, s=sentence))
    return "\n".join(lines)


def conversation(r, split, sentences):
    speakers = [names.draw(r, split, "first") for _ in range(2)]
    return "\n".join(f"{speakers[i % 2]}: {sentence}" for i, sentence in enumerate(sentences))


def sections(r, split, sentences):
    out = []
    while sentences:
        count = r.randint(1, 5)
        out.append(f"{'#' * r.randint(1, 3)} {lexicon.phrase(r, split).capitalize()}\n\n{' '.join(sentences[:count])}")
        sentences = sentences[count:]
    return "\n\n".join(out)


def paragraphs(r, split, sentences):
    out = []
    while sentences:
        count = r.randint(1, 5)
        out.append(" ".join(sentences[:count]))
        sentences = sentences[count:]
    return "\n\n".join(out)


def mail(r, split, sentences):
    sender, receiver = (names.draw(r, split, "first") for _ in range(2))
    head = r.choice(("From: {s}\nTo: {t}\nSubject: {x}\n\n", "To: {t}\nFrom: {s}\nDate: {d}\nSubject: {x}\n\n", "{s} wrote on {d}:\n\n", "Subject: {x}\n\nHi {t},\n\n"))
    body = " ".join(sentences) if r.random() < 0.5 else "\n".join(sentences)
    if r.random() < 0.3:
        body = "\n".join("> " + line for line in body.split("\n"))
    return head.format(s=sender, t=receiver, x=lexicon.phrase(r, split), d=names.day(r)) + body + r.choice(("", f"\n\n{sender}", f"\n\n-- \n{sender}"))


def diary(r, split, sentences):
    out = []
    while sentences:
        count = r.randint(1, 4)
        out.append(r.choice(("{d}\n{s}", "{d}: {s}", "**{d}**\n\n{s}", "[{d}] {s}")).format(d=f"{r.choice(names.WEEKDAY)}, {names.day(r)}", s=" ".join(sentences[:count])))
        sentences = sentences[count:]
    return "\n\n".join(out)


def data(r, split, sentences):
    """As programs write it: JSON, CSV, HTML, YAML or a table of Markdown, one sentence an entry."""
    kind, key = r.randrange(5), r.choice(("text", "note", "entry", "info", "line"))
    if kind == 0:
        return "[\n" + ",\n".join(f'  {{"id": {n}, "{key}": {json.dumps(s, ensure_ascii=False)}}}' for n, s in enumerate(sentences, 1)) + "\n]"
    if kind == 1:
        return f"id;{key}\n" + "\n".join(f"{n};{s}" for n, s in enumerate(sentences, 1))
    if kind == 2:
        return "<ul>\n" + "\n".join(f"<li>{s}</li>" for s in sentences) + "\n</ul>"
    if kind == 3:
        return "\n".join(f"- {key}: {s}" for s in sentences)
    return f"| no. | {key} |\n|---|---|\n" + "\n".join(f"| {n} | {s} |" for n, s in enumerate(sentences, 1))


def steps(r, split, sentences):
    shape = r.choice(("{n}. {s}", "Step {n}: {s}", "({n}) {s}", "{n}) {s}", "§ {n} {s}", "{m}. {s}", "[ ] {s}", "[x] {s}", "* {s}", "Item {n}. {s}"))
    return "\n".join(shape.format(n=n, m="abcdefghijklmnopqrstuvwxyz"[n % 26], s=s) for n, s in enumerate(sentences, 1))


LAYOUTS = (letter, log, conversation, sections, paragraphs, paragraphs, mail, diary, data, steps)


def questions(r, split, world, facts, budget, open_share=OPEN_SHARE, most=64, once=False):
    """Turns about the facts in random order until the budget is used.

    once: one question about each fact, so that no answer stands in an earlier one.
    """
    pool = [query for fact in facts for query in (r.sample(fact.queries, 1) if once else fact.queries)]
    r.shuffle(pool)
    fact_of = {id(query): fact for fact in facts for query in fact.queries}
    turns, spent, asked = [], 0, set()
    while (spent < budget and len(turns) < most or not turns) and (pool or open_share):
        if r.random() < 0.12 and len(pool) > 4:
            batch = [pool.pop() for _ in range(r.randint(2, 4))]
            unknown = world.open_query(facts)
            if unknown and r.random() < 0.4:
                batch.insert(r.randrange(len(batch) + 1), unknown)
            question, answer = ask_batch(r, split, batch)
        elif r.random() < open_share or not pool:
            query = world.open_query(facts)
            if query is None or query.direct in asked:
                if not pool:
                    break
                query = pool.pop()
            asked.add(query.direct)
            question, answer = (world_question(r, split), UNKNOWN) if r.random() < 0.1 else ask(r, split, query)
        else:
            query = pool.pop()
            question, answer = ask(r, split, query)
            details = fact_of[id(query)].details
            if details and not once and r.random() < 0.15:
                turns.append(Turn([question], answer))
                spent += cost(question, answer)
                question, answer = follow_up(r, split, query, details)
        turns.append(Turn([question], answer))
        spent += cost(question, answer)
        if r.random() < 0.012:                      # a document does not change what the model is
            question, answer = r.choice((about_me, small_talk, too_big))(r, split)
            turns.append(Turn([question], answer))
            spent += cost(question, answer)
    return turns


FOLLOW_UPS = {
    "where": ("Where was that?", "And where?", "Where?", "Where did it happen?", "Where did that happen?",
              "In which place?", "And where was that?", "Where exactly?"),
    "when": ("When was that?", "And when?", "When?", "When did it happen?", "When did that happen?", "At what time?",
             "And when was that?", "When exactly?"),
    "why": ("Why?", "And why?", "Why was that?", "For what reason?", "Why did it happen?", "What was the reason?",
            "And why was that?", "Why exactly?"),
}


def follow_up(r, split, query, details):
    """A question that is only clear after the one before it."""
    word = r.choice([word for word, detail in details.items() if detail is not query])
    return frame(r, split, FOLLOW_UPS[word]), details[word].full or UNKNOWN


def listed(r, split, budget, open_share=OPEN_SHARE, once=False):
    world, facts = World(r, split), []
    single = r.random() < 0.5 and world.attribute
    document, room = 0, budget * (r.uniform(0.25, 0.5) if budget <= 4096 else r.uniform(0.7, 0.85))
    while document < room:
        fact = single() if single else world.fact()
        facts.append(fact)
        document += corpus.tokens(fact.sentence) + 2
    world.leave_out(1 + len(facts) // 5)
    document = plain_document(r, facts, split)
    return with_document(r, split, document, questions(r, split, world, facts, budget - size(document) - 60, open_share,
                                                       once=once))


@family("kv")
def kv(r, split, budget):
    """Facts only, many questions."""
    return listed(r, split, budget)


def hidden(r, split, budget, asked, open_share=OPEN_SHARE, once=False):
    """Prose with facts inside; about `asked` of the budget goes to questions."""
    world = World(r, split)
    room = max(200, budget * (1 - asked) - 60)
    count = max(2, min(40, int(budget * asked / 45)))
    facts = [world.fact() for _ in range(count)]
    inside = sum(corpus.tokens(fact.sentence) for fact in facts)
    world.leave_out(1 + int(count * open_share))
    document = weave(r, [fact.sentence for fact in facts], corpus.filler(r, split, max(60, room - inside)))
    turns = questions(r, split, world, facts, budget - size(document) - 60, open_share, once=once)
    return with_document(r, split, document, turns)


@family("needle")
def needle(r, split, budget):
    """Facts as sentences inside running text, anywhere."""
    share = r.uniform(0.25, 0.5) if budget <= 2500 else r.uniform(0.06, 0.2)
    return hidden(r, split, budget, share)


@family("unanswerable")
def unanswerable(r, split, budget):
    """As needle or kv, but half of the questions are close misses."""
    if r.random() < 0.6:
        return hidden(r, split, budget, 0.35 if budget <= 2500 else 0.15, open_share=0.5)
    world, facts = World(r, split), []
    for _ in range(max(3, int(budget / 80))):
        facts.append(world.fact())
    world.leave_out(len(facts) // 2)
    document = plain_document(r, facts, split)
    return with_document(r, split, document,
                         questions(r, split, world, facts, budget - size(document) - 60, open_share=0.5))


# ---- is it true? ---------------------------------------------------------------------------------------------------

TRUE = ("[Is it|Isn't it] [true|correct|right|the case] that {x}?", "[True or false|Right or wrong|Yes or no|True]: {x}[.|?]",
        "Does the [text|document|page|file] [say|state|claim|tell us] that {x}?", "[Is this|Is that] [right|true|correct]: {x}?",
        "[Can|Could|Will] you [confirm|verify] that {x}?", "[Check|Verify|Please check|Test] this[ claim|]: {x}.",
        "[According to|Going by] the [document|text], is it [true|correct] that {x}?",
        "[I believe|I think|I read|My friend says|They say|I was told] that {x}. Is that [right|true|correct]?",
        "{x}. [Is that true?|Right?|Correct?|True or false?]",
        "[Someone told me|I heard] that {x}. Is it true?", "[Do you agree|Am I right|Is it a fact] that {x}?")


def lower_start(text):
    """A sentence's start inside another one: "The lock" -> "the lock", names stay."""
    return text[0].lower() + text[1:] if text.split()[0] in ("The", "Locker", "Room", "In", "On", "At") else text


@family("verify")
def verify(r, split, budget):
    """Claims about the facts: "Yes.", "No." with what the text says, or that it does not say."""
    world, facts = World(r, split), []
    stated, room = 0, min(budget * 0.3, 1200)
    while stated < room:
        facts.append(world.fact())
        stated += corpus.tokens(facts[-1].sentence)
    document = weave(r, [fact.sentence for fact in facts],
                     corpus.filler(r, split, budget * (0.25 if budget <= 4096 else 0.8))) \
        if budget > 4096 or r.random() < 0.5 else plain_document(r, facts, split)
    claims = [(query.full, "Yes.") if r.random() < 0.5 else (query.wrong, f"No. {query.full}")
              for fact in facts for query in fact.queries if query.wrong]
    claims += [(query.full, UNKNOWN) for _ in range(1 + len(claims) // 7) for query in world.fact().queries[:1]]
    r.shuffle(claims)
    turns, spent, left = [], 0, budget - size(document) - 60
    while claims and (spent < left or not turns):
        claim, answer = claims.pop()
        claim = claim.rstrip(".")
        question = frame(r, split, TRUE).format(x=lower_start(claim))
        turns.append(Turn([question], answer))
        spent += cost(question, answer)
    return with_document(r, split, document, turns)


# ---- several values of one key ------------------------------------------------------------------------------------

def full_name(r, split):
    return f"{names.draw(r, split, 'first')} {names.draw(r, split, 'last')}"


MULTI = (
    ("One of the members of {e} is {v}.", "the members of {e}", full_name, "the {} club"),
    ("A key to {e} is kept by {v}.", "the people who keep a key to {e}", full_name, "cabinet {}"),
    ("One of the magic numbers for {e} is {v}.", "the magic numbers for {e}", lambda r, s: names.digits(r, 3, 5),
     "gate {}"),
    ("{E} also stops in {v}.", "the stops of {e}", lambda r, s: names.city(r, s), "train {}"),
    ("{V} is stored in {e}.", "the things stored in {e}", names.thing, "crate {}"),
    ("{E} contains {v}.", "the contents of {e}", lambda r, s: f"{names.adjective(r, s)} {lexicon.lemma(r, s)}", "bag {}"),
    ("One of the keywords of {e} is {v}.", "the keywords of {e}", lexicon.word, "file {}"),
    ("On the menu of {e} is {v}.", "the dishes of {e}", lambda r, s: names.draw(r, s, "food"), "the restaurant {}"),
    ("Somebody saw {v} in {e}.", "the animals seen in {e}", lambda r, s: names.draw(r, s, "pet"), "the {} park"),
    ("{E} has the label {v}.", "the labels of {e}", lexicon.value, "folder {}"),
    ("Among the colors of {e} is {v}.", "the colors of {e}", lambda r, s: r.choice(names.COLOR), "flag {}"),
    ("{E} has an office in {v}.", "the cities where {e} has an office", lambda r, s: names.draw(r, s, "city"),
     "{} Trading"),
    ("One of the error codes of {e} is {v}.", "the error codes of {e}", lambda r, s: names.code(r), "machine {}"),
)
LIST_ALL = ("[List|Name|Give|Enumerate|Tell me|Show me] [all |]{what}[.|, please.]", "What are {what}?",
            "[Give me|I need|Make|I want] a list of {what}.",
            "[Find|Look for|Search for|Look up] {what}[ in the text|].", "[Please|Now|Next,] [list|name|find|give me] {what}.",
            "[Can|Could|Would] you [list|name|find|tell me] {what}?", "Which are {what}[| in the text]?",
            "[According to|Going by] the text, what are {what}?",
            "What does the text [say about|give as|name as] {what}?", "I [want|need|would like] to know {what}.",
            "[Collect|Gather] {what}.", "Write down {what}[.|, all of them.]")
WHOLE = ("without leaving any out", "completely", "one after the other", "in full", "in the order of the text", "with commas",
         "in one line", "as a list", "please", "for me", "for the report", "so that none is missing", "from first to last")
HOW_MANY = ("How many are there?", "How many is that?", "And how many are they?", "So how many in total?", "Count them.",
            "How many did you find?")


def enumeration(items):
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


@family("multi")
def multi(r, split, budget):
    """2 to 6 values of each key, in any place; the answer lists them in the order of the text."""
    groups, entities = [], set()
    room = budget * (0.6 if budget <= 2500 else 0.85)
    count = max(1, min(12, int(budget / 160)))
    kinds = r.sample(MULTI, r.randint(1, 3)) if split is Split.TRAIN and r.random() < 0.5 else MULTI     # hard to keep apart
    while len(groups) < count:
        sentence, what, make, pattern = r.choice(kinds)
        e = pattern.format(names.label(r, split))
        if e in entities:
            continue
        entities.add(e)
        values = []
        for _ in range(r.randint(2, 6)):
            value = make(r, split)
            if value not in values:
                values.append(value)
        groups.append((e, what.format(e=e), [(sentence.format(e=e, E=capital(e), v=v, V=capital(v)), v) for v in values]))
    everything = [pair for _, _, pairs in groups for pair in pairs]
    r.shuffle(everything)
    inside = sum(corpus.tokens(sentence) for sentence, _ in everything)
    if r.random() < 0.25 and budget <= 2500:
        document = [" ".join(sentence for sentence, _ in everything) + "\n\n"]
    else:
        document = weave(r, [sentence for sentence, _ in everything],
                         corpus.filler(r, split, max(60, room - inside)))
    order = {sentence: i for i, (sentence, _) in enumerate(everything)}
    turns, spent, left = [], 0, budget - size(document) - 60
    r.shuffle(groups)
    for e, what, pairs in groups:
        found = [value for _, value in sorted(pairs, key=lambda pair: order[pair[0]])]
        question = frame(r, split, LIST_ALL).format(what=what)
        if split is Split.TRAIN and r.random() < 0.2:
            question = with_tail(r, question, r.choice(WHOLE))
        answer = stop(enumeration(found))
        turns.append(Turn([question], capital(answer) if answer.startswith("the ") else answer))
        spent += cost(question, turns[-1].answer)
        if r.random() < 0.15:
            turns.append(Turn([r.choice(HOW_MANY)], f"{len(found)}."))
            spent += 40
        if spent > left:
            break
    return with_document(r, split, document, turns)


FAMILIES = {"kv": kv, "needle": needle, "unanswerable": unanswerable, "verify": verify, "multi": multi}
