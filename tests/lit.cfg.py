# The lit configuration of all suites.
import glob
import os
import re
import shutil
import subprocess
import sys

import lit.formats

sys.path.insert(0, os.path.dirname(__file__))

config.name = "cufort"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".mlir", ".fir", ".cuf", ".CUF", ".f90", ".F90", ".f",
                   ".F", ".cu", ".test"]
# runtime/recorded has a script of its own, recorded.py.
config.excludes = ["Inputs", "recorded"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.cufort_build, "tests")

binaries = os.path.join(config.cufort_build, "bin")
config.environment["PATH"] = os.pathsep.join(
    [binaries, config.llvm_tools, config.environment["PATH"]])
config.substitutions.append(("%{path}", config.environment["PATH"]))
# Tests are about the compiler, not about what it did before; and nothing is left
# in the user's folders.
os.environ["CUFORT_CACHE_DIR"] = config.environment["CUFORT_CACHE_DIR"] = "none"
config.cufort = os.path.join(binaries, "cufort")
config.substitutions.append(("%cufort", config.cufort))
config.substitutions.append(("%flang", os.path.join(config.llvm_tools, "flang")))
config.substitutions.append(("%build", config.cufort_build))

# The devices that compiled programs find here.
config.devices = ["cpu"]
try:
    info = subprocess.run([config.cufort, "info"], capture_output=True, text=True,
                          timeout=60, check=False)
    if info.returncode == 0:  # programs can use a GPU
        config.devices.append("cuda")
        config.available_features.add("gpu")
except (OSError, subprocess.TimeoutExpired):
    pass

with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
    flags = next((line for line in cpuinfo if line.startswith("flags")), "").split()
if "avx2" in flags:
    config.available_features.add("x86-64-v3")
if "avx512f" in flags and "avx512vl" in flags:
    config.available_features.add("x86-64-v4")

if shutil.which("cc") and shutil.which("c++"):
    config.available_features.add("cc")
if shutil.which("cmake") and shutil.which("ninja") and shutil.which("make"):
    config.available_features.add("cmake")

for program, feature in (("meson", "meson"), ("autoconf", "autoconf"),
                         ("libtoolize", "libtool"), ("fpm", "fpm"), ("spack", "spack"),
                         ("gdb", "gdb")):
    if shutil.which(program):
        config.available_features.add(feature)

# lldb with its Python.
for program in ("lldb", "lldb-22"):
    found = shutil.which(program, path=config.environment["PATH"])
    if found and "lldb" not in config.available_features:
        folder = subprocess.run([found, "-P"], capture_output=True, text=True,
                                check=False).stdout.strip()
        if os.path.exists(os.path.join(folder, "lldb", "__init__.py")):
            config.available_features.add("lldb")
            config.substitutions.append(("%lldb", found))

# A browser without a window, for pages.
for program in ("chromium", "chromium-headless-shell"):
    if shutil.which(program) and "chromium" not in config.available_features:
        config.available_features.add("chromium")
        config.substitutions.append(("%chromium", shutil.which(program)))

if os.path.exists(os.path.join(config.llvm_tools, "clang-format")):
    config.available_features.add("clang-format")

# The headers of NVIDIA's toolkit, where it is usually installed.
if os.path.exists("/usr/local/cuda/include/cuda_runtime.h"):
    config.available_features.add("cuda-toolkit")

# NVIDIA's library of random numbers, for tests that compare with it.
curand = "/usr/local/cuda/lib64/libcurand.so.10"
if os.path.exists(curand):
    config.available_features.add("libcurand")
config.substitutions.append(("%libcurand", curand))

# What the files for pkg-config say, which not every machine has.
def linked_with(package):
    folder = os.path.join(config.cufort_build, "lib", "pkgconfig")
    values = {"pcfiledir": folder}
    with open(os.path.join(folder, package + ".pc"), encoding="utf-8") as file:
        for line in file:
            name, _, value = line.strip().partition(": " if ": " in line else "=")
            values[name] = re.sub(r"\$\{(\w+)\}", lambda m: values[m[1]], value)
    return values["Libs"]


for package in ("cufort", "cufort-fortran"):
    if os.path.exists(os.path.join(config.cufort_build, "lib", "pkgconfig",
                                   package + ".pc")):
        config.substitutions.append(("%{" + package + "-libs}", linked_with(package)))

# Libraries of the system with what programs are linked and compiled with.
for feature, library, source in (("lapack", "liblapack.so", "/usr/lib"),
                                 ("fftw", "libfftw3.so", "/usr/include/fftw3.f03"),
                                 ("hdf5", "hdf5/serial/libhdf5_hl.so", "/usr/lib")):
    if os.path.exists(source) and glob.glob("/usr/lib/*/" + library):
        config.available_features.add(feature)

# A Python with NumPy, perhaps not the one that runs lit.
def has_package(python, package):
    return subprocess.run([python, "-c", "import " + package], check=False,
                          capture_output=True).returncode == 0


# For the documents: hunspell's British dictionary, and what makes the site.
if shutil.which("hunspell") and os.path.exists("/usr/share/hunspell/en_GB.dic"):
    config.available_features.add("spelling")
if os.path.exists("/usr/bin/python3") and \
        has_package("/usr/bin/python3", "sphinx, myst_parser, furo"):
    config.available_features.add("sphinx")

pythons = [sys.executable, shutil.which("python3") or sys.executable, "/usr/bin/python3"]
config.python = next((each for each in pythons
                      if os.path.exists(each) and has_package(each, "numpy")), pythons[0])
gpu = "gpu" in config.available_features
for package in ("numpy", "cffi", *(("torch", "cupy") if gpu else ())):
    if has_package(config.python, package):
        config.available_features.add(package)
config.substitutions.append(("%python", config.python))

if shutil.which("vim"):
    config.available_features.add("vim")

# A test double of libcuda, which a program finds in place of the driver's.
if os.path.exists(os.path.join(config.cufort_build, "tests", "unit", "libcuda.so.1")):
    config.available_features.add("fake-driver")

config.fast = "fast" in lit_config.params
# Programs are built with --check (program_format.py).
config.check = "check" in lit_config.params
if not config.fast:
    config.available_features.add("slow")
# lit's limit needs a package that not every machine has; program tests limit
# themselves in any case.
try:
    import psutil  # noqa: F401
except ImportError:
    pass
