"""One random kernel as CUDA Fortran text; see kernels.py for the rules."""

SHARED = 256  # elements of the shared arrays; no block is larger


class Kernel:
    """Writes one kernel."""

    def __init__(self, rng, name):
        self.rng = rng
        self.name = name
        self.lines = []
        self.depth = 0
        self.loops = 0
        self.budget = rng.randint(6, 26)  # statements
        self.counters = []  # uniform loop counters in scope
        self.private_counters = []
        dims = rng.choice([1, 1, 2, 3])
        while True:
            block = [rng.choice([1, 2, 3, 5, 7, 8, 13, 16, 31, 32, 33, 64, 96, 100])]
            block += [rng.choice([1, 2, 3, 4, 5, 8]) for _ in range(dims - 1)]
            block += [1] * (3 - dims)
            self.threads = block[0] * block[1] * block[2]
            if self.threads <= SHARED and (self.threads > 1 or rng.random() < 0.1):
                break
        self.block = block
        self.grid = [rng.randint(1, 4)] + [rng.randint(1, 2) if d < dims else 1
                                           for d in (1, 2)]
        self.elements = self.threads * self.grid[0] * self.grid[1] * self.grid[2]
        self.dynamic = rng.random() < 0.25  # the integer shared array
        self.early = rng.random() < 0.5
        self.barriers = rng.random() < 0.85
        self.real = rng.choice(["4", "8"])
        self.plain = rng.random() < 0.15
        self.dynamic = self.dynamic and not self.plain

    # Text.
    def put(self, text):
        self.lines.append("  " * (self.depth + 1) + text)

    # Expressions.
    def uniform(self):
        rng = self.rng
        choices = ["p", "u1", "u2", str(rng.randint(0, 9)), "blockidx%x", "blockdim%x"]
        choices += self.counters
        a, b = rng.choice(choices), rng.choice(choices)
        return rng.choice([a, f"({a} + {b})", f"iand({a} + {rng.randint(1, 9)}, 7)",
                           f"mod({a} + {b}, {rng.randint(2, 6)})"])

    def uniform_condition(self):
        rng = self.rng
        return f"iand({self.uniform()}, {rng.choice([1, 1, 2, 3])}) " \
               f"{rng.choice(['==', '/=', '<'])} {rng.randint(0, 2)}"

    def integer(self):
        rng = self.rng
        choices = ["i1", "i2", "i3", "tid", "threadidx%x", "threadidx%y", "ia(gid)",
                   "u1", "p", str(rng.randint(0, 99))] + self.counters + self.private_counters
        a, b = rng.choice(choices), rng.choice(choices)
        return rng.choice([
            a, f"({a} + {b})", f"({a} - {b})", f"iand({a} * {b}, 4095)",
            f"ieor({a}, {b})", f"max({a}, {b})", f"mod({a}, {rng.randint(2, 17)})",
            f"pi(1 + iand({a}, 7))", f"merge({a}, {b}, {self.condition_of(a, b)})",
            f"ishft(iand({a}, 1023), {rng.randint(-3, 3)})",
            f"int(min(abs(r1), 1000.0_{self.real}))"])

    def condition_of(self, a, b):
        return f"{a} {self.rng.choice(['<', '>', '==', '<=', '/='])} {b}"

    def condition(self):
        rng = self.rng
        return rng.choice([
            f"iand({self.integer()}, {rng.choice([1, 2, 3, 7])}) == {rng.randint(0, 2)}",
            f"tid < {self.uniform()}", f"tid > {rng.randint(0, self.threads)}",
            f"r1 < r2", f"i1 > {self.integer()}",
            f"threadidx%x <= {rng.randint(1, self.block[0])} .and. i2 > 3"])

    def real_expression(self):
        rng = self.rng
        k = f"_{self.real}"
        choices = ["r1", "r2", "r3", "ra(gid)", f"real(i1, {self.real})",
                   f"{rng.randint(1, 99)}.{rng.randint(0, 99)}{k}"]
        a, b = rng.choice(choices), rng.choice(choices)
        return rng.choice([a, f"({a} + {b})", f"({a} - {b})", f"({a} * {b})",
                           f"({a} / (1.5{k} + abs({b})))", f"sqrt(abs({a}))",
                           f"max({a}, {b})", f"pr(1 + iand(i2, 7))",
                           f"{a} * 0.5{k} + {b}"])

    def guard(self):
        """A condition that may become the bounds of the loop over x, also where
        the integers in it wrap around."""
        rng = self.rng
        index = rng.choice(["threadidx%x", "gid", "tid", "big + threadidx%x",
                            "blockdim%x * blockidx%x + threadidx%x", "threadidx%x - 5",
                            "threadidx%x - big", "p + threadidx%x"])
        limit = rng.choice([str(rng.randint(-3, 40)), "p", "big", "-big", "big + 20",
                            "n - 3", "u1 + 4", "-2147483600"])
        last = rng.choice([str(rng.randint(0, 60)), "n", "big", "p + 20"])
        first = f"{index} {rng.choice(['<', '<=', '>', '>=', '==', '/='])} {limit}"
        return rng.choice([
            first, first, f"{first} .and. {index} <= {last}",
            f"{limit} < {index} .and. threadidx%y < 3",
            f".not. ({first} .or. {index} > {last})", f"{first} .and. iand(i1, 1) == 0"])

    # Statements without barriers.
    def assign_integer(self):
        target = self.rng.choice(["i1", "i2", "i3"])
        self.put(f"{target} = iand({self.integer()}, 65535)")

    def assign_real(self):
        k = f"_{self.real}"
        target = self.rng.choice(["r1", "r2", "r3"])
        self.put(f"{target} = min(max({self.real_expression()}, -1.0e6{k}), 1.0e6{k})")

    def assign_private(self):
        if self.rng.random() < 0.5:
            self.put(f"pi(1 + iand({self.integer()}, 7)) = iand({self.integer()}, 65535)")
        else:
            self.put(f"pr(1 + iand({self.integer()}, 7)) = r{self.rng.randint(1, 3)}")

    def assign_output(self):
        if self.rng.random() < 0.5:
            self.put(f"io(gid) = ieor(io(gid), iand({self.integer()}, 65535))")
        else:
            self.put("ro(gid) = ro(gid) + r1")

    def own_shared(self):
        # Its own element, and only it reads it until the next exchange.
        self.put(f"si(tid) = iand({self.integer()}, 65535)")
        self.put("i3 = si(tid)")

    def atomic(self):
        what = self.rng.choice(["atomicadd", "atomicmax", "atomicor", "atomicxor"])
        # One slot per operation: different operations do not commute.
        slot = ["atomicadd", "atomicmax", "atomicor", "atomicxor"].index(what) + 1
        self.put(f"ignored = {what}(acc({slot}), iand({self.integer()}, 1023))")

    def simple(self):
        self.rng.choice([self.assign_integer, self.assign_integer, self.assign_real,
                         self.assign_real, self.assign_private, self.assign_output,
                         self.own_shared, self.atomic])()

    def divergent_if(self, nesting):
        self.put(f"if ({self.condition()}) then")
        self.body(nesting, False, self.rng.randint(1, 3))
        if self.rng.random() < 0.4:
            self.put("else")
            self.body(nesting, False, self.rng.randint(1, 2))
        self.put("end if")

    def divergent_loop(self, nesting):
        self.loops += 1
        counter = f"l{self.loops}"
        bound = f"iand({self.integer()}, 7)"
        kind = self.rng.randint(0, 2)
        if kind == 0:
            self.put(f"do {counter} = 1, {bound}")
            step = None
        elif kind == 1:
            self.put(f"{counter} = 0")
            self.put(f"do while ({counter} < {bound} .and. {counter} < 8)")
            step = f"{counter} = {counter} + 1"
        else:
            self.put(f"do {counter} = 1, {self.rng.randint(2, 6)}")
            step = None
        self.private_counters.append(counter)
        self.body(nesting, False, self.rng.randint(1, 3))
        if kind == 2:
            self.put(f"  if ({self.condition()}) exit")
        if kind == 0 and self.rng.random() < 0.3:
            self.put(f"  if ({self.condition()}) cycle")
            self.put("  i2 = iand(i2 + 1, 65535)")
        if step:
            self.put("  " + step)
        self.put("end do")
        self.private_counters.pop()

    def select(self, nesting):
        self.put(f"select case (iand({self.integer()}, 3))")
        for case in range(self.rng.randint(1, 3)):
            self.put(f"case ({case})")
            self.body(nesting, False, 1)
        self.put("case default")
        self.body(nesting, False, 1)
        self.put("end select")

    # Statements that all living threads execute together.
    def exchange(self):
        rng = self.rng
        what = "sr" if rng.random() < 0.5 else "si"
        k = self.real
        value = "r1" if what == "sr" else "i1"
        self.put(f"{what}(tid) = {value}")
        self.put("call syncthreads()")
        other = rng.choice([f"mod(tid + {rng.randint(1, 40)}, {self.threads})",
                            f"{self.threads - 1} - tid",
                            f"mod(tid * 3 + {self.uniform()}, {self.threads})"])
        if what == "sr":
            self.put(f"r2 = r2 * 0.25_{k} + sr({other})")
            self.put(f"r2 = min(max(r2, -1.0e6_{k}), 1.0e6_{k})")
        else:
            self.put(f"i2 = iand(ieor(i2, {what}({other})), 65535)")
        self.put("call syncthreads()")

    def guarded(self):
        """What stands between two barriers under one condition."""
        self.put("call syncthreads()")
        self.put(f"if ({self.guard()}) then")
        self.depth += 1
        self.put(f"io(gid) = ieor(io(gid), {self.rng.choice(['i1', 'tid', 'gid + i2'])})")
        self.put("si(tid) = i1 + threadidx%x")
        self.depth -= 1
        self.put("end if")
        self.put("call syncthreads()")

    def broadcast(self):
        self.put("si(tid) = iand(i1, 7)")
        self.put("call syncthreads()")
        self.put(f"u{self.rng.randint(1, 2)} = si({self.rng.randint(0, self.threads - 1)})")
        self.put("call syncthreads()")

    def tree(self):
        self.loops += 1
        step = f"l{self.loops}"
        self.put("si(tid) = iand(i1, 65535)")
        self.put("call syncthreads()")
        self.put(f"{step} = 128")
        self.put(f"do while ({step} > 0)")
        self.put(f"  if (tid < {step} .and. tid + {step} < {self.threads}) "
                 f"si(tid) = iand(si(tid) + si(tid + {step}), 65535)")
        self.put("  call syncthreads()")
        self.put(f"  {step} = {step} / 2")
        self.put("end do")
        self.put("i3 = si(0)")
        self.put("call syncthreads()")

    def scan(self):
        self.loops += 1
        step = f"l{self.loops}"
        self.put("si(tid) = iand(i2, 255)")
        self.put("call syncthreads()")
        self.put(f"{step} = 1")
        self.put(f"do while ({step} < {self.threads})")
        self.put("  i3 = 0")
        self.put(f"  if (tid >= {step}) i3 = si(tid - {step})")
        self.put("  call syncthreads()")
        self.put("  si(tid) = iand(si(tid) + i3, 65535)")
        self.put("  call syncthreads()")
        self.put(f"  {step} = {step} * 2")
        self.put("end do")
        self.put("i3 = si(tid)")
        self.put("call syncthreads()")

    def vote(self):
        what = self.rng.choice(["count", "and", "or"])
        self.put(f"u{self.rng.randint(1, 2)} = "
                 f"iand(syncthreads_{what}(merge(1, 0, {self.condition()})), 15)")

    def uniform_assign(self):
        self.put(f"u{self.rng.randint(1, 2)} = iand({self.uniform()}, 15)")

    def uniform_if(self, nesting):
        self.put(f"if ({self.uniform_condition()}) then")
        self.body(nesting, True, self.rng.randint(1, 3))
        if self.rng.random() < 0.4:
            self.put("else")
            self.body(nesting, True, self.rng.randint(1, 2))
        self.put("end if")

    def uniform_loop(self, nesting):
        self.loops += 1
        counter = f"l{self.loops}"
        kind = self.rng.randint(0, 3)
        if kind == 0:
            self.put(f"do {counter} = 1, {self.rng.randint(1, 4)}")
        elif kind == 1:
            self.put(f"do {counter} = 1, iand({self.uniform()}, 3)")
        elif kind == 2:
            # Uniform, but only because every thread stored the same.
            self.put(f"pi(8) = iand({self.uniform()}, 3)")
            self.put(f"do {counter} = 1, pi(8)")
        else:
            self.put(f"do {counter} = iand(u1, 3), 0, -1")
        self.counters.append(counter)
        self.body(nesting, True, self.rng.randint(1, 3))
        if self.rng.random() < 0.2:
            self.put(f"  if ({self.uniform_condition()}) exit")
            self.exchange()
        self.counters.pop()
        self.put("end do")

    def early_return(self):
        self.put(f"if ({self.condition()}) then")
        self.depth += 1
        for _ in range(self.rng.randint(0, 2)):
            self.simple()
        self.put("io(gid) = io(gid) + i1")
        self.put("return")
        self.depth -= 1
        self.put("end if")

    def uniform_return(self):
        self.put(f"if ({self.uniform_condition()} .and. u2 == {self.rng.randint(0, 15)}) return")

    def statement(self, nesting, together):
        self.budget -= 1
        rng = self.rng
        choices = [(self.simple, 5)]
        if nesting < 3:
            choices += [(lambda: self.divergent_if(nesting), 2),
                        (lambda: self.divergent_loop(nesting), 2),
                        (lambda: self.select(nesting), 1)]
        if together:
            choices += [(self.uniform_assign, 1)]
            if nesting < 3:
                choices += [(lambda: self.uniform_if(nesting), 2),
                            (lambda: self.uniform_loop(nesting), 2)]
            if self.barriers:
                choices += [(self.exchange, 4), (self.guarded, 1), (self.broadcast, 1), (self.tree, 1),
                            (self.scan, 1), (self.vote, 1)]
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

    def body(self, nesting, together, count):
        self.depth += 1
        for _ in range(count):
            self.statement(nesting + 1, together)
        self.depth -= 1

    def plain_text(self):
        """A kernel that is one guarded statement, as most are."""
        k = self.real
        return "\n".join([
            f"attributes(global) subroutine {self.name}(ia, ra, io, ro, acc, n, p)",
            "  integer, value :: n, p",
            "  integer :: ia(n), io(n), acc(4)",
            f"  real({k}) :: ra(n), ro(n)",
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
        if self.plain:
            return self.plain_text()
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
            self.statement(0, True)
        k = self.real
        head = [
            f"attributes(global) subroutine {self.name}(ia, ra, io, ro, acc, n, p)",
            "  integer, value :: n, p",
            f"  integer :: ia(n), io(n), acc(4)",
            f"  real({k}) :: ra(n), ro(n)",
            "  integer :: tid, gid, bid, i1, i2, i3, u1, u2, ignored, big",
            f"  real({k}) :: r1, r2, r3",
            f"  integer :: pi(8)",
            f"  real({k}) :: pr(8)",
        ]
        if self.loops:
            head.append("  integer :: " + ", ".join(f"l{i + 1}" for i in range(self.loops)))
        last = "*" if self.dynamic else SHARED - 1
        head += [
            f"  integer, shared :: si(0:{last})",
            f"  real({k}), shared :: sr(0:{SHARED - 1})",
            "  tid = threadidx%x - 1 + blockdim%x * (threadidx%y - 1 + blockdim%y * (threadidx%z - 1))",
            "  bid = blockidx%x - 1 + griddim%x * (blockidx%y - 1 + griddim%y * (blockidx%z - 1))",
            f"  gid = bid * {self.threads} + tid + 1",
            "  if (gid > n) return" if self.rng.random() < 0.2 else "",
            "  big = 2147483600 + p / 8", "  i1 = iand(ia(gid), 1023)", "  i2 = tid", "  i3 = bid",
            f"  r1 = ra(gid)", f"  r2 = real(tid, {k})", f"  r3 = 1.0_{k}",
            "  u1 = iand(p, 7)", "  u2 = bid", "  pi = i1", "  pr = r1",
            "  io(gid) = 0", f"  ro(gid) = 0.0_{k}",
            "  si(tid) = tid", f"  sr(tid) = r1",
        ]
        if self.barriers:
            head.append("  call syncthreads()")
        tail = [
            "  io(gid) = ieor(io(gid), i1 + 3 * i2 + 5 * i3 + 7 * u1 + 11 * u2)",
            "  do ignored = 1, 8",
            "    io(gid) = ieor(io(gid), pi(ignored) * ignored)",
            "    ro(gid) = ro(gid) + pr(ignored)",
            "  end do",
            "  ro(gid) = ro(gid) + r1 + r2 + r3",
            "end subroutine",
        ]
        return "\n".join(line for line in head + self.lines + tail if line)
