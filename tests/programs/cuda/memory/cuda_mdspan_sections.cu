// Sections of arrays of several dimensions (submdspan): what is left of extents
// and layouts, and elements in kernels and on the host.
// FLAGS: -std=c++17
#include "../../Inputs/count.h"
#include <cuda/std/mdspan>

namespace cs = cuda::std;

template <class T, class U> constexpr bool same = cs::is_same<T, U>::value;
template <int n> using Constant = cs::integral_constant<int, n>;

using Box = cs::mdspan<int, cs::extents<int, 4, cs::dynamic_extent, 6>>;

/// A thread for each plane: every second element of the rows from the second
/// on.
__global__ void mark(Box box) {
  const int plane = threadIdx.x;
  auto some = cs::submdspan(box, plane, cs::pair(1, box.extent(1)),
                            cs::strided_slice{1, 5, Constant<2>()});
  for (int i = 0; i < some.extent(0); ++i)
    for (int j = 0; j < some.extent(1); ++j)
      some(i, j) = -(100 * plane + 10 * i + j);
}

static void types() {
  int values[4 * 5 * 6];
  const Box box(values, 5);
  auto planes =
      cs::submdspan(box, cs::pair(1, 3), cs::full_extent, cs::full_extent);
  static_assert(
      same<decltype(planes)::extents_type,
           cs::extents<int, cs::dynamic_extent, cs::dynamic_extent, 6>>);
  static_assert(same<decltype(planes)::layout_type, cs::layout_right>);
  CHECK(planes.extent(0) == 2 && &planes(0, 0, 0) == values + 30);

  auto column = cs::submdspan(box, cs::full_extent, 2, 3);
  static_assert(same<decltype(column)::extents_type, cs::extents<int, 4>>);
  static_assert(same<decltype(column)::layout_type, cs::layout_stride>);
  CHECK(column.stride(0) == 30 && &column(1) == values + 30 + 2 * 6 + 3);

  auto fixed = cs::submdspan(box, 0, 1, cs::pair(Constant<1>(), Constant<4>()));
  static_assert(same<decltype(fixed)::extents_type, cs::extents<int, 3>>);
  static_assert(same<decltype(fixed)::layout_type, cs::layout_right>);
  CHECK(&fixed(2) == values + 6 + 3);

  auto third = cs::submdspan(
      box, cs::strided_slice{Constant<0>(), Constant<4>(), Constant<3>()}, 0,
      0);
  static_assert(same<decltype(third)::extents_type, cs::extents<int, 2>>);
  CHECK(&third(1) == values + 90);

  auto element = cs::submdspan(box, 3, 4, 5);
  static_assert(decltype(element)::rank() == 0);
  CHECK(&element() == values + 119);
  auto nothing = cs::submdspan(box, cs::pair(4, 4), 0, 0);
  CHECK(nothing.empty() && nothing.data_handle() == values + 120);

  cs::mdspan<int, cs::dextents<int, 2>, cs::layout_left> left(values, 4, 5);
  auto columns = cs::submdspan(left, cs::full_extent, cs::pair(2, 4));
  static_assert(same<decltype(columns)::layout_type, cs::layout_left>);
  CHECK(&columns(1, 1) == values + 13);

  constexpr auto rest =
      cs::submdspan_extents(cs::extents<int, 7, 8>(), 3, cs::pair(2, 5));
  static_assert(rest.rank() == 1 && rest.extent(0) == 3);
}

int main() {
  int *values;
  OK(cudaMallocManaged(&values, 120 * sizeof *values));
  for (int i = 0; i < 120; ++i)
    values[i] = i;
  const Box box(values, 5);
  mark<<<1, 4>>>(box);
  OK(cudaDeviceSynchronize());
  for (int p = 0; p < 4; ++p)
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 6; ++j)
        CHECK(box(p, i, j) == (i > 0 && j % 2
                                   ? -(100 * p + 10 * (i - 1) + j / 2)
                                   : p * 30 + i * 6 + j));
  OK(cudaFree(values));
  types();
  std::printf(bad ? "FAILED\n" : "PASSED\n");
  return bad != 0;
}
