// Reading the kernel's counters and adding up their differences over the measured intervals.
#include "bench/harness/conditions.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>

#include "kernels/device/cpu/host_cgroup.hpp"
#include "kernels/device/cpu/team.hpp"

namespace ridge::bench {
namespace {

namespace cpu = device::cpu;

// Below this many ticks (10 ms each) one tick more or less would change the share by more than a few percent.
constexpr std::int64_t fewest_ticks = 20;
constexpr double microjoule = 1e-6;

void add(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& value) {
  if (value) sum = sum.value_or(0) + *value;
}

// Counters only grow; one that fell was reset (a moved process, a known fault of stolen time), and is left out.
void add_difference(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& before,
                    const std::optional<std::int64_t>& after) {
  if (before && after && *after >= *before) add(sum, *after - *before);
}

std::optional<std::int64_t> number(std::string_view text, std::string_view key, char separator = ' ') {
  const auto value = cpu::field(text, key, separator);
  const auto parsed = value ? cpu::parse_integer(*value) : std::nullopt;
  return parsed && *parsed >= 0 ? parsed : std::nullopt;
}

// The first of a line's numbers, with blanks between them; nothing where there are fewer, or one is none of a counter.
template <std::size_t count>
std::optional<std::array<std::int64_t, count>> counters_of(std::string_view line) {
  std::array<std::int64_t, count> counters{};
  for (auto& counter : counters) {
    line = cpu::trimmed(line);
    const auto end = std::min(line.find(' '), line.size());
    const auto parsed = cpu::parse_integer(line.substr(0, end));
    if (!parsed || *parsed < 0 || *parsed > (std::int64_t{1} << 56)) return std::nullopt;
    counter = *parsed;
    line.remove_prefix(end);
  }
  return counters;
}

std::optional<std::int64_t> switches_of_process() {
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) != 0) return std::nullopt;
  return usage.ru_nivcsw;
}

}  // namespace

ConditionSource::ConditionSource(std::vector<int> affinity, std::string root)
    : files_(std::move(root)), affinity_(std::move(affinity)) {
  for (const auto& folder : cpu::cgroup_path(files_, "cpu").folders) cgroup_stats_.push_back(folder + "/cpu.stat");
  std::set<std::int64_t> packages;
  for (const int each : affinity_) {
    const auto folder = fmt::format("/sys/devices/system/cpu/cpu{}", each);
    const auto package = files_.integer(folder + "/topology/physical_package_id");
    if (!package || !packages.insert(*package).second) continue;
    thermal_counts_.push_back(folder + "/thermal_throttle/package_throttle_count");
  }
  // Intel's and AMD's alike. Beside packages there may be a zone of the whole platform, which holds them again.
  for (const int zone : files_.numbered("/sys/class/powercap", "intel-rapl:")) {
    const auto folder = fmt::format("/sys/class/powercap/intel-rapl:{}", zone);
    if (files_.value(folder + "/name").value_or("").starts_with("package")) energies_.push_back(folder + "/energy_uj");
  }
}

void ConditionSource::read_cgroup(Reading& reading) const {
  for (const auto& path : cgroup_stats_) {
    const auto text = files_.head(path);
    if (!text) continue;
    add(reading.throttled_periods, number(*text, "nr_throttled"));
    auto time = number(*text, "throttled_usec");        // version 2
    if (!time) time = number(*text, "throttled_time");  // version 1, ns
    add(reading.throttled_time, time);
  }
}

void ConditionSource::read_ticks(Reading& reading) const {
  const auto text = files_.head("/proc/stat", std::size_t{1} << 18);
  if (!text) return;
  for (const int each : affinity_) {
    const auto line = cpu::field(*text, fmt::format("cpu{}", each), ' ');
    // user nice system idle iowait irq softirq steal; guest time is part of user time already
    const auto ticks = line ? counters_of<8>(*line) : std::nullopt;
    if (!ticks) continue;
    const auto [user, nice, system, idle, wait, interrupt, soft, steal] = *ticks;
    add(reading.steal_ticks, steal);
    add(reading.busy_ticks, user + nice + system + interrupt + soft + steal);
  }
}

void ConditionSource::read_run_delay(Reading& reading) const {
  constexpr std::string_view tasks = "/proc/self/task";
  for (const auto& thread : files_.names(tasks, "")) {
    const auto id = cpu::parse_integer(thread);
    if (!id) continue;
    // A library's threads that look for work are put off as well, and nobody waits for them.
    const bool measures = *id == ::getpid() || files_.value(fmt::format("{}/{}/comm", tasks, thread)) == cpu::team_name;
    if (!measures) continue;
    const auto text = files_.value(fmt::format("{}/{}/schedstat", tasks, thread));
    // ns that it ran, ns that it was ready to, slices
    if (const auto counters = text ? counters_of<3>(*text) : std::nullopt) add(reading.run_delay, (*counters)[1]);
  }
}

Reading ConditionSource::read() const {
  Reading reading;
  read_cgroup(reading);
  read_ticks(reading);
  read_run_delay(reading);
  for (const auto& path : thermal_counts_) add(reading.thermal_events, files_.integer(path));
  for (const auto& path : energies_) add(reading.energy_uj, files_.integer(path));
  reading.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  if (files_.root().empty()) {
    reading.involuntary_switches = switches_of_process();
  } else if (const auto status = files_.head("/proc/self/status")) {
    reading.involuntary_switches = number(*status, "nonvoluntary_ctxt_switches", ':');
  }
  return reading;
}

ConditionSampler::ConditionSampler(std::function<Reading()> read, std::function<std::optional<double>()> clock)
    : read_(std::move(read)), clock_(std::move(clock)) {}

void ConditionSampler::begin() {
  before_ = read_();
}

void ConditionSampler::end() {
  if (!before_) return;
  // The clock first: it falls back soon after the work ends.
  last_ = {clock_ ? clock_() : std::nullopt, std::nullopt};
  if (last_.clock_hz) clocks_.push_back(*last_.clock_hz);
  const auto after = read_();
  add_difference(sum_.throttled_periods, before_->throttled_periods, after.throttled_periods);
  add_difference(sum_.throttled_time, before_->throttled_time, after.throttled_time);
  add_difference(sum_.involuntary_switches, before_->involuntary_switches, after.involuntary_switches);
  add_difference(sum_.thermal_events, before_->thermal_events, after.thermal_events);
  const double seconds = after.seconds.value_or(0) - before_->seconds.value_or(0);
  // An energy that fell has begun anew, as it does some times an hour: that interval is left out.
  if (before_->energy_uj && after.energy_uj && *after.energy_uj >= *before_->energy_uj && seconds > 0) {
    last_.power_w = microjoule * static_cast<double>(*after.energy_uj - *before_->energy_uj) / seconds;
    add(sum_.energy_uj, *after.energy_uj - *before_->energy_uj);
    energy_over_ += seconds;
  }
  const bool whole = before_->steal_ticks && after.steal_ticks && *after.steal_ticks >= *before_->steal_ticks;
  if (whole) {
    add_difference(sum_.steal_ticks, before_->steal_ticks, after.steal_ticks);
    add_difference(sum_.busy_ticks, before_->busy_ticks, after.busy_ticks);
  }
  // Of threads that ended meanwhile, what they had waited is gone: the sum may have fallen.
  if (before_->run_delay && after.run_delay && *after.run_delay >= *before_->run_delay) {
    add_difference(sum_.run_delay, before_->run_delay, after.run_delay);
    delay_over_ += seconds;
  }
  before_.reset();
}

record::Conditions ConditionSampler::conditions() const {
  record::Conditions result;
  if (!clocks_.empty()) {
    auto sorted = clocks_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    result.clock_hz = *middle;
  }
  // A stretch that began before the first begin() shows up in the time only, one that has not ended in the count only.
  if (sum_.throttled_periods || sum_.throttled_time)
    result.cgroup_throttled = sum_.throttled_periods.value_or(0) > 0 || sum_.throttled_time.value_or(0) > 0;
  if (sum_.steal_ticks && sum_.busy_ticks && *sum_.busy_ticks >= fewest_ticks)
    result.steal_fraction = static_cast<double>(*sum_.steal_ticks) / static_cast<double>(*sum_.busy_ticks);
  result.involuntary_switches = sum_.involuntary_switches;
  if (sum_.run_delay && delay_over_ > 0)
    result.run_delay_fraction = 1e-9 * static_cast<double>(*sum_.run_delay) / delay_over_;
  if (sum_.energy_uj) result.power_w = microjoule * static_cast<double>(*sum_.energy_uj) / energy_over_;
  if (sum_.thermal_events) {
    result.throttled = *sum_.thermal_events > 0;
    if (*result.throttled) result.throttle_reason = fmt::format("heat, {} events", *sum_.thermal_events);
  }
  return result;
}

}  // namespace ridge::bench
