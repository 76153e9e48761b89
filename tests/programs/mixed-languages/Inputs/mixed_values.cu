// bool, complex numbers and characters: see mixed_values.cuf. The file before this
// one has the Fortran functions *_before, the one after it those *_after.
#include <cuComplex.h>
struct Mark {
  char sign;
  short n;
};
extern "C" {
__device__ bool odd_before(int i, bool reversed);
__device__ bool odd_after(int i, bool reversed);
__device__ cuDoubleComplex turned_before(cuDoubleComplex z, int quarters);
__device__ cuFloatComplex turned_after(int quarters, cuFloatComplex z);
__device__ Mark marked_before(Mark mark, char sign);
__device__ Mark marked_after(char sign, Mark mark);
__device__ bool c_both(bool a, bool b) { return a && b; }
__device__ int c_count(bool a, int weight, bool b, bool c) {
  return a * weight + b * weight * 10 + c * weight * 100;
}
__device__ cuDoubleComplex c_square(cuDoubleComplex z) { return cuCmul(z, z); }
__device__ cuFloatComplex c_root(float x) {
  return x < 0 ? make_cuFloatComplex(0, sqrtf(-x))
               : make_cuFloatComplex(sqrtf(x), 0);
}
__device__ char c_upper(char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
__global__ void c_kernel(int n, bool reversed, bool *answers) {
  int i = threadIdx.x;
  if (i >= n)
    return;
  bool (*odd)(int, bool) = i < n / 2 ? odd_before : odd_after;
  answers[i] = odd(i, reversed) != odd_before(i, false) &&
               odd_after(i, !reversed) == (i % 2 == 1);
  cuDoubleComplex z = turned_before(make_cuDoubleComplex(i, 1), 1);
  cuFloatComplex w = turned_after(3, make_cuFloatComplex(i, 1));
  if (z.x != -1 || z.y != i || w.x != 1 || w.y != -i)
    answers[i] = !reversed;
  Mark mark = marked_before({'a', short(i)}, 'x');
  if (mark.sign != 'X' || mark.n != -i)
    answers[i] = !reversed;
  mark = marked_after('q', mark);
  if (mark.sign != 'Q' || mark.n != i)
    answers[i] = !reversed;
}
}
