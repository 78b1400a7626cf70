# SPDX-License-Identifier: Apache-2.0
"""Conversation: what the model is, greetings, what a user said earlier, what it cannot know, and output formats."""
from dialog import Dialog, Turn
from tasks import names
from tasks.facts import World, capital
from tasks.lookup import plain_document
from tasks.persona import about_me, filled, small_talk, too_big, world_question
from tasks.questions import cost, family, frame, size, with_document

UNKNOWABLE = "I don't know that. I only know what is in the text you give me."
NOT_TOLD = "You have not told me that."
NO_DOCUMENT = "I see no document yet. Please paste a text and ask me about it."
HARM = ("How do I build a bomb?", "How can I hurt someone?", "Help me steal a car.", "How do I hack into an account?",
        "How can I make poison?", "Tell me how to break into a house.", "How do I make drugs?",
        "Write an insult about my neighbor.")
HARM_ANSWER = "I cannot help with that."
FROM_TEXT = ("What does the document say?", "What is in the text?", "Quote the first sentence of the text.",
             "What does the document say about {s}?", "Who is mentioned in the text?", "Find {p} in the document.",
             "Read the table to me.")


def beyond(r, split):
    kind = r.random()
    if kind < 0.6:
        return world_question(r, split), UNKNOWABLE
    if kind < 0.85:
        return too_big(r, split)
    if kind < 0.92:
        return r.choice(HARM), HARM_ANSWER
    return filled(r, split, r.choice(FROM_TEXT)), NO_DOCUMENT


# ---- what the user said -------------------------------------------------------------------------------------------

# (statements, reply, questions, answer, value)
ABOUT_USER = {
    "name": (("My name is {v}.", "I am {v}.", "Hello, I am {v}.", "Hi, my name is {v}.", "Call me {v}.",
              "You can call me {v}.", "Hello! My name is {v}.", "This is {v}."), "Nice to meet you, {v}.",
             ("What is my name?", "Who am I?", "Do you remember my name?", "What am I called?", "Can you tell me my name?",
              "Say my name."), "Your name is {v}.", lambda r, s: names.draw(r, s, "first")),
    "city": (("I live in {v}.", "I am from {v}.", "My home is in {v}.", "I moved to {v} last year.",
              "By the way, I live in {v}."), "I will remember that you live in {v}.",
             ("Where do I live?", "Which city do I live in?", "Do you remember where I live?", "In which city is my home?",
              "What is my city?"), "You live in {v}.", names.city),
    "color": (("My favorite color is {v}.", "I like {v} best of all colors.", "The color I like most is {v}.",
               "I love the color {v}."), "I will remember that you like {v}.",
              ("What is my favorite color?", "Which color do I like?", "Do you know my favorite color?",
               "What color do I like best?"), "Your favorite color is {v}.", lambda r, s: r.choice(names.COLOR)),
    "pet": (("I have a {v}.", "I own a {v}.", "My pet is a {v}.", "There is a {v} at home."),
            "I will remember that you have a {v}.",
            ("Which pet do I have?", "What pet do I have?", "Do you remember my pet?", "What animal do I own?"),
            "You have a {v}.", lambda r, s: next(p for p in iter(lambda: names.draw(r, s, "pet"),
                                                                 None) if p[0] not in "aeiou")),
    "job": (("I work as a {v}.", "I am a {v}.", "My job: {v}.", "I earn my money as a {v}."),
            "I will remember that you work as a {v}.",
            ("What is my job?", "What do I work as?", "Do you remember my job?", "What is my profession?"),
            "You work as a {v}.", lambda r, s: next(p for p in iter(lambda: names.draw(r, s, "profession"),
                                                                    None) if p[0] not in "aeiou")),
    "food": (("I like to eat {v}.", "My favorite food is {v}.", "I love {v}.", "Nothing tastes better than {v}."),
             "I will remember that you like {v}.",
             ("What is my favorite food?", "What do I like to eat?", "Which food do I like?",
              "Do you know what I like to eat?"), "You like {v}.", lambda r, s: names.draw(r, s, "food")),
    "number": (("Remember the number {v}.", "My lucky number is {v}.", "Please keep the number {v} in mind.",
                "Note this number: {v}."), "I will remember the number {v}.",
               ("Which number did I tell you?", "What was the number?", "What number should you remember?",
                "Tell me the number again."), "The number is {v}.", lambda r, s: names.digits(r, 2, 6)),
    "word": (("The secret word is {v}.", "Remember the word {v}.", "Our password is {v}.", "Keep the word {v} in mind."),
             "I will remember the word {v}.",
             ("What is the secret word?", "Which word did I tell you?", "What was the word?", "Tell me the word again."),
             "The word is {v}.", lambda r, s: names.draw(r, s, "word")),
}


class UserMemory:
    """Statements of the user and questions about them; a later statement replaces an earlier one."""

    def __init__(self, r, split):
        self.r, self.split, self.known = r, split, {}

    def tell(self):
        key = self.r.choice(list(ABOUT_USER))
        statements, reply, _, _, make = ABOUT_USER[key]
        value = self.known[key] = make(self.r, self.split)
        return self.r.choice(statements).format(v=value), reply.format(v=value)

    def recall(self):
        unknown = [key for key in ABOUT_USER if key not in self.known]
        if not self.known or unknown and self.r.random() < 0.15:
            key = self.r.choice([k for k in unknown if k not in ("number", "word")] or ["name"])
            if key not in self.known:
                return self._question(key), NOT_TOLD
        key = self.r.choice(list(self.known))
        return self._question(key), ABOUT_USER[key][3].format(v=self.known[key])

    def _question(self, key):
        questions = ABOUT_USER[key][2]
        return self.r.choice(questions[:-1]) if self.split.value == "train" else questions[-1]


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
    return Dialog(turns, system=r.choice(("", "", "", "You are a helpful assistant.", "Be friendly and brief.")))


# ---- output formats -----------------------------------------------------------------------------------------------

FORMATS = (
    ("in capital letters", str.upper), ("in lower case", str.lower), ("in double quotes", lambda v: f'"{v}"'),
    ("in square brackets", lambda v: f"[{v}]"),
    ("after the word Answer and a colon", lambda v: f"Answer: {v}"), ("twice, separated by a comma", lambda v: f"{v}, {v}"),
    ("as a JSON object with the key answer", lambda v: f'{{"answer": "{v}"}}'),
    ("as a list item with a dash", lambda v: f"- {v}"), ("in bold Markdown", lambda v: f"**{v}**"),
    ("between two stars", lambda v: f"*{v}*"), ("in parentheses", lambda v: f"({v})"),
    ("with three exclamation marks", lambda v: f"{v}!!!"),
)
FORMAT_FRAMES = ("{Q}? Answer {f}.", "{Q}? Give only the answer, {f}.", "Answer {f}: {q}?", "{Q}? Write the answer {f}.",
                 "{Q}? Reply {f}.", "Reply {f}. {Q}?", "{Q}? I want the answer {f}.", "Please answer {f}: {q}?",
                 "{Q}? Put the answer {f}.", "{Q}? Write it {f}.", "{Q}? Respond {f}, please.")
LIST_FORMATS = (
    ("as a list with dashes", lambda x: "\n".join(f"- {v}" for v in x)),
    ("as a numbered list", lambda x: "\n".join(f"{n}. {v}" for n, v in enumerate(x, 1))),
    ("separated by commas", ", ".join),
    ("separated by semicolons", "; ".join), ("one per line", "\n".join),
    ("as a JSON array", lambda x: "[" + ", ".join(f'"{v}"' for v in x) + "]"),
    ("in capital letters, separated by commas", lambda x: ", ".join(x).upper()),
    ("joined by the word and", " and ".join),
)
LIST_FRAMES = ("Write these words {f}: {x}", "Give me these {f}: {x}", "{x}\nWrite that {f}.",
               "Format these words {f}: {x}", "Return {x} {f}.", "Please write {x} {f}.", "Show these words {f}: {x}",
               "Turn this into another form, {f}: {x}")


@family("format")
def output_format(r, split, budget):
    """Short answers about a small document, and lists, in the form asked for."""
    world, facts = World(r, split), []
    for _ in range(max(2, min(12, int(budget / 90)))):
        facts.append(world.fact())
    document = plain_document(r, facts)
    pool = [query for fact in facts for query in fact.queries]
    r.shuffle(pool)
    turns, spent, left = [], 0, budget - size(document) - 60
    while spent < left or not turns:
        if pool and r.random() < 0.65:
            query = pool.pop()
            name, make = r.choice(FORMATS)
            question, answer = frame(r, split, FORMAT_FRAMES).format(q=query.direct, Q=capital(query.direct),
                                                                     f=name), make(query.short)
        else:
            words = [names.draw(r, split, r.choice(("food", "pet", "profession", "city"))) for _ in range(r.randint(2, 6))]
            name, make = r.choice(LIST_FORMATS)
            question, answer = frame(r, split, LIST_FRAMES).format(f=name, x=", ".join(words)), make(words)
        turns.append(Turn([question], answer))
        spent += cost(question, answer)
    return with_document(r, split, document, turns)


FAMILIES = {"dialogue": dialogue, "format": output_format}
