# SPDX-License-Identifier: Apache-2.0
"""How questions are asked and how documents are handed over."""
import random

from dialog import Dialog, Split, Turn
from tasks import corpus, names, requests
from tasks.facts import capital
from tasks.frames import expand, frame, spoken, with_tail
from tasks.persona import small_talk

UNKNOWN = "The document does not say."
# {direct}, {Direct}: "who repaired the clock"; {indirect}, {noun}
FULL = requests.FULL + ("{Direct}?",) * 12 + (
    "{Direct}?", "{Direct}?", "{Direct}?", "{direct}[?|]", "{Direct}",
    "[Tell me|Say|State|Let me know|Find out|Look up|Check|Explain] {indirect}[.|, please.]",
    "[Please|Now|Next,|And|OK,] [tell me|say|find out|look up|check|state] {indirect}.",
    "[Can|Could|Would|Will] you [please |kindly |quickly |][tell me|say|find out|look up|check] {indirect}?",
    "[I would like|I'd like|I want|I need|We need|I am trying|My boss wants] to [know|find out|learn|check|see] {indirect}.",
    "[According to|Going by|Judging by|From|Based on] the [text|document|page|notes|file], {direct}?",
    "[In|Inside|Looking at] [this|the] [text|document|page|file], {direct}?",
    "Does [the text|the document|it|the page] [say|mention|tell us|state] [|anywhere |somewhere ]{indirect}?",
    "What does the [text|document|page|file] [say|tell us|state|reveal] about {indirect}?",
    "{Direct}, [according to|as stated in|going by|based on] the [text|document|file|notes]?",
    "[Do you|Do we|Does anyone] [know|see|remember|happen to know] {indirect}?",
    "I [forgot|cannot find|do not remember|am not sure|cannot see|need to know] {indirect}.",
    "[And|So|Now|OK,|Also,|Right,|Well,|Then] {direct}?",
    "[Quick question|Question|My question is|Next question|One more thing|Another one|Just a question]: {direct}?",
    "[Someone|My friend|A colleague] [asked|wants to know|is asking] {indirect}. [What do I say?|What is the answer?|Can you help?|]",
    "{Direct}? [Thanks.|Thank you.|Please check.|I could not find it.|I need it now.|Look in the text.]",
    "[Could you find|Would you mind checking|Any idea] {indirect}?", "[I wonder|Remind me|Show me] {indirect}.",
)
NOUN_FULL = requests.NOUN_FULL + (
    "[Tell me|Find|Give me|Look up|Check|Report|Read me] {noun}[.|, please.]",
    "What [do we know|is known|can you tell me] about {noun}?",
    "[I need|We need|I am looking for|I want|I would like to know|I am after] {noun}.",
    "[Please|Now|Next,] [look up|find|tell me|give me|check] {noun}.",
    "[Could|Can|Would|Will] you [please |quickly |][give me|tell me|find|look up|check] {noun}?",
    "[According to|Going by|From] the [text|document|file|notes], what about {noun}?",
    "[Question|One more thing|Next one]: {noun}?", "[And|So|OK, and] {noun}?",
    "[The text|The document|It] must [give|state|name] {noun}. [What does it say?|Tell me.]",
    "[Hand me|Send me|Pass me|Fetch] {noun}[.|, please.|, if possible.|.]", "[I would love to hear|I'd like to hear|I want to hear|I hope to learn] {noun}[.|, please.]",
    "[Let us see|May I have|May I see|Could I have|Can I get] {noun}[?|, please?|, if possible?]",
    "[I'd love to know|Let me have] {noun}[.|, if you can.]", "Please name {noun}[.| for me.]",
)
SHORT = requests.SHORT + (
    "{Direct}? [Answer briefly.|Short answer, please.|Give only the answer.|Just the answer.|Be brief.|No full sentence, please.|Keep it short.]",
    "[Answer|Reply|Respond] [in a few words|briefly|shortly|without a full sentence]: {direct}?",
    "[In as few words as possible|Briefly|In short|Very briefly], {direct}?",
    "[Only the answer|Just the answer|Short answer only][, please|]: {direct}?",
    "[I only need the answer|I want just the answer|No sentence, just the answer]: {direct}?",
    "{Direct}? [Only the answer.|In a few words.|Nothing but the answer.|The answer alone is enough.]",
    "{Direct}? [I want|I need|Give me|Write|Return] [only|just] the [name or value|bare answer|answer itself|value][.|, please.]",
    "[Answer with|Reply with|Give me|Write] [one or two words|the value only|nothing but the answer|as little as possible][.|:] {Direct}?",
    "[Please keep it short|Be as brief as you can]: {direct}?", "[Give a short answer|One short answer]: {direct}?",
)
NOUN_SHORT = requests.NOUN_SHORT + (
    "[Give|Tell me|Name|Return|Print] [only|just] {noun}[.|, please.]", "{Noun}[?|, please.|, briefly?]",
    "[Just|Only] {noun}[, please.|.|, nothing else.]",
    "[Reply|Answer] with {noun} and nothing else.", "[I only need|I just want|I need only] {noun}.",
    "[I want|I need|Give me|Please give me] [only|just|nothing but] {noun}[.|, no sentence.|, please.]",
    "[Please |][reply|answer|respond] [only|just] with {noun}.", "[In short|Briefly|In a word], {noun}[?|.|, please.]",
    "[Write|Report] {noun}[ and nothing more.|, without a sentence.]",
    "[Tell me|Give me|Write|Say|Print] {noun}[, nothing more| and no more|, only that| alone|, no more than that| and leave out the rest].",
    "[Only|Just] {noun}, [not a sentence|no words around it|as it stands].", "[Put down|Name] {noun} [without more|and that is all].",
    "State {noun} only.", "Output [only|just] {noun}.",
)
DOCUMENT = requests.DOCUMENT + (
    "{document}{question}", "{document}{question}", "{document}{question}",
    "[Here is|This is|Below is|Look at] [a document|a text|a page|my file|what I have|the text].\n\n{document}{question}",
    "[Document|Text|Page|Source|Input|Notes]:\n\n{document}[Question|Q|Task|My question]: {question}",
    "[Read|Study|Look through|Go through] [this|the following] [text|document|page] and [answer the questions|answer|help me].\n\n{document}{question}",
    "[Please read|Read|Have a look at] the following [text|document|lines].\n\n{document}{question}",
    "<document>\n{document}</document>\n\n{question}", "<text>\n{document}</text>\n\n{question}",
    "---\n{document}---\n{question}", "===\n{document}===\n{question}",
    "[Context|Background|Text]:\n{document}\n[Question|Q]: {question}",
    "The [text|document|page]:\n\n{document}[My question|And now my question|The question]: {question}",
    "[I have pasted|I copied|There is] a [text|document|page] below.\n\n{document}{question}",
    "# [Document|Text|Input]\n\n{document}# [Question|Task]\n\n{question}",
    "{question}\n\n{document}", "[Question|Q|Task]: {question}\n\n[Document|Text]:\n\n{document}",
    "{question} [The text|Here is the text|Text]:\n\n{document}",
    '"""\n{document}"""\n{question}', "```\n{document}```\n{question}",
    "File: [notes.txt|page.md|letter.txt]\n\n{document}{question}", "Use only the [text|document] below.\n\n{document}{question}",
)
# What may stand behind a request without belonging to the thing that is asked for: "look up the owner of the clock for my boss".
TAILS = ("for [me|us|my boss|my notes|the record|the report|my sister|the meeting|everybody|my own use]",
         "[if you can|if possible|if you would|when you can|when you have time|as soon as possible]",
         "[now|right now|right away|at once|today|this time|then|again|once more|first|next|too|as well]",
         "[here|in here|from here|from above|from the text|in this text|as given above|as stated|as it stands]",
         "[with care|in one go|without delay|so that I can go on|before I forget|to be sure|to make sure|out loud|on my behalf]",
         "for {name}", "[so that|before] {name} can [go on|see it|use it]")
READ = ("I have read the text. What would you like to know?", "Done. Ask me about the text.",
        "I have read it. What is your question?")
HAND_OVER = ("[Please read|Read|Look at] this [text|document|page]. [I will ask about it afterwards.|My questions come later.]\n\n{document}",
             "{document}[Read this and wait for my questions.|I will ask about this text.|Wait for my questions.]",
             "[Here is a text|This is the document|A text for you]. [Questions follow.|I have some questions.]\n\n{document}",
             "[Read the text below first.|First read this.]\n\n{document}")
SYSTEMS = ("", "", "", "", "", "Answer from the document only.", "You are a helpful assistant.",
           "You answer questions about texts. If the text does not contain the answer, say so.",
           "Answer questions about the document. Be brief and exact.")


def ask(r, split, query, short=None):
    """(question text, answer). short: force a short or a full answer; None: either, and the question tells which."""
    if short is None:
        short = r.random() < 0.3
    with_noun = query.noun and r.random() < 0.4
    frames = (NOUN_SHORT if short else NOUN_FULL) if with_noun else (SHORT if short else FULL)
    text = frame(r, split, frames).format(direct=query.direct, Direct=capital(query.direct), indirect=query.indirect,
                                          noun=query.noun, Noun=capital(query.noun) if query.noun else "")
    if split is Split.TRAIN and r.random() < (0.3 if with_noun else 0.1):
        text = with_tail(r, text, expand(r, r.choice(TAILS)).format(name=names.draw(r, split, "first")))
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
    head = expand(r, "[Answer|Please answer|I need answers to] [these|the following|my] questions[:|.| in order:]")
    return head + "\n" + "\n".join(lines), "\n".join(answers)


def with_document(r, split, document, turns, system=None):
    """Dialog whose first message carries the document (a list of fragments that ends with an empty line)."""
    system = r.choice(SYSTEMS) if system is None else system
    for turn in turns:
        turn.user = [spoken(r, split, "".join(turn.user))]
    return _handed_over(r, split, document, turns, system)


def _handed_over(r, split, document, turns, system):
    if r.random() < 0.08:
        question, answer = small_talk(r, split)
        return Dialog([Turn([question], answer), *_handed_over(r, split, document, turns, system).turns], system=system)
    if r.random() < 0.12:
        first = Turn(around(document, expand(r, r.choice(HAND_OVER)), ""), r.choice(READ), loss=0.3)
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
