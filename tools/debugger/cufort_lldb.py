# Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Commands of cuda-gdb in lldb, and Fortran's variables, which lldb does not know.

`command script import cufort_lldb.py`, in ~/.lldbinit or by hand (docs/debugging.md).
"""

import json
import os
import sys

import lldb

# Where it is installed, what gdb reads as well is in gdb's folder.
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "gdb", "auto-load")]
# pylint: disable=wrong-import-position
import cufort_blocks as cuda  # noqa: E402
import cufort_dwarf  # noqa: E402
from cufort_expressions import Scope, evaluate  # noqa: E402
from cufort_values import Unavailable  # noqa: E402

# By DWARF's numbers.
REGISTERS = "rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip".split()
HELP = """\
cuda                             which thread is shown
cuda [block INDEX] [thread INDEX]    show that thread, until the program goes on
cuda kernels | blocks | threads  what the CPU engine runs
cuda print EXPRESSION            in Fortran's syntax in Fortran, also: p, print
cuda type EXPRESSION             its type and bounds
cuda locals                      all variables of the frame, also: v
cuda backtrace                   of the thread that is shown
cuda break NAME|FILE:LINE [if EXPRESSION]   NAME: a kernel or a procedure of Fortran
cuda condition NUMBER EXPRESSION when breakpoint NUMBER stops; cuda_is(BLOCK, THREAD)
                                 is true in that thread, -1 is any
cuda watch EXPRESSION            stop when it is written
cuda next                        next, in the same thread also over a barrier

INDEX is a number, or (x,y,z), and counts as the kernel's language does: in Fortran
from one."""
images = {}  # of modules, by their files


class Program:
    """What cufort_blocks asks of the debugger."""

    def __init__(self, target):
        self.target, self.process = target, target.process
        self.debugger = target.debugger

    def read(self, address, size):
        error = lldb.SBError()
        data = self.process.ReadMemory(address, size, error)
        if not error.Success():
            raise ValueError(str(error))
        return bytes(data)

    def address_of(self, name):
        for context in self.target.FindSymbols(name):
            address = context.symbol.addr.GetLoadAddress(self.target)
            if address != lldb.LLDB_INVALID_ADDRESS:
                return address
        return 0

    def demangle(self, name):
        answer = lldb.SBCommandReturnObject()
        command = "language cplusplus demangle " + name
        self.debugger.GetCommandInterpreter().HandleCommand(command, answer)
        return (answer.GetOutput() or name).strip().split(" ---> ")[-1]

    def blocks(self):
        return cuda.blocks_of(self) if self.has_stopped() else []

    def has_stopped(self):
        return self.process.IsValid() and self.process.state == lldb.eStateStopped


class Frame(Program):
    """What cufort_values asks of the debugger."""

    def __init__(self, frame):
        super().__init__(frame.thread.process.target)
        self.frame, self.module = frame, frame.module
        # A caller is at its call, not behind it.
        self.pc = frame.GetPCAddress().GetFileAddress() - (frame.idx > 0)

    def register(self, number):
        if number >= len(REGISTERS):
            raise Unavailable("<in a vector register>")
        found = self.frame.FindRegister(REGISTERS[number])
        if not found.IsValid():
            raise Unavailable("<its register is not kept>")
        return found.GetValueAsUnsigned()

    def frame_address(self):
        return self.frame.GetCFA()

    def load_address(self, address):
        return self.module.ResolveFileAddress(address).GetLoadAddress(self.target)


def sections_of(module):
    def read(name):
        data = module.FindSection(name).GetSectionData()
        return data.ReadRawData(lldb.SBError(), 0, data.size) if data.size else b""

    return read


def scope_of(frame):
    module = frame.module
    if str(module.file) not in images:
        images[str(module.file)] = cufort_dwarf.Image(sections_of(module))
    return Scope(images[str(module.file)], Frame(frame))


def running(program, thread):
    """The CUDA thread that a thread of the system runs."""
    for block in program.blocks():
        if block.worker == thread.GetThreadID():
            return block.thread(block.running)
    return None


def own_frames(thread):
    """Without what is the runtime's business."""
    for frame in thread:
        name = frame.GetFunctionName() or ""
        if frame.line_entry.IsValid() and not cuda.RUNTIME.match(name):
            yield frame


class Focus:
    """A thread that does not run is shown with the registers that it will have;
    they are put back at the end of each command."""

    chosen, stop = None, None

    @classmethod
    def of(cls, program):
        if cls.chosen and cls.stop == program.process.GetStopID():
            return cls.chosen
        cls.chosen = None
        current = running(program, program.process.GetSelectedThread())
        if current:
            return current
        for block in program.blocks():
            if block.worker:
                return block.thread(block.running)
        return None

    @classmethod
    def choose(cls, program, thread):
        if not thread.live:
            raise Unavailable("this thread has ended")
        if not thread.has_begun():
            raise Unavailable("this thread has not begun")
        cls.chosen = None if thread.runs else thread
        cls.stop = program.process.GetStopID()

    def __init__(self, program, anywhere=False):
        self.program, self.kept = program, {}
        process = program.process
        if not program.has_stopped():
            raise Unavailable("the program does not run, or has not stopped")
        chosen = self.of(program)
        self.thread = process.GetSelectedThread()
        self.anywhere = anywhere or not chosen or chosen.runs
        if self.anywhere:
            return
        self.thread = process.GetThreadByID(chosen.block.worker)
        wanted = chosen.saved()
        self.kept = {name: self.value(name) for name in wanted}
        self.write(wanted)

    def value(self, name):
        return self.thread.frames[0].FindRegister(name).GetValueAsUnsigned()

    def write(self, registers):
        frame = self.thread.frames[0]
        for name, value in registers.items():
            if name != "rip":
                frame.FindRegister(name).SetValueFromCString(hex(value))
        # This makes lldb look for the frames again.
        frame.SetPC(registers["rip"])

    def frame(self):
        if self.anywhere:
            return self.thread.GetSelectedFrame()
        return next(own_frames(self.thread), self.thread.frames[0])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.kept:
            self.write(self.kept)


def name_of(frame):
    name = frame.GetFunctionName() or ""
    if name.startswith("_Q"):
        # The function that runs a thread has an addition of its own.
        return cuda.fortran_name(name.removesuffix(".thread"))
    return frame.GetDisplayFunctionName() or name


def line_of(frame):
    """Of the statement that calls, if frame is a caller's."""
    program = Frame(frame)
    address = frame.module.ResolveFileAddress(program.pc)
    context = program.target.ResolveSymbolContextForAddress(
        address, lldb.eSymbolContextLineEntry
    )
    return context.line_entry


def show_place(frame, result):
    entry = line_of(frame)
    print(f"{name_of(frame)} at {entry.file.basename}:{entry.line}", file=result)
    try:
        with open(str(entry.file), encoding="utf-8", errors="replace") as source:
            line = source.read().split("\n")[entry.line - 1]
        print(f"{entry.line}\t{line}", file=result)
    except (OSError, IndexError):
        pass


def is_function(program, thread):
    """cuda_is(BLOCK, THREAD), in conditions."""

    def cuda_is(block, index=-1):
        runs = running(program, thread)
        if not runs:
            return False
        first = runs.block.first
        return cuda.fits(str(block), runs.block.index, first) and cuda.fits(
            str(index), runs.index, first
        )

    return {"cuda_is": cuda_is}


def stops(frame, location, arguments, _):
    """Whether a breakpoint with a condition stops."""
    condition = arguments.GetValueForKey("condition").GetStringValue(4096)
    program = Program(frame.thread.process.target)
    try:
        scope = scope_of(frame)
        functions = is_function(program, frame.thread)
        return bool(evaluate(condition, scope, functions).plain())
    except (Unavailable, cuda.WrongIndex) as problem:
        print(f"cuda condition {location.GetBreakpoint().GetID()}: {problem}")
        return True


def set_condition(breakpoint, words):
    arguments = lldb.SBStructuredData()
    arguments.SetFromJSON(json.dumps({"condition": words}))
    error = breakpoint.SetScriptCallbackFunction("cufort_lldb.stops", arguments)
    if not error.Success():
        raise Unavailable(str(error))


def same(one, other):
    """Whether these are one thread of a kernel."""
    places = [(each.block.launch, each.block.index, each.index) for each in (one, other)]
    return places[0] == places[1]


class Cuda:
    def __init__(self, debugger, _):
        self.debugger = debugger

    def get_short_help(self):
        return "Kernels that run on the CPU: their threads and variables."

    def get_long_help(self):
        return HELP

    def __call__(self, debugger, command, context, result):
        word, _, rest = command.strip().partition(" ")
        program = Program(debugger.GetSelectedTarget())
        action = getattr(self, "do_" + word.partition("/")[0], None)
        try:
            if word and action:
                action(program, rest.strip(), result)
            else:
                self.choose(program, command, result)
        except (Unavailable, cuda.WrongIndex, ValueError) as problem:
            result.SetError(str(problem))

    @staticmethod
    def choose(program, argument, result):
        current = Focus.of(program)
        if not current:
            raise Unavailable("no kernel of the CPU engine runs")
        chosen = cuda.chosen_thread(program.blocks(), current, argument)
        if chosen:
            Focus.choose(program, chosen)
        print((chosen or current).description(), file=result)
        if chosen:
            with Focus(program) as focus:
                show_place(focus.frame(), result)

    @staticmethod
    def do_kernels(program, _, result):
        lines = cuda.kernel_lines(program.blocks(), Focus.of(program))
        print(*lines, sep="\n", file=result)

    @staticmethod
    def do_blocks(program, _, result):
        lines = cuda.block_lines(program.blocks(), Focus.of(program))
        print(*lines, sep="\n", file=result)

    @staticmethod
    def do_threads(program, _, result):
        current = Focus.of(program)
        if not current:
            raise Unavailable("no kernel of the CPU engine runs")
        print(*cuda.thread_lines(current), sep="\n", file=result)

    def lldbs(self, command, result, frame=None):
        """A command of lldb, for what it knows."""
        answer = lldb.SBCommandReturnObject()
        interpreter = self.debugger.GetCommandInterpreter()
        if frame:
            context = lldb.SBExecutionContext(frame)
            interpreter.HandleCommand(command, context, answer, False)
        else:
            interpreter.HandleCommand(command, answer)
        result.AppendMessage((answer.GetOutput() or "").rstrip("\n"))
        if not answer.Succeeded():
            result.SetError((answer.GetError() or "").strip())

    def do_print(self, program, words, result):
        if not program.has_stopped():
            self.lldbs("dwim-print -- " + words, result)
            return
        with Focus(program) as focus:
            scope = scope_of(focus.frame())
            if not scope.is_fortran:
                self.lldbs("dwim-print -- " + words, result, focus.frame())
                return
            functions = is_function(program, focus.thread)
            print(evaluate(words, scope, functions).write(), file=result)

    @staticmethod
    def do_type(program, words, result):
        with Focus(program) as focus:
            value = evaluate(words, scope_of(focus.frame()))
            print("type =", value.type_name(), file=result)

    def do_locals(self, program, words, result):
        with Focus(program) as focus:
            scope = scope_of(focus.frame())
            if not scope.is_fortran:
                self.lldbs("frame variable " + words, result, focus.frame())
                return
            if words:
                self.do_print(program, words, result)
                return
            for each in scope.own():
                try:
                    value = scope.locations.variable(each)
                    what = f"({value.type_name()}) {each.title} = {value.write()}"
                except Unavailable as problem:
                    what = f"{each.title} = {problem}"
                print(what, file=result)

    @staticmethod
    def do_backtrace(program, _, result):
        with Focus(program) as focus:
            for number, frame in enumerate(own_frames(focus.thread)):
                entry = line_of(frame)
                place = f"{entry.file.basename}:{entry.line}"
                print(f"#{number} {name_of(frame)} at {place}", file=result)

    @staticmethod
    def do_next(program, _, result):
        """lldb's own takes other fibers for callers of this one."""
        worker = program.process.GetSelectedThread()
        before = running(program, worker)
        program.debugger.SetAsync(False)
        worker.StepOver()
        after = program.has_stopped() and running(program, worker)
        # Another thread has come first to where this one will.
        by_step = worker.GetStopReason() == lldb.eStopReasonPlanComplete
        if before and after and by_step and not same(before, after):
            Cuda.until(program, worker, before)
        if program.has_stopped():
            show_place(worker.frames[0], result)

    @staticmethod
    def until(program, worker, before):
        """Goes on until the thread that was before comes to this place."""
        place = worker.frames[0].GetPC()
        point = program.target.BreakpointCreateByAddress(place)
        point.SetThreadID(worker.GetThreadID())
        wanted = "cuda_is(%s, %s)" % tuple(
            repr(cuda.text(index, before.block.first))
            for index in (before.block.index, before.index)
        )
        set_condition(point, wanted)
        program.process.Continue()
        program.target.BreakpointDelete(point.GetID())

    @staticmethod
    def do_break(program, words, result):
        place, _, condition = words.partition(" if ")
        place = place.strip()
        file, colon, line = place.rpartition(":")
        create = program.target.BreakpointCreateByLocation
        if colon and line.isdigit():
            point = create(file, int(line))
        else:
            # Kernels run as NAME.thread; NAME itself launches them.
            names = rf"^_Q.*P{place.lower()}\.thread$"
            matches = lldb.eMatchTypeRegex
            if not program.target.FindGlobalFunctions(names, 1, matches).GetSize():
                names = rf"(^_Q.*P|^){place.lower()}$"
            point = program.target.BreakpointCreateByRegex(names)
        if condition.strip():
            set_condition(point, condition.strip())
        number = point.GetNumLocations()
        print(f"Breakpoint {point.GetID()}: {place}, {number} locations", file=result)

    @staticmethod
    def do_condition(program, words, result):
        number, _, condition = words.partition(" ")
        found = program.target.FindBreakpointByID(int(number))
        if not found.IsValid():
            raise Unavailable(f"there is no breakpoint {number}")
        set_condition(found, condition.strip())

    @staticmethod
    def do_watch(program, words, result):
        with Focus(program) as focus:
            value = evaluate(words, scope_of(focus.frame()))
            if value.place is None or value.dimensions or value.size() > 8:
                raise Unavailable("this is no variable of at most eight bytes")
            error = lldb.SBError()
            point = program.target.WatchAddress(
                value.place, value.size(), False, True, error
            )
            if not error.Success():
                raise Unavailable(str(error))
            print(f"Watchpoint {point.GetID()}: {words}", file=result)


def __lldb_init_module(debugger, _):
    run = debugger.HandleCommand
    run("command script add -o -c cufort_lldb.Cuda cuda")
    for name, what in (("p", "print"), ("print", "print"), ("v", "locals")):
        run(f"command unalias {name}")
        run(f"command alias {name} cuda {what}")
    # One block after the other, each time in the same order.
    run("settings append target.env-vars CUFORT_NUM_THREADS=1")
