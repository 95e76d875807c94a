// Every handler gives the same bits in every instruction set that this processor has, in full and partial warps.
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <vector>

#include "kernels/ptx/lanes/handlers.hpp"

namespace ridge::ptx {
namespace {

constexpr u32 at_a = 64, at_b = 576, at_c = 1088, at_d = 1600, at_dst = 2112, file_bytes = 3072;

struct File {
  alignas(64) u8 bytes[file_bytes];
};

File random_file(std::mt19937& random) {
  File f;
  for (u8& b : f.bytes) b = static_cast<u8>(random());
  const u32 special[] = {0, 0x80000000u, 0x7f800000u, 0x7fc00000u, 0x3f800000u,
                         1, 0x7f7fffffu, 0x00800000u, 33,          0xffffffffu};
  for (u32 at = 64; at + 4 <= at_dst; at += 28) std::memcpy(f.bytes + at, &special[random() % 10], 4);
  return f;
}

File after(Handler handler, const File& before, u32 lanes, u8 k = 0, s64 imm = 0x96) {
  File out = before;
  Warp w;
  w.registers = out.bytes;
  Op op;
  op.dst = at_dst;
  op.a = at_a;
  op.b = at_b;
  op.c = at_c;
  op.d = at_d;
  op.k = k;
  op.imm = imm;
  handler(w, op, lanes);
  return out;
}

/// Tags of the race check: of this epoch and older ones, of two warps and several readers.
std::vector<u32> random_tags(std::mt19937& random, std::size_t n, bool hazards) {
  std::vector<u32> out(n);
  for (u32& tag : out) tag = (random() % (hazards ? 2 : 1) + 4) << 8 | (random() % 8 == 0 ? 64 : 0) | random() % 2;
  return out;
}

/// NaNs may differ in payload and sign: an operand's payload is kept on one path and not on another.
bool same(const File& x, const File& y, Type t) {
  for (u32 at = 0; at < file_bytes; at += bytes_of(t) == 8 ? 8 : 2) {
    if (std::memcmp(x.bytes + at, y.bytes + at, bytes_of(t) == 8 ? 8 : 2) == 0) continue;
    if (!is_float(t)) return false;
    const u32 start = at / 8 * 8;
    double a, b;
    float p[2], q[2];
    std::memcpy(&a, x.bytes + start, 8);
    std::memcpy(&b, y.bytes + start, 8);
    std::memcpy(p, x.bytes + start, 8);
    std::memcpy(q, y.bytes + start, 8);
    const bool wide_nan = t == Type::f64 && a != a && b != b;
    const u32 half = at % 8 / 4;
    if (!wide_nan && !(t == Type::f32 && p[half] != p[half] && q[half] != q[half])) return false;
  }
  return true;
}

void compare(Handler reference, Handler other, Type t, std::mt19937& random) {
  REQUIRE((reference == nullptr) == (other == nullptr));
  if (!reference) return;
  for (const u32 lanes : {all_lanes, 0x0f0f1234u, 1u}) {
    const File before = random_file(random);
    REQUIRE(same(after(reference, before, lanes), after(other, before, lanes), t));
  }
}

TEST_CASE("all instruction sets agree on every operation and type") {
  const Handlers& base = *handlers_named("base");
  if (!handlers_named("v3")) {
    // Not built under sanitizers and off x86-64, and not run on older processors: nothing to compare the base set with.
    WARN("skipped: the base set of lanes is the only one here");
    return;
  }
  std::mt19937 random(11);
  for (const char* name : {"v3", "v4"}) {
    const Handlers* set = handlers_named(name);
    if (!set) continue;
    for (u8 type = 2; type <= static_cast<u8>(Type::s16x2); ++type) {
      const Type t = static_cast<Type>(type);
      INFO(name << " " << name_of(t));
      for (u8 i = 0; i <= static_cast<u8>(Unary::rsqrt_high); ++i) {
        INFO("unary " << int{i});
        compare(base.unary(static_cast<Unary>(i), t), set->unary(static_cast<Unary>(i), t), t, random);
      }
      for (u8 r = 0; r < 4; ++r) {
        for (u8 i = 0; i <= static_cast<u8>(Binary::mul24); ++i) {
          INFO("binary " << int{i} << " rounding " << int{r});
          compare(base.binary(static_cast<Binary>(i), t, static_cast<Rounding>(r)),
                  set->binary(static_cast<Binary>(i), t, static_cast<Rounding>(r)), t, random);
        }
        for (u8 i = 0; i <= static_cast<u8>(Ternary::bmsk); ++i) {
          INFO("ternary " << int{i} << " rounding " << int{r});
          compare(base.ternary(static_cast<Ternary>(i), t, static_cast<Rounding>(r)),
                  set->ternary(static_cast<Ternary>(i), t, static_cast<Rounding>(r)), t, random);
        }
      }
      for (u8 i = 0; i <= static_cast<u8>(Compare::nan); ++i) {
        compare(base.setp(static_cast<Compare>(i), t), set->setp(static_cast<Compare>(i), t), t, random);
      }
      for (u8 from = 2; from <= static_cast<u8>(Type::f64); ++from) {
        compare(base.convert(t, static_cast<Type>(from)), set->convert(t, static_cast<Type>(from)), t, random);
      }
    }
  }
}

TEST_CASE("all instruction sets note the same granules and see the same hazards") {
  if (!handlers_named("v3")) {
    WARN("skipped: the base set of lanes is the only one here");
    return;
  }
  std::mt19937 random(5);
  int hazards = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::size_t n = 1 + random() % 130;
    const auto writes = random_tags(random, n, i % 3 == 0), reads = random_tags(random, n, i % 2 == 0);
    const bool store = i % 5 == 0;
    auto expected_writes = writes, expected_reads = reads;
    const bool expected =
        handlers_named("base")->note_granules(expected_writes.data(), expected_reads.data(), n, store, 5 << 8);
    hazards += expected ? 0 : 1;
    for (const char* name : {"v3", "v4"}) {
      const Handlers* set = handlers_named(name);
      if (!set) continue;
      auto w = writes, r = reads;
      INFO(name << " " << n);
      REQUIRE(set->note_granules(w.data(), r.data(), n, store, 5 << 8) == expected);
      REQUIRE(w == expected_writes);
      REQUIRE(r == expected_reads);
    }
  }
  CHECK(hazards > 100);
  CHECK(hazards < 1900);
}

}  // namespace
}  // namespace ridge::ptx
