; The debug information of two files has no sections of
; public names: ptxas takes one of a kind only. What is behind a pointer is not said
; to be in a register (DW_AT_address_class, 51, in the declaration of a parameter),
; but at what the register has: DW_OP_lit0, DW_OP_or.
; RUN: cufort-ptx -debug %s | FileCheck %s
; RUN: cufort-ptx -debug %s | FileCheck %s --check-prefix=NAMES
; CHECK-DAG: .file {{.*}}k.cuf"
; CHECK-DAG: .file {{.*}}m.cuf"
; CHECK: .section .debug_abbrev
; CHECK: .b8 63
; CHECK-NEXT: .b8 12{{$}}
; CHECK-NEXT: .b8 0{{$}}
; CHECK-NEXT: .b8 0{{$}}
; CHECK-NEXT: .b8 3{{$}}
; CHECK-NEXT: .b8 5{{$}}
; CHECK-NEXT: .b8 0{{$}}
; CHECK-NEXT: .b8 2{{$}}
; CHECK: .section .debug_info
; CHECK: .b8 48
; CHECK-NEXT: .b8 33
; NAMES-NOT: .debug_pub
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %a) !dbg !4 {
    #dbg_declare(ptr %a, !12, !DIExpression(), !7)
  store float 1.0, ptr %a, !dbg !7
  ret void, !dbg !7
}
define ptx_kernel void @m(ptr %a) !dbg !10 {
  store float 1.0, ptr %a, !dbg !11
  ret void, !dbg !11
}
!llvm.dbg.cu = !{!0, !8}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !1, producer: "cufort", emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cuf", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 4}
!4 = distinct !DISubprogram(name: "k", linkageName: "k", scope: !1, file: !1, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 7, column: 3, scope: !4)
!8 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !9, producer: "cufort", emissionKind: FullDebug)
!9 = !DIFile(filename: "m.cuf", directory: "/src")
!10 = distinct !DISubprogram(name: "m", linkageName: "m", scope: !9, file: !9, line: 5, type: !5, unit: !8, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 7, column: 3, scope: !10)
!12 = !DILocalVariable(name: "a", arg: 1, scope: !4, file: !1, line: 5, type: !13)
!13 = !DIBasicType(name: "real", size: 32, encoding: DW_ATE_float)
