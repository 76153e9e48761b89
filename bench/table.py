"""table.py [--check]: the table of the CPU in docs/performance.md, and its means and
those of the GPU's in README.md, of bench/results.

The newest result of a row counts. With --check nothing is written; the status says
whether the table is what the results make.
"""
import csv
import glob
import math
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "..", "docs", "performance.md")
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
    return before + BEGIN + "\n" + table(found) + "\n" + END + after


def readme(page, found, measured):
    """The README with the means: of the CPU by the results, of the GPU by the table of
    selections in docs/performance.md."""
    first, second, third = means(found)
    gpu = re.findall(r"^\| \w+ selection[^|]* \| \d+ \| ([\d.]+) \|", measured, re.MULTILINE)
    for pattern, text in ((r"The geometric means are [\d.]+, [\d.]+ and [\d.]+\.",
                           f"The geometric means are {first}, {second} and {third}."),
                          (r"at [\d.]+ to [\d.]+ of nvcc's speed",
                           f"at {min(gpu)} to {max(gpu)} of nvcc's speed")):
        page, count = re.subn(pattern, text, page)
        assert count == 1, f"README.md does not say '{pattern}'"
    return page


def main():
    found = ratios(MACHINES, BENCHMARKS)
    assert len(found) >= len(BENCHMARKS) * len(MACHINES) - 2, "results are missing"
    for path, make in ((PAGE, performance),
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
