"""Who calls another function of the API names its own call first.

routines.py SOURCE: checks modules/*.cpp against modules/cudafor.table, and
runtime/api. Prints what is counted under a wrong name, and how many it saw."""

import glob
import re
import sys

source = sys.argv[1]
OTHER = re.compile(r"\b(cuda[A-Z]\w*|__cufort_\w+)\b(?=[(,);])")


def functions(pattern, prefix):
    for path in sorted(glob.glob(f"{source}/{pattern}", recursive=True)):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"//.*", "", file.read())
        heads = list(re.finditer(
            rf"^(?:[\w:]+[ *&]+)+({prefix}\w*)\(([^;{{}}]*)\)\s*\{{", text, re.M))
        for head in heads:
            depth, end = 1, head.end()
            while depth:
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
            yield path, head[1], text[head.end():end]


def table():
    names = {"__cudafor_DeviceName": "cudaGetDeviceProperties"}
    with open(f"{source}/modules/cudafor.table", encoding="utf-8") as file:
        for line in file:
            routine = re.fullmatch(r"(\w+)\(.*?\)(?:\s*=\s*(\w+))?\s*", line)
            if routine:
                names[routine[2] or "__cudafor_" + routine[1]] = routine[1]
    return names


names, seen, wrong = table(), 0, []
for path, symbol, body in functions("modules/*.cpp", "__cudafor_cuda"):
    name = names.get(symbol, symbol.replace("__cudafor_", ""))
    seen += 1
    if name.startswith("cudafor"):
        continue
    said = re.search(r'const Routine routine\("(\w+)"\);', body)
    # allocateArray and freeArray tell the device of the descriptor.
    others = set(OTHER.findall(body)) | set(re.findall(r"allocateArray|freeArray", body))
    if said and said[1] != name:
        wrong.append(f"{path}: {symbol} says it is {said[1]}")
    if not said and others != {name}:
        wrong.append(f"{path}: {symbol} calls {sorted(others)}")
for path, name, body in functions("runtime/api/**/*.cpp", "cuda"):
    seen += 1
    others = set(re.findall(r"\b(cuda[A-Z]\w*)\(", body)) - {name}
    others = {other for other in others if not other.startswith("cudaError")}
    if others and "profile::Call" not in body:
        wrong.append(f"{path}: {name} calls {sorted(others)}")
print(*wrong, f"{seen} functions, {len(wrong)} wrong", sep="\n")
