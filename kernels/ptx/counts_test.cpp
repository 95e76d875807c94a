// Counts of kernels whose numbers are known on paper.
#include <catch2/catch.hpp>

#include "kernels/ptx/testing/harness.hpp"

namespace ridge::ptx {
namespace {

using testing::Machine;
using testing::ptx_module;

const char* const kernels = R"(
.visible .entry strided(.param .u64 p, .param .u32 stride)
{
.reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<4>;
ld.param.u64 %rd1, [p];
ld.param.u32 %r2, [stride];
mov.u32 %r1, %tid.x;
mul.lo.s32 %r1, %r1, %r2;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
ld.global.f32 %f1, [%rd3];
fma.rn.f32 %f2, %f1, %f1, %f1;
add.rn.f32 %f2, %f2, %f1;
sqrt.rn.f32 %f3, %f2;
st.global.f32 [%rd3], %f3;
ret;
}
.visible .entry shared_input(.param .u64 p, .param .u64 q)
{
.reg .b32 %r<6>; .reg .b64 %rd<6>; .reg .f32 %f<4>;
ld.param.u64 %rd1, [p];
ld.param.u64 %rd2, [q];
mov.u32 %r1, %tid.x;
mov.u32 %r2, %ntid.x;
mov.u32 %r3, %ctaid.x;
mad.lo.s32 %r4, %r3, %r2, %r1;
mul.wide.u32 %rd3, %r1, 4;
mul.wide.u32 %rd4, %r4, 4;
add.s64 %rd3, %rd1, %rd3;
add.s64 %rd4, %rd2, %rd4;
ld.global.f32 %f1, [%rd3];
fma.rn.f32 %f2, %f1, %f1, %f1;
add.rn.f32 %f2, %f2, %f1;
st.global.f32 [%rd4], %f2;
ret;
}
.visible .entry banks(.param .u32 stride)
{
.reg .b32 %r<6>;
.shared .align 16 .b8 s[8192];
ld.param.u32 %r2, [stride];
mov.u32 %r1, %tid.x;
mul.lo.s32 %r3, %r1, %r2;
shl.b32 %r3, %r3, 2;
mov.u32 %r4, s;
add.s32 %r4, %r4, %r3;
st.shared.u32 [%r4], %r1;
bar.sync 0;
ld.shared.u32 %r5, [%r4];
ret;
}
.visible .entry diverge(.param .u64 p)
{
.reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<2>;
ld.param.u64 %rd1, [p];
mov.u32 %r1, %tid.x;
setp.lt.u32 %p1, %r1, 8;
@%p1 bra A;
bra B;
A: atom.global.add.u32 %r2, [%rd1], 1;
B: ret;
}
)";

Counts run(const std::string& kernel, unsigned threads, std::uint32_t argument) {
  Machine m(ptx_module(kernels));
  LaunchOptions options;
  options.counts = true;
  if (kernel == "banks") return m.run(kernel, {1}, {threads}, options, argument).counts;
  const std::uint64_t p = m.upload(std::vector<float>(32 * 33 + 1, 2.0f), "data");
  if (kernel == "diverge") return m.run(kernel, {1}, {threads}, options, p).counts;
  return m.run(kernel, {1}, {threads}, options, p, argument).counts;
}

TEST_CASE("consecutive floats: four sectors, one line, two flops per fma") {
  const Counts c = run("strided", 32, 1);
  CHECK(c.instructions.warps == 12);
  CHECK(c.instructions.lanes == 12 * 32);
  CHECK(c.flops_of(FlopType::f32) == 3 * 32);
  CHECK(c.special_operations == 32);
  CHECK(c.integer_operations == 3 * 32);
  CHECK(c.global.load.requests == 1);
  CHECK(c.global.load.bytes == 128);
  CHECK(c.global.load.unique_bytes == 128);
  CHECK(c.global.load.sectors == 4);
  CHECK(c.global.load.lines == 1);
  CHECK(c.global.store.sectors == 4);
  CHECK(c.of(InstructionClass::load).active_lanes() == 32);
}

TEST_CASE("a stride of 2 doubles the sectors, a stride of 32 gives one line per lane, stride 0 one sector") {
  CHECK(run("strided", 32, 2).global.load.sectors == 8);
  const Counts far = run("strided", 32, 32);
  CHECK(far.global.load.sectors == 32);
  CHECK(far.global.load.lines == 32);
  CHECK(far.global.load.unique_bytes == 128);
  const Counts same = run("strided", 32, 0);
  CHECK(same.global.load.sectors == 1);
  CHECK(same.global.load.bytes == 128);
  CHECK(same.global.load.unique_bytes == 4);
}

TEST_CASE("a partial warp counts its lanes only") {
  const Counts c = run("strided", 33, 1);
  CHECK(c.instructions.warps == 24);
  CHECK(c.instructions.lanes == 12 * 33);
  CHECK(c.global.load.bytes == 132);
  CHECK(c.global.load.sectors == 5);
}

TEST_CASE("bank conflicts of strided shared accesses") {
  const auto wavefronts = [](std::uint32_t stride) { return run("banks", 32, stride).shared.store.wavefronts; };
  CHECK(wavefronts(1) == 1);
  CHECK(wavefronts(2) == 2);
  CHECK(wavefronts(8) == 8);
  CHECK(wavefronts(32) == 32);
  CHECK(wavefronts(33) == 1);
  const Counts c = run("banks", 32, 2);
  CHECK(c.shared.load.conflicts == 1);
  CHECK(c.shared.load.bytes == 128);
  CHECK(c.shared.load.unique_bytes == 128);
  CHECK(c.barriers == 1);
  CHECK(c.barrier_releases == 1);
}

TEST_CASE("divergence, branches and atomics") {
  const Counts c = run("diverge", 64, 0);
  CHECK(c.branches == 4);  // the conditional twice, the unconditional twice
  CHECK(c.divergent_branches == 1);
  CHECK(c.atomics == 8);
  CHECK(c.atomic_global.requests == 1);
  CHECK(c.atomic_global.bytes == 32);
  CHECK(c.atomic_global.sectors == 1);
  CHECK(c.atomic_global.conflicts == 7);  // eight lanes at one address
}

TEST_CASE("unique bytes of lanes in two allocations, of constants, and of partial and scattered warps") {
  Machine m(ptx_module(R"(.const .align 4 .u32 c = 3;
.visible .entry k(.param .u64 p, .param .u64 q)
{
.reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<6>;
ld.param.u64 %rd1, [p];
ld.param.u64 %rd2, [q];
mov.u32 %r1, %tid.x;
and.b32 %r2, %r1, 1;
setp.eq.u32 %p1, %r2, 0;
selp.b64 %rd3, %rd1, %rd2, %p1;
shl.b32 %r1, %r1, 2;
cvt.u64.u32 %rd4, %r1;
add.s64 %rd5, %rd3, %rd4;
ld.global.u32 %r2, [%rd5];
ld.const.u32 %r3, [c];
@%p1 st.global.u32 [%rd5], %r3;
ret;
}
)"));
  const std::uint64_t p = m.upload(std::vector<int>(32), "p"), q = m.upload(std::vector<int>(32), "q");
  LaunchOptions options;
  options.counts = true;
  options.threads = 1;  // every block stores the same elements
  const Counts c = m.run("k", {3}, {32}, options, p, q).counts;
  CHECK(c.global.load.bytes == 3 * 128);
  CHECK(c.global.load.unique_bytes == 128);
  CHECK(c.global.store.unique_bytes == 64);
  CHECK(c.constant.load.bytes == 3 * 128);
  CHECK(c.constant.load.unique_bytes == 4);
}

TEST_CASE("counts do not depend on order or host threads") {
  // Blocks read the same elements and write their own: blocks that wrote what others read would race, on host threads
  // too.
  Machine m(ptx_module(kernels));
  const std::uint64_t p = m.upload(std::vector<float>(96, 2.0f), "input");
  const std::uint64_t q = m.upload(std::vector<float>(20 * 96), "output");
  for (LaunchOptions options : testing::every_order()) {
    options.counts = true;
    const Counts c = m.run("shared_input", {20}, {96}, options, p, q).counts;
    CHECK(c.flops_of(FlopType::f32) == 20 * 96 * 3);
    CHECK(c.global.load.bytes == 20 * 96 * 4);
    CHECK(c.global.load.unique_bytes == 96 * 4);
    CHECK(c.global.store.unique_bytes == 20 * 96 * 4);
  }
}

}  // namespace
}  // namespace ridge::ptx
