"""chart.py [--check]: docs/images/cpu-ratios.svg, of the files of bench/results.

Bars of the ratios of CUDA Fortran on the CPU to hand-written OpenMP, a group for
each benchmark of bench/cpu, a bar for each machine. With --check nothing is
written; the status says whether the picture is what the results make.
"""
import os
import sys
from xml.sax.saxutils import escape

import table

HERE = os.path.dirname(os.path.abspath(__file__))
PICTURE = os.path.join(HERE, "..", "docs", "images", "cpu-ratios.svg")
# How the results name the machines, and the picture.
MACHINES = [("2 cores of an AMD EPYC (Zen 4", "AMD Zen 4, AVX-512"),
            ("2 cores of an Intel Xeon (Sapphire Rapids", "Intel Sapphire Rapids, AVX-512"),
            ("2 cores of an AMD EPYC (Zen 3), gfortran", "AMD Zen 3, AVX2")]
# The picture's name of a benchmark, and with what its rows begin. Mandelbrot is
# left out: its opponent is a scalar loop.
BENCHMARKS = [("STREAM triad", ["STREAM triad", "triad"]),
              ("matrix addition", ["matrix addition"]),
              ("Jacobi stencil", ["Jacobi"]),
              ("exp(x)*sin(x)", ["exp"]),
              ("tree reduction", ["tree reduction"]),
              ("kernel loop: dot product", ["kernel loop with a reduction", "kernel loop, dot"]),
              ("kernel loop: stencil", ["kernel loop, seven-point"]),
              ("kernel loop: inner product", ["kernel loop, inner"]),
              ("transpose", ["transpose"]),
              ("matrix product", ["tiled matmul", "matmul"]),
              ("n-body", ["n-body"]),
              ("warp-shuffle reduction", ["warp-shuffle", "shuffle reduction"]),
              ("histogram", ["histogram"]),
              ("2-D convolution", ["2-D convolution", "convolution"]),
              ("sparse matrix-vector", ["sparse matrix-vector"])]
WIDTH, LEFT, TOP, BAR, GAP = 720, 200, 64, 8, 10
MOST = 2.5
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .note { font-size: 12px; fill: #57606a }
  .grid { stroke: #d0d7de } .one { stroke: #24292f; stroke-width: 1.5 }
  .m0 { fill: #0969da } .m1 { fill: #54aeff } .m2 { fill: #bf8700 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .note { fill: #9198a1 }
    .grid { stroke: #3d444d } .one { stroke: #e6edf3 }
    .m0 { fill: #4493f8 } .m1 { fill: #a5d6ff } .m2 { fill: #d29922 }
  }
"""


def place(ratio):
    return LEFT + (WIDTH - LEFT - 40) * ratio / MOST


def draw(found):
    height = TOP + len(BENCHMARKS) * (len(MACHINES) * BAR + GAP) + 30
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
           f'viewBox="0 0 {WIDTH} {height}" role="img">',
           "<title>CUDA Fortran on the CPU against hand-written OpenMP</title>",
           "<!-- Drawn by bench/chart.py of bench/results. -->",
           f"<style>{STYLE}</style>",
           '<text x="8" y="20">Speed on two CPU cores against hand-written OpenMP '
           "Fortran (gfortran -O3); longer is faster</text>"]
    for number, (_, name) in enumerate(MACHINES):
        x = LEFT + (0, 150, 370)[number]
        out += [f'<rect class="m{number}" x="{x}" y="33" width="12" height="12"/>',
                f'<text class="note" x="{x + 17}" y="44">{escape(name)}</text>']
    bottom = height - 26
    for step in range(0, int(MOST * 2) + 1):
        x = place(step / 2)
        line = "one" if step == 2 else "grid"
        out += [f'<line class="{line}" x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{bottom}"/>',
                f'<text class="note" x="{x:.1f}" y="{bottom + 16}" '
                f'text-anchor="middle">{step / 2:g}</text>']
    for number, (name, _) in enumerate(BENCHMARKS):
        top = TOP + number * (len(MACHINES) * BAR + GAP)
        out.append(f'<text x="{LEFT - 10}" y="{top + 16}" text-anchor="end">{escape(name)}</text>')
        for machine in range(len(MACHINES)):
            if (number, machine) not in found:
                continue
            ratio = found[number, machine]
            out.append(f'<rect class="m{machine}" x="{LEFT}" y="{top + machine * BAR}" '
                       f'width="{place(min(ratio, MOST)) - LEFT:.1f}" height="{BAR - 1}">'
                       f"<title>{ratio:.2f}</title></rect>")
    return "\n".join(out + ["</svg>", ""])


def main():
    found = table.ratios(MACHINES, BENCHMARKS)
    # Two rows are newer than the first of the machines.
    assert len(found) >= len(BENCHMARKS) * len(MACHINES) - 2, "results are missing"
    text = draw(found)
    if sys.argv[1:] == ["--check"]:
        with open(PICTURE, encoding="utf-8") as file:
            sys.exit("docs/images/cpu-ratios.svg is stale: python3 bench/chart.py"
                     if file.read() != text else 0)
    with open(PICTURE, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
