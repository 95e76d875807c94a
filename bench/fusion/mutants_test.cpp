// Wrong versions of every CPU kernel of the family, each with one mistake that people make: verification must kill them
// all.
#include <catch2/catch.hpp>

#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "bench/fusion/attention.hpp"
#include "bench/fusion/points.hpp"
#include "kernels/device/cpu/device.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace bf = ridge::bench::fusion;
using fused::Operands;
using fused::Pair;

namespace {

using I = std::int64_t;

template <class Make>
record::Check judged(const std::vector<I>& buffers, const Make& make) {
  const auto device = device::cpu::make_device();
  I needed = 0;
  for (const I bytes : buffers) needed += device::borrow_cost(bytes);
  const auto arena = device->make_arena(needed);
  CpuContext context{*device, *arena, 1, Fill::random};
  return make(context)->verify().status;
}

struct Count {
  int made = 0;
  int killed = 0;
  void judge(const std::string& name, record::Check found) {
    ++made;
    killed += found == record::Check::failed ? 1 : 0;
    std::cout << name << ": " << (found == record::Check::failed ? "killed" : "SURVIVED") << '\n';
    CAPTURE(name);
    CHECK(found == record::Check::failed);
  }
};

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
  constexpr bool row_wise = pair != Pair::chain && pair != Pair::bias_gelu;
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
  if (pair == Pair::bias_gelu || pair == Pair::rmsnorm || pair == Pair::layernorm)
    add("bias or gamma one further", [](O o, int p, I b, I e) {
      Operands moved = o;
      ++moved.bias;
      run(moved, p, b, e);
    });
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
  point.set("side", std::string(is_fused ? "fused" : "unfused"));
  point.set("size", 4 * bf::most_columns * rows);
  point.set("threads", I{2});
  const auto make = [&](fused::Kernel kernel) {
    return judged(bf::buffers(facts, point), [&](CpuContext& context) {
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

// Attention's, on two heads of 300 queries.
using attention::Kernels;
using attention::OnQueries;
using attention::Shape;
const Kernels& good() {
  static const Kernels kernels = attention::cpu_kernels();
  return kernels;
}

struct WrongAttention {
  const char* mistake;
  void (*spoil)(Kernels&);
};

// A step with another shape or other operands.
template <OnQueries Kernels::*step, class Change>
constexpr OnQueries changed(Change) {
  return [](const Shape& s, const attention::Operands& o, float* w, I head, I block) {
    Shape shape = s;
    attention::Operands operands = o;
    if (Change{}(shape, operands, head, block)) (good().*step)(shape, operands, w, head, block);
  };
}

#define RIDGE_CHANGED(step, ...)                                                                     \
  changed<&Kernels::step>([]([[maybe_unused]] Shape& shape, [[maybe_unused]] attention::Operands& o, \
                             [[maybe_unused]] I& head, [[maybe_unused]] I& block) { __VA_ARGS__ })

const std::vector<WrongAttention>& wrong_attention() {
  static const std::vector<WrongAttention> all{
      {"does nothing",
       [](Kernels& k) {
         k.tiled = RIDGE_CHANGED(tiled, return false;);
         k.values = RIDGE_CHANGED(values, return false;);
       }},
      {"the last block of queries left out",
       [](Kernels& k) {
         k.tiled = RIDGE_CHANGED(tiled, return block + 1 < attention::query_blocks(shape););
         k.values = RIDGE_CHANGED(values, return block + 1 < attention::query_blocks(shape););
       }},
      {"a block of queries taken twice",
       [](Kernels& k) {
         k.tiled = RIDGE_CHANGED(tiled, if (block == 1) o.q -= attention::query_block * shape.head; return true;);
         k.scores = RIDGE_CHANGED(scores, if (block == 1) o.q -= attention::query_block * shape.head; return true;);
       }},
      {"the first head's queries",
       [](Kernels& k) {
         k.tiled = RIDGE_CHANGED(tiled, o.q -= head * shape.sequence * shape.head; return true;);
         k.scores = RIDGE_CHANGED(scores, o.q -= head * shape.sequence * shape.head; return true;);
       }},
      {"causal forgotten, or not wanted",
       [](Kernels& k) {
         k.tiled = RIDGE_CHANGED(tiled, shape.causal = !shape.causal; return true;);
         k.softmax = RIDGE_CHANGED(softmax, shape.causal = !shape.causal; return true;);
       }},
      {"a block of keys packed twice",
       [](Kernels& k) {
         k.pack = [](const Shape& s, const attention::Operands& o, I head, I block) {
           attention::Operands other = o;
           const I back = block == 1 ? attention::key_block * s.head : 0;
           other.k -= back;
           other.v -= back;
           good().pack(s, other, head, block);
         };
       }},
      {"the last key and its value lost",
       [](Kernels& k) {
         k.pack = [](const Shape& s, const attention::Operands& o, I head, I block) {
           good().pack(s, o, head, block);
           if (block + 1 < attention::key_blocks(s)) return;
           Shape shorter = s;
           --shorter.sequence;
           attention::Operands other = o;
           other.k += head * s.head;  // where this head begins in longer ones
           other.v += head * s.head;
           good().pack(shorter, other, head, block);
         };
       }},
      {"the first head's values",
       [](Kernels& k) {
         k.pack = [](const Shape& s, const attention::Operands& o, I head, I block) {
           attention::Operands other = o;
           other.v -= head * s.sequence * s.head;
           good().pack(s, other, head, block);
         };
       }},
      {"softmax left out, or taken of half the heads",
       [](Kernels& k) {
         k.softmax = RIDGE_CHANGED(softmax, return head == 0;);
         k.tiled = RIDGE_CHANGED(tiled, return head == 0;);
       }},
      {"softmax twice, or scores not divided by √head",
       [](Kernels& k) {
         k.softmax = [](const Shape& s, const attention::Operands& o, float* w, I head, I block) {
           good().softmax(s, o, w, head, block);
           good().softmax(s, o, w, head, block);
         };
         k.tiled = [](const Shape& s, const attention::Operands& o, float* w, I head, I block) {
           std::vector<float> q(o.q, o.q + s.heads * s.sequence * s.head);
           for (float& each : q) each *= 8;
           attention::Operands other = o;
           other.q = q.data();
           good().tiled(s, other, w, head, block);
         };
       }},
      {"written behind the last element",
       [](Kernels& k) {
         k.tiled = [](const Shape& s, const attention::Operands& o, float* w, I head, I block) {
           good().tiled(s, o, w, head, block);
           o.out[s.heads * s.sequence * s.head] = 1;
         };
         k.values = [](const Shape& s, const attention::Operands& o, float* w, I head, I block) {
           good().values(s, o, w, head, block);
           o.out[s.heads * s.sequence * s.head] = 1;
         };
       }},
  };
  return all;
}

}  // namespace

TEST_CASE("every wrong kernel of every pair is refused") {
  Count count;
  judge_pairs<Pair::chain, Pair::bias_gelu, Pair::softmax, Pair::rmsnorm, Pair::layernorm, Pair::cross_entropy>(count);
  std::cout << count.killed << " of " << count.made << " mutants of the pairs killed\n";
  CHECK(count.made > 100);
}

TEST_CASE("every wrong attention is refused") {
  Count count;
  for (const std::string side : {"unfused", "fused"})
    for (const std::string causal : {"no", "yes"}) {
      record::Point point;
      point.set("side", side);
      point.set("head", std::string("64"));
      point.set("causal", causal);
      point.set("heads", I{2});
      point.set("sequence", I{300});
      point.set("threads", I{2});
      const auto make = [&](const Kernels& kernels) {
        return judged(bf::attention_buffers(point),
                      [&](CpuContext& context) { return bf::make_attention(context, point, kernels); });
      };
      REQUIRE(make(good()) == record::Check::passed);
      for (const WrongAttention& wrong : wrong_attention()) {
        Kernels kernels = good();
        wrong.spoil(kernels);
        count.judge("attention, " + side + ", causal " + causal + ": " + wrong.mistake, make(kernels));
      }
    }
  std::cout << count.killed << " of " << count.made << " mutants of attention killed\n";
}
