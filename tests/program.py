"""A program test: a CUDA Fortran or CUDA C++ source file that says in comments how it is
built and what it must do.

    ! FLAGS: -O2 -Mfixed        options for cufort
    ! SOURCES: Inputs/b.cuf     further files, compiled with it, relative to it
    ! GENERATED: Inputs/g.py x  a script that writes a further file, compiled first
    ! ARCHIVE: Inputs/a.cuf     files compiled first, into a static library that
                                is linked last; their modules can be used
    ! MODULE: Inputs/k.cu       device code for cuModuleLoad: module.fatbin, in the
                                folder where the program is compiled
    ! SEPARATE:                 compile each source with -c, then link
    ! ARGS: 100 input.txt       arguments of the program; %S: the source's folder
    ! ENV: NAME=VALUE           environment of the program
    ! EXPECT: text              a line of the output, without its blanks at either
                                end; several: in this order
    ! STATUS: 7                 the exit status (0)
    ! FAILS: text               the program must fail, with this in its output
    ! DEVICES: cpu              the devices to run on (cpu cuda)
    ! NEEDS: cub/cub.cuh        a header of the system; without it the program is skipped
    ! GPUS: 2                   how many GPUs it needs; with fewer it is skipped there
    ! VARIANTS: cpu cuda        only these of program_format.py's variants
    ! CHECKS: race memory       what --check finds in it, wrong on purpose (nothing)
    ! UNCHECKED:                not under the checkers: with a fiber for each thread
                                it would not end, or it needs a fault that is
                                not made there
    ! SLOW:                     not part of check-fast
    ! TIMEOUT: 60               seconds the program may run (60)

A program that is not to fail must exit with zero and print PASSED (or what
STATUS and EXPECT say).
"""
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys

DIRECTIVE = re.compile(
    r"^\s*[!cC*/]+\s*(FLAGS|SOURCES|GENERATED|ARCHIVE|MODULE|SEPARATE|ARGS|ENV|EXPECT|STATUS|FAILS|NEEDS"
    r"|DEVICES|GPUS|VARIANTS|CHECKS|UNCHECKED|SLOW|TIMEOUT):\s*(.*?)\s*$")
BUILD_SECONDS = 300
# Built with --check: the environment it runs in, and how much longer it may take.
REPORT = "check-report.json"
CHECKED = {"CUFORT_CHECK_REPORT": REPORT, "CUFORT_CHECK_EXIT": "0"}
CHECKED_TIME = 5
SUFFIXES = (".cuf", ".CUF", ".f90", ".F90", ".f", ".F", ".cu")


class Failure(Exception):
    """What went wrong, as text for the report."""


class Program:
    def __init__(self, source):
        self.source = source
        self.folder = os.path.dirname(source)
        self.said = {}
        with open(source, encoding="utf-8") as file:
            for line in file:
                match = DIRECTIVE.match(line)
                if match:
                    self.said.setdefault(match[1], []).append(match[2])
        self.devices = self.words("DEVICES") or ["cpu", "cuda"]
        self.variants = self.words("VARIANTS")
        self.checks = self.words("CHECKS")
        self.unchecked = "UNCHECKED" in self.said
        self.gpus = int(self.said.get("GPUS", ["1"])[0])
        self.slow = "SLOW" in self.said
        self.missing = [name for name in self.words("NEEDS")
                        if not os.path.exists(os.path.join("/usr/include", name))]
        self.expected = self.said.get("EXPECT", [])
        self.failures = self.said.get("FAILS", [])
        self.status = int(self.said.get("STATUS", ["0"])[0])
        self.timeout = int(self.said.get("TIMEOUT", ["60"])[0])
        self.arguments = [w.replace("%S", self.folder) for w in self.words("ARGS")]
        self.environment = dict(w.split("=", 1) for w in self.words("ENV"))

    def words(self, name):
        return [word for line in self.said.get(name, []) for word in shlex.split(line)]

    def files(self, name):
        return [os.path.join(self.folder, word) for word in self.words(name)]

    def build(self, cufort, folder, extra=()):
        """Compiles and links in the empty folder; returns the executable."""
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        flags = [*self.words("FLAGS"), *extra]
        executable = os.path.join(folder, "program")
        if "MODULE" in self.said:
            call([cufort, *flags, "-fatbin", *self.files("MODULE"),
                  "-o", os.path.join(folder, "module.fatbin")], folder)
        objects = self.compile(cufort, flags, self.files("ARCHIVE"), folder)
        link = []
        if objects:
            archive = os.path.join(folder, "liba.a")
            call(["llvm-ar", "rcs", archive, *objects], folder)
            link = ["-L", folder, "-la"]
        sources = [*self.generate(folder), *self.files("SOURCES"), self.source]
        if "SEPARATE" in self.said:
            sources = self.compile(cufort, flags, sources, folder)
        call([cufort, *flags, *sources, *link, "-o", executable], folder)
        return executable

    def generate(self, folder):
        sources = []
        for number, line in enumerate(self.said.get("GENERATED", [])):
            script, *arguments = shlex.split(line)
            sources.append(os.path.join(folder, f"generated{number}.cuf"))
            with open(sources[-1], "w", encoding="utf-8") as file:
                file.write(call([sys.executable, os.path.join(self.folder, script),
                                 *arguments], folder))
        return sources

    @staticmethod
    def compile(cufort, flags, sources, folder):
        objects = []
        for source in sources:
            name = os.path.splitext(os.path.basename(source))[0] + ".o"
            objects.append(os.path.join(folder, name))
            call([cufort, *flags, "-c", source, "-o", objects[-1]], folder)
        return objects

    def run(self, executable, device):
        """Runs the program; returns its output or raises Failure."""
        environment = {**os.environ, **self.environment, "CUFORT_DEVICE": device}
        try:
            done = subprocess.run(
                [executable, *self.arguments], cwd=os.path.dirname(executable),
                env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                timeout=self.timeout, check=False)
        except subprocess.TimeoutExpired as timeout:
            raise Failure(f"no end after {self.timeout} s\n"
                          f"{(timeout.stdout or b'').decode(errors='replace')}") from None
        output = done.stdout.decode(errors="replace")
        self.judge(done.returncode, output)
        return output

    def judge(self, status, output):
        if self.failures:
            # Fortran's library ends a program by abort where it says "fatal".
            if status <= 0 and status != -signal.SIGABRT:
                raise Failure(f"exit status {status}, expected a failure\n{output}")
            for text in self.failures:
                if text not in output:
                    raise Failure(f"not in the output: {text}\n{output}")
            return
        if status != self.status:
            raise Failure(f"exit status {status}, expected {self.status}\n{output}")
        lines = [line.strip() for line in output.splitlines()]
        for text in [*self.expected]:
            if text not in lines:
                raise Failure(f"no such line from here on: {text}\n{output}")
            del lines[: lines.index(text) + 1]
        if not self.expected and "PASSED" not in lines:
            raise Failure(f"does not say PASSED\n{output}")

    def under_checkers(self):
        """It is to be built with --check, and run so."""
        self.environment = {**CHECKED, **self.environment}
        self.timeout *= CHECKED_TIME
        if "race" in self.checks or (self.checks and self.failures):
            # What a race leaves depends on who comes first; an access that ends
            # the program is reported, and not made. The reports are judged.
            self.judge = lambda status, output: None

    def judge_reports(self, folder):
        """Whether there are reports of just the kinds that are there on purpose."""
        reports = []
        file = os.path.join(folder, REPORT)
        if os.path.exists(file):  # not where it has no device code at all
            with open(file, encoding="utf-8") as stream:
                reports = json.load(stream)["reports"]
        lines = [f"{r['kind']} ({r['rule']}) {r['count']} times: " + ", ".join(
            f"{p['access']} {p['element'] or p['variable']} at "
            f"{os.path.basename(p['file'])}:{p['line']}" for p in r["places"])
                 for r in reports if r["kind"] not in self.checks]
        lines += [f"no report of {kind}" for kind in self.checks
                  if not any(r["kind"] == kind for r in reports)]
        if lines:
            raise Failure("under --check:\n" + "\n".join(lines))


def call(command, folder):
    try:
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=BUILD_SECONDS,
                              check=False)
    except subprocess.TimeoutExpired:
        raise Failure(f"{shlex.join(command)}\n"
                      f"no end after {BUILD_SECONDS} s") from None
    if done.returncode != 0:
        raise Failure(f"{shlex.join(command)}\nexit status {done.returncode}\n"
                      f"{done.stdout.decode(errors='replace')}")
    return done.stdout.decode(errors="replace")
