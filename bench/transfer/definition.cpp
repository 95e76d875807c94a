// The table of facts of the transfer benchmarks.
#include "bench/transfer/definition.hpp"

#include "bench/transfer/prepare.hpp"

namespace ridge::bench::transfer {
namespace {

using record::Better;
using record::Point;
using record::Unit;
using Choices = std::vector<std::string>;

Axis size_axis(const char* fallback) {
  return {"size", "B", "bytes copied each way", AxisKind::bytes, fallback, {}};
}
Axis direction_axis(const char* help, const char* fallback, Choices choices) {
  return {"direction", "", help, AxisKind::choice, fallback, std::move(choices)};
}
Axis memory_axis() {
  return {"memory",         "",       "host memory: pinned, or as malloc gives it",
          AxisKind::choice, "pinned", {"pinned", "pageable"}};
}
Axis place_axis() {
  return {"place",
          "",
          "the host's memory and thread: on the memory node nearest to the GPU, or on the farthest",
          AxisKind::choice,
          "near",
          {"near", "far"}};
}

const std::vector<MetricRule> rate_and_time{{"bandwidth", Unit::bytes_per_second, Better::higher, Rate::bytes},
                                            {"time", Unit::seconds, Better::lower, Rate::time}};

// Two where both directions run at once.
std::int64_t ways_of(const Point& point) {
  return point.text("direction") == "both" ? 2 : 1;
}

record::Work work_of(const Point& point, std::int64_t gpus, const char* counting) {
  record::Work work;
  work.bytes_written = point.integer("size") * ways_of(point) * gpus;
  work.items = 1;
  work.counting = counting;
  return work;
}

// One buffer of the measured GPU for each way.
std::vector<std::int64_t> buffers_of(const Point& point) {
  return std::vector<std::int64_t>(static_cast<std::size_t>(ways_of(point)), point.integer("size"));
}

Definition host() {
  Definition d;
  d.name = "transfer.host";
  d.summary = "Copies between the host and GPUs: one direction or both, pinned or pageable, one GPU or several at once";
  d.axes = {size_axis("64Mi"),
            direction_axis("from the host, to it, or both at once", "to_device,to_host,both",
                           {"to_device", "to_host", "both"}),
            memory_axis(),
            {"gpus", "", "GPUs that copy at once, this one first", AxisKind::count, "1", {}},
            place_axis()};
  d.concurrent = Concurrent{"direction", "both", {"to_device", "to_host"}};
  d.over_a_link = true;
  d.metrics = rate_and_time;
  d.explanation = {
      "How many bytes a second the link between host and GPU carries. With direction=both every GPU copies the same "
      "amount each way at once; each direction then has a bandwidth of its own, by its own events, and overlap "
      "compares with the records of each direction alone: 1 when the shorter one costs nothing, 0 when they take "
      "turns. "
      "With several GPUs at once (--gpus) each has its own figure too; run with --device cuda they are taken one by "
      "one.",
      "bandwidth = size · directions · gpus / seconds; overlap = (alone + alone - together) / the shorter alone",
      "Each byte once, where it arrives.",
      "Pageable memory, which the driver first copies into pinned memory of its own. A link that idles at a lower "
      "generation or has lost lanes. Host memory on another node than the GPU. Other GPUs behind the same switch.",
      "Of a PCI Express link's nominal rate (lanes × transfers a second × 128/130 / 8) large pinned copies reach 80 to "
      "90 %, each way; both at once reach less than twice that. Pageable copies reach a fraction."};
  d.work = [](const Point& point) {
    return work_of(point, point.integer("gpus"),
                   "each byte once, where it arrives; both directions and all GPUs added up");
  };
  d.buffers = buffers_of;
#if RIDGE_WITH_CUDA
  d.prepare_cuda = prepare_host;
#endif
  return d;
}

Definition latency() {
  Definition d;
  d.name = "transfer.latency";
  d.summary = "Time of one small copy between the host and a GPU, one after the other";
  d.axes = {size_axis("4,4Ki,64Ki"),
            direction_axis("from the host, or to it", "to_device,to_host", {"to_device", "to_host"}), memory_axis(),
            place_axis()};
  d.over_a_link = true;
  d.metrics = {{"latency", Unit::seconds, Better::lower, Rate::items_latency}};
  d.explanation = {
      "How long one small copy takes when copies follow each other in a stream: what a program pays that moves "
      "little at a time.",
      "latency = seconds / copies", "One copy of `size` bytes, each after the one before.",
      "Pageable memory: the call itself then waits. A link that sleeps.",
      "One to a few microseconds, hardly more for 4 KiB than for 4 bytes; from where the link's bandwidth "
      "counts, it grows with the size."};
  d.work = [](const Point& point) { return work_of(point, 1, "each byte once, where it arrives"); };
  d.buffers = buffers_of;
#if RIDGE_WITH_CUDA
  d.prepare_cuda = [](CudaContext& context, const Point& point) {
    Point with_one_gpu = point;
    with_one_gpu.set("gpus", std::int64_t{1});
    return prepare_host(context, with_one_gpu);
  };
#endif
  return d;
}

Definition peer() {
  Definition d;
  d.name = "transfer.peer";
  d.summary = "Copies from one GPU to another, by copy engine or by a kernel, one way or both at once";
  d.axes = {size_axis("64Mi"),
            {"peer", "", "the other GPU", AxisKind::device, "all", {}},
            {"by",
             "",
             "what copies: the copy engine, or a kernel that writes into the other's memory",
             AxisKind::choice,
             "engine,kernel",
             {"engine", "kernel"}},
            direction_axis("away from this GPU, or both ways at once", "out,both", {"out", "both"})};
  d.metrics = rate_and_time;
  d.over_a_link = true;
  d.concurrent = Concurrent{"direction", "both", {"out", "out"}, "peer"};
  d.explanation = {
      "How many bytes a second go from this GPU to another. With several GPUs (--device cuda) the records make the "
      "matrix of all pairs. With direction=both each way has a bandwidth of its own, and overlap compares with each "
      "way alone, of which the way back is the other GPU's record.",
      "bandwidth = size · directions / seconds; overlap = (out alone + back alone - together) / the shorter alone",
      "Each byte once, where it arrives. Every pair has a pattern of its own, checked at the destination.",
      "No peer access: the driver then goes through the host, and the record is of that. Switches shared with other "
      "pairs.",
      "NVLink pairs reach some 80 to 90 % of their links' nominal rate, PCI Express pairs what transfer.host reaches "
      "or less."};
  d.work = [](const Point& point) { return work_of(point, 1, "each byte once, where it arrives"); };
  d.buffers = buffers_of;
  d.unsupported = [](const Point& point) -> std::optional<std::string> {
    if (point.text("by") == "kernel" && point.integer("size") % 8 != 0) return "the kernel copies 8 bytes at a time";
    return std::nullopt;
  };
#if RIDGE_WITH_CUDA
  d.prepare_cuda = prepare_peer;
#endif
  return d;
}

}  // namespace

std::vector<Definition> definitions() {
  return {host(), latency(), peer()};
}

}  // namespace ridge::bench::transfer
