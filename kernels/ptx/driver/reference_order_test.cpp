// The stand-in driver: when launches, copies, events and graphs happen.
#include "kernels/ptx/driver/reference.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "kernels/ptx/driver/made_machine.hpp"

using namespace ridge;
using ptx::kernels;
using ptx::Machine;
using ptx::Reference;
using ptx::ReferenceSettings;

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
