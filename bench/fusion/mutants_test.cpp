// Wrong versions of every CPU kernel of the family, each with one mistake that people make: verification must kill them
// all.
#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

#include "bench/fusion/judging.hpp"
#include "bench/fusion/points.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace bf = ridge::bench::fusion;
using bf::testing::Count;
using I = std::int64_t;
using fused::Operands;
using fused::Pair;

namespace {

// Of five rows, more than threads; two threads.
constexpr I rows = 5;

template <Pair pair, bool is_fused>
void right(const Operands& o, int pass, I b, I e) {
  const auto sides = fused::cpu_kernels(pair);
  (is_fused ? sides.fused : sides.unfused)(o, pass, b, e);
}

// The right kernel on each row with operands that `change` has its way with.
template <Pair pair, bool is_fused, class Change>
void each_row(const Operands& o, int pass, I b, I e, const Change& change) {
  for (I row = b; row < e; ++row) {
    Operands changed = o;
    change(changed, row);
    right<pair, is_fused>(changed, pass, row, row + 1);
  }
}

template <Pair pair, bool is_fused>
std::vector<std::pair<const char*, fused::Kernel>> mutants() {
  using O = const Operands&;
  constexpr auto run = right<pair, is_fused>;
  std::vector<std::pair<const char*, fused::Kernel>> all{
      {"does nothing", [](O, int, I, I) {}},
      {"last row left out", [](O o, int p, I b, I e) { run(o, p, b, e - 1); }},
      {"first row left out", [](O o, int p, I b, I e) { run(o, p, b + 1, e); }},
      {"only the first thread works", [](O o, int p, I b, I e) { run(o, p, b, b == 0 ? e : b); }},
      {"second half left out", [](O o, int p, I b, I e) { run(o, p, b, (b + e) / 2); }},
      {"one result off by a five-hundredth",
       [](O o, int p, I b, I e) {
         run(o, p, b, e);
         if (pair == Pair::cross_entropy && (is_fused || p == 3)) o.loss[b] *= 1.002F;
         const I most = b * o.columns + o.columns / 2;
         if (pair != Pair::cross_entropy && (is_fused || p == fused::facts_of(pair).passes - 1 || pair == Pair::chain))
           o.x[most] *= 1.002F;
       }},
      {"written behind the last element",
       [](O o, int p, I b, I e) {
         run(o, p, b, e);
         if (e == rows) o.x[e * o.columns] = 1;
       }},
  };
  const auto add = [&](const char* mistake, fused::Kernel kernel) { all.emplace_back(mistake, kernel); };
  if (is_fused && pair != Pair::cross_entropy)
    add("applied twice", [](O o, int p, I b, I e) {
      run(o, p, b, e);
      run(o, p, b, e);
    });
  constexpr bool row_wise = pair != Pair::chain && pair != Pair::bias_gelu && pair != Pair::bias_gelu_dropout;
  if (row_wise && is_fused && pair != Pair::cross_entropy)
    add("half a row taken for a row", [](O o, int p, I b, I e) {
      Operands half = o;
      half.columns /= 2;
      run(half, p, 2 * b, 2 * e);
    });
  if (pair != Pair::chain && is_fused)
    add("last element of each row left as it was", [](O o, int p, I b, I e) {
      for (I row = b; row < e; ++row) {
        float& last = o.x[(row + 1) * o.columns - 1];
        const float before = last;
        if (pair == Pair::cross_entropy) last = -100;  // what is added up
        run(o, p, row, row + 1);
        last = before;
      }
    });
  if (fused::facts_of(pair).has_residual)
    add("another row's residual", [](O o, int p, I b, I e) {
      each_row<pair, is_fused>(o, p, b, e, [](Operands& c, I row) { c.residual -= row % 2 == 0 ? 0 : c.columns; });
    });
  if (pair == Pair::bias_gelu || pair == Pair::bias_gelu_dropout || pair == Pair::rmsnorm || pair == Pair::layernorm)
    add("bias or gamma one further", [](O o, int p, I b, I e) {
      Operands moved = o;
      ++moved.bias;
      run(moved, p, b, e);
    });
  if (pair == Pair::bias_gelu_dropout) {
    add("nothing dropped", [](O o, int p, I b, I e) {
      Operands none = o;
      none.dropout.below = 0;
      run(none, p, b, e);
    });
    add("not scaled", [](O o, int p, I b, I e) {
      Operands less = o;
      less.dropout.scale = 1;
      run(less, p, b, e);
    });
    add("another key", [](O o, int p, I b, I e) {
      Operands other = o;
      ++other.dropout.key;
      run(other, p, b, e);
    });
    add("the mask of the row before", [](O o, int p, I b, I e) {
      for (I row = b; row < e; ++row) {
        Operands moved = o;
        moved.x += o.columns;
        moved.residual += o.columns;
        run(moved, p, row - 1, row);
      }
    });
  }
  if (pair == Pair::layernorm) {
    add("beta forgotten", [](O o, int p, I b, I e) {
      Operands without = o;
      without.beta = nullptr;
      run(without, p, b, e);
    });
    add("gamma and beta exchanged", [](O o, int p, I b, I e) {
      Operands exchanged = o;
      std::swap(exchanged.bias, exchanged.beta);
      run(exchanged, p, b, e);
    });
  }
  if (pair == Pair::cross_entropy)
    add("the first row's label", [](O o, int p, I b, I e) {
      each_row<pair, is_fused>(o, p, b, e, [](Operands& c, I row) { c.labels -= row; });
    });
  if (pair == Pair::chain && is_fused) {
    add("a step too few", [](O o, int p, I b, I e) {
      Operands fewer = o;
      --fewer.ops;
      run(fewer, p, b, e);
    });
    add("a step too many", [](O o, int p, I b, I e) {
      Operands more = o;
      ++more.ops;
      run(more, p, b, e);
    });
  }
  if (!is_fused) {
    add("first pass left out", [](O o, int p, I b, I e) {
      if (p != 0) run(o, p, b, e);
    });
    add("second pass left out", [](O o, int p, I b, I e) {
      if (p != 1) run(o, p, b, e);
    });
    add("last pass left out", [](O o, int p, I b, I e) {
      const int last = pair == Pair::chain ? o.ops - 1 : fused::facts_of(pair).passes - 1;
      if (p != last) run(o, p, b, e);
    });
    add("first two passes exchanged", [](O o, int p, I b, I e) { run(o, p < 2 ? 1 - p : p, b, e); });
  }
  return all;
}

template <Pair pair, bool is_fused>
void judge_all(Count& count) {
  const fused::Facts& facts = fused::facts_of(pair);
  record::Point point;
  if (pair == Pair::chain) point.set("ops", I{3});
  if (pair == Pair::bias_gelu_dropout) point.set("dropout", std::string("0.1"));
  point.set("side", std::string(is_fused ? "fused" : "unfused"));
  point.set("size", 4 * bf::most_columns * rows);
  point.set("threads", I{2});
  const auto make = [&](fused::Kernel kernel) {
    return bf::testing::judged(bf::buffers(facts, point), [&](CpuContext& context) {
      return bf::make_cpu(facts, context, point, {kernel, kernel});
    });
  };
  REQUIRE(make(right<pair, is_fused>) == record::Check::passed);
  for (const auto& [mistake, kernel] : mutants<pair, is_fused>())
    count.judge(std::string(facts.name) + (is_fused ? ", fused: " : ", passes: ") + mistake, make(kernel));
}

template <Pair... pair>
void judge_pairs(Count& count) {
  (judge_all<pair, true>(count), ...);
  (judge_all<pair, false>(count), ...);
}

}  // namespace

TEST_CASE("every wrong kernel of every pair is refused") {
  Count count;
  judge_pairs<Pair::chain, Pair::bias_gelu, Pair::softmax, Pair::rmsnorm, Pair::layernorm, Pair::cross_entropy,
              Pair::bias_gelu_dropout>(count);
  std::cout << count.killed << " of " << count.made << " mutants of the pairs killed\n";
  CHECK(count.made > 100);
}
