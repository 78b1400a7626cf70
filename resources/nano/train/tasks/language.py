# SPDX-License-Identifier: Apache-2.0
"""English itself: continuing prose, word definitions, glossaries, and questions about natural sentences."""
import functools
import re

from dialog import Dialog, Prose, Split, Turn
from tasks import corpus, lexicon, names
from tasks.facts import capital, stop
from tasks.frames import expand, frame
from tasks.questions import UNKNOWN, cost, family, size, with_document

PROSE_LOSS = 0.3                # as prose in documents
UNKNOWN_WORD = "I do not know that word."
CONTINUE = ("[Continue|Please continue|Go on with|Carry on with] [this text|this|the text][.|:]\n\n",
            "How does this [text|story|page] go on?\n\n", "[Write|Give me] the next [part|lines|sentences].\n\n",
            "[Continue|Go on] from here[.|:]\n\n", "What [comes|might come] next?\n\n", "[Keep|Go on] writing:\n\n", "", "",
            "Write on from here.\n\n", "Carry on with this text:\n\n")
GO_ON = ("Continue.", "Go on.", "And then?", "More, please.", "What comes next?", "Please continue.")
DEFINE = ("[What is|Tell me|Give me] the [meaning|definition] of [the word |]{w}[?|.]",
          "[Define|Explain|Please define|Please explain] [the word |]{w}.", "What [does|did] [the word |]{w} mean?",
          "[Meaning|Definition] of {w}?", "How is {w} defined?", "How [would|do] you define {w}?",
          "What do you understand by {w}?", "[Can|Could] you [explain|define] {w}?", "{w}: what does that mean?",
          "What is meant by {w}?", "I do not know the word {w}. What does it mean?")
MEMORISED_WORDS = 1500


@family("prose")
def prose(r, split, budget):
    """The beginning of a text as the prompt; the answers continue it, a few paragraphs at a time."""
    turns, spent, parts, question = [], 0, [], None
    for paragraph in corpus.filler(r, split, budget):
        if question is None:
            question = [frame(r, split, CONTINUE), *paragraph[:-1], Prose(paragraph[-1].rstrip())]
            continue
        parts += paragraph
        length = size(parts)
        if length > min(350, budget / 4):
            turns.append(Turn(question, "".join(parts).strip(), loss=PROSE_LOSS))
            spent += length + size(question) + 30
            question, parts = [r.choice(GO_ON)], []
        if spent > budget:
            break
    if parts or not turns:
        turns.append(Turn(question, "".join(parts).strip() or "The end.", loss=PROSE_LOSS))
    return Dialog(turns)


@functools.lru_cache(maxsize=None)
def memorised():
    """Frequent nouns with short definitions, the same ones in both splits: what they mean is memory, not lookup."""
    words = [s for s in corpus.senses(Split.TRAIN) if len(s["definition"]) <= 110 and s["word"].isalpha() and s["word"].islower() and len(s["word"]) > 2]
    return words[:MEMORISED_WORDS]


@family("define")
def define(r, split, budget):
    turns, spent = [], 40
    while spent < budget or not turns:
        if r.random() < 0.08:
            question, answer = frame(r, split, DEFINE).format(w=names.invented(r, split).lower()), UNKNOWN_WORD
        else:
            sense = r.choice(memorised())
            question, answer = frame(r, split, DEFINE).format(w=sense["word"]), stop(capital(sense["definition"]))
        turns.append(Turn([question], answer))
        spent += cost(question, answer)
    return Dialog(turns)


# ---- glossaries: natural language as keys and values ----------------------------------------------------------------

LOOK = ("What does the [text|document|list] say about {w}?", "How does the [text|list|document] [define|explain] {w}?",
        "[According to|Going by] the [text|list], what is {w}?",
        "What does {w} mean[, according to the text| in this text| here]?",
        "[Look up|Find|Check|Search for] {w}[.| in the list.|, please.]", "[Find|Show me|Give me|Quote] the entry for {w}.",
        "[Give me|Tell me|Copy] the [definition|meaning|explanation] of {w} from the text.",
        "[Please|Now|Next,] [look up|explain|define] {w}.", "[Meaning|Definition] of {w}[?|, from the text?]",
        "[Can|Could] you [look up|find] {w}?", "What is written about {w}?", "Read the entry for {w}.")
NAME_IT = ('[Which|What] [word|entry|term] [is defined as|is explained as|means] "{d}"?', '[Which|What] entry says "{d}"?',
           'What is called "{d}"?',
           '[Find|Name|Give me] the [word|term] for "{d}".', '"{d}": [which word is that|what is the word]?',
           'The definition is "{d}". Which word is it?', 'Name the word that is explained as "{d}".')


@functools.lru_cache(maxsize=None)
def rare_words(split):
    return [s for pos in ("noun", "verb", "adj") for s in corpus.senses(split, pos)
            if 20 <= len(s["definition"]) <= 120 and s["count"] < 3 and lexicon.fits(s["word"],
                                                            split) and lexicon.decent(s["word"], s["definition"])]


def glossary_dialog(r, split, budget):
    entries, used = {}, 0
    pool = rare_words(split)
    for sense in r.sample(pool, min(len(pool), 200)):
        if used > budget * 0.4 or len(entries) == 60:
            break
        if sense["word"] not in entries and sense["definition"] not in entries.values():
            entries[sense["word"]] = sense["definition"]
            used += corpus.tokens(sense["definition"]) + 6
    shape = r.choice(("{w}: {d}", "{w} - {d}", "{W}: {d}.", "**{w}**: {d}", "- {w}: {d}"))
    document = ["\n".join(shape.format(w=w, W=capital(w), d=d) for w, d in entries.items()) + "\n\n"]
    words = list(entries)
    r.shuffle(words)
    turns, spent, left = [], 0, budget - size(document) - 60
    while words and (spent < left or not turns):
        w = words.pop()
        kind, other = r.random(), r.choice(pool)["word"]
        if kind < 0.12 and other not in entries:
            question, answer = frame(r, split, LOOK).format(w=other), UNKNOWN
        elif kind < 0.7:
            question, answer = frame(r, split, LOOK).format(w=w), stop(capital(entries[w]))
        else:
            question, answer = frame(r, split, NAME_IT).format(d=entries[w]), w
        turns.append(Turn([question], answer))
        spent += cost(question, answer)
    return with_document(r, split, document, turns)


@family("glossary")
def glossary(r, split, budget):
    return glossary_dialog(r, split, budget)


FAMILIES = {"prose": prose, "define": define, "glossary": glossary}
