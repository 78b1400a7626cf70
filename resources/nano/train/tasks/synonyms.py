# SPDX-License-Identifier: Apache-2.0
"""Words of a question that may stand for each other, so that what counts is what is asked and not how."""
import re

# Each line: a phrase as it stands in the frames, then what may stand there instead.
_TABLE = """
tell me: say, let me know, state, please tell me, I want to hear, give me
find: look up, determine, figure out, work out, get, search for, identify
look up: find, check, search for, get
give me: tell me, I need, show me, let me have, hand me, provide
quote: copy, cite, repeat, write out, reproduce, show me
calculate: work out, figure out, determine, compute, reckon
compute: work out, calculate, figure out, determine
the text: the document, the page, the passage, the note, this text, the paper, what I pasted, my text
the document: the text, the page, the passage, this document, the file, my document
the table: the data, the sheet, this table, the spreadsheet, the records, the rows above
this list: this series, the list, this row, this enumeration, the sequence, this collection, my list
the list: this list, the series, the sequence, the enumeration
these words: these items, these terms, these things, the words, these entries
these items: these words, these things, the items, these elements, these entries
these numbers: these values, these figures, the numbers, these amounts, my numbers
the sentence: the statement, the line, the passage, the exact words
largest: biggest, highest, greatest, maximum
highest: largest, biggest, greatest, top, maximum
smallest: lowest, least, tiniest, minimum
lowest: smallest, least, minimum
add up: sum up, add together, total, add
the total: the sum, the overall, the combined, the whole
how many times: how often, on how many occasions
how often: how many times
occurs: appears, shows up, comes up, turns up, is found, is there
occur: appear, show up, come up, turn up
rows: entries, lines, records
entries: rows, items, records
according to: going by, based on, following, judging by, as stated in
at the end: finally, in the end, by the end, after all that, eventually, at last
in the end: at the end, finally, eventually, after all this
comes after: follows, stands after, is next after, stands behind
comes before: precedes, stands before, is just before, goes before
missing: left out, absent, lacking, gone
contains: includes, has, mentions, holds
mentions: contains, names, speaks of, brings up
repeat: copy, say again, reproduce, echo, write again
what is: what's, what would be, which is
which: what
how much is: what is, what do you get for, how much does it make for
can you: could you, would you, are you able to, will you
could you: can you, would you please, might you
i need: I want, I require, I am looking for, I would like
i want: I need, I'd like, I wish for
the definition: the meaning, the explanation, the sense
define: explain, describe
who: which person
above: over, greater than, more than, beyond
exactly: precisely, word for word, without changes
please: kindly, be so kind and
remember: recall, know, still know
what was: what's, what is
"""
TABLE = {}
for _line in _TABLE.strip().splitlines():
    _key, _, _others = _line.partition(": ")
    TABLE[_key] = tuple(_others.split(", "))
_FIND = re.compile(r"(\{[^}]*\})|(?<![\w'])(" + "|".join(sorted(map(re.escape, TABLE), key=len, reverse=True)) + r")(?![\w'])", re.I)


def varied(r, text, share=0.3):
    """The frame with some of its phrases replaced; its {slots} stay as they are."""
    def other(match):
        if match.group(1) or r.random() > share:
            return match.group(0)
        found = r.choice(TABLE[match.group(2).lower()])
        return found[0].upper() + found[1:] if match.group(2)[0].isupper() else found
    return _FIND.sub(other, text)
