// The blocked product of bf16: bit for bit the plain sum of pairs, within the bound of f64 in every layout, on every
// instruction set that is here, with the dot product emulated; and by the instruction where the processor has it.
#include <hwy/targets.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <iostream>
#include <tuple>
#include <vector>

#include "kernels/gemm/check.hpp"
#include "kernels/gemm/gemm.hpp"
#include "kernels/random/normal.hpp"
#include "tests/support/skip.hpp"

using namespace ridge;
using Product = gemm::Product<float, std::uint16_t>;
using Kernel = gemm::Kernel<float, std::uint16_t>;

namespace {

constexpr std::int64_t guard = 16;

// Normal numbers, or whole ones; C poisoned, and poison behind it.
struct Matrices {
  std::int64_t m, n, k;
  bool a_transposed = false, b_transposed = false;
  std::vector<std::uint16_t> a, b;
  std::vector<float> c;

  Matrices(std::int64_t rows, std::int64_t columns, std::int64_t depth, int layout = 0, bool whole = false)
      : m(rows),
        n(columns),
        k(depth),
        a_transposed((layout & 1) != 0),
        b_transposed((layout & 2) != 0),
        a(static_cast<std::size_t>(m * k)),
        b(static_cast<std::size_t>(k * n)),
        c(static_cast<std::size_t>(m * n + guard), -77) {
    for (auto& [matrix, which] : {std::pair{&a, 0}, std::pair{&b, 1}})
      for (std::int64_t i = 0; i < static_cast<std::int64_t>(matrix->size()); ++i)
        gemm::store({matrix->data(), gemm::Type::bf16, 1, 1, false}, i,
                    whole ? gemm::entry<double>(5, which, i)
                          : random::normal(random::seed_of(5, static_cast<std::uint64_t>(which)),
                                           static_cast<std::uint64_t>(i)));
  }
  [[nodiscard]] Product product() { return {c.data(), a.data(), b.data(), m, n, k, a_transposed, b_transposed}; }
  [[nodiscard]] gemm::Operands operands() {
    return {{a.data(), gemm::Type::bf16, m, k, a_transposed},
            {b.data(), gemm::Type::bf16, k, n, b_transposed},
            {c.data(), gemm::Type::f32, m, n, false}};
  }
  [[nodiscard]] std::vector<std::int64_t> rows() const {
    std::vector<std::int64_t> all(static_cast<std::size_t>(m));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
    return all;
  }
  [[nodiscard]] bool behind_untouched() const {
    for (std::int64_t i = 0; i < guard; ++i)
      if (c[static_cast<std::size_t>(m * n + i)] != -77) return false;
    return true;
  }
};

std::vector<float> workspace() {
  return std::vector<float>(static_cast<std::size_t>(gemm::workspace_elements<float>()));
}

void run(Kernel kernel, Matrices& matrices) {
  auto room = workspace();
  kernel(matrices.product(), room.data(), 0, matrices.n);
}

// The instruction sets of this processor, one after the other; then what is chosen by itself again.
void on_every_set(const std::function<void()>& test) {
  for (const std::int64_t set : {HWY_SSSE3, HWY_SSE4, HWY_AVX2, HWY_AVX3, HWY_NEON}) {
    if ((hwy::SupportedTargets() & set) == 0) continue;
    hwy::GetChosenTarget().Update(set);
    CAPTURE(set);
    test();
  }
  hwy::GetChosenTarget().DeInit();
  test();
}

struct Shape {
  std::int64_t m, n, k;
};
// One element; k odd and even, below and beyond a depth of 1024 terms; rows and columns that fill no tile, fill some,
// and fill more than a block and a panel.
constexpr Shape shapes[] = {{1, 1, 1},   {6, 16, 2},   {5, 7, 3},     {7, 33, 65},  {13, 17, 1025},
                            {97, 40, 9}, {3, 1064, 5}, {6, 32, 2048}, {2, 19, 3001}};

void check(Kernel kernel) {
  for (const Shape& shape : shapes)
    for (int layout = 0; layout < 4; ++layout)
      for (const bool whole : {false, true}) {
        CAPTURE(shape.m, shape.n, shape.k, layout, whole);
        Matrices matrices(shape.m, shape.n, shape.k, layout, whole);
        run(kernel, matrices);
        const auto compared = gemm::compare_rows(matrices.operands(), matrices.rows());
        CHECK(compared.checked == shape.m * shape.n);
        CHECK(compared.wrong == 0);
        CHECK(matrices.behind_untouched());
        if (whole) CHECK(gemm::wrong_rows(matrices.operands(), 9, 0, shape.m) == 0);
      }
}

}  // namespace

TEST_CASE("the product of bf16 by emulated dot products is right in every layout, on every instruction set") {
  on_every_set([] { check(gemm::bf16_emulated_kernel()); });
}

// Products of two bf16 are exact in f32, so whether they are added by a fused operation does not matter.
TEST_CASE("the product of bf16 is bit for bit the sum of pairs, odd terms first, to a depth of 1024") {
  on_every_set([] {
    for (const Shape& shape : {Shape{13, 35, 67}, Shape{6, 40, 1024}, Shape{1, 9, 1}}) {
      Matrices matrices(shape.m, shape.n, shape.k);
      run(gemm::bf16_emulated_kernel(), matrices);
      const auto all = matrices.operands();
      std::int64_t different = 0;
      for (std::int64_t i = 0; i < shape.m; ++i)
        for (std::int64_t j = 0; j < shape.n; ++j) {
          float sum = 0;
          const auto product = [&](std::int64_t l) {
            return static_cast<float>(gemm::load(all.a, all.a.index(i, l)) * gemm::load(all.b, all.b.index(l, j)));
          };
          for (std::int64_t l = 0; l < shape.k; l += 2) {
            if (l + 1 < shape.k) sum += product(l + 1);
            sum += product(l);
          }
          different += sum == matrices.c[static_cast<std::size_t>(i * shape.n + j)] ? 0 : 1;
        }
      CAPTURE(shape.m, shape.n, shape.k);
      CHECK(different == 0);
    }
  });
}

TEST_CASE("columns and rows of a product of bf16 are shared out without touching the others") {
  for (int layout = 0; layout < 4; ++layout) {
    Matrices matrices(20, 100, 31, layout);
    const auto kernel = gemm::bf16_emulated_kernel();
    auto room = workspace();
    kernel(gemm::rows_of(matrices.product(), 7, 20), room.data(), 32, 64);
    CHECK(matrices.c[7 * 100 + 31] == -77);
    CHECK(matrices.c[7 * 100 + 64] == -77);
    CHECK(matrices.c[6 * 100 + 40] == -77);
    kernel(gemm::rows_of(matrices.product(), 7, 20), room.data(), 64, 100);
    kernel(gemm::rows_of(matrices.product(), 7, 20), room.data(), 0, 32);
    kernel(gemm::rows_of(matrices.product(), 0, 7), room.data(), 0, 100);
    CHECK(gemm::compare_rows(matrices.operands(), matrices.rows()).wrong == 0);
  }
}

TEST_CASE("the instruction gives the product of bf16 too") {
  const auto kernel = gemm::bf16_dot_kernel();
  if (kernel == nullptr) return test::skip("needs a processor with AVX512_BF16, or BF16 of AArch64");
  check(kernel);
}

TEST_CASE("wrong products of bf16 are refused: the list and the count") {
  static const Kernel right = gemm::bf16_emulated_kernel();
  int killed = 0, all = 0;
  using P = const Product&;
  const auto refuse = [&](const char* mistake, Kernel kernel) {
    Matrices matrices(13, 40, 67);
    run(kernel, matrices);
    const bool refused = gemm::compare_rows(matrices.operands(), matrices.rows()).wrong > 0;
    std::cout << (refused ? "killed: " : "SURVIVED: ") << mistake << "\n";
    CHECK(refused);
    ++all;
    killed += refused ? 1 : 0;
  };
  // A with each element as `made` says of its place along k.
  using Made = std::uint16_t (*)(P, std::int64_t i, std::int64_t l);
  static const auto with = [](P p, float* w, std::int64_t b, std::int64_t e, Made made) {
    std::vector<std::uint16_t> other;
    for (std::int64_t i = 0; i < p.m; ++i)
      for (std::int64_t l = 0; l < p.k; ++l) other.push_back(made(p, i, l));
    Product q = p;
    q.a = other.data();
    right(q, w, b, e);
  };
  using I = std::int64_t;
  refuse("the odd last term lost", [](P p, float* w, I b, I e) {
    with(p, w, b, e, [](P q, I i, I l) { return l + 1 == q.k ? std::uint16_t{0} : *q.a_at(i, l); });
  });
  refuse("first terms of pairs alone", [](P p, float* w, I b, I e) {
    with(p, w, b, e, [](P q, I i, I l) { return l % 2 == 1 ? std::uint16_t{0} : *q.a_at(i, l); });
  });
  refuse("second terms of pairs alone", [](P p, float* w, I b, I e) {
    with(p, w, b, e, [](P q, I i, I l) { return l % 2 == 0 ? std::uint16_t{0} : *q.a_at(i, l); });
  });
  refuse("pairs of A turned round", [](P p, float* w, I b, I e) {
    with(p, w, b, e, [](P q, I i, I l) { return (l ^ 1) < q.k ? *q.a_at(i, l ^ 1) : *q.a_at(i, l); });
  });
  refuse("a bit of the mantissa lost", [](P p, float* w, I b, I e) {
    with(p, w, b, e, [](P q, I i, I l) { return static_cast<std::uint16_t>(*q.a_at(i, l) & 0xFFFE); });
  });
  refuse("the pair behind the end of k is not zero", [](P p, float* w, I b, I e) {
    right(p, w, b, e);
    for (I i = 0; i + 1 < p.m; ++i) {
      const double more = gemm::load({const_cast<std::uint16_t*>(p.a_at(i + 1, 0)), gemm::Type::bf16, 1, 1, false}, 0);
      for (I j = b; j < e; ++j) p.c[i * p.n + j] += static_cast<float>(more);
    }
  });
  refuse("neighbouring columns exchanged", [](P p, float* w, I b, I e) {
    right(p, w, b, e);
    for (I i = 0; i < p.m; ++i) std::swap(p.c[i * p.n + 2], p.c[i * p.n + 3]);
  });
  refuse("sums in bf16", [](P p, float* w, I b, I e) {
    right(p, w, b, e);
    for (I i = 0; i < p.m * p.n; ++i) {
      std::uint16_t room = 0;
      const gemm::Matrix one{&room, gemm::Type::bf16, 1, 1, false};
      gemm::store(one, 0, static_cast<double>(p.c[i]));
      p.c[i] = static_cast<float>(gemm::load(one, 0));
    }
  });
  refuse("the last row lost", [](P p, float* w, I b, I e) { right(gemm::rows_of(p, 0, p.m - 1), w, b, e); });
  refuse("the last column lost", [](P p, float* w, I b, I e) { right(p, w, b, e - 1); });
  std::cout << killed << " of " << all << " wrong products refused\n";
  CHECK(all == 10);
}
