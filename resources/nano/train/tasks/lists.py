# SPDX-License-Identifier: Apache-2.0
"""Counting, sorting, extremes and positions in lists, and following things that move."""
from dialog import Dialog, Turn
from tasks import corpus, names
from tasks.facts import capital
from tasks.questions import cost, family, frame

ORDINAL = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def until_full(budget, make, thinking, most=40):
    """Turns from make() -> (question, answer, trace) until the budget is used."""
    turns, spent = [], 40
    while (spent < budget or not turns) and len(turns) < most:
        question, answer, trace = make()
        turns.append(Turn([question], answer, trace))
        spent += cost(question, answer, trace if thinking else "")
    return turns


def some_words(r, split, count):
    pool = r.choice(("food", "pet", "thing", "word", "instrument", "profession"))
    return [names.draw(r, split, pool) for _ in range(count)]


# ---- count --------------------------------------------------------------------------------------------------------

COUNT_WORD = ('How often does "{w}" occur in this list: {x}', 'How many times is "{w}" in this list? {x}',
              'Count the word "{w}": {x}', '{x}\nHow many times does "{w}" appear?',
              'Here is a list: {x}\nHow often is "{w}" in it?', 'How many "{w}" are there? {x}',
              'In this list, count "{w}": {x}', 'Count how often "{w}" occurs.\n{x}',
              'How many times do you see "{w}"?\n{x}', 'List: {x}\nNumber of "{w}"?')
COUNT_ALL = ("How many words are in this list? {x}", "Count the words: {x}", "How long is this list? {x}",
             "{x}\nHow many items are that?", "How many items does this list have: {x}",
             "Number of items in this list? {x}", "Count the items: {x}",
             "Here is a list: {x}\nHow many entries does it have?", "How many entries are here? {x}",
             "Tell me the length of this list: {x}")


def count_turn(r, split):
    if r.random() < 0.55:
        kinds = some_words(r, split, r.randint(2, 5))
        words = [r.choice(kinds) for _ in range(r.randint(4, 20))]
        w = r.choice(kinds)
        hits = words.count(w)
        if hits > 12:
            return count_turn(r, split)
        trace, seen = [], 0
        for word in words:
            seen += word == w
            trace.append(f"{word} {seen}" if word == w else word)
        return frame(r, split, COUNT_WORD).format(w=w, x=", ".join(words)), f"{hits}", ", ".join(trace) + "."
    words = some_words(r, split, r.randint(2, 14))
    return frame(r, split, COUNT_ALL).format(x=", ".join(words)), f"{len(words)}", ", ".join(f"{n} {w}" for n,
                                                                                             w in enumerate(words, 1)) + "."


@family("count", thinking=None)
def count(r, split, budget):
    thinking = r.random() < 0.7
    return Dialog(until_full(budget, lambda: count_turn(r, split), thinking), thinking=thinking)


# ---- sort, extremes and positions ---------------------------------------------------------------------------------

SORT = {
    "number": (("Sort these numbers: {x}", "Put these numbers in order: {x}", "Sort from smallest to largest: {x}",
                "Order these numbers: {x}", "Arrange from low to high: {x}",
                "Please sort: {x}", "Sort this list of numbers in ascending order: {x}",
                "Write these numbers from smallest to largest: {x}"), False),
    "falling": (("Sort from largest to smallest: {x}", "Sort in descending order: {x}",
                 "Put these numbers in order, largest first: {x}", "Order from high to low: {x}",
                 "Arrange these numbers from large to small: {x}", "Descending order, please: {x}"), True),
    "word": (("Sort these words alphabetically: {x}", "Put these words in alphabetical order: {x}",
              "Order these words from A to Z: {x}", "Alphabetize: {x}",
              "Sort by the alphabet: {x}", "Please sort these words alphabetically: {x}",
              "Arrange in alphabetical order: {x}", "Write these words in alphabetical order: {x}"), False),
}
PICK = (
    ("What is the largest number? {x}", "Which number is the largest: {x}", "Find the maximum: {x}",
     "Which of these is the biggest number? {x}", "Largest of these: {x}", "{x}\nWhich one is the largest?"),
    ("What is the smallest number? {x}", "Which number is the smallest: {x}", "Find the minimum: {x}",
     "Which of these is the smallest number? {x}", "Smallest of these: {x}", "{x}\nWhich one is the smallest?"),
)
NTH = ("What is the {o} item of this list? {x}", "Which word is {o} in this list: {x}", "Give me the {o} word: {x}",
       "{x}\nWhich one is the {o}?", "Name the {o} item: {x}",
       "List: {x}\nWhat is the {o} entry?", "In this list, what comes {o}? {x}", "Find the {o} item: {x}")
AFTER = ("What comes after {w} in this list? {x}", "Which item follows {w}: {x}", "{x}\nWhat is right after {w}?",
         "List: {x}\nName the item after {w}.", "In this list, what follows {w}? {x}",
         "Which word stands directly after {w}? {x}")


def sort_turn(r, split):
    joint = r.choice((", ", ", ", " "))
    kind = r.choice(list(SORT))
    frames, falling = SORT[kind]
    n = r.randint(3, 10)
    if kind == "word":
        items = []
        while len(items) < n:
            word = names.draw(r, split, r.choice(("thing", "food", "pet", "profession"))).lower()
            if word not in items:
                items.append(word)
        order = sorted(items)
    else:
        top = r.choice((20, 100, 1000))
        items = r.sample(range(top), n)
        order = sorted(items, reverse=falling)
    return frame(r, split, frames).format(x=joint.join(map(str, items))), joint.join(map(str, order)), ""


def pick_turn(r, split):
    kind = r.random()
    if kind < 0.5:
        items = r.sample(range(r.choice((30, 100, 1000, 10000))), r.randint(3, 10))
        largest = r.random() < 0.5
        return frame(r, split, PICK[0 if largest else 1]).format(x=", ".join(map(str,
                                                                                 items))), str(max(items) if largest else min(items)), ""
    words = list(dict.fromkeys(some_words(r, split, r.randint(4, 14))))
    if len(words) < 3:
        return pick_turn(r, split)
    if kind < 0.75:
        n = r.randrange(min(len(words), 10))
        o = "last" if n == len(words) - 1 and r.random() < 0.5 else ORDINAL[n]
        return frame(r, split, NTH).format(o=o, x=", ".join(words)), words[n], ", ".join(f"{i} {w}" for i,
                                                                                         w in enumerate(words[:n + 1],
                                                                                                        1)) + "."
    n = r.randrange(len(words) - 1)
    return frame(r, split, AFTER).format(w=words[n], x=", ".join(words)), words[n + 1], ""


@family("sort", thinking=None)
def sort(r, split, budget):
    thinking = r.random() < 0.25
    return Dialog(until_full(budget, lambda: sort_turn(r, split), thinking), thinking=thinking)


@family("pick", thinking=None)
def pick(r, split, budget):
    thinking = r.random() < 0.4
    return Dialog(until_full(budget, lambda: pick_turn(r, split), thinking), thinking=thinking)


# ---- state --------------------------------------------------------------------------------------------------------

MOVE = ("{p} moves {x} to {l}.", "{p} puts {x} in {l}.", "{p} carries {x} to {l}.", "Then {x} goes to {l}.",
        "{p} takes {x} to {l}.", "Now {p} brings {x} to {l}.")
WHERE = ("Where is {x} now?", "Where is {x} at the end?", "Where can {x} be found?", "In the end, where is {x}?",
         "What is the final place of {x}?", "Where do we find {x} now?",
         "Where did {x} end up?", "Tell me where {x} is now.")
WALK = ("{p} goes to {l}.", "{p} walks to {l}.", "{p} enters {l}.", "Then {p} moves to {l}.", "{p} runs to {l}.",
        "After that, {p} goes to {l}.")
BEFORE = ("Where was {x} before that?", "And where was {x} before?", "What was the place of {x} before the last move?",
          "Where was {x} just before?")


@family("state", thinking=None)
def state(r, split, budget):
    """Things and people that move; where are they at the end? The trace repeats the moves of the thing asked for."""
    thinking = r.random() < 0.6
    turns, spent = [], 60
    while spent < budget or not turns:
        moves, text = story(r, split)
        trail = list(moves)
        r.shuffle(trail)
        for first, x in enumerate(trail[:r.randint(1, 3)]):
            question = frame(r, split, WHERE).format(x=x)
            places = moves[x]
            answer, trace = f"{capital(x)} is in {places[-1]}.", f"{capital(x)}: {', then '.join(places)}."
            turns.append(Turn([f"{text}\n\n{question}" if first == 0 else question], answer, trace))
            spent += cost(turns[-1].user[0], answer, trace if thinking else "")
            if len(places) > 1 and r.random() < 0.15:
                turns.append(Turn([frame(r, split, BEFORE).format(x=x)], f"{capital(x)} was in {places[-2]}.", trace))
                spent += cost(turns[-1].user[0], answer, trace if thinking else "")
    return Dialog(turns, thinking=thinking)


def story(r, split):
    """({thing: its places in order}, text)"""
    people = list({names.draw(r, split, "first") for _ in range(3)})
    walking = r.random() < 0.4
    subjects = people if walking else list({f"the {names.draw(r, split, 'thing')}" for _ in range(r.randint(2, 4))})
    places = list({names.place(r, split) if r.random() < 0.7 else f"box {names.label(r, split)}" for _ in range(6)}) if not walking \
        else list({names.place(r, split) for _ in range(6)})
    if len(places) < 2:
        return story(r, split)
    moves, lines = {}, []
    for subject in sorted(subjects):
        moves[subject] = [r.choice(places)]
        lines.append(f"{capital(subject)} is in {moves[subject][0]}.")
    for _ in range(r.randint(1, 10)):
        subject = r.choice(sorted(subjects))
        place = r.choice([p for p in places if p != moves[subject][-1]])
        moves[subject].append(place)
        lines.append(capital(r.choice(WALK if walking else MOVE).format(p=subject if walking else r.choice(people),
                                                                        x=subject, l=place)))
    return moves, " ".join(lines)


FAMILIES = {"count": count, "sort": sort, "pick": pick, "state": state}
