# SPDX-License-Identifier: Apache-2.0
"""prepare.py: what gets into the texts and word lists of the training, with a small WordNet and small texts."""
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import nano_setup  # noqa: F401
import prepare
from tasks import lexicon


def words(count, held_out=False, pooled=False):
    """The first `count` made-up words that are or are not held out by prepare.py, and are or are not of a TEST pool"""
    found, number = [], 0
    while len(found) < count:
        word = "word" + "".join("abcdefghij"[int(digit)] for digit in str(number))
        number += 1
        if (prepare.held_out(word), lexicon.is_test(word)) == (held_out, pooled):
            found.append(word)
    return found


class PrepareTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write_wordnet(self, sets):
        """A noun file in WordNet's form, each set of words one sense."""
        lines, index = [], []
        for number, members in enumerate(sets):
            lines.append(f"{number:08d} 06 n {len(members):02x} " + " ".join(f"{word} 0" for word in members) + " 000 | something")
            index.append(f"{members[0]} n 1 0 1 0 {number:08d}")
        (self.folder / "data.noun").write_text("\n".join(lines))
        (self.folder / "index.noun").write_text("\n".join(index))
        (self.folder / "data.adj").write_text("")
        (self.folder / "index.adj").write_text("")

    def test_synonyms_have_no_held_out_word_on_either_side(self):
        kept, held, pooled = words(6), words(3, held_out=True), words(2, pooled=True)
        self.write_wordnet([(kept[0], held[0], pooled[0], kept[1], kept[2]), (held[1], kept[3]), (kept[4], held[2], pooled[1])])
        with mock.patch.object(prepare, "WORDNET", self.folder):
            self.assertEqual(prepare.synonyms(), {kept[0]: [kept[1], kept[2]]})

    def test_texts_are_cut_into_pieces_once_and_without_unsuitable_ones(self):
        sentences = [f"This is the {place} sentence of a speech that was made today." for place in
                     "first second third fourth fifth sixth seventh eighth ninth tenth eleventh".split()]
        (self.folder / "a.txt").write_text(" ".join(sentences).replace("eighth", "eighth (Applause.)"))
        # The same with other marks, and then something new: one sentence, and a piece that is left out.
        (self.folder / "b.txt").write_text(" ".join(sentences).replace("speech", "“speech”") + "\n\nA murder was spoken of in this "
                                           "paragraph, which is long enough.\n\n" + " ".join(s.replace("speech", "letter") for s in sentences))
        found = {row["source"]: row for row in prepare.text_documents([self.folder])}
        self.assertEqual(found["text/a"]["paragraphs"], [sentences[:5], sentences[5:10], sentences[10:]])
        self.assertEqual(found["text/b"]["paragraphs"], [[s.replace("speech", "letter") for s in part]
                                                        for part in (sentences[:5], sentences[5:10], sentences[10:])])
        self.assertEqual({row["split"] for row in found.values()}, {"train"})


if __name__ == "__main__":
    unittest.main()
