; For one processor alone: its level's entry, with its instructions.
; RUN: cufort-opt -passes=cpu -cpu-processor=haswell %s | FileCheck %s --check-prefix=HASWELL
; RUN: cufort-opt -passes=cpu -cpu-processor=znver4 %s | FileCheck %s --check-prefix=ZEN
; RUN: cufort-opt -passes=cpu -cpu-processor=x86-64-v2 %s | FileCheck %s --check-prefix=TWO
; RUN: cufort-opt -passes=cpu -cpu-processor=x86-64-v3 %s | FileCheck %s --check-prefix=THREE
; RUN: cufort-opt -passes=cpu -cpu-processor=x86-64-v4 %s | FileCheck %s --check-prefix=FOUR
; RUN: cufort-opt -passes=cpu -cpu-processor=x86-64 %s | FileCheck %s --check-prefix=TWO
; RUN: cufort-opt -passes=cpu -cpu-processor=native %s | FileCheck %s --check-prefix=NATIVE
; RUN: not cufort-opt -passes=cpu -cpu-processor=z80 %s 2>&1 | FileCheck %s --check-prefix=WRONG

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; HASWELL-NOT: @zero.v2
; HASWELL: define {{.*}}void @zero.v3({{.*}} [[OWN:#[0-9]+]]
; HASWELL-NOT: @zero.v4
; HASWELL: attributes [[OWN]] = {{.*}}"target-cpu"="haswell" "tune-cpu"="haswell"
; ZEN-NOT: @zero.v3
; ZEN: define {{.*}}void @zero.v4({{.*}} [[OWN:#[0-9]+]]
; ZEN: attributes [[OWN]] = {{.*}}"prefer-vector-width"="256"{{.*}}"target-cpu"="znver4"
; TWO: define {{.*}}void @zero.v2({{.*}} [[OWN:#[0-9]+]]
; TWO-NOT: @zero.v3
; TWO: attributes [[OWN]] = {{.*}}"target-cpu"="x86-64-v2" "tune-cpu"="generic"
; THREE-NOT: @zero.v2
; THREE: define {{.*}}void @zero.v3({{.*}} [[OWN:#[0-9]+]]
; THREE: attributes [[OWN]] = {{.*}}"target-cpu"="x86-64-v3" "tune-cpu"="generic"
; FOUR-NOT: @zero.v3
; FOUR: define {{.*}}void @zero.v4({{.*}} [[OWN:#[0-9]+]]
; FOUR: attributes [[OWN]] = {{.*}}"target-cpu"="x86-64-v4" "tune-cpu"="generic"
; NATIVE: define {{.*}}void @zero.v{{[234]}}({{.*}} [[OWN:#[0-9]+]]
; NATIVE: attributes [[OWN]] = {{.*}}"target-features"="{{.*}}+sse2
; WRONG: '-march=z80': no x86-64 processor
define ptx_kernel void @zero(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %a, i32 %t
  store i32 0, ptr %p
  ret void
}
