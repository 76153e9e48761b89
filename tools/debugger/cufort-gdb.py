# Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Commands of cuda-gdb for kernels that the CPU engine runs.

Programs that are built with -g name this file, and gdb reads it (docs/debugging.md).
"""

import inspect
import os
import re
import sys

import gdb

sys.path.insert(0, os.path.dirname(inspect.getfile(inspect.currentframe())))
# pylint: disable=wrong-import-position
import cufort_blocks as cuda  # noqa: E402


class Program:
    """What cufort_blocks asks of the debugger."""

    @staticmethod
    def read(address, size):
        return gdb.selected_inferior().read_memory(address, size).tobytes()

    @staticmethod
    def address_of(name):
        # The syntax of expressions is that of the program's language.
        try:
            said = gdb.execute(f"info address {name}", to_string=True)
        except gdb.error:
            return 0
        place = re.search(r" (?:at|address) (0x[0-9a-f]+)", said)
        return int(place.group(1), 16) if place else 0

    @staticmethod
    def demangle(name):
        return gdb.execute(f"demangle {name}", to_string=True).strip()


def blocks():
    return cuda.blocks_of(Program) if gdb.selected_thread() else []


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
            raise gdb.GdbError("no kernel of the CPU engine runs")
        return found

    @classmethod
    def show(cls, thread):
        cls.restore()
        if not thread.live:
            raise gdb.GdbError("this thread has ended")
        for worker in gdb.selected_inferior().threads():
            if worker.ptid[1] == thread.block.worker:
                worker.switch()
        if not thread.runs:
            if not thread.has_begun():
                raise gdb.GdbError("this thread has not begun")
            gdb.execute("select-frame 0", to_string=True)
            kept = {name: register(name) for name in cuda.SAVED + ("rsp",)}
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
        if frame.find_sal().symtab and not cuda.RUNTIME.match(frame.name() or ""):
            frame.select()
            return
        frame = frame.older()


# What C calls a scalar of so many bytes.
SCALARS = {
    gdb.TYPE_CODE_FLT: {4: "float", 8: "double"},
    gdb.TYPE_CODE_INT: {1: "signed char", 2: "short", 4: "int", 8: "long"},
}


def watch(words):
    """gdb's own `watch -l` writes the type in Fortran, real(kind=8), and cannot read
    that."""
    value = gdb.parse_and_eval(words)
    kind = value.type.strip_typedefs()
    code = gdb.TYPE_CODE_FLT if kind.code == gdb.TYPE_CODE_FLT else gdb.TYPE_CODE_INT
    name = SCALARS[code].get(kind.sizeof)
    is_scalar = kind.code not in (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_STRUCT)
    if value.address is None or not name or not is_scalar:
        raise gdb.GdbError(f"{words} is no variable of at most eight bytes")
    language = gdb.parameter("language")
    gdb.execute("set language c", to_string=True)
    try:
        gdb.execute(f"watch *({name} *) {int(value.address):#x}")
    finally:
        gdb.execute(f"set language {language}", to_string=True)


class Cuda(gdb.Command):
    """cuda [block INDEX] [thread INDEX]: show that thread of a kernel.
    cuda watch EXPRESSION: stop at whichever thread writes that scalar.

    INDEX is a number, or (x,y,z), and counts as the kernel's language does: in
    Fortran from one. Without anything, says which thread is shown."""

    def __init__(self):
        super().__init__("cuda", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if argument.startswith("watch "):
            watch(argument[6:])
            return
        current = Focus.needed()
        try:
            chosen = cuda.chosen_thread(blocks(), current, argument)
        except cuda.WrongIndex as wrong:
            raise gdb.GdbError(str(wrong)) from wrong
        if chosen:
            Focus.show(chosen)
        print((chosen or current).description())
        if chosen:
            gdb.execute("frame")


class InfoCuda(gdb.Command):
    """info cuda kernels|blocks|threads: what the CPU engine runs."""

    def __init__(self):
        super().__init__("info cuda", gdb.COMMAND_STATUS, prefix=True)

    def invoke(self, argument, from_tty):
        raise gdb.GdbError(
            "use info cuda kernels, info cuda blocks or info cuda threads"
        )


class InfoKernels(gdb.Command):
    """The kernels of which blocks have begun and not ended."""

    def __init__(self):
        super().__init__("info cuda kernels", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        print(*cuda.kernel_lines(blocks(), Focus.current()), sep="\n")


class InfoBlocks(gdb.Command):
    """The blocks that have begun and not ended."""

    def __init__(self):
        super().__init__("info cuda blocks", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        print(*cuda.block_lines(blocks(), Focus.current()), sep="\n")


class InfoThreads(gdb.Command):
    """The threads of the block that is shown."""

    def __init__(self):
        super().__init__("info cuda threads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        print(*cuda.thread_lines(Focus.needed()), sep="\n")


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
            # Fortran's strings are none to gdb's Python.
            words = str(wanted).strip("'\"")
        else:
            words = str(int(wanted))
        try:
            return cuda.fits(words, index, first)
        except cuda.WrongIndex as wrong:
            raise gdb.GdbError(str(wrong)) from wrong


class OwnFrames:
    """Backtraces end at the kernel: what runs it is the runtime's business."""

    def __init__(self):
        self.name, self.priority, self.enabled = "cufort", 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        for frame in frames:
            own = frame.inferior_frame()
            name = own.name()
            if own.find_sal().symtab or (name and not cuda.RUNTIME.match(name)):
                yield frame


class OwnPlaces:
    """A kernel that is called fill should not stop the program in each function of
    that name which the runtime, or the library of C++, has."""

    busy = False

    @classmethod
    def choose(cls, breakpoint):
        places = getattr(breakpoint, "locations", [])
        if cls.busy or not any(place.source for place in places):
            return
        cls.busy = True
        try:
            for place in places:
                if not place.source and place.enabled:
                    place.enabled = False
        finally:
            cls.busy = False


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
    gdb.events.breakpoint_created.connect(OwnPlaces.choose)
    gdb.events.breakpoint_modified.connect(OwnPlaces.choose)
    # One block after the other, each time in the same order, unless somebody has
    # said how many at a time.
    if "not defined" in gdb.execute(
        "show environment CUFORT_NUM_THREADS", to_string=True
    ):
        gdb.execute("set environment CUFORT_NUM_THREADS 1")


cufort_focus = Focus
if "cufort" not in gdb.frame_filters:
    begin()
