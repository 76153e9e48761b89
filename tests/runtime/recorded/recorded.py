#!/usr/bin/env python3
"""Compares what the runtime answers with what CUDA answered on a GPU.

usage: recorded.py --cufort COMPILER [--device cpu|cuda] [--print] [subject...]
       recorded.py --answers FOLDER [--device cpu|cuda] [subject...]

Each subject (fill, copies, ...; all if none is named) is a program beside this
script. It is built by cufort and run on one engine, and each line "section:
call -> answer" is compared with SUBJECT.h200.txt, which the same program
printed when nvcc had built it. A line passes where both are the same, or where
differences.txt has the answer of this engine; a difference that is listed there
and no longer exists fails. Calls that were not recorded, and those with which
CUDA's program ended, pass where they neither end the program nor keep the
following call from working, unless the same end is listed.

On GPUs (--device cuda, or CUFORT_DEVICE=cuda in the environment) differences
that are not listed are printed and count as skipped. With --answers, nothing is
built and run: FOLDER has SUBJECT.txt, what programs that were built by cufort
printed on another machine. The last line is "N passed, N failed, N skipped".
"""
import argparse
import collections
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ANY = "any answer"
NOT_CALLED = "not called"


class Count:
    """What passed, what was left out, and the texts of what failed."""

    def __init__(self):
        self.passed = self.skipped = self.listed = self.unrecorded = 0
        self.failures, self.notes = [], []


def numbered(lines):
    """The lines "section: call -> answer" as {call: answer} in their order; the
    second of two equal calls of a section is "call #2". Spaces do not count, as
    the lines of a program may be broken anew."""
    answers, seen = {}, collections.Counter()
    for line in lines:
        call, arrow, answer = line.rpartition(" -> ")
        if not arrow:
            call, answer = line, ""
        key = re.sub(r"\s+", "", call)
        seen[key] += 1
        if seen[key] > 1:
            key += f"#{seen[key]}"
        answers[key] = (call, answer)
    return answers


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file]


def read_differences(device):
    """{call: answer} for this engine; every line must stand below a reason."""
    differences, reason, errors = {}, False, []
    for number, line in enumerate(read_lines(os.path.join(HERE, "differences.txt")), 1):
        if not line.strip():
            reason = False
        elif line.startswith("#"):
            reason = True
        else:
            match = re.fullmatch(r"(cpu|cuda|both) (\w+: .*) -> (.*)", line)
            if not match or not reason:
                errors.append(f"differences.txt:{number}: no engine, no answer or no reason")
            elif match[1] in (device, "both"):
                differences[re.sub(r"\s+", "", match[2])] = match[3]
    return differences, errors


def works(call, answer):
    """Whether the program went on, and the following call worked."""
    return (" next=" not in answer and not re.match(r"(SIGNAL|EXIT) ", answer)
            and not re.search(r": (ENDED$|SETUP )", call))


def build_and_run(subject, options, folder):
    """The lines of one subject's program, or the text of what went wrong."""
    if options.answers:
        try:
            return read_lines(os.path.join(options.answers, subject + ".txt")), None
        except OSError as error:
            return None, error
    program = os.path.join(folder, subject)
    built = subprocess.run(
        [options.cufort, "-w", "-O0", *(["--device=cpu"] if options.device == "cpu" else []),
         os.path.join(HERE, subject + ".cu"), "-o", program],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if built.returncode:
        return None, built.stdout
    done = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "CUFORT_DEVICE": options.device}, check=False)
    if done.returncode:
        return None, done.stdout + done.stderr
    return done.stdout.splitlines(), None


def compare(lines, recording, differences, device):
    """Compares the lines of a run with those of a recording; the differences
    that are met are taken out of the list."""
    count = Count()
    here, there = numbered(lines), numbered(recording)
    for key, (call, answer) in there.items():
        if key in here or answer.startswith("SIGNAL"):
            continue
        if differences.pop(key, None) == NOT_CALLED:
            count.passed += 1
            count.listed += 1
        else:
            count.failures.append(f"{call}: recorded, but not called")
    for key, (call, answer) in here.items():
        recorded = there.get(key, (call, None))[1]
        listed = differences.pop(key, None)
        if recorded is not None and recorded.startswith("SIGNAL") and listed == answer:
            count.passed += 1
            count.listed += 1
        elif recorded is None or recorded.startswith("SIGNAL"):
            if listed is not None:
                count.failures.append(f"{call}: listed as a difference, but not recorded")
            elif works(call, answer):
                # Numbers, too, are only right where there is a recording.
                if not re.fullmatch(r"-?\d+", answer):
                    count.passed += 1
                    count.unrecorded += 1
            else:
                count.failures.append(f"{call} -> {answer} (not recorded)")
        elif listed == ANY:
            count.passed += 1
            count.listed += 1
        elif answer == recorded:
            if listed is None:
                count.passed += 1
            else:
                count.failures.append(f"{call} -> {answer}: no difference any more")
        elif answer == listed:
            count.passed += 1
            count.listed += 1
        elif device == "cuda" and listed is None and works(call, answer):
            count.skipped += 1
            count.notes.append(f"{call} -> {answer}, recorded {recorded}")
        else:
            count.failures.append(
                f"{call} -> {answer}, recorded {recorded}"
                + (f", listed {listed}" if listed is not None else ""))
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--cufort", help="the compiler")
    source.add_argument("--answers", help="a folder of what the programs printed elsewhere")
    parser.add_argument("--device", choices=("cpu", "cuda"),
                        default=os.environ.get("CUFORT_DEVICE") or "cpu",
                        help="the engine that runs the programs")
    parser.add_argument("--print", action="store_true", help="print the lines of the programs")
    parser.add_argument("subjects", nargs="*", help="programs without .cu (all)")
    options = parser.parse_args()
    subjects = options.subjects or sorted(
        os.path.basename(path)[:-3] for path in glob.glob(os.path.join(HERE, "*.cu")))
    if options.device == "cuda" and options.cufort and not has_gpu(options.cufort):
        print("no GPU")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    differences, errors = read_differences(options.device)
    failed = len(errors)
    passed = skipped = listed = unrecorded = 0
    for error in errors:
        print(error)
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = pool.map(lambda subject: build_and_run(subject, options, folder), subjects)
        for subject, (lines, problem) in zip(subjects, runs):
            if lines is None:
                print(f"{subject}: {problem}")
                failed += 1
                continue
            if options.print:
                print("\n".join(lines))
            recording = os.path.join(HERE, subject + ".h200.txt")
            recorded = [line for line in read_lines(recording) if not line.startswith("#")] \
                if os.path.exists(recording) else []
            count = compare(lines, recorded, differences, options.device)
            for failure in count.failures:
                print(f"{subject}: FAILED {failure}")
            for note in count.notes:
                print(f"{subject}: differs: {note}")
            passed += count.passed
            failed += len(count.failures)
            skipped += count.skipped
            listed += count.listed
            unrecorded += count.unrecorded
    if not options.subjects:
        for call in differences:
            print(f"differences.txt: {call}: no such call")
        failed += len(differences)
    print(f"{listed} deliberate differences, {unrecorded} calls never recorded")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


def has_gpu(cufort):
    """Whether cufort finds a GPU here."""
    done = subprocess.run([cufort, "info"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
