// What a point of the family asks for, and the work and memory that follow.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/harness/definition.hpp"
#include "kernels/gemm_library/library.hpp"

namespace ridge::bench::gemm {

// Bytes behind C, poison that no kernel may change.
inline constexpr std::int64_t guard_bytes = 64;

// Who multiplies. The first three are steps of the ladder, on one thread.
enum class Engine { naive, loop_order, cached, blocked, onednn, openblas };

struct Question {
  ridge::gemm::Problem problem;
  Engine engine = Engine::blocked;
};

// Of gemm.float and gemm.int8, and of gemm.ladder. `library` is oneDNN, and OpenBLAS for f64, which oneDNN lacks.
Question question_of(const record::Point& point);

record::Work work(const record::Point& point);
std::vector<std::int64_t> buffers(const record::Point& point);
std::optional<std::string> unsupported(const record::Point& point);

// "; multiplied by oneDNN 2.6.3, kernel gemm:jit, packing inside, held back by …", behind the counting rule of a case's
// work; and what such a text says holds a library back, empty where nothing does.
std::string multiplied_by(const std::map<std::string, std::string>& implementation);
std::string held_back_by(const std::string& counting);

// The idea of a step of the ladder, in one line.
const char* idea_of(const std::string& step);
const std::vector<std::string>& steps();

}  // namespace ridge::bench::gemm
