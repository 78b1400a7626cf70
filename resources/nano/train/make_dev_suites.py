# SPDX-License-Identifier: Apache-2.0
"""Suites for choosing among checkpoints: NANO_DATA=FOLDER python3 make_dev_suites.py FOLDER. Same seed, same files.

The tasks, words and texts are those of tests/eval, the questions are not: other items, and wordings that occur neither
in training nor in tests/eval (WORDINGS, PICTURES). Where a list of wordings has none of its own here, a training one is
taken. So what is chosen by these suites has not seen those that the model card shows.
"""
import sys
from dataclasses import replace
from pathlib import Path

import make_media_suites
import make_text_suites
import suites
from dialog import Split
from tasks import copying, frames, lists, media, persona, questions, tables, wordings
from tokenizer import Tokenizer

SEED = 20261201
WORDINGS = {                # list of frames -> the wordings that stand in for its TEST ones
    questions.FULL: ("With the text in front of you, {direct}?", "I ask myself {indirect}."),
    questions.NOUN_FULL: ("It would help me to have {noun}.", "Could somebody supply {noun}?"),
    questions.SHORT: ("{Direct}? One or two words will do.", "Be terse: {direct}?"),
    questions.NOUN_SHORT: ("{Noun}, that and no more.", "All I ask for is {noun}."),
    questions.DOCUMENT: ("What follows is my material.\n\n{document}{question}", "{document}Here is what I ask: {question}"),
    frames.OPENERS: ("[One small matter|Dear model].", "[Once you are free|Between us]:"),
    frames.CLOSERS: ("I am grateful.", "That would do."),
    copying.BY_FACT: ("Point me to the sentence from which one learns {x}.", "By which sentence do we learn {x}?"),
    copying.BY_WORD: ('There must be a sentence that employs "{x}"; reproduce it.', 'Extract the sentence in which one reads "{x}".'),
    copying.BY_START: ('Write out the sentence whose first words are "{x}".', 'Some sentence sets out with "{x}". Give it whole.'),
    copying.BY_NEXT: ('Read on by one sentence from here: "{x}"', 'Which sentence succeeds "{x}"?'),
    copying.FIRST: ("Write out the sentence at the very top.", "What sentence does the text set out with?"),
    copying.LAST: ("Write out the sentence at the very bottom.", "What sentence does the text finish on?"),
    copying.MENTIONED: ('Has the text got the word "{x}"?', 'See if "{x}" can be found in the text.'),
    copying.NEXT_WORD: ('Behind "{x}", which word stands?', 'Which single word succeeds "{x}"?'),
    copying.WHICH: ("One of these can be read in the text, the others cannot: {x}.", "Of these, which did the text use: {x}?"),
    copying.LINE: ("Reproduce the line that goes by the number {n}.", "How does line {n} read?"),
    copying.REPEAT: ("Write this down as it is:\n\n{x}", "{x}\n\nNow you write the same."),
    copying.REVERSE: ("What is this from its end to its start: {x}", "Write this so that the last comes first: {x}"),
    lists.SORT["number"][0]: ("Line these numbers up, smallest in front: {x}", "Sort from tiny to huge: {x}"),
    lists.SORT["falling"][0]: ("Line these numbers up, largest in front: {x}", "Sort from huge to tiny: {x}"),
    lists.SORT["word"][0]: ("Line these words up by the alphabet: {x}", "{x}\nWhat is their alphabetical order?"),
    lists.COUNT_WORD: ('{x}\nHow frequent is "{w}"?', 'Give the tally of "{w}": {x}'),
    lists.COUNT_ALL: ("How many things does this line hold? {x}", "{x}\nWhat is the size of this list?"),
    lists.WHERE: ("So where has {x} ended?", "Give me the whereabouts of {x}."),
}
PICTURES = {
    wordings.FASTER: ("Which of them has more speed?", "Which one is in a greater hurry?"),
    wordings.LABEL_OF: ("Which {what} can be seen on the {it}?", "The {it} bears which {what}?"),
    wordings.LABELLED: ("Name the shape that bears {label}.", "On which shape is the {what} {label}?"),
    wordings.WAY: ("To where does the {it} travel?", "The {it} goes which way?"),
    wordings.FIRST: ("Which shape is there before the other?", "What is the first thing to appear?"),
    wordings.VALUE: ("Which value belongs to {it}?", "What does the chart give for {it}?"),
    wordings.WHERE: ("At which place do you see the {it}?", "The {it} lies where?"),
}
TEXT = {"kv-2k": 8, "needle-2k": 14, "needle-8k": 6, "needle-32k": 2, "unanswerable": 8, "answerable": 6, "multi-needle-8k": 6, "hop2-think": 12,
        "hop3-think": 10, "quote-2k": 24, "quote-16k": 4, "copy-200": 14, "reverse-30": 10, "line": 8, "pairs": 5, "count-think": 8, "sort-10": 24,
        "state-12": 12, "dates": 10, "mul-1x3": 8, "table-cell": 8, "table-argmax": 12, "table-filter-count": 10, "dialogue-slots": 10,
        "dialogue-format": 8, "page": 8}
MEDIA = {"img-attribute": 60, "img-where": 50, "img-count": 60, "img-relation": 50, "img-label": 60, "img-inside": 30, "ocr-words": 60,
         "ocr-digits": 30, "chart-value": 60, "video-direction": 40, "video-first": 40, "video-blinks": 30, "video-colours": 30,
         "video-faster": 60, "video-meet": 30}


def frame(r, split, choices):
    return frames.expand(r, r.choice(WORDINGS.get(choices) or choices[:-frames.HELD_OUT]))


def wording(r, split, choices, **fields):
    text = r.choice(PICTURES[choices] if choices in PICTURES else r.choice(choices.train))
    return (text if r.random() < 0.5 else text.replace("colour", "color")).format(**fields)


def scripted(r, split, pairs):
    asked, answer = r.choice(pairs)
    return frames.expand(r, r.choice(asked[:-1])), answer


def use_own_wordings():
    """Every task module asks with the functions above from now on."""
    for name, module in list(sys.modules.items()):
        if name.startswith("tasks."):
            for mine, theirs in ((frame, frames.frame), (wording, media.wording)):
                if getattr(module, theirs.__name__, None) is theirs and module not in (frames, media):
                    setattr(module, theirs.__name__, mine)
    frames.frame, media.wording, persona.scripted = frame, wording, scripted


def main():
    folder = Path(sys.argv[1])
    tokenizer = Tokenizer.load(Path(__file__).parent.parent)
    use_own_wordings()
    make_text_suites.SEED = make_media_suites.SEED = SEED
    for name, dialogs in TEXT.items():
        suite = replace(make_text_suites.SUITES[name], dialogs=dialogs)
        suites.save(folder, name, make_text_suites.conversations(suite, name, tokenizer))
    for name, count in MEDIA.items():
        suites.save(folder, name, [make_media_suites.conversation(folder, name, k) for k in range(count)])


if __name__ == "__main__":
    main()
