#!/usr/bin/env python3
"""Builds the program tests and puts them with a runner into one folder that runs
on a GPU machine with nothing but glibc and the driver.

usage: bundle.py --build FOLDER [--cufort COMMAND] [word...]

Words: only the programs in whose names one of them stands.
"""
import argparse
import concurrent.futures
import os
import shlex
import shutil
import sys

from program import SUFFIXES, Failure, Program, call

HERE = os.path.dirname(os.path.abspath(__file__))
# Packed with `tar c gpu-bundle | zstd -12 --long=30` a ninth of this travels.
LIMIT = 800 * 1024 * 1024

RUNNER = r"""#!/bin/sh
# Runs the test programs of this folder on the GPU; the last line counts them.
# usage: ./run [name...]
cd "$(dirname "$0")" || exit 2
PATH=/usr/bin:/bin:$PATH
: "${CUFORT_DEVICE:=cuda}"
export CUFORT_DEVICE
present=yes
gpus=$(ls -d /dev/nvidia[0-9]* 2>/dev/null | wc -l)
if [ "$CUFORT_DEVICE" = cuda ] && ! ls /dev/nvidia[0-9]* >/dev/null 2>&1; then
  present=no
fi
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0 skipped=0
wanted=" $* "
here=$PWD

# try NAME SECONDS STATUS PATTERNS -- ENV... PROGRAM ARGUMENTS
# STATUS is a number or fails; PATTERNS is a file of lines that must be in the output.
try() {
  name=$1 seconds=$2 status=$3
  shift 4
  case $wanted in *" $name "* | "  ") ;; *) return ;; esac
  if [ $present = no ]; then
    skipped=$((skipped + 1))
    return
  fi
  (cd "$scratch" && timeout "$seconds" env "$@" >output 2>&1)
  code=$?
  verdict=ok
  if [ "$status" != fails ]; then
    [ $code = "$status" ] || verdict="exit status $code, expected $status"
  elif [ $code = 0 ] || { [ $code -ge 124 ] && [ $code != 134 ]; }; then
    # 134: Fortran's library ends a program by abort where it says "fatal".
    verdict="exit status $code, expected a failure"
  fi
  while IFS= read -r line; do
    grep -qF -e "$line" "$scratch/output" || verdict="not in the output: $line"
  done <"data/$name.expected"
  if [ "$verdict" = ok ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name: $verdict"
    sed 's/^/    /' "$scratch/output"
  fi
}

# with GPUS try ...: skipped where there are fewer GPUs.
with() {
  needed=$1
  shift
  if [ "$CUFORT_DEVICE" = cuda ] && [ "$gpus" -lt "$needed" ]; then
    case $wanted in *" $2 "* | "  ") skipped=$((skipped + 1)) ;; esac
    return
  fi
  "$@"
}

@tests@
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
"""


def build(program, name, options, folder):
    scratch = os.path.join(folder, "scratch", name)
    # What a program does not use of the runtime libraries stays behind.
    executable = program.build(options.cufort, scratch, ["-Wl,--gc-sections"])
    call(["llvm-strip", executable], scratch)
    shutil.move(executable, os.path.join(folder, "bin", name))
    with open(os.path.join(folder, "data", f"{name}.expected"), "w", encoding="utf-8") as f:
        f.writelines(f"{line}\n" for line in
                     program.failures or program.expected or ["PASSED"])
    words = [f"{key}={value}" for key, value in program.environment.items()]
    words.append(f'"$here"/bin/{name}')
    for argument in program.arguments:
        # A data file of the test travels under its base name.
        if os.path.isfile(argument):
            base = os.path.basename(argument)
            shutil.copy(argument, os.path.join(folder, "data", base))
            words.append(f'"$here"/data/{shlex.quote(base)}')
        else:
            words.append(shlex.quote(argument))
    status = "fails" if program.failures else program.status
    needs = f"with {program.gpus} " if program.gpus > 1 else ""
    return f"{needs}try {name} {program.timeout} {status} -- {' '.join(words)}"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--cufort")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    options.cufort = options.cufort or os.path.join(options.build, "bin", "cufort")
    with open(os.path.join(options.build, "tests", "lit.site.cfg.py"),
              encoding="utf-8") as file:
        tools = file.read().split("llvm_tools = r'")[1].split("'")[0]
    os.environ["PATH"] = tools + os.pathsep + os.environ["PATH"]

    folder = os.path.join(options.build, "gpu-bundle")
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("bin", "data", "scratch"):
        os.makedirs(os.path.join(folder, name))

    source = os.path.join(HERE, "programs")
    programs = {}
    for path, folders, names in os.walk(source):
        folders[:] = sorted(set(folders) - {"Inputs", "wrong"})
        for name in sorted(names):
            if not name.endswith(SUFFIXES):
                continue
            title = os.path.splitext(name)[0]
            if options.words and not any(word in title for word in options.words):
                continue
            program = Program(os.path.join(path, name))
            if "cuda" in program.devices and not program.missing:
                programs[title] = program

    lines, failures = [], []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {name: pool.submit(build, program, name, options, folder)
                   for name, program in programs.items()}
        for name, future in running.items():
            try:
                lines.append(future.result())
            except Failure as failure:
                failures.append(name)
                print(f"{name} does not build:\n{failure}", file=sys.stderr)
    shutil.rmtree(os.path.join(folder, "scratch"))

    runner = os.path.join(folder, "run")
    with open(runner, "w", encoding="utf-8") as file:
        file.write(RUNNER.replace("@tests@", "\n".join(lines)))
    os.chmod(runner, 0o755)
    size = sum(os.path.getsize(os.path.join(path, name))
               for path, _, names in os.walk(folder) for name in names)
    print(f"{len(lines)} programs, {size / 1024 / 1024:.1f} MB in {folder}")
    if size > LIMIT:
        print(f"larger than {LIMIT // 1024 // 1024} MB", file=sys.stderr)
        return 1
    return 1 if failures else 0


sys.exit(main())
