# Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The blocks of kernels that the CPU engine runs, read from the program's memory.

Every thread of a block is a fiber: a stack of its own, of which one at a time runs
on a thread of the system. The runtime keeps a list of the blocks that have begun
(runtime/cpu/launches/DebugBlocks.h), from which everything here comes.

`program` is what the debugger gives: read(address, size), address_of(symbol) and
demangle(symbol).
"""

import re
import struct

BLOCK = struct.Struct("<QQQQQQIIIIIi")
FIBER = struct.Struct("<QQIII?xxxI")  # how one begins
LAUNCH = struct.Struct("<IIIIII")
WORD = struct.Struct("<Q")
# What a fiber that waits has on its stack, the last one where it goes on.
SAVED = ("r15", "r14", "r13", "r12", "rbx", "rbp", "rip")
PLACES = {
    1: "at a barrier",
    2: "at a barrier of the cluster",
    3: "at a barrier of the grid",
    4: "at a barrier of part of the block",
    5: "waits for others",
}
RUNTIME = re.compile(r"(cufort::|cufort_|__cufort_|_FortranA|start_thread|clone)")


class WrongIndex(Exception):
    pass


class Thread:
    """A thread of a block."""

    def __init__(self, block, number):
        self.block, self.number = block, number
        self.stack_pointer, _, *index, self.live, self.place = block.unpack(
            block.fibers + number * block.fiber_bytes, FIBER
        )
        self.index = tuple(index)

    @property
    def runs(self):
        return self.block.worker != 0 and self.block.running == self.number

    def saved(self):
        """The registers of one that does not run."""
        words = self.block.unpack(self.stack_pointer, struct.Struct("<7Q"))
        registers = dict(zip(SAVED, words))
        registers["rsp"] = self.stack_pointer + 56
        # Of the statement that waits, not of the next one.
        registers["rip"] -= 1
        return registers

    def has_begun(self):
        """A fiber that has not begun has no place on a stack."""
        return self.runs or self.stack_pointer != 0

    def state(self):
        if not self.live:
            return "has ended"
        if self.runs:
            return "runs"
        if not self.has_begun():
            return "has not begun"
        return PLACES.get(self.place, "waits for its turn, or for its warp")

    def description(self):
        block = self.block
        return (
            f"kernel {block.name}, grid {extent(block.grid)} of {extent(block.shape)}, "
            f"block {text(block.index, block.first)}, "
            f"thread {text(self.index, block.first)}"
        )


class Block:
    """A block that has begun and not ended."""

    def __init__(self, program, address):
        self.program = program
        (
            self.next,
            _,
            name,
            self.launch,
            self.fibers,
            self.fiber_bytes,
            self.count,
            self.running,
            x,
            y,
            z,
            self.worker,
        ) = self.unpack(address, BLOCK)
        self.index = (x, y, z)
        symbol = b""
        while not symbol.endswith(b"\0"):
            symbol += program.read(name + len(symbol), 1)
        # Clang adds a number of the file to names that others may have as well.
        self.symbol = re.sub(
            r"(?<=.)__(intern|static)__[0-9a-f]*$", "", symbol[:-1].decode()
        )
        shape = self.unpack(self.launch, LAUNCH)
        self.grid, self.shape = shape[:3], shape[3:]
        # Fortran counts from one.
        self.first = 0 if self.symbol.startswith("_Z") else 1

    def unpack(self, address, layout):
        return layout.unpack(self.program.read(address, layout.size))

    @property
    def name(self):
        if self.symbol.startswith("_Z"):
            return self.program.demangle(self.symbol)
        return fortran_name(self.symbol)

    def thread(self, number):
        return Thread(self, number)

    def threads(self):
        return [Thread(self, i) for i in range(self.count)]


def fortran_name(symbol):
    """smooth of module kernels is kernels::smooth, as gdb writes it."""
    match = re.match(r"_Q(?:M(\w+?)(?=[SFP]))?.*P(\w+)$", symbol)
    if match:
        module = match.group(1)
        return (module + "::" if module else "") + match.group(2)
    return symbol.rstrip("_")


def blocks_of(program):
    head = program.address_of("cufort_debug_blocks")
    if not head:
        return []
    (address,) = WORD.unpack(program.read(head, WORD.size))
    found = []
    while address:
        block = Block(program, address)
        found.append(block)
        address = block.next
    return sorted(found, key=lambda each: (each.launch, each.index[::-1]))


def text(index, first=0):
    return "(" + ",".join(str(each + first) for each in index) + ")"


def extent(shape):
    return "(" + ",".join(str(each) for each in shape) + ")"


def index_of(words, first):
    """The index that a user writes: 3, (3,1,1) or 3,1."""
    numbers = [int(each) for each in re.findall(r"\d+", words)]
    if not numbers or len(numbers) > 3:
        raise WrongIndex(f"'{words}' is no index: use a number, or (x,y,z)")
    numbers = [each - first for each in numbers]
    return tuple((numbers + [0, 0])[:3])


def chosen_thread(blocks, current, argument):
    """The thread that `block INDEX thread INDEX` names beside current, or None
    if argument names none."""
    wanted = {"block": current.block.index, "thread": current.index}
    words = re.findall(r"(block|thread|kernel)\s*([\d\s,()]*)|(\S+)", argument)
    chosen = False
    for what, index, wrong in words:
        if wrong:
            raise WrongIndex(f"'{wrong}': use cuda block INDEX thread INDEX")
        if index.strip() and what != "kernel":
            wanted[what] = index_of(index, current.block.first)
            chosen = True
    if not chosen:
        return None
    for block in blocks:
        if block.launch != current.block.launch or block.index != wanted["block"]:
            continue
        if "thread" not in argument and block.worker:
            return block.thread(block.running)
        for thread in block.threads():
            if thread.index == wanted["thread"]:
                return thread
        raise WrongIndex(f"the block has {extent(block.shape)} threads")
    raise WrongIndex("this block has not begun, or has ended")


def fits(wanted, index, first):
    """Whether index is the one that a condition asks for; -1 is any."""
    return wanted.strip() == "-1" or index_of(wanted, first) == index


def kernel_lines(blocks, current):
    """What `info cuda kernels` prints."""
    launches = {}
    for block in blocks:
        launches.setdefault(block.launch, []).append(block)
    if not launches:
        yield "No kernel runs."
    for launch, own in launches.items():
        mark = "*" if current and current.block.launch == launch else " "
        yield (
            f"{mark} {own[0].name}  grid {extent(own[0].grid)}  "
            f"block {extent(own[0].shape)}  begun and not ended: {len(own)}"
        )


def block_lines(blocks, current):
    """What `info cuda blocks` prints."""
    if not blocks:
        yield "No kernel runs."
    for block in blocks:
        mark = " "
        if current and (current.block.launch, current.block.index) == (
            block.launch,
            block.index,
        ):
            mark = "*"
        what = "waits for other blocks"
        if block.worker:
            thread = block.thread(block.running)
            what = f"runs thread {text(thread.index, block.first)}"
        yield f"{mark} {block.name}  block {text(block.index, block.first)}  {what}"


def thread_lines(current):
    """What `info cuda threads` prints: neighbours of one state share a line."""
    block = current.block
    yield f"{block.name}  block {text(block.index, block.first)}"
    threads = block.threads()
    states = [each.state() for each in threads]
    begin = 0
    for i in range(1, len(threads) + 1):
        if i < len(threads) and states[i] == states[begin]:
            continue
        mark = "*" if begin <= current.number < i else " "
        which = text(threads[begin].index, block.first)
        if i - begin > 1:
            which += " to " + text(threads[i - 1].index, block.first)
        yield f"{mark} {which}  {states[begin]}"
        begin = i
