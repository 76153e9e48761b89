"""Every pass that runs on text has a test that fails without it.

usage: passes.py COMPILER TESTS [--write]

Those of the GPU, but for passes of the code generator, are run alone by one.

The passes are those of COMPILER/lower, of COMPILER/gpu and of
COMPILER/cpu (Pipeline.cpp). Their tests are run once more with the pass left
out; those that then fail are its tests. The table in COMPILER/passes.md must
say the same; --write puts it there.
"""
import concurrent.futures
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

BEGIN, END = "<!-- passes: made by tests/driver/Inputs/passes.py -->", "<!-- end -->"


def lower_passes(pipeline):
    """The names of our passes over FIR, which are options of cufort-lower-opt."""
    with open(pipeline, encoding="utf-8") as file:
        names = re.findall(r'^    ours\("(lower-[a-z-]+)"', file.read(), re.M)
    return list(dict.fromkeys(names))


def cpu_passes(pipeline):
    with open(pipeline, encoding="utf-8") as file:
        return re.findall(r'^    \{"(cpu-[a-z-]+)", \w+, \w+, ".*"\},', file.read(), re.M)


def gpu_passes(folder):
    """The names of the passes, each with the stems of its files; those of the passes
    that the whole way to PTX cannot leave out: only tests that run them alone can
    fail without them; and those that work on IR, which a test must run alone."""
    with open(os.path.join(folder, "Pipeline.cpp"), encoding="utf-8") as file:
        rows = re.findall(r'^    \{"(gpu-[a-z-]+)", Place::(\w+), ([^"]*), (true|false), "',
                          file.read(), re.M)
    machine = {"BeforeSelection", "AfterSelection", "MachineCse"}
    stems = {}
    for directory, _, files in os.walk(folder):
        for name in files:
            if name.endswith(".h"):
                with open(os.path.join(directory, name), encoding="utf-8") as file:
                    for function in re.findall(r"\b(\w+)\(llvm::|\*?(create\w+)\(\);", file.read()):
                        stems["".join(function)] = re.sub(
                            r"(?<!^)([A-Z])", r"-\1", name[:-2]).lower()
    return ({name: {stems[word] for word in re.findall(r"\w+", steps) if word in stems}
             for name, _, steps, _ in rows},
            {name for name, _, _, optional in rows if optional == "false"},
            {name for name, place, _, _ in rows if place not in machine})


def commands(path):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"\\\n[^\n]*?RUN:", " ", file.read())
    return re.findall(r"RUN:(.*)", text)


def without_lower(command, name):
    return re.sub(rf"--{name}(?=\s)", "", command)


def without_cpu(command, name, every):
    """The command with the passes that -passes= stands for, but for one."""

    def spell(match):
        names = []
        for each in match[1].split(","):
            if each == "cpu":
                names += every
            elif each.startswith("..."):
                names += every[: every.index(each[3:]) + 1]
            else:
                names.append(each)
        names = [each for each in names if each != name]
        return "-passes=" + ",".join(names) if names else ""

    return re.sub(r"-passes=([a-z.,-]+)", spell, command)


def without_gpu(command, name, always):
    """The command that makes the whole PTX, or runs passes alone, without one."""
    alone = re.search(r"-passes=([a-z,-]+)", command)
    if alone:
        names = [each for each in alone[1].split(",") if each != name]
        return command.replace(alone[0], "-passes=" + ",".join(names) if names else "")
    if name in always:
        return command
    return re.sub(r"(cufort-ptx|%cufort)\b", rf"\1 -disable-pass={name}", command)


def fails(test, lines):
    build = os.path.dirname(os.path.dirname(shutil.which("cufort-opt")))
    with tempfile.TemporaryDirectory() as folder:
        for line in lines:
            for word, value in (("%cufort", "cufort"), ("%s", test), ("%S", os.path.dirname(test)),
                                ("%t", os.path.join(folder, "t")),
                                ("%build", build)):
                line = re.sub(rf"{word}\b", shlex.quote(value), line)
            done = subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=folder,
                                  stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, check=False)
            if done.returncode:
                return True
    return False


def lower_candidates(test, every):
    named = re.findall(r"--(lower-[a-z-]+)", " ".join(commands(test)))
    return [name for name in every if name in named]


def cpu_candidates(test, every):
    """The last pass of each command, and the one that the test is called after."""
    last = {names.split(",")[-1].lstrip(".")
            for names in re.findall(r"-passes=([a-z.,-]+)", " ".join(commands(test)))}
    stem = os.path.basename(test).split(".")[0]
    return [name for name in every
            if name in last or stem == name.removeprefix("cpu-")]


def gpu_candidates(test, stems):
    """The passes of the file that the test is called after, and those that it names."""
    with open(test, encoding="utf-8") as file:
        named = re.findall(r"\bgpu-[a-z-]+", file.read())
    stem = os.path.basename(test).split(".")[0]
    return [name for name in stems if name in named or stem in stems[name]]


def tests_in(folder):
    """The tests in the folder and those within it, by their paths there."""
    for directory, directories, files in os.walk(folder):
        directories[:] = sorted(each for each in directories if each != "Inputs")
        for file in sorted(files):
            if re.search(r"\.(fir|ll|test)$", file):
                yield os.path.relpath(os.path.join(directory, file), folder)


def find_tests(folder, every, candidates, without):
    """Of each pass, the tests in the folder that fail without it."""
    tasks = []
    for file in tests_in(folder):
        test = os.path.join(folder, file)
        for name in candidates(test, every):
            tasks.append((name, file, test,
                          [without(line, name) for line in commands(test)]))
    with concurrent.futures.ThreadPoolExecutor() as pool:
        results = list(pool.map(lambda task: fails(task[2], task[3]), tasks))
    found = {name: [] for name in every}
    for (name, file, _, _), failed in zip(tasks, results):
        if failed:
            found[name].append(file)
    return found


def table(title, folder, found):
    rows = [f"| {title} | tests in `{folder}` that fail without it |", "| --- | --- |"]
    rows += [f"| `{name}` | {', '.join(f'`{test}`' for test in tests)} |"
             for name, tests in found.items()]
    return "\n".join(rows)


def main():
    compiler, tests = map(os.path.abspath, sys.argv[1:3])
    readme = os.path.join(compiler, "passes.md")
    # The tests run elsewhere.
    os.environ["PATH"] = os.pathsep.join(map(os.path.abspath, os.environ["PATH"].split(":")))
    for tool in "cufort-opt", "cufort-lower-opt", "cufort-ptx":
        if not shutil.which(tool):
            sys.exit(f"{tool} is not built: cmake --build build --target cufort-tests")
    every = cpu_passes(os.path.join(compiler, "cpu/Pipeline.cpp"))
    lower = find_tests(os.path.join(tests, "lower"),
                       lower_passes(os.path.join(compiler, "lower/Pipeline.cpp")),
                       lower_candidates, without_lower)
    stems, always, on_ir = gpu_passes(os.path.join(compiler, "gpu"))
    gpu = find_tests(os.path.join(tests, "gpu"), stems, gpu_candidates,
                     lambda line, name: without_gpu(line, name, always))
    cpu = find_tests(os.path.join(tests, "cpu"), every, cpu_candidates,
                     lambda line, name: without_cpu(line, name, every))
    missing = [name for found in (lower, gpu, cpu) for name, each in found.items()
               if not each]
    for name in missing:
        print(f"no test fails without the pass {name}")
    for name in on_ir:
        if gpu[name] and not any(
                re.search(rf"-passes=\S*\b{name}(?![\w-])", line)
                for test in gpu[name] for line in commands(os.path.join(tests, "gpu", test))):
            print(f"no test runs the pass {name} alone")
            missing.append(name)
    made = "\n\n".join((BEGIN, table("pass of `compiler/lower`", "tests/lower", lower),
                        table("pass of `compiler/gpu`", "tests/gpu", gpu),
                        table("pass of `compiler/cpu`", "tests/cpu", cpu), END))
    with open(readme, encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(BEGIN)
    wanted = before + made + rest.split(END)[1]
    if "--write" in sys.argv:
        with open(readme, "w", encoding="utf-8") as file:
            file.write(wanted)
    elif text != wanted:
        print(f"{readme} does not list these passes and tests:\n{made}")
        missing = missing or [readme]
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main())
