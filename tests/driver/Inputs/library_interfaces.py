"""Compares the interfaces of modules with what NVIDIA's say (library-interfaces.txt):

    library_interfaces.py FOLDER LIST

FOLDER has Flang's module files, which are Fortran. Says what a module lacks or has
otherwise, and how many names of each were compared.
"""
import os
import re
import sys

FOLDER, LIST = sys.argv[1:]


class Module:
    """What a module shows: procedures with their arguments, values, types."""

    def __init__(self, name):
        self.procedures, self.values, self.types, self.generics = {}, {}, set(), {}
        self.names = set()
        with open(os.path.join(FOLDER, name + ".mod"), encoding="utf-8-sig") as file:
            text = file.read()
        results, depth, generic = {}, [], None
        for line in text.splitlines():
            self.names.update(re.findall(r"\w+", line.lower()))
            if m := re.match(r"use\s*(?:,intrinsic::|\s)(\w+),only:(?:(\w+)=>)?(\w+)$", line):
                self.take(*m.groups())
            elif m := re.match(r".*,parameter::(\w+)=(-?\d+)_\d$", line):
                self.values[m[1]] = int(m[2])
            elif m := re.match(r"type(?:,[^:]*)?::(\w+)$", line):
                self.types.add(m[1])
            elif m := re.match(r"(?:[\w()* ,]*?\b)?(function|subroutine) (\w+)\(([\w,]*)\)(.*)",
                               line):
                depth.append(m[2])
                result = re.search(r"result\((\w+)\)", m[4])
                results[m[2]] = result[1] if result else m[2]
                self.procedures[m[2]] = [m[3].split(",") if m[3] else [],
                                         "call" if m[1] == "subroutine" else ""]
            elif depth and (m := re.match(
                    r"([\w()=]+?)(?:,[\w,()]*)?::" + results[depth[-1]] + r"$", line)):
                self.procedures[depth[-1]][1] = m[1]
            elif line == "end" and depth:
                depth.pop()
            elif m := re.match(r"interface (\w+)$", line):
                generic = self.generics.setdefault(m[1], [])
            elif line == "end interface":
                generic = None
            elif generic is not None and (m := re.match(r"procedure::(.*)", line)):
                generic += m[1].split(",")

    def take(self, module, new, old):
        if module.startswith("__"):
            return
        other = read(module)
        new = new or old
        for mine, theirs in ((self.procedures, other.procedures),
                             (self.values, other.values),
                             (self.generics, other.generics)):
            if old in theirs:
                mine[new] = theirs[old]
        if old in other.types:
            self.types.add(new)
        # What a generic name of the other one stands for.
        for each in other.generics.get(old, []):
            if each in other.procedures:
                self.procedures.setdefault(each, other.procedures[each])

    def forms(self, name):
        found = [self.procedures[each] for each in self.generics.get(name, [])
                 if each in self.procedures]
        return found + ([self.procedures[name]] if name in self.procedures else [])


MODULES = {}


def read(name):
    if name not in MODULES:
        MODULES[name] = Module(name)
    return MODULES[name]


def lines():
    """The list's words, with letters in place of $ and %."""
    with open(LIST, encoding="utf-8") as file:
        for line in file:
            line = line.split("#")[0].strip()
            m = re.fullmatch(r"\[([\w ]+)\]\s*(.*)", line)
            for letter in m[1].split() if m else [None]:
                text = m[2] if m else line
                if letter:
                    text = text.replace("$", letter).replace("%", letter.lower())
                if text:
                    yield text.lower()


def matches(form, arguments, result):
    return (len(form[0]) == len(arguments) and form[1] == result and
            all(b in (".", a) for a, b in zip(form[0], arguments)))


wrong = 0


def say(text):
    global wrong  # pylint: disable=global-statement
    wrong += 1
    print(text)


module, compared, name = None, 0, None
for text in lines():
    if m := re.fullmatch(r"module (\w+)", text):
        if module:
            print(f"{name}: {compared} compared")
        name, module, compared = m[1], read(m[1]), 0
    elif text.startswith(("type ", "name ")):
        kind, *names = text.split()
        for each in names:
            compared += 1
            if each not in (module.types if kind == "type" else module.names):
                say(f"{name}: no {kind} {each}")
    elif "(" in text:
        for each, arguments, result in re.findall(
                r"([\w]+)\(([^()]*)\)(?:\s*->\s*(call|[a-z]+\(\w+\)))?", text):
            compared += 1
            wanted = [a.strip() for a in arguments.split(",") if a.strip()]
            forms = module.forms(each)
            if not any(matches(form, wanted, result or "integer(4)") for form in forms):
                say(f"{name}: {each}({', '.join(wanted)}) {result}: "
                    f"{' or '.join(str(f) for f in forms[:3]) or 'is not there'}")
    else:
        for each, value in re.findall(r"(\w+)=(-?\d+)", text):
            compared += 1
            if module.values.get(each) != int(value):
                say(f"{name}: {each} is {module.values.get(each)}, not {value}")
print(f"{name}: {compared} compared")
print(f"{wrong} wrong")
