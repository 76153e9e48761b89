// Arrays of several dimensions (cuda/mdspan): extents, layouts, what is deduced
// and converted, elements in kernels and on the host, memory of one side.
// FLAGS: -std=c++17
#include "../../Inputs/count.h"
#include <cuda/mdspan>

namespace cs = cuda::std;

using Fixed = cs::mdspan<const float, cs::extents<int, 4, cs::dynamic_extent>>;

template <class View> __global__ void transpose(View out, Fixed in) {
  for (int i = threadIdx.x; i < in.extent(0); i += blockDim.x)
    for (int j = 0; j < in.extent(1); ++j)
      out(j, i) = in(i, j);
}
__global__ void rows(cs::mdspan<int, cs::dextents<int, 3>> a) {
  const int t = threadIdx.x;
  // A row as an array of its own, every second element of it.
  cs::layout_stride::mapping<cs::dextents<int, 1>> places(
      cs::dextents<int, 1>(a.extent(2) / 2), cs::array<int, 1>{2});
  cs::mdspan row(&a(t / a.extent(1), t % a.extent(1), 0), places);
  for (int i = 0; i < row.extent(0); ++i)
    row[i] += 100 * t + i;
}
__global__ void sides(cuda::device_mdspan<int, cs::extents<int, 8>> a,
                      cuda::managed_mdspan<int, cs::dextents<int, 1>> b,
                      cuda::restrict_mdspan<int, cs::dextents<int, 1>> c) {
  a(threadIdx.x) = b(threadIdx.x) * c(threadIdx.x);
}

template <class T, class U> constexpr bool same = cs::is_same<T, U>::value;

static void types() {
  float values[6] = {0, 1, 2, 3, 4, 5};
  cs::mdspan a(values, 2, 3);
  static_assert(same<decltype(a), cs::mdspan<float, cs::dextents<size_t, 2>>>);
  cs::mdspan b(values);
  static_assert(same<decltype(b), cs::mdspan<float, cs::extents<size_t, 6>>>);
  cs::mdspan c(values, cs::extents<int, 3, 2>());
  static_assert(c.static_extent(1) == 2 && c.rank_dynamic() == 0);
  cs::mdspan d(values, cs::layout_left::mapping(cs::extents<int, 2, 3>()));
  static_assert(same<decltype(d)::layout_type, cs::layout_left>);
  static_assert(cs::extents<int, 2, 3>() == cs::extents<long, 2, 3>());
  static_assert(
      cs::layout_right::mapping<cs::extents<int, 2, 3, 4>>()(1, 2, 3) == 23);
  static_assert(
      cs::layout_left::mapping<cs::extents<int, 2, 3, 4>>()(1, 2, 3) == 23);
  static_assert(
      cs::layout_left::mapping<cs::extents<int, 2, 3, 4>>()(0, 2, 1) == 10);
  static_assert(cs::is_trivially_copyable<decltype(a)>::value);
  CHECK(a(1, 0) == 3 && d(1, 0) == 1 && b[4] == 4 && c(2, 1) == 5);
  CHECK((a[cs::array<int, 2>{1, 2}] == 5));
  CHECK(a.size() == 6 && !a.empty() && a.stride(0) == 3 && d.stride(1) == 2);

  // Open dimensions from known ones without a word, known ones from open ones
  // with one.
  cs::mdspan<const float, cs::dextents<size_t, 2>> open = c;
  cs::mdspan<float, cs::extents<size_t, 2, 3>> known(a);
  static_assert(!cs::is_convertible<decltype(a), decltype(known)>::value);
  static_assert(!cs::is_constructible<decltype(known), decltype(c)>::value);
  CHECK(open(2, 1) == 5 && known(1, 2) == 5);
  cs::mdspan<float, cs::dextents<size_t, 2>, cs::layout_stride> strided = d;
  CHECK(strided(1, 2) == 5 && strided(0, 2) == 4 &&
        strided.mapping().is_exhaustive() && strided.mapping() == d.mapping());
  cs::layout_stride::mapping<cs::dextents<int, 2>> gaps(
      cs::dextents<int, 2>(2, 2), cs::array<int, 2>{3, 2});
  CHECK(gaps.required_span_size() == 6 && !gaps.is_exhaustive());
  CHECK(cs::mdspan(values, gaps)(1, 1) == 5);
  float one = 7;
  CHECK((cs::mdspan<float, cs::extents<int>>(&one)()) == 7);
  cuda::host_mdspan host(values, 3, 2);
  CHECK(host(2, 1) == 5);
}

int main() {
  types();
  constexpr int n = 5;
  float *in, *out;
  OK(cudaMallocManaged(&in, 4 * n * sizeof *in));
  OK(cudaMallocManaged(&out, 4 * n * sizeof *out));
  for (int i = 0; i < 4 * n; ++i)
    in[i] = i;
  Fixed from(in, n);
  CHECK(from.extent(0) == 4 && from.extent(1) == n);
  cs::mdspan<float, cs::dextents<int, 2>, cs::layout_left> left(out, n, 4);
  transpose<<<1, 4>>>(left, from);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 4 * n; ++i)
    CHECK(out[i] == i);
  transpose<<<1, 4>>>(cs::mdspan(out, n, 4), from);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 4 * n; ++i)
    CHECK(out[i] == in[i % 4 * n + i / 4]);

  int *numbers;
  OK(cudaMallocManaged(&numbers, 2 * 3 * 4 * sizeof *numbers));
  for (int i = 0; i < 24; ++i)
    numbers[i] = i;
  rows<<<1, 6>>>(cs::mdspan<int, cs::dextents<int, 3>>(numbers, 2, 3, 4));
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 24; ++i)
    CHECK(numbers[i] == i + (i % 2 ? 0 : i / 4 * 100 + i % 4 / 2));

  sides<<<1, 8>>>(
      cuda::device_mdspan<int, cs::extents<int, 8>>(numbers + 16),
      cuda::managed_mdspan<int, cs::dextents<int, 1>>(numbers, 8),
      cuda::restrict_mdspan<int, cs::dextents<int, 1>>(numbers + 8, 8));
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 8; ++i)
    CHECK(numbers[16 + i] == numbers[i] * numbers[8 + i]);
  std::printf(bad ? "FAILED\n" : "PASSED\n");
  return bad != 0;
}
