#!/usr/bin/env python3
"""Runs clang-tidy on what a change touches.

usage: tidy_changes.py --build FOLDER [--since REVISION] [--seconds N]

The change is what the working tree has beyond REVISION. Without one that is
where its branch left origin/main, or, on origin/main itself, the last commit.
A header is looked at through the source file of its name, or else through the
first one that includes it; what is said of files that the change does not touch
is left out. What has not been looked at after N seconds (300) counts as skipped,
and so does everything where there is no clang-tidy or no history.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# As the target tidy has them.
FOLDERS = ("compiler/", "image/", "modules/", "runtime/", "tools/")
NAMES = ("clang-tidy-22", "/usr/lib/llvm-22/bin/clang-tidy")


def git(*words):
    done = subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True,
                          check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def base():
    left = git("merge-base", "HEAD", "origin/main")
    if left and left != git("rev-parse", "HEAD"):
        return left
    return git("rev-parse", "--verify", "-q", "HEAD~1")


def clang_tidy():
    for name in NAMES:
        try:
            if subprocess.run([name, "--version"], capture_output=True,
                              check=False).returncode == 0:
                return name
        except OSError:
            pass
    return None


def units(changed, sources):
    """The source files to look at, each with the changed files that it stands for."""
    found = {}
    for name in changed:
        if not name.startswith(FOLDERS):
            continue
        path = os.path.join(ROOT, name)
        if path in sources:
            found.setdefault(path, []).append(name)
        elif name.endswith(".h"):
            own = os.path.splitext(path)[0] + ".cpp"
            line = f'#include "{name}"'
            through = own if own in sources else next(
                (each for each in sorted(sources) if includes(each, line)), None)
            if through:
                found.setdefault(through, []).append(name)
    return found


def includes(path, line):
    try:
        with open(path, encoding="utf-8") as file:
            return line in file.read()
    except OSError:
        return False


def tidy(program, build, path, names, end):
    """What clang-tidy says; empty: nothing, None: there was no time."""
    left = end - time.monotonic()
    if left <= 0:
        return None
    names = json.dumps([{"name": name} for name in names])
    try:
        done = subprocess.run(
            [program, "--quiet", "-p", build, f"--line-filter={names}", path],
            capture_output=True, text=True, timeout=left, check=False)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode == 0:
        return ""
    return re.sub(r"^\d+ (warnings|errors).*\n", "", done.stdout + done.stderr, flags=re.M)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--since")
    parser.add_argument("--seconds", type=int, default=300)
    options = parser.parse_args()
    since = options.since or base()
    program = clang_tidy()
    changed = since and git("diff", "--name-only", "--diff-filter=d", since)
    if changed is None or not program:
        print("no clang-tidy" if not program else "no history")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    with open(os.path.join(options.build, "compile_commands.json"), encoding="utf-8") as file:
        sources = {os.path.normpath(os.path.join(each["directory"], each["file"]))
                   for each in json.load(file)}
    found = units(changed.split("\n"), sources)
    end = time.monotonic() + options.seconds
    passed = failed = skipped = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        # The short ones first: more of them are looked at in the time there is.
        order = sorted(found, key=os.path.getsize)
        for path, said in zip(order, pool.map(
                lambda path: tidy(program, options.build, path, found[path], end), order)):
            if said is None:
                skipped += 1
                print(f"no time for {os.path.relpath(path, ROOT)}")
            elif said:
                failed += 1
                print(said)
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
