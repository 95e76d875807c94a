// Wrong versions of attention's steps on the CPU, each with one mistake that people make: verification must kill them
// all.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "bench/fusion/attention.hpp"
#include "bench/fusion/judging.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace bf = ridge::bench::fusion;
using I = std::int64_t;

namespace {

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

// On two heads of 300 queries.
TEST_CASE("every wrong attention is refused") {
  bf::testing::Count count;
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
        return bf::testing::judged(bf::attention_buffers(point),
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
