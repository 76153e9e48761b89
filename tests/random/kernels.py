#!/usr/bin/env python3
"""Random kernels: CUDA Fortran programs that must give the same answers with
fission, with one fiber per thread (CUFORT_CPU_FIBERS=1) and on a GPU; every
third program also where the work is done in recursive procedures, and, if that
is asked for, what the GPU's passes make of all of them on the CPU.

Every kernel is free of races by construction: a thread writes its own elements
of the global and shared arrays; others read the shared ones only between two
barriers; what is shared otherwise goes through integer atomics whose order does
not matter. Barriers stand where all threads that have not returned come along.
Numbers stay small and arithmetic is not contracted, so results agree bit for
bit. The same seed gives the same program everywhere."""
import argparse
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

from functions import FUNCTIONS, function_text
from kernel_text import SHARED, Kernel
from recursive import in_procedure

KERNELS_PER_PROGRAM = 20


def program(seed, count, recursive=False, functions=True, across=False, quotients=False):
    """The text of one program with count kernels, or of the same with recursive
    procedures."""
    rng = random.Random(seed)
    kernels, texts = [], []
    if functions:
        texts = [function_text(rng, f"function{i + 1}") for i in range(FUNCTIONS)]
    for i in range(count):
        kernel = Kernel(rng, f"k{i}", functions, across, quotients)
        kernels.append(kernel)
        text = kernel.text()
        texts.append(in_procedure(text) if recursive else text)
    out = ["module kernels",
           *(["  use cooperative_groups"] if across else []),
           "  implicit none",
           "contains", *texts, "end module", "",
           "program random", "  use cudafor", "  use kernels",
           f"  ! seed {seed}"]
    most = max(kernel.elements for kernel in kernels)
    out += [f"  integer, parameter :: most = {most}",
            "  integer :: ia(most), io(most), ow(4 * most), so(most), list(most), acc(5), i, error",
            "  integer(8) :: aw(2)",
            "  real(4) :: ra4(most), ro4(most), ar4(1)",
            "  real(8) :: ra8(most), ro8(most), ar8(1)",
            "  integer, device :: d_ia(most), d_io(most), d_ow(4 * most), d_so(most)",
            "  integer, device :: d_list(most), d_acc(5)",
            "  integer(8), device :: d_aw(2)",
            "  real(4), device :: d_ra4(most), d_ro4(most), d_ar4(1)",
            "  real(8), device :: d_ra8(most), d_ro8(most), d_ar8(1)",
            "  type(dim3) :: grid, block",
            "  do i = 1, most",
            "    ia(i) = mod(i * 7919, 1009)",
            "    ra8(i) = real(mod(i * 31, 97), 8) / 8.0_8",
            "    ra4(i) = real(ra8(i), 4)",
            "  end do",
            "  d_ia = ia", "  d_ra4 = ra4", "  d_ra8 = ra8"]
    for i, kernel in enumerate(kernels):
        r = kernel.real
        grid = ", ".join(map(str, kernel.grid))
        block = list(kernel.block)
        if seed % 4 == 3:  # upright blocks: many of one thread in x
            block[:2] = block[1::-1]
        block = ", ".join(map(str, block))
        out += [f"  io = -1; ro{r} = -1; ow = 0; so = -1; list = 0; acc = 0; aw = 0; ar{r} = 0",
                f"  d_io = io; d_ro{r} = ro{r}; d_ow = ow; d_so = so; d_list = list",
                f"  d_acc = acc; d_aw = aw; d_ar{r} = ar{r}",
                f"  grid = dim3({grid}); block = dim3({block})",
                f"  call k{i}<<<grid, block, {4 * SHARED if kernel.dynamic else 0}>>>(d_ia, d_ra{r}, d_io, &",
                f"    d_ro{r}, d_ow, d_so, d_list, d_acc, d_aw, d_ar{r}, {kernel.elements}, {rng.randint(0, 99)})",
                "  error = cudaDeviceSynchronize()",
                f"  io = d_io; ro{r} = d_ro{r}; ow = d_ow; so = d_so; list = d_list",
                f"  acc = d_acc; aw = d_aw; ar{r} = d_ar{r}",
                f"  call report{r}({i}, error, ro{r}, ar{r}(1), {kernel.elements})",
                "  flush (6)"]
    out.append("contains")
    for r in ("4", "8"):
        out += [f"  subroutine report{r}(number, error, ro, ar, n)",
                "    integer, intent(in) :: number, error, n",
                f"    real({r}), intent(in) :: ro(:), ar",
                "    integer(8) :: hash",
                "    integer :: i",
                "    hash = 17",
                "    do i = 1, n",
                "      call mix(hash, int(io(i), 8))",
                f"      call mix(hash, int(transfer(ro(i), 0_{r}), 8))",
                "      call mix(hash, int(so(i), 8))",
                "    end do",
                "    do i = 1, 4 * n",
                "      call mix(hash, int(ow(i), 8))",
                "    end do",
                "    do i = 1, 5",
                "      call mix(hash, int(acc(i), 8))",
                "    end do",
                "    call mix(hash, aw(1))",
                "    call mix(hash, aw(2))",
                f"    call mix(hash, int(transfer(ar, 0_{r}), 8))",
                "    ! In any order.",
                "    call mix(hash, sum(int(list, 8) * int(list + 1, 8)))",
                "    print '(a,i0,a,i0,a,z16.16)', 'k', number, ' ', error, ' ', hash",
                "  end subroutine"]
    out += ["  subroutine mix(hash, value)",
            "    integer(8), intent(inout) :: hash",
            "    integer(8), intent(in) :: value",
            "    hash = ieor(ishftc(hash, 5), value)",
            "  end subroutine",
            "end program"]
    return "\n".join(out) + "\n"


def run(command, environment=None, limit=60):
    env = dict(os.environ, **(environment or {}))
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit,
                              env=env, check=False)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return -1, "", f"no answer after {limit} seconds"


def levels():
    """Which instruction sets to compile for: all, or one that this machine has."""
    with open("/proc/cpuinfo", encoding="ascii") as file:
        flags = set(re.search(r"flags\s*:(.*)", file.read())[1].split())
    found = [[], ["-march=x86-64-v2"]]
    if "avx2" in flags:
        found.append(["-march=x86-64-v3"])
    if "avx512vl" in flags:
        found.append(["-march=x86-64-v4"])
    return found


def check(cufort, seed, count, devices, folder, flags, gpu_passes, across, **family):
    """Compiles and runs one program; returns the number of kernels that fail, and
    what is to be said of them."""
    said = []
    binary = os.path.join(folder, f"random-{seed}")
    flags = {binary: flags}
    ways = {"fission": (binary, {"CUFORT_DEVICE": "cpu"}),
            "fibers": (binary, {"CUFORT_DEVICE": "cpu", "CUFORT_CPU_FIBERS": "1"})}
    if "cuda" in devices:
        ways["cuda"] = (binary, {"CUFORT_DEVICE": "cuda"})
    if seed % 3 == 0 and not across:
        flags[binary + "-recursive"] = flags[binary]
        ways["recursive"] = (binary + "-recursive", {"CUFORT_DEVICE": "cpu"})
    if gpu_passes:
        flags[binary + "-gpu"] = flags[binary] + ["-gpu-passes-for-cpu"]
        ways["passes"] = (binary + "-gpu", {"CUFORT_DEVICE": "cpu"})
    for name, chosen in flags.items():
        with open(f"{name}.cuf", "w", encoding="ascii") as file:
            file.write(program(seed, count, name.endswith("-recursive"), across=across, **family))
        level = levels()[seed % len(levels())]
        code, out, err = run([cufort, "-ffp-contract=off", *level, *chosen, f"{name}.cuf", "-o", name],
                             limit=600)
        if code:
            return count, [f"seed {seed}: the compiler failed ({code})\n{out}{err}"]
    answers = {}
    for way, (executable, environment) in ways.items():
        code, out, err = run([executable], environment)
        answers[way] = {line.split()[0]: line for line in out.splitlines() if line.startswith("k")}
        if code:
            said.append(f"seed {seed}: {way}: exit code {code}\n{err[:2000]}")
    failed = 0
    for i in range(count):
        lines = {way: answer.get(f"k{i}", "nothing") for way, answer in answers.items()}
        if len(set(lines.values())) == 1 and " 0 " in lines["fission"]:
            continue
        failed += 1
        said.append(f"seed {seed}, kernel k{i} ({binary}.cuf):")
        said.extend(f"  {way:9} {line}" for way, line in lines.items())
    if not failed:
        for name in flags:
            os.remove(f"{name}.cuf")
            os.remove(name)
    return failed, said


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cufort", default="cufort", help="the compiler under test")
    parser.add_argument("--count", type=int, default=200, help="how many kernels (200)")
    parser.add_argument("--seed", type=int, default=1, help="of the first program (1)")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)),
                        help="programs at a time (as many as there are processors)")
    parser.add_argument("--flags", default="-O2 --device=cpu", help="for the compiler")
    parser.add_argument("--devices", default="cpu", help="cpu or cpu,cuda")
    parser.add_argument("--no-functions", action="store_true",
                        help="without functions.py: programs by whose seeds faults were found before")
    parser.add_argument("--grid", action="store_true",
                        help="kernels whose blocks wait for each other")
    parser.add_argument("--quotients", action="store_true",
                        help="kernels that make rows and columns of one index")
    parser.add_argument("--gpu-passes", action="store_true",
                        help="also what the GPU's passes make of the kernels, on the CPU")
    parser.add_argument("--keep", help="folder for the programs that fail")
    parser.add_argument("--print", action="store_true", help="only print the first program")
    options = parser.parse_args()
    family = {"functions": not options.no_functions, "across": options.grid, "quotients": options.quotients}
    if options.print:
        print(program(options.seed, min(options.count, KERNELS_PER_PROGRAM), **family))
        return 0
    folder = options.keep or tempfile.mkdtemp(prefix="cufort-random-")
    os.makedirs(folder, exist_ok=True)
    devices, flags = options.devices.split(","), options.flags.split()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = [pool.submit(check, options.cufort, options.seed + number,
                               min(options.count - first, KERNELS_PER_PROGRAM), devices,
                               folder, flags, options.gpu_passes, **family)
                   for number, first in enumerate(range(0, options.count, KERNELS_PER_PROGRAM))]
        for done in running:
            wrong, said = done.result()
            failed += wrong
            for line in said:
                print(line, flush=True)
    if failed:
        print(f"the programs that failed are in {folder}")
    elif not options.keep:
        os.rmdir(folder)
    print(f"{options.count - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
