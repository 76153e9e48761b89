; With -g -O2 the function that runs blocks says where arguments lie that no thread
; changes, and shared variables; what a thread has for itself is dropped.
; RUN: cufort-opt -cpu-describe -passes=cpu-flatten,cpu-host-functions,cpu-inline,cpu-procedures,cpu-intrinsics,cpu-debug,cpu-tidy,cpu-entry,cpu-shared,cpu-debug-variables %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
@tile = internal addrspace(3) global [64 x float] poison, align 4, !dbg !10

; CHECK-LABEL: define void @kernel(
; CHECK-SAME: !cufort.uniform [[ALL:![0-9]+]]
; CHECK-NOT: #dbg_
; CHECK: ret void
; CHECK-DAG: [[ALL]] = !{[[TILE:![0-9]+]], [[A:![0-9]+]], [[N:![0-9]+]]}
; The address behind the first argument; the number eight bytes further, which the
; kernel does not use; the beginning of shared memory, which the workspace has.
; CHECK-DAG: [[A]] = !{[[AVAR:![0-9]+]], i64 0, i64 0, i64 1, i64 0}
; CHECK-DAG: [[N]] = !{[[NVAR:![0-9]+]], i64 0, i64 8, i64 0, i64 0}
; CHECK-DAG: [[TILE]] = !{[[TVAR:![0-9]+]], i64 4, i64 0, i64 1, i64 0}
; CHECK-DAG: [[AVAR]] = !DILocalVariable(name: "a"
; CHECK-DAG: [[NVAR]] = !DILocalVariable(name: "n"
; CHECK-DAG: [[TVAR]] = !DILocalVariable(name: "tile"
; CHECK-NOT: name: "m"
define ptx_kernel void @kernel(ptr %a, i32 %n, i32 %m) !dbg !5 {
    #dbg_declare(ptr %a, !8, !DIExpression(), !9)
    #dbg_value(i32 %n, !15, !DIExpression(), !9)
    #dbg_value(i32 %m, !16, !DIExpression(), !9)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !9
  %more = add i32 %m, %t, !dbg !9
    #dbg_value(i32 %more, !16, !DIExpression(), !9)
    #dbg_value(i32 %t, !17, !DIExpression(), !9)
  %s = getelementptr [64 x float], ptr addrspace(3) @tile, i32 0, i32 %more, !dbg !9
  %x = load float, ptr addrspace(3) %s, !dbg !9
  store float %x, ptr %a, !dbg !9
  ret void, !dbg !9
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug, globals: !2)
!1 = !DIFile(filename: "x.cu", directory: "/")
!2 = !{!10}
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
!14 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!15 = !DILocalVariable(name: "n", arg: 2, scope: !5, file: !1, line: 3, type: !14)
!16 = !DILocalVariable(name: "m", arg: 3, scope: !5, file: !1, line: 3, type: !14)
!17 = !DILocalVariable(name: "t", scope: !5, file: !1, line: 3, type: !14)
