"""Statements that any subset of the threads may execute: assignments, branches,
and loops whose trip counts the data decide."""


class Statements:
    """What threads may do apart from each other."""

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
        rng = self.rng
        what = rng.randint(0, 3)
        if what == 0:
            self.put(f"io(gid) = ieor(io(gid), iand({self.integer()}, 65535))")
        elif what == 1:
            self.put("ro(gid) = ro(gid) + r1")
        elif what == 2:
            element = self.element(f"iand({self.integer()}, 3)")
            self.put(f"{element} = iand({self.integer()}, 65535)")
        else:
            # Elements that only this thread writes and nobody reads.
            self.put(f"so({self.place}) = iand({self.integer()}, 65535)")

    def assign_mixed(self):
        """Variables of the other kinds."""
        rng = self.rng
        other = "8" if self.real == "4" else "4"
        statements = [
            f"f{rng.randint(1, 2)} = {self.condition()}",
            f"f1 = f1 .neqv. ({self.condition_of('i1', 'i3')})"]
        if self.mixed:
            statements += [
                f"b1 = int(iand({self.integer()}, 127), 1)",
                f"b1 = int(iand(b1 + {rng.randint(1, 100)}, 127), 1)",
                f"h1 = int(iand({self.integer()}, 32767), 2)",
                f"h1 = max(h1, int(iand({self.integer()}, 255), 2))",
                f"w1 = iand(w1 * 3_8 + int({self.integer()}, 8), 1099511627775_8)",
                f"w1 = ieor(w1, ishft(int(iand({self.integer()}, 255), 8), {rng.randint(0, 30)}))",
                f"i2 = int(iand(w1, 65535_8))",
                f"q1 = real(r{rng.randint(1, 3)}, {other})",
                f"q1 = min(max(q1 * 0.75_{other} + real(i1, {other}), -1.0e6_{other}), 1.0e6_{other})"]
        self.put(rng.choice(statements))

    def divide(self):
        """A division that must not happen in every thread."""
        rng = self.rng
        divisor = f"iand({self.integer()}, {rng.choice([1, 3, 7])})"
        self.put(f"i3 = {divisor}")
        what = rng.choice(["/", "mod", "modulo", "wide"])
        if what == "wide" and self.mixed:
            self.put(f"if (i3 /= 0) w1 = w1 / int(i3, 8) + mod(w1, int(i3, 8))")
            return
        value = f"iand({self.integer()}, 65535)"
        quotient = f"{value} / i3" if what in ("/", "wide") else f"{what}({value}, i3)"
        if rng.random() < 0.5:
            self.put(f"if (i3 /= 0) i2 = {quotient}")
        else:
            self.put("if (i3 == 0) then")
            self.put("  i2 = i1")
            self.put("else")
            self.put(f"  i2 = {quotient}")
            self.put("end if")

    def own_shared(self):
        # Its own element, and only it reads it until the next exchange.
        self.put(f"si(tid) = iand({self.integer()}, 65535)")
        self.put("i3 = si(tid)")

    def atomic(self):
        """On global memory; the order does not matter. Different operations do
        not commute, so each has a slot of its own."""
        rng = self.rng
        what = rng.randint(0, 7)
        if what < 4:
            name = ["atomicadd", "atomicmax", "atomicor", "atomicxor"][what]
            self.put(f"ignored = {name}(acc({what + 1}), iand({self.integer()}, 1023))")
        elif what == 4:
            self.put(f"wide = atomicadd(aw(1), int(iand({self.integer()}, 65535), 8))")
        elif what == 5:
            self.put(f"wide = atomicmax(aw(2), int(iand({self.integer()}, 65535), 8))")
        elif what == 6:
            # Whole numbers: their sum is exact in any order.
            self.put(f"r4 = atomicadd(ar(1), real(iand({self.integer()}, 7), {self.real}))")
        else:
            # Nobody else touches the element, so the answer is defined.
            self.put(f"i2 = iand(atomicadd({self.own_element()}, i1), 65535)")

    def append(self):
        """Takes a number and writes there: the order is not defined, what is
        in the list is. At most once for each thread."""
        if self.appended or self.inside:
            return self.simple()
        self.appended = True
        self.put("ignored = atomicadd(acc(5), 1) + 1")
        self.put(f"list(ignored) = iand({self.integer()}, 65535)")
        return None

    def fence(self):
        self.put(f"call {self.rng.choice(['threadfence', 'threadfence_block'])}()")

    def simple(self):
        rng = self.rng
        choices = [self.assign_integer, self.assign_integer, self.assign_real,
                   self.assign_real, self.assign_private, self.assign_output,
                   self.assign_output, self.assign_mixed, self.assign_mixed,
                   self.divide, self.own_shared]
        if self.atomics:
            choices += [self.atomic, self.atomic, self.append, self.fence]
        rng.choice(choices)()

    def divergent_if(self, nesting):
        self.put(f"if ({self.condition()}) then")
        self.body(nesting, False, self.rng.randint(1, 3))
        while self.rng.random() < 0.15:
            self.put(f"else if ({self.condition()}) then")
            self.body(nesting, False, 1)
        if self.rng.random() < 0.4:
            self.put("else")
            self.body(nesting, False, self.rng.randint(1, 2))
        self.put("end if")

    def select(self, nesting):
        self.put(f"select case (iand({self.integer()}, 7))")
        first = 0
        for _ in range(self.rng.randint(1, 3)):
            last = first + self.rng.choice([0, 0, 1])
            self.put(f"case ({first}:{last})" if last > first else f"case ({first})")
            self.body(nesting, False, 1)
            first = last + 1
        if self.rng.random() < 0.8:
            self.put("case default")
            self.body(nesting, False, 1)
        self.put("end select")

    def counter(self):
        self.loops += 1
        return f"l{self.loops}"

    def loop_body(self, nesting, counter, together, count):
        """The body of a loop, with its counter in scope."""
        counters = self.counters if together else self.private_counters
        counters.append(counter)
        self.inside += 1
        self.body(nesting, together, count)
        self.inside -= 1
        counters.pop()

    def leave(self, label):
        """A way out of the body of a divergent loop, or none."""
        rng = self.rng
        ways = [f"exit {label}", f"cycle {label}"]
        if self.labels:
            ways += [f"exit {self.labels[-1]}", f"cycle {self.labels[-1]}"]
        if self.early and rng.random() < 0.3:
            ways.append("return")
        self.put(f"  if ({self.condition()}) {rng.choice(ways)}")

    def divergent_loop(self, nesting):
        """Trip counts from the data, ways out in the middle, uniform trip counts
        in divergent code, all nested in each other."""
        rng = self.rng
        counter = self.counter()
        label = f"iteration{self.loops}"
        bound = f"iand({self.integer()}, {rng.choice([3, 7, 7, 15]) if nesting < 2 else 3})"
        kind = rng.randint(0, 4)
        step = None
        if kind == 0:
            self.put(f"{label}: do {counter} = 1, {bound}")
        elif kind == 1:
            self.put(f"{counter} = 0")
            self.put(f"{label}: do while ({counter} < {bound} .and. {counter} < 8)")
            step = f"{counter} = {counter} + 1"
        elif kind == 2:
            self.put(f"{label}: do {counter} = 1, {rng.randint(2, 6)}")
        elif kind == 3:
            self.put(f"{label}: do {counter} = {bound}, 0, {rng.choice([-1, -2, -3])}")
        else:
            self.put(f"{counter} = 0")
            self.put(f"{label}: do")
            self.put(f"  {counter} = {counter} + 1")
            self.put(f"  if ({counter} > {rng.randint(3, 9)} .or. ({self.condition()})) exit")
        self.loop_body(nesting, counter, False, rng.randint(1, 2))
        if kind != 1 and rng.random() < 0.5:
            self.leave(label)
            self.labels.append(label)
            self.loop_body(nesting, counter, False, 1)
            self.labels.pop()
        if step:
            self.put("  " + step)
        self.put(f"end do {label}")

    def accumulate(self, _):
        """A loop with the same trip count in all threads around arithmetic, the
        inner loop of most kernels: a sum over what all or each look up."""
        rng = self.rng
        k = self.real
        counter = self.counter()
        trips = rng.choice([str(rng.randint(2, 40)), "4 + iand(p, 15)", "min(u1, 20) + 2"])
        if self.inside:
            trips = str(rng.randint(2, 5))
        r, i = f"r{rng.randint(1, 3)}", f"i{rng.randint(1, 3)}"
        self.put(f"do {counter} = 1, {trips}")
        if rng.random() < 0.3:
            self.put(f"  if ({self.condition()}) cycle")
        for _ in range(rng.randint(1, 3)):
            self.put("  " + rng.choice([
                f"{r} = {r} * 0.5_{k} + ra(1 + modulo(gid * {counter}, n))",
                f"{r} = {r} * 0.5_{k} + ra(1 + modulo({counter}, n))",
                f"{r} = {r} * 0.25_{k} + pr(1 + iand({counter}, 7))",
                f"{i} = iand({i} + ia(1 + modulo(tid + {counter}, n)) * {counter}, 65535)",
                f"{i} = iand({i} + {self.element(f'iand({counter}, 3)')}, 65535)",
                f"pi(1 + iand({counter}, 7)) = iand(pi(1 + iand({counter}, 7)) + {i}, 65535)",
                f"pr(1 + iand({counter}, 7)) = pr(1 + iand({counter}, 7)) * 0.5_{k} + {r}",
                f"{self.element(f'iand({counter}, 3)')} = {i}"]))
        if rng.random() < 0.2:
            self.put(f"  if ({self.condition()}) exit")
        self.put("end do")

    def iterate(self, _):
        """Iterations as programs have them, each thread until it is done."""
        rng = self.rng
        k = self.real
        c = self.counter()
        most = rng.randint(5, 60) if not self.inside else 6
        what = rng.randint(0, 4)
        if what == 0:  # as the Mandelbrot set
            inner = ["r4 = r1 * r1 - r2 * r2 + 0.01_K * real(iand(i1, 255) - 200, K)",
                     "r2 = 2.0_K * r1 * r2 + 0.01_K * real(iand(i2, 127) - 60, K)",
                     "r1 = r4", f"{c} = {c} + 1"]
            before = [f"{c} = 0", "r1 = 0.0_K", "r2 = 0.0_K"]
            head = f"do while (r1 * r1 + r2 * r2 <= 4.0_K .and. {c} < {most})"
        elif what == 1:  # Collatz
            before = [f"{c} = 0", "i2 = 1 + iand(i1, 1023)"]
            head = f"do while (i2 /= 1 .and. {c} < {most})"
            inner = ["if (iand(i2, 1) == 0) then", "  i2 = i2 / 2", "else",
                     "  i2 = 3 * i2 + 1", "end if", f"{c} = {c} + 1"]
        elif what == 2:  # the greatest common divisor
            before = ["i2 = 1 + iand(i1, 4095)", "i3 = iand(tid * 7, 255)", f"{c} = 0"]
            head = "do while (i3 /= 0)"
            inner = [f"{c} = mod(i2, i3)", "i2 = i3", f"i3 = {c}"]
        elif what == 3:  # a search
            before = [f"i2 = iand({self.integer()}, 1023)", "i3 = 0"]
            head = f"do {c} = 1, min(n, {most})"
            inner = [f"if (ia({c}) >= i2) exit", "i3 = i3 + 1"]
        else:  # a square root by halving
            before = ["r3 = 0.0_K", "r4 = 1.0_K + abs(r1)", f"{c} = 0"]
            head = f"do while (r4 - r3 > 0.125_K .and. {c} < {most})"
            inner = ["r2 = 0.5_K * (r3 + r4)",
                     "if (r2 * r2 > abs(r1)) then", "  r4 = r2", "else", "  r3 = r2",
                     "end if", f"{c} = {c} + 1"]
        for line in before:
            self.put(line.replace("_K", f"_{k}").replace(" K)", f" {k})"))
        self.put(head.replace("_K", f"_{k}"))
        for line in inner:
            self.put("  " + line.replace("_K", f"_{k}").replace(" K)", f" {k})"))
        self.put("end do")
        if what == 0:
            # What has escaped is large.
            self.put(f"r1 = min(max(r1, -1.0e3_{k}), 1.0e3_{k})")
            self.put(f"r2 = min(max(r2, -1.0e3_{k}), 1.0e3_{k})")
        self.put(f"io(gid) = ieor(io(gid), iand({c}, 255))")
        self.put("i1 = iand(i1 + i2, 65535)")
