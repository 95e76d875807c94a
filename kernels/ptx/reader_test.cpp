// Tests of the reader: what is understood, how errors name their place, and that no text crashes it.
#include <catch2/catch.hpp>
#include <random>

#include "kernels/ptx/testing/harness.hpp"

namespace ridge::ptx {
namespace {

using testing::ptx_module;

const char* const sample = R"(
.global .align 4 .u32 total = 5;
.const .align 4 .f32 weights[3] = {0f3F800000, 2.5, -1};
.global .align 8 .u64 where = total;
.visible .entry scale(.param .u64 p, .param .f32 q, .param .align 4 .b8 r[12])
.maxntid 128, 2, 1
{
	.reg .pred %p<2>;
	.reg .f32 %f<4>;
	.reg .b64 %rd<3>;
	.shared .align 4 .b8 tile[512];
	.loc 1 17 3
	ld.param.u64 %rd1, [p];
	ld.param.f32 %f1, [q];
	ld.global.f32 %f2, [%rd1+4];
	mul.rn.f32 %f3, %f1, %f2;
	setp.lt.f32 %p1, %f3, 0f00000000;
	@%p1 bra DONE;
	st.global.f32 [%rd1+-0], %f3;
DONE:
	ret;
}
)";

TEST_CASE("a module's variables, kernels and parameters are read") {
  const Syntax s = read_syntax(ptx_module(sample));
  REQUIRE(s.variables.size() == 3);
  CHECK(s.variables[0].initial == std::vector<std::uint8_t>{5, 0, 0, 0});
  CHECK(s.variables[1].bytes == 12);
  CHECK(s.variables[2].pointers.at(0).symbol == "total");
  REQUIRE(s.functions.size() == 1);
  const Function& f = s.functions[0];
  CHECK(f.max_threads == 256);
  REQUIRE(f.parameters.size() == 3);
  CHECK(f.parameters[2].offset == 12);
  CHECK(f.parameters[2].bytes == 12);
  const KernelInfo info = Module::parse(ptx_module(sample))->info("scale");
  CHECK(info.static_shared_bytes == 512);
  CHECK(info.parameter_bytes == 24);
}

TEST_CASE("instructions keep the line of the PTX and of the source") {
  const auto module = Module::parse(ptx_module(sample));
  const Kernel& kernel = module->kernel("scale");
  const Site& load = kernel.sites[kernel.code[2].site];
  CHECK(load.text.substr(0, 13) == "ld.global.f32");
  CHECK(load.where.source_line == 17);
  CHECK(load.where.line == 18);
}

TEST_CASE("an unknown instruction is an error that names it, its line and the kernel") {
  const auto module =
      Module::parse(ptx_module(".visible .entry k()\n{\n.reg .b32 %r<2>;\nfrobnicate.b32 %r1, 3;\nret;\n}\n"));
  try {
    (void)module->info("k");
    FAIL("no error");
  } catch (const ReadError& e) {
    CHECK(e.line == 7);
    CHECK(e.kernel == "k");
    CHECK(e.reason.find("frobnicate.b32") != std::string::npos);
  }
  CHECK(module->unsupported().size() == 1);
}

TEST_CASE("an unknown modifier, type or operand is refused, never guessed") {
  const std::string refused = GENERATE(as<std::string>{}, "add.rq.f32 %f1, %f1, %f1;", "add.s32.sideways %r1, %r1, 1;",
                                       "mma.sync.aligned.m16n8k7.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r1}, {%f1};",
                                       "ld.global.b32 %r1, [%nowhere];", "bra NOWHERE;", "mov.b32 %r1, %f9;",
                                       "add.s32 %r1, %r1;", "cvt.rn.f16.e2m1 %r1, %r1;", "tcgen05.alloc %r1;");
  INFO(refused);
  const auto module = Module::parse(
      ptx_module(".visible .entry k()\n{\n.reg .b32 %r<4>; .reg .f32 %f<4>;\n" + refused + "\nret;\n}\n"));
  CHECK_THROWS_AS(module->info("k"), ReadError);
}

TEST_CASE("malformed text is an error with a line") {
  const std::string text =
      GENERATE(as<std::string>{}, "{", "\n\n.entry", ".visible .entry k( { }", "/* open", "\"open",
               ".global .u32 x[99999999999999999999];", ".global .align 3 .u32 x;", ".entry k() { add.s32 }",
               ".entry k() { {", ".entry k() { .reg .f32 %f<; }", "0f12", ".global .u8 x[2] = {1,2,3};",
               ".entry k() { ld.b32 %r1, [[[[[[[[[[[[1]]]]]]]]]]]]; }");
  INFO(text);
  CHECK_THROWS_AS(read_syntax(text), ReadError);
}

/// One random change: a byte, a cut, a repeated piece, or a swapped pair of pieces.
std::string mutated(std::string text, std::mt19937& random) {
  const std::size_t n = text.size(), at = random() % n, length = 1 + random() % 40;
  switch (random() % 4) {
    case 0:
      text[at] = static_cast<char>(random());
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(random() % n, text.substr(at, length));
      break;
    default:
      text.replace(random() % n, length, text.substr(at, length));
      break;
  }
  return text;
}

TEST_CASE("mutated modules are read or refused, and never crash") {
  std::mt19937 random(1);
  int read = 0, refused = 0;
  std::string text = ptx_module(sample);
#ifdef RIDGE_PTX_TEST_KERNELS
  const std::string nvcc = testing::file_text(RIDGE_PTX_TEST_KERNELS).substr(0, 60000);
#else
  const std::string nvcc = text;
#endif
  for (int i = 0; i < 3000; ++i) {
    std::string candidate = i % 20 == 0 ? nvcc : text;
    for (unsigned k = 1 + random() % 4; k > 0; --k) candidate = mutated(candidate, random);
    try {
      refused += Module::parse(candidate)->unsupported().empty() ? 0 : 1;
      ++read;
    } catch (const ReadError&) {
      ++refused;
    }
  }
  CHECK(read > 100);
  CHECK(refused > 100);
}

}  // namespace
}  // namespace ridge::ptx
