// The stand-in driver: errors that stick, memory, peers, what is refused, failures at will.
#include "kernels/ptx/driver/reference.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "kernels/ptx/driver/made_machine.hpp"

using namespace ridge;
using ptx::kernels;
using ptx::Machine;
using ptx::Reference;
using ptx::ReferenceSettings;

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
