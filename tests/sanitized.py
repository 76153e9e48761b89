#!/usr/bin/env python3
"""Builds the runtime with each sanitizer, runs its tests, and ends with
"N passed, N failed, N skipped".

usage: sanitized.py --build FOLDER [--stress N] [sanitizer...]

The sanitizers are those of -fsanitize= (address,undefined and thread); each has
its own build in FOLDER/sanitized-NAME. The compiler is the first of $CXX,
clang++-22 and g++ that has their run-time libraries. --stress runs the stress
tests N times. Says how long each test took.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

from run import Count, run_unit

HERE = os.path.dirname(os.path.abspath(__file__))
ALL = ["address,undefined", "thread"]
TESTS = ["runtime-tests", "runtime-fault-tests", "runtime-fake-driver-tests"]


def compiler_for(sanitizer):
    """The first pair of C and C++ compilers that can link with it."""
    pairs = [("clang-22", "clang++-22"), ("gcc", "g++")]
    if "CXX" in os.environ:
        pairs.insert(0, (os.environ.get("CC", "cc"), os.environ["CXX"]))
    with tempfile.TemporaryDirectory() as scratch:
        program = os.path.join(scratch, "main")
        for c, cxx in pairs:
            command = [cxx, f"-fsanitize={sanitizer}", "-x", "c++", "-", "-o", program]
            try:
                done = subprocess.run(command, input=b"int main() {}", check=False,
                                      stderr=subprocess.DEVNULL)
            except FileNotFoundError:
                continue
            if done.returncode == 0:
                return c, cxx
    return None


def build(sanitizer, folder):
    """Whether the tests are built in \\p folder; None: there is no compiler."""
    compilers = compiler_for(sanitizer)
    if not compilers:
        return None
    environment = dict(os.environ, CC=compilers[0], CXX=compilers[1])
    steps = [["cmake", "-S", os.path.dirname(HERE), "-B", folder, "-G", "Ninja",
              "-DCMAKE_BUILD_TYPE=RelWithDebInfo", f"-DCUFORT_SANITIZE={sanitizer}"],
             ["cmake", "--build", folder, "--target", *TESTS]]
    for step in steps:
        done = subprocess.run(step, env=environment, check=False, encoding="utf-8",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            print(done.stdout)
            return False
    return True


def stress(executable, rounds):
    done = subprocess.run([executable, "--gtest_filter=Stress*:StressDevices*",
                           f"--gtest_repeat={rounds}", "--gtest_brief=1"], check=False)
    return Count(passed=done.returncode == 0, failed=done.returncode != 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--stress", type=int, default=0)
    parser.add_argument("sanitizers", nargs="*")
    options = parser.parse_args()
    os.environ.setdefault("ASAN_OPTIONS", "detect_stack_use_after_return=1")
    total = Count()
    for sanitizer in options.sanitizers or ALL:
        folder = os.path.join(options.build, "sanitized-" + sanitizer.replace(",", "-"))
        built = build(sanitizer, folder)
        if built is None:
            print(f"{sanitizer}: no compiler has the run-time library")
            total.add(Count(skipped=1))
            continue
        count = Count(failed=0 if built else 1)
        if built:
            for test in TESTS:
                begin = time.monotonic()
                count.add(run_unit(test, os.path.join(folder, "tests", "unit", test)))
                print(f"{sanitizer}: {test}: {time.monotonic() - begin:.0f} s", flush=True)
            if options.stress:
                count.add(stress(os.path.join(folder, "tests", "unit", "runtime-tests"),
                                 options.stress))
        print(f"{sanitizer}: {count}", flush=True)
        total.add(count)
    print(total)
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
