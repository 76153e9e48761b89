#pragma once
#ifdef __CUDACC__
__device__ float force(float x);
#endif
float total(int n);
