"""Kernels whose threads go through arrays together in steps: of the whole grid,
of the block, of the block's rows, upwards and downwards, to ends that leave some
or all threads without an iteration."""


class Strides:
    """A kernel of such loops. They are a kind of their own because private arrays,
    which other kernels have, keep them from being split."""

    def stride_ends(self):
        """How many elements a loop goes to, of 4 * n; the sizes of all ow."""
        rng = self.rng
        return rng.choice(["4 * n", "4 * n - p", "2 * n + 1", "n", "n - 1", "min(4 * n, n + p)",
                           "min(4 * n, p)", "0", "-5", "4 * n - u1", "min(3 * n, 100 + p)",
                           f"min(4 * n, {rng.randint(1, 400)})"])

    def stride_body(self, index, own):
        """What is done at index; own is whether nobody else has ow(index)."""
        rng = self.rng
        k = self.real
        choices = [f"i1 = iand(i1 * 3 + ow({index}), 65535)" if own else f"i1 = iand(i1 + ia({index}), 65535)",
                   f"i2 = iand(ieor(i2, int({index})), 65535)",
                   f"i3 = i3 + 1",
                   f"r1 = r1 * 0.5_{k} + real(iand(int({index}), 1023), {k})"]
        if own:
            choices += [f"ow({index}) = iand(i1 + int({index}), 65535)", f"ow({index}) = ow({index}) + 1",
                        f"ow({index}) = iand(ow({index}) + int({index}), 4095)"]
        else:
            choices += [f"r2 = r2 * 0.5_{k} + ra({index})", f"r2 = max(r2, ra({index}))",
                        f"i1 = i1 + iand(ia({index}), 15)"]
        if self.atomics:
            choices += [f"ignored = atomicadd(acc(1), iand(i1, 255))",
                        f"ignored = atomicmax(acc(2), iand(int({index}) + i1, 1023))"]
            if self.barriers:
                choices += [f"ignored = atomicadd(sc(iand({'ow' if own else 'ia'}({index}), 15)), 1)",
                            f"ignored = atomicadd(sc(iand(i1 + int({index}), 15)), iand(i2, 7))"]
        lines = ["  " + rng.choice(choices) for _ in range(rng.randint(1, 4))]
        where = rng.randint(0, len(lines) - 1)
        if rng.random() < 0.3:
            lines[where] = f"  if ({rng.choice(['iand(i1, 1) == 0', f'iand(int({index}), 3) /= 1', 'u1 > 3'])}) " \
                           + lines[where].strip()
        # Something must be there that neighbours read side by side.
        lines.append(f"  i1 = ieor(i1, {'ow' if own else 'ia'}({index}))")
        rng.shuffle(lines)
        return lines

    def stride_loop(self):
        """One loop; ow(i) belongs to the thread for which gid is i modulo n."""
        rng = self.rng
        wide = rng.random() < 0.2
        i = self.counter() if not wide else "wi"
        kind = 8 if wide else 4
        end = self.stride_ends()
        own = rng.random() < 0.65
        first, step = "gid", "n"
        if not own:
            first, step = rng.choice([("tid + 1", f"{self.threads}"), ("gid", "n"),
                                      ("threadidx%x", "blockdim%x"), ("tid + 1", "blockdim%x")])
            end = rng.choice(["n", "n - 1", f"min(n, {rng.randint(1, 300)})", "min(n, p)", "u1 * 0"])
        size = f"int({step}, {kind})" if wide else step
        form = rng.randint(0, 5)
        body = self.stride_body(i, own)
        if form == 0:
            text = [f"do {i} = {first}, {end}, {size}"]
        elif form == 1:
            text = [f"{i} = {first}", f"do while ({i} <= {end})", *body, f"  {i} = {i} + {step}"]
            body = []
        elif form == 2:
            text = [f"{i} = {first}", f"do while ({end} > {i} - 1)", *body, f"  {i} = {i} + {step}"]
            body = []
        elif form == 3:
            text = [f"{i} = {first}", f"do while ({i} < {end})", *body, f"  {i} = {i} + {step}"]
            body = []
        elif own:
            # From the other end of what the thread has, down.
            low = rng.choice(["1", "n", "max(p, 1)", "2 * n + 3", "5 * n"])
            last = f"gid + {rng.randint(0, 3)} * n"
            if form == 4:
                text = [f"do {i} = {last}, {low}, -{size}"]
            else:
                text = [f"{i} = {last}", f"do while ({i} >= {low})", *body, f"  {i} = {i} - {step}"]
                body = []
        else:
            # The step's sign is not known where it is compiled.
            text = [f"{i} = {first}", f"u2 = merge({step}, -1, p >= 0)",
                    f"do while ({i} <= {end} .and. {i} > 0)" if rng.random() < 0.5
                    else f"do while ({i} <= {end})", *body, f"  {i} = {i} + u2"]
            body = []
        for line in [*text, *body, "end do"]:
            self.put(line)

    def stride_rows(self):
        """Rows by y, elements of a row by x: both in steps of the block. A row of
        ia is read by all."""
        rng = self.rng
        j, i = self.counter(), self.counter()
        self.put(f"do {j} = threadidx%y, {rng.choice(['4', '7', 'u1'])}, blockdim%y")
        self.put(f"  do {i} = threadidx%x, min(n, {rng.randint(1, 150)}), blockdim%x")
        self.put(f"    i1 = iand(i1 + ia({i}) * {j}, 65535)")
        if self.atomics:
            self.put(f"    ignored = atomicadd(acc(1), iand(ia({i}), 3))")
        self.put("  end do")
        self.put("end do")

    def strides_text(self):
        rng = self.rng
        k = self.real
        self.depth = 0
        self.barriers = rng.random() < 0.6
        if rng.random() < 0.2:
            self.put(f"if ({self.guard()}) then")
            self.put("  i1 = 5")
            self.put("end if")
        if rng.random() < 0.06:
            self.put("if (gid > n - p / 16) return")
        for _ in range(rng.randint(1, 3)):
            around = rng.random()
            if around < 0.2:
                c = self.counter()
                self.put(f"do {c} = 1, {rng.choice(['2', 'iand(u1, 3)'])}")
            elif around < 0.35:
                self.put(f"if ({rng.choice(['u1 > 3', 'iand(tid, 1) == 0', 'bid > 0'])}) then")
            self.depth += around < 0.35
            (self.stride_rows if rng.random() < 0.2 else self.stride_loop)()
            self.depth -= around < 0.35
            if around < 0.2:
                self.put("end do")
            elif around < 0.35:
                self.put("end if")
            if self.barriers and rng.random() < 0.7:
                self.put("call syncthreads()")
                if rng.random() < 0.5:
                    self.put("i2 = iand(i2 + sc(iand(i3, 15)), 65535)")
                    self.put("call syncthreads()")
        head = self.interface() + [
            "  integer :: tid, gid, bid, i1, i2, i3, u1, u2, ignored, big",
            "  integer(8) :: wi", f"  real({k}) :: r1, r2"]
        if self.loops:
            head.append("  integer :: " + ", ".join(f"l{i + 1}" for i in range(self.loops)))
        head += [
            "  integer, shared :: sc(0:15)",
            "  tid = threadidx%x - 1 + blockdim%x * (threadidx%y - 1 + blockdim%y * (threadidx%z - 1))",
            "  bid = blockidx%x - 1 + griddim%x * (blockidx%y - 1 + griddim%y * (blockidx%z - 1))",
            f"  gid = bid * {rng.choice([str(self.threads), 'blockdim%x * blockdim%y * blockdim%z'])} + tid + 1",
            "  big = 2147483600 + p / 8", "  i1 = 0", "  i2 = tid", "  i3 = 0", "  u1 = iand(p, 7)",
            "  u2 = 1", f"  r1 = 0.0_{k}", f"  r2 = 1.0_{k}"]
        if self.barriers:
            head += ["  if (tid == 0) sc = 0", "  call syncthreads()"]
        tail = ["  io(gid) = ieor(i1 + 3 * i2, i3 * 5)", f"  ro(gid) = r1 + r2"]
        if self.barriers:
            tail += ["  call syncthreads()", "  if (tid < 16) so(gid) = sc(tid)"]
        tail.append("end subroutine")
        return "\n".join(line for line in head + self.lines + tail if line)
