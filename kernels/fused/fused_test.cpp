// Both forms of every pair against f64, at awkward numbers of columns; and what wrong results lead to.
#include "kernels/fused/fused.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "kernels/fused/reference.hpp"

using namespace ridge::fused;

namespace {

struct Data {
  Data(std::int64_t rows, std::int64_t columns, bool with_beta) : width(columns), has_beta(with_beta) {
    const auto wave = [](std::int64_t i, double step) {
      return static_cast<float>(2.5 * std::sin(step * static_cast<double>(i) + 1));
    };
    for (std::int64_t i = 0; i < rows * columns; ++i) {
      x.push_back(wave(i, 0.7));
      residual.push_back(wave(i, 1.3));
    }
    for (std::int64_t j = 0; j < columns; ++j) {
      bias.push_back(wave(j, 0.3));
      beta.push_back(wave(j, 2.1));
    }
    for (std::int64_t r = 0; r < rows; ++r) labels.push_back(static_cast<std::int32_t>((r * 7 + 3) % columns));
    stats.resize(static_cast<std::size_t>(2 * rows));
    loss.assign(static_cast<std::size_t>(rows), NAN);
  }
  Operands operands(int ops) {
    return {x.data(),     residual.data(), bias.data(),   has_beta ? beta.data() : nullptr,
            stats.data(), loss.data(),     labels.data(), width,
            ops,          dropout};
  }
  Dropout dropout = dropout_of(0.3, 0x123456789);
  std::int64_t width;
  bool has_beta;
  std::vector<float> x, residual, bias, beta, stats, loss;
  std::vector<std::int32_t> labels;
};

// The largest error in units of the bound.
double worst(const Facts& facts, bool fused, std::int64_t rows, std::int64_t columns, int ops,
             void (*spoil)(Data&) = nullptr) {
  const bool beta = facts.pair == Pair::layernorm;
  const Data before(rows, columns, beta);
  Data data = before;
  const Operands o = data.operands(ops);
  const Sides sides = cpu_kernels(facts.pair);
  const std::int64_t cut = rows / 2;
  const int passes = facts.pair == Pair::chain ? ops : facts.passes;
  for (const auto& [begin, end] : {std::pair{cut, rows}, std::pair{std::int64_t{0}, cut}}) {
    if (fused) sides.fused(o, 0, begin, end);
    for (int pass = 0; !fused && pass < passes; ++pass) sides.unfused(o, pass, begin, end);
  }
  if (spoil != nullptr) spoil(data);
  double most = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    Row row;
    const auto at = static_cast<std::size_t>(r * columns);
    row.x.assign(before.x.begin() + r * columns, before.x.begin() + (r + 1) * columns);
    row.residual = before.residual.data() + at;
    row.bias = before.bias.data();
    row.beta = beta ? before.beta.data() : nullptr;
    row.label = before.labels[static_cast<std::size_t>(r)];
    row.ops = ops;
    row.dropout = data.dropout;
    row.index = r;
    const auto want = reference(facts.pair, row);
    for (std::size_t j = 0; j < want.size(); ++j) {
      const double have = facts.pair == Pair::cross_entropy ? data.loss[static_cast<std::size_t>(r)] : data.x[at + j];
      const double error = std::abs(have - want[j]) / bound(facts.pair, want[j], columns, ops);
      most = std::isnan(error) ? HUGE_VAL : std::max(most, error);
    }
  }
  return most;
}

}  // namespace

TEST_CASE("both forms of every pair are their definition in f64, within their bound") {
  for (const Facts& facts : all_facts())
    for (const bool fused : {false, true})
      for (const std::int64_t columns : {1, 7, 8, 31, 32, 33, 1000, 4096})
        for (const std::int64_t rows : {1, 2, 5})
          for (const int ops : {1, 2, 16}) {
            if (facts.pair != Pair::chain && ops != 1) continue;
            CAPTURE(facts.name, fused, columns, rows, ops);
            CHECK(worst(facts, fused, rows, columns, ops) <= 1);
          }
}

// The largest difference of the two forms' results from the same inputs, in units of the bound.
double apart(const Facts& facts, std::int64_t rows, std::int64_t columns, int ops) {
  const bool beta = facts.pair == Pair::layernorm;
  Data by_passes(rows, columns, beta), at_once(rows, columns, beta);
  const Sides sides = cpu_kernels(facts.pair);
  const Operands passes = by_passes.operands(ops);
  for (int pass = 0; pass < (facts.pair == Pair::chain ? ops : facts.passes); ++pass)
    sides.unfused(passes, pass, 0, rows);
  sides.fused(at_once.operands(ops), 0, 0, rows);
  const bool losses = facts.pair == Pair::cross_entropy;
  const std::vector<float>& a = losses ? by_passes.loss : by_passes.x;
  const std::vector<float>& b = losses ? at_once.loss : at_once.x;
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto value = static_cast<double>(a[i]);
    const double off = std::abs(value - static_cast<double>(b[i])) / bound(facts.pair, value, columns, ops);
    most = std::isnan(off) ? HUGE_VAL : std::max(most, off);
  }
  return most;
}

TEST_CASE("both forms of every pair leave the same from the same inputs, a chain bit by bit") {
  for (const Facts& facts : all_facts())
    for (const std::int64_t columns : {1, 33, 4096}) {
      CAPTURE(facts.name, columns);
      CHECK(apart(facts, 3, columns, 5) <= (facts.pair == Pair::chain ? 0 : 1));
    }
}

TEST_CASE("a value off by one part in ten thousand is beyond every bound") {
  for (const Facts& facts : all_facts()) {
    CAPTURE(facts.name);
    CHECK(worst(facts, true, 3, 1000, 4, [](Data& data) {
            data.x[1234] *= 1.0002F;
            data.loss[1] *= 1.0002F;
          }) > 1);
  }
}

TEST_CASE("a mean far from 0 costs LayerNorm no more than the rounding of what it is given") {
  constexpr std::int64_t columns = 1003;
  constexpr float far = 1000;  // eight thousand roundings of it are one deviation of the row
  for (const bool fused : {false, true}) {
    Data data(1, columns, true);
    for (float& value : data.x) value += far;
    const Operands o = data.operands(1);
    Row row;
    row.x.assign(data.x.begin(), data.x.end());
    row.residual = data.residual.data();
    row.bias = data.bias.data();
    row.beta = data.beta.data();
    const auto want = reference(Pair::layernorm, row);
    const Sides sides = cpu_kernels(Pair::layernorm);
    if (fused) sides.fused(o, 0, 0, 1);
    for (int pass = 0; !fused && pass < facts_of(Pair::layernorm).passes; ++pass) sides.unfused(o, pass, 0, 1);
    double most = 0;
    for (std::size_t j = 0; j < want.size(); ++j) most = std::max(most, std::abs(data.x[j] - want[j]));
    CAPTURE(fused);
    CHECK(most < 1e-3);  // sums of squares that are not taken about a value of the row's own miss by 1e-2 and more
  }
}

TEST_CASE("dropout drops its share of the elements, scales the others, and goes by key and row") {
  for (const double probability : {0.0, 0.1, 0.5}) {
    const Dropout dropout = dropout_of(probability, 42);
    int dropped = 0, as_in_next_row = 0, as_by_next_key = 0;
    constexpr int rows = 20, columns = 1000;
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        const float factor = dropout_factor(dropout, row, column);
        REQUIRE((factor == 0 || factor == Approx(1 / (1 - probability))));
        dropped += factor == 0;
        as_in_next_row += factor == dropout_factor(dropout, row + 1, column);
        as_by_next_key += factor == dropout_factor(dropout_of(probability, 43), row, column);
      }
    constexpr double all = rows * columns;
    const double spread = 6 * std::sqrt(all * 0.25);  // six standard deviations, at most
    const double alike = probability * probability + (1 - probability) * (1 - probability);
    CHECK(std::abs(dropped - probability * all) <= spread * (probability > 0));
    CHECK(std::abs(as_in_next_row - alike * all) <= spread * (probability > 0));
    CHECK(std::abs(as_by_next_key - alike * all) <= spread * (probability > 0));
  }
}

TEST_CASE("large inputs overflow neither form") {
  for (const Pair pair : {Pair::softmax, Pair::cross_entropy})
    for (const bool fused : {false, true}) {
      Data data(2, 100, false);
      for (float& value : data.x) value = 1e4F * value;
      const Operands o = data.operands(1);
      if (fused) cpu_kernels(pair).fused(o, 0, 0, 2);
      for (int pass = 0; !fused && pass < facts_of(pair).passes; ++pass) cpu_kernels(pair).unfused(o, pass, 0, 2);
      for (const float value : pair == Pair::softmax ? data.x : data.loss) CHECK(std::isfinite(value));
    }
}

TEST_CASE("the fused form never moves more than the passes do") {
  for (const Facts& facts : all_facts()) {
    CHECK(facts.fused_read + facts.fused_written <= facts.unfused_read + facts.unfused_written);
    CHECK(&facts_of(facts.pair) == &facts);
  }
}
