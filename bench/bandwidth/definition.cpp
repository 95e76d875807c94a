// The table of facts of the bandwidth benchmarks, from which options, help, plans and reports follow.
#include "bench/bandwidth/definition.hpp"

#include <fmt/format.h>

#include <string>

#include "bench/bandwidth/prepare.hpp"

namespace ridge::bench::bandwidth {
namespace {

using stream::Facts;
using stream::Op;

std::string summary(const Facts& f) {
  if (f.op == Op::dot) return "Reads two arrays and adds up their products";
  if (f.op == Op::read) return "Reads one array and nothing else";
  if (f.op == Op::write) return "Fills one array and reads nothing";
  if (f.op == Op::memcpy) return "Copies one array by the C library, on a GPU by the driver";
  return fmt::format("STREAM {}: {}", f.name, f.formula);
}

std::vector<Axis> axes(const Facts& f) {
  std::vector<Axis> all{
      {"size", "B", "bytes of each array, or a level: L1, L2, L3, memory", AxisKind::bytes, "memory", {}},
      {"dtype", "", "type of the elements", AxisKind::choice, "f64", {"f64", "f32"}},
      {"threads",
       "",
       "threads that share the arrays, each on a CPU of its own",
       AxisKind::count,
       "all",
       {},
       device::Kind::cpu},
  };
  all.push_back({"gpus",
                 "",
                 "GPUs at work at once, each on arrays of its own, this one first",
                 AxisKind::count,
                 "1",
                 {},
                 device::Kind::cuda});
  if (f.chooses_stores)
    all.push_back({"stores",
                   "",
                   "how results leave the core: past the caches, or through them (which reads the target first)",
                   AxisKind::choice,
                   "nontemporal",
                   {"nontemporal", "ordinary"},
                   device::Kind::cpu});
  if (f.chooses_stores) all.back().in_cache = "ordinary";  // a store past the caches would measure memory
  return all;
}

std::string counting(const Facts& f) {
  const std::string arrays =
      f.arrays_read == 0      ? std::string("one array written")
      : f.arrays_written == 0 ? fmt::format("{} read", f.arrays_read == 1 ? "one array" : "two arrays")
                              : fmt::format("{} read and one written", f.arrays_read == 1 ? "one array" : "two arrays");
  return fmt::format(
      "STREAM: {}, each element once; the read that an ordinary store causes (write-allocate) is not counted", arrays);
}

record::Work work(const Facts& f, const record::Point& point) {
  const std::int64_t count = element_count(point) * gpu_count(point);
  const std::int64_t bytes = count * element_bytes(point);
  record::Work work;
  work.bytes_read = f.arrays_read * bytes;
  work.bytes_written = f.arrays_written * bytes;
  work.operations = f.operations * count;
  work.items = count;
  work.counting = counting(f) + (gpu_count(point) > 1 ? "; all GPUs added up" : "");
  return work;
}

std::vector<std::int64_t> buffers(const Facts& f, const record::Point& point) {
  const std::int64_t bytes = element_count(point) * element_bytes(point) + guard_bytes;
  return std::vector<std::int64_t>(static_cast<std::size_t>(f.arrays_read + f.arrays_written), bytes);
}

std::optional<std::string> unsupported(const record::Point& point) {
  if (element_count(point) > 0) return std::nullopt;
  return fmt::format("a size of {} bytes is below one element of {} bytes", point.integer("size"),
                     element_bytes(point));
}

Explanation explanation(const Facts& f) {
  const int arrays = f.arrays_read + f.arrays_written;
  Explanation text;
  text.measures = fmt::format(
      "How many bytes a second the memory level that the arrays sit in delivers to {} ({}). {}",
      "all the threads together", f.formula,
      f.op == Op::read     ? "Reading alone is the fastest traffic there is: no stores, no turning of the memory bus."
      : f.op == Op::write  ? "Writing alone shows what stores cost."
      : f.op == Op::dot    ? "The sum depends on every element, so nothing can be left out."
      : f.op == Op::memcpy ? "The C library chooses instructions and kind of stores by itself, and other than `copy` "
                             "it may read less far "
                             "ahead: compare the two."
                           : "No element is used twice, so no cache can help with arrays larger than it.");
  text.measures +=
      " With several GPUs at once (--gpus) each has a figure of its own too; run with --device cuda they are taken one "
      "by one.";
  text.formula =
      fmt::format("bandwidth = {} · n · bytes of an element / seconds, n = size / bytes of an element", arrays);
  text.counting =
      counting(f) +
      (f.chooses_stores
           ? fmt::format(
                 ". With ordinary stores the hardware moves {} arrays where {} are counted, unless it recognises "
                 "whole-line writes; with non-temporal stores it moves what is counted.",
                 arrays + 1, arrays)
           : ".");
  text.spoil =
      "Arrays that fit in a cache (the memory level needs four times the last level). Counting the write-allocate in "
      "one "
      "figure and not in another. Fewer threads than it takes to keep the memory busy, or threads that move between "
      "CPUs. "
      "All pages on one memory node. Small pages. Anything else that runs meanwhile: memory is shared by the whole "
      "socket, "
      "on a virtual machine with strangers.";
  text.normal =
      "Of the memory's nominal rate (channels × transfers a second × 8 bytes) a whole socket reaches 75 to 90 %; one "
      "core "
      "alone reaches what its line buffers carry at the memory's latency, often 10 to 25 GB/s. copy, add and triad "
      "with "
      "non-temporal stores lie within some 15 % of each other, read above them; with ordinary stores copy loses up to "
      "a "
      "third and triad up to a quarter.";
  return text;
}

Definition define(const Facts& f) {
  Definition d;
  d.name = fmt::format("bandwidth.{}", f.name);
  d.summary = summary(f);
  d.axes = axes(f);
  d.metrics = {{"bandwidth", record::Unit::bytes_per_second, record::Better::higher, Rate::bytes},
               {"time", record::Unit::seconds, record::Better::lower, Rate::time}};
  d.explanation = explanation(f);
  d.work = [&f](const record::Point& point) { return work(f, point); };
  d.buffers = [&f](const record::Point& point) { return buffers(f, point); };
  d.unsupported = unsupported;
  d.prepare_cpu = [op = f.op](CpuContext& context, const record::Point& point) {
    return prepare_cpu(op, context, point);
  };
#if RIDGE_WITH_CUDA
  d.prepare_cuda = [op = f.op](CudaContext& context, const record::Point& point) {
    return prepare_cuda(op, context, point);
  };
#endif
  return d;
}

}  // namespace

std::int64_t element_bytes(const record::Point& point) {
  return point.text("dtype") == "f32" ? 4 : 8;
}

std::int64_t element_count(const record::Point& point) {
  return point.integer("size") / element_bytes(point);
}

std::int64_t gpu_count(const record::Point& point) {
  return point.find("gpus") ? point.integer("gpus") : 1;
}

std::vector<Definition> definitions() {
  std::vector<Definition> all;
  for (const Facts& f : stream::all_facts()) all.push_back(define(f));
  return all;
}

}  // namespace ridge::bench::bandwidth
