"""The cases of the checkers' tests: what their sources say of them (check_format.py),
and what is wrong with a run of them."""
import json
import os
import re
import subprocess

CASE = re.compile(r"(?:!|//) CASE (\w+): (RIGHT|FAULTY)((?: \w+)*)")
END = re.compile(r"(?:!|//) END CASES")
LINE = re.compile(r"(?:!|//) (CHECK|MAY)-([A-Z]+)(?:\((\w+)\))?: ((?:\w+ ?)+)")
ELEMENT = re.compile(r"(?:!|//) (ELEMENT|ITERATION): (.+?) *$")
SAID = re.compile(r"^(?:!|//) (ENV|FLAGS): (.*?)\s*$")
WORKERS = ("1", "2", "4")
HERE = os.path.dirname(os.path.abspath(__file__))


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


def known_misses(source):
    """The cases of source of which known-misses.txt says that they are found wrong."""
    with open(os.path.join(HERE, "known-misses.txt"), encoding="utf-8") as lines:
        known = [line.split()[:2] for line in lines
                 if line.strip() and not line.startswith("#")]
    return {name for file, name in known if file == os.path.basename(source)}


def execute(command, environment=None, folder=None, seconds=60):
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=seconds, check=False, cwd=folder,
                              env={**os.environ, **(environment or {})})
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "it did not end")


def build(cufort, source, folder, flags):
    program = os.path.join(folder, "program")
    command = [cufort, "--check", "--device=cpu", *flags]
    if not source.endswith(".cu"):
        command += ["-module", folder, os.path.join(HERE, "Inputs/cases.f90")]
    done = execute([*command, source, "-o", program], seconds=300)
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
