#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the text, office, web and book files of this folder, and the hostile ones. The files are committed; run it only to change them.

  make_texts.py
"""
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
# 2 x 1 pixels, red and blue.
PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000020000000108020000007b40e8dd0000000d4944415478da63f8cf0004ff01070001ff3d7d8c49"
                    "0000000049454e44ae426082")


def archive(name, entries, stored=()):
    path = HERE / name
    path.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(path, "w") as out:
        for entry, data in entries.items():
            info = zipfile.ZipInfo(entry, (2024, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_STORED if entry in stored else zipfile.ZIP_DEFLATED
            out.writestr(info, data, compresslevel=9)


TEXTS = {
    "western": ("The café in Besançon closed at half past ten. Señor Müller paid 12 € for a crème brûlée, “the best” he said, and left.\n"
                "Après la pluie, le garçon rentra à l’hôtel où l’attendait sa sœur.\n"),
    "russian": ("Река начинается в холмах и течёт девяносто километров до моря. Первый мост был построен из дуба и сгорел зимой.\n"
                "С тех пор дорогу несли ещё одиннадцать мостов, каждый немного выше прежнего.\n"),
    "chinese": ("这条河发源于山丘，流经九十英里入海。第一座桥建于一四一二年，用橡木建成，在冬天被烧毁。\n"
                "从那以后，又有十一座桥承载着这条路，每一座都比前一座高一点。\n"),
    "japanese": ("川は丘から始まり、海まで百五十キロ流れています。最初の橋は樫の木で作られ、冬に焼けました。\n"
                 "それから十一の橋がかけられ、どれも前の橋より少し高くなりました。カタカナも使います。\n"),
    "korean": ("강은 언덕에서 시작하여 바다까지 백오십 킬로미터를 흐릅니다. 첫 번째 다리는 참나무로 지어졌고 겨울에 불탔습니다.\n"
               "그 후로 열한 개의 다리가 길을 이어 왔으며, 저마다 이전 것보다 조금 더 높았습니다.\n"),
    "taiwanese": ("這條河發源於山丘，流經九十英里入海。第一座橋建於一四一二年，用橡木建成，在冬天被燒毀。\n"
                  "從那以後，又有十一座橋承載著這條路，每一座都比前一座高一點。\n"),
}
ENCODINGS = [("western", "utf-8-sig", "utf8_mark"), ("western", "cp1252", "windows1252"), ("russian", "cp1251", "windows1251"),
             ("russian", "koi8-r", "koi8r"), ("chinese", "gbk", "gbk"), ("taiwanese", "big5", "big5"), ("japanese", "shift_jis", "shift_jis"),
             ("japanese", "euc_jp", "euc_jp"), ("korean", "euc_kr", "euc_kr"), ("japanese", "utf-16", "utf16_mark"),
             ("russian", "utf-16-le", "utf16le"), ("chinese", "utf-16-be", "utf16be"), ("western", "utf-8", "utf8"),
             ("japanese", "iso2022_jp", "iso2022_jp"), ("korean", "iso2022_kr", "iso2022_kr"), ("chinese", "hz", "hz")]


def texts():
    folder = HERE / "encodings"
    folder.mkdir(exist_ok=True)
    for text, encoding, name in ENCODINGS:
        (folder / f"{name}.txt").write_bytes(TEXTS[text].encode(encoding))
        (folder / f"{name}.golden").write_text(TEXTS[text], encoding="utf-8")  # what it must be read as
    text = TEXTS["russian"]
    broken = text[:10].encode() + b"\xFF" + text[10:60].encode() + b"\xC3(" + text[60:].encode()
    (folder / "utf8_errors.txt").write_bytes(broken)
    (folder / "utf8_errors.golden").write_text(broken.decode(errors="replace"), encoding="utf-8")
    stray = ("One zero among many letters.\0 Nothing here is Chinese.\n" * 3)[:-1]
    (folder / "stray_zero.txt").write_bytes(stray.encode() + b"!" * (len(stray) % 2))  # of even length, as UTF-16 is
    (folder / "stray_zero.golden").write_text(stray + "!" * (len(stray) % 2), encoding="utf-8")
    stray = "caf\u00e9 au lait, \0 d\u00e9j\u00e0 vu, na\u00efve; l'\u00e9t\u00e9 \u00e0 la plage.\n"
    (folder / "stray_zero_1252.txt").write_bytes((stray * 4).encode("cp1252"))
    (folder / "stray_zero_1252.golden").write_text(stray * 4, encoding="utf-8")
    (HERE / "prices.csv").write_bytes("Name;Größe;Preis\r\n\"Schraube; lang\";M8;0,12\r\nMutter;M8;0,05\r\n".encode("cp1252"))
    (HERE / "readme.md").write_text("# Title\n\n* one\n* two\n\n```c\nint x = 1;\n```\n")
    (HERE / "program.rb").write_text("def f(x):\n\treturn x  # tab stays, trailing blanks stay  \n\n\n")


def docx():
    def run(text):
        return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'

    def paragraph(content, properties=""):
        return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{content}</w:p>"

    def item(text, level, number=1):
        return paragraph(run(text), f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')

    def cell(text, properties=""):
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{text if text.startswith('<') else paragraph(run(text))}</w:tc>"

    table = ("<w:tbl><w:tr>" + cell("Bridge") + cell("Built", '<w:gridSpan w:val="2"/>') + "</w:tr><w:tr>"
             + cell("Oak", '<w:vMerge w:val="restart"/>') + cell("1412") + cell(paragraph(run("burned")) + paragraph(run("1531 | rebuilt"))) + "</w:tr><w:tr>"
             + cell("ignored", "<w:vMerge/>") + cell("1533") + cell("") + "</w:tr></w:tbl>")
    picture = ('<w:r><w:drawing><wp:inline xmlns:wp="wp"><wp:docPr id="1" name="P" descr="a red and a blue pixel"/><a:graphic xmlns:a="a">'
               '<a:graphicData><pic:pic xmlns:pic="pic"><pic:blipFill><a:blip r:embed="rId2"/></pic:blipFill></pic:pic></a:graphicData>'
               "</a:graphic></wp:inline></w:drawing></w:r>")
    box = ('<w:r><mc:AlternateContent xmlns:mc="mc"><mc:Choice Requires="wps"><w:drawing><wps:txbx xmlns:wps="wps"><w:txbxContent>'
           + paragraph(run("Text in a box.")) + "</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>"
           + paragraph(run("Text in a box, again.")) + "</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>")
    formula = ('<m:oMath xmlns:m="m"><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r>'
               "<m:t>2</m:t></m:r></m:sup></m:sSup></m:den></m:f></m:oMath>")
    body = (paragraph(run("The Bridges"), '<w:pStyle w:val="berschrift1"/>')
            + paragraph(run("Oak was used first") + '<w:r><w:footnoteReference w:id="2"/></w:r>' + run(", then ")
                        + '<w:del w:id="9" w:author="x"><w:r><w:delText>iron</w:delText></w:r></w:del><w:ins w:id="8" w:author="x">'
                        + run("stone") + "</w:ins>" + run(". See ") + '<w:hyperlink r:id="rId3">' + run("the archive") + "</w:hyperlink>"
                        + run(".") + "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden words</w:t></w:r>")
            + paragraph(run("Kinds"), '<w:pStyle w:val="Sub"/>')
            + item("wood", 0) + item("oak", 1) + item("elm", 1) + item("stone", 0) + item("a bullet", 0, 2) + table
            + paragraph(run("Cost: ") + formula + run(" per yard.") + '<w:r><w:endnoteReference w:id="2"/></w:r>')
            + paragraph(run("Before the break.") + '<w:r><w:br w:type="page"/></w:r>' + '<w:r><w:lastRenderedPageBreak/></w:r>' + run("After the break."))
            + paragraph(picture) + paragraph(run("A box follows.") + box)
            + '<w:p><w:r><w:t>tab</w:t><w:tab/><w:t>line</w:t><w:br/><w:t>end</w:t><w:noBreakHyphen/><w:sym w:font="Wingdings" w:char="F0FE"/></w:r></w:p>'
            + "<w:sectPr><w:headerReference w:type=\"default\" r:id=\"rId4\"/></w:sectPr>")
    archive("bridges.docx", {
        "[Content_Types].xml": '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "_rels/.rels": '<Relationships><Relationship Id="rId1" Type="http://x/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<?xml version="1.0" encoding="UTF-8"?><w:document {W} {R}><w:body>{body}</w:body></w:document>',
        "word/styles.xml": f'<w:styles {W}><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="Sub">'
                           '<w:basedOn w:val="Mid"/></w:style><w:style w:styleId="Mid"><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>',
        "word/numbering.xml": f'<w:numbering {W}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>'
                              '<w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/>'
                              '</w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="x"/>'
                              '</w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/>'
                              "</w:num></w:numbering>",
        "word/footnotes.xml": f'<w:footnotes {W}><w:footnote w:id="0" w:type="separator"><w:p/></w:footnote><w:footnote w:id="2">'
                              + paragraph("<w:r><w:footnoteRef/></w:r>" + run(" Cut in the royal forest.")) + "</w:footnote></w:footnotes>",
        "word/endnotes.xml": f'<w:endnotes {W}><w:endnote w:id="2">' + paragraph(run("In coin of the time.")) + "</w:endnote></w:endnotes>",
        "word/header1.xml": f"<w:hdr {W}>" + paragraph(run("County Archive")) + "</w:hdr>",
        "word/comments.xml": f'<w:comments {W}><w:comment w:id="1">' + paragraph(run("check this")) + "</w:comment></w:comments>",
        "word/media/image1.png": PNG,
        "word/_rels/document.xml.rels": '<Relationships><Relationship Id="rId2" Type="http://x/image" Target="media/image1.png"/><Relationship Id="rId3" '
                                        'Type="http://x/hyperlink" Target="https://example.org/a" TargetMode="External"/><Relationship Id="rId4" '
                                        'Type="http://x/header" Target="header1.xml"/></Relationships>',
        "docProps/core.xml": '<cp:coreProperties xmlns:cp="cp" xmlns:dc="dc"><dc:title>Bridges of the county</dc:title></cp:coreProperties>',
    })


def odt():
    names = " ".join(f'xmlns:{name}="{name}"' for name in ("office", "text", "table", "draw", "svg", "xlink", "style"))
    body = ('<text:tracked-changes><text:changed-region><text:deletion><text:p>deleted words</text:p></text:deletion></text:changed-region>'
            '</text:tracked-changes><text:h text:outline-level="1">The Mill</text:h>'
            '<text:p>It ground<text:s text:c="3"/>corn<text:change text:change-id="c"/>\n  and <text:span>rye</text:span><text:note text:note-class="footnote">'
            "<text:note-citation>1</text:note-citation><text:note-body><text:p>Until 1790.</text:p></text:note-body></text:note>; see "
            '<text:a xlink:href="https://example.org/mill">the plan</text:a>.<office:annotation><text:p>a comment</text:p></office:annotation></text:p>'
            '<text:list text:style-name="L1"><text:list-item><text:p>wheel</text:p><text:list><text:list-item><text:p>axle</text:p></text:list-item>'
            "</text:list></text:list-item><text:list-item><text:p>stone</text:p></text:list-item></text:list>"
            '<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Year</text:p></table:table-cell><table:table-cell>'
            "<text:p>Sacks</text:p></table:table-cell></table:table-row></table:table-header-rows><table:table-row><table:table-cell><text:p>1780</text:p>"
            '</table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>40</text:p></table:table-cell></table:table-row><table:table-row>'
            '<table:table-cell table:number-columns-spanned="2"><text:p>none</text:p></table:table-cell><table:covered-table-cell/></table:table-row></table:table>'
            '<text:p>First page ends<text:soft-page-break/> and the second begins.</text:p><text:p><draw:frame><draw:image xlink:href="Pictures/1.png"/>'
            "<svg:desc>the wheel</svg:desc></draw:frame></text:p><text:p>line<text:line-break/>break<text:tab/>tab</text:p>")
    archive("mill.odt", {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f'<?xml version="1.0"?><office:document-content {names}><office:automatic-styles><text:list-style style:name="L1">'
                       '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/><text:list-level-style-bullet text:level="2"/>'
                       f"</text:list-style></office:automatic-styles><office:body><office:text>{body}</office:text></office:body></office:document-content>",
        "meta.xml": '<office:document-meta xmlns:office="office" xmlns:dc="dc"><office:meta><dc:title>A mill</dc:title></office:meta></office:document-meta>',
        "Pictures/1.png": PNG,
    }, stored=("mimetype",))


def raised():
    """Raised and lowered text, cut into runs as office programs cut it, and a list whose style has a namesake in styles.xml."""
    def run(text, align=""):
        mark = f'<w:rPr><w:vertAlign w:val="{align}"/></w:rPr>' if align else ""
        return f'<w:r>{mark}<w:t xml:space="preserve">{text}</w:t></w:r>'

    up, down = "superscript", "subscript"
    body = ("<w:p>" + run("10") + run("-", up) + run("6", up) + run(" m of H") + run("2", down) + run("O on the 1") + run("st", up)
            + run(" day, x") + run("n", up) + run("i", down) + "</w:p><w:p>" + run("5") + run("2", up) + "</w:p><w:p>" + run("3") + "</w:p>"
            + "<w:p>" + run("Seen") + '<w:hyperlink r:id="rId1">' + run("6,7", up) + "</w:hyperlink>" + run(" twice; 2") + run("9", up)
            + '<w:hyperlink r:id="rId1">' + run("the plan") + "</w:hyperlink>" + run(", e") + run("2", up)
            + "<m:oMath><m:r><m:t>+1</m:t></m:r></m:oMath>" + run(".") + "</w:p>")
    archive("raised.docx", {
        "[Content_Types].xml": '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "_rels/.rels": '<Relationships><Relationship Id="rId1" Type="http://x/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<?xml version="1.0" encoding="UTF-8"?><w:document {W} {R} xmlns:m="m"><w:body>{body}</w:body></w:document>',
        "word/_rels/document.xml.rels": '<Relationships><Relationship Id="rId1" Type="http://x/hyperlink" Target="https://example.org/plan" '
                                        'TargetMode="External"/></Relationships>',
    })
    names = " ".join(f'xmlns:{name}="{name}"' for name in ("office", "text", "style"))

    def position(name, value):
        return f'<style:style style:name="{name}" style:family="text"><style:text-properties style:text-position="{value}"/></style:style>'

    def span(style, text):
        return f'<text:span text:style-name="{style}">{text}</text:span>'

    def part(kind, content):
        return f'<?xml version="1.0"?><office:document-{kind} {names}>{content}</office:document-{kind}>'

    styles = position("T1", "super 58%") + position("T2", "sub 58%") + position("T3", "33% 100%") + position("T4", "0% 100%")
    number = '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>'
    bullet = '<text:list-level-style-bullet text:level="1"/>'
    text = (f"<text:p>10{span('T1', '-6')} m of H{span('T2', '2')}O, {span('T4', 'plain')}, x{span('T3', 'n')}, 1{span('T1', 'st')}, 10{span('T1', span('T5', '9'))}</text:p>"
            '<text:list text:style-name="L1"><text:list-item><text:p>one</text:p></text:list-item><text:list-item><text:p>two</text:p></text:list-item>'
            "</text:list>")
    archive("raised.odt", {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": part("content", f'<office:automatic-styles>{styles}<text:list-style style:name="L1">{number}</text:list-style>'
                                       f"</office:automatic-styles><office:body><office:text>{text}</office:text></office:body>"),
        "styles.xml": part("styles", f'<office:automatic-styles>{position("T1", "0% 100%")}<text:list-style style:name="L1">{bullet}</text:list-style>'
                                     "</office:automatic-styles>"),
    }, stored=("mimetype",))


def epub():
    page = '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>{}</body></html>'
    archive("book.epub", {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
        "OPS/book.opf": '<package xmlns:dc="dc"><metadata><dc:title>A Short Book</dc:title></metadata><manifest><item id="two" href="text/b.xhtml"/>'
                        '<item id="one" href="text/a%20first.xhtml"/><item id="plate" href="text/c.xhtml"/><item id="nav" href="nav.xhtml" properties="nav"/>'
                        '<item id="lost" href="text/lost.xhtml"/></manifest><spine><itemref idref="one"/><itemref idref="two"/><itemref idref="plate"/>'
                        '<itemref idref="lost"/></spine></package>',
        "OPS/nav.xhtml": page.format('<nav><ol><li><a href="text/a%20first.xhtml#x">Chapter One: The Start</a></li></ol></nav>'),
        "OPS/text/b.xhtml": page.format("<h2>Second chapter</h2><p>It ends &amp; that is <em>all</em>. <a href='a%20first.xhtml'>back</a></p>"),
        "OPS/text/a first.xhtml": page.format('<h2>First</h2><p>It begins. <a href="https://example.org">Web</a></p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>'),
        "OPS/text/c.xhtml": page.format('<svg><image xlink:href="../images/plate.png"/></svg>'),
        "OPS/images/plate.png": PNG,
    }, stored=("mimetype",))


def html():
    (HERE / "page.html").write_bytes(
        """<!DOCTYPE html><html><head><meta charset="iso-8859-1"><title>Mühle &amp; Brücke</title><style>p{color:red}</style>
<script>document.write("not shown")</script></head><body><nav><a href="#top">top</a> <a href="/list">List</a></nav>
<h1>The   mill</h1><p>Built in <b>1412</b>,
  burned&nbsp;1531. <!-- a comment --><span style="display: none">hidden</span><span hidden>hidden too</span>Café.<br>Next line</p>
<ul><li>one<ol start="3"><li>three</li><li>four</li></ol></li><li><p>two</p></li></ul>
<table><caption>Output</caption><tr><th>Year<th>Sacks<tr><td rowspan=2>1780<td>40<tr><td>41 | 42<tr><td colspan=2>none</table>
<table><tr><td><table><tr><td>inner a</td><td>inner b</td></tr></table></td></tr></table>
<pre>  keep
    this</pre><blockquote><p>Quoted.</p><p>Twice.</p></blockquote><p><img src="wheel.png" alt="the wheel"> <a href="https://example.org/x">link</a></p>
<noscript>no script</noscript><template>template</template><select><option>A<option>B</select></body></html>
""".encode("latin-1"))


def hostile():
    spaces = b"<w:t>" + b" " * (4 << 20)
    head = f'<w:document {W}><w:body>'.encode()
    tail = b"</w:body></w:document>"
    types = {"[Content_Types].xml": "<Types/>"}
    archive("hostile/bomb.docx", {**types, "word/document.xml": head + b"<w:p><w:r>" + spaces + b"</w:t></w:r></w:p>" + tail})
    entities = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
    archive("hostile/entities.docx", {**types, "word/document.xml": f'<!DOCTYPE d [<!ENTITY l0 "lol">{entities}]>'.encode() + head
                                      + b"<w:p><w:r><w:t>&l11;</w:t></w:r></w:p>" + tail})
    depth = 20000
    archive("hostile/deep.docx", {**types, "word/document.xml": head + b"<w:sdt><w:sdtContent>" * depth + b"</w:sdtContent></w:sdt>" * depth + tail})
    archive("hostile/deep.odt", {"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "<o><body><text>" + "<section>" * depth
                                 + "</section>" * depth + "</text></body></o>"}, stored=("mimetype",))
    archive("hostile/paths.epub", {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="p.opf"/></rootfiles></container>',
        "p.opf": '<package><manifest><item id="a" href="../../../../etc/passwd"/><item id="b" href="/etc/hostname"/><item id="c" href="c.xhtml"/></manifest>'
                 '<spine><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/></spine></package>',
        "c.xhtml": "<html><body><p>the only text</p><img src='../../etc/passwd'></body></html>"}, stored=("mimetype",))
    archive("hostile/not_a_document.docx", {"readme.txt": "nothing here"})
    archive("hostile/no_body.docx", {**types, "word/document.xml": "<w:document/>"})
    archive("hostile/cut_xml.docx", {**types, "word/document.xml": head + b"<w:p><w:r><w:t>cut"})
    whole = (HERE / "bridges.docx").read_bytes()
    (HERE / "hostile" / "truncated.docx").write_bytes(whole[:len(whole) // 2])
    flipped = bytearray(whole)
    start = whole.index(b"word/document.xml") + 100
    flipped[start:start + 40] = bytes(40)
    (HERE / "hostile" / "damaged.docx").write_bytes(flipped)


if __name__ == "__main__":
    texts()
    docx()
    odt()
    raised()
    epub()
    html()
    hostile()
