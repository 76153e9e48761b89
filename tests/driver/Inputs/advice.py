"""Every note on a message of Flang's is expected by a test.

usage: advice.py ADVICE.cpp TESTS...

The notes are the literals of ADVICE.cpp that are reasons (_because_en_US); some
file of the folders TESTS must have each one's whole text, with words of its own
for %s.
"""
import glob
import os
import re
import sys

LITERAL = r'"((?:[^"\\]|\\.)*)"'


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        source = file.read()
    notes = ["".join(re.findall(LITERAL, match))
             for match in re.findall(rf"((?:{LITERAL.replace('(', '(?:', 1)}\s*)+)"
                                     "_because_en_US", source)]
    tests = ""
    for folder in sys.argv[2:]:
        for path in glob.glob(os.path.join(folder, "*.*")):
            with open(path, encoding="utf-8") as file:
                tests += file.read()
    missing = [note for note in notes
               if not re.search(re.escape(note).replace("%s", r"\S+"), tests)]
    for note in missing:
        print(f"no test expects: {note}")
    return bool(missing) or len(notes) < 40


if __name__ == "__main__":
    sys.exit(main())
