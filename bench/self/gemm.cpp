// What Ridge's measuring of a library's product costs: its rate against the same call made directly, by the library's
// own interface, on the same matrices with the same numbers.
//
// Run it on a quiet machine: self_gemm [ROUNDS]. Intervals of both alternate; a line a product gives the medians of
// both and the median of the rounds' ratios, which should stay above 0.98.
#include <dnnl.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <vector>

#include "bench/gemm/case.hpp"
#include "bench/gemm/multiplier.hpp"
#include "bench/harness/statistics.hpp"
#include "kernels/device/cpu/device.hpp"
#include "kernels/device/cpu/system.hpp"

extern "C" void cblas_dgemm(int order, int of_a, int of_b, int m, int n, int k, double alpha, const double* a, int lda,
                            const double* b, int ldb, double beta, double* c, int ldc);

using namespace ridge;

namespace {

using Call = std::function<void()>;

void require(dnnl_status_t status) {
  if (status != dnnl_success) throw std::runtime_error(fmt::format("oneDNN answered {}", static_cast<int>(status)));
}

// C = A·B of n·n matrices; handles live as long as the process.
Call direct_onednn(std::int64_t n, dnnl_data_type_t of_a, dnnl_data_type_t of_b, dnnl_data_type_t of_c,
                   const gemm::Pointers& at) {
  dnnl_engine_t engine = nullptr;
  dnnl_stream_t stream = nullptr;
  require(dnnl_engine_create(&engine, dnnl_cpu, 0));
  require(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags));
  const dnnl_dims_t extents{n, n}, strides{n, 1};
  const auto described = [&](dnnl_data_type_t type) {
    dnnl_memory_desc_t description;
    require(dnnl_memory_desc_init_by_strides(&description, 2, extents, type, strides));
    return description;
  };
  const dnnl_memory_desc_t a = described(of_a), b = described(of_b), c = described(of_c);
  dnnl_matmul_desc_t matmul;
  require(dnnl_matmul_desc_init(&matmul, &a, &b, nullptr, &c));
  dnnl_primitive_desc_t description = nullptr;
  require(dnnl_primitive_desc_create(&description, &matmul, nullptr, engine, nullptr));
  dnnl_primitive_t product = nullptr;
  require(dnnl_primitive_create(&product, description));
  const auto memory = [&](const dnnl_memory_desc_t& of, void* data) {
    dnnl_memory_t made = nullptr;
    require(dnnl_memory_create(&made, &of, engine, data));
    return made;
  };
  const std::vector<dnnl_exec_arg_t> arguments{
      {DNNL_ARG_SRC, memory(a, at.a)}, {DNNL_ARG_WEIGHTS, memory(b, at.b)}, {DNNL_ARG_DST, memory(c, at.c)}};
  return [=] {
    require(dnnl_primitive_execute(product, stream, static_cast<int>(arguments.size()), arguments.data()));
    require(dnnl_stream_wait(stream));
  };
}

Call direct_openblas(std::int64_t extent, const gemm::Pointers& at) {
  constexpr int row_major = 101, as_it_is = 111;
  const int n = static_cast<int>(extent);
  return [=] {
    cblas_dgemm(row_major, as_it_is, as_it_is, n, n, n, 1, static_cast<const double*>(at.a), n,
                static_cast<const double*>(at.b), n, 0, static_cast<double*>(at.c), n);
  };
}

Call direct(const std::string& dtype, std::int64_t n, const gemm::Pointers& at) {
  if (dtype == "f64") return direct_openblas(n, at);
  if (dtype == "int8") return direct_onednn(n, dnnl_u8, dnnl_s8, dnnl_s32, at);
  return dtype == "bf16" ? direct_onednn(n, dnnl_bf16, dnnl_bf16, dnnl_f32, at)
                         : direct_onednn(n, dnnl_f32, dnnl_f32, dnnl_f32, at);
}

void measure(device::cpu::Device& device, const std::string& dtype, std::int64_t n, std::size_t rounds) {
  record::Point point;
  for (const char* const extent : {"m", "n", "k"}) point.set(extent, n);
  if (dtype != "int8") point.set("dtype", dtype);
  point.set("engine", std::string("library"));
  point.set("threads", std::int64_t{device.usable_threads()});
  std::int64_t bytes = 0;
  for (const std::int64_t each : bench::gemm::buffers(point)) bytes += device::borrow_cost(each);
  const auto arena = device.make_arena(bytes);
  bench::CpuContext context{device, *arena, 1, bench::Fill::random};
  gemm::Pointers at;
  const auto ours = bench::gemm::make_case(point, context, [&](const auto& question, const auto& pointers, auto& with) {
    at = pointers;
    return bench::gemm::make_multiplier(question, pointers, with);
  });
  const record::Verification verified = ours->verify();  // leaves the numbers that are timed
  if (verified.status != record::Check::passed) throw std::runtime_error(verified.reason);
  const Call theirs = direct(dtype, n, at);

  const double operations = 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  const auto repetitions = std::max<std::int64_t>(1, static_cast<std::int64_t>(5e9 / operations));
  std::vector<double> by_ridge, directly, ratios;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const bool first : {true, false}) {  // each goes first in every second round
      if (first == (round % 2 == 0)) {
        by_ridge.push_back(ours->stream().time([&] { ours->run(repetitions); }).seconds);
      } else {
        theirs();  // awake and warm, as Ridge's is
        const auto begin = std::chrono::steady_clock::now();
        for (std::int64_t i = 0; i < repetitions; ++i) theirs();
        directly.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      }
    }
    ratios.push_back(directly.back() / by_ridge.back());
  }
  const auto rate = [&](const std::vector<double>& times) {
    return static_cast<double>(repetitions) * operations / *bench::median(times) / 1e9;
  };
  fmt::print("{:<5} {:>5}: ridge {:7.1f}, directly {:7.1f} GOP/s, ratio {:.3f} (quartiles {:.3f} and {:.3f})\n", dtype,
             n, rate(by_ridge), rate(directly), *bench::median(ratios), *bench::quantile(ratios, 0.25),
             *bench::quantile(ratios, 0.75));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t rounds = argc > 1 ? static_cast<std::size_t>(std::max(5, std::atoi(argv[1]))) : 15;
  const auto device = device::cpu::make_device();
  for (const char* const dtype : {"f32", "bf16", "int8", "f64"})
    for (const std::int64_t n : {512, 1024, 3072}) {
      try {
        measure(*device, dtype, n, rounds);
      } catch (const std::exception& error) {
        fmt::print("{:<5} {:>5}: {}\n", dtype, n, error.what());
      }
    }
}
