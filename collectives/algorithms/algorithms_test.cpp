// Every all-reduce algorithm, for every awkward number of ranks and elements: exact sums on all ranks, inputs left
// alone, nothing beyond the end; and the costs on paper.
#include "collectives/algorithms/algorithms.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

#include "collectives/communicator/threads.hpp"

using namespace ridge;
using namespace ridge::collectives;

namespace {

template <class T>
T value(int rank, std::int64_t i) {
  return static_cast<T>((i * 31 + rank * 17) % 97 + rank);
}

template <class T>
T expected(reduce::Op op, int ranks, std::int64_t i) {
  T all = value<T>(0, i);
  for (int r = 1; r < ranks; ++r) {
    const T next = value<T>(r, i);
    all = op == reduce::Op::sum   ? static_cast<T>(all + next)
          : op == reduce::Op::max ? std::max(all, next)
                                  : std::min(all, next);
  }
  return all;
}

template <class T>
void check(const Algorithm& algorithm, reduce::Rule rule, int ranks, std::int64_t count, bool in_place, int calls = 2) {
  CAPTURE(algorithm.name, static_cast<int>(rule.op), static_cast<int>(rule.type), ranks, count, in_place);
  constexpr std::size_t guard = 16;
  const auto room = static_cast<std::size_t>(count) + guard;
  std::vector<std::vector<T>> in(static_cast<std::size_t>(ranks), std::vector<T>(room, T{7}));
  std::vector<std::vector<T>> out(static_cast<std::size_t>(ranks), std::vector<T>(room, T{-7}));
  std::vector<std::vector<T>> scratch(static_cast<std::size_t>(ranks), std::vector<T>(room));
  std::vector<std::int64_t> wrong(static_cast<std::size_t>(ranks));
  ThreadWorld world(ranks, 0);
  std::vector<std::thread> threads;
  for (int r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      auto& source = in[static_cast<std::size_t>(r)];
      auto& target = in_place ? source : out[static_cast<std::size_t>(r)];
      for (int call = 0; call < calls; ++call) {
        for (std::int64_t i = 0; i < count; ++i) source[static_cast<std::size_t>(i)] = value<T>(r, i + call);
        const Arrays mine{reinterpret_cast<const std::byte*>(source.data()),
                          reinterpret_cast<std::byte*>(target.data()), count, rule};
        algorithm.run(world.rank(r), mine, reinterpret_cast<std::byte*>(scratch[static_cast<std::size_t>(r)].data()));
        auto& bad = wrong[static_cast<std::size_t>(r)];
        for (std::int64_t i = 0; i < count; ++i) {
          bad += target[static_cast<std::size_t>(i)] == expected<T>(rule.op, ranks, i + call) ? 0 : 1;
          if (!in_place) bad += source[static_cast<std::size_t>(i)] == value<T>(r, i + call) ? 0 : 1;
        }
        for (std::size_t i = static_cast<std::size_t>(count); i < room; ++i)
          bad += target[i] == (in_place ? T{7} : T{-7}) ? 0 : 1;
        world.rank(r).barrier();  // before anyone changes what others may still compare
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::int64_t bad : wrong) CHECK(bad == 0);
}

}  // namespace

TEST_CASE("every algorithm gives every rank the exact sum, whatever the ranks and elements") {
  for (const Algorithm* algorithm : all_reduce_algorithms())
    for (const int ranks : {1, 2, 3, 5, 7, 16})
      for (const std::int64_t count : {0, 1, 2, 3, 300, 4099})
        for (const bool in_place : {false, true})
          check<float>(*algorithm, {reduce::Op::sum, reduce::Type::f32}, ranks, count, in_place);
}

TEST_CASE("a million and three elements, whatever the ranks") {
  for (const Algorithm* algorithm : all_reduce_algorithms())
    for (const int ranks : {1, 2, 3, 5, 7, 16})
      check<float>(*algorithm, {reduce::Op::sum, reduce::Type::f32, true}, ranks, 1000003, ranks == 3, 1);
}

TEST_CASE("every operation and type") {
  for (const Algorithm* algorithm : all_reduce_algorithms())
    for (const reduce::Op op : {reduce::Op::sum, reduce::Op::max, reduce::Op::min}) {
      check<float>(*algorithm, {op, reduce::Type::f32}, 3, 1001, false);
      check<double>(*algorithm, {op, reduce::Type::f64}, 4, 1001, true);
      check<std::int32_t>(*algorithm, {op, reduce::Type::i32}, 6, 1001, false);
    }
}

TEST_CASE("a rank that fails does not leave the others waiting") {
  for (const Algorithm* algorithm : all_reduce_algorithms()) {
    CAPTURE(algorithm->name);
    ThreadWorld world(3, 0);
    std::vector<float> arrays(3 * 4096 * 3);
    std::vector<std::thread> threads;
    std::atomic<int> left{0};
    for (int r = 0; r < 3; ++r)
      threads.emplace_back([&, r] {
        if (r == 1) return world.break_for_all();
        float* const mine = arrays.data() + r * 4096 * 3;
        try {
          const Arrays given{
              reinterpret_cast<const std::byte*>(mine), reinterpret_cast<std::byte*>(mine + 4096), 4096, {}};
          algorithm->run(world.rank(r), given, reinterpret_cast<std::byte*>(mine + 8192));
        } catch (const device::cpu::BrokenBarrier&) {
          ++left;
        }
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(left >= 1);  // one that needs nothing more of the failed rank may be through already
  }
}

TEST_CASE("costs are those on paper") {
  CHECK(ring.cost(4).steps == 6);
  CHECK(ring.cost(4).passed == 1.5);
  CHECK(ring.cost(4).joined == 0.75);
  CHECK(recursive_doubling.cost(8).steps == 3);
  CHECK(recursive_doubling.cost(8).passed == 3);
  CHECK(recursive_doubling.cost(5).steps == 4);
  CHECK(halving_doubling.cost(8).steps == 6);
  CHECK(halving_doubling.cost(8).passed == 1.75);
  CHECK(tree.cost(5).steps == 6);
  CHECK(naive.cost(4).passed == 6);
  CHECK(direct.cost(2).passed == 1);
  CHECK(ring_all_gather.cost(4).passed == 0.75);
  CHECK(ring_reduce_scatter.cost(4).joined == 0.75);
  CHECK(tree_broadcast.cost(5).steps == 3);
  CHECK(naive_reduce.cost(4).passed == 3);
  CHECK(pairwise.cost(8).steps == 7);
  CHECK(dissemination.cost(5).steps == 3);
  for (const Algorithm* algorithm : all_reduce_algorithms()) {
    CHECK(algorithm->cost(1).steps == 0);
    CHECK(find_algorithm(all_reduce_algorithms(), algorithm->name) == algorithm);
  }
  CHECK(find_algorithm(all_reduce_algorithms(), "rings") == nullptr);
}
