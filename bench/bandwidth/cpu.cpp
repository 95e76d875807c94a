// Prepares a point of the bandwidth family on the CPU.
#include "bench/bandwidth/case.hpp"

namespace ridge::bench::bandwidth {
namespace {

template <class T>
std::unique_ptr<Case> prepare(stream::Op op, CpuContext& context, const record::Point& point) {
  auto stores = stream::Stores::ordinary;
  if (const auto* chosen = point.find("stores"))
    stores = stream::stores_from(std::get<std::string>(*chosen)).value_or(stores);
  auto& team = context.device.team(static_cast<int>(point.integer("threads")));
  return std::make_unique<StreamCase<T>>(op, stream::cpu_kernel<T>(op, stores), team, context, element_count(point));
}

}  // namespace

std::unique_ptr<Case> prepare_cpu(stream::Op op, CpuContext& context, const record::Point& point) {
  return element_bytes(point) == 4 ? prepare<float>(op, context, point) : prepare<double>(op, context, point);
}

}  // namespace ridge::bench::bandwidth
