# SPDX-License-Identifier: Apache-2.0
"""How questions are asked and how documents are handed over. The last two frames of each list are TEST only."""
import random

from dialog import Dialog, Split, Turn
from tasks import corpus
from tasks.facts import capital
from tasks.persona import small_talk

UNKNOWN = "The document does not say."
# {direct}, {Direct}: "who repaired the clock"; {indirect}, {noun}
FULL = (
    "{Direct}?", "{Direct}?", "{Direct}?", "{Direct}?", "{Direct}", "{direct}?", "{direct}", "Quick question: {direct}?",
    "Tell me {indirect}.", "Please tell me {indirect}.", "Can you tell me {indirect}?",
    "I would like to know {indirect}.", "According to the text, {direct}?", "Does the text say {indirect}?",
    "Find out {indirect}.", "{Direct}, according to the document?", "Do you know {indirect}?", "I forgot {indirect}.",
    "What does the document say about {indirect}?", "Look up {indirect}.", "And {direct}?", "My question is: {direct}?",
    "Could you find {indirect}?", "I wonder {indirect}.",
)
NOUN_FULL = (
    "Tell me {noun}.", "What do we know about {noun}?", "I need {noun}.", "Find {noun}.", "Please look up {noun}.",
    "Could you give me {noun}?", "I am looking for {noun}.", "Is {noun} mentioned?", "Please find {noun}.",
)
SHORT = (
    "{Direct}? Answer briefly.", "{Direct}? Short answer, please.", "Answer in a few words: {direct}?",
    "{Direct}? Give only the answer.", "In as few words as possible, {direct}?", "Only the answer, please: {direct}?",
    "Briefly: {direct}?", "{Direct}? Just the answer.", "{Direct}? No full sentence, please.",
    "Give a short answer: {direct}?",
)
NOUN_SHORT = (
    "Give only {noun}.", "{Noun}?", "Just {noun}, please.", "Reply with {noun} and nothing else.", "{Noun}, please.",
    "Write {noun} and nothing more.", "State {noun} only.", "Output only {noun}.",
)
DOCUMENT = (
    "{document}{question}", "{document}{question}", "{document}{question}", "Here is a document.\n\n{document}{question}",
    "Document:\n\n{document}Question: {question}", "Text:\n\n{document}Question: {question}",
    "Read this text and answer the questions.\n\n{document}{question}",
    "Please read the following text.\n\n{document}{question}",
    "<document>\n{document}</document>\n\n{question}", "---\n{document}---\n{question}",
    "Context:\n{document}\nQuestion: {question}", "The text:\n\n{document}My question: {question}",
    "I have pasted a text below.\n\n{document}{question}", "# Document\n\n{document}# Question\n\n{question}",
    "{question}\n\n{document}", "Question: {question}\n\nDocument:\n\n{document}", "{question} The text:\n\n{document}",
    "File: notes.txt\n\n{document}{question}", "Use only the text below.\n\n{document}{question}",
)
READ = ("I have read the text. What would you like to know?", "Done. Ask me about the text.",
        "I have read it. What is your question?")
HAND_OVER = ("Please read this text. I will ask about it afterwards.\n\n{document}",
             "{document}Read this and wait for my questions.",
             "Here is a text. Questions follow.\n\n{document}", "Read the text below first.\n\n{document}")
SYSTEMS = ("", "", "", "", "", "Answer from the document only.", "You are a helpful assistant.",
           "You answer questions about texts. If the text does not contain the answer, say so.",
           "Answer questions about the document. Be brief and exact.")


def frame(r, split, frames):
    return r.choice(frames[:-2] if split is Split.TRAIN else frames[-2:])


def ask(r, split, query, short=None):
    """(question text, answer). short: force a short or a full answer; None: either, and the question tells which."""
    if short is None:
        short = r.random() < 0.3
    with_noun = query.noun and r.random() < 0.4
    frames = (NOUN_SHORT if short else NOUN_FULL) if with_noun else (SHORT if short else FULL)
    text = frame(r, split, frames).format(direct=query.direct, Direct=capital(query.direct), indirect=query.indirect,
                                          noun=query.noun, Noun=capital(query.noun) if query.noun else "")
    if split is Split.TRAIN and r.random() < 0.04:              # some people type carelessly
        text = text.lower() if r.random() < 0.5 else text.replace("hat is ", "hat's ", 1).rstrip("?.")
    if not query.full:
        return text, UNKNOWN
    return text, query.short if short else query.full


def ask_batch(r, split, queries):
    """Several questions in one message, answered as a numbered list."""
    lines, answers = [], []
    for n, query in enumerate(queries, 1):
        lines.append(f"{n}. {capital(query.direct)}?")
        answers.append(f"{n}. {query.full or UNKNOWN}")
    head = r.choice(("Answer these questions:", "Please answer the following questions.", "Some questions:",
                     "Answer each question."))
    return head + "\n" + "\n".join(lines), "\n".join(answers)


def with_document(r, split, document, turns, system=None):
    """Dialog whose first message carries the document (a list of fragments that ends with an empty line)."""
    system = r.choice(SYSTEMS) if system is None else system
    if r.random() < 0.08:
        question, answer = small_talk(r, split)
        return Dialog([Turn([question], answer), *with_document(r, split, document, turns, system).turns], system=system)
    if r.random() < 0.12:
        first = Turn(around(document, r.choice(HAND_OVER), ""), r.choice(READ), loss=0.3)
        return Dialog([first, *turns], system=system)
    turns[0].user = around(document, frame(r, split, DOCUMENT), "".join(turns[0].user))
    return Dialog(turns, system=system)


def around(document, shape, question):
    """The document inside a frame, without blank lines at the end of the message."""
    before, after = (part.replace("{question}", question) for part in shape.split("{document}"))
    parts = ([before] if before else []) + list(document)
    if after:
        return parts + [after]
    return parts[:-1] + [type(parts[-1])(parts[-1].rstrip())]


def family(name, thinking=0.35):
    """Decorator: makes a generator of (random.Random, Split, budget) -> Dialog a task family.

    thinking: share of dialogs in thinking mode for generators that do not decide it themselves.
    """
    def wrap(make):
        def generate(rng, split, budget):
            r = random.Random(int(rng.integers(1 << 62)))
            dialog = make(r, split, budget)
            dialog.family = name
            if thinking is not None:
                dialog.thinking = r.random() < thinking
            if dialog.thinking and budget >= 500 and r.random() < 0.5:          # the message has some 80 tokens
                dialog.effort = r.choice(("low", "high", "max", "max"))
            return dialog
        generate.__name__ = f"make_{name.replace('-', '_')}"
        return generate
    return wrap


def cost(question, answer, think=""):
    """Estimated tokens of a turn with its markup."""
    return 30 + corpus.tokens(question) + corpus.tokens(answer) + (corpus.tokens(think) + 6 if think else 0)


def size(document):
    return sum(map(corpus.tokens, document))
