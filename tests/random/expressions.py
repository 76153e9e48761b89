"""Expressions of random kernels. All are exact: integers wrap or are masked,
reals are sums, products, quotients and roots, which every way of running a
kernel rounds alike. No expression writes anything."""


class Expressions:
    """What Kernel needs of expressions; rng and the names in scope are Kernel's."""

    def uniform(self):
        """The same in all threads of a block."""
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

    def integer(self, depth=1):
        """Any integer(4), different in every thread."""
        rng = self.rng
        leaves = ["i1", "i2", "i3", "tid", "threadidx%x", "threadidx%y", "ia(gid)",
                  "u1", "p", str(rng.randint(0, 99)), self.own_element()]
        leaves += self.counters + 2 * self.private_counters
        if self.mixed:
            leaves += ["int(b1)", "int(h1)", "int(w1)", "int(b1, 4) * h1"]
        if depth and rng.random() < 0.25:
            a, b = self.integer(depth - 1), self.integer(depth - 1)
        else:
            a, b = rng.choice(leaves), rng.choice(leaves)
        return rng.choice([
            a, f"({a} + {b})", f"({a} - {b})", f"iand({a} * {b}, 4095)",
            f"ieor({a}, {b})", f"ior({a}, {b})", f"max({a}, {b})", f"min({a}, {b})",
            f"mod({a}, {rng.randint(2, 17)})", f"modulo({a}, {rng.randint(2, 17)})",
            f"(({a}) / {rng.choice([2, 3, 7, 8, 10])})", f"abs({a})",
            f"pi(1 + iand({a}, 7))", f"merge({a}, {b}, {self.condition_of(a, b)})",
            f"merge({a}, {b}, f1)", f"not({a})", f"popcnt({a})",
            f"ishft(iand({a}, 1023), {rng.randint(-3, 3)})",
            f"ishft(iand({a}, 1023), iand({b}, 7))",
            self.gathered(a), f"merge(1, 0, btest({a}, {rng.randint(0, 9)}))",
            f"int(min(abs(r1), 1000.0_{self.real}))",
            f"nint(max(min({self.leaf_real()}, 900.0_{self.real}), -900.0_{self.real}))"])

    def gathered(self, index):
        """An element of the input that the data choose: nobody writes there."""
        return f"ia(1 + modulo({index}, n))"

    def own_element(self):
        """One of the four elements that only this thread touches."""
        return self.element(f"iand({self.rng.choice(['i1', 'i2', 'i3', 'tid'])}, 3)")

    def element(self, number):
        """In one piece per thread, or the threads side by side."""
        if self.pieces:
            return f"ow(4 * (gid - 1) + {number} + 1)"
        return f"ow(gid + n * {number})"

    def condition_of(self, a, b):
        return f"{a} {self.rng.choice(['<', '>', '==', '<=', '/='])} {b}"

    def condition(self):
        """Different in every thread, more or less balanced."""
        rng = self.rng
        return rng.choice([
            f"iand({self.integer()}, {rng.choice([1, 2, 3, 7])}) == {rng.randint(0, 2)}",
            f"tid < {self.uniform()}", f"tid > {rng.randint(0, self.threads)}",
            "r1 < r2", f"i1 > {self.integer()}", "f1", "(f1 .neqv. f2)",
            f"f2 .or. {self.condition_of('i1', 'i2')}",
            f"btest({self.integer()}, {rng.randint(0, 4)})",
            f"threadidx%x <= {rng.randint(1, self.block[0])} .and. i2 > 3"])

    def leaf_real(self):
        rng = self.rng
        choices = ["r1", "r2", "r3", "ra(gid)", f"real(i1, {self.real})",
                   f"{rng.randint(1, 99)}.{rng.randint(0, 99)}_{self.real}"]
        if self.mixed:
            choices += [f"real(q1, {self.real})", f"real(w1, {self.real})",
                        f"real(b1, {self.real})"]
        return rng.choice(choices)

    def real_expression(self, depth=1):
        rng = self.rng
        k = f"_{self.real}"
        if depth and rng.random() < 0.2:
            a, b = self.real_expression(0), self.real_expression(0)
        else:
            a, b = self.leaf_real(), self.leaf_real()
        return rng.choice([a, f"({a} + {b})", f"({a} - {b})", f"({a} * {b})",
                           f"({a} / (1.5{k} + abs({b})))", f"sqrt(abs({a}))",
                           f"max({a}, {b})", f"min({a}, {b})", "pr(1 + iand(i2, 7))",
                           f"pr(1 + iand({rng.choice(self.private_counters or ['i1'])}, 7))",
                           f"ra(1 + modulo({self.rng.choice(['i1', 'i2', 'i3'])}, n))",
                           f"sign({a}, {b})", f"merge({a}, {b}, {a} < {b})",
                           f"aint(max(min({a}, 9000.0{k}), -9000.0{k}))",
                           f"({a}) * 0.5{k} + ({b})"])

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
