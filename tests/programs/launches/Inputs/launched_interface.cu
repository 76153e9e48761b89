extern "C" __global__ void add_number(float *a, int n, float number) {
  int i = threadIdx.x;
  if (i < n)
    a[i] += number;
}
