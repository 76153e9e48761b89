"""messages.py BUILD PAGE COLUMN...: the messages that a column of a page's tables
quotes (from the left from 1, from the right from -1) are in the compiler, the
runtime or the headers.

A message is quoted with examples of what varies: names in quotation marks,
numbers, "...". What stands between these must be in the programs as it is.
"""
import glob
import os
import re
import sys

import documents

VARIES = (r", |'[^']*'|\"[^\"]*\"|\.\.\.|\([^)]*\)|(?<![\w.])\d[\d.]*(?!\w)"
          r"|\w+::\w+|\b\w+\.\w+\b|\bcu\w+|=\w+|__\w+")
SHORTEST = 10  # characters of a piece that is worth looking for


def quoted(text, column):
    """(line number, code in backticks) of the column, of several words."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith("| ") or line.startswith("| --- "):
            continue
        cells = re.split(r"(?<!\\)\|", line.strip()[1:-1])
        place = column - 1 if column > 0 else column
        if -len(cells) <= place < len(cells):
            for code in re.findall(r"`([^`]+)`", cells[place]):
                if len(code.split()) >= 3:
                    yield number, code.replace("\\|", "|")


def main():
    build, page, *columns = sys.argv[1:]
    contents = []
    for path in [os.path.join(build, "bin", "cufort"),
                 *glob.glob(os.path.join(build, "lib", "*.a")),
                 *glob.glob(os.path.join(build, "lib", "*.so*")),
                 *glob.glob(os.path.join(build, "include", "**", "*"), recursive=True)]:
        if os.path.isfile(path):
            with open(path, "rb") as file:
                contents.append(file.read())
    programs = b"\n".join(contents)

    def says(words):
        return " ".join(words).encode() in programs

    def said(piece, parts=3):
        """As it is, or of up to three parts that a message is put together from."""
        words = piece.split(" ")
        return says(words) or parts > 1 and any(
            says(words[:place]) and said(" ".join(words[place:]), parts - 1)
            for place in range(len(words) - 1, 0, -1))

    text = documents.read(os.path.dirname(page), os.path.basename(page))
    count, missing = 0, 0
    for column in columns:
        for number, message in quoted(text, int(column)):
            count += 1
            for piece in re.split(VARIES, message):
                piece = piece.strip(" ;,:.")
                if len(piece) >= SHORTEST and not said(piece):
                    missing += 1
                    print(f"{page}:{number}: nothing says '{piece}' ({message})")
    assert count > 10, "the messages are not found"
    sys.exit(bool(missing))


main()
