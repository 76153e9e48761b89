"""known_options.py ROOT TABLE: every option of cufort's that documents name is in the
table of options (what `llvm-tblgen -dump-json` makes of Options.td).

Those are the options in the code of docs/command-line.md and docs/options.md, and
those of every command of cufort's in a document.
"""
import json
import os
import re
import sys

import documents

root, table = sys.argv[1:]
with open(table, encoding="utf-8") as file:
    records = json.load(file)
spellings, joined = set(), []
for name in records["!instanceof"]["Option"]:
    record = records[name]
    if not record["Name"] or record["Name"].startswith("<"):
        continue
    for prefix in record["Prefixes"]:
        spellings.add(prefix + record["Name"])
        if "JOINED" in record["Kind"]["def"]:
            joined.append(prefix + record["Name"])
assert len(spellings) > 300, "the table has changed its form"


def known(option):
    # "x86-64-v2, -v3" is a processor.
    return re.fullmatch(r"-v\d", option) or option in spellings or option.rstrip("=") in spellings \
        or option + "=" in spellings or any(option.startswith(each) for each in joined)


def options(path, text):
    """(line number, option) in code."""
    prose, blocks = documents.split(documents.without_comments(text))
    reference = path in ("docs/command-line.md", "docs/options.md")
    lines = list(enumerate(prose, 1))
    for number, line in lines:
        for code in re.findall(r"`([^`]+)`", line):
            if reference and code.startswith("-"):
                yield number, re.match(r"-[^\s,;)]*", code)[0]
            elif re.match(r"cufort(?!-)\s", code):
                yield from ((number, each) for each in of_command(code))
    for block in blocks:
        for number, line in enumerate(block.lines, block.line):
            if re.match(r"(\$ )?(\w+=\S+ )*(build/bin/)?cufort\s", line):
                yield from ((number, each) for each in of_command(line))


def of_command(line):
    if re.search(r"\bcufort view\s", line):
        return []  # has options of its own: tests/driver/view.test
    line = re.split(r"\s#|&&|\||;|\s--\s|\s{3,}", line)[0]
    return re.findall(r"(?<=\s)-[\w-][^\s\])]*", line)


count, unknown = 0, 0
for path in documents.files(root, ".md"):
    if path.startswith("bench/results/"):
        continue
    for number, option in options(path, documents.read(root, path)):
        count += 1
        if not known(option.strip("`'\"[].,")):
            unknown += 1
            print(f"{path}:{number}: cufort has no option {option}")
assert count > 100, "the options are not found"
sys.exit(bool(unknown))
