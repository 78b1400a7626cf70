# SPDX-License-Identifier: Apache-2.0
"""Counting, sorting, extremes and positions in lists, and following things that move.

Hard ones have a trace of small steps, each of which is one lookup: a running tally, keys to sort by, numbered items.
"""
from dialog import Dialog, Turn
from tasks import lexicon, names
from tasks.facts import capital
from tasks.frames import expand, frame, orders, spoken
from tasks.questions import cost, family

ORDINAL = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def until_full(r, split, budget, make, thinking, most=40):
    """Turns from make() -> (question, answer, trace) until the budget is used."""
    turns, spent = [], 40
    while (spent < budget or not turns) and len(turns) < most:
        question, answer, trace = make()
        question = spoken(r, split, question, close=False)
        turns.append(Turn([question], answer, trace))
        spent += cost(question, answer, trace if thinking else "")
    return turns


def item_maker(r, split):
    """() -> an item; the items of one list are of one kind, as in life, or of any kind."""
    kind = r.randrange(7)
    if kind == 0:
        pool = r.choice(("food", "pet", "thing", "profession", "city", "first", "last"))
        return lambda: names.draw(r, split, pool)
    if kind == 1:
        return lambda: str(r.randint(0, 999))
    if kind == 2:
        return lambda: lexicon.code(r).replace(" ", "-")
    return (lambda: lexicon.token(r, split)) if kind == 3 else (lambda: lexicon.word(r, split))


def some_items(r, split, count):
    """That many different items."""
    make, items = item_maker(r, split), {}
    for _ in range(4 * count):                          # a small pool may not have that many
        item = make()
        items.setdefault(item.lower(), item)
        if len(items) == count:
            break
    while len(items) < count:
        item = lexicon.word(r, split)
        items.setdefault(item, item)
    return list(items.values())


def numbered(items, start=1):
    """"1: oar, 2: key" """
    return ", ".join(f"{n}: {item}" for n, item in enumerate(items, start))


# ---- count --------------------------------------------------------------------------------------------------------

COUNT_WORD = ('[Count|Find|Tell me|Give me] the [number|occurrences|appearances] of [the word |]"{w}" in [this list|this|the list|the following]: {x}',
              '[How many times|How often] [can you see|is there|does one read|do I read|is] "{w}"[ here| in it| in this line]?[ |\n]{x}',
              '{x}\n\n"{w}": how [often|many times][ is it there| does it occur|]?', '"{w}" [occurs|appears|is there] how [often|many times]? {x}',
              '{x}\n[Count|Find|Give me] the number of [times "{w}" occurs|"{w}"].', '[I see|Somebody wrote] {x}. How [often|many times] is "{w}" among them?',
              '[Can|Could|Would] you [count|tell me] how [often|many times] "{w}" [is there|occurs|appears]? {x}',
              '[In|Within] "{x}", how [often|many times] do we [find|have|read] "{w}"?', 'How [much|many] "{w}" [do we have|is there|are in this]? {x}',
              'How [often|many times] [does|did] "{w}" [occur|appear|come up|show up] in [this list|these items|this|the following]: {x}',
              'How many times [is|do you find|can you find] "{w}" in this [list|line|series]? {x}',
              '[Count|Tally|Please count|Now count] [the word|the item|the entry|all] "{w}": {x}',
              '{x}\n[How many times|How often] [does|did] "{w}" [appear|occur|come up]?',
              '[Here is|This is|Look at] a list: {x}\n[How often is|How many times is] "{w}" in it?',
              '[How many|Number of] "{w}" [are there|are here|in the list]? {x}',
              '[In this list|Here|Below], count "{w}": {x}',
              '[Count|Tell me|Say|Find] how [often|many times] "{w}" [occurs|appears].\n{x}',
              '[Items|Data|Words|Line]: {x}\n[How many|Count] "{w}"[?| please.]',
              'How many times do you see "{w}"?\n{x}', 'List: {x}\nNumber of "{w}"?')
COUNT_ALL = ("[Give me|Find|Say|State] the [number|count|total] of [words|items|entries|things][ here|][:| in this list:] {x}",
             "{x}\n[Count them|Count these|How many are these|How many are there|How many is that|How long is the list][.|, please.]",
             "[How many|What number of] [things|names|words|elements|items] [did I write|have I listed|stand|were named] [here|there]? {x}",
             "[Can|Could] you [count|tell me the number of] these [items|words|entries]? {x}", "[Length|Size] of [the|this] [list|series|line]: {x}",
             "How many [words|items|entries|things] [are|do you see] in this [list|line|series]? {x}",
             "[Count|Please count|Now count] [the words|these|the entries|everything]: {x}",
             "How long is [this|the following] [list|line|series]? {x}",
             "{x}\nHow many [items|words|entries] [are that|are there|do you count]?",
             "How many [items|words|elements] does this [list|line] have: {x}",
             "[Number|Total] of [items|words|entries] in this list? {x}", "Count the [items|elements] [here|below]: {x}",
             "[Here is|This is] a list: {x}\nHow many [entries|items] does it have?", "How many entries are here? {x}",
             "Tell me the length of this list: {x}")


def tally(words, wanted):
    """Every item with the number of hits up to it: "red 1, blue 1, red 2." """
    seen, steps = 0, []
    for word in words:
        seen += word == wanted
        steps.append(f"{word} {'+ ' if word == wanted else ''}{seen}")
    return ", ".join(steps) + "."


def count_turn(r, split):
    if r.random() < 0.6:
        kinds = some_items(r, split, r.randint(2, 6))
        words = [r.choice(kinds) for _ in range(r.randint(3, 20))]
        w = r.choice(words if r.random() < 0.93 else kinds)
        if words.count(w) > 12 or any(k.isdigit() for k in kinds):
            return count_turn(r, split)
        return frame(r, split, COUNT_WORD).format(w=w, x=", ".join(words)), f"{words.count(w)}", tally(words, w)
    words = some_items(r, split, r.randint(2, 14))
    if any(w.isdigit() for w in words):
        return count_turn(r, split)
    return frame(r, split, COUNT_ALL).format(x=", ".join(words)), f"{len(words)}", numbered(words) + "."


@family("count", thinking=None)
def count(r, split, budget):
    thinking = r.random() < 0.75
    return Dialog(until_full(r, split, budget, lambda: count_turn(r, split), thinking), thinking=thinking)


# ---- sort, extremes and positions ---------------------------------------------------------------------------------

COMMANDS = "Put|Bring|Set|Arrange|Write|Repeat|Say|List|Give|Print|Show|Read|Type|Order|Return|Output|Sort"
THINGS = "these|these words|the words|these items|the items|the entries|this list|the list|the following|them|all of these|my list|these names|this series|the elements|this line|the following items"
NUMBERS = "these|these numbers|the numbers|these values|the values|the figures|this list|the list|the following|them|all of these|my numbers|the following numbers"
RISING = ("in increasing order|in rising order|from low to high|upwards|by size, smallest first|smallest first|by value|from the lowest to the highest|"
          "in numerical order|with the smallest first|numerically|by size|from little to much|from little to big|from smaller to bigger|"
          "from the small ones to the large ones|small ones first, then the large ones|from least to most|from less to more|from bottom to top|"
          "counting up|up from the smallest|from light to heavy|with small ones before large ones|from the minimum to the maximum|"
          "starting with the smallest|ending with the largest|smallest to largest|small before large|in growing order|ascending|in ascending order")
FALLING = ("from high to low|in falling order|in decreasing order|largest first|downwards|from the highest to the lowest|with the largest first|from biggest to smallest|"
           "from greatest to least|in descending sequence|by size, largest first|highest first|from big to little|from bigger to smaller|"
           "from the large ones to the small ones|large ones first, then the small ones|from most to least|from more to less|from top to bottom|"
           "counting down|down from the largest|from heavy to light|with large ones before small ones|from the maximum to the minimum|"
           "starting with the largest|ending with the smallest|largest to smallest|large before small|in shrinking order|descending|in descending order")
ALPHABET = "alphabetically|by the alphabet|from A to Z|in the order of the alphabet|as in a dictionary|in dictionary order|by their letters|in ABC order|in alphabetic order|A to Z|by first letter"
# Which end comes first, by the order of two words alone: "from high to low" and "from low to high" are the same words.  Both
# directions come in every form with every pair, so that neither word tells the direction; "from large to small", which the suite
# asks with, and its reverse are left out.
ENDS = (("large", "small"), ("big", "little"), ("high", "low"), ("great", "small"), ("large", "little"), ("big", "small"), ("large", "low"),
        ("larger", "smaller"), ("bigger", "smaller"), ("greater", "lesser"), ("higher", "lower"), ("larger", "lesser"),
        ("largest", "smallest"), ("biggest", "smallest"), ("highest", "lowest"), ("greatest", "least"), ("biggest", "tiniest"),
        ("the largest", "the smallest"), ("the large", "the small"), ("the big", "the little"), ("the highest", "the lowest"),
        ("the maximum", "the minimum"), ("large numbers", "small numbers"), ("large ones", "small ones"), ("high values", "low values"),
        ("the top", "the bottom"), ("more", "less"), ("much", "little"), ("heavy", "light"))
COURSES = ("from {a} to {b}|from {a} to {b}|from {a} to {b}|{a} to {b}|going from {a} to {b}|{a} before {b}|{a} first, {b} last|first {a}, then {b}|"
           "beginning with {a}, ending with {b}|so that {a} comes before {b}|in the order {a}, {b}|running from {a} to {b}|"
           "in the direction from {a} to {b}|{a} at the start, {b} at the end")


def courses(falling):
    """Ways to say in which direction numbers are to go, as alternatives of a frame."""
    ways = (course.format(a=a, b=b) for a, b in (ends if falling else ends[::-1] for ends in ENDS) for course in COURSES.split("|"))
    return "|".join(way for way in ways if "from large to small" not in way and "from small to large" not in way)


SORT = {
    "number": (orders(COMMANDS, NUMBERS, RISING) + orders(COMMANDS, NUMBERS, courses(False)) + ("[Sort|Order|Arrange|Rank] [these|the following|my] [numbers|values|figures][:| from low to high:| in ascending order:] {x}",
                "[Put|Bring|Set] [these|the] [numbers|values] in [order|ascending order|rising order]: {x}",
                "[Sort|Order|Arrange] from [smallest|lowest|least] to [largest|highest|greatest]: {x}",
                "[Please sort|Sort|Now sort|Can you sort] [these numbers|this] [upwards|in rising order|by size]: {x}",
                "[Arrange|Order] from low to high: {x}",
                "{x}\n[Sort|Order|Arrange] these[.| numbers.| from low to high.]",
                "Sort this list of numbers in ascending order: {x}",
                "Write these numbers from smallest to largest: {x}"), False),
    "falling": (orders(COMMANDS, NUMBERS, FALLING) + orders(COMMANDS, NUMBERS, courses(True)) + ("[Sort|Order|Arrange|Rank] [these|the] [numbers|values] from [largest|highest|biggest] to [smallest|lowest]: {x}",
                 "[Sort|Order|Arrange] [these |this |the numbers ]in [descending|falling] order: {x}",
                 "[Put|Bring] these [numbers|values] in order, [largest|biggest|highest] first: {x}",
                 "[Order|Sort|Arrange] from high to low: {x}",
                 "{x}\n[Sort|Order|Arrange] these, [largest|highest] first.",
                 "Arrange these numbers from large to small: {x}", "Descending order, please: {x}"), True),
    "word": (orders(COMMANDS, THINGS, ALPHABET) + ("[Sort|Order|Arrange|List] [these|the following|my] [words|names|items] [alphabetically|by the alphabet|from A to Z|in alphabetical order]: {x}",
              "[Put|Bring] [these|the] [words|items|names] in [alphabetical order|the order of the alphabet]: {x}",
              "[Alphabetize|Please alphabetize] [this|these words|the list]: {x}",
              "[Sort|Order|Arrange] by [the alphabet|first letters]: {x}",
              "[Please sort|Can you sort|Now sort] [these words|this] alphabetically: {x}",
              "{x}\n[Sort|Order|Arrange] these [words |]alphabetically.",
              "Arrange in alphabetical order: {x}", "Write these words in alphabetical order: {x}"), False),
}
PICK = (
    ("[Say|Tell me|Write|Type] the [largest|biggest|highest|maximum|greatest] [one|number|value]: {x}", "{x}\n[What|Which] is the [biggest|highest|greatest|maximum]?", "[Biggest|Highest|Greatest|Maximum|Top] [number|value|one][:|?] {x}",
     "[In|Among|Of] {x}, which [is|number is] the [largest|biggest|highest]?", "[No number here is|Nothing is] larger than which? {x}",
     "[What|Which] is the [largest|biggest|highest|greatest] [number|value|of these]? {x}",
     "[Which|What] number is the [largest|biggest|highest]: {x}",
     "[Find|Give me|Name|Pick|Show] the [maximum|largest|biggest|highest number]: {x}",
     "Which of these is the [biggest|largest|highest] [number|value]? {x}", "[Maximum|Biggest] of [this list|these numbers]: {x}",
     "Largest of these: {x}", "{x}\nWhich one is the largest?"),
    ("[Say|Tell me|Write|Type] the [smallest|lowest|minimum|least] [one|number|value]: {x}", "{x}\n[What|Which] is the [smallest|lowest|least|minimum]?", "[Smallest|Lowest|Minimum] [number|value|one][:|?] {x}",
     "[In|Among|Of] {x}, which [is|number is] the [smallest|lowest|least]?",
     "[What|Which] is the [smallest|lowest|least] [number|value|of these]? {x}",
     "[Which|What] number is the [smallest|lowest]: {x}",
     "[Find|Give me|Name|Pick|Show] the [minimum|smallest|lowest number]: {x}",
     "Which of these is the [smallest|lowest] [number|value]? {x}", "[Minimum|Lowest] of [this list|these numbers]: {x}",
     "Smallest of these: {x}", "{x}\nWhich one is the smallest?"),
)
NTH = ('[Say|Tell me|Write|Type] the {o} [item|word|entry|one] of [this|these|the list]: {x}',
       '[What|Which word|Which item] [do you see|is there|stands] in {o} place? {x}',
       '{x}\n[The|And the] {o} [one|word|item|entry][?|, please.]',
       '{o} [item|word|entry] [of|in]: {x}',
       '[Which|What] is [the|number] {o} [in|of] {x}?',
       "What is the {o} [item|word|entry|element] [of|in] this [list|line|series]? {x}",
       "Which [word|item|entry] is {o} in [this list|this|the following]: {x}",
       "[Give me|Name|Find|Pick|Return|Show me] the {o} [word|item|entry|element][:| of this list:] {x}",
       "{x}\nWhich [one|word|item] [is|comes|stands] [the |]{o}?",
       "[List|Items|Words]: {x}\n[What|Which] is the {o} [one|item|entry]?",
       "In this list, what comes {o}? {x}", "Which item of this list is the {o}? {x}")
AFTER = ('[Say|Tell me|Find] what [follows|comes after|stands behind] {w}[:|.] {x}',
       '{x}\n{w} is followed by [what|which word]?',
       'After {w} [comes|stands] [what|which word]? {x}',
       '[Next|The next one] after {w}: {x}',
       '{x}\nWhich [one|item|word] [is next|comes next] after {w}?',
       "What [comes|stands|is] [right |directly |]after {w} in this [list|line|series]? {x}",
         "Which [item|word|entry] [follows|comes after|stands after] {w}: {x}",
         "{x}\nWhat is [right|directly|just] after {w}?",
         "[List|Items|Words]: {x}\n[Name|Give me|Find] the [item|word|entry] [after|following] {w}.",
         "In this list, what follows {w}? {x}",
         "Which word stands directly after {w}? {x}")
BEFORE_ITEM = ('[Say|Tell me|Find] what [precedes|comes before|stands in front of] {w}[:|.] {x}',
       '{x}\n{w} [comes after|follows] [what|which word]?',
       'Before {w} [comes|stands] [what|which word]? {x}',
       '[The one|The item] before {w}: {x}',
       "What [comes|stands|is] [right |directly |]before {w} in this [list|line|series]? {x}",
               "Which [item|word|entry] [precedes|comes before|stands before] {w}: {x}",
               "{x}\nWhat is [right|directly|just] before {w}?",
               "[List|Items]: {x}\n[Name|Give me|Find] the [item|word] before {w}.",
               "In this list, what is in front of {w}? {x}", "Which word stands directly before {w}? {x}")


def key(word, letters=3):
    """The first letters of a word, as a sort key that is spelled out."""
    return " ".join(word[:letters])


def sort_words(r, split, n):
    make, items = (lambda: lexicon.word(r, split)) if r.random() < 0.7 else item_maker(r, split), []
    for _ in range(400):
        word = make().lower()
        if word.isalpha() and word.isascii() and len(word) > 2 and word[:3] not in (other[:3] for other in items):
            items.append(word)
        if len(items) == n:
            return items
    return sort_words(r, split, n)


def sort_turn(r, split):
    joint = r.choice((", ", ", ", " "))
    kind = r.choice(list(SORT))
    frames, falling = SORT[kind]
    n = r.randint(3, 10)
    if kind == "word":
        items = sort_words(r, split, n)
        order = sorted(items)
        trace = f"{', '.join(f'{key(word)} {word}' for word in items)}. In order: {', '.join(f'{key(word)} {word}' for word in order)}."
    else:
        top = r.choice((20, 100, 1000, 10_000))
        items = r.sample(range(top), n)
        order = sorted(items, reverse=falling)
        wide = len(str(max(items)))
        padded = lambda values: ", ".join(f"{value:0{wide}}" for value in values)
        trace = f"{padded(items)}. In order: {padded(order)}."
    return frame(r, split, frames).format(x=joint.join(map(str, items))), joint.join(map(str, order)), trace


def pick_turn(r, split):
    kind = r.random()
    if kind < 0.45:
        items, largest = r.sample(range(r.choice((30, 100, 1000, 10000))), r.randint(3, 10)), r.random() < 0.5
        wide, best, steps = len(str(max(items))), None, []
        for value in items:
            best = value if best is None else max(best, value) if largest else min(best, value)
            steps.append(f"{value:0{wide}}, best {best:0{wide}}.")
        return frame(r, split, PICK[0 if largest else 1]).format(x=", ".join(map(str, items))), str(best), " ".join(steps)
    words = some_items(r, split, r.randint(4, 14))
    x = ", ".join(words)
    if kind < 0.7:
        n = r.randrange(min(len(words), 10))
        if n == len(words) - 1 and r.random() < 0.5:
            return frame(r, split, NTH).format(o="last", x=x), words[n], numbered(words) + "."
        return frame(r, split, NTH).format(o=ORDINAL[n], x=x), words[n], numbered(words[:n + 1]) + "."
    n = r.randrange(len(words) - 1)
    if kind < 0.87:
        return frame(r, split, AFTER).format(w=words[n], x=x), words[n + 1], f"{words[n]}, {words[n + 1]}."
    return frame(r, split, BEFORE_ITEM).format(w=words[n + 1], x=x), words[n], f"{words[n]}, {words[n + 1]}."


@family("sort", thinking=None)
def sort(r, split, budget):
    thinking = r.random() < 0.75
    return Dialog(until_full(r, split, budget, lambda: sort_turn(r, split), thinking), thinking=thinking)


@family("pick", thinking=None)
def pick(r, split, budget):
    thinking = r.random() < 0.5
    return Dialog(until_full(r, split, budget, lambda: pick_turn(r, split), thinking), thinking=thinking)


# ---- state --------------------------------------------------------------------------------------------------------

MOVE = ("{p} [moves|carries|takes|brings|drags|shifts] {x} [to|over to] {l}.", "{p} [puts|places|leaves|stores] {x} in {l}.",
        "[Then|Now|Later|After that,|Next,] {x} [goes|is moved|is taken] to {l}.",
        "[Then|Now|Later|After that,|Next,] {p} [brings|carries|moves|takes] {x} to {l}.", "{x} [ends up|lands|arrives] in {l}.")
WALK = ("{p} [goes|walks|runs|moves|hurries|returns|wanders] to {l}.", "{p} [enters|visits|reaches] {l}.",
        "[Then|Now|Later|After that,|Next,] {p} [goes|moves|walks|drives] to {l}.")
WHERE = ('[Tell me|Say|Find out] the [last|final|present] [place|position] of {x}.',
       '{x}[:| is] where [now|at last|in the end]?',
       '[Where has|To where has] {x} [gone|been moved|come] [in the end|finally]?',
       '[After all that|When all is done|At this point], where is {x}?',
       '[Look for|Search for|Find] {x}. Where is [it|that]?',
       '[And|So] {x}? Where [is it now|did it go]?',
       "Where is {x} [now|at the end|in the end|at last|finally]?", "Where [can|do] [we|you|I] find {x}[| now| at the end]?",
         "[In the end|At last|Finally|Now], where is {x}?", "What is the [final|last|current] [place|position|location] of {x}?",
         "[In which place|In what place] is {x} [now|at the end]?",
         "[Find|Say|Tell me|Please say] where {x} is [in the end|at the end|finally].",
         "[And|So|OK,] where is {x} [now|at the end]?", "[Which|What] is the place of {x} [now|at the end]?",
         "Where did {x} end up?", "Tell me where {x} is now.")
BEFORE = ("Where was {x} before[ that| then|]?", "[And|So] where was {x} [before|before that]?",
          "What was the [place|position] of {x} before the last move?",
          "Where was {x} just before?")


@family("state", thinking=None)
def state(r, split, budget):
    """Things and people that move; where are they at the end? The trace goes through all moves and numbers those asked for."""
    thinking = r.random() < 0.7
    turns, spent = [], 60
    while spent < budget or not turns:
        history, text = story(r, split)
        subjects = list(dict.fromkeys(subject for subject, _ in history))
        r.shuffle(subjects)
        for first, x in enumerate(subjects[:r.randint(1, 2 if thinking else 3)]):
            places = [place for subject, place in history if subject == x]
            question = frame(r, split, WHERE).format(x=x)
            answer, trace = f"{capital(x)} is in {places[-1]}.", trail(history, x)
            turns.append(Turn([f"{text}\n\n{question}" if first == 0 else question], answer, trace))
            spent += cost(turns[-1].user[0], answer, trace if thinking else "")
            if len(places) > 1 and r.random() < 0.15:
                turns.append(Turn([frame(r, split, BEFORE).format(x=x)], f"{capital(x)} was in {places[-2]}.", trace))
                spent += cost(turns[-1].user[0], answer, trace if thinking else "")
    return Dialog(turns, thinking=thinking)


def trail(history, wanted):
    """"the oar: the barn. the key 1: box 7. the oar: the mill. the key 2: the barn." """
    steps, seen = [], 0
    for subject, place in history:
        seen += subject == wanted
        steps.append(f"{subject}{f' {seen}' if subject == wanted else ''}: {place}.")
    return " ".join(steps)


def story(r, split):
    """([(thing, its new place), ...] in order, text)"""
    people = [names.draw(r, split, "first") for _ in range(3)]
    walking = r.random() < 0.4
    subjects = list(dict.fromkeys(people if walking else [names.thing(r, split) if r.random() < 0.3 else
                                                          f"the {names.draw(r, split, 'thing')}" for _ in range(r.randint(2,
                                                            4))]))
    make = (lambda: names.place(r, split)) if walking or r.random() < 0.5 else \
        (lambda: f"{box} {names.label(r, split)}")
    box = lexicon.lemma(r, split, "thing") if r.random() < 0.5 else "box"
    places = list(dict.fromkeys(make() for _ in range(6)))
    if len(places) < 2 or len({subject.split()[-1] for subject in subjects}) < len(subjects):
        return story(r, split)
    at, history, lines = {}, [], []
    for subject in subjects:
        at[subject] = r.choice(places)
        history.append((subject, at[subject]))
        lines.append(f"{capital(subject)} is in {at[subject]}.")
    for _ in range(r.randint(1, 10)):
        subject = r.choice(subjects)
        at[subject] = r.choice([p for p in places if p != at[subject]])
        history.append((subject, at[subject]))
        line = expand(r, r.choice(WALK if walking else MOVE))
        lines.append(capital(line.format(p=subject if walking else r.choice(people), x=subject, l=at[subject])))
    return history, r.choice((" ", " ", "\n")).join(lines)


FAMILIES = {"count": count, "sort": sort, "pick": pick, "state": state}
