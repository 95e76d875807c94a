// A report with one record of every status and every field filled, for tests of what reads and writes reports.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reports/record/report.hpp"

namespace ridge::test {

inline record::Metric metric(std::string name, double value, record::Unit unit, record::Better better) {
  record::Metric made;
  made.name = std::move(name);
  made.value = value;
  made.unit = unit;
  made.better = better;
  return made;
}

// Bandwidth of one size of a kernel, with samples around the figure; `peak` 0 for none.
inline record::Record bandwidth_record(const std::string& kernel, std::int64_t size, double bytes_per_second,
                                       double peak = 21.4e9) {
  record::Record r;
  r.benchmark = "bandwidth." + kernel;
  r.point.set("size", size);
  r.point.set("dtype", std::string{"f64"});
  r.point.set("threads", std::int64_t{2});
  r.device = "cpu";
  r.status = record::Status::ok;
  r.work.bytes_read = 2 * size;
  r.work.bytes_written = size;
  r.work.operations = size / 4;
  r.work.items = size / 8;
  r.work.counting = "STREAM: each array once, no write-allocate";
  r.method = {"warm", "random", 12, 3, 2.5e-8, 3 * size, std::string{"memory"}, 4096};
  const double seconds = 3.0 * static_cast<double>(size) / bytes_per_second;
  for (const double wobble : {1.0, 1.004, 0.998, 1.011, 0.999}) r.samples.push_back(seconds * wobble);
  r.statistics = {5,    seconds, 1.0024 * seconds, 0.998 * seconds, 1.011 * seconds, 0.005 * seconds, 0.005 * seconds,
                  0.005};
  auto bandwidth = metric("bandwidth", bytes_per_second, record::Unit::bytes_per_second, record::Better::higher);
  if (peak > 0) {
    bandwidth.peak = record::Peak{peak, "measured in this run: bandwidth.read"};
    bandwidth.percent_of_peak = 100 * bytes_per_second / peak;
  }
  r.metrics = {bandwidth, metric("time", seconds, record::Unit::seconds, record::Better::lower)};
  r.verification = {record::Check::passed, "", size / 8, 0.0, 2.2e-16};
  r.conditions = {2.9e9, 54.5, 31.0, false, std::string{"none"}, false, 0.01, 3, 0.25};
  r.reproduce = "ridge bandwidth " + kernel + " --size " + std::to_string(size) + " --dtype f64 --threads 2";
  return r;
}

inline record::Record without_number(std::string benchmark, record::Status status, std::string reason) {
  record::Record r;
  r.benchmark = std::move(benchmark);
  r.point.set("size", std::int64_t{1} << 40U);
  r.device = status == record::Status::skipped ? "cuda:0" : "cpu";
  r.status = status;
  r.reason = std::move(reason);
  if (status == record::Status::failed) r.failure = record::Failure::measurement;
  r.verification.reason = "not reached";
  r.reproduce = "ridge bandwidth --size 1TiB";
  return r;
}

inline record::Machine sample_machine() {
  record::Machine m;
  m.identity = {"Example CPU 3000 @ 2.90GHz", "x86_64", 1, 2, 1, {}, "32 GiB", {}};
  m.identity.caches = {{1, "data", 32768, 2, 64}, {2, "unified", 1048576, 2, 64}};
  m.identity.gpus = {{"Example GPU", std::int64_t{80} << 30U, "9.0", "1g.10gb", 5, 16}};
  m.software.kernel = "6.1.0";
  m.software.os = "Debian GNU/Linux 12";
  m.software.governor = "performance";
  m.software.libc = "glibc 2.36";
  m.software.driver = "550.54";
  m.software.cuda = "12.4";
  m.software.transparent_huge_pages = "madvise";
  m.software.page_size = 4096;
  m.software.huge_page_sizes = {2097152, 1073741824};
  m.software.simd = {"AVX3", "AVX2"};
  m.software.hypervisor = "kvm";
  m.software.libraries = {{"openblas", "0.3.21"}};
  m.software.environment = {{"OMP_NUM_THREADS", "2"}};
  m.software.gpu_settings = {{"cuda:0", "power limit 700 W"}};
  m.incidental = {"node-1", 4242, 1 << 30, 2 << 29, 3 << 29,
                  1.5,      "v2", 2.9e9,   {0, 1},  {{"cuda:0", "GPU-1, 0000:3b:00.0"}}};
  return m;
}

inline record::Report sample_report() {
  record::Report report;
  report.tool = {"ridge", "0.1.0", "0123456789ab", "Release", "GNU 12.2.0", {"compute_80", "sm_90"}};
  report.command = "ridge run --suite quick";
  report.started = "2025-01-02T03:04:05Z";
  report.duration = 42.5;
  report.seed = 18446744073709551615U;
  report.machine = sample_machine();
  report.ranks = {
      {0, "node-1", 4711, 2, {{"allreduce size=8 on cpu", 1e-6, 2e-6, 3e-6, 4e-6, true}}},
      {1, "node-2", 815, std::nullopt, {{"allreduce size=8 on cpu", {}, {}, 7e-6, 0, false}}, "cuda:1 (GPU-7)"}};
  report.records = {
      bandwidth_record("triad", 536870912, 19.9e9), bandwidth_record("copy", 4096, 180.1e9, 0),
      without_number("bandwidth.triad", record::Status::failed, "out of memory: needs 3 TiB, 30 GiB free"),
      without_number("bandwidth.copy", record::Status::skipped, "libcuda.so.1: not found"),
      without_number("bandwidth.add", record::Status::not_run, "the run was interrupted")};
  auto suspect = bandwidth_record("add", 536870912, 23.1e9);
  suspect.status = record::Status::suspect;
  suspect.reason = "108 % of the peak";
  report.records.push_back(suspect);
  report.findings = {{"cgroup-throttled",
                      record::Severity::warning,
                      "the CPU quota stopped this process 3 times",
                      {identity(report.records.front())}},
                     {"caches-hidden", record::Severity::note, "the machine hides its caches", {}}};
  return report;
}

// Every pair of that many GPUs by engine and by kernel, one way and both; with times, or as the reference machine has
// them. By kernel the last GPU cannot be written to.
inline record::Report pairs_report(int gpus, bool times) {
  record::Report report = sample_report();
  report.records.clear();
  report.findings.clear();
  const std::string kind = times ? "cuda:" : "ptx:";
  for (int from = 0; from < gpus; ++from)
    for (int to = 0; to < gpus; ++to)
      for (const std::string by : {"engine", "kernel"})
        for (const std::string direction : {"out", "both"}) {
          if (from == to) continue;
          record::Record r;
          r.benchmark = "transfer.peer";
          r.device = kind + std::to_string(from);
          r.point.set("size", std::int64_t{64} << 20U);
          r.point.set("peer", kind + std::to_string(to));
          r.point.set("by", by);
          r.point.set("direction", direction);
          r.status = record::Status::ok;
          r.verification.status = record::Check::passed;
          auto bandwidth = metric("bandwidth", 0, record::Unit::bytes_per_second, record::Better::higher);
          bandwidth.value.reset();
          if (times) bandwidth.value = (direction == "both" ? 700e9 : 371.5e9) + 1e9 * from + 1e8 * to;
          r.metrics = {bandwidth};
          if (times && direction == "both")
            r.metrics.push_back(metric("overlap", 0.9 + 0.01 * to, record::Unit::ratio, record::Better::higher));
          if (times && by == "kernel" && to == gpus - 1) {
            r.status = record::Status::skipped;
            r.reason = r.device + " cannot write into the memory of " + kind + std::to_string(to);
            r.metrics.clear();
          }
          if (times && by == "engine" && from == 1 && to == 0 && direction == "out") {
            r.status = record::Status::suspect;
            r.reason = "launch-limited: an interval of 1e-06 s is under 20 times an empty one of 1e-07 s";
          }
          report.records.push_back(r);
        }
  return report;
}

}  // namespace ridge::test
