# SPDX-License-Identifier: Apache-2.0
"""English itself: continuing prose, word definitions, glossaries, and questions about natural sentences."""
import functools
import re

from dialog import Dialog, Prose, Split, Turn
from tasks import corpus, names
from tasks.facts import capital
from tasks.questions import UNKNOWN, cost, family, frame, size, with_document

PROSE_LOSS = 0.3                # as prose in documents
UNKNOWN_WORD = "I do not know that word."
CONTINUE = ("Continue this text.\n\n", "Please continue:\n\n", "How does this text go on?\n\n", "Write the next part.\n\n",
            "Continue the story.\n\n", "Go on from here:\n\n", "Carry on with this text:\n\n", "What comes next?\n\n",
            "Keep writing:\n\n", "Write on from here.\n\n")
GO_ON = ("Continue.", "Go on.", "And then?", "More, please.", "What comes next?", "Please continue.")
DEFINE = ("What is the meaning of the word {w}?", "Define {w}.", "What does {w} mean?", "What does the word {w} mean?",
          "Explain the word {w}.", "Give me a definition of {w}.", "Meaning of {w}?", "How is {w} defined?",
          "What do you understand by {w}?", "Please define the word {w}.", "Tell me what {w} means.",
          "{w}: what does that mean?", "What is meant by {w}?", "I do not know the word {w}. What does it mean?")
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
            question, answer = frame(r, split, DEFINE).format(w=sense["word"]), capital(sense["definition"]) + "."
        turns.append(Turn([question], answer))
        spent += cost(question, answer)
    return Dialog(turns)


# ---- glossaries: natural language as keys and values ----------------------------------------------------------------

LOOK = ("What does the text say about {w}?", "How does the text define {w}?", "According to the text, what is {w}?",
        "What does {w} mean, according to the text?", "Look up {w}.", "Find the entry for {w}.",
        "Give me the definition of {w} from the text.",
        "Read the entry for {w}.", "What is written about {w}?", "Show the entry for {w}.")
NAME_IT = ('Which word is defined as "{d}"?', 'Which entry says "{d}"?', 'What is called "{d}"?', 'Which word means "{d}"?',
           'Find the word for "{d}".', 'The definition is "{d}". Which word is it?',
           'Name the word that is explained as "{d}".')


@functools.lru_cache(maxsize=None)
def rare_words(split):
    return [s for s in corpus.senses(split) + corpus.senses(split,
                                                            "verb") if 20 <= len(s["definition"]) <= 120 and s["count"] < 3]


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
            question, answer = frame(r, split, LOOK).format(w=w), capital(entries[w]) + "."
        else:
            question, answer = frame(r, split, NAME_IT).format(d=entries[w]), w
        turns.append(Turn([question], answer))
        spent += cost(question, answer)
    return with_document(r, split, document, turns)


@family("glossary")
def glossary(r, split, budget):
    return glossary_dialog(r, split, budget)


FAMILIES = {"prose": prose, "define": define, "glossary": glossary}
