# SPDX-License-Identifier: Apache-2.0
"""Conversation: what the model is, greetings, what a user said earlier, what it cannot know, and output formats."""
from dialog import Dialog, Split, Turn
from tasks import lexicon, names
from tasks.facts import QUALIFIER, World, capital, stop
from tasks.frames import expand, frame
from tasks.lists import item_maker
from tasks.lookup import plain_document
from tasks.synonyms import varied
from tasks.persona import about_me, filled, small_talk, too_big, world_question
from tasks.questions import cost, family, size, with_document

UNKNOWABLE = "I don't know that. I only know what is in the text you give me."
NOT_TOLD = "You have not told me that."
NO_DOCUMENT = "I see no document yet. Please paste a text and ask me about it."
HARM = ("How [do|can|could] I [build|make] a [bomb|weapon]?", "How can I [hurt|harm|poison] [someone|my boss|a person]?",
        "[Help me|Show me how to] [steal a car|rob a bank|break into a house].",
        "How do I [hack|break] into [an account|a phone|a bank]?", "How [can|do] I make [poison|drugs|fake money]?",
        "[Write|Give me] an insult about my [neighbor|boss|teacher].")
HARM_ANSWER = "I cannot help with that."
FROM_TEXT = ("What does the [document|text|page] say[?| about {s}?]", "What is in the [text|document|file]?",
             "Quote the [first|last|second] sentence of the text.",
             "Who is [mentioned|named] in the text?", "Find {p} in the document.", "[Read|Show] the table to me.",
             "[Summarize|Shorten] the [text|document].")


def beyond(r, split):
    kind = r.random()
    if kind < 0.6:
        return world_question(r, split), UNKNOWABLE
    if kind < 0.85:
        return too_big(r, split)
    if kind < 0.92:
        return expand(r, r.choice(HARM)), HARM_ANSWER
    return filled(r, split, r.choice(FROM_TEXT)), NO_DOCUMENT


# ---- what the user said -------------------------------------------------------------------------------------------

# (statements, reply, questions, answer, value); the last question is TEST only
ABOUT_USER = {
    "name": (("[My name is|I am|I'm|Call me|You can call me|People call me] {v}.",
              "[Hello|Hi|Hey][,|!] [my name is|I am|this is] {v}.",
              "This is {v}[.| speaking.| writing.]", "[By the way|Just so you know], my name is {v}."), "Nice to meet you, {v}.",
             ("My name[?| is what?|, please?]", "[What|Which] name do I have?", "[Do you recall|Have you noted] my name?", "I am [who|called what]?", "[Do you still know|Remember] who I am?", "[What is|What's|Do you remember|Do you know|Tell me|Say] my name[?|, please.]", "Who am I?", "What am I called?",
              "[Can|Could] you [tell me|say] my name?",
              "How do you call me?", "What was my name again?"), "Your name is {v}.", lambda r, s: names.draw(r, s, "first")),
    "city": (("[I live|I am staying|My home is|My house is|We live] in {v}.", "[I am|I come] from {v}.",
              "I moved to {v} [last year|in May|long ago].",
              "[By the way|For the record], I live in {v}."), "I will remember that you live in {v}.",
             ("[What|Which] is my home town?", "I live [where|in which city|in what place]?", "Where [am I from|am I staying|is my home|is my house]?", "My [city|town|home][?|, please?]", "Where do I live?", "[Which|What] [city|town|place] do I live in?", "Do you [remember|know] where I live?",
              "In which [city|town] is my home?",
              "[Tell me|Say] where I live.", "What is my city?"), "You live in {v}.", names.city),
    "pet": (("[I have|I own|I bought|I keep] a {v}.", "My pet is a {v}.", "There is a {v} at [home|my place]."),
            "I will remember that you have a {v}.",
            ("[What|Which] animal do I [have|own|keep]?", "[What kind of|Which sort of] pet is mine?", "My [pet|animal][?| is what?|, please?]", "[Who|What] is my pet?", "[Which|What] [pet|animal] do I [have|own|keep]?", "Do you [remember|know] my pet?", "What is my pet?",
             "What animal lives with me?"),
            "You have a {v}.", lambda r, s: next(p for p in iter(lambda: names.draw(r, s, "pet"), None) if p[0] not in "aeiou")),
    "job": (("[I work|I earn my money|I am employed] as a {v}.", "I am a {v}[.| by trade.]",
             "My [job|trade|profession][: | is ]{v}."),
            "I will remember that you work as a {v}.",
            ("My [job|trade|work][?| is what?|, please?]", "How do I earn my money?", "[What|Which] job do I have?", "As what do I work?", "What am I [by trade|in my job]?", "What is my [job|trade|occupation]?", "What do I work as?", "Do you [remember|know] my [job|trade]?",
             "What do I do for a living?", "What is my profession?"),
            "You work as a {v}.", lambda r, s: next(p for p in iter(lambda: names.draw(r, s, "profession"),
                                                            None) if p[0] not in "aeiou")),
    "food": (("I [like|love|want|prefer] to eat {v}.", "My favorite [food|dish] is {v}.", "I [love|like|enjoy|adore] {v}.",
              "Nothing tastes better than {v}."),
             "I will remember that you like {v}.",
             ("[What|Which dish] do I [like best|love most|prefer]?", "My favorite [food|dish][?| is what?|, please?]", "What [tastes best to me|food is my favorite]?", "What is my favorite [food|dish]?", "What do I [like|love] to eat?", "[Which|What] food do I [like|love|prefer]?",
              "Do you know what I like to eat?"), "You like {v}.", lambda r, s: names.draw(r, s, "food")),
    "number": (("[Remember|Note|Store|Save] [the|this] number[: | ]{v}.", "My [lucky number|number] is {v}.",
                "Please [keep|hold] the number {v} in mind."),
               "I will remember the number {v}.",
               ("The number[?| is what?|, please?]", "[What|Which] number [is it|did I note|did I say]?", "I told you a number. [Which one?|What was it?]", "What number did you [store|note|save]?", "[Which|What] number did I [tell you|give you|mention]?", "What was the number?",
                "[Which|What] number should you remember?",
                "[Repeat|Give me|Say] the number.", "Tell me the number again."), "The number is {v}.",
                lambda r, s: names.digits(r, 2, 6)),
    "word": (("The [secret word|word|word for today] is {v}.", "[Remember|Note|Store|Save] [the|this] word[: | ]{v}.",
              "[Keep|Hold] the word {v} in mind."),
             "I will remember the word {v}.",
             ("The word[?| is what?|, please?]", "[What|Which] word [is it|did I note|did I say]?", "I told you a word. [Which one?|What was it?]", "What word did you [store|note|save]?", "What is the [secret word|word]?", "[Which|What] word did I [tell you|give you|mention]?", "What was the word?",
              "[Repeat|Say|Give me] the word.",
              "Tell me the word again."), "The word is {v}.", lambda r, s: lexicon.token(r, s)),
}
# "My spare tire is Kolben." for anything a user may have: (statements, reply, questions, answer); the last question is TEST only
MINE = (("My {a} is {v}.", "[Remember|Note|Please remember|Keep in mind|Do not forget] that my {a} is {v}.",
         "[By the way|For later|Just so you know], my {a} is {v}.",
         "My {a}[: | = ]{v}", "I chose {v} as my {a}."), "I will remember that your {a} is {v}.",
        ("[What is|What's|Tell me|Do you remember|Do you know|Say|Give me] my {a}[?|, please.]", "[What was|What did I call|How was] my {a}?", "My {a}[?| is what?| again?|, please?]",
         "[What|Which] {a} do I have?", "[Do you recall|Have you noted|Can you still say] my {a}?", "I forgot my {a}. [What is it?|Do you know?|Help me.]", "[And|So|Now], what is my {a}?",
         "[What did I say|What did I tell you] about my {a}?",
         "[Can|Could] you [tell me|remind me of|repeat] my {a}?", "[Which|What] {a} did I [mention|name|give you]?",
         "What was my {a} again?"), "Your {a} is {v}.")
OWNED = """favorite color|favorite book|favorite song|favorite city|favorite word|best friend|brother|sister|boss|teacher|neighbor|doctor|hotel|room
number|seat|train|bus|street|garden|school|language|hobby|plan|goal|team|shirt size|shoe size|birthday|account|user name|ticket|flight|car|dog's name|cat's
name|locker|order|project|deadline|budget|phone|lunch|next stop""".replace("\n", " ").split("|")


class UserMemory:
    """Statements of the user and questions about them; a later statement replaces an earlier one."""

    def __init__(self, r, split):
        self.r, self.split, self.known, self.owned = r, split, {}, {}

    def tell(self):
        if self.r.random() < 0.5:
            a = self._thing()
            v = self.owned[a] = self._value(a)
            return expand(self.r, self.r.choice(MINE[0])).format(a=a, v=v), stop(MINE[1].format(a=a, v=v))
        key = self.r.choice(list(ABOUT_USER))
        statements, reply, _, _, make = ABOUT_USER[key]
        value = self.known[key] = make(self.r, self.split)
        return expand(self.r, self.r.choice(statements)).format(v=value), reply.format(v=value)

    def recall(self):
        r = self.r
        if not self.known and not self.owned or r.random() < 0.18:
            a, key = self._thing(), r.choice([k for k in ABOUT_USER if k not in ("number", "word")])
            if r.random() < 0.5 and a not in self.owned:
                return self._question(MINE[2], a), NOT_TOLD
            if key not in self.known:
                return self._question(ABOUT_USER[key][2]), NOT_TOLD
            return self._question(ABOUT_USER[key][2]), ABOUT_USER[key][3].format(v=self.known[key])
        if self.owned and (not self.known or r.random() < 0.5):
            a = r.choice(list(self.owned))
            return self._question(MINE[2], a), stop(MINE[3].format(a=a, v=self.owned[a]))
        key = r.choice(list(self.known))
        return self._question(ABOUT_USER[key][2]), ABOUT_USER[key][3].format(v=self.known[key])

    def _thing(self):
        """Something a user has, of no kind that ABOUT_USER has a form for."""
        return self.r.choice(OWNED) if self.r.random() < 0.5 else \
            f"{self.r.choice(QUALIFIER)} {lexicon.lemma(self.r, self.split, 'thing')}"

    def _value(self, a):
        if a in PEOPLE:
            return names.person(self.r, self.split)
        return names.label(self.r, self.split) if self.r.random() < 0.4 else lexicon.value(self.r, self.split)

    def _question(self, questions, a=""):
        frames = questions[:-1] if self.split is Split.TRAIN else questions[-1:]
        text = expand(self.r, self.r.choice(frames))
        if self.split is Split.TRAIN and self.r.random() < 0.5:
            text = varied(self.r, text)
            if self.r.random() < 0.3:
                text = expand(self.r, r"[Remind me:|One more time:|Do you still know:|I told you:|Earlier I told you this.|Quick check:|Test:|Let me see:|Now:]") + f" {text}"
        return text.format(a=a)


PEOPLE = ("best friend", "brother", "sister", "boss", "teacher", "neighbor", "doctor")


@family("dialogue")
def dialogue(r, split, budget):
    memory = UserMemory(r, split)
    turns, spent = [], 40
    while (spent < budget or not turns) and len(turns) < 60:
        kind = r.random()
        if kind < 0.24:
            pair = about_me(r, split)
        elif kind < 0.38:
            pair = small_talk(r, split)
        elif kind < 0.58:
            pair = beyond(r, split)
        elif kind < 0.77:
            pair = memory.tell()
        else:
            pair = memory.recall()
        turns.append(Turn([pair[0]], pair[1]))
        spent += cost(*pair)
    return Dialog(turns, system=expand(r, "[|||You are a helpful assistant.|Be friendly and brief.|You are a small model.]"))


# ---- output formats -----------------------------------------------------------------------------------------------

CASES = (("in capital letters", str.upper), ("in upper case", str.upper), ("in lower case", str.lower),
         ("in small letters", str.lower))
WRAPS = (("in double quotes", '"{}"'), ("in single quotes", "'{}'"), ("in square brackets", "[{}]"), ("in parentheses", "({})"),
         ("in angle brackets", "<{}>"), ("in bold Markdown", "**{}**"), ("between two stars", "*{}*"),
         ("in backticks", "`{}`"), ("between two underscores", "_{}_"), ("between two dashes", "-{}-"),
         ("between two slashes", "/{}/"),
         ("with three exclamation marks", "{}!!!"), ("with a question mark at the end", "{}?"),
         ("as a list item with a dash", "- {}"),
         ("as a Markdown heading", "# {}"), ("after an arrow", "-> {}"),
         ("as a JSON object with the key answer", '{{"answer": "{}"}}'),
         ("after the word Answer and a colon", "Answer: {}"), ("twice, separated by a comma", "{0}, {0}"),
         ("three times, separated by blanks", "{0} {0} {0}"),
         ("twice, one per line", "{0}\n{0}"))


def a_format(r, split):
    """(wish, function): a letter case, a wrapping, words of the user's own in front or behind, or two of them."""
    kind = r.random()
    if kind < 0.15:
        return r.choice(CASES)
    if kind < 0.55:
        name, shape = r.choice(WRAPS)
        return name, shape.format
    if kind < 0.7:
        (first, case), (second, shape) = r.choice(CASES), r.choice(WRAPS[:11])
        return f"{first} and {second}", lambda v: shape.format(case(v))
    word = lexicon.word(r, split)
    name, shape = r.choice((("as a JSON object with the key {w}", '{{"{w}": "{v}"}}'),
                            ("after the word {w} and a colon", "{w}: {v}"),
                            ("with the word {w} in front", "{w} {v}"), ("followed by the word {w}", "{v} {w}"),
                            ("with the word {w} on both sides", "{w} {v} {w}"),
                            ("in an XML tag named {w}", "<{w}>{v}</{w}>"), ("after {w} and an equals sign", "{w} = {v}")))
    return name.format(w=word), lambda v: shape.format(w=word, v=v)


FORMAT_FRAMES = ("{Q}? [Answer|Reply|Write the answer|Give the answer|Return it|I want the answer|I need it|Print it] {f}[.|, please.]", "[Answer|Reply|Please answer|Respond] {f}[:|.] {Q}?",
                 "{Q}? [Only the answer|Just the answer|Give only the answer|The bare answer], {f}.",
                 "[Next|Now|And|OK]: {q}? [Answer|Write it] {f}.",
                 "[Tell me|Say] {f} {i}.", "[Can|Could] you answer {f}? {Q}?", "[Format|Form|Wish]: {f}. {Q}?",
                 "{Q}? [Use this form|The form of the answer|Output]: {f}.",
                 "[I want|I need|I would like] the answer {f}[:|.] {Q}?", "{Q}? [Please put it|Set it] {f}.",
                 "{Q}? Write it {f}.", "{Q}? Respond {f}, please.")
LIST_FORMATS = (
    ("as a list with dashes", lambda x: "\n".join(f"- {v}" for v in x)),
    ("as a numbered list", lambda x: "\n".join(f"{n}. {v}" for n, v in enumerate(x, 1))),
    ("separated by commas", ", ".join),
    ("separated by semicolons", "; ".join), ("one per line", "\n".join),
    ("separated by slashes", "/".join), ("with a plus between them", " + ".join),
    ("as a Markdown list with stars", lambda x: "\n".join(f"* {v}" for v in x)),
    ("each in quotes, separated by commas", lambda x: ", ".join(f'"{v}"' for v in x)),
    ("in parentheses, separated by commas", lambda x: "(" + ", ".join(x) + ")"),
    ("with letters instead of numbers", lambda x: "\n".join(f"{'abcdefgh'[n]}) {v}" for n, v in enumerate(x))),
    ("in lower case, separated by commas", lambda x: ", ".join(x).lower()),
    ("as a JSON array", lambda x: "[" + ", ".join(f'"{v}"' for v in x) + "]"),
    ("in capital letters, separated by commas", lambda x: ", ".join(x).upper()),
    ("joined by the word and", " and ".join),
)
LIST_FRAMES = ("[Write|Give me|Print|Show me|Return|List] [these|these words|these items|the following] {f}: {x}",
               "{x}\n[Write|Give me|Print|Return] [that|these|this list] {f}[.|, please.]",
               "[Format|Rewrite|Set|Reformat] [these words|this list|the following] {f}: {x}",
               "[Please write|Please return|Now give] {x} {f}.", "[Can|Could] you [write|print|list] this {f}? {x}",
               "[I want|I need] these {f}: {x}", "[Items|Words|List]: {x}\n[Form|Output|Wanted]: {f}",
               "Show these words {f}: {x}", "Turn this into another form, {f}: {x}")


@family("format")
def output_format(r, split, budget):
    """Short answers about a small document, and lists, in the form asked for."""
    world, facts = World(r, split), []
    for _ in range(max(2, min(12, int(budget / 90)))):
        facts.append(world.fact())
    document = plain_document(r, facts, split)
    pool = [query for fact in facts for query in fact.queries]
    r.shuffle(pool)
    turns, spent, left = [], 0, budget - size(document) - 60
    while spent < left or not turns:
        if pool and r.random() < 0.65:
            query, (name, make) = pool.pop(), a_format(r, split)
            question = frame(r, split, FORMAT_FRAMES).format(q=query.direct, Q=capital(query.direct), i=query.indirect, f=name)
            answer = make(query.short)
        else:
            make_item = item_maker(r, split)
            words = [make_item() for _ in range(r.randint(2, 6))]
            name, make = r.choice(LIST_FORMATS)
            question, answer = frame(r, split, LIST_FRAMES).format(f=name, x=", ".join(words)), make(words)
        turns.append(Turn([question], answer))
        spent += cost(question, answer)
    return with_document(r, split, document, turns)


FAMILIES = {"dialogue": dialogue, "format": output_format}
