# SPDX-License-Identifier: Apache-2.0
"""Open vocabulary: WordNet's words, invented words, codes, token strings and phrases.

A word belongs to TRAIN or to TEST by the hash of its lower-case letters, so the two splits never share one. Random codes
and numbers need no split: they are new each time.
"""
import functools
import re
import zlib
from pathlib import Path

from dialog import Split
from tasks import corpus

ACT, ANIMAL, ARTIFACT, COGNITION, COMMUNICATION, FOOD, LOCATION, PERSON, PLANT = 4, 5, 6, 9, 10, 13, 15, 18, 20
UNKIND = re.compile(r"offensive|disparag|slur|obscene|vulgar|derogat|contempt|sexual|intercourse|genital|excre|feces|urin|\banus|racis|"
                    r"vulva|clitor|erotic|orgasm|semen|masturbat|nipple|buttock|prostitut|brothel|promiscu|menstru|castrat|rectum|scrotum|"
                    r"testic|foreskin|nude|nudi|pornograph|incest|molest|drug addict|suicid|murder|execution|torture|lynch")
UNWANTED = frozenset("negro gypsy fag dyke slut pimp tit ass cunt cock crap poop fart pussy queer retard moron idiot imbecile "
                     "cripple savage harem concubine pervert vibrator dildo condom enema lynching whore harlot strumpet nigger".split())
WORD, NAME = re.compile(r"[a-z]{3,12}"), re.compile(r"[A-Z][a-z]{2,11}")
TRADE = re.compile(r"\b(skilled|expert|professional|works?|makes|sells|repairs|operates|teaches|speciali[sz]\w+|job|occupation|"
                   r"employed|officer|scientist|studies|practitioner|craftsman|musician|plays|designs|builds|cooks|drives)\b")
TOWN = re.compile(r"(a|an|the) .*\b(city|town|port|capital)\b")
KINDS = {       # pool -> (lexicographer category of WordNet or None, shape of the word, what the definition must say)
    "noun": (None, WORD, None), "thing": (ARTIFACT, WORD, None), "animal": (ANIMAL, WORD, None), "food": (FOOD, WORD, None),
    "plant": (PLANT, WORD, None), "activity": (ACT, WORD, None), "town": (LOCATION, NAME, TOWN),
    "trade": (PERSON, WORD, TRADE), "language": (COMMUNICATION, NAME, re.compile(r"\blanguage\b")),
    "subject": (COGNITION, WORD, re.compile(r"study of|science|branch of")),
    "building": (ARTIFACT, WORD, re.compile(r"^(a|an|the) [\w -]{0,20}\b(building|room|shop|place|house|hall|store)\b")),
    "instrument": (ARTIFACT, WORD, re.compile(r"(music|wind|string|percussion|keyboard|brass)\w* .*instrument")),
}
ONSETS = "b bl br c ch cl cr d dr f fl fr g gl gr h j k kl kn kr l m n p pl pr qu r s sc sh sk sl sm sn sp st str sw t th tr tw v w wh y z zh".split()
NUCLEI = "a a a e e e i i i o o o u u ai au ea ee ei ie io oa oo ou ua y".split()
CODAS = ("", "", "", "", "b", "ck", "d", "f", "g", "k", "l", "ll", "lt", "m", "mp", "n", "nd", "ng", "nk", "nt", "p", "r", "rd",
         "rk", "rn", "rs", "rt", "s", "sh", "ss", "st", "t", "th", "v", "x", "z")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
CAPITALS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


def is_test(word):
    """About one word in six is kept for the TEST split."""
    return zlib.crc32(word.lower().encode()) % 6 == 0


def decent(word, definition):
    """Whether a word may turn up in front of anybody."""
    return not UNKIND.search(definition) and word.lower() not in UNWANTED


def fits(word, split):
    return is_test(word) == (split is Split.TEST)


@functools.lru_cache(maxsize=None)
def _lemmas(pos):
    """[(word, category, definition)] of one part of speech, most frequent words first."""
    rows = sorted((s for s in corpus.rows("wordnet") if s["pos"] == pos), key=lambda s: -s["count"])
    return [(s["word"], s["category"], s["definition"]) for s in rows
            if decent(s["word"], s["definition"])]


@functools.lru_cache(maxsize=None)
def pool(split, kind):
    """The words of a kind, most frequent ones first: a key of KINDS, "verb" or "adjective"."""
    if kind in ("verb", "adjective"):
        found = (word for word, _, _ in _lemmas({"verb": "verb", "adjective": "adj"}[kind]) if WORD.fullmatch(word))
    else:
        category, shape, needed = KINDS[kind]
        found = (word for word, own, definition in _lemmas("noun") if shape.fullmatch(word)
                 and category in (None, own) and (needed is None or needed.search(definition)))
    return tuple(dict.fromkeys(word for word in found if fits(word, split)))


def common(r, words):
    """A word, the frequent ones at the front of the pool more often."""
    return words[int(len(words) * r.random() ** 2)]


def lemma(r, split, kind="noun"):
    return common(r, pool(split, kind))


@functools.lru_cache(maxsize=None)
def first_names(split):
    lines = (Path(__file__).parent / "first_names.txt").read_text().splitlines()
    return tuple(name for line in lines[1:] for name in line.split() if fits(name, split))


def _until(split, make):
    while True:
        word = make()
        if fits(word, split):
            return word


def invented(r, split, low=2, high=3):
    """A pronounceable word that does not exist, in lower case."""
    def make():
        return "".join(r.choice(ONSETS) + r.choice(NUCLEI) + (r.choice(CODAS) if r.random() < 0.5 else "")
                       for _ in range(r.randint(low, high)))
    return _until(split, make)


def letters(r, split, low=3, high=8):
    """A string of random letters."""
    return _until(split, lambda: "".join(r.choice(LETTERS) for _ in range(r.randint(low, high))))


def word(r, split):
    """Any word in lower case: mostly a real one."""
    kind = r.random()
    if kind < 0.62:
        return lemma(r, split, "noun")
    if kind < 0.74:
        return lemma(r, split, "adjective")
    if kind < 0.82:
        return lemma(r, split, "verb")
    return invented(r, split) if kind < 0.95 else letters(r, split)


def dressed(r, text):
    """The same text now and then in another case."""
    kind = r.random()
    return text if kind < 0.7 else text.capitalize() if kind < 0.88 else text.upper() if kind < 0.96 else text.title()


def phrase(r, split):
    """Two or three words that belong together, some of them joined by a hyphen."""
    kind = r.random()
    if kind < 0.5:
        return f"{lemma(r, split, 'adjective')} {lemma(r, split)}"
    if kind < 0.7:
        return f"{lemma(r, split)} {lemma(r, split)}"
    if kind < 0.8:
        return f"{lemma(r, split, 'adjective')} {lemma(r, split, 'adjective')} {lemma(r, split)}"
    return f"{lemma(r, split)}-{lemma(r, split)}" if kind < 0.9 else f"{lemma(r, split)} of {lemma(r, split)}"


def code(r):
    """A code of one of many shapes: "KX-204", "7f3a91", "40.218.7", "pq_88", "B7", "2024/118"."""
    shape = r.choice(("999999", "9999", "99999999", "A999", "A9", "AA-9999", "AAA-99", "99-AA-9", "A9A9A9", "999-999", "AA999AA",
                      "hhhhhh", "hhhhhhhh", "99.999.9", "9.9.99", "aa_99", "aaa-9999", "9999/99", "A-99999", "#9999", "9aA9a",
                      "aaaa.9", "AA/99/a", "99:99:99", "AAAA", "99A", "hhhh-hhhh", "9999 9999", "AAA 999"))
    out = []
    for mark in shape:
        out.append(r.choice(DRAWN[mark]) if mark in DRAWN else mark)
    if out[0] == "0":
        out[0] = r.choice("123456789")
    return "".join(out)


DRAWN = {"9": "0123456789", "A": CAPITALS, "a": LETTERS, "h": "0123456789abcdef"}


def token(r, split):
    """Anything that can stand between two blanks: a word in any case, a name, a number, a code without blanks."""
    kind = r.random()
    if kind < 0.62:
        return dressed(r, word(r, split))
    if kind < 0.7:
        return r.choice(first_names(split))
    if kind < 0.82:
        return str(r.randint(0, 10 ** r.randint(1, 5)))
    return code(r).replace(" ", "-") if kind < 0.93 else f"{lemma(r, split)}{r.choice('-_')}{lemma(r, split)}"


def value(r, split):
    """A value of any form, as a document may state it."""
    kind = r.random()
    if kind < 0.3:
        return dressed(r, word(r, split))
    if kind < 0.5:
        return phrase(r, split)
    return code(r) if kind < 0.75 else str(r.randint(2, 10 ** r.randint(1, 6))) if kind < 0.85 else token(r, split)
