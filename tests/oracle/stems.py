"""Prints words with the stems that the installed Hermes searches by, one pair a line. Used by tests only.

Run with the Python of Hermes 0.22: the words are those of its own packages' source files, and the strings in the
stemmer's tables, so that every exception is among them. With a number, about that many of them are chosen: all strings
of the tables, words for every ending there, and others at random. `stems.py 2000 > tests/data/stems.txt` writes the
fixture.
"""

import ast
import pathlib
import random
import re
import sys

import snowballstemmer
from snowballstemmer import english_stemmer

# Words on which older versions of the algorithm differ.
ALSO = """added biologist evening interfering internal international interner interning interval issues lying organization
repositories skis universal university""".split()

packages = pathlib.Path(snowballstemmer.__file__).parent.parent


def table_strings():
    """Every literal of the stemmer's tables: exceptions and endings."""
    tree = ast.parse(pathlib.Path(english_stemmer.__file__).read_text(encoding="utf-8"))
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return {node.value for node in nodes if re.fullmatch("[a-z]+", node.value)}


def source_words(limit):
    """Words of source files, in the order of the files' names."""
    words = {}
    for path in sorted(packages.rglob("*.py")):
        text = path.read_text(encoding="utf-8", errors="replace")
        for word in re.findall("[A-Za-z0-9]+", text):
            if len(word) < 30:
                words.setdefault(word.lower())
        if len(words) >= limit:
            break
    return list(words)[:limit]


def chosen(words, strings, count):
    dice = random.Random(20261016)
    shuffled = words[:]
    dice.shuffle(shuffled)
    found = dict.fromkeys(sorted(strings))
    for ending in sorted(strings):
        if len(ending) < 7:
            found.update(dict.fromkeys([word for word in shuffled if word.endswith(ending)][:8]))
    for word in shuffled:
        if len(found) >= count:
            break
        if not re.search("[0-9]", word):
            found.setdefault(word)
    return sorted(found)


stem = snowballstemmer.stemmer("english").stemWord
strings = table_strings() | set(ALSO)
everything = source_words(30_000)
wanted = chosen(everything, strings, int(sys.argv[1])) if len(sys.argv) > 1 else sorted({*everything, *strings})
for word in wanted:
    print(word, stem(word))
