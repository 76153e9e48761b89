#!/usr/bin/env python3
"""Runs all tests of a build and ends with "N passed, N failed, N skipped"; before
that it lists those that took longest.

usage: run.py --build FOLDER [--fast] [suite...]

A suite is a folder of tests/ (programs, cpu, driver, ...) or the name of a unit
test or of a test with a count of its own; none: everything.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SLOWEST = 20  # this many are listed


class Count:
    def __init__(self, passed=0, failed=0, skipped=0):
        self.passed, self.failed, self.skipped = passed, failed, skipped

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def __str__(self):
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def run_lit(build, suites, fast, times):
    """Adds each test's seconds and name to times."""
    folders = [os.path.join(build, "tests", suite) for suite in suites]
    with tempfile.TemporaryDirectory() as scratch:
        results = os.path.join(scratch, "results.json")
        command = [sys.executable, lit_path(build), "-sv", "--output", results,
                   *(["-Dfast=1"] if fast else []),
                   *(folders or [os.path.join(build, "tests")])]
        status = subprocess.run(command, check=False).returncode
        try:
            with open(results, encoding="utf-8") as file:
                tests = json.load(file)["tests"]
        except (OSError, ValueError):
            print(f"lit itself failed with status {status}")
            return Count(failed=1)
    count = Count()
    for test in tests:
        times.append((test["elapsed"] or 0, test["name"].removeprefix("cufort :: ")))
        code = test["code"]
        if code in ("PASS", "FLAKYPASS"):
            count.passed += 1
        elif code in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
            count.skipped += 1
        elif code == "XFAIL":
            # A known gap: neither works nor counts as working.
            count.skipped += 1
        else:
            count.failed += 1
    return count


def lit_path(build):
    with open(os.path.join(build, "tests", "lit.site.cfg.py"), encoding="utf-8") as file:
        return os.path.join(re.search(r"llvm_tools = r'(.*)'", file.read())[1], "lit")


def run_unit(name, executable):
    """A GoogleTest executable; its own report is shown where a test fails."""
    if not os.path.exists(executable):
        print(f"{name} is not built")
        return Count(failed=1)
    with tempfile.TemporaryDirectory() as scratch:
        report = os.path.join(scratch, "report.json")
        done = subprocess.run([executable, f"--gtest_output=json:{report}"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False)
        try:
            with open(report, encoding="utf-8") as file:
                suites = json.load(file)["testsuites"]
        except (OSError, ValueError):
            suites = []
    count = Count()
    for suite in suites:
        for test in suite["testsuite"]:
            if test.get("failures"):
                count.failed += 1
            elif test.get("status") == "NOTRUN" or test.get("result") == "SKIPPED":
                count.skipped += 1
            else:
                count.passed += 1
    if done.returncode != 0 and not count.failed:
        count.failed += 1  # it crashed
    if count.failed:
        sys.stdout.write(done.stdout.decode(errors="replace"))
    return count


def run_counted(name, command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    output = done.stdout.decode(errors="replace")
    match = re.search(r"(\d+) passed, (\d+) failed, (\d+) skipped\s*\Z", output)
    count = Count(*map(int, match.groups())) if match else Count(failed=1)
    if done.returncode != 0 and not count.failed:
        count.failed += 1
    if count.failed:
        sys.stdout.write(output)
    return count


def not_built(rows):
    """The names of the programs that tests need and that are missing."""
    return [name for kind, name, *command in rows
            if kind in ("tool", "unit", "unit-slow") and not os.path.exists(command[0])]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("suites", nargs="*")
    options = parser.parse_args()
    build = os.path.abspath(options.build)

    wanted = options.suites
    folders = [s for s in wanted if os.path.isdir(os.path.join(HERE, s.split("/")[0]))]
    suites = os.path.join(build, "tests", "suites.tsv")
    if not os.path.exists(suites):
        print(f"no build in {options.build}: cmake --preset default, and\n"
              "cmake --build --preset default --target cufort-tests")
        return 1
    with open(suites, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.strip()]
    counted = {row[1] for row in rows if row[0] != "tool"}
    if unknown := [suite for suite in wanted if suite not in folders and suite not in counted]:
        print(f"no such suite: {' '.join(unknown)}")
        return 1
    rows = [row for row in rows if not wanted or row[1] in wanted or row[0] == "tool"]
    if missing := not_built(rows):
        print(f"not built: {' '.join(missing)}\n"
              f"before tests: cmake --build {options.build} --target cufort-tests")
        print(Count(failed=len(missing)))
        return 1

    total, times = Count(), []

    def report(name, count):
        print(f"{name}: {count}", flush=True)
        total.add(count)

    if folders or not wanted:
        report("lit", run_lit(build, folders, options.fast, times))
    for kind, name, *command in rows:
        start = time.monotonic()
        if kind == "unit" or (kind == "unit-slow" and not options.fast):
            report(name, run_unit(name, command[0]))
        elif kind == ("counted-fast" if options.fast else "counted"):
            report(name, run_counted(name, command))
        else:
            continue
        times.append((time.monotonic() - start, name))
    print("seconds of the slowest:")
    for seconds, name in sorted(times, reverse=True)[:SLOWEST]:
        print(f"{seconds:8.1f}  {name}")
    print(total)
    return 1 if total.failed or not total.passed else 0


if __name__ == "__main__":
    sys.exit(main())
