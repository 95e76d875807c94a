// The measured times of an operation by setting and algorithm, each with the model fitted to them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectives/model/fit.hpp"
#include "collectives/operations/operations.hpp"
#include "reports/record/record.hpp"

namespace ridge::bench::collective {

// The sizes of one algorithm in one setting. A line per byte has another slope where caches hold the arrays than where
// memory does: each has a model of its own.
struct Curve {
  std::vector<const record::Record*> records;
  std::optional<collectives::Model> cached, beyond;
  [[nodiscard]] const std::optional<collectives::Model>& model_of(const record::Record& record) const;
};
// Setting → algorithm → its curve.
using Curves = std::map<std::string, std::map<std::string, Curve>>;

// "cpu, 2 ranks", "cpu, 4 ranks by mpi".
std::string who(const record::Record& record);

// "3 us (1.5 us a step) + size / 2 GB/s, half of it at 6 kB"; where γ is known "… + size moved / 3 GB/s + 0.5 size
// joined / 5 GB/s, in all size / 2 GB/s, half …", or why that cannot be told.
std::string told(const collectives::Model& model, const collectives::Cost& cost);

// What a model asks of a cost.
inline collectives::Load load_of(const collectives::Cost& cost) {
  return {cost.passed, cost.joined};
}

// Bytes a second that a rank of that record joins by itself, where it is known.
using JoinRate = std::function<std::optional<double>(const record::Record&)>;
// As the record itself has it.
std::optional<double> join_rate_in(const record::Record& record);

// The records of one operation that have a time; they must outlive it.
class Family {
 public:
  Family(const collectives::Operation& operation, std::span<const record::Record> records,
         JoinRate join_rate = join_rate_in);

  [[nodiscard]] const Curves& curves() const { return curves_; }
  [[nodiscard]] const Curve& curve_of(const record::Record& record) const;
  [[nodiscard]] std::optional<double> seconds_of(const record::Record& record) const;
  // Of the larger of a rank's arrays; 0 where nothing is moved.
  [[nodiscard]] double bytes_of(const record::Record& record) const;
  // Of the algorithm at its number of ranks; zeros for the library's, which does not tell.
  [[nodiscard]] collectives::Cost cost_of(const record::Record& record) const;

 private:
  [[nodiscard]] std::optional<collectives::Model> fitted(const std::vector<const record::Record*>& records,
                                                         bool caches) const;
  [[nodiscard]] std::optional<double> seconds_joining(const record::Record& record) const;
  const collectives::Operation& operation_;
  JoinRate join_rate_;
  Curves curves_;
};

}  // namespace ridge::bench::collective
