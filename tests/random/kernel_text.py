"""One random kernel as CUDA Fortran text; see kernels.py for the rules."""

from expressions import Expressions
from functions import Functions
from quotients import Quotients
from statements import Statements
from strides import Strides
from together import Together
from warps import Warps

SHARED = 1024  # elements of the largest shared arrays; no block is larger
PARAMETERS = "ia, ra, io, ro, ow, so, list, acc, aw, ar, n, p"
WIDTHS = [1, 2, 3, 5, 7, 8, 13, 16, 31, 32, 33, 64, 96, 100]


class Kernel(Expressions, Statements, Together, Strides, Quotients, Warps, Functions):
    """Writes one kernel."""

    def __init__(self, rng, name, functions=True, across=False, quotients=False):
        self.rng = rng
        self.across = across  # whether the blocks wait for each other
        self.quotients = quotients
        self.functions = functions
        self.arrays = False  # whether there are small private ones
        self.name = name
        self.lines = []
        self.depth = 0
        self.loops = 0
        self.budget = rng.randint(6, 26)  # statements
        self.counters = []  # uniform loop counters in scope
        self.private_counters = []
        self.labels = []  # divergent loops in scope that one may leave
        self.inside = 0  # how many loops are around
        self.appended = False
        self.shape()
        self.elements = self.threads * self.grid[0] * self.grid[1] * self.grid[2]
        # Who waits for the grid must not have threads that have returned.
        self.early = rng.random() < 0.4 and not across
        self.barriers = rng.random() < 0.7
        self.atomics = rng.random() < 0.5
        self.mixed = rng.random() < 0.5
        self.warps = rng.random() < 0.35
        self.masks = 0  # variables for masks of lanes
        self.flags = []  # logical variables for conditions on which warps part
        self.whole_masks = set()  # masks of whole warps
        self.loopy = rng.random() < 0.5  # mostly loops
        self.pieces = rng.random() < 0.5
        self.real = rng.choice(["4", "8"])
        self.plain = rng.random() < 0.1
        self.strides = not self.plain and rng.random() < 0.2
        self.dynamic = rng.random() < 0.25 and not self.plain and not self.strides  # the integer shared array
        # Where this thread scatters to: a permutation of the block's elements.
        base = f"(bid * {self.threads} + 1)"
        factor = next(f for f in rng.sample([3, 5, 7, 11, 13, 17, 1], 7) if self.threads % f or f == 1)
        self.place = rng.choice([
            "n + 1 - gid", f"{base} + {self.threads - 1} - tid",
            f"{base} + mod(tid * {factor} + {rng.randint(0, 50)}, {self.threads})"])
        # Elements of the private arrays; the first eight are used.
        self.private = rng.choice([8] * 8 + [100, 600])

    def shape(self):
        """The block and the grid: mostly small, some as large as they may be."""
        rng = self.rng
        dims = rng.choice([1, 1, 2, 3])
        most = 1024 if rng.random() < 0.08 else 256
        while True:
            if most > 256:
                block = [rng.choice([8, 16, 31, 32, 100, 128, 256, 333, 512, 1000, 1024])]
            else:
                block = [rng.choice(WIDTHS)]
            block += [rng.choice([1, 2, 3, 4, 5, 8]) for _ in range(dims - 1)]
            block += [1] * (3 - dims)
            self.threads = block[0] * block[1] * block[2]
            if self.threads <= most and (self.threads > 1 or rng.random() < 0.1):
                break
        self.block = block
        self.shared = 256 if self.threads <= 256 else SHARED
        self.grid = [rng.randint(1, 4)] + [rng.randint(1, 2) if d < dims else 1
                                           for d in (1, 2)]

    def put(self, text):
        self.lines.append("  " * (self.depth + 1) + text)

    def statement(self, nesting, together):
        self.budget -= 1
        rng = self.rng
        choices = [(self.simple, 5)]
        if nesting < 3:
            weight = 3 if self.loopy else 1
            choices += [(lambda: self.divergent_if(nesting), 2),
                        (lambda: self.divergent_loop(nesting), weight + 1),
                        (lambda: self.accumulate(nesting), weight),
                        (lambda: self.iterate(nesting), weight),
                        (lambda: self.select(nesting), 1)]
        if self.functions:
            choices += [(self.call_function, 1), (self.small_array, 1)]
        if together:
            choices += [(self.uniform_assign, 1)]
            if nesting < 3:
                choices += [(lambda: self.uniform_if(nesting), 2),
                            (lambda: self.uniform_loop(nesting), 2)]
            if self.warps:
                choices += [(lambda: self.warp_work(nesting), 6)]
            if self.barriers:
                choices += [(self.exchange, 3), (self.tile, 2), (self.guarded, 1),
                            (self.broadcast, 1), (self.tree, 1), (self.scan, 1),
                            (self.vote, 1)]
                if self.atomics:
                    choices += [(self.histogram, 2)]
            if self.early:
                choices += [(self.early_return, 1), (self.uniform_return, 1)]
        total = sum(weight for _, weight in choices)
        pick = rng.uniform(0, total)
        for action, weight in choices:
            pick -= weight
            if pick <= 0:
                action()
                return
        choices[0][0]()

    def exchange_across(self):
        """Gives elements to threads of other blocks."""
        rng, k = self.rng, self.real
        theirs = rng.choice(["n + 1 - gid", f"mod(gid * 7 + {rng.randint(0, 50)}, n) + 1"])
        self.put(f"io(gid) = ieor(io(gid), {rng.choice(['i1', 'i2', 'i3 + tid'])})")
        self.put(f"ro(gid) = ro(gid) + {rng.choice(['r1', 'r2'])}")
        self.put("call syncthreads(whole)")
        self.put(f"i2 = iand(ieor(i2, io({theirs})), 65535)")
        if rng.random() < 0.5:
            self.put(f"r2 = r2 * 0.5_{k} + ro({theirs}) * 0.25_{k}")
        self.put("call syncthreads(whole)")

    def body(self, nesting, together, count):
        self.depth += 1
        for _ in range(count):
            self.statement(nesting + 1, together)
        self.depth -= 1

    def interface(self):
        k = self.real
        kind = "grid_global" if self.across else "global"
        return [
            f"attributes({kind}) subroutine {self.name}({PARAMETERS})",
            "  integer, value :: n, p",
            "  integer :: ia(n), io(n), ow(4 * n), so(n), list(n), acc(5)",
            "  integer(8) :: aw(2)",
            f"  real({k}) :: ra(n), ro(n), ar(1)"]

    def plain_text(self):
        """A kernel that is one guarded statement, as most are."""
        k = self.real
        return "\n".join(self.interface() + [
            "  integer :: tid, gid, i1, u1, big",
            "  tid = threadidx%x - 1 + blockdim%x * (threadidx%y - 1 + blockdim%y * (threadidx%z - 1))",
            f"  gid = {self.threads} * (blockidx%x - 1 + griddim%x * (blockidx%y - 1 "
            "+ griddim%y * (blockidx%z - 1))) + tid + 1",
            "  big = 2147483600 + p / 8", "  i1 = p - tid", "  u1 = iand(p, 7)",
            f"  if ({self.guard()}) then",
            "    io(gid) = ia(gid) + tid + u1",
            f"    ro(gid) = ra(gid) * 2.0_{k} + real(i1, {k})",
            "  end if", "end subroutine"])

    def text(self):
        if self.quotients:
            return self.quotients_text()
        if self.plain:
            return self.plain_text()
        if self.strides:
            return self.strides_text()
        self.depth = 0
        if not self.barriers and self.rng.random() < 0.6:
            self.budget = min(self.budget, 8)
            self.put(f"if ({self.guard()}) then")
            self.depth = 1
            while self.budget > 0:
                self.statement(0, False)
            self.depth = 0
            self.put("end if")
        while self.budget > 0:
            if self.across and self.rng.random() < 0.3:
                self.exchange_across()
            self.statement(0, True)
        k = self.real
        other = "8" if k == "4" else "4"
        head = self.interface() + [
            "  integer :: tid, gid, bid, i1, i2, i3, u1, u2, ignored, big",
            "  integer(1) :: b1", "  integer(2) :: h1", "  integer(8) :: w1, wide",
            f"  real({k}) :: r1, r2, r3, r4", f"  real({other}) :: q1",
            "  logical :: f1, f2",
            f"  integer :: pi({self.private})", f"  real({k}) :: pr({self.private})",
        ]
        if self.loops:
            head.append("  integer :: " + ", ".join(f"l{i + 1}" for i in range(self.loops)))
        if self.across:
            head.append("  type(grid_group) :: whole")
        if self.warps:
            head += [f"  real({other}) :: q2", "  integer :: lane, a"]
        if self.masks:
            head.append("  integer :: " + ", ".join(f"m{i + 1}" for i in range(self.masks)))
        if self.arrays:
            head += ["  integer :: pa(4), j1, j2", f"  real({k}) :: pm(2, 3)"]
        if self.flags:
            head.append("  logical :: " + ", ".join(self.flags))
        last = "*" if self.dynamic else self.shared - 1
        head += [
            f"  integer, shared :: si(0:{last})",
            f"  real({k}), shared :: sr(0:{self.shared - 1})",
            "  integer, shared :: sc(0:15)",
            "  tid = threadidx%x - 1 + blockdim%x * (threadidx%y - 1 + blockdim%y * (threadidx%z - 1))",
            "  bid = blockidx%x - 1 + griddim%x * (blockidx%y - 1 + griddim%y * (blockidx%z - 1))",
            f"  gid = bid * {self.threads} + tid + 1",
            "  lane = iand(tid, 31)" if self.warps else "",
            "  whole = this_grid()" if self.across else "",
            "  if (gid > n) return" if self.rng.random() < 0.2 else "",
            "  big = 2147483600 + p / 8", "  i1 = iand(ia(gid), 1023)", "  i2 = tid", "  i3 = bid",
            "  r1 = ra(gid)", f"  r2 = real(tid, {k})", f"  r3 = 1.0_{k}", f"  r4 = 0.0_{k}",
            "  u1 = iand(p, 7)", "  u2 = bid", "  pi = i1", "  pr = r1",
            "  b1 = int(iand(i1, 127), 1)", "  h1 = int(i1, 2)", "  w1 = int(i1, 8)",
            f"  q1 = real(i1, {other})", "  f1 = i1 > 500", "  f2 = iand(tid, 1) == 0",
            "  io(gid) = 0", f"  ro(gid) = 0.0_{k}",
            "  si(tid) = tid", "  sr(tid) = r1",
        ]
        if self.arrays:
            head += ["  pa = [i1, tid, 3, bid]", "  pm = r1"]
        if self.barriers:
            head += ["  if (tid == 0) sc = 0", "  call syncthreads()"]
        tail = [
            "  io(gid) = ieor(io(gid), i1 + 3 * i2 + 5 * i3 + 7 * u1 + 11 * u2)",
            "  io(gid) = ieor(io(gid), merge(4096, 0, f1) + merge(8192, 0, f2))",
            "  do ignored = 1, 8",
            "    io(gid) = ieor(io(gid), pi(ignored) * ignored)",
            "    ro(gid) = ro(gid) + pr(ignored)",
            "  end do",
            "  ro(gid) = ro(gid) + r1 + r2 + r3",
        ]
        if self.arrays:
            tail += ["  io(gid) = ieor(io(gid), pa(1) + 3 * pa(2) + 5 * pa(3) + 7 * pa(4))",
                     "  ro(gid) = ro(gid) + pm(1, 1) + pm(2, 1) + pm(1, 2) + pm(2, 2) + pm(1, 3) + pm(2, 3)"]
        if self.mixed:
            tail += ["  io(gid) = ieor(io(gid), int(b1) + 129 * int(h1) + int(iand(w1, 65535_8)))",
                     f"  ro(gid) = ro(gid) + real(q1, {k})"]
        tail.append("end subroutine")
        return "\n".join(line for line in head + self.lines + tail if line)
