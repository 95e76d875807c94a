// Wrong versions of every kernel, each with one mistake that people make: verification must kill them all.
#include <catch2/catch.hpp>

#include <iostream>
#include <string>
#include <vector>

#include "bench/bandwidth/case.hpp"

using namespace ridge;
using namespace ridge::bench::bandwidth;
using stream::Op;
using stream::Operands;
using stream::Reduction;

namespace {

// Not a multiple of any vector, and more than one block of dot on each of two threads.
constexpr std::int64_t count = 2 * stream::dot_block + 20'011;

template <class T>
struct Mutant {
  Op op;
  std::string mistake;
  stream::Kernel<T> kernel;
  bool races = false;  // writes into the next thread's share: run by one thread, or a sanitizer rightly objects
};

template <class T, Op op>
Reduction right(const Operands<T>& o, std::int64_t begin, std::int64_t end) {
  return stream::cpu_kernel<T>(op, stream::Stores::ordinary)(o, begin, end);
}

Reduction both(Reduction x, Reduction y) {
  return {x.sum + y.sum, x.bits ^ y.bits};
}

// Rounded to fewer bits, as numbers next to zero have.
template <class T>
T denormal(T value) {
  constexpr int shift = std::numeric_limits<T>::min_exponent - 5;
  return std::ldexp(std::ldexp(value, shift), -shift);
}

// a[i] = f(o, i) on the whole range.
template <class T, auto f>
Reduction each(const Operands<T>& o, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) o.a[i] = f(o, i);
  return {};
}

// Mistakes of range, which any kernel can make.
template <class T, Op op>
void ranges(std::vector<Mutant<T>>& all) {
  using O = const Operands<T>&;
  using I = std::int64_t;
  const auto add = [&](const char* mistake, stream::Kernel<T> kernel, bool races = false) {
    all.push_back({op, mistake, kernel, races});
  };
  add("lost last element", [](O o, I b, I e) { return right<T, op>(o, b, e - 1); });
  add("lost first element", [](O o, I b, I e) { return right<T, op>(o, b + 1, e); });
  add("lost remainder of a vector", [](O o, I b, I e) { return right<T, op>(o, b, e - (e - b) % 8); });
  add("lost last line", [](O o, I b, I e) { return right<T, op>(o, b, (e - 1) / 8 * 8); });
  add("lost one in the middle",
      [](O o, I b, I e) { return both(right<T, op>(o, b, (b + e) / 2), right<T, op>(o, (b + e) / 2 + 1, e)); });
  add(
      "one element too many", [](O o, I b, I e) { return right<T, op>(o, b, e + 1); }, true);
  add("second half left out", [](O o, I b, I e) { return right<T, op>(o, b, (b + e) / 2); });
  add("only the first thread works", [](O o, I b, I e) { return b == 0 ? right<T, op>(o, b, e) : Reduction{}; });
  add("does nothing", [](O, I, I) { return Reduction{}; });
  if constexpr (op != Op::dot && op != Op::read) {
    add(
        "stored one further",
        [](O o, I b, I e) {
          Operands<T> moved = o;
          ++moved.a;
          return right<T, op>(moved, b, e);
        },
        true);
    add("one wrong bit in one element", [](O o, I b, I e) {
      right<T, op>(o, b, e);
      o.a[(b + e) / 2] = std::nextafter(std::nextafter(o.a[(b + e) / 2], T{9}), T{9});
      return Reduction{};
    });
  } else {
    add("first element twice", [](O o, I b, I e) { return both(right<T, op>(o, b, e), right<T, op>(o, b, b + 1)); });
    add("last element replaced by the one before",
        [](O o, I b, I e) { return both(right<T, op>(o, b, e - 1), right<T, op>(o, e - 2, e - 1)); });
  }
  if constexpr (op != Op::write) {
    add("reads the element before", [](O o, I b, I e) {
      Operands<T> moved = o;
      moved.b -= b > 0 ? 1 : 0;
      return right<T, op>(moved, b, e);
    });
  }
}

// Mistakes of arithmetic.
template <class T>
void formulas(std::vector<Mutant<T>>& all) {
  using O = const Operands<T>&;
  using I = std::int64_t;
  const auto add = [&](Op op, const char* mistake, stream::Kernel<T> kernel) { all.push_back({op, mistake, kernel}); };
  for (const Op op : {Op::copy, Op::memcpy}) {
    add(op, "sign dropped", each<T, [](O o, I i) { return std::fabs(o.b[i]); }>);
    add(op, "lowest bits lost", each<T, [](O o, I i) { return denormal<T>(o.b[i]); }>);
  }
  add(Op::scale, "scalar forgotten", each<T, [](O o, I i) { return o.b[i]; }>);
  add(Op::scale, "scalar wrong in its last bit", each<T, [](O o, I i) { return std::nextafter(o.q, T{2}) * o.b[i]; }>);
  add(Op::scale, "added, not multiplied", each<T, [](O o, I i) { return o.q + o.b[i]; }>);
  add(Op::scale, "divided", each<T, [](O o, I i) { return o.b[i] / o.q; }>);
  add(Op::add, "b twice", each<T, [](O o, I i) { return o.b[i] + o.b[i]; }>);
  add(Op::add, "c twice", each<T, [](O o, I i) { return o.c[i] + o.c[i]; }>);
  add(Op::add, "subtracted", each<T, [](O o, I i) { return o.b[i] - o.c[i]; }>);
  add(Op::add, "b only", each<T, [](O o, I i) { return o.b[i]; }>);
  add(Op::triad, "operands exchanged", each<T, [](O o, I i) { return o.c[i] + o.q * o.b[i]; }>);
  add(Op::triad, "b twice", each<T, [](O o, I i) { return o.b[i] + o.q * o.b[i]; }>);
  add(Op::triad, "c twice", each<T, [](O o, I i) { return o.c[i] + o.q * o.c[i]; }>);
  add(Op::triad, "scalar forgotten", each<T, [](O o, I i) { return o.b[i] + o.c[i]; }>);
  add(Op::triad, "scalar on the sum", each<T, [](O o, I i) { return o.q * (o.b[i] + o.c[i]); }>);
  add(Op::triad, "subtracted", each<T, [](O o, I i) { return o.b[i] - o.q * o.c[i]; }>);
  add(Op::triad, "scalar wrong in its last bit",
      each<T, [](O o, I i) { return o.b[i] + std::nextafter(o.q, T{2}) * o.c[i]; }>);
  add(Op::triad, "product of all", each<T, [](O o, I i) { return o.b[i] * o.q * o.c[i]; }>);
  add(Op::write, "zero", each<T, [](O, I) { return T{0}; }>);
  add(Op::write, "scalar wrong in its last bit", each<T, [](O o, I) { return std::nextafter(o.q, T{2}); }>);
  add(Op::dot, "b squared", [](O o, I b, I e) { return right<T, Op::dot>({o.a, o.b, o.b, o.q}, b, e); });
  add(Op::dot, "c squared", [](O o, I b, I e) { return right<T, Op::dot>({o.a, o.c, o.c, o.q}, b, e); });
  add(Op::dot, "only the last block counts",
      [](O o, I b, I e) { return right<T, Op::dot>(o, b + (e - b) / stream::dot_block * stream::dot_block, e); });
  add(Op::dot, "products negated", [](O o, I b, I e) { return Reduction{-right<T, Op::dot>(o, b, e).sum, 0}; });
  add(Op::dot, "summed as half precision would", [](O o, I b, I e) {
    return Reduction{std::ldexp(std::rint(std::ldexp(right<T, Op::dot>(o, b, e).sum, -10)), 10), 0};
  });
  add(Op::read, "or, not exclusive or", [](O o, I b, I e) {
    Reduction found;
    for (; b < e; ++b) found.bits |= stream::bits_of(o.b[b]);
    return found;
  });
  add(Op::read, "every other element", [](O o, I b, I e) {
    Reduction found;
    for (; b < e; b += 2) found.bits ^= stream::bits_of(o.b[b]);
    return found;
  });
  add(Op::read, "one element of each line", [](O o, I b, I e) {
    Reduction found;
    for (; b < e; b += 8) found.bits ^= stream::bits_of(o.b[b]);
    return found;
  });
}

template <class T>
std::vector<Mutant<T>> mutants() {
  std::vector<Mutant<T>> all;
  ranges<T, Op::copy>(all), ranges<T, Op::scale>(all), ranges<T, Op::add>(all), ranges<T, Op::triad>(all);
  ranges<T, Op::dot>(all), ranges<T, Op::read>(all), ranges<T, Op::write>(all), ranges<T, Op::memcpy>(all);
  formulas<T>(all);
  return all;
}

template <class T>
record::Verification verdict(device::cpu::Device& device, Op op, stream::Kernel<T> kernel, int threads,
                             bench::Fill fill) {
  const auto arena = device.make_arena(4 * device::borrow_cost(count * std::int64_t{sizeof(T)} + guard_bytes));
  bench::CpuContext context{device, *arena, 2024, fill};
  return StreamCase<T>(op, kernel, device.team(threads), context, count).verify();
}

}  // namespace

TEMPLATE_TEST_CASE("verification kills every mutant of every kernel", "[mutants]", float, double) {
  using T = TestType;
  const auto device = device::cpu::make_device();
  int killed = 0;
  const auto all = mutants<T>();
  for (const Mutant<T>& mutant : all) {
    const record::Verification result =
        verdict<T>(*device, mutant.op, mutant.kernel, mutant.races ? 1 : 2, bench::Fill::random);
    const bool dead = result.status == record::Check::failed;
    killed += dead ? 1 : 0;
    std::cout << (dead ? "killed    " : "SURVIVED  ") << (sizeof(T) == 4 ? "f32 " : "f64 ")
              << stream::facts(mutant.op).name << ": " << mutant.mistake << " (" << result.reason << ")\n";
    CHECK(result.reason.empty() != dead);
  }
  std::cout << killed << " of " << all.size() << " mutants killed\n";
  CHECK(killed == static_cast<int>(all.size()));
}

TEMPLATE_TEST_CASE("the kernels themselves pass, whatever the timed data is", "", float, double) {
  const auto device = device::cpu::make_device();
  for (const stream::Facts& f : stream::all_facts())
    for (const auto stores : {stream::Stores::ordinary, stream::Stores::nontemporal})
      for (const auto fill : {bench::Fill::random, bench::Fill::zero}) {
        const auto result = verdict<TestType>(*device, f.op, stream::cpu_kernel<TestType>(f.op, stores), 2, fill);
        CAPTURE(f.name, result.reason);
        CHECK(result.status == record::Check::passed);
        CHECK(result.checked == count);
        CHECK(*result.max_error <= *result.bound);
      }
}
