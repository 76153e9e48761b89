//===- array_sections.h - sections of cuda::std::mdspan ---------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of cuda/std/mdspan: submdspan, C++26's. A slice is an index, whose
// dimension goes, full_extent, a pair of a first index and the one behind the
// last, or a strided_slice.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_ARRAY_SECTIONS_H
#define CUFORT_ARRAY_SECTIONS_H

#include <tuple>

#define __CUFORT_BOTH __host__ __device__ constexpr

namespace cuda {
namespace std {

struct full_extent_t {
  explicit full_extent_t() = default;
};
inline constexpr full_extent_t full_extent{};

/// Every stride-th of extent elements from offset on.
template <class Offset, class Extent, class Stride> struct strided_slice {
  using offset_type = Offset;
  using extent_type = Extent;
  using stride_type = Stride;
  Offset offset{};
  Extent extent{};
  Stride stride{};
};
template <class Offset, class Extent, class Stride>
strided_slice(Offset, Extent, Stride) -> strided_slice<Offset, Extent, Stride>;

namespace __sections {

template <class Slice>
inline constexpr bool isFull = is_convertible_v<Slice, full_extent_t>;
template <class Slice, class I>
inline constexpr bool isIndex = is_convertible_v<Slice, I>;
template <class Slice> inline constexpr bool isStrided = false;
template <class O, class E, class S>
inline constexpr bool isStrided<strided_slice<O, E, S>> = true;

/// The value of a number if the compiler knows it, otherwise dynamic_extent.
template <class T> inline constexpr size_t known = dynamic_extent;
template <class T, T value>
inline constexpr size_t known<integral_constant<T, value>> = size_t(value);

/// The same of the elements in a dimension of \p whole ones.
template <class Slice> constexpr size_t knownLength(size_t whole) {
  if constexpr (isFull<Slice>) {
    return whole;
  } else if constexpr (isStrided<Slice>) {
    constexpr size_t all = known<typename Slice::extent_type>,
                     step = known<typename Slice::stride_type>;
    if constexpr (all == 0)
      return 0;
    else if constexpr (all == dynamic_extent || step == dynamic_extent)
      return dynamic_extent;
    else
      return 1 + (all - 1) / step;
  } else {
    constexpr size_t first = known<tuple_element_t<0, Slice>>,
                     end = known<tuple_element_t<1, Slice>>;
    return first == dynamic_extent || end == dynamic_extent ? dynamic_extent
                                                            : end - first;
  }
}

template <class I, class Slice> __CUFORT_BOTH I begin(const Slice &slice) {
  if constexpr (isFull<Slice>)
    return 0;
  else if constexpr (isIndex<Slice, I>)
    return static_cast<I>(slice);
  else if constexpr (isStrided<Slice>)
    return static_cast<I>(slice.offset);
  else
    return static_cast<I>(get<0>(slice));
}
template <class I, class Slice>
__CUFORT_BOTH I length(const Slice &slice, I whole) {
  if constexpr (isFull<Slice> || isIndex<Slice, I>) {
    return whole;
  } else if constexpr (isStrided<Slice>) {
    const I all = static_cast<I>(slice.extent);
    return all == 0
               ? 0
               : static_cast<I>(1 + (all - 1) / static_cast<I>(slice.stride));
  } else {
    return static_cast<I>(get<1>(slice)) - static_cast<I>(get<0>(slice));
  }
}
template <class I, class Slice> __CUFORT_BOTH I step(const Slice &slice) {
  if constexpr (isStrided<Slice>)
    return static_cast<I>(slice.stride) < static_cast<I>(slice.extent)
               ? static_cast<I>(slice.stride)
               : I(1);
  else
    return 1;
}

/// The extents that are left of \p From's.
template <class From, size_t dimension, class Left, class... Slices>
struct Extents {
  using Type = Left;
};
template <class From, size_t dimension, class I, size_t... left, class Slice,
          class... Slices>
struct Extents<From, dimension, extents<I, left...>, Slice, Slices...> {
  static constexpr auto next() {
    if constexpr (isIndex<Slice, I>)
      return extents<I, left...>();
    else
      return extents<I, left...,
                     knownLength<Slice>(From::static_extent(dimension))>();
  }
  using Type =
      typename Extents<From, dimension + 1, decltype(next()), Slices...>::Type;
};
template <class From, class... Slices>
using ExtentsOf = typename Extents<From, 0, extents<typename From::index_type>,
                                   Slices...>::Type;

/// Whether the elements keep the order of layout_right (\p last is where the
/// last dimension is) or layout_left: all of the dimensions that are next to
/// each other in memory, then a range of the next, then indices.
template <class I, class... Slices> constexpr bool keepsOrder(bool right) {
  constexpr size_t count = sizeof...(Slices);
  constexpr bool full[] = {isFull<Slices>..., false},
                 index[] = {isIndex<Slices, I>..., false},
                 strided[] = {isStrided<Slices>..., false};
  bool mayBeFull = true;
  for (size_t i = 0; i < count; ++i) {
    const size_t k = right ? count - 1 - i : i;
    if (strided[k] || (!mayBeFull && !index[k]))
      return false;
    mayBeFull = full[k];
  }
  return true;
}

template <class Layout, class I, class... Slices> constexpr auto layoutOf() {
  constexpr bool isRight = is_same_v<Layout, layout_right>,
                 isLeft = is_same_v<Layout, layout_left>;
  if constexpr ((isRight && keepsOrder<I, Slices...>(true)) ||
                (isLeft && keepsOrder<I, Slices...>(false)))
    return Layout();
  else
    return layout_stride();
}

template <class I, size_t rank, class... Slices, size_t... k, class Mapping>
__CUFORT_BOTH void fill(I (&lengths)[rank + 1], I (&strides)[rank + 1],
                        const Mapping &places, index_sequence<k...>,
                        const Slices &...slices) {
  size_t next = 0;
  (...,
   (isIndex<Slices, I>
        ? void()
        : void((lengths[next] = length<I>(slices, places.extents().extent(k)),
                strides[next] = places.stride(k) * step<I>(slices), ++next))));
}

template <class To, class I, size_t... k>
__CUFORT_BOTH array<I, sizeof...(k)> arrayOf(const To &items,
                                             index_sequence<k...>) {
  return {items[k]...};
}

} // namespace __sections

template <class I, size_t... Each, class... Slices>
__CUFORT_BOTH auto submdspan_extents(const extents<I, Each...> &from,
                                     Slices... slices) {
  static_assert(sizeof...(Slices) == sizeof...(Each),
                "there is a slice for each dimension");
  using To = __sections::ExtentsOf<extents<I, Each...>, Slices...>;
  I lengths[To::rank() + 1] = {}, strides[To::rank() + 1] = {};
  __sections::fill<I, To::rank()>(
      lengths, strides, layout_right::mapping<extents<I, Each...>>(from),
      make_index_sequence<sizeof...(Each)>(), slices...);
  return To(__sections::arrayOf<I[To::rank() + 1], I>(
      lengths, make_index_sequence<To::rank()>()));
}

template <class Element, class From, class Layout, class Accessor,
          class... Slices>
__CUFORT_BOTH auto
submdspan(const mdspan<Element, From, Layout, Accessor> &whole,
          Slices... slices) {
  static_assert(sizeof...(Slices) == From::rank(),
                "there is a slice for each dimension");
  using I = typename From::index_type;
  using To = __sections::ExtentsOf<From, Slices...>;
  using NewLayout = decltype(__sections::layoutOf<Layout, I, Slices...>());
  using NewAccessor = typename Accessor::offset_policy;
  using Mapping = typename NewLayout::template mapping<To>;
  constexpr auto kept = make_index_sequence<To::rank()>();
  constexpr auto all = make_index_sequence<From::rank()>();
  I lengths[To::rank() + 1] = {}, strides[To::rank() + 1] = {};
  __sections::fill<I, To::rank()>(lengths, strides, whole.mapping(), all,
                                  slices...);
  const To sizes(__sections::arrayOf<I[To::rank() + 1], I>(lengths, kept));
  // An empty section may begin behind the last element.
  const I first[] = {__sections::begin<I>(slices)..., I()};
  bool isInside = true;
  for (size_t k = 0; k < From::rank(); ++k)
    isInside = isInside && first[k] < whole.extent(k);
  const auto offset = static_cast<size_t>(
      isInside ? whole.mapping()(__sections::begin<I>(slices)...)
               : whole.mapping().required_span_size());
  auto *const start = whole.accessor().offset(whole.data_handle(), offset);
  if constexpr (is_same_v<NewLayout, layout_stride>)
    return mdspan<Element, To, NewLayout, NewAccessor>(
        start,
        Mapping(sizes,
                __sections::arrayOf<I[To::rank() + 1], I>(strides, kept)),
        NewAccessor(whole.accessor()));
  else
    return mdspan<Element, To, NewLayout, NewAccessor>(
        start, Mapping(sizes), NewAccessor(whole.accessor()));
}

} // namespace std
} // namespace cuda

#undef __CUFORT_BOTH

#endif // CUFORT_ARRAY_SECTIONS_H
