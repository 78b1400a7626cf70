# SPDX-License-Identifier: Apache-2.0
"""Verbatim work: quoting a sentence of the text, repeating, reversing and picking lines."""
import collections
import functools
import re

from dialog import Dialog, Split, Turn
from tasks import corpus, lexicon, names, requests
from tasks.facts import World
from tasks.frames import expand, frame, orders, with_tail
from tasks.lists import COMMANDS, THINGS, item_maker, numbered, until_full
from tasks.lookup import weave
from tasks.questions import UNKNOWN, cost, family, size, with_document

BY_FACT = requests.BY_FACT * 2 + ('[Which|What] [sentence|passage|line|words] [say|says|tells us|shows|states|proves] {x}?',
       '[Copy|Cite|Repeat|Give me|Print|Show|Write] the [sentence|line|passage|words] [about|on|that tells] {x}[.|, please.]',
       '[How|In which words|With what words] does the text [say|tell us|state|put it] {x}?',
       '[Where|In which sentence] does it say {x}? [Quote it.|Copy it.|Cite the sentence.]',
       '[I need|I want] the [sentence|exact words|passage|quotation] [that says|on|about] {x}.',
       
    "[Quote|Cite|Copy|Find|Give me|Show me] the [sentence|statement|passage|line] that [says|tells us|states|shows|reveals] {x}.",
    "[Which|What] [sentence|passage|statement] [says|tells us|states] {x}?",
    "[Quote|Show|Cite] where [the text|the document|it] says {x}.",
    "[Please quote|Please copy|I need|I want] the [exact |]sentence [that tells|which says|stating] {x}.",
    "Where does [the text|the document|it] say {x}? [Quote it.|Give me the sentence.|Copy the sentence.|Show the exact words.]",
    "[Find|Look for|Search for] the [sentence|passage] that [says|states] {x} and [repeat|copy|quote] it word for word.",
    "[Can|Could|Would] you [quote|cite|copy|show me] the sentence that [says|tells us|states] {x}?",
    "[Prove|Back up|Show your source]: [quote|copy] the sentence that says {x}.",
    "In which sentence [is it said|do we read|does it say] {x}?",
    "[What is the exact wording of|What exactly is] the sentence that [says|tells] {x}?",
    "[Give|Show] me, word for word, the sentence about {x}.",
    "Repeat word for word the [sentence|statement] that tells {x}.", "I need the sentence that says {x}, verbatim.",
)
BY_WORD = requests.BY_WORD * 2 + ('[Which|What] [sentence|line] [has|uses|includes|mentions] "{x}"?',
       '[Copy|Cite|Show|Print|Repeat] the sentence with "{x}" in it.',
       '"{x}": [quote|copy|show] the sentence[.|, please.]',
       '[Where|In which sentence] [is|stands|does it say] "{x}"? [Quote it.|Copy it.]',
       '[Find|Locate|Seek|Look up|Go to] "{x}" [and copy|and repeat|and write out|and return|then quote|, then give me] the [sentence|line|statement] [around it|with it|where it is|that has it|it belongs to].',
       '[Repeat|Say again|Reproduce|Write out|Read out] the [sentence|statement|line] [that has|with|which uses|using|that includes|that holds] "{x}".',
       '[Take|Look at|Check|See] the word "{x}" and [give me|write|show|copy] [its sentence|the sentence around it|the whole sentence].',
       '"{x}" [stands|is|occurs|appears|is found] in [which|what] sentence?', '[Which|What] is the sentence [around|behind|with] "{x}"?',
       'There is a sentence [with|that has] "{x}". [Repeat it.|Which one?|Write it out.|What does it say?]',
       '[Somewhere|In the text] it says "{x}". [What is|Give me|Copy] the [whole|full|complete] sentence[.|, please.]',
       
    '[Quote|Copy|Give me|Show me|Cite|Return] the [sentence|passage] that [contains|mentions|uses|has] [the word |]"{x}".',
    '[Which|What] sentence [mentions|contains|uses|includes] "{x}"?',
    '[Find|Look for|Search for] the sentence with [the word |]"{x}"[.| in it.| and quote it.]',
    '[Copy|Quote|Repeat] the sentence in which "{x}" [occurs|appears|stands|is used].',
    'Where is "{x}" [mentioned|used]? [Quote the sentence.|Copy the sentence.|Give me the sentence.]',
    '[Quote|Copy] the sentence [about|with] "{x}".', '[Can|Could|Would] you [quote|copy|show me|find] the sentence with "{x}"?',
    '[Please|Now|Next,] [quote|copy|cite] the sentence [containing|including|with] "{x}".',
    '[In which|In what] sentence does [the word |]"{x}" [appear|occur|come up]?',
    '[I need|I want|I am looking for] the [exact |whole |]sentence [with|that contains] "{x}".',
    '[Keyword|Word]: "{x}". [Quote the sentence.|Which sentence has it?]',
    'Search for "{x}" and [quote|copy] the sentence it is in.', 'Repeat the sentence containing "{x}".',
)
BY_START = requests.BY_START * 2 + ('[Finish|Go on with|Continue] the sentence "{x}..."',
       '[Which|What] sentence [starts|begins] "{x}"?',
       '"{x} ..." [Quote|Copy|Write] the [whole|full|entire] sentence[.|, please.]',
       '[Copy|Cite|Show|Print] the sentence [that starts|beginning|starting] with "{x}".',
       
    '[Quote|Copy|Give me|Show me|Read] the [whole |full |]sentence that [begins|starts|opens] with "{x}".',
    'How does the sentence [that starts with|beginning with|starting] "{x}" [go|go on|continue|end]?',
    '[Complete|Finish|Continue] this sentence from the [text|document]: "{x} ..."',
    '[Which|What] sentence [starts|begins|opens] with "{x}"?',
    '[There is|The text has|I remember] a sentence [starting|beginning] with "{x}". [Quote it in full.|How does it go?|Give me all of it.]',
    '[Can|Could] you [complete|finish|quote] the sentence that begins "{x}"?',
    '"{x} ...": [how does it go on?|quote the whole sentence.]',
    '[Find|Look for] the sentence that [starts|begins] with "{x}" [and copy it|and quote it].',
    'Find the sentence that opens with "{x}".', 'Finish the sentence from the text that begins with "{x}".',
)
BY_NEXT = requests.BY_NEXT * 2 + ('[What|Which sentence] [is next|comes next|stands next] after "{x}"?',
       '[Copy|Cite|Show|Print|Read] the sentence [that follows|following|after] "{x}"',
       '"{x}" [And then?|What comes then?|What is next?|Next sentence?]',
       '[Go on|Continue] after "{x}" [with one sentence|by one sentence].',
       'What [follows|comes after|stands after] "{x}"?', '[Say|Read out|Write|Find|I need] what [stands|is written|comes] [right |]after "{x}"',
       
    '[Which|What] sentence [comes|stands|is] [right |directly |]after "{x}"?',
    'What comes [directly|right|just] after the sentence "{x}"?',
    '[Quote|Copy|Give me|Show me] the sentence that [follows|comes after] "{x}"',
    '[And after|What is said after|What is written after] "{x}"?', '[Can|Could] you quote the sentence after "{x}"?',
    'After "{x}", what does the text say next?', '[Quote|Tell me] what [follows|comes after] "{x}"',
    'Which sentence follows "{x}"?',
)
FIRST = ('[Copy|Cite|Show|Print|Read] the [first|opening] sentence.',
       '[Which|What] sentence [comes|stands|is] first[| in the text]?',
       '[With which|With what] sentence does the [text|document] [begin|start|open]?',
       "[Quote|Copy|Give me|Repeat|Show me] the [first|very first] sentence of the [text|document|page].",
         "How does the [text|document] [begin|start|open]? [Quote the first sentence.|Give me the sentence.]",
         "What is the [first|very first] sentence[| of the text]?", "[Please quote|Can you quote] the first sentence[.|?]",
         "Give me the opening sentence.", "Quote the opening sentence of the [document|text].")
LAST = ('[Copy|Cite|Show|Print|Read] the [last|final|closing] sentence.',
       '[Which|What] sentence [comes|stands|is] last[| in the text]?',
       '[With which|With what] sentence does the [text|document] [end|close|finish]?',
       "[Quote|Copy|Give me|Repeat|Show me] the [last|very last] sentence of the [text|document|page].",
        "How does the [text|document] [end|close]? [Quote the last sentence.|Give me the sentence.]",
        "What is the [last|very last] sentence[| of the text]?", "[Please quote|Can you quote] the last sentence[.|?]",
        "Give me the closing sentence.", "Quote the final sentence of the [document|text].")
MENTIONED = ('Does the [text|document|page] [mention|contain|use|have] the word "{x}"?',
             'Is [the word |]"{x}" in the [text|document]?', 'Does "{x}" [occur|appear|come up] [in the text|in it|anywhere]?',
             '[Can you find|Do you see|Is there] [the word |]"{x}" in the [document|text]?',
             '[Check|Look] whether "{x}" [occurs|appears] in the text.',
             'Is "{x}" mentioned anywhere?', 'Check whether the text contains "{x}".')
OPENING = ('[With|By] which words does the sentence with "{x}" [begin|start|open]?', 'The sentence with "{x}": how does it [begin|start]?',
           '[Give|Tell|Show] me the first [words|few words] of the sentence [with|that has|that mentions] "{x}".',
           '[How|In what way] does the sentence [that has|that uses|with] "{x}" [begin|start|open]? [The first words are enough.|Only the first words.]',
           '[First words|Beginning|Start] of the sentence with "{x}"[?|, please.]', 'Where "{x}" is said, how does the sentence start?',
           'Name the first words of the sentence holding "{x}".', 'How does the sentence begin that mentions "{x}"?')
VERBATIM = ("in its own words", "as it stands", "as it is written", "literally", "in full", "unchanged", "to the letter", "from the text",
            "and nothing else", "without changes", "exactly as in the text", "in the original wording", "for my notes", "if it is there",
            "for me", "as a quotation", "without leaving anything out", "so that I can cite it", "with every word", "as evidence")
NEXT_WORD = ('[Which|What] word [comes|stands|is] [right |directly |]after "{x}"[| in the text]?',
             '[What|Which word] follows "{x}"[| in the text]?',
             '[Name|Give me|Find|Tell me] the word [after|that follows|following] "{x}".',
             '"{x}" is followed by [which|what] word?',
             'After "{x}" comes which word?', 'What is the next word after "{x}"?')
WHICH = ("Which of these [words|] [occurs|appears|is] in the text: {x}?",
         "[Only one of these|One of these words] is in the text: {x}. [Which one|Which]?",
         "[Which|What] word [does the text use|is mentioned in the text|can be found in the text]: {x}?",
         "{x}: which of them [occurs|appears] in the [text|document]?",
         "[Find|Tell me] the one that [occurs|appears] in the text: {x}.",
         "Which of these does the text mention: {x}?", "Pick the word that the text contains: {x}.")
WORD = re.compile(r"[A-Za-z][a-z]{4,}")


@functools.lru_cache(maxsize=None)
def frequent_words(split):
    """Words to ask for that probably do not occur."""
    return tuple(word for word in lexicon.pool(split, "noun")[:3000] if WORD.fullmatch(word))


def sentences_of(document):
    return [s for s in (str(part).strip() for part in document) if s]


class Quotable:
    """The sentences of a document that can be asked for without ambiguity; each method gives (question, answer) or None.

    Every kind of question has a twin that asks in the same words for something the text does not contain.
    """

    def __init__(self, r, split, document):
        self.r, self.split = r, split
        self.sentences = sentences_of(document)
        self.text = " ".join(self.sentences)
        self.lower = self.text.lower()
        times = collections.Counter(self.sentences)
        # A quotation mark inside would end the quotation in the question.
        self.usable = [i for i, s in enumerate(self.sentences) if 30 <= len(s) <= 260 and '"' not in s and "\n" not in s
                       and times[s] == 1]

    def any(self):
        return self.sentences[self.r.choice(self.usable)]

    def own_word(self, sentence):
        """A word that occurs once in the whole text, or None."""
        words = [w for w in WORD.findall(sentence) if self.lower.count(w.lower()) == 1]
        return self.r.choice(words) if words else None

    def foreign_word(self):
        word = self.r.choice(frequent_words(self.split))
        return None if word.lower() in self.lower else word

    def foreign_sentence(self):
        """A sentence of another document."""
        paragraph = corpus.filler(self.r, self.split, 30)[0]
        sentence = str(self.r.choice(paragraph)).strip()
        fine = 30 <= len(sentence) <= 200 and '"' not in sentence and sentence[:15].lower() not in self.lower
        return sentence if fine else None

    def by_word(self):
        sentence = self.any()
        word = self.own_word(sentence)
        return word and (self._frame(BY_WORD, word), sentence)

    def opening(self):
        """The first words of the sentence with a word: what a whole quotation of it has to find, in a short answer."""
        found = self.by_word()
        if not found:
            return None
        sentence = found[1]
        word = self.own_word(sentence)
        words = sentence.split()[:self.r.randint(2, 4)]
        return word and self.text.count(" ".join(words)) == 1 and word not in words and (self._frame(OPENING, word), " ".join(words))

    def by_start(self):
        sentence = self.any()
        start = self._start(sentence)
        return self.lower.count(start.lower()) == 1 and len(start) < len(sentence) - 10 and \
            (self._frame(BY_START, start), sentence)

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
            words = WORD.findall(self.any())
            return words and (self._frame(MENTIONED, self.r.choice(words)), "Yes.")
        word = self.foreign_word()
        return word and (self._frame(MENTIONED, word), "No.")

    def next_word(self):
        """The word after some words that occur once; not at the end of a sentence, where an abbreviation may be meant."""
        words = self.any().split()
        at = self.r.randrange(len(words) - 1)
        before = " ".join(words[max(0, at - 2):at + 1])
        after = words[at + 1].rstrip(",;:!?")
        if self.text.count(before) != 1 or not after.isalpha() or before[-1] in ",;:.":
            return None
        return self._frame(NEXT_WORD, before), after

    def neighbor(self):
        """The word after a single one.  Without the space in front of it a word is other tokens than in the text, which
        is what makes a sentence hard to find by a word; a short answer practises the finding."""
        found = self.r.choice([match for match in re.finditer(r"([A-Za-z][a-z]{4,}) ([a-z]{2,})\b", self.any())] or [None])
        return found and self.lower.count(found[1].lower()) == 1 and (self._frame(NEXT_WORD, found[1]), found[2])

    def which(self):
        """One word of the text among words that are not in it."""
        word, others = self.own_word(self.any()), [self.foreign_word() for _ in range(self.r.randint(1, 4))]
        if not word or None in others:
            return None
        choices = [word.lower() if word[1:].islower() else word, *dict.fromkeys(others)]
        self.r.shuffle(choices)
        joined = ", ".join(choices[:-1]) + " or " + choices[-1]
        return self._frame(WHICH, joined), word.lower() if word[1:].islower() else word

    def missing_word(self):
        word = self.foreign_word()
        return word and (self._frame(BY_WORD, word), UNKNOWN)

    def missing_start(self):
        sentence = self.foreign_sentence()
        return sentence and (self._frame(BY_START, self._start(sentence)), UNKNOWN)

    def missing_next(self):
        sentence = self.foreign_sentence()
        return sentence and len(sentence) <= 150 and (self._frame(BY_NEXT, sentence), UNKNOWN)

    def _start(self, sentence):
        return " ".join(sentence.split()[:self.r.randint(3, 5)]).rstrip(",;:")

    def _frame(self, frames, x):
        return requoted(self.r, self.split, in_own_words(self.r, self.split, frame(self.r, self.split, frames))).format(x=x)


def in_own_words(r, split, text):
    """A request for a quotation, in TRAIN now and then with something at its end."""
    return with_tail(r, text, r.choice(VERBATIM)) if split is Split.TRAIN and r.random() < 0.2 else text


QUOTES = ("'{x}'", "“{x}”", "*{x}*", "**{x}**", "`{x}`", "<{x}>", "«{x}»", "{x}", "“{x}”", "'{x}'")


def requoted(r, split, text):
    """The request with other marks around what it quotes, or with none, in TRAIN now and then."""
    return text.replace('"{x}"', r.choice(QUOTES)) if split is Split.TRAIN and r.random() < 0.2 else text


KINDS = ["by_word"] * 8 + ["by_start"] * 5 + ["by_next"] * 4 + ["next_word"] * 2 + ["first", "last", "mentioned", "which"] + \
    ["missing_word", "missing_start", "missing_next"]
# TRAIN only.  A quotation by one ordinary word is what fails most, so it comes most often.
PRACTICE = ["opening"] * 10 + ["by_word"] * 34 + ["neighbor"] * 8 + ["by_next"] * 3 + ["missing_word"] * 2 + ["first", "last"]


@family("quote")
def quote(r, split, budget):
    """Prose with facts; asked for sentences by fact, word, beginning, neighbour and place."""
    world = World(r, split)
    share = 0.45 if budget <= 2500 else 0.12                    # of the questions; more of them are better practice
    if split is Split.TRAIN and r.random() < 0.5:
        share = 0.65 if budget <= 2500 else 0.35
    by_fact = 0.15 if split is Split.TRAIN else 0.35
    facts = [world.fact() for _ in range(max(1, min(16, int(budget * share / 150))))]
    inside = sum(corpus.tokens(fact.sentence) for fact in facts)
    room = max(80, budget * (1 - share) - 60 - inside)
    document = weave(r, [fact.sentence for fact in facts], corpus.filler(r, split, room, short=True))
    world.leave_out(1 + len(facts) // 4)
    quotable = Quotable(r, split, document)
    turns, spent, left, asked, stated = [], 0, budget - size(document) - 60, set(), []
    for _ in range(200):
        if spent >= left and turns:
            break
        kind = r.random()
        pair = None
        if kind < by_fact and facts:
            fact = facts.pop()
            stated.append(fact)
            pair = in_own_words(r, split, frame(r, split, BY_FACT)).format(x=r.choice(fact.queries).indirect), fact.sentence
        elif kind < by_fact + 0.07:
            query = world.open_query(facts or stated)
            pair = query and (in_own_words(r, split, frame(r, split, BY_FACT)).format(x=query.indirect), UNKNOWN)
        elif quotable.usable:
            kinds = KINDS if split is Split.TEST else KINDS + PRACTICE
            pair = getattr(quotable, r.choice(kinds))()
        if pair and pair[0] not in asked:
            asked.add(pair[0])
            turns.append(Turn([pair[0]], pair[1]))
            spent += cost(*pair)
    if not turns:
        turns.append(Turn([expand(r, FIRST[0])], sentences_of(document)[0]))
    return with_document(r, split, document, turns)


# ---- copying ------------------------------------------------------------------------------------------------------

REPEAT = requests.REPEAT * 2 + ('[Copy|Repeat|Retype|Type|Write down|Echo] [this|it|what follows|the text]: {x}',
       '{x}\n\n[Copy|Repeat|Echo|Write|Say] [it|this|that][ again| once more| exactly|].',
       '[Just|Simply] [repeat|copy|say|echo] [this|what I wrote|the following]:\n\n{x}',
       '[What did I write|What does this say|What have I written]? [Repeat it.|Copy it.]\n\n{x}',
       '[Same text again|Once again|Again], please:\n\n{x}',
       
    "[Repeat|Copy|Echo|Reproduce|Return|Print|Type] [this|the following|the text below|these lines][ exactly| word for word| unchanged| without changes|]:\n\n{x}",
    "[Please|Now|Next,] [repeat|copy|echo|write out|print] [this|the following]:\n\n{x}",
    "[Say|Write|Output] [exactly|just|only] this:\n\n{x}",
    "[Write|Type|Say|Give me] this [again|once more|a second time]:\n\n{x}", "Repeat after me[:|, please:]\n\n{x}",
    "{x}\n\n[Repeat|Copy|Print|Type out] [the text above|that|the lines above][.| exactly.| word for word.]",
    '[Repeat|Copy|Echo|Say]: "{x}"', "[Can|Could|Would] you [repeat|copy|write out] this[ for me| exactly|]?\n\n{x}",
    "[I want|I need|I would like] you to [repeat|copy|echo] this:\n\n{x}", "[Copy|Echo] [job|task|test]. [Text|Input]:\n\n{x}",
    "Reproduce [the following|this] text[:| exactly:]\n\n{x}", "{x}\n\nPlease write the text above again.",
)
BACKWARDS = ("in reversed order|in inverse order|backwards|from last to first|from the end to the start|the other way round|in the opposite direction|back to front|"
             "with the last one first|starting with the last one|in inverted order|from right to left|in backward order|last one first|turned around|from the end|in the contrary order")
REVERSE = orders(COMMANDS, THINGS, BACKWARDS) + (
    "[Reverse|Invert|Flip|Turn around|Mirror] [the list|the order|this|it|these|them|the series|the line][:|.] {x}", "{x}\n[Reverse|Invert|Flip|Mirror] [it|them|this|the order|the list][.|!|, please.]",
    "[Begin|Start] [with|at] the [last|end] and [go|read|write] [back|backwards] to the [first|start]: {x}", "What is the [reverse|inverse|opposite order] of [this list|this|these]? {x}",
    "[Reverse|Invert|Flip] [the order of these|this list of|the following|these] [words|items|entries]: {x}",
    "[Write|Give me|List|Print|Put] [these|the] [words|items|entries] in reverse order: {x}",
    "[Turn this list around|Turn it around|Reverse this list|Reverse the list]: {x}",
    "[Backwards|In reverse order|The other way round], please: {x}",
    "[List|Give|Write|Read] these from [last to first|the end to the beginning|back to front]: {x}",
    "{x}\n[Reverse the order.|Now backwards.|Write that in reverse order.|From last to first, please.]",
    "[Can|Could|Would] you [reverse|turn around] [this list|these words]? {x}", "[Write|Say|Print] the list backwards: {x}",
    "Put these in the opposite order: {x}", "Repeat these words in reverse order: {x}",
)
LINE = requests.LINE * 2 + ('[The|And|Now] line {n}[.|?|, please.]',
       '[Copy|Repeat|Show|Read|Cite|Write out] the line [numbered|that is numbered|with number|whose number is|that has the number|that bears the number|called number] {n}[.|, please.]',
       '[Which|What] line [has|bears|carries|comes with|stands under|is under] [the |]number {n}?',
       '[Quote|Give me|Show me|I need|Read] [number|no.|item|entry] {n}[.|, please.| of the lines.]',
       '[Line number|Line no.|Number] {n}[.|?|, please.|: what is it?]',
       '[What|Which text] [is|stands] [next to|behind|beside] the number {n}?',
       '[Cite|Copy|Repeat|Quote] [line|number] {n} [word for word|as it is|exactly|without its number][.|, please.]',
       '[Type|Say|Write|Read|Output] line [number |no. |]{n}[.|, please.]',
       '[What|Which words] [stands|stand|are|do you find] [in|on|at] line {n}?',
       '[Which|What] is line {n}?',
       '[Go|Look] to line {n}. [What does it say?|Read it.|Copy it.]',
       "[I'd like|Let me see|Let me have] line {n}.",
    "[Repeat|Copy|Show me|Quote|Print|Give me|Read me] line {n}.", "What [is|does it say] [in|on] line {n}?",
    "[Which|What] text [is|stands] in line {n}?",
    "[Please|Now|Next,] [copy|quote|repeat|read] line {n}.", "[I need|I want|Line wanted:] line {n}.", "Line {n}[?|, please.]",
    "[Can|Could] you [copy|quote|read] line {n}?", "What does line {n} say?", "Quote the line with the number {n}.",
)


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
    if kind < 0.4:
        return prose_of(r, split, wanted)
    if kind < 0.65:
        joint, make = r.choice((" ", " ", ", ", "\n")), item_maker(r, split)
        return joint.join(make() for _ in range(max(3, wanted // 4)))
    if kind < 0.75:
        return " ".join(names.code(r) for _ in range(max(1, wanted // 6)))
    if kind < 0.87:
        return ", ".join(names.label(r, split) for _ in range(max(2, wanted // 5)))
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


def reverse_turn(r, split):
    n = r.randint(3, 10) if r.random() < 0.7 else r.randint(10, 20)
    make, joint = item_maker(r, split), r.choice((" ", ", "))
    items = [make() for _ in range(n)]
    if joint == " " and any(" " in item for item in items):
        joint = ", "
    # The items with their places, forwards and backwards: each step looks up one number.
    backwards = ", ".join(f"{i}: {items[i - 1]}" for i in range(n, 0, -1))
    question = frame(r, split, REVERSE).format(x=joint.join(items))
    return question, joint.join(reversed(items)), f"{numbered(items)}. {backwards}."


@family("reverse", thinking=None)
def reverse(r, split, budget):
    thinking = r.random() < 0.7
    return Dialog(until_full(r, split, budget, lambda: reverse_turn(r, split), thinking), thinking=thinking)


@family("line")
def line(r, split, budget):
    """Numbered lines; some questions ask for a line that does not exist."""
    lines, world, used = [], World(r, split), 0
    while used < budget * 0.45 and len(lines) < 60:
        lines.append(world.fact().sentence if r.random() < 0.6 else " ".join(lexicon.token(r,
                                                            split) for _ in range(r.randint(3, 8))))
        used += corpus.tokens(lines[-1]) + 3
    mark = r.choice(("{}. ", "{}: ", "{}) ", "Line {}: "))
    document = ["\n".join(mark.format(n) + text for n, text in enumerate(lines, 1)) + "\n\n"]
    turns, spent = [], 0
    order = list(range(len(lines)))
    r.shuffle(order)
    while (spent < budget - size(document) - 60 or not turns) and order:
        n = order.pop()
        if r.random() < (0.14 if split is Split.TRAIN else 0.07):
            question, answer = frame(r, split, LINE).format(n=len(lines) + r.randint(1,
                                                                                     9)), f"There are only {len(lines)} lines."
        else:
            question, answer = frame(r, split, LINE).format(n=n + 1), lines[n]
        turns.append(Turn([question], answer))
        spent += cost(question, answer)
    return with_document(r, split, document, turns)


FAMILIES = {"quote": quote, "copy": copy, "reverse": reverse, "line": line}
