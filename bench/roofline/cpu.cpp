// From a point to a case on the CPU.
#include "bench/roofline/cases.hpp"
#include "bench/roofline/dot_case.hpp"

namespace ridge::bench::roofline {
namespace {

using ridge::roofline::Stores;

template <class T>
std::unique_ptr<Case> prepare(Kind kind, CpuContext& context, const record::Point& point) {
  const auto* chosen = point.find("stores");
  const Stores stores =
      chosen && *chosen == record::Value(std::string("nontemporal")) ? Stores::nontemporal : Stores::ordinary;
  const auto threads = static_cast<int>(point.integer("threads"));
  const std::int64_t n = extent(kind, point);
  switch (kind) {
    case Kind::peak:
      return make_chain<T>(ridge::roofline::chain_kernel<T>(Stores::ordinary), peak_operations, n, threads, context);
    case Kind::ladder:
      return make_chain<T>(ridge::roofline::chain_kernel<T>(stores), *ladder_operations(point), n, threads, context);
    case Kind::stencil:
      return make_stencil<T>(ridge::roofline::stencil_kernel<T>(), n, threads, context);
    case Kind::spmv:
      return make_spmv<T>(ridge::roofline::spmv_kernel<T>(), n, threads, context);
    case Kind::gemv:
      return make_gemv<T>(ridge::roofline::gemv_kernel<T>(), n, threads, context);
    case Kind::dot_peak:
    case Kind::dot_ops:
    case Kind::gemm:
      break;
  }
  return make_gemm<T>(gemm::blocked_kernel<T>(), n, threads, context);
}

}  // namespace

std::unique_ptr<Case> prepare_cpu(Kind kind, CpuContext& context, const record::Point& point) {
  if (kind == Kind::dot_peak || kind == Kind::dot_ops) return prepare_dot_cpu(context, point);
  return element_bytes(point) == 4 ? prepare<float>(kind, context, point) : prepare<double>(kind, context, point);
}

}  // namespace ridge::bench::roofline
