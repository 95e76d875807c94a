// The choice of a dot-product instruction; and where this processor has one, that it does what its contract says.
#include "kernels/device/cpu/instr/dot.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <string>
#include <vector>

#include "tests/support/skip.hpp"

using namespace ridge;
using namespace ridge::device::cpu;

TEST_CASE("a processor without a dot-product instruction has none, and never another in its place") {
  CHECK(bf16_dot({}) == nullptr);
  CHECK(int8_dot({}) == nullptr);
  DotFeatures features;
  features.avx512_vnni = true;
  features.avx_vnni = true;
  CHECK(bf16_dot(features) == nullptr);
#if defined(__aarch64__)
  features.avx512_bf16 = true;
  CHECK(bf16_dot(features) == nullptr);
  features = {};
  features.arm_bf16 = true;
  REQUIRE(bf16_dot(features) != nullptr);
  CHECK(bf16_dot(features)->lanes == 4);
#endif
#if defined(__x86_64__)
  REQUIRE(int8_dot(features) != nullptr);
  CHECK(int8_dot(features)->lanes == 16);
  features.avx512_vnni = false;
  CHECK(int8_dot(features)->lanes == 8);
  features = {};
  features.arm_bf16 = true;
  CHECK(bf16_dot(features) == nullptr);
  features.avx512_bf16 = true;
  CHECK(int8_dot(features) == nullptr);
  REQUIRE(bf16_dot(features) != nullptr);
  CHECK(bf16_dot(features)->products == 2);
#endif
}

namespace {

template <class Sum, class A, class B, class Value>
void check(const DotInstruction& instruction, const std::vector<A>& a, const std::vector<B>& b, Value value) {
  const int lanes = instruction.lanes;
  std::vector<Sum> sums(static_cast<std::size_t>(dot_chains * lanes));
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = static_cast<Sum>(i);
  instruction.repeat(sums.data(), a.data(), b.data(), 7);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    std::int64_t want = 0;
    for (int p = 0; p < instruction.products; ++p) {
      const auto at = static_cast<std::size_t>(static_cast<int>(i) % lanes * instruction.products + p);
      want += value(a[at]) * value(b[at]);
    }
    CHECK(sums[i] == static_cast<Sum>(static_cast<std::int64_t>(i) + 7 * want));
  }
}

}  // namespace

TEST_CASE("the bf16 instruction adds pairs of products") {
  const DotInstruction* const instruction = bf16_dot(dot_features());
  if (instruction == nullptr) return test::skip("needs a processor with AVX512_BF16, or BF16 of AArch64");
  std::vector<std::uint16_t> a, b;
  const auto bf16 = [](int whole) {
    const auto f = static_cast<float>(whole);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &f, sizeof bits);
    return static_cast<std::uint16_t>(bits >> 16);
  };
  for (int i = 0; i < instruction->lanes * instruction->products; ++i) {
    a.push_back(bf16(i % 7 - 3));
    b.push_back(bf16(i % 5 - 2));
  }
  check<float>(*instruction, a, b, [](std::uint16_t h) {
    const std::uint32_t bits = static_cast<std::uint32_t>(h) << 16;
    float f = 0;
    std::memcpy(&f, &bits, sizeof f);
    return static_cast<std::int64_t>(f);
  });
}

TEST_CASE("the int8 instruction adds four products of an unsigned and a signed byte") {
  const DotInstruction* const instruction = int8_dot(dot_features());
  if (instruction == nullptr) return test::skip("needs a processor with AVX512_VNNI or AVX_VNNI");
  std::vector<std::uint8_t> a;
  std::vector<std::int8_t> b;
  for (int i = 0; i < instruction->lanes * instruction->products; ++i) {
    a.push_back(static_cast<std::uint8_t>(255 - i));
    b.push_back(static_cast<std::int8_t>(i % 3 == 0 ? -128 + i : i));
  }
  check<std::int32_t>(*instruction, a, b, [](auto v) { return static_cast<std::int64_t>(v); });
}
