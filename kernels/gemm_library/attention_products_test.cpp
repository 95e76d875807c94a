// Attention's products by oneDNN: with its softmax the definition, causal in panels up to their last query's key.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/device/device.hpp"
#include "kernels/gemm/check.hpp"
#include "kernels/gemm_library/library.hpp"
#include "tests/support/skip.hpp"

using namespace ridge;

namespace {

// Why it could not be opened; empty where it could.
template <class Open>
std::string reason(const Open& open) {
  try {
    open();
  } catch (const device::Absent& absent) {
    return absent.what();
  }
  return "";
}

}  // namespace

TEST_CASE("oneDNN's attention of two products and a softmax is its definition") {
  constexpr std::int64_t heads = 2, n = 33, head = 64;
  std::vector<float> q(heads * n * head), k = q, v = q, out = q, scores(heads * n * n);
  for (std::size_t i = 0; i < q.size(); ++i) {
    q[i] = static_cast<float>(std::sin(0.7 * static_cast<double>(i)));
    k[i] = static_cast<float>(std::sin(1.3 * static_cast<double>(i) + 1));
    v[i] = static_cast<float>(std::sin(2.1 * static_cast<double>(i) + 2));
  }
  std::unique_ptr<gemm::Library> library;
  const auto absent = reason([&] {
    library =
        gemm::open_onednn_attention({heads, n, head}, {out.data(), q.data(), k.data(), v.data(), scores.data()}, 2);
  });
  if (!library) return test::skip("needs oneDNN: " + absent);
  for (int again = 0; again < 2; ++again) library->multiply();
  double most = 0;
  for (std::int64_t h = 0; h < heads; ++h)
    for (std::int64_t i = 0; i < n; ++i) {
      std::vector<double> weights;
      double sum = 0;
      const auto at = [&](const std::vector<float>& of, std::int64_t row, std::int64_t c) {
        return static_cast<double>(of[static_cast<std::size_t>((h * n + row) * head + c)]);
      };
      for (std::int64_t j = 0; j < n; ++j) {
        double score = 0;
        for (std::int64_t c = 0; c < head; ++c) score += at(q, i, c) * at(k, j, c);
        weights.push_back(std::exp(score / 8));
        sum += weights.back();
      }
      for (std::int64_t c = 0; c < head; ++c) {
        double want = 0;
        for (std::int64_t j = 0; j < n; ++j) want += weights[static_cast<std::size_t>(j)] / sum * at(v, j, c);
        most = std::max(most, std::abs(at(out, i, c) - want));
      }
    }
  CHECK(most < 1e-5);
  CHECK(library->implementation().at("kernel").find(", ") != std::string::npos);
}

TEST_CASE("oneDNN's products of causal attention are those of each query with the keys of its panel, and no others") {
  constexpr std::int64_t heads = 2, n = 25, head = 32, queries = 10, stride = 32, rows = 30;
  std::vector<float> q(heads * n * head), k = q, v = q, out = q, scores(heads * rows * stride, NAN);
  for (std::size_t i = 0; i < q.size(); ++i) {
    q[i] = gemm::entry<float>(3, 0, static_cast<std::int64_t>(i));
    k[i] = gemm::entry<float>(3, 1, static_cast<std::int64_t>(i));
    v[i] = gemm::entry<float>(3, 2, static_cast<std::int64_t>(i));
  }
  gemm::AttentionProducts products;
  const auto absent = reason([&] {
    products = gemm::open_onednn_causal_products({heads, n, head}, {queries, rows, stride},
                                                 {out.data(), q.data(), k.data(), v.data(), scores.data()}, 2);
  });
  if (!products.scores) return test::skip("needs oneDNN: " + absent);
  products.scores->multiply();
  const auto at = [&](std::vector<float>& of, std::int64_t h, std::int64_t i, std::int64_t c) -> float& {
    return of[static_cast<std::size_t>((h * n + i) * head + c)];
  };
  const auto score = [&](std::int64_t h, std::int64_t i, std::int64_t j) -> float& {
    return scores[static_cast<std::size_t>((h * rows + i) * stride + j)];
  };
  std::int64_t wrong = 0, untouched = 0;
  for (std::int64_t h = 0; h < heads; ++h)
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < stride; ++j) {
        const std::int64_t end = i < n ? std::min(n, (i / queries + 1) * queries) : 0;  // of the panel's keys
        if (j >= end) {
          untouched += std::isnan(score(h, i, j));
          wrong += !std::isnan(score(h, i, j));
          continue;
        }
        double want = 0;
        for (std::int64_t c = 0; c < head; ++c) want += static_cast<double>(at(q, h, i, c)) * at(k, h, j, c);
        wrong += !(std::abs(score(h, i, j) - want / std::sqrt(static_cast<double>(head))) < 1e-5);
        score(h, i, j) = static_cast<float>((i + 2 * j) % 5);  // exact in the next product
      }
  CHECK(wrong == 0);
  CHECK(untouched > 0);
  products.values->multiply();
  for (std::int64_t h = 0; h < heads; ++h)
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t c = 0; c < head; ++c) {
        double want = 0;
        for (std::int64_t j = 0; j < std::min(n, (i / queries + 1) * queries); ++j)
          want += static_cast<double>((i + 2 * j) % 5) * static_cast<double>(at(v, h, j, c));
        wrong += static_cast<double>(at(out, h, i, c)) != want;
      }
  CHECK(wrong == 0);
  CHECK_FALSE(products.values->implementation().at("kernel").empty());
}
