"""What VS Code would make of the files and of cufort's messages.

usage: vscode.py EDITORS MESSAGES... -- SOURCE

Every line of the files MESSAGES that says error, warning or note has to be one
for the problem matcher, but for sums and what is about no file, and each file has
to have an error or a warning; the grammar's words are looked for in SOURCE.
"""
import json
import os
import re
import sys

editors, *messages, _, source = sys.argv[1:]


def read(*path):
    with open(os.path.join(editors, *path), encoding="utf-8") as file:
        return json.load(file)


package = read("vscode", "package.json")
contributes = package["contributes"]
for each in contributes["grammars"]:
    assert os.path.exists(os.path.join(editors, "vscode", each["path"]))
for each in contributes["languages"]:
    assert os.path.exists(os.path.join(editors, "vscode", each["configuration"]))
matcher = contributes["problemMatchers"][0]["pattern"]
assert read("vscode", "tasks.json")["tasks"][0]["problemMatcher"]["pattern"] == matcher
assert ".cuf" in read("fortls.json")["incl_suffixes"]
configuration = read("vscode", "language-configuration.json")
increase = re.compile(configuration["indentationRules"]["increaseIndentPattern"])
for line in ("module m", "contains", "  attributes(global) subroutine k(a)",
             "do i = 1, n", "if (a) then", "  real function f()"):
    assert increase.match(line), line
for line in ("end module", "call s", "a = 1", "module procedure p"):
    assert not increase.match(line), line

# Messages.
pattern = re.compile(matcher["regexp"])
nowhere = re.compile(r"cufort: (error|warning|note): the constant variables"
                     r"|error: (Could not (scan|parse)|Semantic errors in) \S+$")
count = 0
for name in messages:
    here = 0
    with open(name, encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            found = pattern.match(line)
            if found:
                here += found[matcher["severity"]] in ("error", "warning")
                path = found[matcher["file"]]
                assert os.path.exists(path), f"no file {path}: {line}"
                assert int(found[matcher["line"]]) > 0, line
                assert int(found[matcher["column"]]) > 0, line
            elif nowhere.match(line):
                continue
            elif re.search(r"\b(error|warning|note|remark): |: because: ", line):
                sys.exit(f"{name}: no problem for VS Code: {line}")
    if not here and name != "constant.txt":
        sys.exit(f"{name}: nothing that VS Code would show")
    count += here
print("messages", count)


# The grammar: a word is what the first pattern that matches at its place says.
grammar = read("vscode", "syntaxes", "cuf.tmLanguage.json")


def patterns(entries):
    for entry in entries:
        if "include" in entry:
            entry = grammar["repository"][entry["include"][1:]]
        expression = entry.get("match", entry.get("begin"))
        yield re.compile(expression), entry


rules = list(patterns(grammar["patterns"]))


def scopes(line):
    at = 0
    while at < len(line):
        found = [(rule.search(line, at), entry) for rule, entry in rules]
        found = [(match, entry) for match, entry in found if match and match[0]]
        if not found:
            return
        match, entry = min(found, key=lambda each: each[0].start())
        yield entry.get("name", "attributes"), match[0].strip()
        at = match.end()


with open(source, encoding="utf-8") as file:
    for line in file:
        for scope, text in scopes(line.rstrip("\n")):
            print(scope, "|", text)
