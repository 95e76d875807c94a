// From axes to a problem.
#include "bench/gemm/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "kernels/gemm/gemm.hpp"

namespace ridge::bench::gemm {
namespace {

using ridge::cublaslt::Scale;
using ridge::gemm::bytes_of;
using ridge::gemm::Problem;
using ridge::gemm::size_of;
using ridge::gemm::Type;

constexpr const char* held_back = ", held back by ";

constexpr Step ladder[] = {
    {"naive", "three loops as the formula reads: each step down a column of B touches another cache line"},
    {"loop_order", "the two inner loops exchanged: every access runs along a row, and the compiler vectorises it"},
    {"cached", "a block of B stays in the second-level cache while all rows of A pass, four of its rows added at once"},
    {"packed", "both operands packed in the order of use, and a tile of C held in registers by wide multiply-adds"},
    {"threads", "the same on every core, each with columns of its own"},
    {"library", "what a tuned library makes of all that"},
    {"bf16_dot", "bf16, neighbours along k packed together: one instruction adds two products to each sum in f32"},
    {"library_bf16", "what a tuned library makes of bf16"}};

constexpr Step gpu_ladder[] = {
    {"naive", "a thread for each element, neighbours a row apart: each load of a warp touches 32 lines"},
    {"coalesced", "neighbouring threads have neighbouring columns: a warp's loads of B are one line"},
    {"tiled", "tiles of 32 × 32 in shared memory: each element that is read serves 32 threads"},
    {"registers", "8 × 8 elements of C a thread, 128 × 128 a block: 16 reads of shared memory make 64 products"},
    {"pipelined", "16 bytes at a time, past the registers, into one stage while the other is multiplied (cp.async)"},
    {"warps", "a warp's elements are one piece of 32 × 64: it needs 96 numbers for each of k, not 144"},
    {"library", "what cuBLASLt makes of f32"},
    {"mma", "bf16 through the matrix units (mma.m16n8k16, ldmatrix), sums in f32"},
    {"library_bf16", "what cuBLASLt makes of bf16"}};

std::string text_of(const record::Point& point, const char* axis, const char* otherwise) {
  return point.find(axis) != nullptr ? point.text(axis) : otherwise;
}

Engine engine_of(const std::string& name, Type type) {
  if (name == "openblas" || (name == "library" && type == Type::f64)) return Engine::openblas;
  if (name == "onednn" || name == "library" || name == "library_bf16") return Engine::onednn;
  if (name == "naive") return Engine::naive;
  if (name == "loop_order") return Engine::loop_order;
  if (name == "cached") return Engine::cached;
  return type == Type::bf16 ? Engine::bf16_dot : Engine::blocked;
}

bool of_bf16(const std::string& step) {
  return step == "bf16_dot" || step == "mma" || step == "library_bf16";
}

bool on_gpu(const record::Point& point) {
  return point.find("threads") == nullptr;
}

// tf32 is f32 in memory. e5m2, the type of gradients, is multiplied with e4m3, the type of weights: cuBLASLt has no
// product of two e5m2.
void set_types(Problem& problem, const std::string& dtype, const std::string& output, bool gpu) {
  constexpr Type narrow[] = {Type::f64, Type::f16, Type::bf16, Type::e4m3, Type::e5m2, Type::e2m1};
  Type type = Type::f32;
  for (const Type each : narrow)
    if (dtype == ridge::gemm::name_of(each)) type = each;
  problem.a = type;
  problem.b = type == Type::e5m2 ? Type::e4m3 : type;
  problem.c = type == Type::f64 ? Type::f64 : Type::f32;
  if (output == "half" && ridge::gemm::bytes_of(type) < 4) problem.c = type == Type::f16 ? Type::f16 : Type::bf16;
  if (dtype == "int8") problem.a = gpu ? Type::s8 : Type::u8, problem.b = Type::s8, problem.c = Type::s32;
}

Scale scale_of(const std::string& name) {
  if (name == "tensor") return Scale::tensor;
  if (name == "outer") return Scale::outer;
  return name == "block" ? Scale::block : Scale::none;
}

bool own(Engine engine) {
  return engine != Engine::onednn && engine != Engine::openblas && engine != Engine::cublaslt;
}

std::int64_t a_bytes(const Problem& p) {
  return size_of(p.a, p.batch * p.m * p.k);
}
std::int64_t b_bytes(const Problem& p) {
  return size_of(p.b, p.batch * p.k * p.n);
}
std::int64_t c_bytes(const Problem& p) {
  return size_of(p.c, p.batch * p.m * p.n);
}

}  // namespace

std::span<const Step> steps() {
  return ladder;
}
std::span<const Step> rungs() {
  return gpu_ladder;
}

std::vector<std::string> names_of(std::span<const Step> steps) {
  std::vector<std::string> all;
  for (const Step& step : steps) all.emplace_back(step.name);
  return all;
}

std::string multiplied_by(const std::map<std::string, std::string>& implementation) {
  std::string text;
  const auto add = [&](const char* name, const char* before) {
    if (const auto found = implementation.find(name); found != implementation.end()) text += before + found->second;
  };
  add("library", "; multiplied by ");
  add("kernel", ", kernel ");
  add("factors", ", ");
  add("packing", ", packing ");
  add("environment", held_back);
  return text;
}

std::string held_back_by(const std::string& counting) {
  const std::size_t at = counting.find(held_back);
  return at == std::string::npos ? "" : counting.substr(at + std::string_view(held_back).size());
}

const char* idea_of(std::span<const Step> steps, const std::string& step) {
  for (const auto& [name, idea] : steps)
    if (step == name) return idea;
  return "";
}

Question question_of(const record::Point& point) {
  Question question;
  Problem& p = question.problem;
  const std::string dtype = text_of(point, "dtype", "int8");
  set_types(p, dtype, text_of(point, "output", "sum"), on_gpu(point));
  p.m = point.integer("m");
  p.n = point.integer("n");
  p.k = point.integer("k");
  p.batch = point.find("batch") != nullptr ? point.integer("batch") : 1;
  p.beta = std::stod(text_of(point, "beta", "0"));
  const std::string layout = text_of(point, "layout", "nn");
  p.a_transposed = layout[0] == 't';
  p.b_transposed = layout[1] == 't';
  if (on_gpu(point)) {
    const std::string rung = text_of(point, "rung", "");
    question.step = ridge::gemm::gpu_step(rung);
    question.engine = question.step != nullptr ? Engine::gpu_step : Engine::cublaslt;
    if (!rung.empty()) set_types(p, of_bf16(rung) ? "bf16" : "f32", "sum", true);
    question.tf32 = dtype == "tf32";
    question.fast_accumulation = text_of(point, "accumulation", "full") == "fast";
    question.half_sums = text_of(point, "accumulation", "full") == "half";
    question.scale = p.a == Type::e2m1 ? Scale::block : scale_of(text_of(point, "scale", "none"));
    return question;
  }
  const std::string step = text_of(point, "step", "");
  if (of_bf16(step)) set_types(p, "bf16", "sum", false);
  question.engine = engine_of(step.empty() ? point.text("engine") : step, p.a);
  p.threads = static_cast<int>(point.integer("threads"));
  constexpr std::string_view alone[] = {"naive", "loop_order", "cached", "packed"};
  if (std::find(std::begin(alone), std::end(alone), step) != std::end(alone)) p.threads = 1;
  return question;
}

record::Work work_of(const Question& question) {
  const Problem& p = question.problem;
  record::Work work;
  const bool adds = p.beta != 0;
  work.bytes_read = a_bytes(p) + b_bytes(p) + (adds ? c_bytes(p) : 0);
  work.bytes_written = c_bytes(p);
  work.operations = 2 * p.batch * p.m * p.n * p.k;
  work.counting = fmt::format(
      "2·m·n·k operations for each product of the batch{}; {} read once, C written once (the least that can move)",
      adds ? ", none for beta·C" : "", adds ? "A, B and C" : "A and B");
  return work;
}

record::Work work(const record::Point& point) {
  return work_of(question_of(point));
}

std::vector<std::int64_t> buffers(const record::Point& point) {
  const Question question = question_of(point);
  const Problem& p = question.problem;
  std::vector<std::int64_t> all{c_bytes(p) + guard_bytes, a_bytes(p), b_bytes(p)};
  if (question.engine == Engine::cublaslt) {
    all.push_back(ridge::cublaslt::workspace_bytes);
    if (const std::int64_t scales = ridge::cublaslt::scale_bytes(question.product()); scales > 0) all.push_back(scales);
  }
  if (question.engine == Engine::blocked || question.engine == Engine::bf16_dot) {
    const std::int64_t workspace = p.a == Type::f64 ? ridge::gemm::workspace_elements<double>() * bytes_of(Type::f64)
                                                    : ridge::gemm::workspace_elements<float>() * bytes_of(Type::f32);
    all.insert(all.end(), static_cast<std::size_t>(p.threads), workspace);
  }
  return all;
}

std::optional<std::string> unsupported(const record::Point& point) {
  const Question question = question_of(point);
  const Problem& p = question.problem;
  std::int64_t operations = 2;
  for (const std::int64_t extent : {p.m, p.n, p.k, p.batch})
    if (__builtin_mul_overflow(operations, extent, &operations)) return "more than 2^63 operations";
  if (p.c == Type::s32) {
    const std::int64_t exact_in_32_bits = (INT32_MAX - (p.beta == 0 ? 0 : most_whole_before)) / (255 * 64);
    if (p.k > exact_in_32_bits)
      return fmt::format("sums of more than {} products of 8 bits may exceed 32 bits", exact_in_32_bits);
    if (on_gpu(point) && p.beta == 0.5) return "cuBLASLt's factors of sums in 32 bits are whole numbers: --beta 1";
  }
  if (text_of(point, "output", "sum") == "half" && (p.c == Type::f64 || p.c == Type::f32))
    return fmt::format("C of products of {} has no 16 bits", point.text("dtype"));
  if (text_of(point, "accumulation", "full") == "half") {
    if (!on_gpu(point)) return "no library that is known here keeps sums in 16 bits on a CPU";
    if (p.a != Type::f16 || p.c != Type::f16) return "sums in 16 bits are f16's, of a C of f16: --output half";
  }
  if (p.beta == 1 && p.c == Type::f16)
    return "each repetition adds a product to C, which exceeds what f16 holds: --beta 0.5 stays within it";
  if (on_gpu(point)) {
    if (text_of(point, "engine", "library") != "library") return "on a GPU the engine is the library: cuBLASLt";
    return std::nullopt;
  }
  if (own(question.engine) && p.beta != 0) return "our own kernels compute A·B alone: beta·C is added by libraries";
  if (own(question.engine) && p.a != Type::f64 && p.a != Type::f32 && p.a != Type::bf16)
    return "our own kernels multiply f64, f32 and bf16 only";
  if (question.engine == Engine::bf16_dot && p.c != Type::f32) return "our own kernel of bf16 stores sums in f32";
  if (of_bf16(text_of(point, "step", "")) && point.text("dtype") != "f32")
    return "steps of bf16 stand beside those of f32";
  if (question.engine == Engine::onednn && p.a == Type::f64) return "oneDNN has no f64 product on a CPU";
  if (question.engine == Engine::openblas && p.a != Type::f64 && p.a != Type::f32)
    return "OpenBLAS multiplies f64 and f32 only";
  return std::nullopt;
}

}  // namespace ridge::bench::gemm
