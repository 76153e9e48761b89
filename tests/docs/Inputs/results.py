"""results.py FOLDER: the files of bench/results have their form, and each ratio
is that of its two values."""
import csv
import glob
import os
import re
import sys

HEAD = ["machine and opponent", "row", "cufort", "opponent", "unit",
        "ratio (above one: cufort is faster)"]
problems = []
files = [path for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.csv")))
         if re.fullmatch(r"\d{4}-\d\d-\d\d\.csv", os.path.basename(path))]
assert files, "the results are not found"
for path in files:
    with open(path, encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    if head != HEAD:
        problems.append(f"{path}:1: {head}")
    for number, row in enumerate(rows, 2):
        try:
            _, _, ours, theirs, unit, ratio = row
            ratio = float(ratio)
            if not ours or not theirs:
                continue
            # Times count one way, rates the other.
            faster = float(ours) / float(theirs) if "/s" in unit else float(theirs) / float(ours)
            if abs(faster - ratio) > 0.04 * ratio + 0.01:
                problems.append(f"{path}:{number}: {faster:.3f} is not {ratio}")
        except ValueError as error:
            problems.append(f"{path}:{number}: {error}")
print(*problems, sep="\n")
sys.exit(bool(problems))
