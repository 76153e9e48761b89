//===- nvtx3.hpp - annotations for profilers, in C++ ------------*- C++ -*-===//
//
// Part of cufort, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranges that last as long as an object, marks, and what they are annotated
// with: a message, a colour, a category, a number. C++11.
//
//===----------------------------------------------------------------------===//

#ifndef CUFORT_NVTX3_HPP
#define CUFORT_NVTX3_HPP

#include "nvToolsExt.h"
#include <cstdint>
#include <string>
#include <utility>

#define NVTX3_CPP_VERSION_MAJOR 1
#define NVTX3_CPP_VERSION_MINOR 0

namespace nvtx3 {
inline namespace v1 {

class domain {
public:
  /// The default one.
  struct global {};

  domain(const domain &) = delete;
  domain &operator=(const domain &) = delete;

  /// The domain that the type D names: `static constexpr char const *name`.
  template <typename D = global> static const domain &get() {
    static const domain only{nameOf<D>(nullptr)};
    return only;
  }
  operator nvtxDomainHandle_t() const noexcept { return handle; }

private:
  template <typename D>
  static decltype(static_cast<const char *>(D::name)) nameOf(const D *) {
    return D::name;
  }
  template <typename D> static const char *nameOf(...) { return nullptr; }
  explicit domain(const char *name)
      : handle(name ? nvtxDomainCreateA(name) : nullptr) {}

  const nvtxDomainHandle_t handle;
};

struct rgb {
  using component_type = uint8_t;
  constexpr rgb(uint8_t red, uint8_t green, uint8_t blue) noexcept
      : red(red), green(green), blue(blue) {}
  uint8_t red, green, blue;
};
struct argb {
  using component_type = uint8_t;
  constexpr argb(uint8_t alpha, uint8_t red, uint8_t green,
                 uint8_t blue) noexcept
      : alpha(alpha), red(red), green(green), blue(blue) {}
  uint8_t alpha, red, green, blue;
};

class color {
public:
  using value_type = uint32_t;
  constexpr explicit color(value_type argb) noexcept : value(argb) {}
  constexpr color(argb c) noexcept
      : value(uint32_t(c.alpha) << 24 | uint32_t(c.red) << 16 |
              uint32_t(c.green) << 8 | c.blue) {}
  constexpr color(rgb c) noexcept : color(argb(0xff, c.red, c.green, c.blue)) {}
  constexpr value_type get_value() const noexcept { return value; }
  constexpr nvtxColorType_t get_type() const noexcept {
    return NVTX_COLOR_ARGB;
  }

private:
  value_type value;
};

class category {
public:
  using id_type = uint32_t;
  constexpr explicit category(id_type id) noexcept : id(id) {}
  constexpr id_type get_id() const noexcept { return id; }

private:
  id_type id;
};

/// A category with a name in the domain D.
template <typename D = domain::global>
class named_category_in final : public category {
public:
  /// The one that the type C describes: `name` and `id`.
  template <typename C> static const named_category_in &get() {
    static const named_category_in only(C::id, C::name);
    return only;
  }
  named_category_in(id_type id, const char *name) noexcept : category(id) {
    nvtxDomainNameCategoryA(domain::get<D>(), id, name);
  }
  named_category_in(id_type id, const wchar_t *name) noexcept : category(id) {
    nvtxDomainNameCategoryW(domain::get<D>(), id, name);
  }
};
using named_category = named_category_in<domain::global>;

/// A message that is registered in the domain D.
template <typename D = domain::global> class registered_string_in {
public:
  /// The one that the type M describes: `message`.
  template <typename M> static const registered_string_in &get() {
    static const registered_string_in only(M::message);
    return only;
  }
  explicit registered_string_in(const char *text) noexcept
      : handle(nvtxDomainRegisterStringA(domain::get<D>(), text)) {}
  explicit registered_string_in(const std::string &text) noexcept
      : registered_string_in(text.c_str()) {}
  explicit registered_string_in(const wchar_t *text) noexcept
      : handle(nvtxDomainRegisterStringW(domain::get<D>(), text)) {}
  nvtxStringHandle_t get_handle() const noexcept { return handle; }

private:
  const nvtxStringHandle_t handle;
};
using registered_string = registered_string_in<domain::global>;

class message {
public:
  using value_type = nvtxMessageValue_t;
  message(const char *text) noexcept : type(NVTX_MESSAGE_TYPE_ASCII) {
    value.ascii = text;
  }
  message(const std::string &text) noexcept : message(text.c_str()) {}
  message(std::string &&) = delete;
  message(const wchar_t *text) noexcept : type(NVTX_MESSAGE_TYPE_UNICODE) {
    value.unicode = text;
  }
  message(const std::wstring &text) noexcept : message(text.c_str()) {}
  message(std::wstring &&) = delete;
  template <typename D>
  message(const registered_string_in<D> &text) noexcept
      : message(text.get_handle()) {}
  message(nvtxStringHandle_t text) noexcept
      : type(NVTX_MESSAGE_TYPE_REGISTERED) {
    value.registered = text;
  }
  value_type get_value() const noexcept { return value; }
  nvtxMessageType_t get_type() const noexcept { return type; }

private:
  nvtxMessageType_t type;
  value_type value;
};

class payload {
public:
  using value_type = decltype(nvtxEventAttributes_t::payload);
  explicit payload(int64_t number) noexcept : type(NVTX_PAYLOAD_TYPE_INT64) {
    value.llValue = number;
  }
  explicit payload(int32_t number) noexcept : type(NVTX_PAYLOAD_TYPE_INT32) {
    value.iValue = number;
  }
  explicit payload(uint64_t number) noexcept
      : type(NVTX_PAYLOAD_TYPE_UNSIGNED_INT64) {
    value.ullValue = number;
  }
  explicit payload(uint32_t number) noexcept
      : type(NVTX_PAYLOAD_TYPE_UNSIGNED_INT32) {
    value.uiValue = number;
  }
  explicit payload(float number) noexcept : type(NVTX_PAYLOAD_TYPE_FLOAT) {
    value.fValue = number;
  }
  explicit payload(double number) noexcept : type(NVTX_PAYLOAD_TYPE_DOUBLE) {
    value.dValue = number;
  }
  value_type get_value() const noexcept { return value; }
  nvtxPayloadType_t get_type() const noexcept { return type; }

private:
  nvtxPayloadType_t type;
  value_type value;
};

/// What is said of a range or a mark, in any order; of several of a kind the
/// first.
class event_attributes {
public:
  using value_type = nvtxEventAttributes_t;
  event_attributes() noexcept : attributes() {
    attributes.version = NVTX_VERSION;
    attributes.size = sizeof(value_type);
  }
  template <typename... Rest>
  explicit event_attributes(const category &c, const Rest &...rest) noexcept
      : event_attributes(rest...) {
    attributes.category = c.get_id();
  }
  template <typename... Rest>
  explicit event_attributes(const color &c, const Rest &...rest) noexcept
      : event_attributes(rest...) {
    attributes.color = c.get_value();
    attributes.colorType = c.get_type();
  }
  template <typename... Rest>
  explicit event_attributes(const payload &p, const Rest &...rest) noexcept
      : event_attributes(rest...) {
    attributes.payload = p.get_value();
    attributes.payloadType = p.get_type();
  }
  template <typename... Rest>
  explicit event_attributes(const message &m, const Rest &...rest) noexcept
      : event_attributes(rest...) {
    attributes.message = m.get_value();
    attributes.messageType = m.get_type();
  }
  const value_type *get() const noexcept { return &attributes; }

private:
  value_type attributes;
};

/// A range of this thread, as long as the object lives.
template <typename D = domain::global> class scoped_range_in {
public:
  explicit scoped_range_in(const event_attributes &attributes) noexcept {
    nvtxDomainRangePushEx(domain::get<D>(), attributes.get());
  }
  template <typename First, typename... Rest>
  explicit scoped_range_in(const First &first, const Rest &...rest) noexcept
      : scoped_range_in(event_attributes(first, rest...)) {}
  scoped_range_in() noexcept : scoped_range_in(event_attributes()) {}
  scoped_range_in(const scoped_range_in &) = delete;
  scoped_range_in &operator=(const scoped_range_in &) = delete;
  ~scoped_range_in() noexcept { nvtxDomainRangePop(domain::get<D>()); }
};
using scoped_range = scoped_range_in<domain::global>;

/// A range that any thread may end.
struct range_handle {
  using value_type = nvtxRangeId_t;
  constexpr explicit range_handle(value_type id) noexcept : id(id) {}
  constexpr range_handle() noexcept : id(0) {}
  constexpr explicit operator bool() const noexcept { return id != 0; }
  constexpr value_type get_value() const noexcept { return id; }

private:
  value_type id;
};
inline bool operator==(range_handle a, range_handle b) noexcept {
  return a.get_value() == b.get_value();
}
inline bool operator!=(range_handle a, range_handle b) noexcept {
  return !(a == b);
}

template <typename D = domain::global>
range_handle start_range_in(const event_attributes &attributes) noexcept {
  return range_handle(
      nvtxDomainRangeStartEx(domain::get<D>(), attributes.get()));
}
template <typename D = domain::global, typename First, typename... Rest>
range_handle start_range_in(const First &first, const Rest &...rest) noexcept {
  return start_range_in<D>(event_attributes(first, rest...));
}
template <typename... Attributes>
range_handle start_range(const Attributes &...attributes) noexcept {
  return start_range_in<domain::global>(attributes...);
}
template <typename D = domain::global>
void end_range_in(range_handle range) noexcept {
  nvtxDomainRangeEnd(domain::get<D>(), range.get_value());
}
inline void end_range(range_handle range) noexcept {
  end_range_in<domain::global>(range);
}

/// Such a range that ends with its last owner.
template <typename D = domain::global> class unique_range_in {
public:
  explicit unique_range_in(const event_attributes &attributes) noexcept
      : range(start_range_in<D>(attributes)), owned(true) {}
  template <typename First, typename... Rest>
  explicit unique_range_in(const First &first, const Rest &...rest) noexcept
      : unique_range_in(event_attributes(first, rest...)) {}
  unique_range_in() noexcept : unique_range_in(event_attributes()) {}
  unique_range_in(unique_range_in &&other) noexcept
      : range(other.range), owned(other.owned) {
    other.owned = false;
  }
  unique_range_in &operator=(unique_range_in &&other) noexcept {
    std::swap(range, other.range);
    std::swap(owned, other.owned);
    return *this;
  }
  ~unique_range_in() noexcept {
    if (owned)
      end_range_in<D>(range);
  }

private:
  range_handle range;
  bool owned;
};
using unique_range = unique_range_in<domain::global>;

template <typename D = domain::global>
void mark_in(const event_attributes &attributes) noexcept {
  nvtxDomainMarkEx(domain::get<D>(), attributes.get());
}
template <typename D = domain::global, typename First, typename... Rest>
void mark_in(const First &first, const Rest &...rest) noexcept {
  mark_in<D>(event_attributes(first, rest...));
}
template <typename... Attributes>
void mark(const Attributes &...attributes) noexcept {
  mark_in<domain::global>(attributes...);
}

} // namespace v1
} // namespace nvtx3

// A range for the function around, with its name.
#define NVTX3_V1_FUNC_RANGE_IN(D)                                              \
  static const ::nvtx3::v1::registered_string_in<D> nvtx3_func_name__{         \
      __func__};                                                               \
  static const ::nvtx3::v1::event_attributes nvtx3_func_attr__{                \
      ::nvtx3::v1::message(nvtx3_func_name__)};                                \
  const ::nvtx3::v1::scoped_range_in<D> nvtx3_range__ { nvtx3_func_attr__ }
#define NVTX3_V1_FUNC_RANGE()                                                  \
  NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_FUNC_RANGE_IN(D) NVTX3_V1_FUNC_RANGE_IN(D)
#define NVTX3_FUNC_RANGE() NVTX3_V1_FUNC_RANGE()

#endif // CUFORT_NVTX3_HPP
