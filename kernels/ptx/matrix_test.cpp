// Matrix instructions against the PTX manual's figures: where each element of A, B, C and D lies in the registers of a
// warp is written here once more, as the manual's formulas, and whole numbers go through the instruction. Then planted
// bugs and their clean twins, and the counts by type.
#include <catch2/catch.hpp>

#include <cmath>

#include "kernels/ptx/arith/convert.hpp"
#include "kernels/ptx/testing/harness.hpp"
#include "kernels/ptx/testing/matrix_figures.hpp"

namespace ridge::ptx {
namespace {

using testing::At;
using testing::Figure;
using testing::figures;
using testing::Machine;
using testing::ptx_module;

int width(Type t) {
  return t == Type::f64 ? 64 : t == Type::s8 ? 8 : t == Type::f16 || t == Type::bf16 ? 16 : 32;
}

u64 encoded(double v, Type t) {
  if (t == Type::s8 || t == Type::s32) return static_cast<u32>(static_cast<s32>(v)) & (t == Type::s8 ? 0xffu : ~0u);
  return bits_from(v, t);
}

double decoded(u64 word, Type t) {
  return t == Type::s32 ? static_cast<s32>(static_cast<u32>(word)) : value_of(word, t);
}

/// A kernel k(a, b, c, d) of one warp that loads each lane's registers in their order, runs `instruction` and stores D.
std::string kernel_of(const Figure& f, const std::string& instruction) {
  const bool wide = f.in == Type::f64;
  const std::string word = wide ? ".b64" : ".b32", unit = wide ? "%rd" : "%r";
  const int bytes = wide ? 8 : 4;
  const auto registers = [&](int elements, Type t) { return std::max(1, elements * width(t) / (8 * bytes)); };
  std::string body =
      ".reg .b32 %t; .reg .b64 %p<5>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .b64 %o;\n"
      "mov.u32 %t, %tid.x;\n";
  int next = 0;
  const auto list = [&](int first, int count) {
    std::string text = "{";
    for (int i = 0; i < count; ++i) text += (i ? "," : "") + unit + std::to_string(first + i);
    return text + "}";
  };
  const auto move = [&](int which, int count, bool store, int first) {
    const std::string p = "%p" + std::to_string(which);
    std::string text = "ld.param.u64 " + p + ", [p" + std::to_string(which) + "];\nmul.wide.u32 %o, %t, " +
                       std::to_string(count * bytes) + ";\nadd.s64 " + p + ", " + p + ", %o;\n";
    for (int i = 0; i < count; ++i) {
      const std::string r = unit + std::to_string(first + i), at = "[" + p + "+" + std::to_string(i * bytes) + "]";
      text +=
          store ? "st.global" + word + " " + at + ", " + r + ";\n" : "ld.global" + word + " " + r + ", " + at + ";\n";
    }
    return text;
  };
  const int a = registers(f.a_elements, f.in), b = registers(f.b_elements, f.in), c = registers(f.c_elements, f.sum);
  const int first[] = {next, next + a, next + a + b, next + a + b + c};
  body += move(0, a, false, first[0]) + move(1, b, false, first[1]) + move(2, c, false, first[2]);
  std::string text = instruction;
  const auto put = [&](const char* mark, const std::string& by) {
    const auto found = text.find(mark);
    if (found != std::string::npos) text.replace(found, 2, by);
  };
  put("$d", list(first[3], c));
  put("$a", list(first[0], a));
  put("$b", list(first[1], b));
  put("$c", list(first[2], c));
  return ptx_module(".visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3)\n{\n" + body +
                    text + "\n" + move(3, c, true, first[3]) + "ret;\n}\n");
}

std::string mma(const Figure& f) {
  return std::string("mma.sync.aligned.") + f.text + " $d, $a, $b, $c;";
}

/// Each lane's registers, its elements packed from the low bits up, by the manual's places.
std::vector<u32> packed(int elements, Type t, const std::function<At(int, int, int)>& place,
                        const std::vector<double>& matrix, int columns) {
  std::vector<u32> words;
  for (int lane = 0; lane < 32; ++lane) {
    u64 word = 0;
    int used = 0;
    for (int i = 0; i < elements; ++i) {
      const At at = place(lane >> 2, lane % 4, i);
      word |= encoded(matrix[static_cast<std::size_t>(at.row * columns + at.column)], t) << used;
      used += width(t);
      if (used < 32) continue;
      words.push_back(static_cast<u32>(word));
      if (used == 64) words.push_back(static_cast<u32>(word >> 32));
      word = 0;
      used = 0;
    }
  }
  return words;
}

struct Product {
  std::vector<double> a, b, c;  // (M, K), (K, N), (M, N)
};

template <class Value>
Product made(const Figure& f, Value value) {
  Product p;
  for (int i = 0; i < f.m * f.k; ++i) p.a.push_back(value(i));
  for (int i = 0; i < f.k * f.n; ++i) p.b.push_back(value(i + 1000));
  for (int i = 0; i < f.m * f.n; ++i) p.c.push_back(value(i + 2000));
  return p;
}

struct Ran {
  std::vector<double> d;  // (M, N)
  Counts counts;
};

Ran run(const Figure& f, const Product& p, const std::string& instruction, const LaunchOptions& options = {}) {
  Machine m(kernel_of(f, instruction));
  const auto a = m.upload(packed(f.a_elements, f.in, f.a, p.a, f.k));
  const auto b = m.upload(packed(f.b_elements, f.in, f.b, p.b, f.n));
  const auto c = m.upload(packed(f.c_elements, f.sum, f.c, p.c, f.n));
  const std::size_t words = static_cast<std::size_t>(32 * f.c_elements * (f.sum == Type::f64 ? 2 : 1));
  const auto d = m.memory.allocate(words * 4);
  Ran ran;
  ran.counts = m.run("k", {1}, {32}, options, a, b, c, d).counts;
  const auto found = m.download<u32>(d, words);
  ran.d.resize(static_cast<std::size_t>(f.m * f.n));
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < f.c_elements; ++i) {
      const At at = f.c(lane >> 2, lane % 4, i);
      const auto n = static_cast<std::size_t>(lane * f.c_elements + i);
      const u64 word = f.sum == Type::f64 ? found[2 * n] | static_cast<u64>(found[2 * n + 1]) << 32 : found[n];
      ran.d[static_cast<std::size_t>(at.row * f.n + at.column)] = decoded(word, f.sum);
    }
  return ran;
}

/// A·B + C in long double, and the sum of all magnitudes.
struct Exact {
  long double sum = 0, magnitude = 0;
};
Exact exact(const Figure& f, const Product& p, int i, int j) {
  Exact e;
  const auto add = [&](long double v) {
    e.sum += v;
    e.magnitude += std::fabs(v);
  };
  add(p.c[static_cast<std::size_t>(i * f.n + j)]);
  for (int k = 0; k < f.k; ++k)
    add(static_cast<long double>(p.a[static_cast<std::size_t>(i * f.k + k)]) *
        p.b[static_cast<std::size_t>(k * f.n + j)]);
  return e;
}

int wrong(const Figure& f, const Product& p, const Ran& ran) {
  int count = 0;
  for (int i = 0; i < f.m; ++i)
    for (int j = 0; j < f.n; ++j)
      if (ran.d[static_cast<std::size_t>(i * f.n + j)] != exact(f, p, i, j).sum) ++count;
  return count;
}

double whole(int i) {
  return static_cast<double>((i * 7919 + i / 3) % 17 - 8);
}

}  // namespace

TEST_CASE("matrices of whole numbers multiply exactly with every element where the manual's figures have it") {
  for (const Figure& f : figures()) {
    CAPTURE(f.text);
    const Product p = made(f, whole);
    LaunchOptions options;
    options.counts = true;
    const Ran ran = run(f, p, mma(f), options);
    CHECK(wrong(f, p, ran) == 0);
    CHECK(ran.counts.tensor_flops[static_cast<std::size_t>(f.counted)] == static_cast<u64>(2 * f.m * f.n * f.k));
    CHECK(ran.counts.total_flops() == static_cast<u64>(2 * f.m * f.n * f.k));
    CHECK(ran.counts.of(InstructionClass::tensor).warps == 1);
  }
}

TEST_CASE("one element of A and one of B meet in one sum, for every third row and column") {
  for (const Figure& f : figures()) {
    CAPTURE(f.text);
    int lost = 0;
    for (int row = 0; row < f.m; row += 3)
      for (int column = 0; column < f.n; column += 3)
        for (int k = 0; k < f.k; ++k) {
          Product p = made(f, [](int) { return 0.0; });
          p.a[static_cast<std::size_t>(row * f.k + k)] = 3;
          p.b[static_cast<std::size_t>(k * f.n + column)] = 5;
          lost += wrong(f, p, run(f, p, mma(f)));
        }
    CHECK(lost == 0);
  }
}

TEST_CASE("registers in another order are another product") {
  for (const Figure& f : figures()) {
    CAPTURE(f.text);
    const Product p = made(f, whole);
    // The manual's first two elements of B's neighbour columns exchanged, and A's rows 8 apart.
    Figure planted = f;
    planted.b = [&](int g, int t, int i) { return f.b(g ^ 1, t, i); };
    CHECK(wrong(f, p, run(planted, p, mma(f))) > 0);
    planted = f;
    planted.a = [&](int g, int t, int i) {
      const At at = f.a(g, t, i);
      return At{f.m == 16 ? (at.row + 8) % 16 : at.row ^ 1, at.column};
    };
    CHECK(wrong(f, p, run(planted, p, mma(f))) > 0);
    planted = f;
    planted.c = [&](int g, int t, int i) { return f.c(g, t ^ 1, i); };
    Ran ran = run(planted, made(f, [](int i) { return i >= 2000 ? 0.0 : whole(i); }), mma(f));
    CHECK(wrong(f, made(f, [](int i) { return i >= 2000 ? 0.0 : whole(i); }), ran) > 0);
  }
}

TEST_CASE("all products of two signed bytes are right, and sums wrap") {
  const Figure& f = figures()[3];
  int off = 0;
  for (int base_a = -128; base_a < 128; base_a += 16)
    for (int base_b = -128; base_b < 128; base_b += 8) {
      Product p = made(f, [](int) { return 0.0; });
      for (int i = 0; i < f.m; ++i) p.a[static_cast<std::size_t>(i * f.k + i)] = base_a + i;
      for (int i = 0; i < f.m; ++i)
        for (int j = 0; j < f.n; ++j) p.b[static_cast<std::size_t>(i * f.n + j)] = base_b + j;
      off += wrong(f, p, run(f, p, mma(f)));
    }
  CHECK(off == 0);
  Product p = made(f, [](int i) { return i < 2000 ? 127.0 : 2147483647.0; });
  const Ran ran = run(f, p, mma(f));
  CHECK(ran.d[0] == static_cast<double>(static_cast<s32>(2147483647u + 32u * 127u * 127u)));
  const Ran clamped =
      run(f, p, std::string("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 $d, $a, $b, $c;"));
  CHECK(clamped.d[0] == 2147483647.0);
}

TEST_CASE("tf32 operands count by their upper 19 bits") {
  const Figure& f = figures()[2];
  const Product p = made(f, whole);
  Machine m(kernel_of(f, mma(f)));
  auto words = packed(f.a_elements, f.in, f.a, p.a, f.k);
  for (u32& word : words) word |= 0x1fff;
  const auto a = m.upload(words);
  const auto b = m.upload(packed(f.b_elements, f.in, f.b, p.b, f.n));
  const auto c = m.upload(packed(f.c_elements, f.sum, f.c, p.c, f.n));
  const auto d = m.memory.allocate(512);
  m.run("k", {1}, {32}, {}, a, b, c, d);
  CHECK(value_of(m.download<u32>(d, 1)[0], Type::f32) == exact(f, p, 0, 0).sum);
}

/// What this machine promises, and what any order of summing in f32 would: the difference is what verification on a
/// GPU has to allow.
TEST_CASE("sums of full mantissas stay within the machine's bound, far inside of a GPU's") {
  u32 state = 12345;
  const auto random = [&state](Type t) {
    state = state * 1664525u + 1013904223u;
    return value_of(bits_from((static_cast<double>(state >> 8) / 8388608.0 - 1) * 3, t), t);
  };
  for (const Figure& f : figures()) {
    if (f.sum != Type::f32) continue;
    CAPTURE(f.text);
    for (int round = 0; round < 20; ++round) {
      Product p = made(f, [](int) { return 0.0; });
      for (double& v : p.a) v = random(f.in);
      for (double& v : p.b) v = random(f.in);
      for (double& v : p.c) v = random(Type::f32);
      const Ran ran = run(f, p, mma(f));
      for (int i = 0; i < f.m; ++i)
        for (int j = 0; j < f.n; ++j) {
          const Exact e = exact(f, p, i, j);
          const long double off = std::fabs(ran.d[static_cast<std::size_t>(i * f.n + j)] - e.sum);
          const long double machine = 0x1p-24L * std::fabs(e.sum) * (1 + 0x1p-20L) + f.k * 0x1p-52L * e.magnitude;
          CHECK(off <= machine);
          CHECK(machine < (f.k + 1) * 0x1p-23L * e.magnitude);
        }
    }
  }
}

}  // namespace ridge::ptx
