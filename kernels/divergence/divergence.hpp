// Chains of multiply-adds that the lanes of a warp do on different paths.
//
// Each thread takes one value through a chain of 16 · rounds steps x ← factor · x + summand, with factor 1 and the
// summand of its path, 2 · path + 1: whole numbers, exact in f32, and other numbers for one step or path that is wrong.
//
//   branch   an `if` for each path, each with a chain of `rounds`: lanes on one path wait while others do theirs
//   loop     one chain for all, of rounds · (path + 1) / paths, rounded down: lanes that are done wait for the longest
//
// A thread's path is its lane modulo the paths (Split::lane: a warp is split), or its warp modulo the paths
// (Split::warp: the same work, and no warp is split). On paper a warp of 32 lanes uses, of what its multiply-adds could
// do,
//
//   branch by lane   1 / paths               loop by lane   Σ of the lanes' rounds / (32 · rounds)
//   by warp          1
#pragma once

#include <cstdint>

namespace ridge::divergence {

enum class Kind { branch, loop };
enum class Split { lane, warp };

inline constexpr int lanes = 32;
inline constexpr int most_paths = 32;
inline constexpr int steps_of_round = 16;
inline constexpr unsigned threads = 256;  // of a block

// What a point of the family asks for.
struct Task {
  Kind kind = Kind::branch;
  Split split = Split::lane;
  int paths = 1;  // 1 … most_paths
  int rounds = 1;
};

constexpr int path_of(const Task& task, std::int64_t thread) {
  const std::int64_t which = task.split == Split::lane ? thread % lanes : thread / lanes;
  return static_cast<int>(which % task.paths);
}

constexpr int rounds_of(const Task& task, int path) {
  return task.kind == Kind::branch ? task.rounds : task.rounds * (path + 1) / task.paths;
}

// What the value of a thread becomes. Exact while it stays below 2^24.
constexpr float expected(const Task& task, std::int64_t thread, float value) {
  const int path = path_of(task, thread);
  return value + static_cast<float>((2 * path + 1) * rounds_of(task, path) * steps_of_round);
}

// Multiply-adds of that many threads, from the first on.
constexpr std::int64_t multiply_adds(const Task& task, std::int64_t count) {
  std::int64_t all = 0;
  for (std::int64_t thread = 0; thread < count; ++thread) all += rounds_of(task, path_of(task, thread));
  return all * steps_of_round;
}

// The share of its 32 lanes that a warp's multiply-add uses, over whole warps: on paper, for every warp alike.
constexpr double warp_efficiency(const Task& task) {
  if (task.split == Split::warp) return 1;
  if (task.kind == Kind::branch) return 1.0 / task.paths;
  return static_cast<double>(multiply_adds(task, lanes)) / (lanes * task.rounds * steps_of_round);
}

}  // namespace ridge::divergence
