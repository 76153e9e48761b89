// Padding of an image's edges: each thread stores one of several values, or
// copies, according to its place: bench/gpu/kernels bench/gpu/padding.cu
#include <cstdio>

constexpr int Block = 256;

struct Shape {
  int width, height, edge;
};

/// The kernel's head: one row of blocks for each row of the padded image.
#define PLACE                                                                  \
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;         \
  const int width = w + 2 * edge, height = h + 2 * edge;                       \
  if (x >= width || y >= height)                                               \
    return;

template <class Pixel>
__global__ void constant(const Pixel *in, Pixel *out, int w, int h, int edge,
                         Pixel value) {
  PLACE
  if (x < edge || y < edge || x >= w + edge || y >= h + edge)
    out[y * width + x] = value;
  else
    out[y * width + x] = in[(y - edge) * w + x - edge];
}

/// Each edge has a value of its own.
__global__ void sides(const float *in, float *out, int w, int h, int edge,
                      float left, float right, float top, float bottom) {
  PLACE
  const int i = y * width + x;
  if (y < edge)
    out[i] = top;
  else if (y >= h + edge)
    out[i] = bottom;
  else if (x < edge)
    out[i] = left;
  else if (x >= w + edge)
    out[i] = right;
  else
    out[i] = in[(y - edge) * w + x - edge];
}

__global__ void chosen(const float *in, float *out, int w, int h, int edge,
                       float left, float right, float top, float bottom) {
  PLACE
  out[y * width + x] = y < edge        ? top
                       : y >= h + edge ? bottom
                       : x < edge      ? left
                       : x >= w + edge ? right
                                       : in[(y - edge) * w + x - edge];
}

__global__ void colours(const unsigned char *in, unsigned char *out, int w,
                        int h, int edge) {
  PLACE
  unsigned char *to = out + 3 * (y * width + x);
  if (x < edge || y < edge || x >= w + edge || y >= h + edge) {
    to[0] = to[1] = to[2] = 0;
  } else {
    const unsigned char *from = in + 3 * ((y - edge) * w + x - edge);
    to[0] = from[0];
    to[1] = from[1];
    to[2] = from[2];
  }
}

/// The nearest pixel of the image, by its nine parts.
__global__ void nearest(const float *in, float *out, int w, int h, int edge) {
  PLACE
  const int i = y * width + x;
  const float *row = y < edge        ? in
                     : y >= h + edge ? in + (h - 1) * w
                                     : in + (y - edge) * w;
  if (x < edge)
    out[i] = row[0];
  else if (x >= w + edge)
    out[i] = row[w - 1];
  else
    out[i] = row[x - edge];
}

/// One block goes along a row.
__global__ void rows(const float *in, float *out, int w, int edge, float left,
                     float right) {
  const int width = w + 2 * edge, y = blockIdx.x;
  for (int x = threadIdx.x; x < width; x += blockDim.x)
    if (x < edge)
      out[y * width + x] = left;
    else if (x < w + edge)
      out[y * width + x] = in[y * w + x - edge];
    else
      out[y * width + x] = right;
}

int main() {
  constexpr Shape Shapes[] = {{4096, 4096, 16}, {1000, 1000, 32}};
  float *in, *out;
  cudaMalloc(&in, sizeof(float) << 25);
  cudaMalloc(&out, sizeof(float) << 25);
  cudaMemset(in, 1, sizeof(float) << 25);
  auto *from = reinterpret_cast<unsigned char *>(in);
  auto *to = reinterpret_cast<unsigned char *>(out);
  for (int round = 0; round < 5; ++round)
    for (auto [w, h, edge] : Shapes) {
      const dim3 blocks((w + 2 * edge + Block - 1) / Block, h + 2 * edge);
      constant<float><<<blocks, Block>>>(in, out, w, h, edge, 1);
      constant<unsigned char><<<blocks, Block>>>(from, to, w, h, edge, 1);
      constant<uchar4><<<blocks, Block>>>(reinterpret_cast<uchar4 *>(in),
                                          reinterpret_cast<uchar4 *>(out), w, h,
                                          edge, make_uchar4(1, 2, 3, 4));
      sides<<<blocks, Block>>>(in, out, w, h, edge, 1, 2, 3, 4);
      chosen<<<blocks, Block>>>(in, out, w, h, edge, 1, 2, 3, 4);
      colours<<<blocks, Block>>>(from, to, w, h, edge);
      nearest<<<blocks, Block>>>(in, out, w, h, edge);
      rows<<<h, Block>>>(in, out, w, edge, 1, 2);
    }
  const bool failed = cudaDeviceSynchronize() != cudaSuccess;
  puts(failed ? "FAIL" : "PASS");
  return failed;
}
