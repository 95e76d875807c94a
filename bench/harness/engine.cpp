// The run: one arena per device, one window after the other, every finished sample kept at once.
#include "bench/harness/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "bench/harness/derive.hpp"
#include "bench/harness/gpu_conditions.hpp"
#include "bench/harness/loop.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/order.hpp"
#include "bench/harness/parts.hpp"
#include "bench/harness/proof.hpp"
#include "bench/harness/statistics.hpp"
#include "bench/harness/told.hpp"
#include "kernels/device/cpu/device.hpp"

namespace ridge::bench {
namespace {

using record::Record;
using record::Status;

constexpr double launch_limited_factor = 20.0;

// Ranks that are processes are none of this process' threads.
bool by_processes(const record::Point& point) {
  const record::Value* const engine = point.find("engine");
  return engine != nullptr && *engine == record::Value(std::string("mpi"));
}

// A case of the window with the record it fills.
struct Member {
  const Definition* definition = nullptr;
  Record* record = nullptr;
  std::unique_ptr<Case> prepared;
  Pace pace;
  std::string error;  // of a sample, once one went wrong
  std::unique_ptr<ConditionSampler> sampler;
  GpuConditions gpu;  // of the samples on one
  PartSamples parts;  // of what ran at once
  std::optional<device::Counted> counted;
  Proof proof;                        // where it was counted
  std::optional<int> oversubscribed;  // the usable cores, where the case takes more threads than those
  std::vector<Figure> figures;        // that the case computed itself
  std::vector<Moment> moments;        // one an interval
  [[nodiscard]] bool active() const { return prepared != nullptr && record->status == Status::not_run; }
};

class Run {
 public:
  Run(const Plan& plan, const Settings& settings, const Hooks& hooks, Observer& observer)
      : plan_(plan), settings_(settings), hooks_(hooks), observer_(observer) {
    for (const PlannedCase& planned : plan.cases) records_.push_back(planned.draft);
    for (const Window& window : plan.windows)
      planned_samples_ += window.cases.size() * static_cast<std::size_t>(settings.rounds);
  }

  std::vector<Record> all() {
    for (const Window& window : plan_.windows) run_window(window);
    assign_measured_peaks(records_);
    for (std::size_t i = 0; i < records_.size(); ++i)
      if (const auto& concurrent = plan_.cases[i].definition->concurrent)
        assign_overlap(records_[i], *concurrent, records_);
    return std::move(records_);
  }

 private:
  Stop stop() const {
    if (hooks_.interrupted()) return Stop::interrupted;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begun_;
    return settings_.timeout && passed.count() > *settings_.timeout ? Stop::timed_out : Stop::none;
  }

  void run_window(const Window& window) {
    std::vector<Member> members;
    for (const std::size_t index : window.cases)
      members.push_back(
          {plan_.cases[index].definition, &records_[index], nullptr, {}, {}, nullptr, {}, {}, {}, {}, {}, {}, {}});
    try {
      const OpenedDevice device = hooks_.open(window.device);
      device::Arena& arena = arena_of(window.device, *device.base);
      arena.reset();
      for (Member& member : members) make_ready(member, device, arena);
      measure(members, window.device);
    } catch (const std::exception& error) {  // the device itself, or its memory: no case of this window can go on
      for (Member& member : members)
        if (member.record->status == Status::not_run) fail(member, error.what());
    }
    for (Member& member : members) conclude(member);
  }

  device::Arena& arena_of(const device::Name& name, device::Device& device) {
    auto& arena = arenas_[name.text()];
    if (!arena) {
      std::int64_t bytes = 0;
      for (const Window& window : plan_.windows)
        if (window.device == name) bytes = std::max(bytes, window.arena_bytes);
      arena = device.make_arena(bytes);
    }
    return *arena;
  }

  void make_ready(Member& member, const OpenedDevice& device, device::Arena& arena) {
    if (stop() != Stop::none) return;
    observer_.preparing(*member.record);
    Record& record = *member.record;
    try {
      if (device.cuda) {
        CudaContext context{*device.cuda, arena, settings_.seed, settings_.fill};
        member.prepared = member.definition->prepare_cuda(context, record.point);
      } else {
        if (!by_processes(record.point) && threads_of(record.point).value_or(1) > device.cpu->usable_threads())
          member.oversubscribed = device.cpu->usable_threads();
        CpuContext context{*device.cpu, arena, settings_.seed, settings_.fill};
        member.prepared = member.definition->prepare_cpu(context, record.point);
      }
      record.method.page_size = member.prepared->page_size();
      if (!record.method.page_size) record.method.page_size = arena.page_size();
      if (auto work = member.prepared->work()) record.work = std::move(*work);
      record.verification = member.prepared->verify();
      if (record.verification.status == record::Check::failed) {
        fail(member, "wrong answer: " + record.verification.reason);
        record.failure = record::Failure::wrong_answer;
        return;
      }
      if (auto* const tells = dynamic_cast<TellsFigures*>(member.prepared.get())) member.figures = tells->figures();
      if (!member.prepared->stream().has_clock()) return count(member, *device.base);
      if (stop() != Stop::none) return;  // a check may be long: no interval begins after it
      record.method.empty_interval = empty_interval(member.prepared->stream());
      member.pace = warm_up(*member.prepared, settings_, [this] { return stop() != Stop::none; });
      record.method.repetitions = member.pace.repetitions;
      record.method.intervals = member.pace.intervals;
      if (hooks_.conditions) {
        auto clock = hooks_.clock;
        if (device.cuda) clock = [this, name = device.base->name()] { return gpu_clock(name); };
        member.sampler = std::make_unique<ConditionSampler>(hooks_.conditions, clock);
      }
    } catch (const device::Absent& absent) {
      record.status = Status::skipped;
      record.reason = absent.what();
    } catch (const std::exception& error) {
      fail(member, error.what());
    }
  }

  void count(Member& member, const device::Device& device) {
    if (!hooks_.count) return;
    Case& prepared = *member.prepared;
    member.counted = hooks_.count(device.name(), [&] { prepared.stream().time([&] { prepared.run(1); }); });
    if (!member.counted) return;
    if (member.definition->in_shared_memory) member.counted = of_shared_memory(*member.counted);
    member.counted = with_operations(*member.counted, member.definition->metrics);
    member.proof = prove(member.record->work, prepared.besides_work(), *member.counted);
  }

  std::optional<double> gpu_clock(const device::Name& name) const {
    return hooks_.gpu_clock ? hooks_.gpu_clock(name) : std::nullopt;
  }

  void measure(std::vector<Member>& members, const device::Name& name) {
    std::vector<SampleTask> tasks;
    for (const Turn& turn : make_order(members.size(), settings_.rounds, settings_.seed)) {
      Member& member = members[turn.member];
      if (!member.active() || !member.prepared->stream().has_clock()) continue;
      SampleTask task;
      task.name = fmt::format("{}#{}", turn.member, turn.round);
      task.intervals = member.pace.intervals;
      task.interval = [this, &member, &name] { return guarded_interval(member, name); };
      task.done = [this, &member](double seconds) { keep(member, seconds); };
      tasks.push_back(std::move(task));
    }
    run_in_order(tasks, [this] { return stop() != Stop::none; });
  }

  double guarded_interval(Member& member, const device::Name& name) {
    if (!member.error.empty()) return 0.0;
    try {
      if (member.sampler) member.sampler->begin();
      const double seconds = measure_interval(*member.prepared, settings_, member.pace);
      if (member.sampler) member.sampler->end();
      member.parts.add(member.prepared->parts());
      note_moment(member, name);
      return seconds;
    } catch (const std::exception& error) {  // must not pass through the library's frames
      member.error = error.what();
      return 0.0;
    }
  }

  // Of a GPU's record the power is the GPU's.
  void note_moment(Member& member, const device::Name& name) {
    Moment moment = member.sampler ? member.sampler->last() : Moment{};
    if (name.kind != device::Kind::cpu) moment.power_w.reset();
    if (name.kind == device::Kind::cuda && hooks_.gpu_sample) {
      const gpus::Sample sample = hooks_.gpu_sample(name);
      member.gpu.add(sample);
      moment.power_w = sample.power_w;
    }
    member.moments.push_back(moment);
  }

  void keep(Member& member, double seconds_per_interval) {
    ++samples_done_;
    if (member.error.empty())
      member.record->samples.push_back(seconds_per_interval / static_cast<double>(member.pace.repetitions));
    observer_.sampled(*member.record, samples_done_, planned_samples_);
  }

  static void fail(Member& member, const std::string& why) {
    member.record->status = Status::failed;
    member.record->failure = record::Failure::measurement;
    member.record->reason = why;
  }

  void conclude(Member& member) {
    Record& record = *member.record;
    record.statistics = summarise(record.samples);
    record.metrics = derive(member.definition->metrics, record.work, record.statistics);
    assign_figures(record.metrics, member.figures);
    for (record::Metric& metric : member.parts.metrics()) record.metrics.push_back(std::move(metric));
    if (member.pace.warm_seconds)  // cold beside warm in one record; what arithmetic takes shows in a cache only
      record.metrics.push_back({"warm_time", member.pace.warm_seconds, record::Unit::seconds, record::Better::neither,
                                std::nullopt, std::nullopt});
    if (member.sampler) record.conditions = member.sampler->conditions();
    if (record.device != "cpu") record.conditions.power_w.reset();
    member.gpu.tell(record.conditions);
    if (plan_.cases.size() == 1) assign_sustained(record, member.moments);  // rounds of several interleave
    if (member.counted)
      for (record::Metric& metric : counted_metrics(member.proof, *member.counted))
        record.metrics.push_back(std::move(metric));
    if (record.status != Status::not_run) return;
    if (!member.error.empty()) return fail(member, member.error);
    const bool clocked = !member.prepared || member.prepared->stream().has_clock();
    if (clocked && record.samples.size() < static_cast<std::size_t>(settings_.rounds)) return cut_short(record);
    record.status = Status::ok;
    const double interval = record.statistics.median.value_or(0) * static_cast<double>(record.method.repetitions);
    if (clocked && record.method.empty_interval && interval < launch_limited_factor * *record.method.empty_interval) {
      record.status = Status::suspect;
      record.reason = fmt::format("launch-limited: an interval of {:.3g} s is under {} times an empty one of {:.3g} s",
                                  interval, launch_limited_factor, *record.method.empty_interval);
    }
    judge_against_peak(record);
    if (record.status == Status::ok && member.counted && !member.proof.proven) {
      record.status = Status::suspect;
      record.reason = "the stated work is not what was executed: " + member.proof.difference;
    }
    if (record.status == Status::ok && member.gpu.mostly_throttled()) {
      record.status = Status::suspect;
      record.reason = "the GPU was throttled: " + member.gpu.reasons();
    }
    if (record.status == Status::ok && record.conditions.cgroup_throttled.value_or(false)) {
      record.status = Status::suspect;
      record.reason = "throttled by the CPU quota of its control group while it was measured";
    }
    if (record.status == Status::ok && member.oversubscribed) {
      record.status = Status::suspect;
      record.reason = fmt::format("oversubscribed: more threads than the {} usable cores", *member.oversubscribed);
    }
  }

  void cut_short(Record& record) const {
    const bool timed_out = stop() == Stop::timed_out;
    const char* why = timed_out ? "time-out" : "interrupted";
    if (timed_out) record.failure = record::Failure::measurement;  // what was asked for was not measured
    if (record.samples.empty()) {
      record.reason = fmt::format("{} before its turn", why);
      return;
    }
    record.status = Status::suspect;
    record.reason = fmt::format("{} after {} of {} rounds", why, record.samples.size(), settings_.rounds);
  }

  const Plan& plan_;
  const Settings& settings_;
  const Hooks& hooks_;
  Observer& observer_;
  std::vector<Record> records_;
  std::map<std::string, std::unique_ptr<device::Arena>> arenas_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::size_t samples_done_ = 0;
  std::size_t planned_samples_ = 0;
};

}  // namespace

std::vector<Record> run(const Plan& plan, const Settings& settings, const Hooks& hooks, Observer& observer) {
  return Run(plan, settings, hooks, observer).all();
}

}  // namespace ridge::bench
