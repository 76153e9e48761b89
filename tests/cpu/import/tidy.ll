; Scalars in registers, no dead or empty blocks; but no path is copied, and what
; a switch cannot be stays possible only where there are no warp operations. What
; is read from constant variables is the same all the time, and read first where
; the place is known.
; RUN: cufort-opt -passes=...cpu-tidy %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)

; The flag is known on each way to the barrier; jump threading would give the
; barrier two copies.
; CHECK-LABEL: define {{.*}}@scalars(
; CHECK-NOT: alloca
; CHECK: phi i32
; CHECK: call i32 @cufort.barrier
; CHECK-NOT: @cufort.barrier
; CHECK: br i1 %first, label %write, label %done
; CHECK: ret void
define ptx_kernel void @scalars(ptr %a, i32 %n) {
entry:
  %sum = alloca i32
  %flag = alloca i1
  store i32 0, ptr %sum
  %first = icmp sgt i32 %n, 7
  br i1 %first, label %large, label %small
large:
  %v = load volatile i32, ptr %a
  store i32 %v, ptr %sum
  store i1 true, ptr %flag
  br label %empty
small:
  store volatile i32 1, ptr %a
  store i1 false, ptr %flag
  br label %empty
empty:
  br label %join
dead:
  br label %join
join:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %known = load i1, ptr %flag
  br i1 %known, label %write, label %done
write:
  %total = load i32, ptr %sum
  store i32 %total, ptr %a
  br label %done
done:
  ret void
}

; CHECK-LABEL: define {{.*}}@impossible(
; CHECK: switch i32 %n, label %two [
; CHECK-NOT: unreachable
; CHECK: ret void
define ptx_kernel void @impossible(ptr %a, i32 %n) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %got = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %lane, i32 0, i32 31)
  switch i32 %n, label %never [
    i32 0, label %zero
    i32 1, label %one
    i32 2, label %two
  ]
zero:
  store volatile i32 %got, ptr %a
  br label %done
one:
  store volatile i32 1, ptr %a
  br label %done
two:
  store volatile i32 2, ptr %a
  br label %done
never:
  unreachable
done:
  ret void
}

@table = addrspace(4) externally_initialized global [4 x float] zeroinitializer
@sums = addrspace(1) externally_initialized global [4 x float] zeroinitializer

; CHECK-LABEL: define {{.*}}@constants(
; CHECK: %x = load float, ptr getelementptr inbounds nuw (i8, ptr @table, i64 8), {{.*}}!invariant.load
; CHECK: br i1
; CHECK: %w = load float, ptr %{{.*}}, !invariant.load
; CHECK: load volatile float, ptr @table, align 4{{$}}
; CHECK: load float, ptr @sums, align 4{{$}}
define ptx_kernel void @constants(ptr %a, i64 %i) {
entry:
  %address = alloca ptr
  store ptr addrspacecast (ptr addrspace(4) @table to ptr), ptr %address
  %table = load ptr, ptr %address
  %some = icmp sgt i64 %i, 7
  br i1 %some, label %read, label %done
read:
  %at = getelementptr inbounds float, ptr %table, i64 %i
  %w = load float, ptr %at
  %third = getelementptr inbounds float, ptr %table, i64 2
  %x = load float, ptr %third
  %y = load volatile float, ptr %table
  %z = load float, ptr addrspacecast (ptr addrspace(1) @sums to ptr)
  %wx = fadd float %w, %x
  %yz = fadd float %y, %z
  %wxyz = fadd float %wx, %yz
  store float %wxyz, ptr %a
  br label %done
done:
  ret void
}

; A number that costs little on either way is computed on both and chosen, with a
; branch or a barrier behind it or not; but not what is stored or divided on one.
; CHECK-LABEL: define {{.*}}@chosen(
; CHECK: %first = icmp
; CHECK-NOT: br
; CHECK: %left = select i1 %first, i64 0, i64
; CHECK-NEXT: %last = icmp
; CHECK-NEXT: br i1 %last, label %divide, label %read
; CHECK: %right = phi i32
; CHECK-NEXT: %half = phi float
define ptx_kernel void @chosen(ptr %a, i32 %n, float %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %middle, label %step
step:
  %before = add i32 %t, -1
  br label %middle
middle:
  %left = phi i32 [ 0, %entry ], [ %before, %step ]
  %last = icmp eq i32 %t, %n
  br i1 %last, label %divide, label %read
divide:
  %y = fdiv float 1.0, %x
  br label %read
read:
  %right = phi i32 [ %t, %middle ], [ %n, %divide ]
  %half = phi float [ %x, %middle ], [ %y, %divide ]
  %p = getelementptr float, ptr %a, i32 %left
  store float %half, ptr %p
  %q = getelementptr i32, ptr %a, i32 %right
  store i32 %n, ptr %q
  ret void
}

; Reading a variable that is there in any case costs little too, but not what may
; lie anywhere.
; CHECK-LABEL: define {{.*}}@chosen_count(
; CHECK: [[COUNT:%.*]] = load i32, ptr @count
; CHECK: select i1 %first, i32 %t, i32
; CHECK-NEXT: br i1 %last,
; CHECK: load i32, ptr %a
@count = internal addrspace(3) global i32 undef, align 4
define ptx_kernel void @chosen_count(ptr %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %last = icmp eq i32 %t, %n
  br i1 %first, label %middle, label %step
step:
  %all = load i32, ptr addrspace(3) @count
  %rest = sub i32 %all, %t
  br label %middle
middle:
  %rank = phi i32 [ %t, %entry ], [ %rest, %step ]
  br i1 %last, label %end, label %read
read:
  %other = load i32, ptr %a
  br label %end
end:
  %sum = phi i32 [ %rank, %middle ], [ %other, %read ]
  %p = getelementptr i32, ptr %a, i32 %rank
  store i32 %sum, ptr %p
  ret void
}

; With barriers, each way to a load does its own: the numbers are kept for the
; threads and not the addresses. A pointer that steps along stays.
; CHECK-LABEL: define {{.*}}@ways(
; CHECK: [[FIRST:%.*]] = load float, ptr %p
; CHECK-NEXT: br label %loop
; CHECK: %x = phi float [ [[AGAIN:%.*]], %iteration ], [ [[FIRST]], %entry ]
; CHECK: call i32 @cufort.barrier
; CHECK: [[AGAIN]] = load float, ptr @values
; CHECK-LABEL: define {{.*}}@steps(
; CHECK: %where = phi ptr
; CHECK: %x = load float, ptr %where
@values = internal addrspace(3) global [64 x float] undef, align 4
define ptx_kernel void @ways(ptr %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr %a, i32 %t
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %iteration ]
  %where = phi ptr [ %p, %entry ], [ addrspacecast (ptr addrspace(3) @values to ptr), %iteration ]
  %x = load float, ptr %where
  %more = icmp slt i32 %k, %n
  br i1 %more, label %iteration, label %end
iteration:
  %q = getelementptr float, ptr addrspace(3) @values, i32 %t
  %y = fadd float %x, 1.0
  store float %y, ptr addrspace(3) %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %k, 1
  br label %loop
end:
  store float %x, ptr %p
  ret void
}
define ptx_kernel void @steps(ptr %a, ptr %b, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %iteration ]
  %where = phi ptr [ %a, %entry ], [ %further, %iteration ]
  %x = load float, ptr %where
  %more = icmp slt i32 %k, %n
  br i1 %more, label %iteration, label %end
iteration:
  store float %x, ptr %b
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %further = getelementptr float, ptr %where, i32 1
  %next = add i32 %k, 1
  br label %loop
end:
  ret void
}
