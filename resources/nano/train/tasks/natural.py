# SPDX-License-Identifier: Apache-2.0
"""Questions about sentences nobody wrote for a task: who said something, what does something, missing words, and what the
text says about a thing. Only sentences whose form makes the answer certain are used."""
import functools
import re

from dialog import Split, Turn
from tasks import corpus
from tasks.copying import Quotable, WORD
from tasks.facts import capital, plural, stop
from tasks.frames import expand, frame
from tasks.questions import FULL, UNKNOWN, cost, family, size, with_document

WHO_SAID = ('Who [said|says|spoke the words|spoke] "{x}"?', '[Whose words are these|Who said this|Who is speaking here]: "{x}"?',
            'Who was it that said "{x}"?',
            '[Which|What] person [said|says] "{x}"?', '[Tell me|Find out|Say] who [said|says] "{x}".',
            '[According to|In] the text, who said "{x}"?',
            '"{x}": who said that?', '[Can|Could] you tell me who said "{x}"?', 'By whom was "{x}" said?',
            'Name the one who said "{x}".')
ABOUT = ("What does the [text|document|page] say about {x}?", "What [do we learn|can we read|is there] about {x}?",
         "What is [said|stated|reported] about {x}?",
         "[Tell me|Show me|Quote] what the [text|document] says about {x}.",
         "Is there [anything|something] about {x} [in the text|here]?",
         "[Anything|Something] about {x}?", "[Find|Look for|Search for] [something|a statement] about {x}.",
         "[And|So|OK,] what about {x}?", "[Can|Could] you [find|quote|show me] [something|what is said|the sentence] about {x}?",
         "[Quote|Give me|Copy] [the statement|the sentence|what is said] about {x}[.|, please.]",
         "[I am interested in|I want to read about|I am looking for] {x}[.| in the text.]",
         "What is written about {x}?", "[What information is there|Which statement does the text make] about {x}?")
BLANK = ('[Which|What] word [of the text |]is missing here: "{x}"?', '[Fill in|Give|Find] the [missing|left out] word: "{x}"',
         '[Complete|Fill the gap] with the word from the text: "{x}"', '[What|Which] word belongs in the gap: "{x}"?',
         'The text says "{x}". [Which word is missing?|What is left out?|Fill the gap.]',
         '[One word is left out|Gap] here: "{x}". [Which one?|Which word?]',
         'Fill the gap as in the text: "{x}"', 'Which word stands at the dots: "{x}"?')
SUMMARY = ("What is [this text|the document|this page] about?",
           "[Summarize|Sum up|Shorten] [the text|this document|this][.| for me.]",
           "Give me a [short |brief |]summary[.| of the text.]",
           "What is the topic of the text?", "[Can|Could] you sum up the text?", "What is the main [idea|point] of the text?",
           "tl;dr", "Write a summary of the document.")
CANNOT_SUM_UP = "I cannot summarize, but I can quote. The text begins: {x}"
SAID = re.compile(r'"([^"]{12,90})[,!?]" (said|cried|replied|asked|answered|exclaimed) '
                  r'((?:the |Mr\. |Mrs\. |Miss |Lady |Sir )?[A-Z]?[a-z]+(?: [A-Z][a-z]+)?)')
NOT_PEOPLE = {"he", "she", "they", "it", "i", "we", "you", "one", "the", "and", "a", "an", "this", "his", "her", "to", "in",
              "as", "with", "when", "nothing", "another", "some", "both", "all", "my", "that", "there",
              "not", "their", "our", "its", "your", "these", "those", "several", "every", "each", "any", "no", "who", "then",
              "at",
              "but", "someone", "somebody", "mr", "mrs", "miss", "lady", "sir", "dr", "old", "poor", "little", "aunt", "uncle"}
# A short noun phrase, then a word that can only be the verb: the rest is a question after "Who" or "What".
SUBJECT = re.compile(r"((?:The|A|An|My|His|Our|Their|Your|Her) (?:[a-z]+ )?[a-z]{3,}) "
                     r"((?:was|were|is|are|has|had|can|could|will|would|must|returns|contains|provides|uses|requires|causes|describes|includes|"
                     r"allows|prevents|supports|became|came|went|made|gave|took|began|fell|ran|stood|lay|grew|led|told|kept|held|wore|broke|"
                     r"[a-z]{2,}(?<!re)(?<!ne)(?<!se)(?<!e)ed) [a-z][^\"“”;:]{8,110})\.")
ALONE = re.compile(r"(?<![\w-])[A-Za-z][a-z]{4,}(?![\w-])")
NOT_SUBJECT = re.compile(r"\b(was|were|is|are|had|has|have|be|been|can|could|will|would|must|may|might|do|does|did|never|always|often|soon|also|then|just|still|who|which|that|whose|and|or|of|other|following|next|same|first|last|only|more|most|very|not|all|same|one|former|latter|above|below)\b")
NOT_REST = re.compile(r"\b(he|she|they|them|him|his|her|their|its|it|this|these|those|my|our|I|we|me|us)\b")


@functools.lru_cache(maxsize=None)
def people():
    """Nouns for persons by WordNet's category 18."""
    return {s["word"] for split in Split for s in corpus.senses(split) if s["category"] == 18}


@functools.lru_cache(maxsize=200_000)
def subject_question(sentence):
    """("who painted the wall", "the man") from "The man painted the wall.", or None."""
    match = SUBJECT.fullmatch(sentence)
    if not match or NOT_SUBJECT.search(match.group(1)) or NOT_REST.search(match.group(2)):
        return None
    subject, rest = match.groups()
    head = subject.split()[-1]
    plural = rest.split()[0] in ("were", "are")
    if subject.split()[-1].endswith("ed") or plural:
        return None
    who = "who" if head in people() or head.removesuffix("s") in people() else "what"
    return f"{who} {rest}", subject


def said_questions(text):
    for match in SAID.finditer(text):
        speaker = match.group(3).removesuffix(" and")
        if speaker.split()[-1].lower() not in NOT_PEOPLE and text.count(match.group(1)) == 1:
            yield match.group(1), speaker


class Reader:
    """Makes questions about one document; each method gives (question, answer) or None."""

    def __init__(self, r, split, document):
        self.r, self.split = r, split
        self.quotable = Quotable(r, split, document)
        self.text = self.quotable.text
        self.said = list(said_questions(self.text))
        known = corpus.asked(split)
        self.plain_questions = [(s, q, a) for s in self.quotable.sentences for q, a in known.get(s, ())]
        r.shuffle(self.plain_questions)
        found = ((subject_question(s), s) for s in (self.quotable.sentences[i] for i in self.quotable.usable))
        self.subjects = [(*pair, s) for pair, s in found if pair and self.text.count(pair[0].split(" ", 1)[1]) == 1]

    def plain(self):
        """What, who, when, where, why or how many of one sentence, the answer word for word (tag_sentences.mjs)."""
        if not self.plain_questions:
            return None
        sentence, question, answer = self.plain_questions.pop()
        question = question.replace(",?", "?")
        if self.split is Split.TRAIN and self.r.random() < 0.25:
            question = in_other_words(self.r, question)
        direct = question[0].lower() + question[1:].rstrip("?")
        if self.r.random() < 0.75:
            text = self.r.choice((question, question, question, direct, f"{direct}?", question.rstrip("?")))
        else:
            text = (frame(self.r, self.split, FULL).format(direct=direct, Direct=capital(direct), indirect=direct) if self.r.random() < 0.5 else
                    frame(self.r, self.split, (*PLAIN_QUESTION, "Reply: {q}?", "So: {q}?")).format(q=direct, Q=capital(direct)))
        return text, stop(capital(answer)), sentence

    def foreign(self):
        """A question about a sentence of another document."""
        if self.r.random() < 0.8:
            return None
        pool = _other_questions(self.split)
        question, words = self.r.choice(pool) if pool else (None, ())
        if not question or sum(word in self.quotable.lower for word in words) * 2 > len(words):
            return None
        return question, UNKNOWN, "The text does not say that."

    def said_by(self):
        if self.said and self.r.random() < 0.12:
            sentence = self.quotable.foreign_sentence()
            return sentence and len(sentence) < 90 and (frame(self.r, self.split, WHO_SAID).format(x=sentence.rstrip(".")),
                                                        UNKNOWN)
        if not self.said:
            return None
        words, speaker = self.said.pop(self.r.randrange(len(self.said)))
        return frame(self.r, self.split, WHO_SAID).format(x=words), f"{capital(speaker)}."

    def subject(self):
        if not self.subjects:
            return None
        question, answer, _ = self.subjects.pop(self.r.randrange(len(self.subjects)))
        return frame(self.r, self.split, FULL).format(direct=question, Direct=capital(question),
                                                      indirect=question), f"{capital(answer)}."

    def about(self):
        """A word that only one sentence has, asked for as in everyday speech."""
        if not self.quotable.usable:
            return None
        if self.r.random() < 0.12:
            word = self.quotable.foreign_word()
            article = self.r.choice(("the ", ""))
            return word and (frame(self.r, self.split, ABOUT).format(x=article + word), UNKNOWN)
        sentence = self.quotable.sentences[self.r.choice(self.quotable.usable)]
        words = [w for w in WORD.findall(sentence) if self.quotable.lower.count(w.lower()) == 1 and w.lower() in nouns()]
        if not words:
            return None
        word = self.r.choice(words)
        article = "the " if re.search(rf"\b(?:the|a|an) {word}\b", sentence, re.I) else ""
        return frame(self.r, self.split, ABOUT).format(x=article + word), sentence

    def blank(self):
        if not self.quotable.usable:
            return None
        sentence = self.quotable.sentences[self.r.choice(self.quotable.usable)]
        words = [w for w in ALONE.findall(sentence) if sentence.count(w) == 1]
        if not words or len(sentence) > 160:
            return None
        word = self.r.choice(words)
        return frame(self.r, self.split, BLANK).format(x=sentence.replace(word, "...")), word

    def other(self):
        """A word after others, a word among strangers, a sentence by one of its words."""
        q = self.quotable
        return q.usable and self.r.choice((q.next_word, q.which, q.by_word, q.missing_word, q.first, q.last))()

    def summary(self):
        first = self.quotable.sentences[0]
        return len(first) < 250 and (frame(self.r, self.split, SUMMARY), CANNOT_SUM_UP.format(x=first))


PLAIN_QUESTION = ("[According to|Going by|In|From] the [text|document|page|passage], {q}?", "{Q}, [according to|as stated in] the text?", "[Question|Q|My question|Next question]: {q}?",
                  "[And|So|Now|OK,|Well,] {q}?", "[Please tell me|Can you say|I wonder|Tell me]: {q}?", "{Q}? [Look in the text.|Please check.|Thanks.|Just the answer.|In short.]",
                  "[I want to know|I would like to know|I need to know|Help me]: {q}?", "[Does the text say|Can you find|Find out]: {q}?")


@functools.lru_cache(maxsize=None)
def _other_questions(split):
    """[(question, its long words)] of a part of all documents, to be asked where they have no answer."""
    found = [q for i, pairs in enumerate(corpus.asked(split).values()) if i % 7 == 0 for q, _ in pairs[:1]]
    return [(q, [w.lower() for w in WORD.findall(q)]) for q in found if len(WORD.findall(q)) > 1]


def in_other_words(r, question):
    """The question with one of its words exchanged for another of the same meaning, where there is one."""
    known, words = corpus.synonyms(), question.rstrip("?").split()
    places = [i for i, word in enumerate(words) if i and (word in known or word.endswith("s") and word[:-1] in known)]
    if not places:
        return question
    i = r.choice(places)
    words[i] = r.choice(known[words[i]]) if words[i] in known else plural(r.choice(known[words[i][:-1]]))
    return " ".join(words) + "?"


@functools.lru_cache(maxsize=None)
def nouns():
    """Words that are nothing but nouns."""
    found = {pos: {s["word"] for split in Split for s in corpus.senses(split, pos)} for pos in ("noun", "verb", "adj", "adv")}
    return found["noun"] - found["verb"] - found["adj"] - found["adv"]


@functools.lru_cache(maxsize=None)
def speech_places(split):
    """(document, paragraph) of paragraphs with a speaker who can be named"""
    return [(d, p) for d, document in enumerate(corpus.documents(split))
            for p, paragraph in enumerate(document) if any(said_questions("".join(paragraph)))]


@functools.lru_cache(maxsize=None)
def asked_places(split):
    """(document, paragraph) of paragraphs with a sentence that corpus.asked has questions about"""
    known = corpus.asked(split)
    return [(d, p) for d, document in enumerate(corpus.documents(split))
            for p, paragraph in enumerate(document) if any(part.strip() in known for part in paragraph)]


def passage(r, split, room):
    """Contiguous paragraphs, mostly around sentences that can be asked about or direct speech."""
    kind = r.random()
    places = asked_places(split) if kind < 0.55 else speech_places(split)
    if not places or kind > 0.75:
        return [part for paragraph in corpus.filler(r, split, room) for part in paragraph]
    d, p = r.choice(places)
    document = corpus.documents(split)[d]
    parts, at = [], max(0, p - r.randint(0, 3))
    while at < len(document) and room > 0:
        parts += document[at]
        room -= size(document[at])
        at += 1
    return parts


@family("natural")
def natural(r, split, budget):
    document = passage(r, split, budget * (0.55 if budget <= 2500 else 0.85))
    reader = Reader(r, split, document)
    kinds = [reader.plain] * 12 + [reader.foreign] * 2 + [reader.said_by] * 2 + [reader.subject] * 2 + [reader.about] * 3 + [reader.blank] + [reader.other] * 2
    turns, spent, left, asked = [], 0, budget - size(document) - 60, set()
    for _ in range(120):
        if spent >= left and turns:
            break
        pair = reader.summary() if r.random() < 0.03 else r.choice(kinds)()
        if pair and pair[0] not in asked:
            asked.add(pair[0])
            turns.append(Turn([pair[0]], *pair[1:]))
            spent += cost(*pair)
    if not turns:
        turns.append(Turn([expand(r, SUMMARY[0])], CANNOT_SUM_UP.format(x=reader.quotable.sentences[0])))
    return with_document(r, split, document, turns)


FAMILIES = {"natural": natural}
