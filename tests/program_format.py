"""The lit format of program tests: each file is one test per device, and for the
CPU also one without optimisation, where host code cannot touch device memory, and
one with a fiber for every thread."""
import glob
import os

import lit.formats
import lit.Test

from program import SUFFIXES, Failure, Program

# name: device, options, environment, part of check-fast
VARIANTS = {
    "cpu": ("cpu", [], {}, True),
    "cpu-O0": ("cpu", ["-O0"], {"CUFORT_CPU_GUARD": "1"}, False),
    "cpu-fibers": ("cpu", [], {"CUFORT_CPU_FIBERS": "1"}, False),
    "cuda": ("cuda", [], {}, True),
}


class ProgramFormat(lit.formats.TestFormat):
    def getTestsInDirectory(self, suite, path, lit_config, config):
        folder = suite.getSourcePath(path)
        for name in sorted(os.listdir(folder)):
            if name.endswith(SUFFIXES) and not name.startswith("."):
                program = Program(os.path.join(folder, name))
                for variant, (device, _, _, fast) in VARIANTS.items():
                    if device not in program.devices or not (fast or not config.fast):
                        continue
                    if not program.variants or variant in program.variants:
                        yield lit.Test.Test(suite, (*path, f"{name}@{variant}"), config)

    def execute(self, test, lit_config):
        source, _, variant = test.getSourcePath().rpartition("@")
        device, options, environment, _ = VARIANTS[variant]
        program = Program(source)
        if device not in test.config.devices:
            return lit.Test.UNSUPPORTED, f"there is no device {device} here"
        if device == "cuda" and len(glob.glob("/dev/nvidia[0-9]*")) < program.gpus:
            return lit.Test.UNSUPPORTED, f"it needs {program.gpus} GPUs"
        if program.missing:
            return lit.Test.UNSUPPORTED, f"there is no {program.missing[0]}"
        if program.slow and test.config.fast:
            return lit.Test.UNSUPPORTED, "left out of check-fast"
        program.environment = {**environment, **program.environment}
        folder = f"{test.getExecPath()}.dir"
        try:
            executable = program.build(test.config.cufort, folder, options)
            program.run(executable, device)
        except Failure as failure:
            return lit.Test.FAIL, str(failure)
        return lit.Test.PASS, ""
