// What a point of the family asks for, and the work and memory that follow.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/harness/definition.hpp"
#include "kernels/cublaslt/asked.hpp"
#include "kernels/gemm/gemm_kernels.hpp"
#include "kernels/gemm_library/library.hpp"

namespace ridge::bench::gemm {

// Bytes behind C, poison that no kernel may change.
inline constexpr std::int64_t guard_bytes = 64;

// C of 32-bit sums holds even numbers of at most this size before a product is added to it.
inline constexpr std::int64_t most_whole_before = std::int64_t{1} << 20;

// Who multiplies. The first three are steps of the CPU's ladder, on one thread; bf16_dot is what blocked is for bf16;
// the last two are on a GPU: a step of its ladder, and the library.
enum class Engine { naive, loop_order, cached, blocked, bf16_dot, onednn, openblas, gpu_step, cublaslt };

struct Question {
  ridge::gemm::Problem problem;
  Engine engine = Engine::blocked;
  const ridge::gemm::GpuStep* step = nullptr;  // of gpu_step
  bool tf32 = false;
  bool fast_accumulation = false;
  bool half_sums = false;
  ridge::cublaslt::Scale scale = ridge::cublaslt::Scale::none;

  [[nodiscard]] ridge::cublaslt::Product product() const {
    return {problem, tf32, fast_accumulation, half_sums, scale};
  }
};

// Of any benchmark of the family. `library` is oneDNN, and OpenBLAS for f64, which oneDNN lacks; on a GPU, whose points
// have no threads, it is cuBLASLt.
Question question_of(const record::Point& point);

record::Work work_of(const Question& question);
record::Work work(const record::Point& point);
std::vector<std::int64_t> buffers(const record::Point& point);
std::optional<std::string> unsupported(const record::Point& point);

// "; multiplied by oneDNN 2.6.3, kernel gemm:jit, packing inside, held back by …", behind the counting rule of a case's
// work; and what such a text says holds a library back, empty where nothing does.
std::string multiplied_by(const std::map<std::string, std::string>& implementation);
std::string held_back_by(const std::string& counting);

// A step of the ladder and its idea in one line: on the CPU, and on a GPU, where the axis is `rung`.
struct Step {
  const char* name;
  const char* idea;
};
std::span<const Step> steps();
std::span<const Step> rungs();
std::vector<std::string> names_of(std::span<const Step> steps);
const char* idea_of(std::span<const Step> steps, const std::string& step);

}  // namespace ridge::bench::gemm
