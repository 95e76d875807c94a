// Both forms against f64 at sequences that fit no tile, and what wrong kernels lead to.
#include "kernels/attention/attention.hpp"

#include <catch2/catch.hpp>

#include "kernels/attention/reference.hpp"

using namespace ridge::attention;

namespace {

constexpr float poison = -77;

struct Problem {
  Problem(const Shape& of, Inputs kind) : shape(of), numbers{3, kind} {
    const auto count = static_cast<std::size_t>(shape.heads * shape.sequence * shape.head);
    for (int which = 0; which < 3; ++which) {
      auto& into = which == 0 ? q : which == 1 ? k : v;
      for (std::size_t i = 0; i < count; ++i) into.push_back(numbers.at(which, static_cast<std::int64_t>(i)));
    }
    out.assign(count + 16, poison);
    keys.assign(static_cast<std::size_t>(packed_elements(shape)), NAN);
    values = keys;
    scores.assign(static_cast<std::size_t>(score_elements(shape)), NAN);
    workspace.assign(static_cast<std::size_t>(workspace_elements(shape)), NAN);
  }
  Operands operands() { return {out.data(), q.data(), k.data(), v.data(), keys.data(), values.data(), scores.data()}; }
  void run(bool is_tiled) {
    const Kernels kernels = cpu_kernels();
    const Operands o = operands();
    for (std::int64_t head = 0; head < shape.heads; ++head)
      for (std::int64_t block = 0; block < key_blocks(shape); ++block) kernels.pack(shape, o, head, block);
    const auto each = [&](OnQueries step) {
      for (std::int64_t head = shape.heads - 1; head >= 0; --head)
        for (std::int64_t block = query_blocks(shape) - 1; block >= 0; --block)
          step(shape, o, workspace.data(), head, block);
    };
    if (is_tiled) return each(kernels.tiled);
    each(kernels.scores);
    each(kernels.softmax);
    each(kernels.values);
  }
  // The largest error in units of the bound.
  [[nodiscard]] double worst() const {
    double most = 0;
    for (std::int64_t head = 0; head < shape.heads; ++head) {
      const Oracle oracle(shape, numbers, head);
      for (std::int64_t i = 0; i < shape.sequence; ++i) {
        const auto want = oracle.row(i);
        for (std::size_t c = 0; c < want.size(); ++c) {
          const auto at = static_cast<std::size_t>((head * shape.sequence + i) * shape.head) + c;
          const double error = std::abs(static_cast<double>(out[at]) - want[c]) / oracle.bound();
          most = std::isnan(error) ? HUGE_VAL : std::max(most, error);
        }
      }
    }
    return most;
  }

  Shape shape;
  Numbers numbers;
  std::vector<float> q, k, v, out, keys, values, scores, workspace;
};

}  // namespace

TEST_CASE("materialised and tiled attention are their definition in f64, at sequences that fit no block") {
  for (const std::int64_t head : {32, 64, 128})
    for (const std::int64_t sequence : {1, 5, 6, 7, 31, 33, 47, 48, 49, 127, 128, 129, 300})
      for (const bool causal : {false, true})
        for (const bool is_tiled : {false, true})
          for (const Inputs inputs : {Inputs::random, Inputs::even}) {
            CAPTURE(head, sequence, causal, is_tiled, static_cast<int>(inputs));
            Problem problem({sequence < 40 ? 3 : 2, sequence, head, causal}, inputs);
            problem.run(is_tiled);
            CHECK(problem.worst() <= 1);
            for (std::size_t i = problem.out.size() - 16; i < problem.out.size(); ++i) CHECK(problem.out[i] == poison);
          }
}

TEST_CASE("a block of queries goes up to its last one's key") {
  const Shape full{2, 100, 64, false}, causal{2, 100, 64, true};
  CHECK(pairs(full) == 2 * 100 * 100);
  CHECK(computed_pairs(full) == pairs(full));
  CHECK(pairs(causal) == 100 * 101);
  CHECK(computed_pairs(causal) == 2 * (48 * 48 + 48 * 96 + 4 * 100));
  CHECK(keys_seen(causal, 0) == 48);
  CHECK(keys_seen(causal, 2) == 100);
  CHECK(score_elements(full) == 2 * 144 * 128);
}

TEST_CASE("scores of any size overflow neither form") {
  for (const bool is_tiled : {false, true}) {
    Problem problem({1, 200, 64, true}, Inputs::random);
    for (float& each : problem.q) each *= 1e4F;
    problem.run(is_tiled);
    for (std::size_t i = 0; i < problem.out.size(); ++i) CHECK(std::isfinite(problem.out[i]));
  }
}

TEST_CASE("one key too few, too many or in another's place is beyond the bound of even inputs") {
  for (const bool causal : {false, true}) {
    Problem problem({1, 1000, 32, causal}, Inputs::even);
    problem.run(true);
    REQUIRE(problem.worst() <= 1);
    const Oracle other({1, 1000, 32, !causal}, problem.numbers, 0);
    CHECK(std::abs(other.row(998)[0] - Oracle(problem.shape, problem.numbers, 0).row(998)[0]) > other.bound());
    for (float& each : problem.out) each *= 1.0002F;
    CHECK(problem.worst() > 1);
  }
}
