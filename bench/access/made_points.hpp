// For tests: points of the family as the plan makes them.
#pragma once

#include <string>

#include "bench/access/points.hpp"

namespace ridge::bench::access::testing {

inline record::Point point_of(const std::string& op, std::int64_t stride, const std::string& offset,
                              const std::string& width, std::int64_t size, std::int64_t threads = 1) {
  record::Point point;
  point.set("op", op);
  point.set("stride", stride);
  point.set("offset", offset);
  point.set("width", width);
  point.set("size", size);
  point.set("threads", threads);
  return point;
}

inline record::Point random_point(const std::string& op, const std::string& width, std::int64_t size,
                                  std::int64_t threads = 1) {
  record::Point point;
  point.set("op", op);
  point.set("width", width);
  point.set("size", size);
  point.set("threads", threads);
  return point;
}

inline record::Point layout_point(const std::string& op, const std::string& layout, const std::string& fields,
                                  const std::string& used, std::int64_t size, std::int64_t threads = 1) {
  record::Point point;
  point.set("op", op);
  point.set("layout", layout);
  point.set("fields", fields);
  point.set("used", used);
  point.set("size", size);
  point.set("threads", threads);
  return point;
}

// Of access.pages.
inline record::Point phased_point(const std::string& op, std::int64_t stride, const std::string& pages,
                                  std::int64_t size, std::int64_t threads = 1) {
  record::Point point;
  point.set("op", op);
  point.set("stride", stride);
  point.set("pages", pages);
  point.set("size", size);
  point.set("threads", threads);
  return point;
}

inline record::Point transpose_point(const std::string& variant, std::int64_t size, std::int64_t threads = 1) {
  record::Point point;
  point.set("variant", variant);
  point.set("size", size);
  point.set("threads", threads);
  return point;
}

}  // namespace ridge::bench::access::testing
