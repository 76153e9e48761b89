//===- array_layouts.h - extents and layouts of cuda::std::mdspan ---------===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of cuda/std/mdspan: how many elements an array has in each dimension,
// some known to the compiler, and where an element is.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_ARRAY_LAYOUTS_H
#define CUFORT_ARRAY_LAYOUTS_H

#include <array>
#include <cstddef>
#include <cuda/std/span>
#include <limits>
#include <type_traits>
#include <utility>

#include "cuda_runtime_api.h"

#define __CUFORT_BOTH __host__ __device__ constexpr

namespace cuda {
namespace std {

namespace __layouts {

template <class T, size_t n> struct Items {
  T items[n] = {};
  __CUFORT_BOTH T &operator[](size_t i) { return items[i]; }
  __CUFORT_BOTH const T &operator[](size_t i) const { return items[i]; }
};
template <class T> struct Items<T, 0> {
  __CUFORT_BOTH T operator[](size_t) const { return T(); }
};

template <class I, class... T>
inline constexpr bool areIndices =
    (... && (is_convertible_v<const T &, I> &&
             is_nothrow_constructible_v<I, const T &>));

} // namespace __layouts

//===--- extents ---===//

template <class I, size_t... Each> class extents {
  static constexpr size_t knownOf(size_t dimension) {
    constexpr size_t all[] = {Each..., 0};
    return all[dimension];
  }
  static constexpr size_t dynamicBefore(size_t dimension) {
    constexpr bool all[] = {Each == dynamic_extent..., false};
    size_t result = 0;
    for (size_t i = 0; i < dimension; ++i)
      result += all[i];
    return result;
  }
  static constexpr size_t count = sizeof...(Each);
  static constexpr size_t dynamicCount =
      (size_t(0) + ... + (Each == dynamic_extent));
  __layouts::Items<I, dynamicCount> given;

  template <class From> __CUFORT_BOTH void takeAll(const From &from) {
    if constexpr (dynamicCount > 0)
      for (size_t i = 0; i < count; ++i)
        if (knownOf(i) == dynamic_extent)
          given[dynamicBefore(i)] = static_cast<I>(from[i]);
  }
  template <class From> __CUFORT_BOTH void takeDynamic(const From &from) {
    if constexpr (dynamicCount > 0)
      for (size_t i = 0; i < dynamicCount; ++i)
        given[i] = static_cast<I>(from[i]);
  }
  template <class From, size_t n> __CUFORT_BOTH void take(const From &from) {
    if constexpr (n == dynamicCount)
      takeDynamic(from);
    else
      takeAll(from);
  }

public:
  using index_type = I;
  using size_type = make_unsigned_t<I>;
  using rank_type = size_t;
  static_assert(is_integral_v<I> && !is_same_v<I, bool>,
                "the indices of extents are integers");

  static __CUFORT_BOTH rank_type rank() noexcept { return count; }
  static __CUFORT_BOTH rank_type rank_dynamic() noexcept {
    return dynamicCount;
  }
  static __CUFORT_BOTH size_t static_extent(rank_type i) noexcept {
    return knownOf(i);
  }
  __CUFORT_BOTH index_type extent(rank_type i) const noexcept {
    if constexpr (dynamicCount > 0) {
      if (knownOf(i) == dynamic_extent)
        return given[dynamicBefore(i)];
    }
    return static_cast<index_type>(knownOf(i));
  }

  __CUFORT_BOTH extents() noexcept {}
  /// All of them or those that the type leaves open.
  template <class... T, enable_if_t<(sizeof...(T) > 0) &&
                                        (sizeof...(T) == count ||
                                         sizeof...(T) == dynamicCount) &&
                                        __layouts::areIndices<I, T...>,
                                    int> = 0>
  __CUFORT_BOTH explicit extents(T... each) noexcept {
    const I all[] = {static_cast<I>(each)...};
    take<I[sizeof...(T)], sizeof...(T)>(all);
  }
  template <class T, size_t n,
            enable_if_t<(n == count || n == dynamicCount) &&
                            __layouts::areIndices<I, T>,
                        int> = 0>
  __CUFORT_BOTH explicit extents(const array<T, n> &each) noexcept {
    take<array<T, n>, n>(each);
  }
  template <class T, size_t n,
            enable_if_t<(n == count || n == dynamicCount) &&
                            __layouts::areIndices<I, T>,
                        int> = 0>
  __CUFORT_BOTH explicit extents(span<T, n> each) noexcept {
    take<span<T, n>, n>(each);
  }
  template <class J, size_t... Other> static constexpr bool compatible() {
    if constexpr (sizeof...(Other) != count)
      return false;
    else
      return (... && (Each == dynamic_extent || Other == dynamic_extent ||
                      Each == Other));
  }
  template <class J, size_t... Other> static constexpr bool always() {
    if constexpr (sizeof...(Other) != count)
      return false;
    else
      return (... && (Each == dynamic_extent || Other != dynamic_extent)) &&
             static_cast<make_unsigned_t<J>>((numeric_limits<J>::max)()) <=
                 static_cast<size_type>((numeric_limits<I>::max)());
  }
  template <
      class J, size_t... Other,
      enable_if_t<compatible<J, Other...>() && always<J, Other...>(), int> = 0>
  __CUFORT_BOTH extents(const extents<J, Other...> &other) noexcept {
    takeOther(other);
  }
  template <
      class J, size_t... Other,
      enable_if_t<compatible<J, Other...>() && !always<J, Other...>(), int> = 0>
  __CUFORT_BOTH explicit extents(const extents<J, Other...> &other) noexcept {
    takeOther(other);
  }

private:
  template <class Other> __CUFORT_BOTH void takeOther(const Other &other) {
    if constexpr (dynamicCount > 0)
      for (size_t i = 0; i < count; ++i)
        if (knownOf(i) == dynamic_extent)
          given[dynamicBefore(i)] = static_cast<I>(other.extent(i));
  }
};
template <class I, size_t... A, class J, size_t... B>
__CUFORT_BOTH bool operator==(const extents<I, A...> &a,
                              const extents<J, B...> &b) noexcept {
  if constexpr (sizeof...(A) != sizeof...(B)) {
    return false;
  } else {
    for (size_t i = 0; i < sizeof...(A); ++i)
      if (static_cast<common_type_t<I, J>>(a.extent(i)) !=
          static_cast<common_type_t<I, J>>(b.extent(i)))
        return false;
    return true;
  }
}
#if __cplusplus < 202002L
template <class I, size_t... A, class J, size_t... B>
__CUFORT_BOTH bool operator!=(const extents<I, A...> &a,
                              const extents<J, B...> &b) noexcept {
  return !(a == b);
}
#endif

namespace __layouts {

template <class I, size_t... n>
__host__ __device__ extents<I, ((void)n, dynamic_extent)...>
    dynamic(index_sequence<n...>);
template <class T> inline constexpr bool isExtents = false;
template <class I, size_t... Each>
inline constexpr bool isExtents<extents<I, Each...>> = true;

} // namespace __layouts

template <class I, size_t rank>
using dextents = decltype(__layouts::dynamic<I>(make_index_sequence<rank>()));
template <size_t rank, class I = size_t> using dims = dextents<I, rank>;
template <class... T>
extents(T...) -> extents<size_t, ((void)sizeof(T), dynamic_extent)...>;

//===--- layouts ---===//

namespace __layouts {

/// What the mappings of arrays without gaps have in common. Stride is the
/// distance of two elements that differ by one in a dimension.
template <class Own, class Layout, class Extents> class Dense {
  Extents sizes;

public:
  using extents_type = Extents;
  using index_type = typename Extents::index_type;
  using size_type = typename Extents::size_type;
  using rank_type = typename Extents::rank_type;
  using layout_type = Layout;

  Dense() = default;
  __CUFORT_BOTH Dense(const Extents &sizes) noexcept : sizes(sizes) {}

  __CUFORT_BOTH const Extents &extents() const noexcept { return sizes; }
  __CUFORT_BOTH index_type required_span_size() const noexcept {
    index_type result = 1;
    for (rank_type i = 0; i < Extents::rank(); ++i)
      result *= sizes.extent(i);
    return result;
  }
  static __CUFORT_BOTH bool is_always_unique() noexcept { return true; }
  static __CUFORT_BOTH bool is_always_exhaustive() noexcept { return true; }
  static __CUFORT_BOTH bool is_always_strided() noexcept { return true; }
  static __CUFORT_BOTH bool is_unique() noexcept { return true; }
  static __CUFORT_BOTH bool is_exhaustive() noexcept { return true; }
  static __CUFORT_BOTH bool is_strided() noexcept { return true; }

  template <class OtherOwn, class Other>
  __CUFORT_BOTH bool
  operator==(const Dense<OtherOwn, Layout, Other> &other) const noexcept {
    return sizes == other.extents();
  }
  template <class OtherOwn, class Other>
  __CUFORT_BOTH bool
  operator!=(const Dense<OtherOwn, Layout, Other> &other) const noexcept {
    return !(sizes == other.extents());
  }
};

} // namespace __layouts

struct layout_right {
  template <class Extents> class mapping;
};
struct layout_left {
  template <class Extents> class mapping;
};
struct layout_stride {
  template <class Extents> class mapping;
};

/// The last index runs through elements side by side, as in C.
template <class Extents>
class layout_right::mapping
    : public __layouts::Dense<layout_right::mapping<Extents>, layout_right,
                              Extents> {
  using Base = __layouts::Dense<mapping, layout_right, Extents>;

public:
  using typename Base::index_type;
  using typename Base::rank_type;
  mapping() = default;
  __CUFORT_BOTH mapping(const Extents &sizes) noexcept : Base(sizes) {}
  template <class Other, enable_if_t<is_convertible_v<Other, Extents> &&
                                         !is_same_v<Other, Extents>,
                                     int> = 0>
  __CUFORT_BOTH mapping(const mapping<Other> &other) noexcept
      : Base(Extents(other.extents())) {}
  template <class Other, enable_if_t<is_constructible_v<Extents, Other> &&
                                         !is_convertible_v<Other, Extents>,
                                     int> = 0>
  __CUFORT_BOTH explicit mapping(const mapping<Other> &other) noexcept
      : Base(Extents(other.extents())) {}
  template <class Other, enable_if_t<is_constructible_v<Extents, Other> &&
                                         Extents::rank() <= 1,
                                     int> = 0>
  __CUFORT_BOTH mapping(const layout_left::mapping<Other> &other) noexcept
      : Base(Extents(other.extents())) {}
  template <class Other,
            enable_if_t<is_constructible_v<Extents, Other>, int> = 0>
  __CUFORT_BOTH explicit mapping(
      const layout_stride::mapping<Other> &other) noexcept
      : Base(Extents(other.extents())) {}

  __CUFORT_BOTH index_type stride(rank_type dimension) const noexcept {
    index_type result = 1;
    for (rank_type i = dimension + 1; i < Extents::rank(); ++i)
      result *= this->extents().extent(i);
    return result;
  }
  template <class... T, enable_if_t<sizeof...(T) == Extents::rank() &&
                                        __layouts::areIndices<index_type, T...>,
                                    int> = 0>
  __CUFORT_BOTH index_type operator()(T... each) const noexcept {
    index_type result = 0;
    rank_type i = 0;
    ((result = static_cast<index_type>(result * this->extents().extent(i++) +
                                       static_cast<index_type>(each))),
     ...);
    (void)i;
    return result;
  }
};

/// The first index runs through elements side by side, as in Fortran.
template <class Extents>
class layout_left::mapping
    : public __layouts::Dense<layout_left::mapping<Extents>, layout_left,
                              Extents> {
  using Base = __layouts::Dense<mapping, layout_left, Extents>;

public:
  using typename Base::index_type;
  using typename Base::rank_type;
  mapping() = default;
  __CUFORT_BOTH mapping(const Extents &sizes) noexcept : Base(sizes) {}
  template <class Other, enable_if_t<is_convertible_v<Other, Extents> &&
                                         !is_same_v<Other, Extents>,
                                     int> = 0>
  __CUFORT_BOTH mapping(const mapping<Other> &other) noexcept
      : Base(Extents(other.extents())) {}
  template <class Other, enable_if_t<is_constructible_v<Extents, Other> &&
                                         !is_convertible_v<Other, Extents>,
                                     int> = 0>
  __CUFORT_BOTH explicit mapping(const mapping<Other> &other) noexcept
      : Base(Extents(other.extents())) {}
  template <class Other, enable_if_t<is_constructible_v<Extents, Other> &&
                                         Extents::rank() <= 1,
                                     int> = 0>
  __CUFORT_BOTH mapping(const layout_right::mapping<Other> &other) noexcept
      : Base(Extents(other.extents())) {}
  template <class Other,
            enable_if_t<is_constructible_v<Extents, Other>, int> = 0>
  __CUFORT_BOTH explicit mapping(
      const layout_stride::mapping<Other> &other) noexcept
      : Base(Extents(other.extents())) {}

  __CUFORT_BOTH index_type stride(rank_type dimension) const noexcept {
    index_type result = 1;
    for (rank_type i = 0; i < dimension; ++i)
      result *= this->extents().extent(i);
    return result;
  }
  template <class... T, enable_if_t<sizeof...(T) == Extents::rank() &&
                                        __layouts::areIndices<index_type, T...>,
                                    int> = 0>
  __CUFORT_BOTH index_type operator()(T... each) const noexcept {
    index_type result = 0, distance = 1;
    rank_type i = 0;
    ((result += static_cast<index_type>(each) * distance,
      distance *= this->extents().extent(i++)),
     ...);
    (void)distance, (void)i;
    return result;
  }
};

/// The distance in each dimension is given.
template <class Extents> class layout_stride::mapping {
  Extents sizes;
  __layouts::Items<typename Extents::index_type, Extents::rank()> distances;

public:
  using extents_type = Extents;
  using index_type = typename Extents::index_type;
  using size_type = typename Extents::size_type;
  using rank_type = typename Extents::rank_type;
  using layout_type = layout_stride;

  __CUFORT_BOTH mapping() noexcept
      : mapping(layout_right::mapping<Extents>()) {}
  template <class T, enable_if_t<__layouts::areIndices<index_type, T>, int> = 0>
  __CUFORT_BOTH mapping(const Extents &sizes,
                        const array<T, Extents::rank()> &each) noexcept
      : sizes(sizes) {
    take(each);
  }
  template <class T, enable_if_t<__layouts::areIndices<index_type, T>, int> = 0>
  __CUFORT_BOTH mapping(const Extents &sizes,
                        span<T, Extents::rank()> each) noexcept
      : sizes(sizes) {
    take(each);
  }
  /// Of any mapping that has strides.
  template <class Other,
            enable_if_t<
                !is_same_v<Other, mapping> &&
                    is_constructible_v<Extents, typename Other::extents_type> &&
                    Other::is_always_strided() && Other::is_always_unique(),
                int> = 0>
  __CUFORT_BOTH mapping(const Other &other) noexcept : sizes(other.extents()) {
    if constexpr (Extents::rank() > 0)
      for (rank_type i = 0; i < Extents::rank(); ++i)
        distances[i] = static_cast<index_type>(other.stride(i));
  }

  __CUFORT_BOTH const Extents &extents() const noexcept { return sizes; }
  __CUFORT_BOTH array<index_type, Extents::rank()> strides() const noexcept {
    array<index_type, Extents::rank()> result{};
    if constexpr (Extents::rank() > 0)
      for (rank_type i = 0; i < Extents::rank(); ++i)
        result[i] = distances[i];
    return result;
  }
  __CUFORT_BOTH index_type stride(rank_type dimension) const noexcept {
    return distances[dimension];
  }
  __CUFORT_BOTH index_type required_span_size() const noexcept {
    index_type result = 1;
    for (rank_type i = 0; i < Extents::rank(); ++i) {
      if (sizes.extent(i) == 0)
        return 0;
      result += (sizes.extent(i) - 1) * distances[i];
    }
    return result;
  }
  static __CUFORT_BOTH bool is_always_unique() noexcept { return true; }
  static __CUFORT_BOTH bool is_always_exhaustive() noexcept { return false; }
  static __CUFORT_BOTH bool is_always_strided() noexcept { return true; }
  static __CUFORT_BOTH bool is_unique() noexcept { return true; }
  static __CUFORT_BOTH bool is_strided() noexcept { return true; }
  __CUFORT_BOTH bool is_exhaustive() const noexcept {
    index_type elements = 1;
    for (rank_type i = 0; i < Extents::rank(); ++i)
      elements *= sizes.extent(i);
    return elements == required_span_size();
  }
  template <class... T, enable_if_t<sizeof...(T) == Extents::rank() &&
                                        __layouts::areIndices<index_type, T...>,
                                    int> = 0>
  __CUFORT_BOTH index_type operator()(T... each) const noexcept {
    index_type result = 0;
    rank_type i = 0;
    ((result += static_cast<index_type>(each) * distances[i++]), ...);
    (void)i;
    return result;
  }
  template <class Other>
  __CUFORT_BOTH auto operator==(const Other &other) const noexcept
      -> decltype(other.stride(0) == 0) {
    if (!(sizes == other.extents()))
      return false;
    for (rank_type i = 0; i < Extents::rank(); ++i)
      if (distances[i] != static_cast<index_type>(other.stride(i)))
        return false;
    return true;
  }

private:
  template <class Each> __CUFORT_BOTH void take(const Each &each) {
    if constexpr (Extents::rank() > 0)
      for (rank_type i = 0; i < Extents::rank(); ++i)
        distances[i] = static_cast<index_type>(each[i]);
  }
};

} // namespace std
} // namespace cuda

#undef __CUFORT_BOTH

#endif // CUFORT_ARRAY_LAYOUTS_H
