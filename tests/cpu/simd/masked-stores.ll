; Where a store under a mask costs forty operations, it is made without one if all
; lanes come along, and register by register if some do.
; RUN: cufort-opt -passes=cpu-masked-stores %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define i32 @avx2
; CHECK: [[BITS:%.*]] = bitcast <16 x i1> %m to i16
; CHECK: [[ALL:%.*]] = icmp eq i16 [[BITS]], -1
; CHECK: br i1 [[ALL]], label %[[WHOLE:.*]], label %[[PARTS:.*]]
; CHECK: [[WHOLE]]:
; CHECK: store <16 x float> %v, ptr %p, align 4, !tbaa
; CHECK: [[PARTS]]:
; CHECK: [[LOWER:%.*]] = shufflevector <16 x i1> %m, <16 x i1> poison, <8 x i32> <i32 0, {{.*}}, i32 7>
; CHECK: [[LOWBITS:%.*]] = bitcast <8 x i1> [[LOWER]] to i8
; CHECK: icmp ne i8 [[LOWBITS]], 0
; CHECK: [[LOW:%.*]] = shufflevector <16 x float> %v, <16 x float> poison, <8 x i32> <i32 0, {{.*}}, i32 7>
; CHECK: call void @llvm.masked.store.v8f32.p0(<8 x float> [[LOW]], ptr align 4 {{.*}}, <8 x i1> [[LOWER]]), !tbaa
; CHECK: [[UPPER:%.*]] = shufflevector <16 x i1> %m, <16 x i1> poison, <8 x i32> <i32 8, {{.*}}, i32 15>
; CHECK: [[PLACE:%.*]] = getelementptr inbounds float, ptr %p, i64 8
; CHECK: call void @llvm.masked.store.v8f32.p0(<8 x float> {{.*}}, ptr align 4 [[PLACE]], <8 x i1> [[UPPER]]), !tbaa
; CHECK: ret i32 0
define i32 @avx2(<16 x float> %v, ptr %p, <16 x i1> %m) #0 {
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v, ptr align 4 %p, <16 x i1> %m), !tbaa !0
  ret i32 0
}

; Of a mask that is known, the lanes side by side.
; CHECK-LABEL: define i32 @known
; CHECK-NOT: br
; CHECK: [[FOUR:%.*]] = shufflevector <8 x i32> %v, <8 x i32> poison, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
; CHECK: [[FIRST:%.*]] = getelementptr inbounds i32, ptr %p, i64 1
; CHECK: store <4 x i32> [[FOUR]], ptr [[FIRST]], align 4
; CHECK: [[ONE:%.*]] = shufflevector <8 x i32> %v, <8 x i32> poison, <1 x i32> <i32 5>
; CHECK: [[FIFTH:%.*]] = getelementptr inbounds i32, ptr %p, i64 5
; CHECK: store <1 x i32> [[ONE]], ptr [[FIFTH]], align 4
; CHECK: [[LAST:%.*]] = getelementptr inbounds i32, ptr %p, i64 7
; CHECK: store <1 x i32> {{.*}}, ptr [[LAST]], align 4
; CHECK-NOT: store
; CHECK: ret i32 0
define i32 @known(<8 x i32> %v, ptr %p) #0 {
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %v, ptr align 4 %p, <8 x i1> <i1 false, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 true>)
  ret i32 0
}

; Bytes have no such instruction, and AVX-512 has better ones.
; CHECK-LABEL: define i32 @bytes
; CHECK-NEXT: call void @llvm.masked.store.v32i8.p0
define i32 @bytes(<32 x i8> %v, ptr %p, <32 x i1> %m) #0 {
  call void @llvm.masked.store.v32i8.p0(<32 x i8> %v, ptr align 1 %p, <32 x i1> %m)
  ret i32 0
}

; CHECK-LABEL: define i32 @avx512
; CHECK-NEXT: call void @llvm.masked.store.v16f32.p0
define i32 @avx512(<16 x float> %v, ptr %p, <16 x i1> %m) #1 {
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v, ptr align 4 %p, <16 x i1> %m)
  ret i32 0
}

; Nobody else writes to a worker's shared memory and arena, and they have margins:
; what lay there is written back. Another variable may lie there, so no type is
; named.
; CHECK-LABEL: define void @workspace
; CHECK: store <8 x float> %v, ptr %p, align 4, !tbaa
; CHECK: [[BEFORE:%.*]] = load <8 x float>, ptr %p, align 4{{$}}
; CHECK: [[OLD:%.*]] = freeze <8 x float> [[BEFORE]]
; CHECK: [[NEW:%.*]] = select <8 x i1> {{.*}}, <8 x float> %v, <8 x float> [[OLD]]
; CHECK: store <8 x float> [[NEW]], ptr %p, align 4{{$}}
; CHECK-NOT: masked.store
; CHECK: ret void
define void @workspace(ptr %arguments, ptr %launch, ptr %block, i32 %further, ptr %workspace, <8 x float> %v, <8 x i1> %m) #0 {
  %shared = load ptr, ptr %workspace
  %p = getelementptr i8, ptr %shared, i64 4
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v, ptr align 4 %p, <8 x i1> %m), !tbaa !0
  ret void
}

attributes #0 = { "cufort-kernel"="k" "cufort-entry"="block1" "target-cpu"="x86-64-v3" }
attributes #1 = { "cufort-kernel"="k" "cufort-entry"="block2" "target-cpu"="x86-64-v4" }
!0 = !{!1, !1, i64 0}
!1 = !{!"float", !2}
!2 = !{!"root"}
