// Arrays of a thread that are added to in a loop at places which are known, and
// read behind it at a place which is not; with what all threads of the block
// share an iteration has some 300 accesses.
__global__ void cubature(const double *from, double *to, int place) {
  __shared__ double factors[8][16], sums[7][16];
  double u[16], v[16], w[16], copies[3][16];
  factors[threadIdx.y][threadIdx.x] = from[threadIdx.y * 16 + threadIdx.x];
  for (int k = 0; k < 16; ++k) {
    u[k] = v[k] = w[k] = 0;
    copies[0][k] = copies[1][k] = copies[2][k] = 0;
  }
  for (int c = 0; c < 8; ++c) {
    for (int row = 0; row < 7; ++row)
      sums[row][threadIdx.x] = from[c * 7 + row] * threadIdx.x;
    __syncthreads();
    double x = 0, y = 0, z = 0;
    for (int k = 0; k < 16; ++k) {
      double factor = factors[threadIdx.y][k];
      x += factor * sums[0][k];
      y += factor * sums[1][k];
      z += factor * sums[2][k] + sums[3][k] * sums[4][k];
      x += sums[5][k] * sums[6][k];
    }
    for (int k = 0; k < 16; ++k) {
      double factor = factors[c][k];
      u[k] += factor * x;
      v[k] += factor * y;
      w[k] += factor * z;
    }
    for (int k = 0; k < 16; ++k) {
      copies[0][k] = u[k];
      copies[1][k] = v[k];
      copies[2][k] = w[k];
    }
    __syncthreads();
  }
  to[threadIdx.x] = u[place] + v[place] * w[place] - copies[place % 3][place];
}
