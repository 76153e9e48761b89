; What cuda-gdb does not follow: descriptors in global and local memory, and
; addresses in a frame.
; RUN: cufort-ptx -debug %s | FileCheck %s
; The local descriptor, and the reference, are described by generic addresses that
; are kept until the procedure returns.
; CHECK: .entry k
; CHECK: add.u64 [[OWN:%rd[0-9]+]], %SP, 64;
; CHECK: st.volatile.b64 [%SP], [[OWN]];
; CHECK: ld.volatile.b64 [[KEPT:%rd[0-9]+]], [%SP];
; CHECK: st.volatile.b64 [%SP+8], [[REFERENCE:%rd[0-9]+]];
; CHECK: ld.volatile.b64 [[KEPT_REFERENCE:%rd[0-9]+]], [%SP+8];
; CHECK-DAG: st.volatile.b64 [%SP+8], [[KEPT_REFERENCE]];
; CHECK-DAG: st.volatile.b64 [%SP], [[KEPT]];
; CHECK: ret;
; So is the one that a procedure gets, whose register would be another value's.
; CHECK: .func d(
; CHECK: st.volatile.b64 [%SP], [[GIVEN:%rd[0-9]+]];
; CHECK: ld.volatile.b64 [[KEPT_GIVEN:%rd[0-9]+]], [%SP];
; CHECK: st.volatile.b64 [%SP], [[KEPT_GIVEN]];
; CHECK: ret;
; Of the module's array the extent is a variable, ".u1", 32 bytes behind the
; descriptor's address: DW_OP_addr, DW_OP_plus_uconst.
; CHECK: .section .debug_info
; CHECK: {{^}}.b8 46{{[[:space:]]}}.b8 117{{[[:space:]]}}.b8 49{{[[:space:]]}}.b8 0{{$}}
; CHECK: {{^}}.b8 3{{[[:space:]]}}.b64 u{{[[:space:]]}}.b8 35{{[[:space:]]}}.b8 32{{$}}
; And the array is where the descriptor says: DW_OP_addr, DW_OP_deref.
; CHECK: {{^}}.b8 3{{[[:space:]]}}.b64 u{{[[:space:]]}}.b8 6{{$}}
; The structure with a descriptor has a generic address (12), an ordinary array of
; the module the one in global memory (5).
; CHECK: {{^}}.b8 12{{[[:space:]]}}.b8 9{{[[:space:]]}}.b8 3{{[[:space:]]}}.b64 s{{$}}
; CHECK: {{^}}.b8 5{{[[:space:]]}}.b8 9{{[[:space:]]}}.b8 3{{[[:space:]]}}.b64 plain{{$}}
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@u = addrspace(1) global { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } zeroinitializer, align 8, !dbg !13
@s = addrspace(1) global { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] } zeroinitializer, align 8, !dbg !16
@plain = addrspace(1) global [3 x float] zeroinitializer, align 8, !dbg !20
define ptx_kernel void @k() !dbg !4 {
  %own = alloca { ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }, align 8
  %reference = alloca ptr, align 8
  %value = alloca float, align 4
    #dbg_declare(ptr %own, !8, !DIExpression(), !7)
    #dbg_declare(ptr %reference, !19, !DIExpression(DW_OP_deref), !7)
  store ptr %value, ptr %reference, align 8, !dbg !7
  store ptr %value, ptr %own, align 8, !dbg !7
  ret void, !dbg !7
}
define void @d(ptr %argument) !dbg !27 {
    #dbg_declare(ptr %argument, !28, !DIExpression(), !29)
  store ptr null, ptr %argument, align 8, !dbg !29
  ret void, !dbg !29
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !1, producer: "cufort", emissionKind: FullDebug, globals: !23)
!1 = !DIFile(filename: "k.cuf", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 4}
!4 = distinct !DISubprogram(name: "k", linkageName: "k", scope: !1, file: !1, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 6, column: 1, scope: !4)
!8 = !DILocalVariable(name: "own", scope: !4, file: !1, line: 5, type: !9)
!9 = !DICompositeType(tag: DW_TAG_array_type, baseType: !10, elements: !11, dataLocation: !DIExpression(DW_OP_push_object_address, DW_OP_deref), allocated: !DIExpression(DW_OP_push_object_address, DW_OP_deref, DW_OP_lit0, DW_OP_ne))
!10 = !DIBasicType(name: "real", size: 32, encoding: DW_ATE_float)
!11 = !{!12}
!12 = !DISubrange(count: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 32, DW_OP_deref), lowerBound: 1)
!13 = !DIGlobalVariableExpression(var: !14, expr: !DIExpression())
!14 = distinct !DIGlobalVariable(name: "u", linkageName: "u", scope: !0, file: !1, line: 2, type: !9, isLocal: false, isDefinition: true)
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(name: "s", linkageName: "s", scope: !0, file: !1, line: 3, type: !18, isLocal: false, isDefinition: true)
!18 = !DICompositeType(tag: DW_TAG_structure_type, name: "t", file: !1, size: 384, elements: !15)
!15 = !{!22}
!22 = !DIDerivedType(tag: DW_TAG_member, name: "a", baseType: !9, size: 384)
!19 = !DILocalVariable(name: "reference", scope: !4, file: !1, line: 5, type: !10)
!20 = !DIGlobalVariableExpression(var: !21, expr: !DIExpression())
!21 = distinct !DIGlobalVariable(name: "plain", linkageName: "plain", scope: !0, file: !1, line: 4, type: !24, isLocal: false, isDefinition: true)
!24 = !DICompositeType(tag: DW_TAG_array_type, baseType: !10, size: 96, elements: !25)
!25 = !{!26}
!26 = !DISubrange(count: 3)
!23 = !{!13, !16, !20}
!27 = distinct !DISubprogram(name: "d", linkageName: "d", scope: !1, file: !1, line: 8, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!28 = !DILocalVariable(name: "argument", arg: 1, scope: !27, file: !1, line: 8, type: !9)
!29 = !DILocation(line: 9, column: 1, scope: !27)
