#!/usr/bin/env python3
"""usage: warp_growth.py CUFORT_OPT [STATEMENTS]

A kernel of 8, 16 and 32 statements, each a divergent branch that calls the runtime
four times, an atomic update, a load of neighbours apart, and a warp operation.
Fails unless the CPU engine's code grows with their number, and by no more than
STATEMENTS instructions for each.
"""
import subprocess
import sys

HEAD = """target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare ptr @__cufort_cpu_output_begin(i32)
declare void @__cufort_cpu_output_item(ptr, i32)
declare void @__cufort_cpu_output_end(ptr)
define ptx_kernel void @kernel(ptr %a, ptr %sums) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr { i32, i32, i32, i32 }, ptr %a, i32 %t
  %x0 = load i32, ptr %p
  br label %do0
"""
STATEMENT = """do{i}:
  %is{i} = icmp sgt i32 %x{i}, {i}
  br i1 %is{i}, label %then{i}, label %end{i}
then{i}:
  %record{i} = call ptr @__cufort_cpu_output_begin(i32 {i})
  call void @__cufort_cpu_output_item(ptr %record{i}, i32 %x{i})
  call void @__cufort_cpu_output_item(ptr %record{i}, i32 %t)
  call void @__cufort_cpu_output_end(ptr %record{i})
  %place{i} = getelementptr i32, ptr %sums, i32 %x{i}
  %old{i} = atomicrmw add ptr %place{i}, i32 1 monotonic
  br label %end{i}
end{i}:
  %q{i} = getelementptr {{ i32, i32, i32, i32 }}, ptr %a, i32 %t, i32 {field}
  %z{i} = load i32, ptr %q{i}
  %w{i} = add i32 %x{i}, %z{i}
  %y{i} = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %w{i}, i32 1, i32 31)
  %x{next} = add i32 %w{i}, %y{i}
  br label %do{next}
"""
TAIL = """do{n}:
  store i32 %x{n}, ptr %p
  ret void
}}
"""


def size(tool, count):
    """Instructions of each entry."""
    text = HEAD + "".join(STATEMENT.format(i=i, next=i + 1, field=i % 4)
                          for i in range(count)) + TAIL.format(n=count)
    done = subprocess.run([tool, "-passes=cpu", "-cpu-opt-level=3",
                           "-cpu-no-thread-entries", "-"],
                          input=text, stdout=subprocess.PIPE, text=True, check=True)
    sizes, inside = {}, None
    for line in done.stdout.splitlines():
        if line.startswith("define"):
            inside = line[line.index("@"):line.index("(")]
            sizes[inside] = 0
        elif line.startswith("}"):
            inside = None
        elif inside and line.startswith("  "):
            sizes[inside] += 1
    return sizes


def main():
    tool, most = sys.argv[1], int(sys.argv[2])
    few, some, many = (size(tool, count) for count in (8, 16, 32))
    if len(many) < 3:
        sys.exit(f"entries are missing: {many}")
    for entry, instructions in many.items():
        first, second = some[entry] - few[entry], instructions - some[entry]
        each = second / 16
        print(f"{entry}: {few[entry]}, {some[entry]}, {instructions}; "
              f"{each:.0f} for each statement")
        if second > 2.3 * first:
            sys.exit("the code grows faster than the kernel")
        if each > most:
            sys.exit(f"more than {most} for a statement")


main()
