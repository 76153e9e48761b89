# Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Commands of cuda-gdb for kernels that the CPU engine runs.

Programs that are built with -g name this file, and gdb reads it (docs/debugging.md).
Every thread of a block is a fiber: a stack of its own, of which one at a time runs
on a thread of the system. The runtime keeps a list of the blocks that have begun
(runtime/cpu/launches/DebugBlocks.h), from which everything here comes.
"""

import re
import struct

import gdb

BLOCK = struct.Struct("<QQQQQQIIIIIi")
FIBER = struct.Struct("<QQIII?xxxI")  # how one begins
LAUNCH = struct.Struct("<IIIIII")
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


class Problem(gdb.GdbError):
    pass


def read(address, layout):
    memory = gdb.selected_inferior().read_memory(address, layout.size)
    return layout.unpack(memory.tobytes())


def symbol_address(name):
    # The syntax of expressions is that of the program's language.
    try:
        said = gdb.execute(f"info address {name}", to_string=True)
    except gdb.error:
        return 0
    place = re.search(r" (?:at|address) (0x[0-9a-f]+)", said)
    return int(place.group(1), 16) if place else 0


class Thread:
    """A thread of a block."""

    def __init__(self, block, number):
        self.block, self.number = block, number
        self.stack_pointer, _, *index, self.live, self.place = read(
            block.fibers + number * block.fiber_bytes, FIBER
        )
        self.index = tuple(index)

    @property
    def runs(self):
        return self.block.worker != 0 and self.block.running == self.number

    def saved(self):
        """The registers of one that does not run."""
        words = read(self.stack_pointer, struct.Struct("<7Q"))
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


class Block:
    """A block that has begun and not ended."""

    def __init__(self, address):
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
        ) = read(address, BLOCK)
        self.index = (x, y, z)
        inferior = gdb.selected_inferior()
        symbol = b""
        while not symbol.endswith(b"\0"):
            symbol += inferior.read_memory(name + len(symbol), 1).tobytes()
        self.symbol = symbol[:-1].decode()
        shape = read(self.launch, LAUNCH)
        self.grid, self.shape = shape[:3], shape[3:]
        # Fortran counts from one.
        self.first = 0 if self.symbol.startswith("_Z") else 1

    @property
    def name(self):
        if self.symbol.startswith("_Z"):
            return gdb.execute(f"demangle {self.symbol}", to_string=True).strip()
        match = re.match(r"_Q(?:M(\w+?)(?=[SFP]))?.*P(\w+)$", self.symbol)
        if match:
            module = match.group(1)
            return (module + "::" if module else "") + match.group(2)
        return self.symbol.rstrip("_")

    def thread(self, number):
        return Thread(self, number)

    def threads(self):
        return [Thread(self, i) for i in range(self.count)]


def blocks():
    head = symbol_address("cufort_debug_blocks")
    if not head or gdb.selected_thread() is None:
        return []
    (address,) = read(head, struct.Struct("<Q"))
    found = []
    while address:
        block = Block(address)
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
        raise Problem(f"'{words}' is no index: use a number, or (x,y,z)")
    numbers = [each - first for each in numbers]
    return tuple((numbers + [0, 0])[:3])


class Focus:
    """The thread that commands are about. One that does not run is shown by the
    registers that it will have; they are put back before the program goes on."""

    thread = None  # whose registers are shown, if not those of the one that runs
    kept = None

    @classmethod
    def restore(cls):
        if cls.kept:
            worker, registers = cls.kept
            cls.kept = cls.thread = None
            worker.switch()
            gdb.execute("select-frame 0", to_string=True)
            write(registers)

    @classmethod
    def forget(cls, _=None):
        cls.kept = cls.thread = None

    @classmethod
    def current(cls):
        if cls.thread:
            return cls.thread
        number = gdb.selected_thread()
        for block in blocks():
            if number and block.worker == number.ptid[1]:
                return block.thread(block.running)
        return None

    @classmethod
    def needed(cls):
        found = cls.current()
        if not found:
            for block in blocks():
                if block.worker:
                    cls.show(block.thread(block.running))
                    return block.thread(block.running)
            raise Problem("no kernel of the CPU engine runs")
        return found

    @classmethod
    def show(cls, thread):
        cls.restore()
        if not thread.live:
            raise Problem("this thread has ended")
        for worker in gdb.selected_inferior().threads():
            if worker.ptid[1] == thread.block.worker:
                worker.switch()
        if not thread.runs:
            if not thread.has_begun():
                raise Problem("this thread has not begun")
            gdb.execute("select-frame 0", to_string=True)
            kept = {name: register(name) for name in SAVED + ("rsp",)}
            cls.kept = (gdb.selected_thread(), kept)
            write(thread.saved())
            cls.thread = thread
        select_kernel_frame()


def register(name):
    return int(gdb.selected_frame().read_register(name)) & (2**64 - 1)


def write(registers):
    for name, value in registers.items():
        gdb.execute(f"set var ${name} = {value}", to_string=True)


def select_kernel_frame():
    """The innermost frame that is the program's own."""
    frame = gdb.newest_frame()
    while frame:
        if frame.find_sal().symtab and not RUNTIME.match(frame.name() or ""):
            frame.select()
            return
        frame = frame.older()


def describe(thread):
    block = thread.block
    return (
        f"kernel {block.name}, grid {extent(block.grid)} of {extent(block.shape)}, "
        f"block {text(block.index, block.first)}, "
        f"thread {text(thread.index, block.first)}"
    )


class Cuda(gdb.Command):
    """cuda [block INDEX] [thread INDEX]: show that thread of a kernel.

    INDEX is a number, or (x,y,z), and counts as the kernel's language does: in
    Fortran from one. Without anything, says which thread is shown."""

    def __init__(self):
        super().__init__("cuda", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        current = Focus.needed()
        first = current.block.first
        wanted = {"block": current.block.index, "thread": current.index}
        words = re.findall(r"(block|thread|kernel)\s*([\d\s,()]*)|(\S+)", argument)
        chosen = False
        for what, index, wrong in words:
            if wrong:
                raise Problem(f"'{wrong}': use cuda block INDEX thread INDEX")
            if index.strip() and what != "kernel":
                wanted[what] = index_of(index, first)
                chosen = True
        if chosen:
            current = self.find(current, wanted, "thread" in argument)
            Focus.show(current)
        print(describe(current))
        if chosen:
            gdb.execute("frame")

    @staticmethod
    def find(current, wanted, names_thread):
        for block in blocks():
            if block.launch != current.block.launch or block.index != wanted["block"]:
                continue
            if not names_thread and block.worker:
                return block.thread(block.running)
            for thread in block.threads():
                if thread.index == wanted["thread"]:
                    return thread
            raise Problem(f"the block has {extent(block.shape)} threads")
        raise Problem("this block has not begun, or has ended")


class InfoCuda(gdb.Command):
    """info cuda kernels|blocks|threads: what the CPU engine runs."""

    def __init__(self):
        super().__init__("info cuda", gdb.COMMAND_STATUS, prefix=True)

    def invoke(self, argument, from_tty):
        raise Problem("use info cuda kernels, info cuda blocks or info cuda threads")


class InfoKernels(gdb.Command):
    """The kernels of which blocks have begun and not ended."""

    def __init__(self):
        super().__init__("info cuda kernels", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        current = Focus.current()
        launches = {}
        for block in blocks():
            launches.setdefault(block.launch, []).append(block)
        if not launches:
            print("No kernel runs.")
        for launch, own in launches.items():
            mark = "*" if current and current.block.launch == launch else " "
            print(
                f"{mark} {own[0].name}  grid {extent(own[0].grid)}  "
                f"block {extent(own[0].shape)}  begun and not ended: {len(own)}"
            )


class InfoBlocks(gdb.Command):
    """The blocks that have begun and not ended."""

    def __init__(self):
        super().__init__("info cuda blocks", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        current = Focus.current()
        all_of_them = blocks()
        if not all_of_them:
            print("No kernel runs.")
        for block in all_of_them:
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
            print(f"{mark} {block.name}  block {text(block.index, block.first)}  {what}")


class InfoThreads(gdb.Command):
    """The threads of the block that is shown."""

    def __init__(self):
        super().__init__("info cuda threads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        current = Focus.needed()
        block = current.block
        print(f"{block.name}  block {text(block.index, block.first)}")
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
            print(f"{mark} {which}  {states[begin]}")
            begin = i


class Is(gdb.Function):
    """$cuda_is(BLOCK, THREAD): whether the thread that runs is that one.

    For conditions of breakpoints. Each is a number, a string such as "(3,1,1)",
    or -1 for any."""

    def __init__(self):
        super().__init__("cuda_is")

    def invoke(self, block, thread=-1):
        number = gdb.selected_thread()
        for each in blocks():
            if number and each.worker == number.ptid[1]:
                runs = each.thread(each.running)
                return self.fits(block, each.index, each.first) and self.fits(
                    thread, runs.index, each.first
                )
        return False

    @staticmethod
    def fits(wanted, index, first):
        if isinstance(wanted, int):
            words = str(wanted)
        elif wanted.type.code in (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_STRING):
            words = wanted.string()
        else:
            words = str(int(wanted))
        return words == "-1" or index_of(words, first) == index


class OwnFrames:
    """Backtraces end at the kernel: what runs it is the runtime's business."""

    def __init__(self):
        self.name, self.priority, self.enabled = "cufort", 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        for frame in frames:
            own = frame.inferior_frame()
            name = own.name()
            if own.find_sal().symtab or (name and not RUNTIME.match(name)):
                yield frame


def begin():
    for command in (Cuda, InfoCuda, InfoKernels, InfoBlocks, InfoThreads):
        command()
    Is()
    OwnFrames()
    # Before the program goes on, the thread that ran has its registers back.
    for name in (
        "continue next step finish until advance nexti stepi jump signal detach "
        "call kill run start"
    ).split():
        gdb.execute(f"define hook-{name}\npython cufort_focus.restore()\nend")
    gdb.events.exited.connect(Focus.forget)
    # One block after the other, each time in the same order, unless somebody has
    # said how many at a time.
    if "not defined" in gdb.execute(
        "show environment CUFORT_NUM_THREADS", to_string=True
    ):
        gdb.execute("set environment CUFORT_NUM_THREADS 1")


cufort_focus = Focus
if "cufort" not in gdb.frame_filters:
    begin()
