// Several GPUs at once: each on its own arrays, all of them checked and counted, each with a time of its own.
#include "bench/bandwidth/cuda_together.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "bench/bandwidth/definition.hpp"
#include "bench/harness/made_points.hpp"
#include "bench/harness/proof.hpp"
#include "kernels/ptx/driver/reference.hpp"
#include "kernels/stream/stream_image.hpp"

using namespace ridge;
using namespace ridge::bench;
using device::Kind;
using fake::find;

namespace {

record::Point point_of(std::int64_t gpus, std::int64_t size = 4000) {
  record::Point point;
  point.set("size", size);
  point.set("dtype", std::string("f64"));
  point.set("gpus", gpus);
  return point;
}

struct Machine {
  explicit Machine(Kind kind = Kind::ptx, std::int64_t memory = 64 << 20)
      : reference([&] {
          ptx::ReferenceSettings settings{.gpus = 3, .memory_bytes = memory, .multiprocessors = 2};
          settings.host_clock = kind == Kind::cuda;
          settings.launch.counts = true;
          return settings;
        }()) {
    const auto driver = reference.driver();
    driver->cuInit(0);
    devices = std::make_unique<device::cuda::Devices>(driver, kind, [](const char*) -> const char* { return nullptr; });
  }
  std::unique_ptr<Case> prepare(const Definition& d, const record::Point& point, int on = 0) {
    auto& device = devices->open(on);
    std::int64_t needed = 0;
    for (const std::int64_t bytes : d.buffers(point)) needed += device::borrow_cost(bytes);
    arena = device.make_arena(needed);
    CudaContext context{device, *arena, 1, Fill::random};
    return d.prepare_cuda(context, point);
  }
  ptx::Reference reference;
  std::unique_ptr<device::cuda::Devices> devices;
  std::unique_ptr<device::Arena> arena;
};

}  // namespace

TEST_CASE("every benchmark on two and three GPUs at once is right on each, and proven to do what it states") {
  const auto all = bandwidth::definitions();
  for (const Definition& d : all)
    for (const std::int64_t gpus : {2, 3}) {
      Machine machine;
      const auto point = point_of(gpus);
      CAPTURE(d.name, gpus);
      const auto prepared = machine.prepare(d, point, 1);
      const auto verified = prepared->verify();
      CHECK(verified.reason.empty());
      CHECK(verified.status == record::Check::passed);
      CHECK(verified.checked == *d.work(point).items);
      machine.reference.clear_notes();
      prepared->stream().time([&] { prepared->run(1); });
      const auto counted = machine.reference.counted();
      CHECK(prove(d.work(point), prepared->besides_work(), counted).difference == "");
      CHECK_FALSE(prove(d.work(point_of(gpus - 1)), prepared->besides_work(), counted).proven);
    }
}

TEST_CASE("each GPU runs on its own and has its own time") {
  Machine machine(Kind::cuda);
  const auto all = bandwidth::definitions();
  const auto prepared = machine.prepare(find(all, "bandwidth.triad"), point_of(3), 2);
  CHECK(prepared->verify().status == record::Check::passed);
  machine.reference.clear_notes();
  const double seconds = prepared->stream().time([&] { prepared->run(4); }).seconds;
  std::map<int, int> launches;
  for (const auto& note : machine.reference.launches())
    if (note.kernel == "stream_triad_f64") ++launches[note.gpu];
  CHECK(launches == std::map<int, int>{{0, 4}, {1, 4}, {2, 4}});
  std::map<std::string, std::int64_t> bytes;
  for (const Part& part : prepared->parts()) {
    CHECK(part.seconds > 0);
    CHECK(4 * part.seconds <= seconds);
    bytes[part.name] = part.bytes;
  }
  CHECK(bytes == std::map<std::string, std::int64_t>{{"cuda:0", 12'000}, {"cuda:1", 12'000}, {"cuda:2", 12'000}});
}

TEST_CASE("a GPU that does not take part is seen by its answer, and named") {
  struct Idle : bandwidth::CheckedCase {
    explicit Idle(std::unique_ptr<bandwidth::CheckedCase> like) : inner(std::move(like)) {}
    void run(std::int64_t) override {}
    record::Verification verify_by(const std::function<void()>& once) override { return inner->verify_by(once); }
    device::Stream& stream() override { return inner->stream(); }
    std::unique_ptr<bandwidth::CheckedCase> inner;
  };
  for (const int idle : {-1, 0, 1, 2}) {
    Machine machine;
    auto& device = machine.devices->open(0);
    const auto arena = device.make_arena(1 << 20);
    CudaContext context{device, *arena, 1, Fill::random};
    int made = 0;
    bandwidth::TogetherCase together(
        context, 3, 1 << 20, 8000, [&](CudaContext& own) -> std::unique_ptr<bandwidth::CheckedCase> {
          auto work =
              std::make_unique<bandwidth::CudaStreamCase<double>>(stream::Op::copy, own, 500, stream::stream_image);
          if (made++ != idle) return work;
          return std::make_unique<Idle>(std::move(work));
        });
    const auto verified = together.verify();
    CAPTURE(idle, verified.reason);
    CHECK((verified.status == record::Check::passed) == (idle < 0));
    if (idle >= 0) CHECK(verified.reason.find("on ptx:" + std::to_string(idle)) != std::string::npos);
  }
}

TEST_CASE("flushing reaches the caches of all GPUs") {
  Machine machine(Kind::cuda);
  const auto all = bandwidth::definitions();
  const auto prepared = machine.prepare(find(all, "bandwidth.read"), point_of(2));
  machine.reference.clear_notes();
  prepared->stream().flush_caches();
  machine.devices->open(0).stream().synchronize();
  std::map<int, int> flushed;
  for (const auto& note : machine.reference.launches())
    if (note.kernel == "ridge_flush_read") ++flushed[note.gpu];
  CHECK(flushed == std::map<int, int>{{0, 1}, {1, 1}});
}

TEST_CASE("more GPUs than there are is absent, and memory that another GPU lacks is told with its name") {
  const auto all = bandwidth::definitions();
  Machine machine;
  CHECK_THROWS_AS(machine.prepare(find(all, "bandwidth.copy"), point_of(4)), device::Absent);
  CHECK_THROWS_WITH(machine.prepare(find(all, "bandwidth.copy"), point_of(4)), "needs 4 GPUs; the machine has 3");
  Machine small(Kind::cuda, 16 << 20);
  const device::cuda::DeviceBuffer taken(small.devices->open(1).context(), 14 << 20);
  CHECK_THROWS_WITH(small.prepare(find(all, "bandwidth.copy"), point_of(2, 2 << 20)),
                    Catch::Contains("out of memory") && Catch::Contains("on cuda:1"));
}
