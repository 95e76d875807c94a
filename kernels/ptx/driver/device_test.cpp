// The CUDA device class on reference GPUs: what runs on a GPU runs here, and every call that can fail is made to.
#include "kernels/device/cuda/device.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "kernels/device/cuda/timing_image.hpp"
#include "kernels/ptx/driver/reference.hpp"

using namespace ridge;
using device::Kind;
namespace cuda = device::cuda;

namespace {

// fill_value(p (n × u32), value, n)
constexpr char kernels[] = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry fill_value(.param .u64 p, .param .u32 value, .param .u64 n)
{
  .reg .pred %q;
  .reg .b32 %r<6>;
  .reg .b64 %d<6>;
  ld.param.u64 %d1, [p];
  ld.param.u32 %r1, [value];
  ld.param.u64 %d2, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  cvt.u64.u32 %d3, %r5;
  setp.ge.u64 %q, %d3, %d2;
  @%q bra DONE;
  cvta.to.global.u64 %d1, %d1;
  shl.b64 %d4, %d3, 2;
  add.s64 %d5, %d1, %d4;
  st.global.u32 [%d5], %r1;
DONE:
  ret;
}
)";
const cuda::Image image{"test.cu", reinterpret_cast<const unsigned char*>(kernels), nullptr, nullptr, nullptr};
constexpr cuda::Kernel<std::uint32_t*, std::uint32_t, std::int64_t> fill_value{"fill_value"};
constexpr cuda::Kernel<int> no_such_kernel{"no_such_kernel"};

cuda::Environment nothing_set() {
  return [](const char*) -> const char* { return nullptr; };
}

struct Machine {
  explicit Machine(Kind kind = Kind::ptx, ptx::ReferenceSettings settings = {},
                   cuda::Environment environment = nothing_set())
      : reference([&] {
          settings.host_clock = kind == Kind::cuda;
          return settings;
        }()) {
    const auto driver = reference.driver();
    driver->cuInit(0);
    devices = std::make_unique<cuda::Devices>(driver, kind, environment);
  }
  ptx::Reference reference;
  std::unique_ptr<cuda::Devices> devices;
};

// Fills 100 numbers by kernel and brings them back, timed.
std::vector<std::uint32_t> scenario(cuda::Device& device) {
  constexpr std::int64_t n = 100;
  const auto arena = device.make_arena(device::borrow_cost(n * 4));
  auto* const numbers = arena->borrow(n * 4).as<std::uint32_t>();
  const auto fill = device.function(image, fill_value);
  auto& stream = device.stream();
  stream.flush_caches();
  stream.time([&] { fill(stream, {2, 64}, numbers, 7, n); });
  std::vector<std::uint32_t> back(n);
  cuda::PinnedBuffer pinned(device.context(), n * 4);
  stream.copy_to_host(pinned.as(), numbers, n * 4);
  stream.synchronize();
  std::memcpy(back.data(), pinned.as(), n * 4);
  return back;
}

}  // namespace

TEST_CASE("kernels, copies and intervals work through the device, on the reference machine and on what plays a GPU") {
  for (const Kind kind : {Kind::ptx, Kind::cuda}) {
    Machine m(kind);
    auto& device = m.devices->open(0);
    CHECK(device.name() == device::Name{kind, 0});
    CHECK(device.stream().has_clock() == (kind == Kind::cuda));
    CHECK(scenario(device) == std::vector<std::uint32_t>(100, 7));
  }
}

TEST_CASE("an interval's time is between its events, and behind the gate there is nothing of the launch in it") {
  Machine m(Kind::cuda);
  auto& device = m.devices->open(0);
  auto& stream = device.stream();
  m.reference.clear_notes();
  const auto empty = stream.time([] {});
  CHECK(empty.seconds >= 0);
  CHECK(empty.host_seconds >= empty.seconds);
  REQUIRE(m.reference.launches().size() == 1);
  CHECK(m.reference.launches()[0].kernel == "ridge_gate_wait");
  CHECK(device.notes().empty());
}

TEST_CASE("events that run faster than the host's clock are an error, not a bandwidth") {
  Machine m(Kind::cuda, {.clock_scale = 1e6});
  auto& stream = m.devices->open(0).stream();
  const auto arena = m.devices->open(0).make_arena(1 << 20);
  CHECK_THROWS_WITH(stream.time([&] { stream.fill(arena->borrow(1 << 19).data, 1, 1 << 19); }),
                    Catch::Contains("one of them is wrong"));
}

TEST_CASE("the gate is off, and that is said, where it would wait for ever") {
  for (const char* variable : {"CUDA_LAUNCH_BLOCKING", "CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"}) {
    Machine m(Kind::cuda, {},
              [variable](const char* name) { return std::strcmp(name, variable) == 0 ? "1" : nullptr; });
    auto& device = m.devices->open(0);
    device.stream().time([] {});
    for (const auto& launch : m.reference.launches()) CHECK(launch.kernel != "ridge_gate_wait");
    REQUIRE(device.notes().size() == 1);
    CHECK(device.notes()[0].find(variable) != std::string::npos);
  }
  Machine off(Kind::cuda, {},
              [](const char* name) { return std::strcmp(name, "CUDA_LAUNCH_BLOCKING") == 0 ? "0" : nullptr; });
  CHECK(off.devices->open(0).notes().empty());
}

TEST_CASE("more launches than a queue holds open the gate instead of waiting for it") {
  Machine m(Kind::cuda);
  auto& device = m.devices->open(0);
  auto& stream = device.stream();
  const auto arena = device.make_arena(device::borrow_cost(4));
  auto* const number = arena->borrow(4).as<std::uint32_t>();
  const auto fill = device.function(image, fill_value);
  m.reference.clear_notes();
  stream.time([&] {
    for (int i = 0; i < 2 * cuda::Gate::most_waiting; ++i) fill(stream, {1, 32}, number, 1, 1);
  });
  CHECK(m.reference.launches().size() == 2 * cuda::Gate::most_waiting + 1);
}

TEST_CASE("work that throws leaves the gate open and the stream usable") {
  Machine m(Kind::cuda);
  auto& device = m.devices->open(0);
  CHECK_THROWS_WITH(device.stream().time([] { throw std::runtime_error("out of ideas"); }), "out of ideas");
  CHECK(scenario(device).front() == 7);
}

TEST_CASE("flushing reads twice the L2") {
  Machine m(Kind::cuda, {.l2_bytes = 1 << 16});
  auto& stream = m.devices->open(0).stream();
  ptx::LaunchOptions counting;
  counting.counts = true;
  m.reference.set_launch_options(counting);
  m.reference.clear_notes();
  stream.flush_caches();
  stream.synchronize();
  REQUIRE(m.reference.launches().size() == 1);
  CHECK(m.reference.launches()[0].counts.global.load.unique_bytes == 2 << 16);
  CHECK(m.reference.launches()[0].counts.global.store.bytes == 0);
}

TEST_CASE("the pooled arena staggers its pieces and says what is left, the exact one makes an allocation of each") {
  for (const Kind kind : {Kind::cuda, Kind::ptx}) {
    Machine m(kind);
    const auto arena = m.devices->open(0).make_arena(3 * device::borrow_cost(1000));
    const auto a = arena->borrow(1000);
    const auto b = arena->borrow(1000);
    CHECK(a.bytes == 1000);
    CHECK(reinterpret_cast<std::uintptr_t>(b.data) % 256 == 0);
    CHECK(std::abs(b.data - a.data) >= 1000);
    CHECK_NOTHROW(arena->borrow(1000));
    try {
      arena->borrow(1000);
      FAIL("borrowed more than there is");
    } catch (const device::OutOfMemory& error) {
      CHECK(error.needed == 1000);
      CHECK(error.available == 0);
    }
    arena->reset();
    CHECK_NOTHROW(arena->borrow(2 * device::borrow_cost(1000)));
  }
}

TEST_CASE("more memory than a GPU has is out of memory with both sizes") {
  Machine m(Kind::cuda, {.memory_bytes = 1 << 20});
  auto& device = m.devices->open(0);
  CHECK(device.available_bytes() == (1 << 20) - (1 << 17));
  try {
    device.make_arena(2 << 20);
    FAIL("allocated more than there is");
  } catch (const device::OutOfMemory& error) {
    CHECK(error.needed == 2 << 20);
    CHECK(error.available == 1 << 20);
  }
}

TEST_CASE("a fault in a kernel names the call, the kernel and the device, and makes the device unusable") {
  Machine m;
  auto& device = m.devices->open(0);
  const auto arena = device.make_arena(device::borrow_cost(400));
  auto* const numbers = arena->borrow(400).as<std::uint32_t>();
  const auto fill = device.function(image, fill_value);
  fill(device.stream(), {2, 64}, numbers, 7, 101);
  std::string what;
  try {
    device.stream().synchronize();
  } catch (const cuda::StatusError& error) {
    what = error.what();
    CHECK(error.status == CUDA_ERROR_ILLEGAL_ADDRESS);
  }
  INFO(what);
  CHECK(what.find("cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS") == 0);
  CHECK(what.find("fill_value") != std::string::npos);
  CHECK(what.find("ptx:0") != std::string::npos);
  CHECK_THROWS_WITH(device.stream().synchronize(), Catch::Contains("unusable since an earlier error"));
}

TEST_CASE("a kernel that is not there, a device that is not there") {
  Machine m;
  CHECK_THROWS_WITH(m.devices->open(0).function(image, no_such_kernel), "test.cu has no kernel no_such_kernel");
  CHECK_THROWS_WITH(m.devices->open(3), "there is no device ptx:3: the reference machine has 1 GPU");
}

TEST_CASE("whatever call fails the first time, an error names it and nothing is left behind") {
  for (const char* call : {"cuDeviceGet",        "cuDevicePrimaryCtxRetain", "cuDeviceGetName",
                           "cuDeviceGetUuid",    "cuDeviceTotalMem",         "cuMemAlloc",
                           "cuModuleLoadDataEx", "cuModuleGetFunction",      "cuStreamCreate",
                           "cuEventCreate",      "cuMemHostAlloc",           "cuMemHostGetDevicePointer",
                           "cuEventRecord",      "cuLaunchKernel",           "cuEventSynchronize",
                           "cuEventElapsedTime", "cuMemcpyDtoHAsync",        "cuStreamSynchronize",
                           "cuMemsetD8Async",    "cuCtxSetCurrent"}) {
    INFO(call);
    Machine m(Kind::cuda);
    m.reference.fail(call, 1, CUDA_ERROR_UNKNOWN);
    CHECK_THROWS_WITH(scenario(m.devices->open(0)), Catch::Contains(std::string(call) + ": CUDA_ERROR_UNKNOWN"));
    CHECK(scenario(m.devices->open(0)).front() == 7);
  }
}

TEST_CASE("peers reach each other's memory where the machine lets them") {
  Machine m(Kind::ptx, {.gpus = 2});
  auto& a = m.devices->open(0);
  auto& b = m.devices->open(1);
  CHECK(a.enable_peer(b));
  CHECK(a.enable_peer(b));
  CHECK_FALSE(a.enable_peer(a));
  cuda::DeviceBuffer there(b.context(), 400);
  const auto fill = a.function(image, fill_value);
  fill(a.stream(), {2, 64}, there.as<std::uint32_t>(), 9, 100);
  a.stream().synchronize();
  std::vector<std::uint32_t> back(100);
  b.stream().copy_to_host(back.data(), there.as(), 400);
  b.stream().synchronize();
  CHECK(back == std::vector<std::uint32_t>(100, 9));
  Machine apart(Kind::ptx, {.gpus = 2, .peer_access = false});
  CHECK_FALSE(apart.devices->open(0).enable_peer(apart.devices->open(1)));
}

TEST_CASE("properties are those of the machine") {
  Machine m(Kind::ptx, {.gpus = 2, .memory_bytes = 3 << 20, .multiprocessors = 7, .l2_bytes = 12345, .ecc = false});
  const auto p = m.devices->properties(1);
  CHECK(p.model == "Ridge reference GPU");
  CHECK(p.capability() == "8.0");
  CHECK(p.multiprocessors == 7);
  CHECK(p.memory_bytes == 3 << 20);
  CHECK(p.l2_bytes == 12345);
  CHECK(p.ecc == false);
  CHECK(p.pci_address == "0000:02:00.0");
  CHECK(p.uuid != m.devices->properties(0).uuid);
  CHECK(p.uuid.size() == 40);
  CHECK_FALSE(p.clock_hz);
  CHECK_FALSE(p.memory_bandwidth());
  CHECK_FALSE(p.numa_node);
}
