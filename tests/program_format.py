"""The lit format of program tests: each file is one test per device, and for the
CPU also one without optimisation, where host code cannot touch device memory, and
one with a fiber for every thread. Tests of a file with the same options run the
same executable: the first of them builds it.

With lit's parameter "check" each file is one test, built with --check: it does what
it must, and the checkers report nothing, or just the kinds that CHECKS names."""
import fcntl
import glob
import os
import shutil
import uuid

import lit.formats
import lit.Test

from program import SUFFIXES, Failure, Program

# name: device, options, environment, part of check-fast. What is optimised has code
# for this machine's instruction set alone (at_level), the one that a program with
# code for all would take: what would not run need not be compiled. The tests of
# random/ and driver/ compile for all.
VARIANTS = {
    "cpu": ("cpu", [], {}, True),
    "cpu-O0": ("cpu", ["-O0"], {"CUFORT_CPU_GUARD": "1"}, False),
    "cpu-fibers": ("cpu", [], {"CUFORT_CPU_FIBERS": "1"}, False),
    "cuda": ("cuda", [], {}, True),
}
CHECKED = {"check": ("cpu", ["--check"], {}, True)}


class ProgramFormat(lit.formats.TestFormat):
    def __init__(self):
        # Every run of lit builds anew; its workers have a copy of this.
        self.run = uuid.uuid4().hex

    def getTestsInDirectory(self, suite, path, lit_config, config):
        folder = suite.getSourcePath(path)
        for name in sorted(os.listdir(folder)):
            if name.endswith(SUFFIXES) and not name.startswith("."):
                program = Program(os.path.join(folder, name))
                for variant, (device, _, _, fast) in self.variants(config).items():
                    if device not in program.devices or not (fast or not config.fast):
                        continue
                    if variant in CHECKED and program.unchecked:
                        continue
                    if (not program.variants or variant in program.variants
                            or variant in CHECKED):
                        test = lit.Test.Test(suite, (*path, f"{name}@{variant}"), config)
                        if variant == "cpu-fibers":
                            # At the end: earlier it would wait for the build by
                            # name@cpu, with nothing to do meanwhile.
                            test.previous_elapsed = -1e-6
                        yield test

    @staticmethod
    def variants(config):
        return CHECKED if config.check else VARIANTS

    @staticmethod
    def at_level(program, config):
        """The option for this machine's instruction set, unless the program has one."""
        own = any(word.startswith(("-march", "-tp")) or word in ("-O0", "-g")
                  for word in program.words("FLAGS"))
        level = next((name for name in ("x86-64-v4", "x86-64-v3")
                      if name in config.available_features), "x86-64-v2")
        return [] if own else [f"-march={level}"]

    def execute(self, test, lit_config):
        source, _, variant = test.getSourcePath().rpartition("@")
        device, options, environment, _ = self.variants(test.config)[variant]
        program = Program(source)
        if not options:
            options = self.at_level(program, test.config)
        if device not in test.config.devices:
            return lit.Test.UNSUPPORTED, f"there is no device {device} here"
        if device == "cuda" and len(glob.glob("/dev/nvidia[0-9]*")) < program.gpus:
            return lit.Test.UNSUPPORTED, f"it needs {program.gpus} GPUs"
        if program.missing:
            return lit.Test.UNSUPPORTED, f"there is no {program.missing[0]}"
        if program.slow and test.config.fast:
            return lit.Test.UNSUPPORTED, "left out of check-fast"
        program.environment = {**environment, **program.environment}
        base = test.getExecPath().rpartition("@")[0]
        folder = f"{test.getExecPath()}.dir"
        try:
            built = self.build_once(program, test.config.cufort,
                                    f"{base}{''.join(options)}.build", options)
            # What the program writes is this test's own.
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(os.path.dirname(built), folder, copy_function=os.link)
            if variant in CHECKED:
                program.under_checkers()
            program.run(os.path.join(folder, os.path.basename(built)), device)
            if variant in CHECKED:
                program.judge_reports(folder)
        except Failure as failure:
            return lit.Test.FAIL, str(failure)
        return lit.Test.PASS, ""

    def build_once(self, program, cufort, folder, options):
        """The executable in the folder, built where no test of this run did that."""
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        with open(f"{folder}.state", "a+", encoding="utf-8") as state:
            fcntl.flock(state, fcntl.LOCK_EX)
            state.seek(0)
            run, _, said = state.read().partition("\n")
            if run == self.run:
                good, _, text = said.partition("\n")
                if good == "built":
                    return text
                raise Failure(text)
            said = "failed\n"
            try:
                executable = program.build(cufort, folder, options)
                said = f"built\n{executable}"
            except Failure as failure:
                said += str(failure)
                raise
            finally:
                state.truncate(0)
                state.write(f"{self.run}\n{said}")
        return executable
