; Of the passes: gpu-debug-info.
; Line directives, but no debug target, which would not be optimised.
; RUN: cufort-opt -passes=gpu-debug-info %s | FileCheck %s --check-prefix=ALONE
; RUN: cufort-ptx -line-info %s | FileCheck %s --check-prefix=LINES
; RUN: cufort-ptx %s | FileCheck %s --check-prefix=NONE
; RUN: cufort-ptx -debug %s | FileCheck %s --check-prefix=DEBUG
; ALONE-NOT: !dbg
; ALONE-NOT: !DI
; LINES: .target sm_70
; LINES-NOT: debug
; LINES: .loc 1 7
; LINES: .file 1 "{{.*}}k.cuf"
; LINES-NOT: .debug_info
; NONE-NOT: .loc
; DEBUG: .target sm_70, debug
; DEBUG: .debug_info
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %a) !dbg !4 {
  store float 1.0, ptr %a, !dbg !7
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
!7 = !DILocation(line: 7, column: 3, scope: !4)
