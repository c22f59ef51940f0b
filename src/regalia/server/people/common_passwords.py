"""Passwords that are tried first: made from a few hundred words and the ways people vary them.

No list of stolen passwords is part of this program. What those lists are full of follows few patterns, which are told
here: a well-known word, perhaps doubled or with a second one, its letters turned into digits, digits and signs around
it; a row of the keyboard; a date; the same again and again.
"""

from __future__ import annotations

import re
import unicodedata

WORD_LIST = """
    password passwort wachtwoord kennwort pass passwd pwd secret geheim geheimnis geheimpje welcome willkommen
    welkom hello hallo hoi moin servus login logon admin administrator root user guest gast test testing tester
    demo default master letmein access open sesame enter start trust trustno nothing whatever changeme change
    new temp temporary love iloveyou loveyou ichliebedich ikhouvanjou liebe liefde schatz schatje darling
    sweetheart baby honey angel engel prince princess prinz prinzessin prins prinses king queen koenig konig
    koenigin konigin koning koningin crown krone kroon dragon drache draak monkey affe aap tiger lion loewe
    leeuw bear baer beer wolf eagle adler arend shark horse pferd paard dog hund hond cat katze kat mouse maus
    muis bird vogel butterfly schmetterling vlinder unicorn einhorn eenhoorn dolphin delfin dolfijn panda pony
    snoopy mickey minnie bambi simba garfield pikachu pokemon football fussball voetbal soccer baseball
    basketball hockey tennis golf running racing ferrari porsche mercedes bmw audi volkswagen toyota honda
    harley corvette mustang yamaha kawasaki liverpool arsenal chelsea barcelona realmadrid juventus bayern
    muenchen munchen borussia dortmund schalke hamburg ajax feyenoord psv sunshine sonnenschein zonneschijn
    summer sommer zomer winter spring fruehling lente autumn herbst herfst rainbow regenbogen regenboog sun
    sonne zon moon mond maan star stern ster sky himmel hemel fire feuer vuur water wasser flower blume bloem
    rose roos garden garten tuin forest ocean river mountain thunder lightning storm snow schnee sneeuw shadow
    schatten schaduw silver silber zilver golden diamond diamant crystal kristall kristal superman batman
    spiderman wonderwoman starwars startrek matrix hobbit gandalf frodo merlin harrypotter hogwarts zelda mario
    sonic minecraft fortnite roblox playstation nintendo xbox warcraft gamer player legend ninja pirate freedom
    freiheit vrijheid peace frieden vrede hope hoffnung hoop faith lucky glueck geluk happy gluecklich blij
    computer internet google facebook instagram twitter youtube amazon apple samsung microsoft windows android
    linux michael jennifer jessica ashley amanda andrew anthony charlie daniel david george hannah jordan joshua
    justin maggie martin matthew nicole patrick robert samantha sophie taylor thomas william alexander andreas
    anna benjamin christian claudia felix florian frank hans heinz jonas julia katharina klaus laura lena leon
    lukas maria marie max maximilian michaela monika niklas paul peter petra sabine sandra sarah sebastian
    stefan stefanie susanne tobias ursula wolfgang anouk bart daan eva femke fleur iris jan jeroen johan joost
    kees koen lars lieke lotte maarten marieke pieter piet ruben sander sanne sem thijs tim willem monday
    tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag
    sonntag maandag dinsdag woensdag donderdag vrijdag zaterdag zondag january february march april may june
    july august september october november december januar februar maerz mai juni juli oktober dezember januari
    februari maart mei augustus london paris berlin amsterdam rotterdam utrecht vienna wien zurich zuerich
    cologne koeln koln frankfurt stuttgart brussels brussel antwerpen newyork america germany deutschland
    nederland holland england europe europa austria chocolate schokolade chocolade coffee kaffee koffie cookie
    pizza cheese kaese kaas banana banane banaan orange pepper ginger peanut strawberry erdbeere aardbei cherry
    kirsche kers purple violet yellow black white green blue schwarz weiss gruen blau rot geel zwart wit groen
    blauw rood family familie mother father mutter vater moeder vader mama papa mom dad oma opa friend freund
    vriend friends jesus christ god gott buddha blessed heaven soldier hunter killer warrior knight ritter
    ridder wizard magic magie the and for you your mein dein mijn jouw ich ikke this that ist is not was who
    fuckyou fuck shit asshole arschloch klootzak sexy hottie bitch scheisse kut
"""
WORDS = frozenset(WORD_LIST.split())
ROWS = (
    "1234567890",
    "qwertyuiop",
    "qwertzuiopue",
    "azertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "yxcvbnm",
    "wxcvbn",
    "abcdefghijklmnopqrstuvwxyz",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
    "1q2w3e4r5t6y7u8i9o0p",
    "q1w2e3r4t5y6u7i8o9p0",
    "qazwsxedcrfvtgbyhnujmikolp",
    "147258369",
    "159753",
    "1122334455667788990",
)
LEET = str.maketrans("4@301!|5$7+8", "aaeoiiisstt" + "b")
AROUND = re.compile(r"^[^a-z]+|[^a-z]+$")


def is_common(password: str, *context: str) -> bool:
    """Would it be among the first tries? `context`: names that belong to whoever chooses it."""
    text = unicodedata.normalize("NFKC", password).casefold().replace("ß", "ss")
    plain = "".join(letter for letter in text if letter.isalnum())
    if len(set(text)) < 5 or is_repeated(text) or is_row(plain):
        return True
    if plain.isdigit() and len(plain) < 12:  # dates and numbers of telephones
        return True
    words = WORDS | {word for name in context for word in words_of(name)}
    bare = AROUND.sub("", text)
    return any(
        is_made_of(letters, words)
        for letters in {
            re.sub("[^a-z]", "", variant)
            for variant in (
                text,
                bare,
                text.translate(LEET),
                bare.translate(LEET),
                AROUND.sub("", text.translate(LEET)),
            )
        }
        if letters and len(letters) + 8 >= len(text)
    )


def words_of(name: str) -> set[str]:
    """The whole of it and its parts."""
    parts = re.findall("[a-z]+", unicodedata.normalize("NFKC", name).casefold())
    return {word for word in (*parts, "".join(parts)) if len(word) > 2}


def is_repeated(text: str) -> bool:
    return any(text == (text[:size] * len(text))[: len(text)] for size in range(1, len(text) // 2 + 1))


def is_row(text: str) -> bool:
    """A piece of a row, forwards or backwards, or two of them."""
    pieces = 0
    while text and pieces < 3:
        best = max((common_start(text, row) for row in (*ROWS, *(row[::-1] for row in ROWS))), default=0)
        if best < 3:
            break
        text = text[best:]
        pieces += 1
    return pieces > 0 and len(text) < 3 and pieces < 3


def common_start(text: str, row: str) -> int:
    """How much of the text's beginning stands in the row."""
    longest = 0
    while longest < len(text) and text[: longest + 1] in row:
        longest += 1
    return longest


def is_made_of(letters: str, words: frozenset[str] | set[str]) -> bool:
    """One word, or two."""
    return letters in words or any(
        letters[:cut] in words and letters[cut:] in words for cut in range(3, len(letters) - 1)
    )
