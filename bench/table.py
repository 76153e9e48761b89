"""table.py [--check]: docs/performance.md's table of the CPU, its means of programs on
a GPU and its count of passes, docs/checking.md's table of times, and the means in
README.md, from bench/results.

The newest result of a row counts. With --check nothing is written; the status says
whether the pages have what the results give.
"""
import csv
import glob
import math
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "..", "docs", "performance.md")
CHECKING = os.path.join(HERE, "..", "docs", "checking.md")
README = os.path.join(HERE, "..", "README.md")
BEGIN, END = "<!-- ratios: made by bench/table.py -->\n", "<!-- end -->"
# How the results name the machines, and the page.
MACHINES = [("2 cores of an AMD EPYC (Zen 4", "Zen 4 (AVX-512)"),
            ("2 cores of an Intel Xeon (Sapphire Rapids", "Sapphire Rapids (AVX-512)"),
            ("2 cores of an AMD EPYC (Zen 3), gfortran", "Zen 3 (AVX2)")]
# The page's name of a benchmark, and with what its rows begin.
BENCHMARKS = [("STREAM triad, real(8)", ("STREAM triad", "triad")),
              ("matrix addition, real(4)", ("matrix addition",)),
              ("Jacobi stencil, real(8)", ("Jacobi",)),
              ("exp(x)*sin(x), real(8)", ("exp",)),
              ("tree reduction in shared memory, real(8)", ("tree reduction",)),
              ("kernel loop: dot product, real(8)", ("kernel loop with a reduction",
                                                     "kernel loop, dot")),
              ("kernel loop: seven-point stencil, real(8)", ("kernel loop, seven-point",)),
              ("kernel loop: inner product within a margin", ("kernel loop, inner",)),
              ("transpose through a padded tile, real(4)", ("transpose",)),
              ("tiled matrix product 16 x 16, real(4)", ("tiled matmul", "matmul")),
              ("n-body with shared tiles, real(4)", ("n-body",)),
              ("Mandelbrot, against the scalar loop", ("Mandelbrot",)),
              ("warp-shuffle reduction, real(8)", ("warp-shuffle", "shuffle reduction")),
              ("histogram with shared atomics", ("histogram",)),
              ("2-D convolution, real(4)", ("2-D convolution", "convolution")),
              ("sparse matrix-vector product, CSR, real(8)", ("sparse matrix-vector",))]


def ratios(machines, benchmarks):
    """{(benchmark, machine): ratio} of those lists' places; the newest result of a
    row counts. A machine is what its rows begin with, and more; of a benchmark the
    second is what its rows may begin with."""
    found = {}
    for path in sorted(glob.glob(os.path.join(HERE, "results", "????-??-??.csv"))):
        with open(path, encoding="utf-8", newline="") as file:
            for row in list(csv.reader(file))[1:]:
                for machine, (begin, _) in enumerate(machines):
                    for benchmark, (_, names) in enumerate(benchmarks):
                        if row[0].startswith(begin) and "OpenMP" in row[0] \
                                and row[1].startswith(tuple(names)):
                            found[benchmark, machine] = float(row[5])
    return found


def means(found):
    """The geometric mean of each machine, with two places."""
    result = []
    for machine in range(len(MACHINES)):
        logs = [math.log(ratio) for (_, each), ratio in found.items() if each == machine]
        result.append(f"{math.exp(sum(logs) / len(logs)):.2f}")
    return result


def table(found):
    rows = [["benchmark", *(name for _, name in MACHINES)], ["---"] * (len(MACHINES) + 1)]
    for number, (name, _) in enumerate(BENCHMARKS):
        rows.append([name, *(f"{found[number, machine]:.2f}" if (number, machine) in found else ""
                             for machine in range(len(MACHINES)))])
    rows.append(["**geometric mean**", *(f"**{mean}**" for mean in means(found))])
    return "".join("| " + " | ".join(row) + " |\n" for row in rows).replace("|  |", "| |")


def performance(page, found):
    before, rest = page.split(BEGIN)
    _, after = rest.split(END, 1)
    return passes(selections(before + BEGIN + "\n" + table(found) + "\n" + END + after))


def selections(page):
    """The page with the means of kernels on a GPU, which the results have under the
    same number of kernels."""
    means = {}
    for path in sorted(glob.glob(os.path.join(HERE, "results", "????-??-??.csv"))):
        with open(path, encoding="utf-8", newline="") as file:
            for row in list(csv.reader(file))[1:]:
                kernels = re.search(r", (\d+) kernels$", row[1])
                if row[0].startswith("H200, nvcc") and "geometric mean" in row[0] and kernels:
                    means[kernels[1]] = f"{float(row[5]):.2f}"
    before, table, after = page.partition("| programs | kernels | geometric mean |")
    table, gap, after = after.partition("\n\n")
    rows = re.sub(r"^(\| [^|]+ \| (\d+) \| )[\d.]+ ", lambda row: row[1] + means[row[2]] + " ",
                  table, flags=re.MULTILINE)
    return before + "| programs | kernels | geometric mean |" + rows + gap + after


def passes(page):
    """The page with the number of the kernels of bench/gpu/passes that are faster with
    the pass that they are named after."""
    kernels, gains = set(), {}
    for path in glob.glob(os.path.join(HERE, "gpu", "passes", "*.cu")):
        with open(path, encoding="utf-8") as file:
            kernels |= set(re.findall(r'^  time\("(\w+)"', file.read(), re.MULTILINE))
    for path in sorted(glob.glob(os.path.join(HERE, "results", "*-gpu-passes.csv"))):
        with open(path, encoding="utf-8", newline="") as file:
            gains.update({row[0]: float(row[3]) for row in list(csv.reader(file))[1:]})
    measured = [gains[kernel] for kernel in kernels if kernel in gains]
    assert len(measured) > len(kernels) / 2, "results of bench/gpu/pass_gains are missing"
    faster, slower = sum(gain > 1.03 for gain in measured), sum(gain < 0.97 for gain in measured)
    for words, count in ((f"{faster} of {len(kernels)}", "more than 3 % faster"),
                         (len(measured) - faster - slower, "within 3 %"),
                         (slower, "slower"),
                         (len(kernels) - len(measured), "not measured under their present names")):
        page, found = re.subn(rf"^\| [\d of]+ \| {count}", f"| {words} | {count}", page,
                              flags=re.MULTILINE)
        assert found == 1, f"docs/performance.md does not count kernels that are {count}"
    return page


def checking(page):
    """The page with how many times as long programs take with all checkers, and with
    one alone."""
    rows = {}
    for path in sorted(glob.glob(os.path.join(HERE, "results", "*-check.csv"))):
        with open(path, encoding="utf-8", newline="") as file:
            rows.update({re.sub(r"^\d+ kernels, ", "mean ", row[1]): row
                         for row in list(csv.reader(file))[1:]
                         if "least" not in row[0] and "greatest" not in row[0]})

    def line(match):
        name, alone = match[2].strip("`"), match[5].split(", ")
        if name == "geometric mean":
            name = "mean"
        times = [f"{1 / float(rows[f'{name} --check' + which][5]):.1f}" for which in
                 ("", *("=memory", "=init", "=race", "=sync")[:len(alone)])]
        unchecked = "" if not match[3] else f"{float(rows[f'{name} --check'][3]):.0f} ms "
        return f"{match[1]}{match[2]} | {unchecked}| {times[0]} | {', '.join(times[1:])} |"

    page, count = re.subn(r"^(\| )(`\w+`|geometric mean) \| ([\d.]+ ms )?\| ([\d.]+) \| "
                          r"([\d.]+(?:, [\d.]+)+) \|", line, page, flags=re.MULTILINE)
    assert count > 10, "docs/checking.md has no table of times"
    return page


def readme(page, found, measured):
    """The README as it is: it has no numbers, but says how their means lie."""
    gpu = re.findall(r"^\| \w+ selection[^|]* \| \d+ \| ([\d.]+) \|", measured, re.MULTILINE)
    for words, values in (("above that of OpenMP on all three", means(found)),
                          ("at nvcc's speed in the geometric mean", gpu)):
        assert words in page, f"README.md does not say '{words}'"
        assert values and min(map(float, values)) > 1, f"README.md says '{words}'"
    return page


def main():
    found = ratios(MACHINES, BENCHMARKS)
    assert len(found) >= len(BENCHMARKS) * len(MACHINES) - 2, "results are missing"
    for path, make in ((PAGE, performance), (CHECKING, lambda page, found: checking(page)),
                       (README, lambda page, found: readme(page, found, measured))):
        with open(path, encoding="utf-8") as file:
            page = file.read()
        new = make(page, found)
        if path == PAGE:
            measured = new
        if new == page:
            continue
        if sys.argv[1:] == ["--check"]:
            sys.exit(f"{os.path.relpath(path)} is stale: python3 bench/table.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(new)


if __name__ == "__main__":
    main()
