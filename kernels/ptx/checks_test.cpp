// For every check a planted bug that must be caught, with its place, and a clean twin that must not be.
#include <catch2/catch.hpp>

#include "kernels/ptx/testing/harness.hpp"

namespace ridge::ptx {
namespace {

using testing::every_order;
using testing::Machine;
using testing::ptx_module;

/// A kernel `k(p)` with thread index in %r1 and p + 4·tid in %rd2; `body` follows.
std::string kernel(const std::string& body) {
  return ptx_module(R"(.visible .entry k(.param .u64 p)
{
.reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<8>;
.shared .align 8 .b8 s[512];
ld.param.u64 %rd1, [p];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd3, %r1, 4;
add.s64 %rd2, %rd1, %rd3;
shl.b32 %r2, %r1, 2;
mov.u32 %r3, s;
add.s32 %r4, %r3, %r2;
)" + body + "\nret;\n}\n");
}

struct Outcome {
  bool faulted = false;
  FaultKind kind{};
  FaultPlace place;
};

Outcome run(const std::string& body, LaunchOptions options = {}, unsigned threads = 64, std::uint64_t bytes = 256) {
  Machine m(kernel(body));
  const std::uint64_t p = m.upload(std::vector<std::uint8_t>(bytes, 1), "data");
  options.step_limit = 1'000'000;
  try {
    m.run("k", {1}, {threads}, options, p);
  } catch (const Fault& f) {
    return {true, f.kind, f.place};
  }
  return {};
}

void caught(FaultKind kind, const std::string& bug, const std::string& clean, unsigned threads = 64) {
  for (const LaunchOptions& options : every_order()) {
    const Outcome bad = run(bug, options, threads);
    CHECK(bad.faulted);
    if (bad.faulted) {
      CHECK(name_of(bad.kind) == name_of(kind));
      CHECK(bad.place.kernel == "k");
      CHECK(bad.place.ptx_line > 14);
    }
    const Outcome good = run(clean, options, threads);
    INFO(name_of(good.kind) << " at line " << good.place.ptx_line << " " << good.place.instruction);
    CHECK_FALSE(good.faulted);
  }
}

TEST_CASE("an access past the end names the allocation, address and thread") {
  const Outcome o = run("st.global.u32 [%rd2+4], %r1;");
  REQUIRE(o.faulted);
  CHECK(o.kind == FaultKind::out_of_bounds);
  CHECK(o.place.allocation == "data");
  CHECK(o.place.thread == Dim3{63, 0, 0});
  CHECK(o.place.bytes == 4);
  CHECK(o.place.space == "global");
  caught(FaultKind::out_of_bounds, "ld.global.u32 %r5, [%rd2+4];", "ld.global.u32 %r5, [%rd2];");
  caught(FaultKind::out_of_bounds, "ld.global.u32 %r5, [%rd2+-4];", "ld.global.u32 %r5, [%rd1];");
}

TEST_CASE("shared and local memory have ends too") {
  caught(FaultKind::out_of_bounds, "st.shared.u32 [%r4+260], %r1;", "st.shared.u32 [%r4+256], %r1;");
  caught(FaultKind::out_of_bounds, ".local .align 4 .b8 l[16]; st.local.u32 [l+16], %r1;",
         ".local .align 4 .b8 l[16]; st.local.u32 [l+12], %r1;");
}

TEST_CASE("misaligned accesses are caught") {
  caught(FaultKind::misaligned, "ld.global.u64 %rd5, [%rd1+4];", "ld.global.u64 %rd5, [%rd1+8];");
  caught(FaultKind::misaligned, "st.shared.v2.u32 [%r3+4], {%r1, %r1};",
         "@%p0 st.shared.v2.u32 [%r3+8], {%r1, %r1}; bar.sync 0;");
}

TEST_CASE("writes to constants and parameters are caught") {
  Machine m(
      ptx_module(".const .align 4 .u32 c = 3;\n.visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<3>;\nld.param.u64 "
                 "%rd1, [p];\nst.global.u32 [%rd1], 1;\nret;\n}\n"));
  try {
    m.run("k", {1}, {1}, {}, m.instance.symbol("c").address);
    FAIL("not caught");
  } catch (const Fault& f) {
    CHECK(f.kind == FaultKind::read_only);
  }
}

TEST_CASE("use after free is told apart from a wild address") {
  Machine m(kernel("ld.global.u32 %r5, [%rd2];"));
  const std::uint64_t p = m.upload(std::vector<int>(64), "gone");
  m.run("k", {1}, {64}, {}, p);
  m.memory.free(p);
  try {
    m.run("k", {1}, {64}, {}, p);
    FAIL("not caught");
  } catch (const Fault& f) {
    CHECK(f.kind == FaultKind::use_after_free);
    CHECK(f.place.allocation == "gone");
  }
  try {
    m.run("k", {1}, {64}, {}, std::uint64_t{0});
    FAIL("not caught");
  } catch (const Fault& f) {
    CHECK(f.kind == FaultKind::out_of_bounds);
    CHECK(std::string(f.what()).find("null pointer") != std::string::npos);
  }
}

TEST_CASE("reads of memory that nobody wrote are caught") {
  Machine m(kernel("ld.global.u32 %r5, [%rd2];"));
  const std::uint64_t p = m.memory.allocate(256, "fresh");
  m.memory.fill(p, 0, 1, 252);
  try {
    m.run("k", {1}, {64}, {}, p);
    FAIL("not caught");
  } catch (const Fault& f) {
    CHECK(f.kind == FaultKind::uninitialised);
    CHECK(f.place.thread == Dim3{63, 0, 0});
    CHECK(f.place.allocation == "fresh");
  }
  m.memory.fill(p + 252, 0, 4, 1);
  CHECK_NOTHROW(m.run("k", {1}, {64}, {}, p));
  caught(FaultKind::uninitialised, "ld.shared.u32 %r5, [%r4];", "st.shared.u32 [%r4], %r1; ld.shared.u32 %r5, [%r4];");
}

TEST_CASE("what an untracked kernel wrote counts as written") {
  Machine m(kernel("st.global.u32 [%rd2], %r1; ld.global.u32 %r5, [%rd2];"));
  const std::uint64_t p = m.memory.allocate(256, "fresh");
  LaunchOptions untracked;
  untracked.checks.uninitialised = false;
  m.run("k", {1}, {64}, untracked, p);
  CHECK_NOTHROW(m.run("k", {1}, {64}, {}, p));
}

TEST_CASE("shared-memory races between warps are caught in each of their three kinds") {
  const std::string mirrored = "sub.s32 %r6, 63, %r1; shl.b32 %r6, %r6, 2; add.s32 %r6, %r3, %r6;";
  const std::string filled = mirrored + "st.shared.u32 [%r4], 0; bar.sync 0; st.shared.u32 [%r4], %r1;";
  caught(FaultKind::race, filled + "ld.shared.u32 %r5, [%r6];", filled + "bar.sync 0; ld.shared.u32 %r5, [%r6];");
  caught(FaultKind::race, "and.b32 %r7, %r1, 31; shl.b32 %r7, %r7, 2; add.s32 %r7, %r7, %r3; st.shared.u32 [%r7], %r1;",
         "st.shared.u32 [%r4], %r1;");
  caught(
      FaultKind::race,
      mirrored + "st.shared.u32 [%r4], 0; bar.sync 0; ld.shared.u32 %r5, [%r6]; st.shared.u32 [%r4], 1;",
      mirrored + "st.shared.u32 [%r4], 0; bar.sync 0; ld.shared.u32 %r5, [%r6]; bar.sync 0; st.shared.u32 [%r4], 1;");
}

TEST_CASE("a word that several warps read is no longer its last reader's to write") {
  const std::string read =
      "st.shared.u32 [%r4], %r1; bar.sync 0; and.b32 %r7, %r1, 31; shl.b32 %r7, %r7, 2; "
      "add.s32 %r7, %r7, %r3; ld.shared.u32 %r5, [%r7]; ";
  const std::string last = "setp.ge.u32 %p1, %r1, 96; @%p1 st.shared.u32 [%r7], 0;";
  caught(FaultKind::race, read + last, read + "bar.sync 0; " + last, 128);
  CHECK_FALSE(run(read + "setp.lt.u32 %p1, %r1, 32; @!%p1 st.shared.u32 [%r4], 0;").faulted);
}

TEST_CASE("atomics on one word are no race, bytes of one word are not one byte") {
  CHECK_FALSE(run("st.shared.u32 [%r4], 0; bar.sync 0; atom.shared.add.u32 %r5, [%r3], 1;").faulted);
  CHECK_FALSE(run("add.s32 %r7, %r3, %r1; st.shared.u8 [%r7], %r1;").faulted);
}

TEST_CASE("a barrier that not all threads reach is a report, never a hang") {
  caught(FaultKind::divergent_barrier, "setp.lt.u32 %p1, %r1, 40; @!%p1 bra W; bar.sync 0; bra E; W: bar.sync 0; E:",
         "setp.lt.u32 %p1, %r1, 32; @!%p1 bra W; bar.sync 0; bra E; W: bar.sync 0; E:");
  caught(FaultKind::barrier_not_reached, "setp.lt.u32 %p1, %r1, 32; @%p1 bra E; bar.sync 0; E:", "bar.sync 0;");
  caught(FaultKind::barrier_not_reached,
         "setp.lt.u32 %p1, %r1, 32; @!%p1 bra W; bar.sync 0; bra E; W: bar.sync 1; E:", "bar.sync 1;");
  caught(FaultKind::barrier_not_reached, "bar.sync 1, 96;", "bar.sync 1, 64;");
}

TEST_CASE("lanes that come late to an aligned barrier are waited for") {
  // The lower half of the warp takes a detour that lies behind the barrier in the text.
  CHECK_FALSE(run("setp.lt.u32 %p1, %r1, 16; @%p1 bra D; B: bar.sync 0; bra E; D: mov.u32 %r5, 1; bra B; E:").faulted);
}

TEST_CASE("wrong member masks are caught") {
  caught(FaultKind::wrong_mask, "shfl.sync.idx.b32 %r5, %r1, 0, 31, 0x7fffffff;",
         "shfl.sync.idx.b32 %r5, %r1, 0, 31, -1;");
  const std::string halves = "and.b32 %r5, %r1, 31; setp.lt.u32 %p1, %r5, 16; @%p1 bra E; ";
  caught(FaultKind::wrong_mask,
         halves + "shfl.sync.idx.b32 %r6, %r1, 16, 31, -1; bra F; E: shfl.sync.idx.b32 %r6, %r1, 0, 31, -1; F:",
         halves +
             "shfl.sync.idx.b32 %r6, %r1, 16, 31, 0xffff0000; bra F; E: shfl.sync.idx.b32 %r6, %r1, 0, 31, 0xffff; F:");
}

TEST_CASE("a shuffle from a lane that does not take part is caught") {
  caught(FaultKind::inactive_lane,
         "and.b32 %r5, %r1, 31; setp.lt.u32 %p1, %r5, 16; @!%p1 bra E; shfl.sync.idx.b32 %r6, %r1, 20, 31, 0xffff; E:",
         "and.b32 %r5, %r1, 31; setp.lt.u32 %p1, %r5, 16; @!%p1 bra E; shfl.sync.idx.b32 %r6, %r1, 3, 31, 0xffff; E:");
}

TEST_CASE("cp.async data must be waited for") {
  const std::string copy = "cp.async.ca.shared.global [%r4], [%rd2], 4; cp.async.commit_group;";
  caught(FaultKind::uninitialised, copy + "ld.shared.u32 %r5, [%r4];",
         copy + "cp.async.wait_group 0; ld.shared.u32 %r5, [%r4];");
}

TEST_CASE("runaway kernels and traps end") {
  caught(FaultKind::step_limit, "L: bra L;", "bra L; L:");
  caught(FaultKind::trap, "setp.eq.u32 %p1, %r1, 33; @%p1 trap;", "setp.eq.u32 %p1, %r1, 64; @%p1 trap;");
}

}  // namespace
}  // namespace ridge::ptx
