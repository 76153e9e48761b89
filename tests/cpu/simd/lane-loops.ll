; Loops that lanes make together, whose masks are known in each iteration (a tile with a
; halo of four in steps of sixteen), are unrolled: the first iteration has no mask.
; RUN: cufort-opt -passes=cpu-simplify,cpu-instruction-sets,cpu-vectorise %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @halo.v4(
; CHECK-NOT: br
; CHECK: [[FIRST:%.*]] = load <16 x float>, ptr %in
; CHECK-NOT: br
; CHECK: store <16 x float> [[FIRST]], ptr %tile
; CHECK-NOT: br
; CHECK: [[SECOND:%.*]] = {{.*}}call <16 x float> @llvm.masked.load.v16f32.p0(ptr {{.*}}, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false,
; CHECK-NOT: br
; CHECK: call void @llvm.masked.store.v16f32.p0(<16 x float> [[SECOND]], ptr {{.*}}, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false,
; CHECK-NOT: br
; CHECK: ret void
define void @halo(ptr %in, ptr noalias %tile) #0 {
  br label %iteration
iteration:
  %live = phi <16 x i1> [ splat (i1 true), %0 ], [ %next, %iteration ]
  %k = phi <16 x i32> [ <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %0 ], [ %k.next, %iteration ]
  %first = phi i64 [ 0, %0 ], [ %first.next, %iteration ]
  %from = getelementptr float, ptr %in, i64 %first
  %value = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %from, <16 x i1> %live, <16 x float> poison)
  %to = getelementptr float, ptr %tile, i64 %first
  call void @llvm.masked.store.v16f32.p0(<16 x float> %value, ptr align 4 %to, <16 x i1> %live)
  %k.next = add <16 x i32> %k, splat (i32 16)
  %first.next = add i64 %first, 16
  %within = icmp slt <16 x i32> %k.next, splat (i32 20)
  %next = select <16 x i1> %live, <16 x i1> %within, <16 x i1> zeroinitializer
  %bits = bitcast <16 x i1> %next to i16
  %any = icmp ne i16 %bits, 0
  br i1 %any, label %iteration, label %done
done:
  ret void
}

; The bound is not known.
; CHECK-LABEL: define void @unknown.v4(
; CHECK: phi <16 x i1>
; CHECK: br i1
; CHECK: ret void
define void @unknown(ptr %in, ptr noalias %tile, i32 %n) #1 {
  %bound.one = insertelement <16 x i32> poison, i32 %n, i64 0
  %bound = shufflevector <16 x i32> %bound.one, <16 x i32> poison, <16 x i32> zeroinitializer
  br label %iteration
iteration:
  %live = phi <16 x i1> [ splat (i1 true), %0 ], [ %next, %iteration ]
  %k = phi <16 x i32> [ <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %0 ], [ %k.next, %iteration ]
  %first = phi i64 [ 0, %0 ], [ %first.next, %iteration ]
  %from = getelementptr float, ptr %in, i64 %first
  %value = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %from, <16 x i1> %live, <16 x float> poison)
  %to = getelementptr float, ptr %tile, i64 %first
  call void @llvm.masked.store.v16f32.p0(<16 x float> %value, ptr align 4 %to, <16 x i1> %live)
  %k.next = add <16 x i32> %k, splat (i32 16)
  %first.next = add i64 %first, 16
  %within = icmp slt <16 x i32> %k.next, %bound
  %next = select <16 x i1> %live, <16 x i1> %within, <16 x i1> zeroinitializer
  %bits = bitcast <16 x i1> %next to i16
  %any = icmp ne i16 %bits, 0
  br i1 %any, label %iteration, label %done
done:
  ret void
}

; LLVM knows the number of iterations as well.
; CHECK-LABEL: define void @counted.v4(
; CHECK-NOT: br i1
; CHECK: ret void
define void @counted(ptr %in, ptr noalias %tile) #2 {
  br label %iteration
iteration:
  %k = phi <16 x i32> [ <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %0 ], [ %k.next, %iteration ]
  %first = phi i64 [ 0, %0 ], [ %first.next, %iteration ]
  %within = icmp slt <16 x i32> %k, splat (i32 20)
  %from = getelementptr float, ptr %in, i64 %first
  %value = call <16 x float> @llvm.masked.load.v16f32.p0(ptr align 4 %from, <16 x i1> %within, <16 x float> poison)
  %to = getelementptr float, ptr %tile, i64 %first
  call void @llvm.masked.store.v16f32.p0(<16 x float> %value, ptr align 4 %to, <16 x i1> %within)
  %k.next = add <16 x i32> %k, splat (i32 16)
  %first.next = add i64 %first, 16
  %any = icmp ult i64 %first, 16
  br i1 %any, label %iteration, label %done
done:
  ret void
}

attributes #0 = { "cufort-kernel"="halo" "cufort-entry"="block" }
attributes #1 = { "cufort-kernel"="unknown" "cufort-entry"="block" }
attributes #2 = { "cufort-kernel"="counted" "cufort-entry"="block" }
