// Who multiplies in a case: our own kernel on a team, or a library on its own threads.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "bench/gemm/points.hpp"
#include "kernels/device/cpu/device.hpp"
#include "kernels/gemm/gemm.hpp"

namespace ridge::bench::gemm {

class Multiplier {
 public:
  virtual ~Multiplier() = default;
  virtual void multiply(std::int64_t repetitions) = 0;
  virtual device::Stream& stream() = 0;
  virtual void inputs_changed() {}
  [[nodiscard]] virtual std::map<std::string, std::string> implementation() const = 0;
  [[nodiscard]] virtual std::optional<double> packing_seconds() const { return std::nullopt; }

 protected:
  Multiplier() = default;
  Multiplier(const Multiplier&) = default;
  Multiplier& operator=(const Multiplier&) = default;
};

// One of our own, which tests replace by wrong ones. Borrows a workspace for each thread.
template <class T, class In = T>
std::unique_ptr<Multiplier> make_own(ridge::gemm::Kernel<T, In> kernel, const std::string& name,
                                     const ridge::gemm::Problem& problem, const ridge::gemm::Pointers& pointers,
                                     bool workspace, CpuContext& context);

// device::Absent where the library or the product is.
std::unique_ptr<Multiplier> make_multiplier(const Question& question, const ridge::gemm::Pointers& pointers,
                                            CpuContext& context);

}  // namespace ridge::bench::gemm
