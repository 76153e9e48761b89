"""Kernels that make rows, columns and layers of one index, as code for pictures
and for neural networks does: quotients and remainders by numbers that are known
where the program is compiled, or where the kernel is launched, or of quotients."""


class Quotients:
    """A kernel of such statements. They are a kind of their own as those of
    strides are."""

    def divisor(self, kind):
        """A number above zero, the same for all threads."""
        rng = self.rng
        if rng.random() < 0.1:
            return f"max({self.number(kind)}, 1{'_8' if kind == 8 else ''})"  # not the same
        text = rng.choice(["n", "n / 2 + 1", "p + 1", "p + 32", "p * 3 + 31", "u1 + 60", "max(n / (p + 1), 1)",
                           str(rng.choice([2, 7, 24, 31, 32, 33, 48, 64, 100, 128, 1000, 2**30, 2**30 + 5]))])
        return f"int({text}, 8)" if kind == 8 else text

    def number(self, kind):
        """What is divided: mostly what grows by one from thread to thread."""
        rng = self.rng
        if rng.random() < 0.6:
            text = rng.choice(["gid - 1", "tid", "gid - 1 + p", "gid + n", "gid - 50", "gid - n / 2", "-gid",
                               "tid - p", "bid * p + tid"])
        else:
            text = rng.choice(["2 * gid", "bid", "iand(ia(gid), 255) - 40", "x", "y", "z", "x + 1", "y - 1",
                               "x - tid", "iand(x, 65535) * 3 - p", "gid * u1", "x + y", "merge(x, y, u1 > 3)"])
        if kind == 8:
            return rng.choice([f"int({text}, 8)", f"int({text}, 8) + far", "w", "w + 1"])
        return text

    def quotient(self):
        """One of the variables gets a quotient or a remainder."""
        rng = self.rng
        kind = 8 if rng.random() < 0.2 else 4
        number, divisor = self.number(kind), self.divisor(kind)
        value = rng.choice([f"mod({number}, {divisor})", f"({number}) / ({divisor})", f"modulo({number}, {divisor})"]
                           if rng.random() < 0.9 else
                           [f"mod({number}, {divisor}) / {rng.choice(['2', '3', '40'])}",
                            f"mod(mod({number}, {divisor}) + 1, {divisor})"])
        target = "w" if kind == 8 else rng.choice(["x", "y", "z"])
        self.put(f"{target} = {value}")

    def rows(self):
        """The three, as of a picture with layers."""
        rng = self.rng
        width, height = self.divisor(4), self.divisor(4)
        first = rng.choice(["gid - 1", "tid", "gid - 1 + p"])
        self.put(f"x = mod({first}, {width})")
        self.put(f"y = mod(({first}) / ({width}), {height})")
        self.put(f"z = ({first}) / ({width}) / ({height})" if rng.random() < 0.5
                 else f"z = ({first}) / (int({width}, 8) * ({height}))")

    def use(self):
        rng, k = self.rng, self.real
        inside = rng.choice(["x", "y", "x + 1", "x - 1", "x * u1 + y", "y * 32 + x", "x * 2 - p", "z", "x + z"])
        self.put(rng.choice([
            f"if ({inside} >= 0 .and. {inside} < n) i1 = iand(i1 + ia({inside} + 1), 65535)",
            f"if ({inside} > 0 .and. {inside} <= n) r1 = r1 * 0.5_{k} + ra({inside})",
            f"i1 = iand(ieor(i1 * 3, {rng.choice(['x', 'y', 'z', 'x + 3 * y', 'x - z', 'int(w)'])}), 65535)",
            f"i1 = merge(i1 + 1, ieor(i1, 5), {rng.choice(['x > y', 'x == 0', 'y > p', 'w < 7', 'x == n - 1'])})",
            f"ow(gid) = iand(x * 5 + y, 65535)",
            f"ow(gid + 3 * n) = ow(gid + 3 * n) + iand(z, 255)",
            f"r1 = r1 + real(iand(x, 255), {k})"]))
        if self.atomics and rng.random() < 0.2:
            self.put("ignored = atomicadd(acc(1 + iand(y, 3)), iand(x, 7))")

    def around(self, statement):
        """The statement, in a loop or under a condition or as it is."""
        rng = self.rng
        form = rng.random()
        if form < 0.15:
            counter = self.counter()
            self.put(f"do {counter} = 1, {rng.choice(['3', 'u1', 'iand(y, 3)'])}")
        elif form < 0.3:
            self.put(f"if ({rng.choice(['gid <= n - p', 'u1 > 3', 'x > 3', 'tid >= p'])}) then")
        self.depth += form < 0.3
        statement()
        if form < 0.15 and rng.random() < 0.5:
            self.put(f"i1 = iand(i1 + {counter} * x, 65535)")
        self.depth -= form < 0.3
        if form < 0.3:
            self.put("end do" if form < 0.15 else "end if")

    def steps(self):
        """A loop over elements in steps of the grid."""
        counter = self.counter()
        last = self.rng.choice(["4 * n", "min(4 * n, 2 * n + p)", "n", "4 * n - 1"])
        self.put(f"do {counter} = gid, {last}, n")
        width = self.divisor(4)
        self.put(f"  x = mod({counter} - 1, {width})")
        self.put(f"  y = ({counter} - 1) / ({width})")
        self.depth += 1
        for _ in range(self.rng.randint(1, 2)):
            self.use()
        self.depth -= 1
        self.put(f"  ow({counter}) = iand(ieor(ow({counter}), x + y), 65535)")
        self.put("end do")

    def quotients_text(self):
        rng, k = self.rng, self.real
        self.depth = 0
        if rng.random() < 0.3:
            self.put("if (gid > n - p / 16) return")
        for _ in range(rng.randint(1, 3)):
            if rng.random() < 0.25:
                self.steps()
                continue
            self.rows() if rng.random() < 0.4 else self.quotient()
            for _ in range(rng.randint(1, 3)):
                self.around(self.quotient if rng.random() < 0.25 else self.use)
            if self.barriers and rng.random() < 0.3:
                self.put("call syncthreads()")
        threads = self.threads if rng.random() < 0.5 else "blockdim%x * blockdim%y * blockdim%z"
        counters = "".join(f", l{i + 1}" for i in range(self.loops))
        head = [*self.interface(),
                "  integer :: tid, gid, bid, i1, u1, x, y, z, ignored" + counters,
                "  integer(8) :: w, far", f"  real({k}) :: r1",
                "  tid = threadidx%x - 1 + blockdim%x * (threadidx%y - 1 + blockdim%y * (threadidx%z - 1))",
                "  bid = blockidx%x - 1 + griddim%x * (blockidx%y - 1 + griddim%y * (blockidx%z - 1))",
                f"  gid = bid * {threads} + tid + 1",
                "  i1 = 0", "  u1 = iand(p, 7)", "  x = tid", "  y = p", "  z = 0", "  w = gid", f"  r1 = 0.0_{k}",
                "  far = 10000000000_8 * p"]
        if self.barriers:  # Those who wait stay.
            self.lines = [line for line in self.lines if "return" not in line]
        return "\n".join([*head, *self.lines, "  io(gid) = ieor(i1, x + 3 * y + 5 * z + int(iand(w, 65535_8)))",
                          "  ro(gid) = r1", "end subroutine"])
