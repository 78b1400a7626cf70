# SPDX-License-Identifier: Apache-2.0
"""Plain exercises of the skills that the other tasks rest on: recalling what followed a token, and spelling."""
from dialog import Dialog, Turn
from tasks import corpus, lexicon
from tasks.frames import frame
from tasks.lists import item_maker, numbered, until_full
from tasks.questions import UNKNOWN, cost, family, size, with_document

ENTRY = ("{k}[?|]", "{k} [->|=|:]", "[What|Which value] [goes with|belongs to|is given for|stands for] {k}?",
         "[Look up|Find|Give me|Tell me] [the value of |the entry for |]{k}[.|, please.]",
         "[And|Next:|Now] {k}?", "[Value|Entry|Partner] of {k}[?|, please.]", "[I need|I want] {k}.",
         "[Can|Could] you look up {k}?",
         "{k} is paired with what?", "Read the entry of {k}.")
OWNER = ("[Which|What] [key|entry|name] [has|goes with|leads to|stands for] {v}?", "[Find|Give me|Tell me] the key of {v}.",
         "What comes before {v}?",
         "{v} [belongs to|is the value of] [which|what] key?", "[Key|Name] of {v}?",
         "Which key is paired with {v}?", "Name the key that gives {v}.")


@family("pairs")
def pairs(r, split, budget):
    """Pairs of anything with anything; asked for either side, or for a key that is not there."""
    key, value, table, used = item_maker(r, split), item_maker(r, split), {}, 0
    room, missing = budget * r.uniform(0.3, 0.5) if budget <= 4096 else budget * 0.75, []
    for _ in range(900):
        if used >= room or len(table) == 400:
            break
        k, v = key(), " ".join(value() for _ in range(r.choice((1, 1, 1, 2, 3))))
        if k in table:
            continue
        if r.random() < 0.1:
            missing.append(k)
            continue
        table[k] = v
        used += corpus.tokens(k) + corpus.tokens(v) + 3
    between, after = r.choice(((" -> ", "\n"), (": ", "\n"), (" = ", "\n"), (" ", "\n"), (": ", "; "), (" - ", "\n"),
                               ("\t", "\n"), (" => ", ", ")))
    document = [after.join(f"{k}{between}{v}" for k, v in table.items()) + "\n\n"]
    keys, values = list(table), list(table.values())
    r.shuffle(keys)
    turns, spent, left = [], 0, budget - size(document) - 60
    while (spent < left or not turns) and keys:
        k = keys.pop()
        absent = [m for m in missing if m not in table]
        if absent and r.random() < 0.12:
            question, answer = frame(r, split, ENTRY).format(k=absent[0]), UNKNOWN
            missing.remove(absent[0])
        elif values.count(table[k]) == 1 and table[k] not in table and r.random() < 0.25:
            question, answer = frame(r, split, OWNER).format(v=table[k]), k
        else:
            question, answer = frame(r, split, ENTRY).format(k=k), table[k]
        turns.append(Turn([question], answer))
        spent += cost(question, answer)
    return with_document(r, split, document, turns)


SPELL = ("[Spell|Please spell|Spell out] {w}[.|, please.|]", "How [is {w} spelled|do you spell {w}]?",
         "[Give me|List|Write] the letters of {w}.", "[Letters|Spelling] of {w}?",
         "Take {w} apart into letters.", "Which letters make up {w}?")
UPPER = ("[Write|Put|Print] {w} in [capital letters|upper case|capitals].", "[Capitals|Upper case]: {w}",
         "{w} in capital letters[?|, please.]", "Change {w} to capitals.", "Turn {w} into upper case.")
LOWER = ("[Write|Put|Print] {w} in [small letters|lower case].", "[Small letters|Lower case]: {w}",
         "{w} in small letters[?|, please.]", "Change {w} to small letters.", "Turn {w} into lower case.")
BACKWARD = ("[Spell|Write] {w} [backwards|from the end].", "[Reverse|Turn around] the letters of {w}.", "{w} backwards?",
            "Read {w} from right to left.", "Mirror the word {w}.")
LENGTH = ("How many [letters|characters] [has|are in] {w}?", "[Count|Number of] letters in {w}[.|?]",
          "How long is [the word |]{w}?", "What is the length of {w}?", "Letters in {w}: how many?")
FIRST = ("[What|Which] is the first letter of {w}?", "[First|Initial] letter of {w}?",
         "With [which|what] letter does {w} [begin|start]?", "What letter stands first in {w}?", "Give the initial of {w}.")


def spell_turn(r, split):
    w = lexicon.word(r, split)
    kind, letters = r.randrange(6), " ".join(w)
    if kind == 0:
        return frame(r, split, SPELL).format(w=w), letters, ""
    if kind == 1:
        return frame(r, split, UPPER).format(w=w), w.upper(), f"{letters}. {letters.upper()}."
    if kind == 2:
        return frame(r, split, LOWER).format(w=w.upper()), w, f"{letters.upper()}. {letters}."
    if kind == 3:
        return frame(r, split, BACKWARD).format(w=w), w[::-1], f"{numbered(w)}. {' '.join(reversed(w))}."
    if kind == 4:
        return frame(r, split, LENGTH).format(w=w), f"{len(w)}", f"{numbered(w)}."
    return frame(r, split, FIRST).format(w=w), w[0], f"{letters}."


@family("spell", thinking=None)
def spell(r, split, budget):
    """Words letter by letter: what sorting, counting letters and capitals need to know of a token."""
    thinking = r.random() < 0.5
    return Dialog(until_full(r, split, budget, lambda: spell_turn(r, split), thinking), thinking=thinking)


FAMILIES = {"pairs": pairs, "spell": spell}
