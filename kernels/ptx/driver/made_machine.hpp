// For tests: the stand-in driver with a context, a stream and a kernel, called as a program calls a driver.
#pragma once

#include <catch2/catch.hpp>

#include <numeric>
#include <string>
#include <vector>

#include "kernels/ptx/driver/reference.hpp"

namespace ridge::ptx {

// Adds 1 to each of n (u32) numbers; `bad` writes behind the end; `slow` never ends.
inline constexpr const char* kernels = R"(
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

}  // namespace ridge::ptx
