// bool and logical(c_bool): see mixed_logicals.cuf. The file before this one has
// the Fortran functions *_before, the one after it those *_after.
extern "C" {
__device__ bool odd_before(int i, bool reversed);
__device__ bool odd_after(int i, bool reversed);
__device__ bool c_both(bool a, bool b) { return a && b; }
__device__ int c_count(bool a, int weight, bool b, bool c) {
  return a * weight + b * weight * 10 + c * weight * 100;
}
__global__ void c_kernel(int n, bool reversed, bool *answers) {
  int i = threadIdx.x;
  bool (*odd)(int, bool) = i < n / 2 ? odd_before : odd_after;
  if (i < n)
    answers[i] = odd(i, reversed) != odd_before(i, false) &&
                 odd_after(i, !reversed) == (i % 2 == 1);
}
}
