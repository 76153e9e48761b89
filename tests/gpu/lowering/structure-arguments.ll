; Small structures that functions take by value are parameters of the same size
; and alignment, without a copy in the thread's memory on either side.
; RUN: cufort-opt -passes=gpu-structure-arguments %s | FileCheck %s --check-prefix=ALONE
; RUN: cufort-ptx -arch=80 %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

%complex = type { i32, i32, float, float }
%inner = type { i8, [2 x i16] }
%outer = type { double, %inner }
%union = type { { i8, double } }
%many = type { [40 x i32] }

@table = addrspace(1) global [2 x ptr] [ptr @push, ptr @nested]
@slot = internal addrspace(3) global ptr undef

; ALONE-LABEL: define void @push(ptr %this, %complex %e) {
; ALONE-NEXT: [[C:%.*]] = extractvalue %complex %e, 2
; ALONE-NEXT: store float [[C]], ptr %this
; CHECK-LABEL: .func push(
; CHECK-NEXT: .param .b64 push_param_0,
; CHECK-NEXT: .param .align 4 .b8 push_param_1[16]
; CHECK-NOT: .local
; CHECK: ld.param.b32 %[[C:r[0-9]+]], [push_param_1+8];
; CHECK-NOT: .local
; CHECK: ret;
define void @push(ptr %this, ptr byval(%complex) align 4 %e) {
  %p = getelementptr inbounds nuw i8, ptr %e, i64 8
  %c = load float, ptr %p
  store float %c, ptr %this
  ret void
}

; A copy whose address is handed on stays one.
; ALONE-LABEL: define void @nested(ptr %this, { double, i8, i8, i16, i16, i16 } alignstack(16) %e) {
; ALONE-NEXT: [[COPY:%.*]] = alloca { double, i8, i8, i16, i16, i16 }, align 16
; ALONE: call void %this(ptr [[COPY]])
; CHECK-LABEL: .func nested(
; CHECK-NEXT: .param .b64 nested_param_0,
; CHECK-NEXT: .param .align 16 .b8 nested_param_1[16]
; CHECK: .local .align 16 .b8 __local_depot{{[0-9]+}}[16];
; CHECK: ret;
define void @nested(ptr %this, ptr byval(%outer) align 16 %e) {
  call void %this(ptr %e)
  ret void
}

; Too much for registers, and what another module has.
; ALONE-LABEL: define void @large(ptr %this, ptr byval(%many) align 4 %e) {
; ALONE: declare void @elsewhere(ptr, ptr byval(%complex) align 4)
; CHECK-LABEL: .func large(
; CHECK-NEXT: .param .b64 large_param_0,
; CHECK-NEXT: .param .align 4 .b8 large_param_1[160]
define void @large(ptr %this, ptr byval(%many) align 4 %e) {
  %c = load i32, ptr %e
  store i32 %c, ptr %this
  ret void
}
declare void @elsewhere(ptr, ptr byval(%complex) align 4)

; What is stored for a call is handed on as it is.
; ALONE-LABEL: define ptx_kernel void @direct(
; ALONE-NOT: alloca
; ALONE: [[E:%.*]] = insertvalue %complex %{{.*}}, float %d, 3
; ALONE-NEXT: call void %function(ptr %this, %complex [[E]])
; CHECK-LABEL: .entry direct(
; CHECK-NOT: .local
; CHECK: st.param.b32 [param1+12], [[D:%r[0-9]+]];
; CHECK: st.param.b32 [param1+8], [[D]];
; CHECK: st.param.b32 [param1+4], [[A:%r[0-9]+]];
; CHECK: st.param.b32 [param1], [[A]];
; CHECK: .callprototype ()_ (.param .b64 _, .param .align 4 .b8 _[16]);
; CHECK-NOT: .local
; CHECK: ret;
define ptx_kernel void @direct(ptr %this, i32 %a, float %d) {
  %e = alloca %complex
  store i32 %a, ptr %e
  %p1 = getelementptr inbounds nuw i8, ptr %e, i64 4
  store i32 %a, ptr %p1
  %p2 = getelementptr inbounds nuw i8, ptr %e, i64 8
  store float %d, ptr %p2
  %p3 = getelementptr inbounds nuw i8, ptr %e, i64 12
  store float %d, ptr %p3
  %table = load ptr, ptr %this
  %function = load ptr, ptr %table
  call void %function(ptr %this, ptr byval(%complex) align 4 %e)
  ret void
}

; What lies elsewhere is copied from there.
; CHECK-LABEL: .entry copied(
; CHECK-NOT: .local
; CHECK: ld.param.b64 %[[P:rd[0-9]+]], [copied_param_1];
; CHECK: cvta.to.global.u64 %[[FROM:rd[0-9]+]], %[[P]];
; CHECK-DAG: ld.global.b64 %[[X:rd[0-9]+]], [%[[FROM]]];
; CHECK-DAG: ld.global.v2.b8 {{.*}}, [%[[FROM]]+8];
; CHECK-DAG: ld.global.b16 %{{.*}}, [%[[FROM]]+10];
; CHECK-DAG: ld.global.b32 %{{.*}}, [%[[FROM]]+12];
; CHECK: .param .align 16 .b8 param1[16];
; CHECK: st.param.b64 [param1], %[[X]];
; CHECK: .callprototype ()_ (.param .b64 _, .param .align 16 .b8 _[16]);
; CHECK: ret;
define ptx_kernel void @copied(ptr %this, ptr %from) {
  %table = load ptr, ptr %this
  %function = load ptr, ptr %table
  call void %function(ptr %this, ptr byval(%outer) align 16 %from)
  ret void
}

; ALONE-LABEL: define ptx_kernel void @others(
; ALONE-NEXT: call void @elsewhere(ptr %this, ptr byval(%complex) align 4 %from)
; ALONE-NEXT: call void %this(ptr %this, ptr byval(%many) align 4 %from)
; CHECK-LABEL: .entry others(
; CHECK: .param .align 4 .b8 param1[16];
; CHECK: call.uni elsewhere
; CHECK: .param .align 4 .b8 param1[160];
; CHECK: ret;
define ptx_kernel void @others(ptr %this, ptr %from) {
  call void @elsewhere(ptr %this, ptr byval(%complex) align 4 %from)
  call void %this(ptr %this, ptr byval(%many) align 4 %from)
  ret void
}

; A union has the type of one member; the bytes of others lie between its own.
; CHECK-LABEL: .entry bytes(
; CHECK: st.param.b64 [param0+8],
; CHECK: st.param.b32 [param0+4],
; CHECK: st.param.b16 [param0+2],
; CHECK: st.param.v2.b8 [param0],
; CHECK: ret;
define ptx_kernel void @bytes(ptr byval(%union) align 8 %u, ptr %to) {
  %word = call i32 @second(ptr byval(%union) align 8 %u)
  store i32 %word, ptr %to
  ret void
}

; ALONE-LABEL: define i32 @second({ i8, i8, i16, i32, double } %u)
; ALONE-NEXT: [[WORD:%.*]] = extractvalue { i8, i8, i16, i32, double } %u, 3
; ALONE-NEXT: ret i32 [[WORD]]
; CHECK-LABEL: .func {{ *}}(.param .b32 func_retval0) second(
; CHECK-NEXT: .param .align 8 .b8 second_param_0[16]
; CHECK: ld.param.b32 %{{.*}}, [second_param_0+4];
; CHECK: ret;
define i32 @second(ptr byval(%union) align 8 %u) noinline {
  %p = getelementptr inbounds nuw i8, ptr %u, i64 4
  %word = load i32, ptr %p
  ret i32 %word
}
