// For tests: points as the axes make them on a CPU, prepared, verified and run.
#pragma once

#include <catch2/catch.hpp>

#include <string>

#include "bench/gemm/case.hpp"
#include "bench/gemm/points.hpp"

namespace ridge::bench::gemm {

inline record::Point float_point(const std::string& dtype, std::int64_t m, std::int64_t n, std::int64_t k,
                                 const std::string& layout, std::int64_t batch, const std::string& engine,
                                 std::int64_t threads = 2) {
  record::Point p;
  p.set("dtype", dtype);
  p.set("m", m);
  p.set("n", n);
  p.set("k", k);
  p.set("layout", layout);
  p.set("batch", batch);
  p.set("engine", engine);
  p.set("threads", threads);
  return p;
}

inline record::Point ladder_point(const std::string& step, const std::string& dtype = "f32") {
  record::Point p;
  p.set("step", step);
  p.set("dtype", dtype);
  for (const char* extent : {"m", "n", "k"}) p.set(extent, std::int64_t{65});
  p.set("threads", std::int64_t{2});
  return p;
}

// Prepared within the buffers that the point declares; empty where a library or product is absent.
template <class Prepare>
record::Verification verified(const record::Point& point, const Prepare& prepare, Fill fill = Fill::random) {
  const auto device = device::cpu::make_device();
  std::int64_t needed = 0;
  for (const std::int64_t bytes : buffers(point)) needed += device::borrow_cost(bytes);
  const auto arena = device->make_arena(needed);
  CpuContext context{*device, *arena, 1, fill};
  try {
    const auto prepared = prepare(context);
    auto result = prepared->verify();
    if (result.status == record::Check::passed) {
      CHECK(prepared->stream().time([&] { prepared->run(2); }).seconds > 0);
      if (question_of(point).problem.beta != 0)  // whatever C has become
        CHECK(prepared->verify().status == record::Check::passed);
      CHECK(prepared->work()->counting.find("; multiplied by ") != std::string::npos);
    }
    return result;
  } catch (const device::Absent& absent) {
    record::Verification result;
    result.reason = absent.what();
    return result;
  }
}

inline record::Verification verified(const record::Point& point, Fill fill = Fill::random) {
  return verified(
      point, [&](CpuContext& context) { return prepare_cpu(context, point); }, fill);
}

inline bool passed_or_absent(const record::Verification& v) {
  return v.status == record::Check::passed || v.status == record::Check::not_applicable;
}

}  // namespace ridge::bench::gemm
