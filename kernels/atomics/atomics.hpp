// Threads that count by atomic additions of one, on counters of their own or on shared ones, and two threads that hand
// a word to each other.
//
//   add        each thread adds 1 to its counter `times` times, and adds up what it found there
//   cas        the same by compare-and-exchange, tried again where another thread was faster
//   hand over  two threads wait in turn for the other's value of one word, and answer with the next
//
// A counter of m additions ends at m, and what was found there, each of 0 … m-1 once, adds up to m · (m - 1) / 2: an
// addition that was lost or done twice shows in the one, one that was not atomic in the other too.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge::atomics {

// Who shares a counter, and where counters lie.
enum class Counters {
  one,         // one for all threads
  warp,        // one for each warp, in a 128-byte line of its own; in shared memory side by side
  neighbours,  // one for each thread, side by side
  spread,      // one for each thread: on a CPU in a pair of 64-byte lines of its own (they are fetched in pairs), on a
               // GPU in a 32-byte sector
};

constexpr std::optional<Counters> counters_from(std::string_view name) {
  if (name == "one") return Counters::one;
  if (name == "warp") return Counters::warp;
  if (name == "neighbours") return Counters::neighbours;
  if (name == "spread") return Counters::spread;
  return std::nullopt;
}

// Thread t's counter is word t / sharing · apart.
struct Layout {
  std::int64_t sharing = 1;  // threads to a counter
  std::int64_t apart = 1;    // words from a counter to the next
};

// Words of 8 bytes. There are no warps on a CPU.
constexpr Layout cpu_layout(Counters counters, std::int64_t threads) {
  if (counters == Counters::one) return {threads, 1};
  return {1, counters == Counters::spread ? 16 : 1};
}

// Words of 4 bytes.
constexpr Layout gpu_layout(Counters counters, std::int64_t threads) {
  if (counters == Counters::one) return {threads, 1};
  if (counters == Counters::warp) return {32, 32};
  return {1, counters == Counters::spread ? 8 : 1};
}

// Lanes of a warp that an atomic instruction finds at one address: they take turns.
constexpr int turns(Counters counters) {
  return counters == Counters::one || counters == Counters::warp ? 32 : 1;
}

// What all who add to a counter find there, added up, modulo 2^64.
constexpr std::uint64_t found_by(std::uint64_t additions) {
  return additions % 2 == 0 ? additions / 2 * (additions - 1) : (additions - 1) / 2 * additions;
}

// On one thread of a CPU; words are 8 bytes, naturally aligned. Both return the sum of what was found.
std::uint64_t cpu_add(std::uint64_t* counter, std::int64_t times);
std::uint64_t cpu_cas(std::uint64_t* counter, std::int64_t times);

// `round_trips` of the word between rank 0 and rank 1, which both must call it. It begins at an even value, and ends
// 2 · round_trips higher.
void cpu_hand_over(std::uint64_t* word, int rank, std::int64_t round_trips);

}  // namespace ridge::atomics
