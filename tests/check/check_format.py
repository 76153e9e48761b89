"""The checkers' tests: programs of many small cases, each faulty or right.

A source says in comments where a case begins, which ends at the next one:

    ! CASE name: RIGHT
    ! CASE name: FAULTY kind variable     kind: race memory init sync leak; the
                                          variable may be missing
    ! CASE name: FAULTY kind ALONE        its kernel may not end: it has a
                                          process of its own
    ! END CASES
    ! ENV: NAME=VALUE                     environment of the program
    ! FLAGS: -option                      for cufort, beside --check

and on lines that a report of the case has to name, or may, which accesses:

    s(i) = s(i+1) ! CHECK-RACE: read write ! MAY-MEMORY: read
    deallocate(a) ! CHECK-MEMORY(name): host      behind the cases, of one by name
    a(n) = 1 ! ELEMENT: a(17) of a(16)            and the text has these words, or
    a(i, j) = 1 ! ITERATION: j = 1, i = 7         these of a kernel loop

A program runs the cases that its arguments name. With each number of workers the
right cases must have the right results and an empty list of reports; each faulty
one has reports of its kind, on all the lines that it names and on no others.
What known-misses.txt lists is found wrong today; what works again fails until it
is taken from the list.
"""
import json
import os
import re
import subprocess
import sys

import lit.Test
import lit.formats

CASE = re.compile(r"(?:!|//) CASE (\w+): (RIGHT|FAULTY)((?: \w+)*)")
END = re.compile(r"(?:!|//) END CASES")
LINE = re.compile(r"(?:!|//) (CHECK|MAY)-([A-Z]+)(?:\((\w+)\))?: ((?:\w+ ?)+)")
ELEMENT = re.compile(r"(?:!|//) (ELEMENT|ITERATION): (.+?) *$")
SAID = re.compile(r"^(?:!|//) (ENV|FLAGS): (.*?)\s*$")
WORKERS = ("1", "2", "4")


class Case:
    def __init__(self, name, verdict, words, line):
        self.name, self.right, self.first, self.last = name, verdict == "RIGHT", line, None
        self.alone = "ALONE" in words
        words = [word for word in words if word != "ALONE"]
        self.kind = words[0] if words else None
        self.variable = words[1] if len(words) > 1 else None
        self.wanted = set()   # (kind, line, access)
        self.allowed = set()
        self.elements = set()  # what the text names

    def judge(self, reports):
        """What is wrong with what was reported; empty: nothing."""
        found = {(r["kind"], p["line"], p["access"])
                 for r in reports for p in r["places"] if p["line"]}
        wrong = [f"{kind} {access} on line {line} is not reported"
                 for kind, line, access in sorted(self.wanted - found)]
        wrong += [f"unexpected: {kind} {access} on line {line}"
                  for kind, line, access in sorted(found - self.wanted - self.allowed)]
        if not self.right and not any(r["kind"] == self.kind for r in reports):
            wrong.append(f"no report of {self.kind}")
        if self.variable and reports and not any(
                p["variable"].lower() == self.variable for r in reports for p in r["places"]):
            wrong.append(f"no report names {self.variable}")
        wrong += [f"a report of {r['kind']} ({r['rule']}) without a line" for r in reports
                  if not any(p["line"] for p in r["places"])]
        return wrong


def read(source):
    cases, said = [], {"ENV": [], "FLAGS": []}
    with open(source, encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            if match := SAID.match(text):
                said[match[1]] += match[2].split()
            if match := CASE.search(text):
                if cases and cases[-1].last is None:
                    cases[-1].last = number - 1
                cases.append(Case(match[1], match[2], match[3].split(), number))
            elif END.search(text) and cases:
                cases[-1].last = number
            if match := ELEMENT.search(text):
                cases[-1].elements.add(
                    ("to " if match[1] == "ELEMENT" else "in iteration ") + match[2])
            for mode, kind, name, accesses in LINE.findall(text):
                case = next((c for c in cases if c.name == name), cases[-1])
                place = case.wanted if mode == "CHECK" else case.allowed
                place |= {(kind.lower(), number, each) for each in accesses.split()}
    return cases, said


def belongs(report, case, source):
    """Whether report is about case: by its first place with a line, else by its kernel."""
    for place in report["places"]:
        if place["line"] and os.path.basename(place["file"]) == os.path.basename(source):
            return case.first <= place["line"] <= (case.last or 10**9)
    return report["kernel"].lower() == case.name


class CheckTest(lit.formats.FileBasedTest):
    def execute(self, test, lit_config):
        source = test.getSourcePath()
        folder = test.getExecPath() + ".tmp"
        os.makedirs(folder, exist_ok=True)
        cases, said = read(source)
        with open(os.path.join(os.path.dirname(source), "known-misses.txt"),
                  encoding="utf-8") as file:
            known = {tuple(line.split()[:2]) for line in file
                     if line.strip() and not line.startswith("#")}
        known = {name for file, name in known if file == os.path.basename(source)}
        try:
            program = build(test, source, folder, said["FLAGS"])
            wrong = {}
            for workers in WORKERS:
                for name, texts in run_all(program, cases, source, folder, workers,
                                           said["ENV"]).items():
                    wrong.setdefault(name, []).extend(
                        f"{workers} workers: {text}" for text in texts)
        except RuntimeError as failure:
            return lit.Test.FAIL, str(failure)
        output = []
        for case in cases:
            texts = wrong.get(case.name, [])
            if texts and case.name in known:
                output.append(f"known: {case.name}: {texts[0]}")
            elif texts:
                output.append(f"{case.name}: " + "\n    ".join(texts))
        failed = [name for name, texts in wrong.items() if texts and name not in known]
        again = [name for name in known if not wrong.get(name)]
        output += [f"{name} works: take it from known-misses.txt" for name in sorted(again)]
        return (lit.Test.FAIL if failed or again else lit.Test.PASS), "\n".join(output)


def execute(command, environment=None, folder=None):
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=60, check=False, cwd=folder,
                              env={**os.environ, **(environment or {})})
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "it did not end")


def build(test, source, folder, flags):
    program = os.path.join(folder, "program")
    command = [test.config.cufort, "--check", "--device=cpu", *flags]
    if not source.endswith(".cu"):
        command += ["-module", folder, os.path.join(os.path.dirname(source), "Inputs/cases.f90")]
    done = execute([*command, source, "-o", program])
    if done.returncode:
        raise RuntimeError(" ".join(command) + ":\n" + done.stdout + done.stderr)
    return program


def run_all(program, cases, source, folder, workers, environment):
    """What is wrong with each case, by its name."""
    together = [[c for c in cases if c.right],
                [c for c in cases if not c.right and not c.alone]]
    wrong = {}
    for group in together + [[c] for c in cases if c.alone]:
        if not group:
            continue
        file = os.path.join(folder, "report.json")
        if os.path.exists(file):
            os.remove(file)
        done = execute([program, *(c.name for c in group)],
                       {"CUFORT_DEVICE": "cpu", "CUFORT_NUM_THREADS": workers,
                        "CUFORT_CHECK_REPORT": file,
                        **dict(each.split("=", 1) for each in environment)}, folder)
        try:
            with open(file, encoding="utf-8") as stream:
                reports = json.load(stream)["reports"]
        except (OSError, ValueError) as problem:
            raise RuntimeError(f"{' '.join(c.name for c in group)}: no report "
                               f"({problem}), status {done.returncode}:\n"
                               + done.stdout + done.stderr) from None
        for case in group:
            wrong[case.name] = case.judge([r for r in reports if belongs(r, case, source)])
            wrong[case.name] += [f"no report names {each}" for each in sorted(case.elements)
                                 if f" {each}\n" not in done.stderr]
        stray = [r for r in reports if not any(belongs(r, c, source) for c in group)]
        ended = (done.returncode == 0 and "PASSED" in done.stdout if group[0].right
                 else done.returncode == 86)
        last = done.stderr.rstrip().rsplit("\n", 1)[-1]
        if stray or "ERROR SUMMARY: " not in last or (
                not ended and (not group[0].right or all(not wrong[c.name] for c in group))):
            wrong[group[0].name].append(
                f"status {done.returncode}, {stray} {done.stdout[-300:]} {done.stderr[-300:]}")
    return wrong
