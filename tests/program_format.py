"""The lit format of program tests: each file is one test per device."""
import os

import lit.formats
import lit.Test

from program import SUFFIXES, Failure, Program


class ProgramFormat(lit.formats.TestFormat):
    def getTestsInDirectory(self, suite, path, lit_config, config):
        folder = suite.getSourcePath(path)
        for name in sorted(os.listdir(folder)):
            if name.endswith(SUFFIXES) and not name.startswith("."):
                for device in Program(os.path.join(folder, name)).devices:
                    yield lit.Test.Test(suite, (*path, f"{name}@{device}"), config)

    def execute(self, test, lit_config):
        source, _, device = test.getSourcePath().rpartition("@")
        program = Program(source)
        if device not in test.config.devices:
            return lit.Test.UNSUPPORTED, f"there is no device {device} here"
        if program.slow and test.config.fast:
            return lit.Test.UNSUPPORTED, "left out of check-fast"
        folder = f"{test.getExecPath()}.dir"
        try:
            executable = program.build(test.config.cufort, folder)
            program.run(executable, device)
        except Failure as failure:
            return lit.Test.FAIL, str(failure)
        return lit.Test.PASS, ""
