// A case that is the same on every rank: rank 0 gives the word, and the slowest rank's time is the time.
#include "collectives/mpi/definitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "bench/harness/analysis.hpp"
#include "collectives/family/analysis.hpp"
#include "collectives/family/family.hpp"
#include "collectives/family/points.hpp"
#include "collectives/operations/verdict.hpp"

namespace ridge::bench::collective {
namespace {

using collectives::Collective;
using collectives::Operation;
using collectives::mpi::Ask;
using collectives::mpi::Command;
using collectives::mpi::Reply;
using collectives::mpi::World;

class ProcessesCase final : public Case, private device::Stream {
 public:
  using Keep = std::function<void(Arrivals, std::optional<double> join_rate)>;
  ProcessesCase(World& world, const collectives::Job& job, std::string name, bool alike, Keep keep)
      : world_(world), job_(job), name_(std::move(name)), alike_(alike), keep_(std::move(keep)), id_(world.next_id()) {
    ask(Ask::prepare, "prepare");
  }
  ~ProcessesCase() override {
    if (!world_.trouble().empty()) return;
    try {
      ask(Ask::drop, "drop");
    } catch (const std::exception&) {  // the world remembers it
    }
  }
  ProcessesCase(const ProcessesCase&) = delete;
  ProcessesCase& operator=(const ProcessesCase&) = delete;

  void run(std::int64_t repetitions) override {
    for (const Reply& reply : ask(Ask::run, "measure", repetitions)) slowest_ = std::max(slowest_, reply.seconds);
    ran_ = true;
  }

  record::Verification verify() override {
    const auto replies = ask(Ask::verify, "verify");
    const auto verified = job_.collective == Collective::barrier ? verify_barrier() : verify_elements(replies);
    if (verified.status != record::Check::failed && world_.size() > 1) watch_ranks(join_rate_told(replies));
    return verified;
  }

  device::Stream& stream() override { return *this; }

 private:
  static record::Verification verify_elements(const std::vector<Reply>& replies) {
    std::vector<std::int64_t> wrong;
    std::int64_t checked = 0;
    for (const Reply& reply : replies) {
      wrong.push_back(reply.wrong);
      checked += reply.checked;
    }
    return verdict(wrong, checked);
  }

  // Where ranks wait for each other's turn on a CPU, that is in what they told.
  std::optional<double> join_rate_told(const std::vector<Reply>& replies) const {
    if (world_.oversubscribed()) return std::nullopt;
    std::vector<std::optional<double>> seconds;
    for (const Reply& reply : replies)
      seconds.push_back(reply.joining > 0 ? std::optional(reply.joining) : std::nullopt);
    return join_rate_of(job_, seconds);
  }

  std::vector<Reply> ask(Ask what, const char* phase, std::int64_t repetitions = 0) {
    Command command;
    command.ask = what;
    command.id = id_;
    command.repetitions = repetitions;
    command.job = job_;
    return world_.command(command, fmt::format("{} {}", phase, name_));
  }

  // Processes of one host see one steady clock.
  [[nodiscard]] bool one_clock() const {
    const auto& ranks = world_.ranks();
    return std::all_of(ranks.begin(), ranks.end(),
                       [&](const auto& each) { return each.processes == ranks.front().processes; });
  }

  Passages pass(std::int64_t times) {
    ask(Ask::pass, "watch", times);
    return world_.passages("watch " + name_);
  }

  // Where ranks wait for each other's turn on a CPU, that is what they wait for.
  void watch_ranks(std::optional<double> join_rate) {
    const Known known{one_clock(), alike_ && !world_.oversubscribed()};
    if (auto arrivals = watch([this](std::int64_t times) { return pass(times); }, known))
      keep_(std::move(*arrivals), join_rate);
  }

  record::Verification verify_barrier() {
    if (one_clock()) return verdict(world_.passages("verify " + name_));
    record::Verification result;
    result.reason = "the clocks of different hosts do not tell who left a barrier first";
    return result;
  }

  // From the word of rank 0 on until the slowest rank is through; what sending the word takes is outside.
  device::Interval time(const std::function<void()>& work) override {
    ran_ = false;
    slowest_ = 0;
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> host = std::chrono::steady_clock::now() - begin;
    return {ran_ ? slowest_ : host.count(), host.count()};
  }
  void flush_caches() override { ask(Ask::flush, "flush"); }

  World& world_;
  collectives::Job job_;
  std::string name_;
  bool alike_;
  Keep keep_;
  std::int32_t id_;
  double slowest_ = 0;
  bool ran_ = false;
};

std::optional<std::string> unsupported_by_processes(const Operation& operation, const record::Point& point) {
  if (engine_of(point) == "nccl") return unsupported(operation, point);
  const collectives::Job job = job_of(operation, point);
  const collectives::Algorithm* const algorithm = algorithm_of(job);
  if (algorithm != nullptr && algorithm->needs_one_memory)
    return "processes do not see each other's memory: algorithm direct is for --engine threads";
  if (algorithm == &collectives::central) return "between processes the communicator's barrier is algorithm library";
  if (algorithm == nullptr)
    if (const char* const lacks = collectives::mpi::library_lacks(operation.collective, job.rule.type, job.in_place))
      return lacks;
  return unsupported(operation, point);
}

// The library's, and the first of ours that passes messages.
std::string usual_algorithms(const Operation& operation) {
  for (const collectives::Algorithm* algorithm : operation.algorithms())
    if (!algorithm->needs_one_memory && algorithm != &collectives::central)
      return fmt::format("{}{}", operation.collective == Collective::sendrecv ? "" : "library,", algorithm->name);
  return "library";
}

std::vector<record::Rank> entries_of(const World& world) {
  std::vector<record::Rank> all;
  for (const auto& each : world.ranks()) {
    record::Rank rank{each.rank, each.host, each.pid, std::nullopt};
    if (each.cpu >= 0) rank.cpu = each.cpu;
    if (each.gpu[0] != 0) rank.gpu = fmt::format("{} ({})", each.gpu, each.uuid);
    all.push_back(std::move(rank));
  }
  return all;
}

// A working set per rank is what its caches see; ranks have caches of their own or share them, as the host has it.
Definition of_processes(Definition definition, const Operation& operation, World& world) {
  for (Axis& axis : definition.axes) {
    if (axis.name == "ranks") axis.most = std::max<std::int64_t>(world.size(), 1);
    if (axis.name == "algorithm") axis.fallback = usual_algorithms(operation);
  }
  definition.unsupported = [&operation](const record::Point& point) {
    return unsupported_by_processes(operation, point);
  };
  const auto trail = std::make_shared<Trail>();
  const auto prepare = [&operation, &world, trail](const record::Point& point, std::uint64_t seed, Fill fill,
                                                   const std::string& device) -> std::unique_ptr<Case> {
    world.join();
    if (world.gpu() && !world.gpu()->absent.empty()) throw device::Absent(world.gpu()->absent);
    collectives::Job job = job_of(operation, point);
    job.seed = seed;
    job.zero = fill == Fill::zero;
    auto keep = [&operation, &world, trail, point, device](Arrivals arrivals, std::optional<double> join_rate) {
      trail->keep(operation, point, device, {entries_of(world), std::move(arrivals), join_rate});
    };
    return std::make_unique<ProcessesCase>(world, job, fmt::format("{} {}", operation.name, point.to_text()),
                                           ranks_alike(operation, job), std::move(keep));
  };
  definition.prepare_cpu = [prepare](CpuContext& context, const record::Point& point) {
    return prepare(point, context.seed, context.fill, context.device.name().text());
  };
  if (definition.prepare_cuda)
    definition.prepare_cuda = [prepare, &world](CudaContext& context, const record::Point& point) {
      if (!world.gpu()) throw device::Absent("ranks are processes on CPUs here: --device cuda makes them GPUs");
      return prepare(point, context.seed, context.fill, world.gpu()->name);
    };
  const auto plain = analysis(operation, trail);
  auto with_ranks = std::make_shared<Analysis>(*plain);
  with_ranks->conclude = [plain, &world](std::span<record::Record> records) {
    auto findings = plain->conclude(records);
    if (!world.ranks().empty() && world.oversubscribed())
      for (record::Record& record : records)
        if (record.status == record::Status::ok) {
          record.status = record::Status::suspect;
          record.reason = "oversubscribed: more ranks on a host than CPUs that they may use";
        }
    return findings;
  };
  definition.analysis = std::move(with_ranks);
  return definition;
}

}  // namespace

Registry of_processes(const Registry& registry, World& world) {
  Registry mine;
  for (const Definition& definition : registry)
    for (const Operation& operation : collectives::all_operations())
      if (definition.name == operation.name) mine.push_back(of_processes(definition, operation, world));
  return mine;
}

void add_ranks(record::Report& report, const World& world) {
  for (const record::Rank& rank : entries_of(world)) entry_of(report.ranks, rank);
  if (!world.library().empty()) report.machine.software.libraries["mpi"] = world.library();
}

}  // namespace ridge::bench::collective
