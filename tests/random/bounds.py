#!/usr/bin/env python3
"""Array intrinsics of arrays whose lower bounds are below, at and above one.

Every case is a procedure for both sides: the host calls it, and a kernel. What
it must compute is computed here, by loops. Prints the cases that differ and
"N passed, N failed, N skipped".

The arrays are a procedure's own, dummy arguments of assumed shape, and
allocatables.

usage: bounds.py --cufort CUFORT [--levels 0123] [--keep FOLDER] [case...]
"""
import argparse
import concurrent.futures
import itertools
import os
import subprocess
import sys
import tempfile

PLACES = 24  # of a case's result


class Array:
    """An array as the program has it; the values are known here, too."""

    def __init__(self, name, shape, value, kind="integer"):
        self.name, self.shape, self.kind, self.value = name, shape, kind, value

    def __call__(self, *index):
        return self.value(*index)

    def all(self):
        """The values in the order of array elements."""
        return [self.value(*reversed(index)) for index in itertools.product(
            *(range(n) for n in reversed(self.shape)))]


def text(i):
    return "ab cd"[i % 5] + "xyz"[i % 3]


A = Array("a", (3, 4), lambda i, j: (7 * i + 5 * j + 3) % 11 - 4)
B = Array("b", (4, 2), lambda i, j: 3 * i - 2 * j + 1)
D = Array("d", (3, 4), lambda i, j: 20 + 3 * i - j)
V = Array("v", (4,), lambda i: (3 * i + 2) % 5 - 1)
W = Array("w", (3,), lambda i: 2 * i - 1)
U = Array("u", (12,), lambda i: (5 * i + 1) % 13)
S = Array("s", (4,), lambda j: j - 1)
X = Array("x", (4,), lambda i: float(i + 1), "real")
Y = Array("y", (3, 4), lambda i, j: float(i + 2 * j), "real")
M = Array("m", (3, 4), lambda i, j: (i + j) % 3 != 0, "logical")
N = Array("n", (4,), lambda i: i % 2 == 0, "logical")
C = Array("c", (4,), text, "character(2)")
E = Array("e", (4,), lambda i: text(3 * i), "character(2)")
ARRAYS = [A, B, D, V, W, U, S, X, Y, M, N, C, E]


def columns(array=A):
    return [[array(i, j) for i in range(array.shape[0])]
            for j in range(array.shape[1])]


def rows(array=A):
    return [[array(i, j) for j in range(array.shape[1])]
            for i in range(array.shape[0])]


def flat(lists):
    return [value for each in lists for value in each]


def transposed(lists):
    return [list(each) for each in zip(*lists)]


def product(values):
    result = 1
    for value in values:
        result *= value
    return result


def turned(values, shift):
    n = len(values)
    return [values[(i + shift) % n] for i in range(n)]


def moved(values, shift, boundary=0):
    n = len(values)
    return [values[i + shift] if 0 <= i + shift < n else boundary
            for i in range(n)]


def chosen(masked):
    return [value for value, mask in masked if mask]


def masked(lines, masks):
    return [list(zip(line, mask)) for line, mask in zip(lines, masks)]


def place(values, wanted, back=False):
    found = [i + 1 for i, value in enumerate(values) if value == wanted]
    return found[-1 if back else 0] if found else 0


def places(array, wanted):
    i, j = next((i, j) for j in range(array.shape[1])
                for i in range(array.shape[0]) if array(i, j) == wanted)
    return [i + 1, j + 1]


def root(values):
    return sum(value * value for value in values) ** 0.5


def rounded(values):
    return [round(1000 * value) for value in values]


MASKS_BY_COLUMN = masked(columns(), columns(M))
MASKS_BY_ROW = masked(rows(), rows(M))
PAIRS = list(zip(A.all(), M.all()))


def unpacked(values):
    rest = iter(values)
    return [next(rest) if m else a for a, m in PAIRS]


# Name, arrays, extents of the result (none: a scalar), expression, values in the
# order of array elements.
CASES = [
    ("reshape", [A], (12,), "reshape(a, [12])", A.all()),
    ("reshape_2", [U], (4, 3), "reshape(u, [4, 3])", U.all()),
    ("reshape_3", [A], (2, 3, 2), "reshape(a, [2, 3, 2])", A.all()),
    ("reshape_pad", [A, V], (16,), "reshape(a, [16], pad=v)",
     A.all() + V.all()),
    ("reshape_order", [A], (4, 3), "reshape(a, [4, 3], order=[2, 1])",
     flat(transposed([A.all()[3 * k:3 * k + 3] for k in range(4)]))),
    ("cshift", [A], (3, 4), "cshift(a, 1)",
     flat(turned(c, 1) for c in columns())),
    ("cshift_dim", [A], (3, 4), "cshift(a, -1, dim=2)",
     flat(transposed([turned(r, -1) for r in rows()]))),
    ("cshift_vector", [V], (4,), "cshift(v, 2)", turned(V.all(), 2)),
    ("cshift_shifts", [A, S], (3, 4), "cshift(a, s)",
     flat(turned(c, S(j)) for j, c in enumerate(columns()))),
    ("eoshift", [A], (3, 4), "eoshift(a, 1)",
     flat(moved(c, 1) for c in columns())),
    ("eoshift_dim", [A, W], (3, 4), "eoshift(a, -1, boundary=w, dim=2)",
     flat(transposed([moved(r, -1, W(i)) for i, r in enumerate(rows())]))),
    ("eoshift_vector", [V], (4,), "eoshift(v, 2, boundary=9)",
     moved(V.all(), 2, 9)),
    ("eoshift_shifts", [A, S], (3, 4), "eoshift(a, s)",
     flat(moved(c, S(j)) for j, c in enumerate(columns()))),
    ("transpose", [A], (4, 3), "transpose(a)", flat(rows())),
    ("matmul", [A, B], (3, 2), "matmul(a, b)",
     [sum(A(i, k) * B(k, j) for k in range(4)) for j in range(2)
      for i in range(3)]),
    ("matmul_vector", [A, V], (3,), "matmul(a, v)",
     [sum(A(i, k) * V(k) for k in range(4)) for i in range(3)]),
    ("vector_matmul", [A, W], (4,), "matmul(w, a)",
     [sum(W(k) * A(k, j) for k in range(3)) for j in range(4)]),
    ("matmul_transpose", [A, D], (4, 4), "matmul(transpose(a), d)",
     [sum(A(k, i) * D(k, j) for k in range(3)) for j in range(4)
      for i in range(4)]),
    ("dot_product", [V, S], (), "dot_product(v, s)",
     [sum(V(i) * S(i) for i in range(4))]),
    ("merge", [A, D, M], (3, 4), "merge(a, d, m)",
     [a if m else d for a, d, m in zip(A.all(), D.all(), M.all())]),
    ("pack", [A, M], (len(chosen(PAIRS)),), "pack(a, m)", chosen(PAIRS)),
    ("unpack", [U, M, A], (3, 4), "unpack(u, m, a)", unpacked(U.all())),
    ("spread", [V], (2, 4), "spread(v, 1, 2)", flat([v, v] for v in V.all())),
    ("spread_dim", [V], (4, 2), "spread(v, 2, 2)", V.all() * 2),
    ("norm2", [X], (), "nint(1000 * norm2(x))", rounded([root(X.all())])),
    ("norm2_dim", [Y], (4,), "nint(1000 * norm2(y, dim=1))",
     rounded(root(c) for c in columns(Y))),
    ("iall", [U], (), "iall(u)", [0]),
    ("iany", [U], (), "iany(u)", [15]),
    ("any", [M], (), "merge(1, 0, any(m))", [1]),
    ("any_dim", [M], (3,), "merge(1, 0, any(m, dim=2))",
     [int(any(r)) for r in rows(M)]),
    ("all_dim", [M], (4,), "merge(1, 0, all(m, dim=1))",
     [int(all(c)) for c in columns(M)]),
    ("all", [M], (), "merge(1, 0, all(m))", [int(all(M.all()))]),
    ("count", [M], (), "count(m)", [sum(M.all())]),
    ("count_dim", [M], (3,), "count(m, dim=2)", [sum(r) for r in rows(M)]),
    ("findloc", [A], (2,), "findloc(a, 6)", places(A, 6)),
    ("findloc_vector", [V], (1,), "findloc(v, 2)", [place(V.all(), 2)]),
    ("findloc_dim", [A], (4,), "findloc(a, 4, dim=1)",
     [place(c, 4) for c in columns()]),
    ("index", [C], (4,), "index(c, 'x')", [c.find("x") + 1 for c in C.all()]),
    ("compare", [C, E], (4,), "merge(1, 0, c == e)",
     [int(c == e) for c, e in zip(C.all(), E.all())]),
    ("compare_order", [C, E], (4,), "merge(1, 0, c < e)",
     [int(c < e) for c, e in zip(C.all(), E.all())]),
    ("elemental", [A, D], (3, 4), "2 * a + d",
     [2 * a + d for a, d in zip(A.all(), D.all())]),
    ("nested", [A, D], (3, 4), "cshift(a, 1) + transpose(reshape(d, [4, 3]))",
     [a + d for a, d in zip(
         flat(turned(c, 1) for c in columns()),
         flat(transposed([D.all()[4 * k:4 * k + 4] for k in range(3)])))]),
]
for name, total in (("sum", sum), ("product", product), ("maxval", max),
                    ("minval", min)):
    array = U if name == "product" else A
    CASES += [
        (name, [A], (), f"{name}(a)", [total(A.all())]),
        (name + "_dim_1", [A], (4,), f"{name}(a, dim=1)",
         [total(c) for c in columns()]),
        (name + "_dim_2", [A], (3,), f"{name}(a, dim=2)",
         [total(r) for r in rows()]),
        (name + "_mask", [A, M], (), f"{name}(a, mask=m)",
         [total(chosen(PAIRS))]),
        (name + "_dim_mask", [A, M], (4,), f"{name}(a, 1, m)",
         [total(chosen(c)) for c in MASKS_BY_COLUMN]),
        (name + "_vector", [V, N], (), f"{name}(v, mask=n)",
         [total(chosen(zip(V.all(), N.all())))]),
    ]
for name, best in (("maxloc", max), ("minloc", min)):
    CASES += [
        (name, [A], (2,), f"{name}(a)", places(A, best(A.all()))),
        (name + "_vector", [V], (1,), f"{name}(v)",
         [place(V.all(), best(V.all()))]),
        (name + "_scalar", [U], (), f"{name}(u, dim=1, back=.true.)",
         [place(U.all(), best(U.all()), back=True)]),
        (name + "_dim_1", [A], (4,), f"{name}(a, dim=1)",
         [place(c, best(c)) for c in columns()]),
        (name + "_dim_2", [A], (3,), f"{name}(a, dim=2)",
         [place(r, best(r)) for r in rows()]),
        (name + "_mask", [V, N], (1,), f"{name}(v, mask=n)",
         [place([v if n else None for v, n in zip(V.all(), N.all())],
                best(chosen(zip(V.all(), N.all()))))]),
    ]

# The lower bounds of a case's arguments, dimension by dimension.
BOUNDS = [(0, -1, -2), (5, -3, 0), (1, 3, -1), (-4, 1, 2)]


def extents(array, bounds):
    return [(bounds[k % len(bounds)], n) for k, n in enumerate(array.shape)]


def fill(array, bounds):
    """Assigns the elements one by one."""
    lines = []
    for index in itertools.product(*(range(n) for n in array.shape)):
        subscripts = ", ".join(str(low + i) for i, (low, _) in
                               zip(index, extents(array, bounds)))
        value = array(*index)
        if array.kind == "logical":
            value = ".true." if value else ".false."
        elif isinstance(value, str):
            value = f"'{value}'"
        lines.append(f"    {array.name}({subscripts}) = {value}")
    return lines


LOCAL, ASSUMED, ALLOCATABLE = VARIANTS = range(3)


def shape_of(array, bounds):
    return ", ".join(f"{low}:{low + n - 1}"
                     for low, n in extents(array, bounds))


def declared(array, bounds, variant):
    if variant == ALLOCATABLE:
        return (f"    {array.kind}, allocatable :: {array.name}"
                f"({', '.join(':' * len(array.shape))})")
    dimensions = shape_of(array, bounds)
    if variant == ASSUMED:
        dimensions = ", ".join(f"{low}:" for low, _ in extents(array, bounds))
    return f"    {array.kind} :: {array.name}({dimensions})"


def procedure(number, case, variant):
    _, arrays, shape, expression, _ = case
    bounds = [BOUNDS[(variant + k) % len(BOUNDS)] for k in range(len(arrays))]
    low = BOUNDS[variant][0]
    names = ", ".join(a.name for a in arrays)
    use = [f"    integer :: out({PLACES}), i1, i2, i3, k"]
    if shape:
        dimensions = ", ".join(f"{low}:{low + n - 1}" for n in shape)
        use.append(f"    integer :: r({dimensions})")
        compute = [f"    r = {expression}", "    k = 0"]
        loops = [f"i{k + 1}" for k in range(len(shape))]
        for i, n in reversed(list(zip(loops, shape))):
            compute.append(f"    do {i} = {low}, {low + n - 1}")
        compute += ["    k = k + 1", f"    out(k) = r({', '.join(loops)})"]
        compute += ["    end do"] * len(shape)
    else:
        compute = [f"    out(1) = {expression}"]
    start = "  attributes(host, device) subroutine"
    own = LOCAL if variant == ASSUMED else variant
    local = [declared(a, b, own) for a, b in zip(arrays, bounds)]
    filled = flat(fill(a, b) for a, b in zip(arrays, bounds))
    if variant == ALLOCATABLE:
        filled = [f"    allocate ({a.name}({shape_of(a, b)}))"
                  for a, b in zip(arrays, bounds)] + filled
    if variant != ASSUMED:
        return [f"{start} case_{number}(out)", *use, *local, *filled, *compute,
                "  end subroutine"]
    return [f"{start} inner_{number}(out, {names})", *use,
            *(declared(a, b, ASSUMED) for a, b in zip(arrays, bounds)),
            *compute,
            "  end subroutine", f"{start} case_{number}(out)", use[0], *local,
            *filled, f"    call inner_{number}(out, {names})",
            "  end subroutine"]


def program(cases):
    lines = ["module cases", "contains"]
    for number, (case, variant) in enumerate(cases, 1):
        lines += procedure(number, case, variant)
    lines.append("  attributes(host, device) subroutine run(number, out)")
    lines += ["    integer, value :: number", f"    integer :: out({PLACES})",
              "    select case (number)"]
    for number in range(1, len(cases) + 1):
        lines += [f"    case ({number})", f"      call case_{number}(out)"]
    lines += ["    end select", "  end subroutine",
              "  attributes(global) subroutine run_all(out)",
              f"    integer :: out({PLACES}, {len(cases)})",
              "    call run(blockidx%x, out(:, blockidx%x))",
              "  end subroutine", "end module", "program main", "  use cases",
              f"  integer :: i, out({PLACES}, {len(cases)})",
              f"  integer, device :: on_device({PLACES}, {len(cases)})",
              f"  do i = 1, {len(cases)}", "    call run(i, out(:, i))",
              "    print '(a, *(1x, i0))', 'host', out(:, i)", "  end do",
              f"  call run_all<<<{len(cases)}, 1>>>(on_device)",
              "  out = on_device", f"  do i = 1, {len(cases)}",
              "    print '(a, *(1x, i0))', 'device', out(:, i)", "  end do",
              "end program"]
    return "\n".join(lines) + "\n"


def build_and_run(cufort, level, source):
    """The lines of the program, compiled with -O<level> in a folder of its own
    (there are files of modules)."""
    folder = f"{os.path.splitext(source)[0]}-O{level}"
    os.makedirs(folder, exist_ok=True)
    binary = os.path.join(folder, "bounds")
    subprocess.run([cufort, f"-O{level}", "--device=cpu", source, "-o", binary],
                   check=True, cwd=folder)
    return subprocess.run([binary], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.split("\n")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--cufort", required=True)
    parser.add_argument("--levels", default="0123")
    parser.add_argument("--keep")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    cases = [(case, variant) for case in CASES for variant in VARIANTS
             if not options.cases or case[0] in options.cases]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or scratch
        os.makedirs(folder, exist_ok=True)
        source = os.path.join(folder, "bounds.cuf")
        with open(source, "w", encoding="utf-8") as file:
            file.write(program(cases))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            outputs = list(pool.map(
                lambda level: build_and_run(options.cufort, level, source),
                options.levels))
        for level, output in zip(options.levels, outputs):
            for line, (side, (case, variant)) in zip(
                    output, itertools.product(("host", "device"), cases)):
                where, *numbers = line.split()
                wanted = case[-1]
                if where == side and [int(n) for n in
                                      numbers[:len(wanted)]] == wanted:
                    passed += 1
                    continue
                failed += 1
                print(f"-O{level}, {side}: {case[3]} ({case[0]}, variant "
                      f"{variant}): {numbers[:len(wanted)]}, not {wanted}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
