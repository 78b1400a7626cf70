# SPDX-License-Identifier: Apache-2.0
"""Verbatim work: quoting a sentence of the text, repeating, reversing and picking lines."""
import collections
import functools
import re

from dialog import Dialog, Turn
from tasks import corpus, names
from tasks.facts import World
from tasks.lookup import weave
from tasks.questions import UNKNOWN, cost, family, frame, size, with_document

BY_FACT = (
    "Quote the sentence that says {x}.", "Which sentence says {x}?", "Quote where the text says {x}.",
    "Give me the exact sentence that tells {x}.", "Copy the sentence that states {x}.",
    "Where does the text say {x}? Quote it.",
    "Find the sentence that says {x} and repeat it word for word.", "Cite the sentence about {x}.",
    "Show me the sentence that tells us {x}.",
    "Quote the passage that says {x}.", "Please quote the sentence which says {x}.",
    "What is the exact wording of the sentence that says {x}?",
    "Repeat word for word the sentence that tells {x}.", "I need the sentence that says {x}, verbatim.",
)
BY_WORD = (
    'Quote the sentence that contains the word "{x}".', 'Which sentence mentions "{x}"?',
    'Find the sentence with the word "{x}".',
    'Copy the sentence in which "{x}" occurs.', 'Where is "{x}" mentioned? Quote the sentence.',
    'Quote the sentence about "{x}".',
    'Show me the sentence that has "{x}" in it.', 'Give me the exact sentence with "{x}".',
    'In which sentence does the word "{x}" appear?',
    'Search for "{x}" and quote the sentence.', 'Please quote the sentence that uses the word "{x}".',
    'Repeat the sentence containing "{x}".',
)
BY_START = (
    'Quote the sentence that begins with "{x}".', 'How does the sentence that starts with "{x}" go?',
    'Complete this sentence from the text: "{x} ..."',
    'Which sentence starts with "{x}"?', 'Give me the whole sentence that begins "{x}".',
    'The text has a sentence starting with "{x}". Quote it in full.',
    'Find the sentence that opens with "{x}".', 'Finish the sentence from the text that begins with "{x}".',
)
BY_NEXT = (
    'Which sentence comes right after "{x}"?', 'What comes directly after the sentence "{x}"?',
    'Quote the sentence that follows "{x}"',
    'After "{x}", what does the text say next?', 'Give the next sentence after "{x}"', 'Which sentence follows "{x}"?',
)
FIRST = ("Quote the first sentence of the text.", "How does the text begin? Quote the first sentence.",
         "What is the first sentence?",
         "Repeat the first sentence of the document.", "Give me the opening sentence.",
         "Quote the opening sentence of the document.")
LAST = ("Quote the last sentence of the text.", "How does the text end? Quote the last sentence.",
        "What is the last sentence?",
        "Repeat the last sentence of the document.", "Give me the closing sentence.",
        "Quote the final sentence of the document.")
MENTIONED = ('Does the text mention the word "{x}"?', 'Is the word "{x}" in the text?', 'Does "{x}" occur in the text?',
             'Can you find the word "{x}" in the document?', 'Is "{x}" mentioned anywhere?',
             'Check whether the text contains "{x}".')
WORD = re.compile(r"[A-Za-z][a-z]{4,}")


@functools.lru_cache(maxsize=None)
def frequent_words(split):
    """Words to ask for that probably do not occur."""
    return tuple(s["word"] for s in corpus.senses(split)[:3000] if WORD.fullmatch(s["word"]))


def sentences_of(document):
    return [s for s in (str(part).strip() for part in document) if s]


class Quotable:
    """The sentences of a document that can be asked for without ambiguity."""

    def __init__(self, r, split, document):
        self.r, self.split = r, split
        self.sentences = sentences_of(document)
        self.text = " ".join(self.sentences)
        self.lower = self.text.lower()
        times = collections.Counter(self.sentences)
        # A quotation mark inside would end the quotation in the question.
        self.usable = [i for i, s in enumerate(self.sentences) if 30 <= len(s) <= 260 and '"' not in s and "\n" not in s
                       and times[s] == 1]

    def by_word(self):
        i = self.r.choice(self.usable)
        words = [w for w in WORD.findall(self.sentences[i]) if self.lower.count(w.lower()) == 1]
        return words and (self._frame(BY_WORD, self.r.choice(words)), self.sentences[i])

    def by_start(self):
        i = self.r.choice(self.usable)
        start = " ".join(self.sentences[i].split()[:self.r.randint(3, 5)])
        return self.lower.count(start.lower()) == 1 and len(start) < len(self.sentences[i]) - 10 and \
            (self._frame(BY_START, start.rstrip(",;:")), self.sentences[i])

    def by_next(self):
        i = self.r.choice(self.usable)
        return i + 1 in self.usable and len(self.sentences[i]) <= 150 and (self._frame(BY_NEXT, self.sentences[i]),
                                                                           self.sentences[i + 1])

    def first(self):
        return 0 in self.usable and (frame(self.r, self.split, FIRST), self.sentences[0])

    def last(self):
        end = len(self.sentences) - 1
        return end in self.usable and (frame(self.r, self.split, LAST), self.sentences[end])

    def mentioned(self):
        if self.r.random() < 0.5:
            words = WORD.findall(self.sentences[self.r.choice(self.usable)])
            return words and (self._frame(MENTIONED, self.r.choice(words)), "Yes.")
        word = self.r.choice(frequent_words(self.split))
        return word.lower() not in self.lower and (self._frame(MENTIONED, word), "No.")

    def missing_word(self):
        word = self.r.choice(frequent_words(self.split))
        return word.lower() not in self.lower and (self._frame(BY_WORD, word), UNKNOWN)

    def _frame(self, frames, x):
        return frame(self.r, self.split, frames).format(x=x)


@family("quote")
def quote(r, split, budget):
    """Prose with facts; asked for sentences by fact, word, beginning, neighbour and place."""
    world = World(r, split)
    share = 0.45 if budget <= 2500 else 0.12
    facts = [world.fact() for _ in range(max(1, min(16, int(budget * share / 150))))]
    inside = sum(corpus.tokens(fact.sentence) for fact in facts)
    room = max(80, budget * (1 - share) - 60 - inside)
    document = weave(r, [fact.sentence for fact in facts], corpus.filler(r, split, room, short=True))
    quotable = Quotable(r, split, document)
    turns, spent, left, asked = [], 0, budget - size(document) - 60, set()
    kinds = ["by_word"] * 4 + ["by_start"] * 3 + ["by_next"] * 2 + ["first", "last", "mentioned", "missing_word"]
    for _ in range(200):
        if spent >= left and turns:
            break
        kind = r.random()
        pair = None
        if kind < 0.35 and facts:
            fact = facts.pop()
            pair = frame(r, split, BY_FACT).format(x=r.choice(fact.queries).indirect), fact.sentence
        elif kind < 0.4:
            query = world.open_query(facts) if facts else None
            pair = query and (frame(r, split, BY_FACT).format(x=query.indirect), UNKNOWN)
        elif quotable.usable:
            pair = getattr(quotable, r.choice(kinds))()
        if pair and pair[0] not in asked:
            asked.add(pair[0])
            turns.append(Turn([pair[0]], pair[1]))
            spent += cost(*pair)
    if not turns:
        turns.append(Turn([FIRST[0]], sentences_of(document)[0]))
    return with_document(r, split, document, turns)


# ---- copying ------------------------------------------------------------------------------------------------------

REPEAT = (
    "Repeat this text exactly:\n\n{x}", "Copy the following text:\n\n{x}", "Please repeat word for word:\n\n{x}",
    "Say exactly this:\n\n{x}",
    "Write this again:\n\n{x}", "Repeat after me:\n\n{x}", "{x}\n\nRepeat the text above.", "{x}\n\nCopy that exactly.",
    'Repeat: "{x}"', "Return the following unchanged:\n\n{x}", "Echo this:\n\n{x}", "Type this once more:\n\n{x}",
    "I want you to repeat this:\n\n{x}", "Copy this text without any change:\n\n{x}",
    "Reproduce the following text:\n\n{x}",
    "{x}\n\nPlease write the text above again.",
)
REVERSE = (
    "Reverse the order of these words: {x}", "Write these words in reverse order: {x}", "Turn this list around: {x}",
    "Backwards, please: {x}",
    "List these from last to first: {x}", "Reverse this list: {x}",
    "Give me these words from the end to the beginning: {x}",
    "Write the list backwards: {x}", "Put these in the opposite order: {x}", "Repeat these words in reverse order: {x}",
)
LINE = (
    "Repeat line {n}.", "What is line {n}?", "Copy line {n}.", "Which text is in line {n}?", "Show me line {n}.",
    "Read line {n} to me.",
    "Give me line {n}.", "What does line {n} say?", "Quote line {n}.", "Please repeat line {n}.",
)


def random_words(r, split, count):
    pools = ("thing", "word", "food", "profession", "pet")
    return [names.draw(r, split, r.choice(pools)) for _ in range(count)]


def prose_of(r, split, size_wanted):
    """Running text of about that many tokens, on one line."""
    text = ""
    for paragraph in corpus.filler(r, split, size_wanted + 30):
        for part in paragraph:
            text += (" " if text else "") + part.strip()
            if corpus.tokens(text) >= size_wanted:
                return text if len(text) < 4 * size_wanted else text[:3 * size_wanted].rsplit(" ", 1)[0]
    return text


def copy_material(r, split, most):
    wanted = r.choice((12, 30, 60, 100, 150, 190))
    wanted = min(wanted, most)
    kind = r.random()
    if kind < 0.45:
        return prose_of(r, split, wanted)
    if kind < 0.65:
        return " ".join(random_words(r, split, max(3, wanted // 3)))
    if kind < 0.8:
        return " ".join(names.code(r) for _ in range(max(1, wanted // 6)))
    if kind < 0.9:
        return ", ".join(names.label(r, split) for _ in range(max(2, wanted // 4)))
    world = World(r, split)
    return " ".join(world.fact().sentence for _ in range(max(1, min(12, wanted // 15))))


@family("copy")
def copy(r, split, budget):
    turns, spent = [], 0
    while spent < budget or not turns:
        x = copy_material(r, split, max(12, min(190, budget // 3)))
        question = frame(r, split, REPEAT).format(x=x)
        turns.append(Turn([question], x))
        spent += cost(question, x)
    return Dialog(turns)


@family("reverse")
def reverse(r, split, budget):
    turns, spent = [], 0
    while spent < budget or not turns:
        n = r.randint(3, 10) if r.random() < 0.7 else r.randint(10, 26)
        words = random_words(r, split, n) if r.random() < 0.75 else [str(r.randint(0, 99)) for _ in range(n)]
        joint = r.choice((" ", ", "))
        question = frame(r, split, REVERSE).format(x=joint.join(words))
        turns.append(Turn([question], joint.join(reversed(words))))
        spent += cost(question, turns[-1].answer)
    return Dialog(turns)


@family("line")
def line(r, split, budget):
    """Numbered lines; some questions ask for a line that does not exist."""
    lines, world, used = [], World(r, split), 0
    while used < budget * 0.45 and len(lines) < 60:
        lines.append(world.fact().sentence if r.random() < 0.6 else " ".join(random_words(r, split, r.randint(3, 8))))
        used += corpus.tokens(lines[-1]) + 3
    mark = r.choice(("{}. ", "{}: ", "{}) ", "Line {}: "))
    document = ["\n".join(mark.format(n) + text for n, text in enumerate(lines, 1)) + "\n\n"]
    turns, spent = [], 0
    order = list(range(len(lines)))
    r.shuffle(order)
    while (spent < budget - size(document) - 60 or not turns) and order:
        n = order.pop()
        if r.random() < 0.07:
            question, answer = frame(r, split, LINE).format(n=len(lines) + r.randint(1,
                                                                                     9)), f"There are only {len(lines)} lines."
        else:
            question, answer = frame(r, split, LINE).format(n=n + 1), lines[n]
        turns.append(Turn([question], answer))
        spent += cost(question, answer)
    return with_document(r, split, document, turns)


FAMILIES = {"quote": quote, "copy": copy, "reverse": reverse, "line": line}
