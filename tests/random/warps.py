"""Statements that the lanes of a warp execute together, where all threads of the
block come along or where a warp has parted: the mask in scope then names the
lanes that are here. A lane uses what it got from another only if that one is in
the mask, so that every program is one that CUDA defines."""


class Warps:
    """What lanes do with each other."""

    def warp_mask(self):
        """A variable for the mask of lanes that are here."""
        self.masks += 1
        return f"m{self.masks}"

    def warp_work(self, nesting):
        """A few operations of whole warps; those that have ended are not in the
        mask, nor those that the block does not have."""
        mask = self.warp_mask()
        self.put(f"{mask} = ballot_sync(-1, .true.)")
        self.whole_masks.add(mask)
        for _ in range(self.rng.randint(1, 3)):
            self.warp_statement(nesting, mask)

    def warp_statement(self, nesting, mask):
        self.budget -= 1
        rng = self.rng
        choices = [self.shuffle] * 5 + [self.ballot, self.warp_vote, self.match_any,
                                        self.match_all, self.warp_exchange, self.warp_sum,
                                        self.warp_divergence, self.warp_simple]
        if nesting < 3:
            choices += [self.warp_if, self.warp_if, self.warp_loop]
        action = rng.choice(choices)
        if action in (self.warp_if, self.warp_loop):
            action(nesting, mask)
        else:
            action(mask)

    def lane_choice(self, kind, width):
        """What chooses the lane, and the lane's number in terms of it ("a");
        outside of the segment it is the lane itself, which is in the mask."""
        rng = self.rng
        amount = rng.choice([str(rng.choice([0, 1, 2, 3, 4, 5, 8, 16, 31])),
                             "iand(p, 15)", f"iand({self.integer()}, 31)"])
        first = f"iand(lane, {32 - width})"
        source = {
            "": f"ior({first}, iand(a - 1, {width - 1}))",
            "_up": f"merge(lane - a, lane, lane - a >= {first})",
            "_down": f"merge(lane + a, lane, lane + a < {first} + {width})",
            "_xor": f"merge(ieor(lane, a), lane, ieor(lane, a) < {first} + {width})"}[kind]
        if kind == "" and rng.random() < 0.3:
            amount = rng.choice(["trailz(mask) + 1", "32 - leadz(mask)", "lane + 1"])
        return amount, source

    def shuffle(self, mask):
        rng = self.rng
        kind = rng.choice(["", "_up", "_down", "_xor"])
        width = rng.choice([32, 32, 32, 2, 4, 8, 16])
        amount, source = self.lane_choice(kind, width)
        self.put(f"a = {amount.replace('mask', mask)}")
        last = f", {width}" if width < 32 or rng.random() < 0.2 else ""
        target, value = rng.choice([
            ("i", "i1"), ("i", "i2"), ("i", f"iand({self.integer()}, 65535)"), ("r", "r1"),
            ("r", "r2"), ("w", "w1"), ("q", "q1")])
        whole = self.threads % 32 == 0 and not self.early and mask in self.whole_masks
        mask_argument = "" if whole and rng.random() < 0.4 else f"{mask}, "
        name = f"__shfl{kind}{'_sync' if mask_argument else ''}"
        got = {"i": "i3", "r": "r4", "w": "wide", "q": "q2"}[target]
        self.put(f"{got} = {name}({mask_argument}{value}, a{last})")
        k = self.real
        use = {"i": "i2 = iand(ieor(i2, i3), 65535)",
               "r": f"r2 = min(max(r2 * 0.25_{k} + r4, -1.0e6_{k}), 1.0e6_{k})",
               "w": "w1 = iand(ieor(w1 * 3_8, wide), 1099511627775_8)",
               "q": "q1 = q2"}[target]
        self.put(f"if (btest({mask}, {source})) {use}")
        # What another lane may have left there is not defined.
        self.put({"i": "i3 = i2", "r": f"r4 = 0.0_{k}", "w": "wide = 0",
                  "q": "q2 = 0"}[target])

    def ballot(self, mask):
        self.put(f"i2 = iand(ieor(i2, ballot_sync({mask}, {self.condition()})), 65535)")

    def warp_vote(self, mask):
        self.put(f"if ({self.rng.choice(['any', 'all'])}_sync({mask}, {self.condition()}) /= 0) "
                 f"i2 = iand(i2 + {self.rng.randint(1, 9)}, 65535)")

    def match_any(self, mask):
        value = self.rng.choice([f"iand({self.integer()}, 3)",
                                 f"int(iand({self.integer()}, 1), 8)", "r1"])
        self.put(f"i3 = match_any_sync({mask}, {value})")
        self.put("i1 = iand(i1 + popcnt(i3) + trailz(i3), 65535)")

    def match_all(self, mask):
        value = self.rng.choice(["p", "u1", "iand(i1, 1)", "int(u2, 8)", "lane", "r3"])
        self.put(f"i3 = match_all_sync({mask}, {value}, a)")
        self.put("i2 = iand(ieor(i2, iand(i3, 255)) + merge(3, 0, a /= 0), 65535)")

    def warp_exchange(self, mask):
        """Through shared memory: nobody else touches this warp's elements."""
        if self.dynamic or self.threads < 2:
            return self.ballot(mask)
        self.put(f"call syncwarp({mask})")
        self.put(f"si(tid) = iand({self.integer()}, 65535)")
        self.put(f"call syncwarp({mask})")
        self.put(f"a = {self.rng.choice(['ieor(lane, 5)', 'iand(lane + 7, 31)', '31 - lane'])}")
        self.put(f"if (btest({mask}, a)) i2 = iand(i2 + si(tid - lane + a), 65535)")
        self.put(f"call syncwarp({mask})")

    def warp_sum(self, mask):
        """The sum over the lanes that are here, by halves."""
        step = self.counter()
        self.put(f"i3 = iand({self.integer()}, 255)")
        self.put(f"{step} = 16")
        self.put(f"do while ({step} > 0)")
        self.put(f"  a = __shfl_down_sync({mask}, i3, {step})")
        self.put(f"  if (lane + {step} < 32) then")
        self.put(f"    if (btest({mask}, lane + {step})) i3 = iand(i3 + a, 65535)")
        self.put("  end if")
        self.put(f"  {step} = {step} / 2")
        self.put("end do")
        self.put("i1 = iand(ieor(i1, i3), 65535)")

    def warp_simple(self, _):
        self.simple()

    def warp_divergence(self, mask):
        """Lanes part and do things alone; some may end."""
        self.rng.choice([self.divergent_if, self.divergent_loop, self.accumulate,
                         self.iterate])(2)
        if self.early:
            self.put(f"{mask} = ballot_sync({mask}, .true.)")

    def warp_if(self, nesting, mask):
        flag = f"c{self.masks + 1}"
        taken, other = self.warp_mask(), self.warp_mask()
        self.flags.append(flag)
        self.put(f"{flag} = {self.condition()}")
        self.put(f"{taken} = ballot_sync({mask}, {flag})")
        self.put(f"{other} = iand({mask}, not({taken}))")
        self.put(f"if ({flag}) then")
        self.warp_body(nesting, taken)
        if self.rng.random() < 0.6:
            self.put("else")
            self.warp_body(nesting, other)
        self.put("end if")
        if self.early:
            self.put(f"{mask} = ballot_sync({mask}, .true.)")

    def warp_loop(self, nesting, mask):
        """Lanes leave at different iterations, or all together."""
        counter = self.counter()
        if self.rng.random() < 0.4:
            self.put(f"do {counter} = 1, {self.rng.choice(['3', 'iand(p, 3)', '2'])}")
            self.inside += 1
            self.warp_body(nesting, mask)
            self.inside -= 1
            self.put("end do")
            return
        bound, staying = self.counter(), self.warp_mask()
        self.put(f"{bound} = iand({self.integer()}, 3)")
        self.put(f"{counter} = 1")
        self.put(f"{staying} = ballot_sync({mask}, {counter} <= {bound})")
        self.put(f"do while ({counter} <= {bound})")
        self.inside += 1
        self.warp_body(nesting, staying)
        self.inside -= 1
        self.put(f"  {counter} = {counter} + 1")
        self.put(f"  {staying} = ballot_sync({staying}, {counter} <= {bound})")
        self.put("end do")
        if self.early:
            self.put(f"{mask} = ballot_sync({mask}, .true.)")

    def warp_body(self, nesting, mask):
        self.depth += 1
        for _ in range(self.rng.randint(1, 3)):
            self.warp_statement(nesting + 1, mask)
        self.depth -= 1
