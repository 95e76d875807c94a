// Points and work.
#include "collectives/family/points.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::bench::collective {

using collectives::Extent;
using collectives::Job;
using collectives::Operation;

namespace {

// Arrays of all ranks together from which no second-level cache holds the results: they are written past the caches.
constexpr std::int64_t beyond_caches = std::int64_t{16} << 20;

std::string text_of(const record::Point& point, const char* axis, const char* otherwise) {
  return point.find(axis) == nullptr ? otherwise : point.text(axis);
}

reduce::Rule rule_of(const record::Point& point) {
  return {reduce::op_from(text_of(point, "op", "sum")).value_or(reduce::Op::sum),
          reduce::type_from(text_of(point, "dtype", "f32")).value_or(reduce::Type::f32)};
}

// Where each rank's result is written once, to where it stays, and not read soon.
bool written_once(const Operation& operation, const collectives::Algorithm* algorithm) {
  return algorithm != nullptr &&
         (algorithm->needs_one_memory || operation.collective == collectives::Collective::alltoall ||
          operation.collective == collectives::Collective::sendrecv);
}

}  // namespace

int ranks_of(const record::Point& point) {
  return static_cast<int>(point.integer("ranks"));
}

bool in_place(const record::Point& point) {
  return text_of(point, "place", "out") == "in";
}

std::string engine_of(const record::Point& point) {
  return text_of(point, "engine", "nccl");
}

Job job_of(const Operation& operation, const record::Point& point) {
  Job job;
  job.collective = operation.collective;
  job.ranks = ranks_of(point);
  job.rule = rule_of(point);
  // A broadcast has one array on each rank, which is the input of one and the output of the others.
  job.in_place = in_place(point);
  job.algorithm = collectives::by_library;
  const auto algorithms = operation.algorithms();
  for (std::size_t i = 0; i < algorithms.size(); ++i)
    if (algorithms[i]->name == text_of(point, "algorithm", "")) job.algorithm = static_cast<std::int32_t>(i);
  if (point.find("size") != nullptr) {
    const std::int64_t unit = reduce::bytes_of(job.rule.type) * (operation.splits ? job.ranks : 1);
    job.count = point.integer("size") / unit * (operation.splits ? job.ranks : 1);
  }
  const std::int64_t arrays = static_cast<std::int64_t>(job.ranks) * 2 * job.count * reduce::bytes_of(job.rule.type);
  job.rule.past_caches = written_once(operation, algorithm_of(job)) && arrays > beyond_caches;
  return job;
}

std::int64_t bytes_of(const Operation& operation, const record::Point& point) {
  const Job job = job_of(operation, point);
  return job.count * reduce::bytes_of(job.rule.type);
}

// In bytes of all ranks together, what the operation must do at least: each input is read, each output written, and
// n − 1 elements are joined for each element of the sum. In a broadcast rank 0's array is both.
record::Work work(const Operation& operation, const record::Point& point) {
  const Job job = job_of(operation, point);
  const std::int64_t bytes = job.count * reduce::bytes_of(job.rule.type);
  const std::int64_t n = job.ranks;
  const auto all = [&](Extent extent) {
    return n * collectives::elements(extent, job.count, job.ranks) * reduce::bytes_of(job.rule.type);
  };
  record::Work work;
  work.items = 1;
  if (operation.collective == collectives::Collective::barrier) {
    work.counting = "one passage of all ranks; no byte is moved";
    return work;
  }
  work.bytes_read = all(operation.in);
  work.bytes_written = all(operation.out);
  if (operation.collective == collectives::Collective::broadcast) {
    work.bytes_read = bytes;
    work.bytes_written = (n - 1) * bytes;
  }
  if (operation.collective == collectives::Collective::reduce) work.bytes_written = bytes;
  if (operation.joins) work.operations = (n - 1) * job.count;
  work.counting = "each rank's input read once and its result written once, whatever the algorithm moves besides";
  if (operation.joins) work.counting += "; n - 1 operations for each element of the sum";
  return work;
}

std::vector<std::int64_t> buffers(const Operation& operation, const record::Point& point) {
  const Job job = job_of(operation, point);
  std::vector<std::int64_t> all;
  const bool one_memory = engine_of(point) == "threads";  // else each rank has its own
  for (int r = 0; r < (one_memory ? job.ranks : 1); ++r)
    for (const std::int64_t bytes : buffer_bytes(job)) all.push_back(bytes);
  return all;
}

std::optional<std::string> unsupported(const Operation& operation, const record::Point& point) {
  const Job job = job_of(operation, point);
  if (reduce::is_eight_bit(job.rule.type) && engine_of(point) != "nccl")
    return "eight-bit types are NCCL's, between GPUs: no CPU joins them at a rate worth measuring";
  if (operation.out != Extent::none && job.count == 0) {
    if (!operation.splits)
      return fmt::format("a size of {} bytes is below one element of {} bytes", point.integer("size"),
                         reduce::bytes_of(job.rule.type));
    return fmt::format("a size of {} bytes is below one element of {} bytes for each of {} ranks",
                       point.integer("size"), reduce::bytes_of(job.rule.type), job.ranks);
  }
  return std::nullopt;
}

std::optional<std::string> unsupported_by_threads(const Operation& operation, const record::Point& point) {
  if (engine_of(point) == "nccl") return unsupported(operation, point);
  if (engine_of(point) != "threads")
    return "the mpi engine measures alone: --engine mpi, or mpirun or srun in front of the command";
  if (job_of(operation, point).algorithm == collectives::by_library)
    return "there is no library between threads: algorithm library is for --engine mpi";
  return unsupported(operation, point);
}

std::optional<double> join_rate_of(const Job& job, std::span<const std::optional<double>> seconds) {
  double slowest = 0;
  for (const auto& each : seconds) {
    if (!each) return std::nullopt;
    slowest = std::max(slowest, *each);
  }
  if (slowest <= 0) return std::nullopt;
  return static_cast<double>(join_count(job) * reduce::bytes_of(job.rule.type)) / slowest;
}

bool ranks_alike(const Operation& operation, const Job& job) {
  const collectives::Algorithm* const algorithm = algorithm_of(job);
  if (algorithm != nullptr) return are_alike(*algorithm, job.ranks);
  return operation.collective != collectives::Collective::broadcast &&
         operation.collective != collectives::Collective::reduce;
}

}  // namespace ridge::bench::collective
