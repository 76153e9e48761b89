// Each operation with the scope that its name says (atomic-scopes.test).
#include <cuda/atomic>
extern "C" __global__ void device(int *p, unsigned long long *q, int *o) {
  o[0] = atomicCAS(p, 0, 11);
  o[1] = atomicExch(p, 12);
  o[2] = atomicAdd(p, 13);
  o[3] = atomicInc((unsigned *)p, 14);
  o[4] = (int)atomicCAS(q, 0, 15);
}
extern "C" __global__ void block(int *p, int *o) {
  o[0] = atomicCAS_block(p, 0, 21);
  o[1] = atomicAdd_block(p, 22);
}
extern "C" __global__ void whole_system(int *p, double *d, int *o) {
  o[0] = atomicCAS_system(p, 0, 31);
  o[1] = atomicExch_system(p, 32);
  o[2] = atomicMax_system(p, 33);
  o[3] = atomicDec_system((unsigned *)p, 34);
  d[1] = atomicAdd_system(d, 35.0);
}
extern "C" __global__ void ordered(int *p, int *o) {
  cuda::atomic_ref<int, cuda::thread_scope_device> a(*p);
  o[0] = a.fetch_add(41, cuda::memory_order_acq_rel);
  o[1] = a.exchange(42, cuda::memory_order_relaxed);
  a.store(43, cuda::memory_order_release);
  cuda::atomic_ref<int, cuda::thread_scope_block> b(*p);
  o[2] = b.load(cuda::memory_order_acquire);
  cuda::atomic_ref<int> c(*p);
  o[3] = c.fetch_add(44, cuda::memory_order_release);
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel,
                            cuda::thread_scope_block);
}
