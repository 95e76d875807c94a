// Enumerates or samples the divisions, and walks the sorted values of a metric for each.
#include "reports/compare/divisions.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace ridge::compare {
namespace {

// How many ways there are to choose, as far as `most_divisions` + 1.
std::size_t choices(std::size_t from, std::size_t chosen) {
  double count = 1;
  for (std::size_t i = 1; i <= chosen; ++i) {
    count *= static_cast<double>(from - chosen + i) / static_cast<double>(i);
    if (count > most_divisions + 1) return most_divisions + 2;
  }
  return static_cast<std::size_t>(std::lround(count));
}

// The middle of `count` values of which the walk gives one after the other.
class Middle {
 public:
  explicit Middle(std::size_t count) : low_((count - 1) / 2), high_(count / 2) {}
  void take(double value) {
    if (seen_ == low_) sum_ += value;
    if (seen_ == high_) sum_ += value;
    ++seen_;
    first_ += value;
    second_ += value * value;
  }
  [[nodiscard]] double median() const { return sum_ / 2; }
  [[nodiscard]] double squares() const {
    return std::max(0.0, second_ - first_ * first_ / static_cast<double>(std::max<std::size_t>(seen_, 1)));
  }

 private:
  std::size_t low_;
  std::size_t high_;
  std::size_t seen_ = 0;
  double sum_ = 0;
  double first_ = 0;
  double second_ = 0;
};

}  // namespace

std::vector<Division> divisions_of(std::size_t base, std::size_t fresh) {
  const std::size_t all = base + fresh;
  Division real(all, false);
  std::fill(real.begin() + static_cast<std::ptrdiff_t>(base), real.end(), true);
  std::vector<Division> out;
  if (choices(all, fresh) <= most_divisions + 1) {
    Division next = real;  // the first in lexicographic order
    while (std::next_permutation(next.begin(), next.end())) out.push_back(next);
    return out;
  }
  std::mt19937_64 random(1);  // its numbers are fixed by the standard, unlike those of std::shuffle
  Division next = real;
  while (out.size() < most_divisions) {
    for (std::size_t i = all; i > 1; --i) {
      const std::size_t j = random() % i;
      const bool kept = next[i - 1];
      next[i - 1] = next[j];
      next[j] = kept;
    }
    if (next != real) out.push_back(next);
  }
  return out;
}

Divisible::Divisible(std::span<const double> base, std::span<const double> fresh) : fresh_(fresh.size()) {
  // Around the first value, so that sums of squares keep their digits.
  for (std::size_t i = 0; i < base.size(); ++i) sorted_.emplace_back(base[i] - base[0], i);
  for (std::size_t i = 0; i < fresh.size(); ++i) sorted_.emplace_back(fresh[i] - base[0], base.size() + i);
  std::sort(sorted_.begin(), sorted_.end());
}

Divided Divisible::at(const Division& division) const {
  Middle base(sorted_.size() - fresh_);
  Middle fresh(fresh_);
  for (const auto& [value, run] : sorted_) (division[run] ? fresh : base).take(value);
  return {fresh.median() - base.median(), base.squares(), fresh.squares()};
}

const std::vector<Division>& Divisions::of(std::size_t base, std::size_t fresh) {
  const auto [place, missing] = known_.try_emplace({base, fresh});
  if (missing) place->second = divisions_of(base, fresh);
  return place->second;
}

void Largest::take(std::span<const double> of_one_metric) {
  if (of_one_metric.empty()) return;
  const std::size_t before = largest_.size();
  if (of_one_metric.size() > before) {
    largest_.resize(of_one_metric.size(), -INFINITY);
    for (std::size_t i = before; before > 0 && i < largest_.size(); ++i) largest_[i] = largest_[i % before];
  }
  for (std::size_t i = 0; i < largest_.size(); ++i)
    largest_[i] = std::max(largest_[i], of_one_metric[i % of_one_metric.size()]);
}

double Largest::share(double value) const {
  const auto reached =
      std::count_if(largest_.begin(), largest_.end(), [&](double largest) { return largest >= value; });
  return reached == 0 ? 0 : static_cast<double>(reached + 1) / static_cast<double>(largest_.size() + 1);
}

}  // namespace ridge::compare
