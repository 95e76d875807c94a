// Do equal entries of one run agree? Each case is planned three times over, as three entries that differ in nothing but
// the memory they were lent, and run by Ridge's own engine.
//
// self_agreement [ROUNDS [MIN_TIME_SECONDS]]. For each case: the three medians, how far apart the outer two are, and
// how far apart noise alone puts them in 19 of 20 runs: the entries of a round were measured within a moment of each
// other, so if they are equal, exchanging them within each round changes nothing (a permutation test, 2000 exchanges).
// Below that, the entries are as equal as the machine allows; the last column says how many rounds would bring that to
// 3 %.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>

#include "bench/harness/engine.hpp"
#include "bench/harness/inventory.hpp"
#include "bench/harness/statistics.hpp"
#include "kernels/device/cpu/device.hpp"
#include "kernels/device/cpu/host.hpp"
#include "kernels/device/cpu/system.hpp"

using namespace ridge;

namespace {

constexpr int entries = 3;
constexpr double target = 0.03;

using Samples = std::array<std::vector<double>, entries>;

double spread(const Samples& samples) {
  std::array<double, entries> medians{};
  for (std::size_t i = 0; i < entries; ++i) medians[i] = bench::median(samples[i]).value_or(0);
  const auto [least, most] = std::minmax_element(medians.begin(), medians.end());
  return *least > 0 ? *most / *least - 1 : 0;
}

// The spread that 95 % of exchanges within rounds stay below.
double spread_of_noise(Samples samples) {
  std::mt19937_64 random(1);
  std::vector<double> spreads;
  for (int exchange = 0; exchange < 2000; ++exchange) {
    for (std::size_t round = 0; round < samples[0].size(); ++round)
      for (std::size_t i = entries; i > 1; --i) std::swap(samples[i - 1][round], samples[random() % i][round]);
    spreads.push_back(spread(samples));
  }
  return bench::quantile(spreads, 0.95).value_or(0);
}

// The plan with each of its cases three times, in windows that hold all of them.
bench::Plan tripled(const bench::Plan& plan) {
  bench::Plan out;
  for (const bench::PlannedCase& planned : plan.cases) {
    bench::Window window{planned.device, {}, 0};
    for (int i = 0; i < entries; ++i) {
      window.cases.push_back(out.cases.size());
      window.arena_bytes += planned.arena_bytes;
      out.cases.push_back(planned);
    }
    if (planned.draft.status == record::Status::not_run) out.windows.push_back(std::move(window));
  }
  return out;
}

void report(const record::Record& first, const Samples& samples) {
  const double seen = spread(samples);
  const double noise = spread_of_noise(samples);
  const auto rounds = static_cast<double>(samples[0].size());
  fmt::print("{:<16} {:<58} {:5.2f} % apart, noise alone {:5.2f} %: {}; {:.0f} rounds for 3 %\n", first.benchmark,
             first.point.to_text(), 100 * seen, 100 * noise, seen <= noise ? "equal" : "DIFFERENT",
             std::ceil(rounds * std::max(1.0, noise * noise / (target * target))));
}

}  // namespace

int main(int argc, char** argv) {
  bench::Settings settings;
  settings.rounds = argc > 1 ? std::max(5, std::atoi(argv[1])) : 20;
  settings.min_time = argc > 2 ? std::max(1e-4, std::atof(argv[2])) : 0.04;
  const auto host = device::cpu::System::real().host();
  const bench::Inventory inventory = bench::make_inventory(host);
  const auto device = device::cpu::make_device();
  const bench::Selection selection{
      {{{"bandwidth.read", "bandwidth.copy", "bandwidth.triad"}, {{"size", "L1,L2,memory"}}}}, {{}}, true};
  const bench::Registry registry = bench::make_registry();
  bench::Hooks hooks;
  hooks.open = [&](const device::Name&) { return bench::OpenedDevice{device.get(), device.get(), nullptr}; };
  hooks.interrupted = [] { return false; };
  struct Silent : bench::Observer {
  } silent;
  const auto records =
      bench::run(tripled(bench::plan(registry, selection, inventory, settings)), settings, hooks, silent);
  for (std::size_t i = 0; i + entries <= records.size(); i += entries) {
    Samples samples;
    for (std::size_t j = 0; j < entries; ++j) samples[j] = records[i + j].samples;
    if (!samples[0].empty()) report(records[i], samples);
  }
}
