"""The lit format of MPI programs: each file is one test for each MPI library
that is installed, and with the word STAGED in a comment one more, on the test
double of the driver, whose device memory MPI cannot touch.

A file may say "RANKS: 4" (2), "FLAGS: -O2", "ENV: NAME=VALUE", "STOPS: text": it
ends with an error and says that, and "ONLY: library"."""
import os
import shutil
import subprocess

import lit.formats
import lit.Test

SUFFIXES = (".cuf", ".f90", ".f", ".c", ".cpp", ".cu")
LIBRARIES = ("openmpi", "mpich")
WRAPPERS = {".c": "mpicc", ".cpp": "mpicxx", ".cu": "mpicxx"}


def installed(library):
    return shutil.which(f"mpifort.{library}") and shutil.which(f"mpirun.{library}")


def environment(config):
    """What wrappers and launchers need to know."""
    compiler = config.cufort
    cache = os.path.join(config.test_exec_root, "mpi", "cache")
    return {**os.environ, **config.environment, "CUFORT_CACHE_DIR": cache,
            **{f"{mpi}_{language}": compiler for mpi in ("OMPI", "MPICH")
               for language in ("FC", "CC", "CXX")},
            # More processes than cores, and whoever runs the tests.
            "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def said(text, word, otherwise=""):
    """What follows "WORD:" in the file."""
    for line in text.splitlines():
        _, mark, rest = line.partition(f" {word}: ")
        if mark:
            return rest.strip()
    return otherwise


class MpiFormat(lit.formats.TestFormat):
    def getTestsInDirectory(self, suite, path, lit_config, config):
        folder = suite.getSourcePath(path)
        for name in sorted(os.listdir(folder)):
            if not name.endswith(SUFFIXES):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = file.read()
            staged = "STAGED" in text
            for library in LIBRARIES:
                if said(text, "ONLY", library) != library:
                    continue
                yield lit.Test.Test(suite, (*path, f"{name}@{library}"), config)
                if staged:
                    yield lit.Test.Test(
                        suite, (*path, f"{name}@{library}-staged"), config)

    def execute(self, test, lit_config):
        source, _, variant = test.getSourcePath().rpartition("@")
        library, _, staged = variant.partition("-")
        if not installed(library):
            return lit.Test.UNSUPPORTED, f"there is no {library} here"
        if staged and "fake-driver" not in test.config.available_features:
            return lit.Test.UNSUPPORTED, "there is no test double of the driver"
        with open(source, encoding="utf-8") as file:
            text = file.read()
        variables = environment(test.config)
        folder = f"{test.getExecPath()}.dir"
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        wrapper = WRAPPERS.get(os.path.splitext(source)[1], "mpifort")
        try:
            build = subprocess.run(
                [f"{wrapper}.{library}", *said(text, "FLAGS").split(), source,
                 "-o", "program"], cwd=folder, env=variables, timeout=300,
                capture_output=True, text=True, check=False)
        except subprocess.TimeoutExpired:
            return lit.Test.FAIL, "it is not compiled within 300 s"
        if build.returncode:
            return lit.Test.FAIL, "it is not compiled:\n" + build.stdout + build.stderr
        variables["CUFORT_DEVICE"] = "cuda" if staged else "cpu"
        if staged:
            variables["LD_LIBRARY_PATH"] = os.path.join(
                test.config.cufort_build, "tests", "unit")
        for each in said(text, "ENV").split():
            name, _, value = each.partition("=")
            variables[name] = value
        try:
            run = subprocess.run(
                [f"mpirun.{library}", "-np", said(text, "RANKS", "2"), "./program"],
                cwd=folder, env=variables, timeout=120, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                errors="replace", check=False)
        except subprocess.TimeoutExpired:
            return lit.Test.FAIL, "it has not ended after 120 s"
        stops = said(text, "STOPS") if staged else ""
        if stops:
            good = run.returncode != 0 and stops in run.stdout
        else:
            good = run.returncode == 0 and "PASSED" in run.stdout
        if not good:
            return (lit.Test.FAIL,
                    f"it ends with {run.returncode}:\n" + run.stdout)
        return lit.Test.PASS, ""
