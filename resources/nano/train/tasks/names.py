# SPDX-License-Identifier: Apache-2.0
"""Names, nouns and values the generators draw from; open pools by lexicon.py, which also keeps one word in six for TEST."""
import functools

from tasks import lexicon

LAST = """Brook Haddad Lindqvist Okafor Moreau Tanaka Silva Novak Berger Castillo Ferris Ivanov Kaplan Lund Mercer
Nakamura Ortega Pereira Quinn Rossi Sandoval Thorne Ueda Vargas Weaver Yilmaz Zeller Abbott Barlow Chandra Dunn Ellis
Fischer Grant Holt Ibrahim Jensen Keller Lambert Marsh Nilsson Osborne Palmer Reyes Sharma Turner Urban Vance Whitaker
Young Zimmer Archer Bishop Carver Dalton Engel Foster Garner Hayes Ingram Joyce Kramer Larsen Moss Norris Olsen Pratt
Roth Stone Talbot Underhill Voss Walsh York Ziegler Adler Blake Cole Drake Eklund Frost Gibson Hartmann Irving Jordan
Knight Lowell Monroe Nash Odell Parker Ramos Sutton Tran Vogel Wells Wolf Bauer Cho Diaz Evans Fox Gray Hill Ito Khan
Lee Meyer Nolan Park Rao Singh Tate Wood""".split()
CITY = """Lisbon Oslo Kyoto Turin Quito Dublin Prague Cairo Lima Hanoi Geneva Bergen Porto Krakow Seville Boston Denver
Nairobi Accra Tunis Athens Vienna Munich Zurich Helsinki Riga Tallinn Warsaw Budapest Belgrade Sofia Ankara Beirut Amman
Muscat Delhi Mumbai Colombo Bangkok Manila Jakarta Seoul Osaka Sydney Perth Auckland Toronto Montreal Chicago Seattle
Austin Havana Bogota Caracas Santiago Montevideo Lagos Dakar Rabat Marseille Lyon Ghent Antwerp Utrecht Leiden Aarhus
Malmo Turku Vilnius Gdansk Brno Graz Trieste Genoa Valencia Bilbao Cork Leeds York Bristol Cardiff Glasgow""".split()
TOWN_START = """Ash Birch Clay Dun East Fair Glen Hart Iron Kings Lake Mill North Oak Pine Quarry Red Stone Thorn Upper
West Wolf Alder Black Cold Deer Elm Fox Green High Long Marsh Silver Winter""".split()
TOWN_END = "bridge brook bury dale field ford gate ham haven hill hollow mouth port side stead ton view well wick wood".split()
WORD = """Maple Cedar Falcon Orchid Copper Harbor Lantern Juniper Granite Saffron Willow Ember Cobalt Meadow Raven Thistle
Amber Birch Comet Delta Eagle Fern Glacier Heron Indigo Jasper Kestrel Lotus Marble Nectar Onyx Pebble Quartz River
Sable Tundra Umber Velvet Walnut Yarrow Zephyr Acorn Beacon Canyon Dune Echo Flint Garnet Hazel Island Jade Koala Lemon
Mango Noble Opal Panda Quill Robin Spruce Tiger Unicorn Violet Whale Yellow Zebra Anchor Bamboo Cactus Dolphin Elm
Forest Ginger Hammer Iris Jaguar Kiwi Lily Magnet Nova Olive Pearl Queen Rocket Summit Topaz Ultra Vista Wizard Aspen
Badger Cherry Daisy Emerald Finch Gull Holly Ivory Jasmine Knot Lark Mint Nest Otter Plum Quail Rose Sage Tulip Urchin
Viper Wren Alpha Bravo Sierra Tango Victor Oscar Lima Romeo""".split()
THING = """clock lamp ladder kettle violin camera map letter basket mirror rope lantern blanket bottle bicycle typewriter
telescope umbrella suitcase carpet piano guitar chair table vase painting statue necklace ring watch coat hat scarf boot
glove ticket parcel notebook dictionary atlas key padlock hammer saw shovel bucket tent canoe sail anchor compass radio
telephone printer keyboard microscope thermometer scale jar plate cup spoon knife pan oven stove fan heater pump engine
wheel fence gate door window curtain shelf drawer cabinet desk bench wagon cart sled kite drum flute trumpet harp puppet
doll puzzle chessboard coin stamp medal trophy flag banner candle match bell whistle brush broom sponge towel pillow
mattress cradle statuette globe locket brooch helmet shield sword bow net trap cage collar saddle barrel crate sack
envelope manuscript contract blueprint photograph portrait postcard ledger invoice report recipe""".split()
ADJECTIVE = """brass old red wooden small green broken silver heavy blue rusty white yellow golden black copper painted
leather glass tall tiny striped round gray antique plastic iron new torn dusty polished purple orange folding spare
foreign hand-made second-hand square""".split()
PLACE = """harbor office|town library|north garden|old mill|railway station|school kitchen|market square|boat house|post
office|city museum|hotel lobby|back yard|village hall|upper attic|stone cellar|bakery|train depot|hospital canteen|ferry
terminal|repair shop|greenhouse|fire station|concert hall|bus garage|customs shed|lighthouse|chapel|printing house|tailor
shop|courtroom|laundry room|boiler room|reading room|east wing|parking lot|wine cellar|sports club|ticket hall|barn|fish
market|music room|guest house|clinic|airport lounge|bookshop|workshop|toy store|watchtower|riverside camp|art
school""".replace("\n", " ").split("|")
PROFESSION = """baker teacher carpenter nurse pilot gardener tailor lawyer plumber dentist librarian chemist driver painter
cook farmer engineer fisherman waiter butcher electrician journalist architect musician sailor mechanic potter clerk
translator surgeon miner judge guard cleaner actor biologist geologist photographer shepherd watchmaker""".split()
PET = """cat dog parrot rabbit turtle hamster goldfish canary pony goat hen lizard ferret donkey owl snake mouse pigeon
duck lamb""".split()
FOOD = """soup bread rice beans cheese pancakes dumplings mushrooms salmon noodles olives apples cherries potatoes lentils
honey walnuts yogurt carrots spinach plums sausages waffles tomatoes shrimp peaches oatmeal pumpkin""".split()
INSTRUMENT = """violin piano cello flute trumpet guitar harp clarinet banjo accordion oboe drums saxophone tuba organ
mandolin""".split()
LANGUAGE = """Spanish Arabic Japanese Swahili Polish Greek Hindi Turkish Korean Finnish Dutch Russian Italian Persian
Portuguese Welsh Hungarian Thai""".split()
SUBJECT = """chemistry history geology music law astronomy botany economics physics medicine architecture philosophy
linguistics biology statistics sculpture""".split()
COLOR = "red blue green yellow orange purple brown black white pink gray silver".split()
COMPANY_END = "Ltd|Group|Works|Labs|Foods|Trading|Motors|Press|Systems|Partners|Mills|Shipping".split("|")
WEEKDAY = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTH = "January February March April May June July August September October November December".split()
MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


ROOT = """Ack Bar Bell Berg Brad Bram Bran Burn Cal Cant Carl Cham Clif Col Cor Cran Dahl Dal Dan Dev Don Dor Eber Ed Eng Fal Fen Fin
Gar Gil Gor Hal Ham Har Hed Hol Hux Jan Kell Ken Kir Kol Lan Lar Lin Lor Mal Mar Mel Mor Nor Oak Ols Par Pem Per Pol Quin Ral Ras
Ren Ros Rud Sal San Sel Ser Stan Sten Stro Tal Tan Ter Thor Tol Tor Tren Val Var Ven Vil Wal War Wel Wil Win Yar Zam Zel""".split()
SURNAME_END = """son sen berg man ley ton ham ford well wood field worth ov ova ski ini elli ez escu akis ian oglu nen kamp stein dale
ridge by er ers ard ock in o a um quist vik dottir""".split()
_POOLS = {key: tuple(value) for key, value in (
    ("city", CITY), ("word", WORD), ("thing", THING), ("place", PLACE), ("profession", PROFESSION), ("pet", PET),
    ("food", FOOD), ("instrument", INSTRUMENT), ("language", LANGUAGE), ("subject", SUBJECT))}
_OPEN = {"city": "town", "thing": "thing", "place": "building", "profession": "trade", "pet": "animal", "food": "food",
         "instrument": "instrument", "language": "language", "subject": "subject"}       # the kind of lexicon.KINDS
is_test = lexicon.is_test


@functools.lru_cache(maxsize=None)
def _of_split(pool, split):
    return tuple(name for name in _POOLS[pool] if lexicon.fits(name, split))


def draw(r, split, pool):
    """A word of a pool: "first", "last", "word" or one of _OPEN; mostly from WordNet, the rest from the lists above."""
    if pool == "first":
        return r.choice(lexicon.first_names(split))
    if pool == "last":
        return surname(r, split)
    if pool == "word":
        return r.choice(_of_split(pool, split)) if r.random() < 0.1 else lexicon.word(r, split).capitalize()
    known, wide = _of_split(pool, split), lexicon.pool(split, _OPEN[pool])
    return r.choice(known) if r.random() < 0.2 or not wide else lexicon.common(r, wide)


def surname(r, split):
    while True:
        word = r.choice(LAST) if r.random() < 0.2 else r.choice(ROOT) + r.choice(SURNAME_END)
        if lexicon.fits(word, split):
            return word


def person(r, split):
    first = draw(r, split, "first")
    return first if r.random() < 0.35 else f"{first} {surname(r, split)}"


def invented(r, split):
    """A made-up capitalised name of 2 or 3 syllables."""
    return lexicon.invented(r, split).capitalize()


def town(r, split):
    while True:
        word = r.choice(TOWN_START) + r.choice(TOWN_END)
        if lexicon.fits(word, split):
            return word


def city(r, split):
    kind = r.random()
    return town(r, split) if kind < 0.3 else invented(r, split) if kind < 0.45 else draw(r, split, "city")


def label(r, split):
    """A short proper name or code, as given to lockers, projects or ships."""
    kind = r.random()
    if kind < 0.45:
        return draw(r, split, "word")
    if kind < 0.6:
        return invented(r, split)
    if kind < 0.7:
        return f"{draw(r, split, 'word')} {r.randint(2, 99)}"
    if kind < 0.78:
        return f"{lexicon.lemma(r, split, 'adjective')} {lexicon.lemma(r, split)}".title()
    return f"{r.choice(CODE_LETTERS)}{r.randint(1, 99)}" if kind < 0.88 else lexicon.code(r)


def adjective(r, split):
    """Colours and the like may describe anything in either split; the rest is held out by its hash."""
    return r.choice(ADJECTIVE) if r.random() < 0.4 else lexicon.lemma(r, split, "adjective")


def thing(r, split):
    """"the brass clock": the adjective makes most of them distinct"""
    return f"the {adjective(r, split)} {draw(r, split, 'thing')}"


def place(r, split):
    name = draw(r, split, "place")
    return f"the {name}" if " " in name or r.random() < 0.3 else f"the {adjective(r, split)} {name}"


def company(r, split):
    return f"{invented(r, split) if r.random() < 0.5 else surname(r, split)} {r.choice(COMPANY_END)}"


# ---- values -------------------------------------------------------------------------------------------------------

def digits(r, low, high):
    n = r.randint(low, high)
    return str(r.randint(10 ** (n - 1), 10 ** n - 1))


code = lexicon.code


def day(r):
    month = r.randrange(12)
    number = r.randint(1, MONTH_DAYS[month])
    return f"{MONTH[month]} {number}" if r.random() < 0.6 else f"{number} {MONTH[month]}"


def date(r):
    month = r.randrange(12)
    number, year = r.randint(1, MONTH_DAYS[month]), r.randint(1850, 2035)
    kind = r.random()
    if kind < 0.4:
        return f"{MONTH[month]} {number}, {year}"
    return f"{number} {MONTH[month]} {year}" if kind < 0.7 else f"{year}-{month + 1:02}-{number:02}"


def hour(r):
    minute = r.choice((0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55))
    if r.random() < 0.5:
        return f"{r.randint(0, 23):02}:{minute:02}"
    return f"{r.randint(1, 12)}:{minute:02} {r.choice(('a.m', 'p.m'))}."


def money(r):
    kind = r.random()
    if kind < 0.4:
        return f"${r.randint(2, 900)}.{r.choice(('00', '50', '95', '20', '75'))}"
    return f"{r.randint(2, 900)} {r.choice(('dollars', 'euros'))}" if kind < 0.8 else f"${r.randint(1, 99)},{r.randint(0, 999):03}"


def count(r):
    n = r.choice((r.randint(2, 60), r.randint(60, 999), r.randint(1000, 99_999)))
    return f"{n:,}"


def unit(*units):
    return lambda r: f"{r.randint(2, 900) if r.random() < 0.7 else r.randint(20, 999) / 10} {r.choice(units)}"
