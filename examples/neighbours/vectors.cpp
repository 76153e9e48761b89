// Kernels of a library from C++, compiled and linked by g++:
//     g++ -std=c++17 vectors.cpp $(pkg-config --cflags cufort) -L. -lkernels
// The library has the CUDA runtime in it.
#include <cuda/std/mdspan>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

extern "C" {
void saxpy(int n, float a, const float *x, float *y, cudaStream_t stream);
void smooth(int m, int n, const double *from, double *to);
}

static void check(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

/// Memory of the device, freed at the end of its scope.
template <typename T> class DeviceVector {
public:
  explicit DeviceVector(std::size_t size) : size(size) {
    T *address = nullptr;
    check(cudaMalloc(&address, size * sizeof(T)));
    memory.reset(address);
  }
  explicit DeviceVector(const std::vector<T> &values)
      : DeviceVector(values.size()) {
    check(cudaMemcpy(memory.get(), values.data(), size * sizeof(T),
                     cudaMemcpyHostToDevice));
  }
  T *data() const { return memory.get(); }
  std::vector<T> get() const {
    std::vector<T> values(size);
    check(cudaMemcpy(values.data(), memory.get(), size * sizeof(T),
                     cudaMemcpyDeviceToHost));
    return values;
  }

private:
  struct Free {
    void operator()(T *address) const { cudaFree(address); }
  };
  std::size_t size;
  std::unique_ptr<T[], Free> memory;
};

int main() {
  std::vector<float> x(1000), y(1000, 1);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = float(i);
  DeviceVector<float> onDevice(x), result(y);
  saxpy(int(x.size()), 2, onDevice.data(), result.data(), nullptr);
  y = result.get();
  for (std::size_t i = 0; i < x.size(); ++i)
    if (y[i] != 2 * x[i] + 1)
      return std::printf("y[%zu] is %g\n", i, y[i]), 1;

  // Fortran's order of elements is layout_left; field(i, j) is from(i+1, j+1).
  using Field = cuda::std::mdspan<double, cuda::std::dextents<int, 2>,
                                  cuda::std::layout_left>;
  const int m = 60, n = 40;
  std::vector<double> values(m * n);
  Field field(values.data(), m, n);
  field(30, 20) = 1;
  DeviceVector<double> from(values), to(values.size());
  smooth(m, n, from.data(), to.data());
  std::vector<double> smoothed = to.get();
  Field mean(smoothed.data(), m, n);
  if (mean(30, 20) != 0 || mean(29, 20) != 0.25 || mean(30, 21) != 0.25)
    return std::printf("the field is wrong\n"), 1;
  std::printf("PASSED\n");
}
