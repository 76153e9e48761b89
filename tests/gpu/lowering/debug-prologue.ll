; What declarations do, of which those of threadidx and the like stand in another
; file, belongs to the line of the procedure: cuda-gdb stops at the second line, the
; first statement, where arguments and arrays can be shown. C++ has its own lines.
; RUN: cufort-ptx -debug %s | FileCheck %s
; CHECK: .entry k
; CHECK-NOT: .loc 2
; CHECK-NOT: .loc 1 7
; CHECK: .loc 1 5 0
; CHECK: st.b32 {{.*}} 3;
; CHECK-NOT: .loc 2
; CHECK: .loc 1 9 3
; CHECK: .loc 1 10 3
; CHECK: ret;
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p) !dbg !4 {
  %i = alloca i32, align 4
  %index = alloca i32, align 4
    #dbg_declare(ptr %i, !8, !DIExpression(), !7)
  store i32 3, ptr %index, align 4, !dbg !12
  store i32 0, ptr %i, align 4, !dbg !11
  store i32 1, ptr %i, align 4, !dbg !13
  store i32 2, ptr %p, align 4, !dbg !14
  ret void, !dbg !14
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !1, producer: "cufort", emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cuf", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 4}
!4 = distinct !DISubprogram(name: "k", linkageName: "k", scope: !1, file: !1, line: 5, type: !5, scopeLine: 5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 7, column: 1, scope: !4)
!8 = !DILocalVariable(name: "i", scope: !4, file: !1, line: 7, type: !10)
!9 = !DIFile(filename: "__cuda_builtins.mod", directory: "/include")
!10 = !DIBasicType(name: "integer", size: 32, encoding: DW_ATE_signed)
!11 = !DILocation(line: 7, column: 1, scope: !4)
!12 = !DILocation(line: 4, column: 1, scope: !15)
!13 = !DILocation(line: 9, column: 3, scope: !4)
!14 = !DILocation(line: 10, column: 3, scope: !4)
!15 = !DILexicalBlockFile(scope: !4, file: !9, discriminator: 0)
