// ldmatrix, cp.async and packed multiply-adds: what they do by the PTX manual, planted bugs and their clean twins.
#include <catch2/catch.hpp>

#include "kernels/ptx/testing/harness.hpp"

namespace ridge::ptx {

using u32 = std::uint32_t;
using testing::every_order;
using testing::Machine;
using testing::ptx_module;

namespace {

/// A kernel k(p) of one warp: shared memory of 1024 bytes, all written with u16 numbers 0, 1, … where `filled`; lane in
/// %r1, 16·lane in %r2, the address of shared memory in %r3.
std::string shared_kernel(const std::string& body, bool filled = true) {
  std::string fill;
  if (filled)
    fill =
        "shl.b32 %r20, %r1, 4; shl.b32 %r21, %r1, 5; add.s32 %r21, %r21, %r3; mov.u32 %r22, 0;\n"
        "F: st.shared.u16 [%r21], %r20; add.s32 %r20, %r20, 1; add.s32 %r21, %r21, 2; add.s32 %r22, %r22, 1; "
        "setp.lt.u32 %p1, %r22, 16; @%p1 bra F; bar.warp.sync -1;\n";
  return ptx_module(
      ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<4>; .reg .b32 %r<32>; .reg .b64 %rd<8>;\n"
      ".shared .align 16 .b8 s[1024];\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n"
      "shl.b32 %r2, %r1, 4;\nmov.u32 %r3, s;\nadd.s32 %r4, %r3, %r2;\n" +
      fill + body + "\nret;\n}\n");
}

struct Outcome {
  bool faulted = false;
  std::string kind;
  int line = 0;
};

Outcome outcome(const std::string& text, const LaunchOptions& options) {
  Machine m(text);
  const auto p = m.upload(std::vector<u32>(1024, 7), "data");
  LaunchOptions limited = options;
  limited.step_limit = 1'000'000;
  try {
    m.run("k", {1}, {32}, limited, p);
  } catch (const Fault& f) {
    return {true, std::string(name_of(f.kind)), static_cast<int>(f.place.ptx_line)};
  }
  return {};
}

void caught(FaultKind kind, const std::string& bug, const std::string& clean, bool filled = true) {
  for (const LaunchOptions& options : every_order()) {
    const Outcome bad = outcome(shared_kernel(bug, filled), options);
    CAPTURE(bug);
    CHECK(bad.faulted);
    CHECK(bad.kind == name_of(kind));
    const Outcome good = outcome(shared_kernel(clean, filled), options);
    INFO(good.kind << " at line " << good.line);
    CHECK_FALSE(good.faulted);
  }
}

}  // namespace

TEST_CASE(
    "ldmatrix hands each lane the pair that the manual's figure has, plain and transposed, one to four matrices") {
  for (const int count : {1, 2, 4})
    for (const bool transposed : {false, true}) {
      std::string registers, stores;
      for (int j = 0; j < count; ++j) {
        const std::string r = "%r" + std::to_string(10 + j);
        registers += (j ? "," : "") + r;
        stores += "st.global.u32 [%rd3+" + std::to_string(4 * j) + "], " + r + ";\n";
      }
      Machine m(shared_kernel("ldmatrix.sync.aligned.m8n8.x" + std::to_string(count) + (transposed ? ".trans" : "") +
                              ".shared.b16 {" + registers + "}, [%r4];\n" + "mul.wide.u32 %rd2, %r1, " +
                              std::to_string(4 * count) + "; add.s64 %rd3, %rd1, %rd2;\n" + stores));
      const auto p = m.memory.allocate(static_cast<std::size_t>(32 * 4 * count));
      m.run("k", {1}, {32}, {}, p);
      const auto found = m.download<u32>(p, static_cast<std::size_t>(32 * count));
      int off = 0;
      for (int lane = 0; lane < 32; ++lane)
        for (int j = 0; j < count; ++j) {
          // Row r of matrix j is at the address of lane 8·j + r: eight numbers from 8·(8·j + r) on.
          const auto number = [&](int row, int column) { return static_cast<u32>(8 * (8 * j + row) + column); };
          const int row = lane / 4, column = 2 * (lane % 4);
          const u32 want = transposed ? number(column, row) | number(column + 1, row) << 16
                                      : number(row, column) | number(row, column + 1) << 16;
          off += found[static_cast<std::size_t>(lane * count + j)] != want;
        }
      CHECK(off == 0);
    }
}

TEST_CASE("ldmatrix from a wrong row address is caught, from the right one it is not") {
  const std::string load = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10,%r11,%r12,%r13}, ";
  caught(FaultKind::misaligned, load + "[%r4+8];", load + "[%r4+16];");
  caught(FaultKind::out_of_bounds, load + "[%r4+528];", load + "[%r4+512];");
  caught(FaultKind::uninitialised, load + "[%r4];",
         "st.shared.v4.u32 [%r4], {%r1,%r1,%r1,%r1}; bar.warp.sync -1; " + load + "[%r4];", false);
  // The addresses of lanes that name no row are not looked at.
  const std::string one = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r10}, [%r5];";
  caught(FaultKind::out_of_bounds, "setp.lt.u32 %p2, %r1, 7; selp.b32 %r5, %r4, 4000, %p2; " + one,
         "setp.lt.u32 %p2, %r1, 8; selp.b32 %r5, %r4, 4000, %p2; " + one);
}

TEST_CASE("a matrix instruction that a part of the warp comes to is caught") {
  const std::string multiply =
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%r10,%r11,%r12,%r13}, {%r1,%r1,%r1,%r1}, {%r2,%r2}, "
      "{%r1,%r1,%r1,%r1};";
  caught(FaultKind::wrong_mask, "setp.lt.u32 %p2, %r1, 16; @!%p2 bra E; " + multiply + " E:",
         "setp.lt.u32 %p2, %r1, 32; @!%p2 bra E; " + multiply + " E:");
  const std::string load = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10,%r11,%r12,%r13}, [%r4];";
  caught(FaultKind::wrong_mask, "setp.lt.u32 %p2, %r1, 31; @!%p2 bra E; " + load + " E:",
         "setp.lt.u32 %p2, %r1, 32; @!%p2 bra E; " + load + " E:");
}

TEST_CASE("cp.async of every size, and what is wrong with it") {
  const std::string end = " cp.async.commit_group; cp.async.wait_group 0; bar.warp.sync -1;";
  const std::string sixteen = "mul.wide.u32 %rd2, %r1, 16; add.s64 %rd2, %rd1, %rd2; ";
  for (const std::string bytes : {"4", "8", "16"})
    CHECK_FALSE(outcome(shared_kernel(sixteen + "cp.async.ca.shared.global [%r4], [%rd2], " + bytes + ";" + end +
                                          " ld.shared.u32 %r5, [%r4];",
                                      false),
                        {})
                    .faulted);
  caught(FaultKind::misaligned, sixteen + "cp.async.cg.shared.global [%r4], [%rd2+8], 16;" + end,
         sixteen + "cp.async.cg.shared.global [%r4], [%rd2+16], 16;" + end);
  caught(FaultKind::misaligned, sixteen + "cp.async.ca.shared.global [%r4+4], [%rd2], 8;" + end,
         sixteen + "cp.async.ca.shared.global [%r4+8], [%rd2], 8;" + end);
  caught(FaultKind::out_of_bounds, sixteen + "cp.async.cg.shared.global [%r4], [%rd2+3600], 16;" + end,
         sixteen + "cp.async.cg.shared.global [%r4], [%rd2+3584], 16;" + end);
  // Bytes beyond the source's count are zero and are not read.
  const std::string partly = "cp.async.ca.shared.global [%r4], [%rd2+3596], 16, 4;";
  caught(FaultKind::misaligned, sixteen + partly + end,
         sixteen + "cp.async.ca.shared.global [%r4], [%rd2], 16, 4;" + end + " ld.shared.u32 %r5, [%r4+12];", false);
  // Of two groups the older one has arrived when at most one is open.
  const std::string two = sixteen +
                          "cp.async.ca.shared.global [%r4], [%rd2], 16; cp.async.commit_group; "
                          "cp.async.ca.shared.global [%r4+512], [%rd2], 16; cp.async.commit_group; ";
  caught(FaultKind::uninitialised, two + "cp.async.wait_group 1; ld.shared.u32 %r5, [%r4+512];",
         two + "cp.async.wait_group 1; ld.shared.u32 %r5, [%r4];", false);
  caught(FaultKind::uninitialised, two + "ld.shared.u32 %r5, [%r4];",
         two + "cp.async.wait_all; ld.shared.u32 %r5, [%r4+512];", false);
}

TEST_CASE("packed multiply-adds count two operations for each half, under their type") {
  for (const auto& [type, counted] : {std::pair{"f16x2", FlopType::f16}, {"bf16x2", FlopType::bf16}}) {
    Machine m(ptx_module(std::string(".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<4>;\nmov.u32 %r1, %tid.x;\n") +
                         "fma.rn." + type + " %r2, %r1, %r1, %r1;\nret;\n}\n"));
    const auto p = m.memory.allocate(4);
    const Counts counts = m.run("k", {1}, {32}, {}, p).counts;
    CHECK(counts.flops_of(counted) == 32 * 4);
    CHECK(counts.total_flops() == 32 * 4);
  }
}

}  // namespace ridge::ptx
