// What ranks told of each record besides its samples: kept beside the records until something is concluded from them.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "collectives/family/arrivals.hpp"
#include "collectives/operations/operations.hpp"

namespace ridge::bench::collective {

// The name of this host, as the system has it; "this host" where it has none.
std::string host_name();

class Trail {
 public:
  struct Told {
    std::vector<record::Rank> who;
    Arrivals arrivals;
    std::optional<double> join_rate = {};  // bytes a second that a rank joins by itself
  };
  // Who the ranks were, and what they told of that point on that device.
  void keep(const collectives::Operation& operation, const record::Point& point, const std::string& device, Told told);

  // Of a record that has a time; nothing where ranks join nothing, or told nothing.
  [[nodiscard]] std::optional<double> join_rate(const record::Record& record) const;
  // Adds time_p95, latest_rank and join_rate to the operation's records that have a time, and names those ranks that
  // are late: one finding for each of them and number of ranks, with its worst record. Late in a record is a rank that
  // was awaited for more than 10 % of the measured time as well, and it must be so in two records, if there are as many
  // in which ranks could be late, and in a quarter of them: what disturbs a CPU for a moment is late in one.
  std::vector<record::Finding> conclude(const collectives::Operation& operation,
                                        std::span<record::Record> records) const;
  // Adds the times of each rank to its entry.
  void tell(const collectives::Operation& operation, std::span<const record::Record> records,
            std::vector<record::Rank>& ranks) const;

 private:
  [[nodiscard]] const Told* of(const record::Record& record) const;
  std::map<std::string, Told> told_;  // by the record's identity
};

// The entry of that rank, made where there is none yet.
record::Rank& entry_of(std::vector<record::Rank>& ranks, const record::Rank& who);

}  // namespace ridge::bench::collective
