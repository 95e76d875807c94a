// The table of facts of a product with what follows it, its points and its work.
#include "bench/fusion/epilogue.hpp"

#include <fmt/format.h>

#include "bench/fusion/analysis.hpp"
#include "bench/fusion/data.hpp"
#include "kernels/cublaslt/asked.hpp"

namespace ridge::bench::fusion {
namespace {

using ridge::gemm::Activation;

constexpr std::int64_t bytes = 4;

Explanation explanation() {
  Explanation text;
  text.measures =
      "What it brings to let a library's product do what follows it, C = activation(A·B + bias) + residual, while the "
      "entries still are in registers. Unfused: the product, then each step a pass over C, in place, by kernels of "
      "ours. "
      "Library (CPU): the same passes by oneDNN's binary and eltwise primitives, on its threads. Fused: oneDNN's "
      "post-ops, cuBLASLt's epilogue, which takes the residual of bias_residual in C's place. gelu is the tanh form in "
      "all of them.";
  text.formula =
      "Side `product` is A·B alone. predicted_time(fused) = its time + the longer of the residual's bytes / bandwidth "
      "and of m·n · what an entry's epilogue takes; predicted_time(unfused) = its time + the longer of the passes' "
      "bytes / bandwidth and of m·n · what an entry's passes take. What an entry takes is the difference of that side "
      "and of `product`, at a smaller m whose matrices a cache holds; bandwidth is that of fusion.chain with one "
      "operation out of cache; all in the same run. speedup = time of the faster of unfused and library / time fused.";
  text.counting =
      "f32. A, B and residual read once, C written once; a pass reads and writes C once more. 2·m·n·k operations, and "
      "for each entry 1 for a bias, 1 for relu, 7 for gelu, 1 for a residual. On a GPU what the library does behind "
      "its products is not counted as operations, passes are as their kernels are counted; predicted_speedup on the "
      "reference machine is the ratio of the bytes counted";
  text.spoil =
      "A large k: the product then takes so long that what follows it does not matter. A C that a cache holds.";
  text.normal =
      "1 + what the passes take / what the product takes, so little beyond k of some hundreds. Where the library's "
      "epilogue is slower than its passes it is below 1, and is printed as such. On a GPU the path is tried on the "
      "reference machine, with a stand-in for the library; never run on a GPU by us.";
  return text;
}

}  // namespace

ridge::gemm::Problem EpilogueShape::problem(int threads) const {
  ridge::gemm::Problem problem;
  problem.m = m, problem.n = n, problem.k = k;
  problem.threads = threads;
  return problem;
}

EpilogueShape epilogue_shape(const record::Point& point) {
  EpilogueShape shape;
  shape.m = point.integer("m"), shape.n = point.integer("n"), shape.k = point.integer("k");
  const std::string& steps = point.text("epilogue");
  shape.bias = true;
  if (steps.find("relu") != std::string::npos) shape.activation = Activation::relu;
  if (steps.find("gelu") != std::string::npos) shape.activation = Activation::gelu;
  shape.residual = steps.find("residual") != std::string::npos;
  const std::string& side = point.text("side");
  shape.side = side == "product"   ? EpilogueSide::product
               : side == "unfused" ? EpilogueSide::unfused
               : side == "library" ? EpilogueSide::library
                                   : EpilogueSide::fused;
  return shape;
}

record::Work epilogue_work(const EpilogueShape& shape) {
  const bool behind = shape.side == EpilogueSide::unfused || shape.side == EpilogueSide::library;
  const std::int64_t entries = shape.m * shape.n;
  const bool activation = shape.applied() != Activation::none;
  const std::int64_t passes =
      behind ? std::int64_t{shape.has_bias()} + std::int64_t{activation} + std::int64_t{shape.has_residual()} : 0;
  record::Work work;
  work.items = entries;
  work.bytes_read =
      bytes * (shape.m * shape.k + shape.k * shape.n + entries * (passes + (shape.has_residual() ? 1 : 0)));
  work.bytes_written = bytes * entries * (1 + passes);
  const std::int64_t of_activation = shape.applied() == Activation::gelu ? 7 : activation ? 1 : 0;
  work.operations = 2 * entries * shape.k +
                    entries * (std::int64_t{shape.has_bias()} + of_activation + std::int64_t{shape.has_residual()});
  work.counting =
      "items are entries of C; A, B and residual read once, C written once, and both once more in each pass";
  return work;
}

std::vector<std::int64_t> epilogue_buffers(const record::Point& point) {
  const EpilogueShape shape = epilogue_shape(point);
  std::vector<std::int64_t> all{bytes * shape.m * shape.n + guard_bytes, bytes * shape.m * shape.k,
                                bytes * shape.k * shape.n, bytes * shape.n};
  if (shape.residual) all.push_back(bytes * shape.m * shape.n);
  if (!threads_of(point)) all.push_back(ridge::cublaslt::workspace_bytes);  // on a GPU
  return all;
}

Definition epilogue_definition() {
  Definition d;
  d.name = epilogue_name;
  d.summary = "C = activation(A·B + bias) + residual: a product with passes behind it, and all in its epilogue";
  const auto extent = [](const char* name, const char* help, const char* fallback) {
    Axis axis{name, "", help, AxisKind::count, fallback, {}};
    axis.most = 1 << 17;  // whole numbers of 81 at most add up exactly to here
    return axis;
  };
  d.axes = {{"epilogue",
             "",
             "what follows the product",
             AxisKind::choice,
             "bias_gelu",
             {"bias", "bias_relu", "bias_gelu", "bias_residual", "bias_gelu_residual"}},
            {"side",
             "",
             "the product alone, with passes of ours behind it, with the library's, with all in its epilogue",
             AxisKind::choice,
             "all",
             {"product", "unfused", "library", "fused"}},
            extent("m", "rows of A and C", "1024,32768"),
            extent("n", "columns of B and C", "1024"),
            extent("k", "columns of A, rows of B", "256"),
            {"threads", "", "threads of the library", AxisKind::count, "all", {}, device::Kind::cpu}};
  d.metrics = {{"time", record::Unit::seconds, record::Better::lower, Rate::time},
               {"flops", record::Unit::flop_per_second, record::Better::higher, Rate::operations}};
  d.explanation = explanation();
  d.analysis = analysis();
  d.work = [](const record::Point& point) { return epilogue_work(epilogue_shape(point)); };
  d.buffers = epilogue_buffers;
  d.unsupported = [](const record::Point&) { return std::nullopt; };
  d.prepare_cpu = prepare_cpu_epilogue;
#if RIDGE_WITH_CUDA
  d.counted_example = {{"m", "128"}, {"n", "256"}, {"k", "64"}, {"side", "unfused,fused"}};
  d.prepare_cuda = prepare_cuda_epilogue;
#endif
  return d;
}

}  // namespace ridge::bench::fusion
