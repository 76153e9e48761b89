; Flang says that the address and the extent of an assumed-shape dummy are in its
; descriptor. For a debugger both are loaded where the kernel starts and kept until
; it ends, and the type of the array refers to a variable instead.
; RUN: cufort-ptx -debug %s | FileCheck %s
; CHECK: .entry k
; CHECK: ld.param.b64 [[COUNT:%rd[0-9]+]], [k_param_0+32];
; CHECK: st.volatile.b64 [[SP:\[%SP\+8\]]], [[COUNT]];
; CHECK: ld.volatile.b64 [[KEPT_COUNT:%rd[0-9]+]], [[SP]];
; CHECK: ld.param.b64 [[DATA:%rd[0-9]+]], [k_param_0];
; CHECK: st.volatile.b64 [[SP2:\[%SP\]]], [[DATA]];
; CHECK: ld.volatile.b64 [[KEPT_DATA:%rd[0-9]+]], [[SP2]];
; CHECK-DAG: st.volatile.b64 [[SP2]], [[KEPT_DATA]];
; CHECK-DAG: st.volatile.b64 [[SP]], [[KEPT_COUNT]];
; CHECK: ret;
; The name of the extent's variable, ".a1".
; CHECK: .section .debug_info
; CHECK: {{^}}.b8 46{{[[:space:]]}}.b8 97{{[[:space:]]}}.b8 49{{[[:space:]]}}.b8 0{{$}}
; No DW_OP_push_object_address (151) is left.
; CHECK-NOT: .b8 151
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr byval({ ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }) align 8 %a) !dbg !4 {
    #dbg_declare(ptr %a, !8, !DIExpression(), !7)
  %p = load ptr, ptr %a, align 8, !dbg !7
  store float 1.0, ptr %p, !dbg !7
  ret void, !dbg !7
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !1, producer: "cufort", emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cuf", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 4}
!4 = distinct !DISubprogram(name: "k", linkageName: "k", scope: !1, file: !1, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 6, column: 1, scope: !4)
!8 = !DILocalVariable(name: "a", arg: 1, scope: !4, file: !1, line: 5, type: !9)
!9 = !DICompositeType(tag: DW_TAG_array_type, baseType: !10, elements: !11, dataLocation: !DIExpression(DW_OP_push_object_address, DW_OP_deref))
!10 = !DIBasicType(name: "real", size: 32, encoding: DW_ATE_float)
!11 = !{!12}
!12 = !DISubrange(count: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 32, DW_OP_deref), lowerBound: 1)
