// The stream kernels on the reference machine: right at every awkward size in every order, and doing exactly the work
// that the benchmark states; one element more or less in a statement is seen.
#include <catch2/catch.hpp>

#include "bench/bandwidth/cuda_case.hpp"
#include "bench/bandwidth/definition.hpp"
#include "bench/harness/misstated.hpp"
#include "bench/harness/proof.hpp"
#include "kernels/gpus/gpus.hpp"
#include "kernels/ptx/driver/reference.hpp"
#include "kernels/stream/stream_image.hpp"

using namespace ridge;
using namespace ridge::bench;
using device::Kind;

namespace {

record::Point point_of(std::int64_t size, const std::string& dtype) {
  record::Point point;
  point.set("size", size);
  point.set("dtype", dtype);
  return point;
}

std::int64_t needed_by(const Definition& d, const record::Point& point) {
  std::int64_t needed = 0;
  for (const std::int64_t bytes : d.buffers(point)) needed += device::borrow_cost(bytes);
  return needed;
}

// Elements around a piece, a warp, a block and the whole grid of the small reference GPU, and what a chain of dot
// holds.
const std::vector<std::int64_t> counts{1, 3, 4, 5, 31, 32, 33, 127, 1023, 1025, 8193, 40'001};

// A small reference GPU whose warps and blocks run in any order, on all host threads, all checks on.
struct Reference {
  Reference() : machine(settings) {
    const auto driver = machine.driver();
    driver->cuInit(0);
    devices =
        std::make_unique<device::cuda::Devices>(driver, Kind::ptx, [](const char*) -> const char* { return nullptr; });
  }
  void set(ptx::Order order) {
    settings.launch.order = order;
    machine.set_launch_options(settings.launch);
  }
  device::cuda::Device& device() { return devices->open(0); }

  ptx::ReferenceSettings settings = [] {
    ptx::ReferenceSettings s;
    s.multiprocessors = 2;
    s.launch.threads = 0;
    return s;
  }();
  ptx::Reference machine;
  std::unique_ptr<device::cuda::Devices> devices;
};

}  // namespace

TEST_CASE("every stream kernel is right at awkward sizes, whatever the order of warps and blocks") {
  Reference machine;
  auto& device = machine.device();
  for (const ptx::Order order : {ptx::Order::forward, ptx::Order::reverse, ptx::Order::random}) {
    machine.set(order);
    for (const Definition& d : bandwidth::definitions())
      for (const std::string dtype : {"f32", "f64"})
        for (const std::int64_t count : counts) {
          const auto point = point_of(count * (dtype == "f32" ? 4 : 8), dtype);
          CAPTURE(d.name, point.to_text(), static_cast<int>(order));
          const auto arena = device.make_arena(needed_by(d, point));
          CudaContext context{device, *arena, 1, Fill::random};
          const auto prepared = d.prepare_cuda(context, point);
          const auto verified = prepared->verify();
          CHECK(verified.reason.empty());
          REQUIRE(verified.status == record::Check::passed);
          CHECK(verified.checked == count);
        }
  }
}

// The inputs were never written, so that any read of them is a fault.
template <class T>
void check_no_elements(device::cuda::Device& device, const stream::CudaKernels<T>& kernels) {
  const auto arena = device.make_arena(1 << 16);
  auto& stream = device.stream();
  auto* const b = arena->borrow(256).template as<T>();
  auto* const c = arena->borrow(256).template as<T>();
  auto* const a = arena->borrow(256).template as<T>();
  auto* const partial = arena->borrow(2 * 8).template as<std::uint64_t>();
  stream.fill(a, 0xa5, 256);
  const device::cuda::Shape shape{2, 64, 0};
  const std::int64_t none = 0;
  const auto run = [&](const auto& kernel, auto... arguments) {
    device.function(stream::stream_image, kernel)(stream, shape, arguments...);
    std::vector<unsigned char> back(256);
    stream.copy_to_host(back.data(), a, 256);
    stream.synchronize();
    CHECK(back == std::vector<unsigned char>(256, 0xa5));
  };
  run(kernels.copy, b, a, none);
  run(kernels.scale, b, a, T{2}, none);
  run(kernels.add, b, c, a, none);
  run(kernels.triad, b, c, a, T{2}, none);
  run(kernels.write, a, T{2}, none);
  const auto run_reducing = [&](const auto& kernel, auto... arguments) {
    stream.fill(partial, 0xa5, 2 * 8);
    run(kernel, arguments...);
    std::vector<std::uint64_t> back(2);
    stream.copy_to_host(back.data(), partial, 2 * 8);
    stream.synchronize();
    CHECK(back == std::vector<std::uint64_t>(2, 0));
  };
  run_reducing(kernels.dot, b, c, reinterpret_cast<double*>(partial), none);
  run_reducing(kernels.read, b, partial, none);
}

TEST_CASE("without elements a kernel reads nothing and writes nothing but sums of nothing") {
  Reference machine;
  for (const ptx::Order order : {ptx::Order::forward, ptx::Order::reverse, ptx::Order::random}) {
    machine.set(order);
    check_no_elements(machine.device(), stream::cuda_f32);
    check_no_elements(machine.device(), stream::cuda_f64);
  }
}

TEST_CASE("the stated work of every benchmark is what its kernel executes, and not one element more or less") {
  gpus::Gpus all({.reference_gpus = 1, .reference_memory = 64 << 20, .reference_multiprocessors = 2});
  const device::Name name{Kind::ptx, 0};
  auto& device = all.open(name);
  int falsified = 0;
  for (const Definition& d : bandwidth::definitions())
    for (const std::string dtype : {"f32", "f64"})
      for (const std::int64_t count : {1, 1025, 40'001}) {
        const std::int64_t element = dtype == "f32" ? 4 : 8;
        const auto point = point_of(count * element, dtype);
        CAPTURE(d.name, point.to_text());
        const auto arena = device.make_arena(needed_by(d, point));
        CudaContext context{device, *arena, 1, Fill::random};
        const auto prepared = d.prepare_cuda(context, point);
        prepared->verify();
        const auto counted = all.count(name, [&] { prepared->stream().time([&] { prepared->run(1); }); });
        REQUIRE(counted);
        const auto stated = d.work(point);
        const auto besides = prepared->besides_work();
        CHECK(prove(stated, besides, *counted).difference.empty());
        CHECK(counted_metrics(prove(stated, besides, *counted), *counted)[0].value == 1.0);
        for (const record::Work& wrong : fake::misstated(stated, element, 1)) {
          CHECK(counted_metrics(prove(wrong, besides, *counted), *counted)[0].value == 0.0);
          ++falsified;
        }
      }
  CHECK(falsified == 8 * 2 * 3 * 6);
}

TEST_CASE("long arrays move whole sectors without a bank conflict") {
  gpus::Gpus all({.reference_gpus = 1, .reference_memory = 64 << 20, .reference_multiprocessors = 2});
  const device::Name name{Kind::ptx, 0};
  auto& device = all.open(name);
  for (const Definition& d : bandwidth::definitions()) {
    if (d.name == "bandwidth.memcpy" || d.name == "bandwidth.dot" || d.name == "bandwidth.read") continue;
    const auto point = point_of(1 << 20, "f64");
    CAPTURE(d.name);
    const auto arena = device.make_arena(needed_by(d, point));
    CudaContext context{device, *arena, 1, Fill::random};
    const auto prepared = d.prepare_cuda(context, point);
    const auto counted = all.count(name, [&] { prepared->stream().time([&] { prepared->run(1); }); });
    REQUIRE(counted);
    CHECK(counted->sectors == 16 * counted->requests);  // 32 lanes × 16 bytes are 16 sectors
    CHECK(counted->bank_conflicts == 0);
    CHECK(counted->launches == 1);
  }
}
