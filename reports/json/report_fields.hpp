// The keys of the machine's three tiers and of the report as a whole, for the writer and the reader alike.
#pragma once

#include "reports/json/fields.hpp"

namespace ridge::json {

template <class A, Is<record::Cache> T>
void describe(A& a, T& cache) {
  a.required("level", cache.level);
  a("kind", cache.kind);
  a.required("bytes", cache.bytes);
  a("instances", cache.instances);
  a("line", cache.line);
}

template <class A, Is<record::GpuIdentity> T>
void describe(A& a, T& gpu) {
  a.required("model", gpu.model);
  a("memory_bytes", gpu.memory_bytes);
  a("compute_capability", gpu.compute_capability);
  a("mig", gpu.mig);
  a("link_generation", gpu.link_generation);
  a("link_width", gpu.link_width);
}

template <class A, Is<record::Identity> T>
void describe(A& a, T& identity) {
  a("cpu_model", identity.cpu_model);
  a("architecture", identity.architecture);
  a("sockets", identity.sockets);
  a("cores_used", identity.cores_used);
  a("numa_nodes", identity.numa_nodes);
  a("caches", identity.caches);
  a("memory_class", identity.memory_class);
  a("gpus", identity.gpus);
}

template <class A, Is<record::Software> T>
void describe(A& a, T& software) {
  a("kernel", software.kernel);
  a("os", software.os);
  a("governor", software.governor);
  a("libc", software.libc);
  a("driver", software.driver);
  a("cuda", software.cuda);
  a("transparent_huge_pages", software.transparent_huge_pages);
  a("page_size", software.page_size);
  a("huge_page_sizes", software.huge_page_sizes);
  a("simd", software.simd);
  a("hypervisor", software.hypervisor);
  a("libraries", software.libraries);
  a("environment", software.environment);
  a("gpu_settings", software.gpu_settings);
}

template <class A, Is<record::Incidental> T>
void describe(A& a, T& incidental) {
  a("hostname", incidental.hostname);
  a("pid", incidental.pid);
  a("memory_free", incidental.memory_free);
  a("memory_total", incidental.memory_total);
  a("memory_limit", incidental.memory_limit);
  a("cpu_quota", incidental.cpu_quota);
  a("cgroup", incidental.cgroup);
  a("clock_hz", incidental.clock_hz);
  a("affinity", incidental.affinity);
  a("gpus", incidental.gpus);
}

template <class A, Is<record::Machine> T>
void describe(A& a, T& machine) {
  a.required("identity", machine.identity);
  a.required("software", machine.software);
  a("incidental", machine.incidental);
}

template <class A, Is<record::RankTimes> T>
void describe(A& a, T& times) {
  a.required("record", times.record);
  a("arrival", times.arrival);
  a("finish", times.finish);
  a("waited", times.waited);
  a("awaited", times.awaited);
  a("late", times.late);
}

template <class A, Is<record::Rank> T>
void describe(A& a, T& rank) {
  a.required("rank", rank.rank);
  a.required("host", rank.host);
  a.required("pid", rank.pid);
  a("cpu", rank.cpu);
  a("times", rank.times);
  a("gpu", rank.gpu);
}

template <class A, Is<record::Report> T>
void describe(A& a, T& report) {
  a.required("tool", report.tool);
  a.required("command", report.command);
  a.required("started", report.started);
  a.required("duration", report.duration);
  a("seed", report.seed);
  a("interrupted", report.interrupted);
  a.required("machine", report.machine);
  a("ranks", report.ranks);
  a.required("records", report.records);
  a("findings", report.findings);
}

}  // namespace ridge::json
