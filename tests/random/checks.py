#!/usr/bin/env python3
"""Kernels with and without faults, under --check=race,init.

Every kernel reads and writes arrays in global and shared memory at sums of its
thread, its block and a loop's variable, under conditions, with barriers here and
there. Which of them have a race, or read what nothing has written, is computed here,
access by access; the checkers must report those and no others. The launches of some
without are proved before they run (runtime/check/proofs), at least one of each
program. Prints what differs and "N passed, N failed, N skipped".

usage: checks.py --cufort CUFORT [--count KERNELS] [--seed SEED] [--keep FOLDER]
"""
import argparse
import concurrent.futures
import json
import os
import random
import subprocess
import sys
import tempfile

PER_PROGRAM = 60
BEFORE = 2000  # elements of a global array in front of index 0; of a shared one 600
LAST = 7  # what the loops up to a parameter go to


class Index:
    """A sum that is an index: its text, and its value for a thread t of a block."""

    def __init__(self, r, in_loop, is_shared):
        self.thread = r.choice([0, 1, 1, 1, 2, -1, 3])
        self.block = 0 if is_shared else r.choice([0, 1, 0, "size", "size", "size"])
        self.loop = r.choice([0, 1, "size", 32, 2]) if in_loop else 0
        self.number = r.choice([0, 0, 0, 1, -1, 2, 32, 7])
        self.modulus = r.choice([0] * 6 + [16])

    def text(self):
        text = str(self.number)
        for factor, name in ((self.thread, "t"), (self.block, "b"), (self.loop, "j")):
            if factor:
                text += f" + {factor} * {name}"
        return f"({text} + 300) % {self.modulus}" if self.modulus else text

    def value(self, t, b, j, size):
        number = lambda factor: size if factor == "size" else factor
        value = self.number + self.thread * t + number(self.block) * b + number(self.loop) * j
        return (value + 300) % self.modulus if self.modulus else value


def condition(r, in_loop):
    """The text of a condition and its value; nothing: always."""
    m = r.choice([1, 5, 16, 31, 33])
    return r.choice([
        None, None, None,
        (f"t < {m}", lambda t, b, j, size: t < m),
        (f"t >= {m}", lambda t, b, j, size: t >= m),
        ("b == 0", lambda t, b, j, size: b == 0),
        (f"t == {m}", lambda t, b, j, size: t == m),
        ("t < size - j", lambda t, b, j, size: t < size - j) if in_loop else None])


class Access:
    def __init__(self, r, in_loop, number):
        self.array = r.choice("aacccss")
        self.writes = r.random() < 0.55
        self.index = Index(r, in_loop, self.array == "s")
        self.condition = condition(r, in_loop)
        self.in_loop, self.number = in_loop, number

    def text(self):
        element = f"{self.array}[{600 if self.array == 's' else BEFORE} + {self.index.text()}]"
        # No two writes are of the same number, which would be no report.
        loop = " + j * 1000" if self.in_loop else ""
        text = (f"{element} = {self.number * 100000} + b * size + t{loop};"
                if self.writes else f"x += {element};")
        return f"if ({self.condition[0]}) {text}" if self.condition else text

    def place(self, t, b, j, size):
        if self.condition and not self.condition[1](t, b, j, size):
            return None
        return (self.array, b if self.array == "s" else 0, self.index.value(t, b, j, size))


class Kernel:
    def __init__(self, r, name):
        self.name = name
        self.size, self.blocks = r.choice([32, 48, 64]), r.choice([1, 2, 3])
        # Statements: a barrier (None), or a loop's head, its values, what is in
        # it and whether a barrier ends it; no loop is one that runs once.
        self.statements = []
        number = 0
        for _ in range(r.randrange(2, 6)):
            kind = r.random()
            if kind < 0.25:
                self.statements.append(None)
                continue
            in_loop = kind < 0.55
            count = r.choice([2, 3, 4])
            head, values = r.choice([
                (f"int j = 0; j < {count}; ++j", range(count)),
                (f"int j = {2 ** count}; j > 0; j >>= 1",
                 [2 ** k for k in range(count, -1, -1)]),
                ("int j = 1; j <= last; j += 2", range(1, LAST + 1, 2))]) if in_loop else ("", [0])
            accesses = []
            for _ in range(r.randrange(1, 3) if in_loop else 1):
                number += 1
                accesses.append(Access(r, in_loop, number))
            self.statements.append((head, values, accesses, in_loop and r.random() < 0.5))

    def text(self):
        lines = [f"__global__ void {self.name}(int *a, int *c, int *out, int last) {{",
                 "  __shared__ int s[1400];",
                 "  const int t = threadIdx.x, b = blockIdx.x, size = blockDim.x;",
                 "  int x = 0;"]
        for statement in self.statements:
            if statement is None:
                lines.append("  __syncthreads();")
                continue
            head, _, accesses, barrier = statement
            if head:
                lines.append(f"  for ({head}) {{")
            lines += [f"  {access.text()}" for access in accesses]
            if barrier:
                lines.append("  __syncthreads();")
            if head:
                lines.append("  }")
        return "\n".join(lines + ["  out[b * size + t] = x;", "}"])

    def accesses(self):
        """All accesses: block, interval between barriers, thread, element, whether it is
        written; those of a thread in their order."""
        for b in range(self.blocks):
            for t in range(self.size):
                interval = 0
                for statement in self.statements:
                    if statement is None:
                        interval += 1
                        continue
                    _, values, accesses, barrier = statement
                    for j in values:
                        for access in accesses:
                            place = access.place(t, b, j, self.size)
                            if place:
                                yield b, interval, t, place, access.writes
                        interval += barrier

    def wrongs(self, written):
        """Whether two threads access an element, one writing, and no barrier is between;
        whether one reads what nothing wrote, of global memory not in written either, to
        which is added what this kernel writes."""
        found = {}
        for b, interval, t, place, writes in self.accesses():
            found.setdefault(place, set()).add((b, t, interval, writes))
        race = any(write[3] and (b != write[0] or t != write[1] and interval == write[2])
                   for accesses in found.values() for write in accesses
                   for b, t, interval, _ in accesses)
        unset, here = False, set()
        for b, _, _, place, writes in sorted(self.accesses(), key=lambda each: each[:3]):
            if writes:
                here.add(place)
            elif place not in here and place not in written:
                unset = True
        written.update(place for place in here if place[0] != "s")
        return race, unset


def run(cufort, folder, seed):
    """The kernels of a program about which the checker is wrong, and all their number."""
    r = random.Random(seed)
    kernels = [Kernel(r, f"k{i}") for i in range(PER_PROGRAM)]
    launches = "\n".join(f"  {k.name}<<<{k.blocks}, {k.size}>>>(a, c, out, {LAST});"
                         for k in kernels)
    program = os.path.join(folder, f"checks-{seed}")
    with open(program + ".cu", "w", encoding="utf-8") as file:
        file.write("\n".join(k.text() for k in kernels) + f"""
int main() {{
  int *a, *c, *out;
  cudaMalloc(&a, 40000);
  cudaMalloc(&c, 40000);
  cudaMalloc(&out, 40000);
  cudaMemset(a, 0, {4 * (BEFORE + 64)});
{launches}
  return cudaDeviceSynchronize();
}}
""")
    subprocess.run([cufort, "--check=race,init", "--device=cpu", program + ".cu", "-o", program],
                   check=True)
    wrong, written = [], {("a", 0, i) for i in range(-BEFORE, 64)}
    wrongs = [kernel.wrongs(written) for kernel in kernels]
    for workers in (1, 4):
        report = f"{program}.{workers}.json"
        output = subprocess.run([program], capture_output=True, text=True, check=False, env={
            **os.environ, "CUFORT_NUM_THREADS": str(workers), "CUFORT_CHECK_REPORT": report,
            "CUFORT_CHECK_PROOFS": "1"}).stderr
        with open(report, encoding="utf-8") as file:
            reported = {(each["kernel"].split("(")[0], each["kind"])
                        for each in json.load(file)["reports"]}
        for kernel, (race, unset) in zip(kernels, wrongs):
            # A race may explain that something is not set, so that is not asked then.
            for kind, expected in (("race", race), ("init", unset)):
                if (kind == "race" or not race) and expected != ((kernel.name, kind) in reported):
                    wrong.append(f"{program}.cu, {workers} workers: {kernel.name}: {kind} is "
                                 f"{'not ' if expected else ''}reported")
        if " is proved" not in output:
            wrong.append(f"{program}.cu: no launch is proved")
    return wrong


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--cufort", required=True)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or scratch
        os.makedirs(folder, exist_ok=True)
        programs = -(-options.count // PER_PROGRAM)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            wrong = sum(pool.map(lambda i: run(options.cufort, folder, options.seed + i),
                                 range(programs)), [])
    print("".join(f"{each}\n" for each in wrong) +
          f"{2 * programs * PER_PROGRAM - len(wrong)} passed, {len(wrong)} failed, 0 skipped")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
