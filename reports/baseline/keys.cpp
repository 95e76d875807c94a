// Names of machines and workloads, and what speaks against a run as a baseline.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "reports/baseline/hash.hpp"
#include "reports/baseline/store.hpp"
#include "reports/record/machine_diff.hpp"

namespace ridge::baseline {
namespace {

std::vector<std::string> words(const std::string& line) {
  std::vector<std::string> out;
  std::string word;
  for (const char each : line + " ") {
    if (each != ' ') {
      word += each;
    } else if (!word.empty()) {
      out.push_back(std::move(word));
      word.clear();
    }
  }
  return out;
}

}  // namespace

std::string key_of(std::string_view text) {
  constexpr std::size_t longest = 64;
  std::string out;
  for (const char each : text) {
    const auto letter = static_cast<unsigned char>(each);
    const bool kept = letter < 0x80 && (std::isalnum(letter) || (each == '.' && !out.empty() && out.back() != '.'));
    if (kept)
      out += static_cast<char>(std::tolower(letter));
    else if (!out.empty() && out.back() != '-')
      out += '-';
    if (out.size() == longest) break;
  }
  while (!out.empty() && (out.back() == '-' || out.back() == '.')) out.pop_back();
  return out.empty() ? "unnamed" : out;
}

std::string machine_key(const record::Machine& machine) {
  std::string all;
  for (const auto& field : record::fields(machine))
    if (field.tier == record::Tier::identity && field.value) all += field.path + "=" + *field.value + "\n";
  std::string name = machine.identity.cpu_model.value_or(machine.identity.architecture);
  if (!machine.identity.gpus.empty()) name = machine.identity.gpus.front().model;
  return fmt::format("{}-{:08x}", key_of(name).substr(0, 48), short_hash(all));
}

std::string workload_key(const compare::Run& run) {
  const auto all = words(run.command);
  if (all.empty()) return "unnamed";
  const auto base = all.front().substr(all.front().find_last_of('/') + 1);
  if (run.schema == "google-benchmark") return key_of(base);
  std::string name;
  const auto add_suite = [&](const std::string& suite) { name += "-" + suite.substr(suite.find_last_of('/') + 1); };
  std::size_t i = 1;
  for (; i < all.size() && !all[i].starts_with("-"); ++i) name += "-" + all[i];
  for (; i < all.size(); ++i) {  // a word behind an option may be its value: of options, the suite alone counts,
                                 // of a suite that is a file its name
    if (all[i].starts_with("--suite=")) add_suite(all[i].substr(8));
    if (all[i] == "--suite" && i + 1 < all.size()) add_suite(all[i + 1]);
  }
  return key_of(name);
}

std::vector<Objection> objections(const compare::Run& run) {
  std::vector<Objection> found;
  if (run.interrupted) found.push_back({"interrupted", "the run was interrupted"});
  for (const compare::Case& each : run.cases) {
    if (each.status != record::Status::suspect) continue;
    const bool over = each.reason.starts_with("oversubscribed");
    found.push_back({over ? "oversubscribed" : "suspect", fmt::format("{}: {}", each.id, each.reason)});
  }
  if (!run.build_type.empty() && run.build_type != "Release")
    found.push_back({"debug", fmt::format("a {} build was measured", run.build_type)});
  return found;
}

}  // namespace ridge::baseline
