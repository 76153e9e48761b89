; RUN: cufort-opt -passes=cpu-flatten,cpu-host-functions,cpu-inline -cpu-print-after=cpu-inline %s 2>&1 >/dev/null | FileCheck %s --check-prefix=PRINT
; RUN: not cufort-opt -passes=cpu-flatten -cpu-disable-pass=cpu-flatten %s 2>&1 | FileCheck %s --check-prefix=NEEDED
; RUN: not cufort-opt -passes=cpu-nothing %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: cufort-opt -passes=cpu -cpu-disable-pass=cpu-thread-entry %s | FileCheck %s --check-prefix=LEFT

; PRINT: ; after cpu-inline
; PRINT-NOT: ; after cpu-flatten
; NEEDED: the pass 'cpu-flatten' cannot be left out
; UNKNOWN: there is no pass 'cpu-nothing'
; LEFT-NOT: @kernel.thread

target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @kernel(ptr %a) {
  store i32 1, ptr %a
  ret void
}
