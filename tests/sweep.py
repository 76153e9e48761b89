#!/usr/bin/env python3
"""Runs what the tests have under the checkers again and again: a race that is found
in one run of ten is a race that is missed, and so is a false alarm.

usage: sweep.py build --build FOLDER [--cufort COMMAND] [--march LEVEL] [word...]
       sweep.py run [--runs N] [--workers 1,2,4] [--jobs N] [word...]
       sweep.py wrong

build compiles the program tests and those of check/ with --check into
FOLDER/check-bundle, with this script beside them; programs that are there already are
left alone. That folder runs on a machine with nothing but glibc and Python: run does
each program N times (2) with each number of workers, N jobs at a time (a quarter of
the cores), and says of each that was wrong how often, and what the first time. wrong
lists the program tests that are wrong on purpose, with the kinds of reports that they
must have (CHECKS). Words: only the programs in whose names one of them stands.
"""
import argparse
import collections
import concurrent.futures
import os
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "check")]
# pylint: disable=wrong-import-position
import check_cases  # noqa: E402
from program import SUFFIXES, Failure, Program  # noqa: E402


def sources(words):
    """Name and path of each program test and of each file of check/."""
    for suite in ("check", "programs"):
        for path, folders, names in os.walk(os.path.join(HERE, suite)):
            folders[:] = sorted(set(folders) - {"Inputs", "wrong"})
            for name in sorted(names):
                title = os.path.join(os.path.relpath(path, HERE), name)
                if name.endswith(SUFFIXES) and (
                        not words or any(word in title for word in words)):
                    yield title, os.path.join(path, name)


def wanted(words):
    for title, source in sources(words):
        if title.startswith("check/"):
            yield title, source
            continue
        program = Program(source)
        if ("cpu" in program.devices and not program.missing
                and not program.unchecked):
            yield title, source


def build(options):
    options.build = os.path.abspath(options.build)
    cufort = options.cufort or os.path.join(options.build, "bin", "cufort")
    with open(os.path.join(options.build, "tests", "lit.site.cfg.py"),
              encoding="utf-8") as file:
        tools = file.read().split("llvm_tools = r'")[1].split("'")[0]
    os.environ["PATH"] = tools + os.pathsep + os.environ["PATH"]
    bundle = os.path.join(options.build, "check-bundle")
    for suite in ("programs", "check"):
        shutil.copytree(os.path.join(HERE, suite), os.path.join(bundle, suite),
                        dirs_exist_ok=True)
    for name in ("sweep.py", "program.py"):
        shutil.copy(os.path.join(HERE, name), bundle)
    flags = ["--check", "--device=cpu", f"-march={options.march}"]

    def compile_one(title, source):
        folder = os.path.join(bundle, "bin", title)
        if os.path.exists(os.path.join(folder, "program")):
            return
        with tempfile.TemporaryDirectory() as scratch:
            if title.startswith("check/"):
                _, said = check_cases.read(source)
                program = check_cases.build(cufort, source, scratch,
                                            [f"-march={options.march}", *said["FLAGS"]])
            else:
                program = Program(source).build(
                    cufort, os.path.join(scratch, "build"), [*flags, "-Wl,--gc-sections"])
            os.makedirs(folder, exist_ok=True)
            module = os.path.join(os.path.dirname(program), "module.fatbin")
            for file in (module, program):
                if os.path.exists(file):
                    shutil.move(file, os.path.join(folder, os.path.basename(file)))

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {title: pool.submit(compile_one, title, source)
                   for title, source in wanted(options.words)}
        for title, future in running.items():
            try:
                future.result()
            except (Failure, RuntimeError) as failure:
                failed += 1
                print(f"{title} does not build:\n{failure}", flush=True)
    print(f"{len(running) - failed} programs in {bundle}, {failed} do not build")
    return failed


def run_program(title, source, workers):
    """What is wrong with one run; empty: nothing."""
    built = os.path.join(HERE, "bin", title)
    with tempfile.TemporaryDirectory() as folder:
        for name in os.listdir(built):
            os.symlink(os.path.join(built, name), os.path.join(folder, name))
        try:
            if title.startswith("check/"):
                cases, said = check_cases.read(source)
                known = check_cases.known_misses(source)
                found = check_cases.run_all(os.path.join(folder, "program"), cases, source,
                                            folder, workers, said["ENV"])
                return "\n".join(f"{name}: {text}" for name, texts in found.items()
                                 for text in texts if name not in known)
            program = Program(source)
            program.environment = {"CUFORT_NUM_THREADS": workers, **program.environment}
            program.under_checkers()
            program.run(os.path.join(folder, "program"), "cpu")
            program.judge_reports(folder)
        except (Failure, RuntimeError) as failure:
            return str(failure)
    return ""


def run(options):
    workers = options.workers.split(",")
    programs = [(title, source) for title, source in sources(options.words)
                if os.path.exists(os.path.join(HERE, "bin", title, "program"))]
    wrong, first = collections.Counter(), {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = {pool.submit(run_program, title, source, count): (title, count)
                   for title, source in programs for _ in range(options.runs)
                   for count in workers}
        for future in concurrent.futures.as_completed(running):
            if text := future.result():
                title, count = running[future]
                wrong[title] += 1
                if title not in first:
                    first[title] = f"with {count} workers: {text}"
                    print(f"{title} {first[title]}", flush=True)
    each = options.runs * len(workers)
    print("\n".join(f"{title}: {count} of {each} runs wrong"
                    for title, count in sorted(wrong.items())))
    print(f"{len(programs)} programs, {each * len(programs)} runs, "
          f"{sum(wrong.values())} wrong in {len(wrong)} programs")
    return len(wrong)


def list_wrong(options):
    for title, source in wanted(options.words):
        if title.startswith("programs/") and (kinds := Program(source).checks):
            print(f"{title}: {' '.join(kinds)}")
    return 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("what", choices=("build", "run", "wrong"))
    parser.add_argument("--build")
    parser.add_argument("--cufort")
    parser.add_argument("--march", default="x86-64-v3")
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--workers", default="1,2,4")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) // 4))
    parser.add_argument("words", nargs="*")
    # Words may stand behind the options, too.
    options = parser.parse_intermixed_args()
    if options.what == "build" and not options.build:
        parser.error("build needs --build")
    return 1 if {"build": build, "run": run, "wrong": list_wrong}[options.what](options) else 0


if __name__ == "__main__":
    sys.exit(main())
