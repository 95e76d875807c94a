// Adds the shared options to a subcommand, and reads them.
#include "cmd/measure_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

#include "bench/harness/parse.hpp"
#include "kernels/device/library_search.hpp"

namespace ridge::cmd {
namespace {

// Runs `parse` so that what it refuses names the option.
template <class Parse>
auto named(const char* option, const Parse& parse) {
  try {
    return parse();
  } catch (const bench::UsageError& error) {
    throw bench::UsageError(fmt::format("{}: {}", option, error.what()));
  }
}

std::uint64_t parse_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, seed);
  if (parsed.ec != std::errc{} || parsed.ptr != end)
    throw bench::UsageError(fmt::format("'{}' is not a whole number from 0 to 2^64-1", text));
  return seed;
}

int parse_rounds(const std::string& text) {
  constexpr std::int64_t most = 1'000'000;
  const std::int64_t rounds = bench::parse_count(text);
  if (rounds > most) throw bench::UsageError(fmt::format("{} is above the most, {}", rounds, most));
  return static_cast<int>(rounds);
}

// Twenty seconds and more: the last ten are held against the first.
void set_duration(MeasureOptions& o, const std::string& text) {
  constexpr double least = 20;
  constexpr double most = 86400;
  const double seconds = named("--duration", [&] { return bench::parse_seconds(text); });
  if (seconds < least || seconds > most)
    throw bench::UsageError(fmt::format("--duration: '{}' is not between {:.0f}s and a day", text, least));
  o.rounds = std::to_string(static_cast<int>(seconds));
  o.min_time = "1s";
}

// Where libraries are opened, nothing knows of options: what they read is the environment.
void name_library_folders(const std::vector<std::string>& folders) {
  const char* const before = std::getenv(device::library_path_variable);
  std::string all = fmt::format("{}", fmt::join(folders, ":"));
  if (before != nullptr && *before != '\0') all += fmt::format(":{}", before);
  ::setenv(device::library_path_variable, all.c_str(), 1);  // before any thread is started
}

std::string help_of(const bench::Axis& axis) {
  std::string help = axis.help;
  if (axis.kind == bench::AxisKind::choice) help += fmt::format(": {}, or all", fmt::join(axis.choices, ", "));
  if (axis.kind == bench::AxisKind::bytes) help += "; sizes, L1, L2, L3, memory, ranges 1Ki:1Gi:*2, lists";
  if (axis.kind == bench::AxisKind::count) help += "; numbers, ranges 1:8, lists";
  if (axis.kind == bench::AxisKind::device) help += ": next, all, names such as cuda:1, lists";
  return fmt::format("{} (default {})", help, bench::default_text(axis));
}

}  // namespace

void add_measure_options(CLI::App& command, MeasureOptions& o) {
  const auto one_of = [](std::vector<std::string> names) { return CLI::IsMember(std::move(names)); };
  command.add_option("--device", o.device,
                     "auto, cpu, cuda, cuda:N, ptx, ptx:N, all, or a list (default auto: the GPUs, else the CPU)");
  command.add_option("--json", o.json, "write the report to FILE; - is stdout")->type_name("FILE");
  command.add_option("--format", o.format, "what stdout carries: table, json, csv or markdown (default table)")
      ->check(one_of({"table", "json", "csv", "markdown"}));
  CLI::Option* const rounds =
      command.add_option("--rounds", o.rounds, "samples of each case (default 5, or the suite's)");
  CLI::Option* const min_time = command.add_option(
      "--min-time", o.min_time, "shortest interval of a warm sample, such as 20ms (default 20ms, or the suite's)");
  command.add_option("--seed", o.seed, "of the order of measuring and of the data (default 1)");
  command.add_option("--fill", o.fill, "data: random (full mantissa), zero, or ones for products (default random)")
      ->check(one_of({"random", "zero", "ones"}));
  command
      .add_option("--cache", o.cache, "warm: back to back; cold: caches flushed before each repetition (default warm)")
      ->check(one_of({"warm", "cold"}));
  command
      .add_option_function<std::vector<std::string>>(
          "--library-path", [](const std::vector<std::string>& folders) { name_library_folders(folders); },
          "folder in which cuBLASLt is sought too, before Python's nvidia packages; may be repeated")
      ->type_name("FOLDER")
      ->allow_extra_args(false)  // one each: what follows is a kernel
      ->check(CLI::ExistingDirectory);
  command.add_option("--timeout", o.timeout, "end the run after this long, such as 2min; what was measured is kept");
  command
      .add_option_function<std::string>(
          "--duration", [&o](const std::string& text) { set_duration(o, text); },
          "sustained: samples of a second for this long, such as 30s; of one case, its first second beside its last "
          "ten")
      ->excludes(rounds)
      ->excludes(min_time);
  command.add_flag("--dry-run", o.dry_run, "show what would be measured, and stop");
  command.add_flag("--quiet", o.quiet, "no progress and no notes on stderr; errors only");
}

void add_axis_options(CLI::App& command, const std::vector<const bench::Definition*>& definitions,
                      MeasureOptions& options) {
  std::map<std::string, std::string> added;
  const auto add = [&](const std::string& name, const std::string& help) {
    if (!added.emplace(name, help).second) return;
    command
        .add_option_function<std::string>(
            "--" + name, [&options, name](const std::string& text) { options.axes[name] = text; }, help)
        ->type_name("VALUES")
        ->group("Axes");
  };
  for (const bench::Definition* definition : definitions) {
    for (const bench::Axis& axis : definition->axes) {
      add(axis.name, help_of(axis));
      if (axis.name == "size") add("elements", "elements per array, instead of --size");
    }
  }
}

bench::Settings settings_of(const bench::Suite& suite) {
  bench::Settings settings;
  settings.rounds = suite.rounds;
  settings.min_time = suite.min_time;
  return settings;
}

bench::Settings settings_of(const MeasureOptions& o, bench::Settings settings) {
  if (!o.rounds.empty()) settings.rounds = named("--rounds", [&] { return parse_rounds(o.rounds); });
  if (!o.min_time.empty()) settings.min_time = named("--min-time", [&] { return bench::parse_seconds(o.min_time); });
  if (!o.seed.empty()) settings.seed = named("--seed", [&] { return parse_seed(o.seed); });
  if (!o.timeout.empty()) settings.timeout = named("--timeout", [&] { return bench::parse_seconds(o.timeout); });
  settings.fill = o.fill == "zero" ? bench::Fill::zero : o.fill == "ones" ? bench::Fill::ones : bench::Fill::random;
  settings.cache = o.cache == "cold" ? bench::CachePolicy::cold : bench::CachePolicy::warm;
  return settings;
}

}  // namespace ridge::cmd
