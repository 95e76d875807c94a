// A chain of fused multiply-adds on every element: as many operations per byte as one likes.
//
//   out[i] = q · in[i]                                        operations = 1
//   out[i] = f(f(… f(in[i]) …)), f(x) = m·x + c, s times      operations = 2·s, s ≥ 1
//
// Each element is read and written once: with elements of b bytes the arithmetic intensity is operations / (2·b)
// FLOP/B. On arrays that stay in the first-level cache, with hundreds of steps, the rate is the processor's peak:
// elements are independent of each other, so twelve chains run at once and hide the latency of each.
#pragma once

#include <cstdint>

namespace ridge::roofline {

// How results leave the core, as in kernels/stream: through the caches, or past them.
enum class Stores { ordinary, nontemporal };

template <class T>
struct Chain {
  T* out = nullptr;             // (n)
  const T* in = nullptr;        // (n), no overlap with out
  std::int64_t operations = 2;  // 1, or an even number
};

// One step's factor and summand. Their mantissas are odd, and the factor so near to 1 that an element of [1, 2) stays
// below 64 and far from being denormal for 2048 steps, while one step more or less shows beyond all rounding.
template <class T>
inline constexpr T factor = static_cast<T>(1.0002441701234567);
template <class T>
inline constexpr T summand = static_cast<T>(0.01562571234567891);

// The most operations for which chain_bound() is far below the effect of one step.
inline constexpr std::int64_t most_operations = 4096;

// Elements that the fastest version handles at once are a divisor of this for every instruction set: shares that are
// multiples have no tail.
inline constexpr std::int64_t chain_block = 192;

template <class T>
using ChainKernel = void (*)(const Chain<T>&, std::int64_t begin, std::int64_t end);
template <class T>
ChainKernel<T> chain_kernel(Stores stores);

// What an element becomes, by the closed form mˢ·x + c·(mˢ−1)/(m−1), in long double.
template <class T>
class ChainOracle {
 public:
  explicit ChainOracle(std::int64_t operations);
  [[nodiscard]] long double expected(T x) const { return power_ * x + offset_; }
  // The most that a result may be off: each step rounds the product and the sum (a fused one rounds once), and later
  // steps carry the error on: s · ε · mˢ · max |x|.
  [[nodiscard]] double bound(T x) const;

 private:
  long double power_ = 1;
  long double offset_ = 0;
  std::int64_t roundings_ = 1;
};

}  // namespace ridge::roofline
