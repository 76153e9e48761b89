"""Device functions with loops and several returns, which kernels call wherever a
thread may be, and small private arrays that loops of constant length go through,
so that a compiler may keep them in registers."""

FUNCTIONS = 4


def function_text(rng, name):
    """A function of two integers: loops in each other that it leaves early, by
    exit, cycle and return, and cases that return."""
    condition = lambda: rng.choice([
        f"iand(x + i, {rng.choice([3, 7])}) == {rng.randint(0, 2)}",
        f"iand(y, 15) < i + {rng.randint(0, 4)}", f"x > 100 * i + {rng.randint(0, 500)}",
        f"mod(x + y, {rng.randint(3, 9)}) == 0"])
    change = lambda: rng.choice([
        f"x = iand(x * 3 + y + {rng.randint(0, 9)}, 4095)", "y = iand(ieor(x, y) + i, 4095)",
        "x = iand(x + i * y, 4095)", "s(1 + iand(x, 3)) = iand(s(1 + iand(y, 3)) + x, 4095)",
        "s(1 + mod(i, 4)) = x", "y = iand(y + s(1 + mod(i, 4)), 4095)"])
    leave = lambda label: rng.choice([f"exit {label}", f"cycle {label}", "return"])
    lines = [f"attributes(device) recursive integer function {name}(a, b) result(x)"
             if rng.random() < 0.2 else f"attributes(device) integer function {name}(a, b) result(x)",
             "  integer, value :: a, b", "  integer :: y, i, j, s(4)",
             "  x = iand(a, 4095)", "  y = iand(b, 4095)", "  s = [1, 2, 3, 4]", "  i = 0"]
    if rng.random() < 0.5:
        lines.append(f"  if ({condition()}) return")
    bound = rng.choice(["iand(y, 7)", "5", "iand(a, 3) + 1"])
    lines.append(f"  outer: do i = 1, {bound}")
    for _ in range(rng.randint(1, 2)):
        lines.append("    " + change())
    lines.append(f"    if ({condition()}) {leave('outer')}")
    lines.append(f"    inner: do j = {rng.choice(['1, 3', 'i, 4', '1, iand(x, 3)', '4, 1, -1'])}")
    lines.append("      " + change())
    lines.append(f"      if ({condition()}) {leave(rng.choice(['inner', 'outer']))}")
    lines.append("      s(j) = iand(s(j) + y, 4095)")
    lines.append("    end do inner")
    lines.append("    select case (iand(x, 3))")
    lines.append("    case (0)")
    lines.append(f"      {rng.choice(['return', 'exit outer', 'x = x + 1', 'cycle outer'])}")
    lines.append("    case (1:2)")
    lines.append("      " + change())
    lines.append("    end select")
    lines.append("  end do outer")
    lines.append(f"  x = iand(x + s({rng.randint(1, 4)}) + s(1 + iand(y, 3)), 4095)")
    lines.append("end function")
    return "\n".join(lines)


class Functions:
    """Statements with them; rng, put and the variables are Kernel's."""

    def call_function(self):
        name = f"function{self.rng.randint(1, FUNCTIONS)}"
        call = f"{name}({self.integer()}, {self.rng.choice(['tid', 'i1', 'i2', 'u1 + 3'])})"
        if self.rng.random() < 0.3:
            self.put(f"if ({self.condition()}) i2 = {call}")
        else:
            self.put(f"i{self.rng.randint(1, 3)} = {call}")

    def small_array(self):
        """Several loops over one or two arrays, by every way that loops count."""
        rng = self.rng
        k = self.real
        self.arrays = True
        for _ in range(rng.randint(1, 3)):
            what = rng.randint(0, 7)
            if what == 0:
                self.put("do j1 = 1, 4")
                self.put(f"  pa(j1) = iand(pa(j1) * {rng.randint(1, 5)} + i{rng.randint(1, 3)}, 4095)")
                self.put("end do")
            elif what == 1:
                self.put("do j1 = 1, 3")
                self.put("  do j2 = 1, 2")
                self.put(f"    pm(j2, j1) = pm(j2, j1) * 0.5_{k} + r1")
                if rng.random() < 0.4:
                    self.put(f"    if ({self.condition()}) pm(j2, j1) = pm(3 - j2, j1)")
                self.put("  end do")
                self.put("end do")
            elif what == 2:
                self.put(f"do j1 = 4, 2, {rng.choice([-1, -2])}")
                self.put("  pa(j1) = iand(pa(j1 - 1) + pa(j1), 4095)")
                self.put("end do")
            elif what == 3:  # sorted by exchanges
                self.put("do j1 = 1, 3")
                self.put(f"  do j2 = {rng.choice(['j1 + 1', '2'])}, 4")
                self.put("    if (pa(j2) < pa(j1)) then")
                self.put("      i3 = pa(j1)")
                self.put("      pa(j1) = pa(j2)")
                self.put("      pa(j2) = i3")
                self.put("    end if")
                self.put("  end do")
                self.put("end do")
            elif what == 4:
                self.put("j1 = 1")
                self.put(f"do while (j1 <= {rng.randint(2, 4)})")
                self.put(f"  i2 = iand(i2 + pa(j1) * j1, 65535)")
                if rng.random() < 0.5:
                    self.put(f"  if ({self.condition()}) exit")
                self.put("  j1 = j1 + 1")
                self.put("end do")
            elif what == 5:
                self.put(rng.choice(["pa = pa(4:1:-1)", "pa = cshift(pa, 1)", "pa(2:4) = pa(1:3)",
                                     "i1 = iand(sum(pa), 1023)", "pm = transpose(reshape(pm, [3, 2]))",
                                     "i2 = maxval(pa)"]))
            elif what == 6 and rng.random() < 0.3:  # no register any more
                self.put(f"pa(1 + iand({self.integer()}, 3)) = i1")
            else:
                self.put("do j1 = 1, 3")
                self.put(f"  r2 = r2 * 0.25_{k} + pm(1, j1) - pm(2, j1)")
                self.put("  i1 = iand(ieor(i1, pa(j1 + 1)), 1023)")
                self.put("end do")
