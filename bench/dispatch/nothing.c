// Stands for NVIDIA's cuBLAS: what bench/dispatch/calls.cu calls, which does
// nothing.
int cublasSetAtomicsMode(void *handle, int mode) { return 0; }
int cublasDgemm_v2(void *handle, int transa, int transb, int m, int n, int k,
                   const double *alpha, const double *A, int lda,
                   const double *B, int ldb, const double *beta, double *C,
                   int ldc) {
  return 0;
}
