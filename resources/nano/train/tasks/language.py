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
CONTINUE = ("Continue this text.\n\n", "Please continue:\n\n", "How does this text go on?\n\n", "Write the next part.\n\n", "Continue the story.\n\n", "Go on from here:\n\n", "Carry on with this text:\n\n", "What comes next?\n\n",
            "Keep writing:\n\n", "Write on from here.\n\n")
GO_ON = ("Continue.", "Go on.", "And then?", "More, please.", "What comes next?", "Please continue.")
DEFINE = ("What is the meaning of the word {w}?", "Define {w}.", "What does {w} mean?", "What does the word {w} mean?", "Explain the word {w}.", "Give me a definition of {w}.", "Meaning of {w}?", "How is {w} defined?",
          "What do you understand by {w}?", "Please define the word {w}.", "Tell me what {w} means.", "{w}: what does that mean?", "What is meant by {w}?", "I do not know the word {w}. What does it mean?")
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

LOOK = ("What does the text say about {w}?", "How does the text define {w}?", "According to the text, what is {w}?", "What does {w} mean, according to the text?", "Look up {w}.", "Find the entry for {w}.", "Give me the definition of {w} from the text.",
        "Read the entry for {w}.", "What is written about {w}?", "Show the entry for {w}.")
NAME_IT = ('Which word is defined as "{d}"?', 'Which entry says "{d}"?', 'What is called "{d}"?', 'Which word means "{d}"?', 'Find the word for "{d}".', 'The definition is "{d}". Which word is it?', 'Name the word that is explained as "{d}".')


@functools.lru_cache(maxsize=None)
def rare_words(split):
    return [s for s in corpus.senses(split) + corpus.senses(split, "verb") if 20 <= len(s["definition"]) <= 120 and s["count"] < 3]


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


# ---- natural sentences --------------------------------------------------------------------------------------------

SAID = re.compile(r'"([^"]{12,90})[,!?]" (said|cried|replied|asked|answered|exclaimed) '
                  r'((?:the |Mr\. |Mrs\. |Miss |Lady |Sir )?[A-Z]?[a-z]+(?: [A-Z][a-z]+)?)')
DOES = re.compile(r"(The [\w()]+(?: [\w()]+){0,3}) (returns|contains|provides|uses|requires|causes|creates|describes|determines|specifies|includes|allows|prevents|supports) (.{10,130})\.")
BASE = {"returns": "return", "contains": "contain", "provides": "provide", "uses": "use", "requires": "require", "causes": "cause", "creates": "create", "describes": "describe", "determines": "determine",
        "specifies": "specify", "includes": "include", "allows": "allow", "prevents": "prevent", "supports": "support"}
WHO_SAID = ('Who said "{x}"?', 'Who says "{x}"?', 'Whose words are these: "{x}"?', 'Who was it that said "{x}"?', 'Which person said "{x}"?', '"{x}": who said that?', 'Tell me who said "{x}".', 'By whom was "{x}" said?')
WHAT_DOES = ("What does {s} {v}?", "According to the text, what does {s} {v}?", "Tell me what {s} {vs}.", "What is it that {s} {vs}?", "Can you say what {s} {vs}?", "The text says what {s} {vs}. What is it?", "Find out what {s} {vs}.", "{S}: what does it {v}?")
NOT_PEOPLE = {"he", "she", "they", "it", "i", "we", "you", "one", "the", "and", "a", "an", "this", "his", "her", "to", "in", "as", "with", "when", "nothing", "another", "some", "both", "all", "my", "that", "there", "not", "mr", "mrs", "miss", "lady", "sir", "dr", "old", "poor", "little", "aunt", "uncle"}


@functools.lru_cache(maxsize=None)
def natural_questions(split):
    """{(document, paragraph): [(kind, subject, verb, answer), ...]} for sentences that answer a question by their form"""
    found = {}
    for d, document in enumerate(corpus.documents(split, split is Split.TRAIN)):
        for p, paragraph in enumerate(document):
            text = "".join(paragraph).strip()
            for match in SAID.finditer(text):
                speaker = match.group(3).removesuffix(" and")
                if speaker.split()[-1].lower() not in NOT_PEOPLE and text.count(match.group(1)) == 1:
                    found.setdefault((d, p), []).append(("said", match.group(1), match.group(2), speaker))
            for sentence in paragraph:
                match = DOES.fullmatch(sentence.strip())
                if match and text.count(f"{match.group(1)} {match.group(2)}") == 1 and not re.search(r"\b(this|these|following)\b", sentence):
                    found.setdefault((d, p), []).append(("does", match.group(1), match.group(2), sentence.strip()))
    return found


@functools.lru_cache(maxsize=None)
def natural_places(split):
    return sorted(natural_questions(split))


@family("natural")
def natural(r, split, budget):
    """Paragraphs of books and documentation with questions that their own sentences answer."""
    places, found = natural_places(split), natural_questions(split)
    if not places:
        return glossary_dialog(r, split, budget)
    documents = corpus.documents(split, split is Split.TRAIN)
    d, p = r.choice(places)
    document, questions, used, at = [], [], 0, max(0, p - r.randint(0, 4))
    while at < len(documents[d]) and used < budget * 0.6:
        paragraph = documents[d][at]
        length = sum(map(corpus.tokens, paragraph))
        if at >= p and used + length > budget * 0.75 and document:
            break
        if used + length <= budget * 0.75:
            document += paragraph
            used += length
            questions += found.get((d, at), [])
        at += 1
    text = "".join(document)
    turns, asked = [], set()
    for kind, subject, verb, answer in questions:
        if kind == "said":
            speaker = capital(answer)
            question, reply = frame(r, split, WHO_SAID).format(x=subject), f"{speaker}."
        else:
            s = subject[0].lower() + subject[1:]
            question, reply = frame(r, split, WHAT_DOES).format(s=s, S=subject, v=BASE[verb], vs=verb), answer
        if text.count(f"{subject} {verb}") <= 1 and subject not in asked:
            asked.add(subject)
            turns.append(Turn([question], reply))
    if not turns:
        return glossary_dialog(r, split, budget)
    r.shuffle(turns)
    return with_document(r, split, document, turns)


FAMILIES = {"prose": prose, "define": define, "glossary": glossary, "natural": natural}
