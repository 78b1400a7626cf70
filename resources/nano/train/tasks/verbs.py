# SPDX-License-Identifier: Apache-2.0
"""Verbs for invented sentences: their forms, what may be done to what, and which of them mean the same."""
import re
from dataclasses import dataclass, field

from tasks import lexicon

IRREGULAR = {  # base -> (past, participle)
    "buy": ("bought", "bought"), "sell": ("sold", "sold"), "find": ("found", "found"), "lose": ("lost", "lost"),
    "steal": ("stole", "stolen"), "hide": ("hid", "hidden"), "break": ("broke", "broken"), "build": ("built", "built"),
    "draw": ("drew", "drawn"), "take": ("took", "taken"), "leave": ("left", "left"), "bring": ("brought", "brought"),
    "keep": ("kept", "kept"), "send": ("sent", "sent"), "choose": ("chose", "chosen"), "cut": ("cut", "cut"),
    "hold": ("held", "held"), "get": ("got", "got"), "make": ("made", "made"), "write": ("wrote", "written"),
    "lead": ("led", "led"), "run": ("ran", "run"), "put": ("put", "put"), "set": ("set", "set"), "read": ("read", "read"),
    "teach": ("taught", "taught"), "meet": ("met", "met"), "win": ("won", "won"), "give": ("gave", "given"),
    "lend": ("lent", "lent"), "shut": ("shut", "shut"), "pay": ("paid", "paid"), "go": ("went", "gone"),
    "feed": ("fed", "fed"), "drive": ("drove", "driven"), "show": ("showed", "shown"), "hang": ("hung", "hung"),
    "sing": ("sang", "sung"), "wear": ("wore", "worn"), "throw": ("threw", "thrown"), "catch": ("caught", "caught"),
    "say": ("said", "said"), "tell": ("told", "told"), "see": ("saw", "seen"), "come": ("came", "come"), "call": ("called", "called"),
    "ride": ("rode", "ridden"), "grow": ("grew", "grown"), "begin": ("began", "begun"), "fall": ("fell", "fallen"),
}
DOUBLED = {"trim", "wrap", "scan", "plan", "ship", "swap", "stop", "drop", "mop", "pin", "rub", "grab"}


@dataclass(frozen=True)
class Verb:
    base: str
    past: str
    participle: str
    third: str
    ing: str
    particle: str = ""          # "off" of "call off"; stands after the verb


def verb(phrase):
    """The forms of "repair", "buy" or "call off"."""
    base, _, particle = phrase.partition(" ")
    stem = base + base[-1] if base in DOUBLED else base
    ied = base[:-1] + "ied" if re.search(r"[^aeiou]y$", base) else None
    past, participle = IRREGULAR.get(base) or (ied or (base + "d" if base[-1] == "e" else stem + "ed"),) * 2
    third = base[:-1] + "ies" if ied else base + ("es" if re.search(r"(s|x|z|ch|sh|o)$", base) else "s")
    ing = (base[:-1] if base[-1] == "e" and base[-2:] not in ("ee", "oe", "ye") else
           base + base[-1] if base in ("cut", "put", "set", "get", "run", "win", "shut") else stem) + "ing"
    tail = f" {particle}" if particle else ""
    return Verb(base + tail, past + tail, participle + tail, third + tail, ing + tail, particle)


@dataclass(frozen=True)
class Action:
    """Verbs of one meaning; kinds: what the object may be; roles: what may be said about it besides place, time and reason."""
    verbs: tuple
    kinds: tuple
    roles: tuple = field(default=())


def _actions(text):
    out = []
    for line in text.strip().splitlines():
        verbs, kinds, *roles = (part.strip() for part in line.split("|"))
        out.append(Action(tuple(verb(v.strip()) for v in verbs.split(",")), tuple(kinds.split()),
                          tuple(roles[0].split()) if roles else ()))
    return tuple(out)


# verbs | kinds of object | further roles
ACTIONS = _actions("""
repair, fix, mend | thing building | price tool
buy, purchase, acquire, get | thing food animal | price source amount
sell | thing food building | price recipient amount
bring, carry | thing food | recipient amount
bake, make, prepare | food | amount recipient
cook, prepare | food | amount recipient
build, construct, put up, erect | building thing | price duration
paint | building thing | tool price duration
find, discover, come across | thing animal |
lose, misplace | thing |
clean, wash | thing building | tool duration
lead, chair, run, head | event group | companion
organize, arrange, plan, set up | event | companion
write, draft, compose | document | companion duration
send, mail, ship | document thing food | recipient amount
keep, store, hold | thing document food | amount
order, request | thing food | price source amount
deliver, bring over, hand over | thing document food | recipient amount
replace, swap | thing | other
cancel, call off | event |
postpone, put off, move | event | until
approve, accept, agree to | document plan |
reject, turn down, refuse, vote down | document plan |
visit, see, go to | building town | companion duration
inspect, check, examine, look over | thing building document | tool
remove, take away, clear away | thing plant |
cut down, fell | plant | tool
plant, grow | plant | amount
feed | animal | food
rescue, save | animal | companion
photograph, take pictures of | building animal thing | tool
borrow | thing document | source duration
lend | thing document | recipient duration
rent, hire | thing building | price source duration
donate, give away, give | thing food | recipient amount
design, draw | building thing | duration
sign | document | tool
read, study | document | duration
collect, gather, pick up | thing plant document | amount
test, try out | thing | duration tool
choose, select, pick | thing plan town |
invite, ask over | person | goal
meet, run into | person | companion
call, phone, ring up | person | duration
employ, hire, take on | person | trade
translate | document | duration
publish, print, bring out | document | amount
record, film, tape | event | tool
install, set up, put in | thing | price tool
move, transfer, shift, take | thing document | goal
hide, conceal | thing document food |
damage, break | thing building | tool
steal | thing animal | amount
close, shut, lock up | building |
open, inaugurate | building event |
announce | plan event |
propose, suggest, put forward | plan event |
recommend | food building document | recipient
explain, present | plan document | recipient
water | plant | tool
guard, watch over, look after | building animal thing | companion duration
count | thing animal plant | duration
pack, wrap | thing food | recipient
burn | document thing |
show, demonstrate | thing document | recipient
own, possess, have | animal thing building |
need, require | thing food | amount
use | thing | duration
catch | animal | tool
teach | subject | recipient duration
win | prize event |
clear, tidy up | building | companion
decorate | building | tool price
sponsor, pay for, finance | event building document | 
measure | building thing plant | tool
insure | thing building | price
serve | food | recipient
drop, let fall | thing food |
throw away, throw out, get rid of | thing document food |
hang, put up | thing document |
return, give back, bring back | thing document | recipient
support, back | plan event |
oppose, object to | plan event |
describe | animal building plant | recipient
attend, go to, take part in | event | companion
join | event group | companion
leave | event building | companion
manage, run, direct | building group |
polish, shine | thing | tool
copy, duplicate | document | amount
forget, leave behind | thing document |
search, look through | building | tool duration
water-proof, seal | building thing | tool
""".replace("water-proof, ", ""))
REPORT = tuple(map(verb, "say,report,mention,note,add,explain,announce,tell us,point out,claim,believe,confirm".split(",")))


def open_action(r, split):
    """An action nobody has thought of, with a regular verb of WordNet."""
    words = lexicon.pool(split, "verb")
    base = lexicon.common(r, words)
    return Action((verb(base),), (r.choice(("thing", "document", "building", "animal", "plan")),), ())


TENSES = ("past",) * 8 + ("future",) * 4 + ("present",) * 2 + ("perfect", "must", "plan", "should", "want", "can")


def active(v, tense):
    """(what is said, auxiliary of the question, main verb after it) for a subject in the third person."""
    return {"past": (v.past, "did", v.base), "present": (v.third, "does", v.base), "future": (f"will {v.base}", "will", v.base),
            "perfect": (f"has {v.participle}", "has", v.participle), "must": (f"has to {v.base}", "does", f"have to {v.base}"),
            "plan": (f"is going to {v.base}", "is", f"going to {v.base}"), "should": (f"should {v.base}", "should", v.base),
            "want": (f"wants to {v.base}", "does", f"want to {v.base}"), "can": (f"can {v.base}", "can", v.base)}[tense]


def passive(v, tense, many):
    """The same for an object of which something is done; many: it is plural."""
    be, was, has, do = ("are", "were", "have", "do") if many else ("is", "was", "has", "does")
    haves = "have" if many else "has"
    return {"past": (f"{was} {v.participle}", was, v.participle), "present": (f"{be} {v.participle}", be, v.participle),
            "future": (f"will be {v.participle}", "will", f"be {v.participle}"),
            "perfect": (f"{has} been {v.participle}", has, f"been {v.participle}"),
            "must": (f"{haves} to be {v.participle}", do, f"have to be {v.participle}"),
            "plan": (f"{be} going to be {v.participle}", be, f"going to be {v.participle}"),
            "should": (f"should be {v.participle}", "should", f"be {v.participle}"),
            "want": (f"should be {v.participle}", "should", f"be {v.participle}"),
            "can": (f"can be {v.participle}", "can", f"be {v.participle}")}[tense]
