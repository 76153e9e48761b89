; With -g kernels run on fibers, device procedures stay functions, and variables lie
; in memory: the address of an argument, what lies in shared memory, and the
; predefined variables, which C++ has from zero.
; RUN: cufort-opt -cpu-debug -passes=cpu-flatten,cpu-host-functions,cpu-inline,cpu-procedures,cpu-intrinsics,cpu-debug,cpu-entry,cpu-shared,cpu-thread-entry,cpu-debug-variables %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
@tile = internal addrspace(3) global [64 x float] poison, align 4, !dbg !10
@factor = addrspace(1) global float 3.0, align 4, !dbg !14

; CHECK-NOT: xderef
; CHECK: @factor = {{.*}}global float 3.0{{.*}} !dbg [[FACTOR:![0-9]+]]
; CHECK-NOT: define {{.*}}@kernel(

; CHECK-LABEL: define internal float @half(float %0, ptr %place)
; CHECK-SAME: !dbg
; CHECK: #dbg_declare(ptr %gridDim, [[GRID:![0-9]+]]
; CHECK-NOT: #dbg_declare({{.*}}%tile
define internal float @half(float %0) !dbg !20 {
  %2 = fmul float %0, 0.5, !dbg !21
  ret float %2, !dbg !21
}

; CHECK-LABEL: define void @kernel.thread(
; CHECK-SAME: !dbg
; CHECK: [[SLOT:%[0-9]+]] = alloca ptr
; CHECK: [[A:%.*]] = load ptr, ptr
; CHECK: store ptr [[A]], ptr [[SLOT]]
; CHECK-DAG: #dbg_declare(ptr [[SLOT]], [[AVAR:![0-9]+]], !DIExpression(DW_OP_deref)
; CHECK-DAG: #dbg_declare(ptr {{.*}}, [[TILE:![0-9]+]], !DIExpression(DW_OP_deref)
; CHECK-DAG: #dbg_declare(ptr %threadIdx, [[THREAD:![0-9]+]]
; CHECK: call float @half(float
; CHECK: attributes {{.*}}"cufort-fibers"="-g"
; CHECK-DAG: [[FACTOR]] = !DIGlobalVariableExpression(var: {{.*}}, expr: !DIExpression())
; CHECK-DAG: [[GRID]] = !DILocalVariable(name: "gridDim"
; CHECK-DAG: [[AVAR]] = !DILocalVariable(name: "a"
; CHECK-DAG: [[TILE]] = !DILocalVariable(name: "tile"
; CHECK-DAG: [[THREAD]] = !DILocalVariable(name: "threadIdx"
define ptx_kernel void @kernel(ptr %a) !dbg !5 {
    #dbg_declare(ptr %a, !8, !DIExpression(), !9)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !9
  %s = getelementptr [64 x float], ptr addrspace(3) @tile, i32 0, i32 %t, !dbg !9
  %x = load float, ptr addrspace(3) %s, !dbg !9
  %y = call float @half(float %x), !dbg !9
  store float %y, ptr %a, !dbg !9
  ret void, !dbg !9
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug, globals: !2)
!1 = !DIFile(filename: "x.cu", directory: "/")
!2 = !{!10, !14}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!5 = distinct !DISubprogram(name: "kernel", scope: !1, file: !1, line: 3, type: !6, spFlags: DISPFlagDefinition, unit: !0)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !DILocalVariable(name: "a", arg: 1, scope: !5, file: !1, line: 3, type: !4)
!9 = !DILocation(line: 4, scope: !5)
!10 = !DIGlobalVariableExpression(var: !11, expr: !DIExpression(DW_OP_constu, 8, DW_OP_swap, DW_OP_xderef))
!11 = distinct !DIGlobalVariable(name: "tile", scope: !5, file: !1, line: 4, type: !12, isLocal: true, isDefinition: true)
!12 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 2048, elements: !13)
!13 = !{!DISubrange(count: 64)}
!14 = !DIGlobalVariableExpression(var: !15, expr: !DIExpression(DW_OP_constu, 5, DW_OP_swap, DW_OP_xderef))
!15 = distinct !DIGlobalVariable(name: "factor", scope: !0, file: !1, line: 1, type: !4, isLocal: false, isDefinition: true)
!20 = distinct !DISubprogram(name: "half", scope: !1, file: !1, line: 2, type: !6, spFlags: DISPFlagDefinition, unit: !0)
!21 = !DILocation(line: 2, scope: !20)
