; Many masked accesses for which the processor has no instruction become loops over
; the lanes; a few are left to LLVM, and so is what the processor can do.
; RUN: cufort-opt -passes=cpu-masked-accesses %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

; One place for the addresses and one for the values serve all, and one integer of
; the mask.
; CHECK-LABEL: define i32 @many
; CHECK: [[ADDRESSES:%.*]] = alloca <32 x ptr>
; CHECK: [[VALUES:%.*]] = alloca <32 x i32>
; CHECK-NOT: alloca
; CHECK: [[BITS:%.*]] = bitcast <32 x i1> %m to i32
; CHECK-NOT: bitcast
; CHECK: store <32 x i32> zeroinitializer, ptr [[VALUES]]
; CHECK: masked.lane:
; CHECK: [[REST:%.*]] = phi i32 [ [[BITS]], {{.*}} ], [ [[LEFT:%.*]], %masked.lane ]
; CHECK: call i32 @llvm.cttz.i32(i32 [[REST]], i1 true)
; CHECK: [[ELEMENT:%.*]] = load i32, ptr {{.*}}, align 4
; CHECK: store i32 [[ELEMENT]]
; CHECK: [[LEFT]] = and i32 [[REST]]
; CHECK: [[LOADED:%.*]] = load <32 x i32>, ptr [[VALUES]]
; CHECK: [[SUM:%.*]] = add <32 x i32> [[LOADED]], splat (i32 3)
; CHECK: store <32 x ptr> %q, ptr [[ADDRESSES]]
; CHECK: store <32 x i32> [[SUM]], ptr [[VALUES]]
; CHECK: [[PLACE:%.*]] = load ptr
; CHECK: store i32 {{.*}}, ptr [[PLACE]], align 4, !tbaa
; CHECK-NOT: llvm.masked
; CHECK: ret i32 0
define i32 @many(ptr %p, <32 x ptr> %q, <32 x i1> %m) #0 {
  %v0 = call <32 x i32> @llvm.masked.load.v32i32.p0(ptr align 4 %p, <32 x i1> %m, <32 x i32> zeroinitializer)
  %v1 = add <32 x i32> %v0, splat (i32 3)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v1, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v2 = add <32 x i32> %v1, splat (i32 4)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v2, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v3 = add <32 x i32> %v2, splat (i32 5)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v3, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v4 = add <32 x i32> %v3, splat (i32 6)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v4, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v5 = add <32 x i32> %v4, splat (i32 7)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v5, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v6 = add <32 x i32> %v5, splat (i32 8)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v6, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v7 = add <32 x i32> %v6, splat (i32 9)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v7, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v8 = add <32 x i32> %v7, splat (i32 10)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v8, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v9 = add <32 x i32> %v8, splat (i32 11)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v9, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v10 = add <32 x i32> %v9, splat (i32 12)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v10, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v11 = add <32 x i32> %v10, splat (i32 13)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v11, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v12 = add <32 x i32> %v11, splat (i32 14)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v12, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v13 = add <32 x i32> %v12, splat (i32 15)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v13, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v14 = add <32 x i32> %v13, splat (i32 16)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v14, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v15 = add <32 x i32> %v14, splat (i32 17)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v15, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v16 = add <32 x i32> %v15, splat (i32 18)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v16, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  ret i32 0
}

; Values that are addresses have a place of their own.
; CHECK-LABEL: define void @pointers
; CHECK-COUNT-2: alloca <32 x ptr>
; CHECK-NOT: alloca
; CHECK: store <32 x ptr> %q, ptr [[ADDRESSES:%.*]], align
; CHECK: store <32 x ptr> %v, ptr [[VALUES:%.*]], align
; CHECK: masked.lane:
; CHECK: getelementptr inbounds ptr, ptr [[ADDRESSES]]
; CHECK: getelementptr inbounds ptr, ptr [[VALUES]]
; CHECK: ret void
define void @pointers(<32 x ptr> %v, <32 x ptr> %q, <32 x i1> %m) #0 {
  call void @llvm.masked.scatter.v32p0.v32p0(<32 x ptr> %v, <32 x ptr> align 8 %q, <32 x i1> %m)
  call void @llvm.masked.scatter.v32p0.v32p0(<32 x ptr> %v, <32 x ptr> align 8 %q, <32 x i1> %m)
  call void @llvm.masked.scatter.v32p0.v32p0(<32 x ptr> %v, <32 x ptr> align 8 %q, <32 x i1> %m)
  call void @llvm.masked.scatter.v32p0.v32p0(<32 x ptr> %v, <32 x ptr> align 8 %q, <32 x i1> %m)
  call void @llvm.masked.scatter.v32p0.v32p0(<32 x ptr> %v, <32 x ptr> align 8 %q, <32 x i1> %m)
  ret void
}
; CHECK-LABEL: define i32 @few
; CHECK: llvm.masked.load
; CHECK-COUNT-2: llvm.masked.scatter
; CHECK: ret i32 0
define i32 @few(ptr %p, <32 x ptr> %q, <32 x i1> %m) #0 {
  %v0 = call <32 x i32> @llvm.masked.load.v32i32.p0(ptr align 4 %p, <32 x i1> %m, <32 x i32> zeroinitializer)
  %v1 = add <32 x i32> %v0, splat (i32 3)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v1, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v2 = add <32 x i32> %v1, splat (i32 4)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v2, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  ret i32 0
}
; AVX-512 has all of them.
; CHECK-LABEL: define i32 @able
; CHECK: llvm.masked.load
; CHECK-COUNT-17: llvm.masked.scatter
; CHECK: ret i32 0
define i32 @able(ptr %p, <32 x ptr> %q, <32 x i1> %m) #1 {
  %v0 = call <32 x i32> @llvm.masked.load.v32i32.p0(ptr align 4 %p, <32 x i1> %m, <32 x i32> zeroinitializer)
  %v1 = add <32 x i32> %v0, splat (i32 3)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v1, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v2 = add <32 x i32> %v1, splat (i32 4)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v2, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v3 = add <32 x i32> %v2, splat (i32 5)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v3, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v4 = add <32 x i32> %v3, splat (i32 6)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v4, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v5 = add <32 x i32> %v4, splat (i32 7)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v5, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v6 = add <32 x i32> %v5, splat (i32 8)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v6, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v7 = add <32 x i32> %v6, splat (i32 9)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v7, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v8 = add <32 x i32> %v7, splat (i32 10)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v8, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v9 = add <32 x i32> %v8, splat (i32 11)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v9, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v10 = add <32 x i32> %v9, splat (i32 12)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v10, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v11 = add <32 x i32> %v10, splat (i32 13)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v11, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v12 = add <32 x i32> %v11, splat (i32 14)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v12, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v13 = add <32 x i32> %v12, splat (i32 15)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v13, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v14 = add <32 x i32> %v13, splat (i32 16)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v14, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v15 = add <32 x i32> %v14, splat (i32 17)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v15, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v16 = add <32 x i32> %v15, splat (i32 18)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v16, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  %v17 = add <32 x i32> %v16, splat (i32 19)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v17, <32 x ptr> align 4 %q, <32 x i1> %m), !tbaa !0
  ret i32 0
}

; Loads that follow each other share a loop; what is computed of the first stands
; behind it. So it is where all lanes come along.
; CHECK-LABEL: define <32 x i32> @together
; CHECK: [[FIRST:%.*]] = load ptr
; CHECK: load i32, ptr [[FIRST]], align 4
; CHECK: [[BASE:%.*]] = load ptr
; CHECK: [[SECOND:%.*]] = getelementptr i8, ptr [[BASE]], i64 4
; CHECK: load i32, ptr [[SECOND]], align 4
; CHECK-NOT: masked.lane{{[0-9]+}}:
; CHECK-NOT: llvm.masked.gather
; CHECK: ret
define <32 x i32> @together(<32 x ptr> %p, <32 x ptr> %q) #0 {
  %v = call <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr> align 4 %p, <32 x i1> splat (i1 true), <32 x i32> poison)
  %twice = shl <32 x i32> %v, splat (i32 1)
  %next = getelementptr i8, <32 x ptr> %p, i64 4
  %w = call <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr> align 4 %next, <32 x i1> splat (i1 true), <32 x i32> poison)
  %third = getelementptr i8, <32 x ptr> %p, i64 8
  %x = call <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr> align 4 %third, <32 x i1> splat (i1 true), <32 x i32> poison)
  %fourth = getelementptr i8, <32 x ptr> %p, i64 12
  %y = call <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr> align 4 %fourth, <32 x i1> splat (i1 true), <32 x i32> poison)
  %fifth = getelementptr i8, <32 x ptr> %p, i64 16
  %z = call <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr> align 4 %fifth, <32 x i1> splat (i1 true), <32 x i32> poison)
  %vw = add <32 x i32> %twice, %w
  %xy = add <32 x i32> %x, %y
  %vwxy = add <32 x i32> %vw, %xy
  %sum = add <32 x i32> %vwxy, %z
  ret <32 x i32> %sum
}

; Of an address of an index the index is kept, and of a wide one the narrow one.
; CHECK-LABEL: define void @indexed
; CHECK-COUNT-2: alloca <32 x i32>
; CHECK-NOT: alloca
; CHECK-NOT: <32 x i64>
; CHECK-NOT: <32 x ptr>
; CHECK: masked.lane:
; CHECK: [[INDEX:%.*]] = load i32
; CHECK: [[WIDE:%.*]] = zext nneg i32 [[INDEX]] to i64
; CHECK: [[ROW:%.*]] = getelementptr inbounds [4 x i32], ptr %p, i64 [[WIDE]], i64 %k
; CHECK: store i32 {{.*}}, ptr [[ROW]], align 4
; CHECK: ret void
define void @indexed(ptr %p, i64 %k, <32 x i32> %i, <32 x i32> %v, <32 x i1> %m) #0 {
  %w = zext nneg <32 x i32> %i to <32 x i64>
  %q = getelementptr inbounds [4 x i32], ptr %p, <32 x i64> %w, i64 %k
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v, <32 x ptr> align 4 %q, <32 x i1> %m)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v, <32 x ptr> align 4 %q, <32 x i1> %m)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v, <32 x ptr> align 4 %q, <32 x i1> %m)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v, <32 x ptr> align 4 %q, <32 x i1> %m)
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %v, <32 x ptr> align 4 %q, <32 x i1> %m)
  ret void
}

attributes #0 = { "cufort-kernel"="many" "cufort-entry"="block0" "target-cpu"="x86-64-v2" }
attributes #1 = { "cufort-kernel"="many" "cufort-entry"="block2" "target-cpu"="x86-64-v4" }
!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
