// The stand-in driver, called as a program calls a driver: order, errors that stick, memory, peers, graphs, failures.
#include "kernels/ptx/driver/reference.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <numeric>

using namespace ridge;
using ptx::Reference;
using ptx::ReferenceSettings;

namespace {

// Adds 1 to each of n (u32) numbers; `bad` writes behind the end; `slow` never ends.
constexpr const char* kernels = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry add_one(.param .u64 p, .param .u32 n)
{
  .reg .pred %q;
  .reg .b32 %r<6>;
  .reg .b64 %d<4>;
  ld.param.u64 %d1, [p];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %q, %r5, %r1;
  @%q bra DONE;
  cvta.to.global.u64 %d1, %d1;
  mul.wide.u32 %d2, %r5, 4;
  add.s64 %d3, %d1, %d2;
  ld.global.u32 %r1, [%d3];
  add.s32 %r1, %r1, 1;
  st.global.u32 [%d3], %r1;
DONE:
  ret;
}
)";

struct Machine {
  explicit Machine(const ReferenceSettings& settings = {}) : reference(settings), table(reference.driver()), d(*table) {
    d.cuInit(0);
    d.cuDevicePrimaryCtxRetain(&context, 0);
    d.cuCtxSetCurrent(context);
    d.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  }
  CUfunction load(const char* name) {
    CUmodule module = nullptr;
    REQUIRE(d.cuModuleLoadDataEx(&module, kernels, 0, nullptr, nullptr) == CUDA_SUCCESS);
    CUfunction function = nullptr;
    REQUIRE(d.cuModuleGetFunction(&function, module, name) == CUDA_SUCCESS);
    return function;
  }
  CUdeviceptr numbers(unsigned n) {
    CUdeviceptr p = 0;
    REQUIRE(d.cuMemAlloc(&p, n * 4) == CUDA_SUCCESS);
    std::vector<std::uint32_t> values(n);
    std::iota(values.begin(), values.end(), 0u);
    REQUIRE(d.cuMemcpyHtoD(p, values.data(), n * 4) == CUDA_SUCCESS);
    return p;
  }
  CUresult add_one(CUfunction f, CUdeviceptr p, std::uint32_t n, unsigned blocks = 1) {
    void* arguments[] = {&p, &n};
    return d.cuLaunchKernel(f, blocks, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr);
  }
  std::uint32_t at(CUdeviceptr p, unsigned i) {
    std::uint32_t value = 0;
    CHECK(d.cuMemcpyDtoH(&value, p + i * 4, 4) == CUDA_SUCCESS);
    return value;
  }
  std::string text(CUresult status) {
    const char* said = nullptr;
    d.cuGetErrorString(status, &said);
    return said == nullptr ? "" : said;
  }

  Reference reference;
  std::shared_ptr<const device::cuda::Driver> table;
  const device::cuda::Driver& d;
  CUcontext context = nullptr;
  CUstream stream = nullptr;
};

}  // namespace

TEST_CASE("a launch runs when the host waits for it, not before, and never without it") {
  Machine m;
  const auto f = m.load("add_one");
  const auto p = m.numbers(100);
  REQUIRE(m.add_one(f, p, 100, 2) == CUDA_SUCCESS);
  CHECK(m.at(p, 7) == 7);  // the default stream does not wait for a non-blocking one
  CHECK(m.reference.launches().empty());
  REQUIRE(m.d.cuStreamSynchronize(m.stream) == CUDA_SUCCESS);
  CHECK(m.at(p, 7) == 8);
  CHECK(m.at(p, 99) == 100);
  REQUIRE(m.reference.launches().size() == 1);
  CHECK(m.reference.launches()[0].kernel == "add_one");
}

TEST_CASE("arguments are those of the time of the launch") {
  Machine m;
  const auto f = m.load("add_one");
  const auto p = m.numbers(64);
  CUdeviceptr pointer = p;
  std::uint32_t n = 64;
  void* arguments[] = {&pointer, &n};
  REQUIRE(m.d.cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, m.stream, arguments, nullptr) == CUDA_SUCCESS);
  pointer = 0;
  n = 0;
  REQUIRE(m.d.cuStreamSynchronize(m.stream) == CUDA_SUCCESS);
  CHECK(m.at(p, 63) == 64);
}

TEST_CASE("an access out of bounds breaks the context for good, with the kernel and the place in the text") {
  Machine m;
  const auto f = m.load("add_one");
  const auto p = m.numbers(60);
  REQUIRE(m.add_one(f, p, 64) == CUDA_SUCCESS);
  CHECK(m.d.cuStreamSynchronize(m.stream) == CUDA_ERROR_ILLEGAL_ADDRESS);
  const auto text = m.text(CUDA_ERROR_ILLEGAL_ADDRESS);
  INFO(text);
  CHECK(text.find("add_one") != std::string::npos);
  CHECK(text.find("a buffer of 240 bytes") != std::string::npos);
  CUdeviceptr more = 0;
  CHECK(m.d.cuMemAlloc(&more, 4) == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(m.d.cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_CASE("memory is bounded, freed memory comes back, and a pointer nobody was given is refused") {
  Machine m(ReferenceSettings{.memory_bytes = 1 << 20});
  CUdeviceptr a = 0;
  CUdeviceptr b = 0;
  std::size_t free = 0;
  std::size_t total = 0;
  REQUIRE(m.d.cuMemAlloc(&a, 700 << 10) == CUDA_SUCCESS);
  CHECK(m.d.cuMemAlloc(&b, 700 << 10) == CUDA_ERROR_OUT_OF_MEMORY);
  REQUIRE(m.d.cuMemGetInfo(&free, &total) == CUDA_SUCCESS);
  CHECK(total == 1 << 20);
  CHECK(free <= 324 << 10);
  REQUIRE(m.d.cuMemFree(a) == CUDA_SUCCESS);
  CHECK(m.d.cuMemFree(a) == CUDA_ERROR_INVALID_VALUE);
  CHECK(m.d.cuMemAlloc(&b, 700 << 10) == CUDA_SUCCESS);
  CHECK(m.d.cuMemsetD8Async(b, 0, 800 << 10, m.stream) == CUDA_ERROR_INVALID_VALUE);
  CHECK(m.d.cuMemAlloc(&a, 0) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a pinned copy happens in order, a pageable one takes its source at once") {
  Machine m;
  const auto p = m.numbers(4);
  void* pinned = nullptr;
  REQUIRE(m.d.cuMemHostAlloc(&pinned, 16, CU_MEMHOSTALLOC_PORTABLE) == CUDA_SUCCESS);
  std::memset(pinned, 1, 16);
  REQUIRE(m.d.cuMemcpyHtoDAsync(p, pinned, 4, m.stream) == CUDA_SUCCESS);
  std::uint32_t pageable = 5;
  REQUIRE(m.d.cuMemcpyHtoDAsync(p + 4, &pageable, 4, m.stream) == CUDA_SUCCESS);
  std::memset(pinned, 2, 16);  // too early: the copy has not happened
  pageable = 6;
  REQUIRE(m.d.cuStreamSynchronize(m.stream) == CUDA_SUCCESS);
  CHECK(m.at(p, 0) == 0x02020202);
  CHECK(m.at(p, 1) == 5);
  CHECK(m.d.cuMemFreeHost(pinned) == CUDA_SUCCESS);
  CHECK(m.d.cuMemFreeHost(pinned) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a stream waits for an event of another, whatever is asked to finish first") {
  Machine m;
  const auto f = m.load("add_one");
  const auto p = m.numbers(64);
  CUstream other = nullptr;
  CUevent event = nullptr;
  REQUIRE(m.d.cuStreamCreate(&other, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
  REQUIRE(m.d.cuEventCreate(&event, CU_EVENT_DEFAULT) == CUDA_SUCCESS);
  REQUIRE(m.add_one(f, p, 64) == CUDA_SUCCESS);
  REQUIRE(m.d.cuEventRecord(event, m.stream) == CUDA_SUCCESS);
  REQUIRE(m.d.cuStreamWaitEvent(other, event, 0) == CUDA_SUCCESS);
  std::vector<std::uint32_t> seen(64);
  REQUIRE(m.d.cuMemcpyDtoHAsync(seen.data(), p, 256, other) == CUDA_SUCCESS);
  CHECK(seen[0] == 1);
  CHECK(m.d.cuEventQuery(event) == CUDA_SUCCESS);
}

TEST_CASE("asking does not wait: one operation happens meanwhile") {
  Machine m;
  const auto f = m.load("add_one");
  const auto p = m.numbers(64);
  m.add_one(f, p, 64);
  m.add_one(f, p, 64);
  CHECK(m.d.cuStreamQuery(m.stream) == CUDA_ERROR_NOT_READY);
  CHECK(m.reference.launches().size() == 1);
  CHECK(m.d.cuStreamQuery(m.stream) == CUDA_ERROR_NOT_READY);
  CHECK(m.d.cuStreamQuery(m.stream) == CUDA_SUCCESS);
}

TEST_CASE("events cannot be subtracted, for there is no time, and where a driver is played, the host's passes") {
  Machine m;
  CUevent a = nullptr;
  CUevent b = nullptr;
  float ms = -1;
  m.d.cuEventCreate(&a, CU_EVENT_DEFAULT);
  m.d.cuEventCreate(&b, CU_EVENT_DEFAULT);
  CHECK(m.d.cuEventElapsedTime(&ms, a, b) == CUDA_ERROR_INVALID_HANDLE);
  m.d.cuEventRecord(a, m.stream);
  m.d.cuEventRecord(b, m.stream);
  CHECK(m.d.cuEventElapsedTime(&ms, a, b) == CUDA_ERROR_NOT_READY);
  m.d.cuEventSynchronize(b);
  CHECK(m.d.cuEventElapsedTime(&ms, a, b) == CUDA_ERROR_NOT_SUPPORTED);

  Machine player(ReferenceSettings{.host_clock = true});
  player.d.cuEventCreate(&a, CU_EVENT_DEFAULT);
  player.d.cuEventRecord(a, player.stream);
  player.d.cuEventSynchronize(a);
  CHECK(player.d.cuEventElapsedTime(&ms, a, a) == CUDA_SUCCESS);
  CHECK(ms == 0);
}

TEST_CASE("GPUs have memories of their own, reached by copies, and by kernels only with peer access") {
  Machine m(ReferenceSettings{.gpus = 2});
  const auto f = m.load("add_one");
  const auto here = m.numbers(64);
  CUcontext second = nullptr;
  REQUIRE(m.d.cuDevicePrimaryCtxRetain(&second, 1) == CUDA_SUCCESS);
  m.d.cuCtxSetCurrent(second);
  CUdeviceptr there = 0;
  REQUIRE(m.d.cuMemAlloc(&there, 256) == CUDA_SUCCESS);
  m.d.cuCtxSetCurrent(m.context);
  REQUIRE(m.d.cuMemcpyPeerAsync(there, second, here, m.context, 256, m.stream) == CUDA_SUCCESS);
  CHECK(m.d.cuMemcpyDtoDAsync(there, here, 256, m.stream) == CUDA_ERROR_INVALID_VALUE);
  REQUIRE(m.d.cuCtxEnablePeerAccess(second, 0) == CUDA_SUCCESS);
  CHECK(m.d.cuCtxEnablePeerAccess(second, 0) == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  REQUIRE(m.add_one(f, there, 64) == CUDA_SUCCESS);
  REQUIRE(m.d.cuStreamSynchronize(m.stream) == CUDA_SUCCESS);
  m.d.cuCtxSetCurrent(second);
  CHECK(m.at(there, 63) == 64);
}

TEST_CASE("without peer access there is none, and a kernel that tries is caught") {
  Machine m(ReferenceSettings{.gpus = 2, .peer_access = false});
  CUcontext second = nullptr;
  m.d.cuDevicePrimaryCtxRetain(&second, 1);
  int can = 1;
  CHECK(m.d.cuDeviceCanAccessPeer(&can, 0, 1) == CUDA_SUCCESS);
  CHECK(can == 0);
  CHECK(m.d.cuCtxEnablePeerAccess(second, 0) == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
  m.d.cuCtxSetCurrent(second);
  const auto there = m.numbers(64);
  m.d.cuCtxSetCurrent(m.context);
  m.add_one(m.load("add_one"), there, 64);
  CHECK(m.d.cuStreamSynchronize(m.stream) == CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_CASE("a captured stream becomes a graph that runs as often as it is launched") {
  Machine m;
  const auto f = m.load("add_one");
  const auto p = m.numbers(64);
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  REQUIRE(m.d.cuStreamBeginCapture(m.stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL) == CUDA_SUCCESS);
  REQUIRE(m.add_one(f, p, 64) == CUDA_SUCCESS);
  REQUIRE(m.add_one(f, p, 64) == CUDA_SUCCESS);
  CHECK(m.d.cuStreamSynchronize(m.stream) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  REQUIRE(m.d.cuStreamEndCapture(m.stream, &graph) == CUDA_SUCCESS);
  REQUIRE(m.d.cuGraphInstantiate(&executable, graph, 0) == CUDA_SUCCESS);
  REQUIRE(m.d.cuGraphDestroy(graph) == CUDA_SUCCESS);
  REQUIRE(m.d.cuGraphLaunch(executable, m.stream) == CUDA_SUCCESS);
  REQUIRE(m.d.cuGraphLaunch(executable, m.stream) == CUDA_SUCCESS);
  REQUIRE(m.d.cuStreamSynchronize(m.stream) == CUDA_SUCCESS);
  CHECK(m.at(p, 0) == 4);
  CHECK(m.d.cuGraphExecDestroy(executable) == CUDA_SUCCESS);
  CHECK(m.d.cuGraphExecDestroy(executable) == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("a capture that leaves another stream's work unjoined is an error") {
  Machine m;
  const auto f = m.load("add_one");
  auto p = m.numbers(64);
  std::uint32_t n = 64;
  void* arguments[] = {&p, &n};
  CUstream other = nullptr;
  CUevent fork = nullptr;
  CUevent join = nullptr;
  CUgraph graph = nullptr;
  m.d.cuStreamCreate(&other, CU_STREAM_NON_BLOCKING);
  m.d.cuEventCreate(&fork, CU_EVENT_DISABLE_TIMING);
  m.d.cuEventCreate(&join, CU_EVENT_DISABLE_TIMING);
  for (const bool joined : {true, false}) {
    m.d.cuStreamBeginCapture(m.stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    m.d.cuEventRecord(fork, m.stream);
    m.d.cuStreamWaitEvent(other, fork, 0);
    m.d.cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, other, arguments, nullptr);
    m.d.cuEventRecord(join, other);
    if (joined) m.d.cuStreamWaitEvent(m.stream, join, 0);
    CHECK(m.d.cuStreamEndCapture(m.stream, &graph) == (joined ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNJOINED));
  }
}

TEST_CASE("the n-th call of any function can be made to fail, and only that one") {
  Machine m;
  m.reference.fail("cuMemAlloc", 2, CUDA_ERROR_OUT_OF_MEMORY);
  CUdeviceptr p = 0;
  CHECK(m.d.cuMemAlloc(&p, 4) == CUDA_SUCCESS);
  CHECK(m.d.cuMemAlloc(&p, 4) == CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(m.d.cuMemAlloc(&p, 4) == CUDA_SUCCESS);
}

TEST_CASE("a launch that no GPU takes is refused when it is made") {
  Machine m;
  const auto f = m.load("add_one");
  auto p = m.numbers(64);
  std::uint32_t n = 64;
  void* arguments[] = {&p, &n};
  const auto launch = [&](unsigned blocks, unsigned threads, unsigned shared) {
    return m.d.cuLaunchKernel(f, blocks, 1, 1, threads, 1, 1, shared, m.stream, arguments, nullptr);
  };
  CHECK(launch(0, 64, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(launch(1, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(launch(1, 1025, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(launch(1, 64, 49 << 10) == CUDA_ERROR_INVALID_VALUE);
  REQUIRE(m.d.cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60 << 10) == CUDA_SUCCESS);
  CHECK(launch(1, 64, 49 << 10) == CUDA_SUCCESS);
  CUfunction none = nullptr;
  CHECK(m.d.cuLaunchKernel(none, 1, 1, 1, 1, 1, 1, 0, m.stream, arguments, nullptr) == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE("calls before cuInit and without a context are refused") {
  const Reference reference;
  const auto table = reference.driver();
  CUdevice device = 0;
  CUdeviceptr p = 0;
  CHECK(table->cuDeviceGet(&device, 0) == CUDA_ERROR_NOT_INITIALIZED);
  CHECK(table->cuInit(0) == CUDA_SUCCESS);
  CHECK(table->cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(table->cuMemAlloc(&p, 4) == CUDA_ERROR_INVALID_CONTEXT);
  const Reference none(ReferenceSettings{.gpus = 0});
  CHECK(none.driver()->cuInit(0) == CUDA_ERROR_NO_DEVICE);
}

TEST_CASE("malformed PTX is refused with its line, in the log too") {
  Machine m;
  CUmodule module = nullptr;
  char log[200] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  CHECK(m.d.cuModuleLoadDataEx(&module, ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry f( {\n", 2,
                               options, values) == CUDA_ERROR_INVALID_PTX);
  CHECK(std::string(log).find("PTX line") == 0);
  CHECK(m.d.cuModuleLoadDataEx(&module, "no code", 0, nullptr, nullptr) == CUDA_ERROR_INVALID_IMAGE);
}
