"""Statements that all threads of a block which have not returned execute
together: whatever holds a barrier or a warp operation."""


class Together:
    """What threads do with each other."""

    def exchange(self):
        rng = self.rng
        what = "sr" if rng.random() < 0.5 else "si"
        k = self.real
        value = "r1" if what == "sr" else "i1"
        self.put(f"{what}(tid) = {value}")
        self.put("call syncthreads()")
        other = rng.choice([f"mod(tid + {rng.randint(1, 40)}, {self.threads})",
                            f"{self.threads - 1} - tid",
                            f"mod(tid * 3 + {self.uniform()}, {self.threads})",
                            f"modulo({self.integer()}, {self.threads})"])
        if what == "sr":
            self.put(f"r2 = r2 * 0.25_{k} + sr({other})")
            self.put(f"r2 = min(max(r2, -1.0e6_{k}), 1.0e6_{k})")
        else:
            self.put(f"i2 = iand(ieor(i2, {what}({other})), 65535)")
        self.put("call syncthreads()")

    def tile(self):
        """Every thread goes through what all have stored, as a tiled product or
        the forces between bodies."""
        rng = self.rng
        k = self.real
        c = self.counter()
        self.put(f"sr(tid) = {rng.choice(['r1', 'r2', f'ra(gid) * 0.5_{k}'])}")
        self.put(f"si(tid) = iand({self.integer()}, 255)")
        self.put("call syncthreads()")
        first, last = 0, min(self.threads, rng.choice([8, 16, 33, 64])) - 1
        if rng.random() < 0.2:
            self.put("i3 = tid")
            first, last = rng.choice(["iand(i3, 7)", "0"]), f"min(iand(i3, 15), {last})"
        self.put(f"do {c} = {first}, {last}")
        for _ in range(rng.randint(1, 2)):
            self.put("  " + rng.choice([
                f"r3 = r3 * 0.5_{k} + sr({c})",
                f"r3 = r3 * 0.5_{k} + sr({c}) * real(si({c}), {k})",
                f"if (si({c}) > iand(i1, 63)) i2 = iand(i2 + {c}, 65535)",
                f"r2 = max(r2, sr({c}))",
                f"r3 = r3 * 0.5_{k} + sr(mod(tid + {c}, {self.threads}))",
                f"pr(1 + iand({c}, 7)) = sr({c})"]))
        self.put("end do")
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
        step = self.counter()
        self.put("si(tid) = iand(i1, 65535)")
        self.put("call syncthreads()")
        self.put(f"{step} = {self.shared // 2}")
        self.put(f"do while ({step} > 0)")
        self.put(f"  if (tid < {step} .and. tid + {step} < {self.threads}) "
                 f"si(tid) = iand(si(tid) + si(tid + {step}), 65535)")
        self.put("  call syncthreads()")
        self.put(f"  {step} = {step} / 2")
        self.put("end do")
        self.put("i3 = si(0)")
        self.put("call syncthreads()")

    def scan(self):
        step = self.counter()
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

    def histogram(self):
        """Atomics on shared memory between barriers."""
        rng = self.rng
        c = self.counter()
        add = rng.random() < 0.7
        self.put("call syncthreads()")
        self.put(f"do {c} = tid, 15, {self.threads}")
        self.put(f"  sc({c}) = 0")
        self.put("end do")
        self.put("call syncthreads()")
        name = "atomicadd" if add else rng.choice(["atomicmax", "atomicor", "atomicxor"])
        update = f"ignored = {name}(sc(iand({self.integer()}, 15)), " \
                 f"{rng.choice(['1', 'iand(i1, 255)'])})"
        form = rng.randint(0, 2)
        if form == 0:
            self.put(update)
        elif form == 1:
            self.put(f"if ({self.condition()}) {update}")
        else:
            self.put(f"do {c} = 1, {rng.choice(['3', 'iand(i2, 7)', 'iand(u1, 3)'])}")
            self.put(f"  {update}")
            self.put("  i2 = iand(i2 + i1, 65535)")
            self.put("end do")
        self.put("call syncthreads()")
        self.put(f"i3 = iand(sc(iand(i1, 15)) + sc({rng.randint(0, 15)}), 65535)")
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
        counter = self.counter()
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
        self.loop_body(nesting, counter, True, self.rng.randint(1, 3))
        if self.rng.random() < 0.2:
            self.put(f"  if ({self.uniform_condition()}) exit")
            if self.barriers:
                self.exchange()
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
