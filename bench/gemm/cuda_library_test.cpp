// cuBLASLt's whole path on a reference GPU, the library played by its stand-in: every type, layout, batch and scale
// verified, refusals with their rule, every call that fails told with all that was asked, nothing left behind.
#include <catch2/catch.hpp>

#include <iostream>

#include "bench/gemm/cuda_library_machine.hpp"
#include "bench/gemm/definition.hpp"
#include "bench/harness/proof.hpp"

using namespace ridge;
using namespace ridge::bench;
using bench::gemm::call_with;
using bench::gemm::halved;
using bench::gemm::Machine;
using bench::gemm::point_of;
using bench::gemm::scaled;
namespace bg = ridge::bench::gemm;
namespace rg = ridge::gemm;

TEST_CASE("cuBLASLt's path multiplies every type, layout and batch, and its work is proven") {
  Machine machine;
  int seen = 0;
  std::vector<record::Point> points;
  for (const std::string dtype : {"f64", "f32", "tf32", "f16", "bf16"})
    for (const std::string layout : {"nn", "nt", "tn", "tt"})
      for (const std::int64_t batch : {1, 3}) {
        points.push_back(point_of(dtype, 19, 70, 33, layout, batch));
        points.push_back(point_of(dtype, 1, 1, 1, layout, batch));
      }
  for (const std::int64_t batch : {1, 3}) points.push_back(point_of("int8", 20, 36, 68, "nt", batch));
  for (const std::string dtype : {"e4m3", "e5m2"})
    for (const std::string accumulation : {"full", "fast"})
      for (const std::string scale : {"none", "tensor", "outer", "block"})
        points.push_back(scaled(point_of(dtype, 32, 144, 160, "nt"), accumulation, scale));
  points.push_back(point_of("e2m1", 32, 144, 160, "nt"));
  for (const std::string dtype : {"f16", "bf16"})
    for (const std::string layout : {"nn", "tt"}) points.push_back(halved(point_of(dtype, 19, 70, 133, layout, 2)));
  points.push_back(halved(scaled(point_of("e4m3", 32, 144, 160, "nt"), "full", "tensor")));
  points.push_back(halved(point_of("e2m1", 32, 144, 160, "nt")));
  for (const record::Point& point : points) {
    CAPTURE(point.to_text());
    machine.with_case(point, [&](Case& prepared) {
      const auto verified = prepared.verify();
      CHECK(verified.reason == "every entry compared with f64, and exactly on whole numbers");
      REQUIRE(verified.status == record::Check::passed);
      CHECK(verified.checked == point.integer("batch") * point.integer("m") * point.integer("n"));
      const auto counted = machine.gpu.count([&] { prepared.run(1); });
      const auto work = *prepared.work();
      CHECK(prove(work, prepared.besides_work(), counted).difference.empty());
      CHECK(work.counting.find("; multiplied by the stand-in for cuBLASLt, kernel algorithm ") != std::string::npos);
      CHECK(work.counting.find("; alpha ") != std::string::npos);
      CHECK(work.counting.find(", beta 0; workspace of 33554432 B allowed") != std::string::npos);
      ++seen;
    });
  }
  CHECK(seen == 5 * 4 * 2 * 2 + 2 + 16 + 1 + 6);
  CHECK(machine.library.left().empty());
}

TEST_CASE("large products of the library are compared in rows and columns, and zeroes are multiplied too") {
  Machine machine;
  CHECK(machine.verified(point_of("bf16", 60, 90, 40, "nt", 2), 1000).reason.find("8 rows and 4 columns") == 0);
  machine.with_case(
      point_of("f32", 8, 8, 8), [](Case& prepared) { CHECK(prepared.verify().status == record::Check::passed); },
      bg::most_compared, Fill::zero);
}

TEST_CASE("a shape, layout, type or GPU that the library refuses is absent, with the rule") {
  Machine machine;
  const auto absent = [&](const record::Point& point, Machine& on) {
    try {
      on.with_case(point, [](Case&) {});
    } catch (const device::Absent& reason) {
      return std::string(reason.what());
    }
    return std::string();
  };
  const auto narrow = [](std::int64_t m, std::int64_t n, std::int64_t k, const std::string& layout = "nt") {
    return scaled(point_of("e4m3", m, n, k, layout), "full", "none");
  };
  CHECK(absent(narrow(16, 16, 24), machine) ==
        "the stand-in for cuBLASLt has no such product (m 16, n 16, k 24, e4m3·e4m3 → f32, layout nt, batch 1 on "
        "ptx:0): k must be a multiple of 16");
  CHECK(absent(narrow(16, 16, 32, "nn"), machine).find("layout must be nt") != std::string::npos);
  CHECK(absent(point_of("int8", 8, 6, 8, "nt"), machine).ends_with("n must be a multiple of 4"));
  CHECK(absent(point_of("e2m1", 16, 16, 48, "nt"), machine).ends_with("k must be a multiple of 32"));
  CHECK(absent(narrow(16, 16, 32), machine).empty());
  Machine older(80);
  CHECK(absent(narrow(16, 16, 32), older).find("from compute capability 8.9 on, and this GPU has 8.0") !=
        std::string::npos);
  CHECK(absent(point_of("bf16", 16, 16, 32), older).empty());
  CHECK(machine.library.left().empty());
}

TEST_CASE("every call of the library that fails is told with its status and all that was asked") {
  const auto point = scaled(point_of("e4m3", 32, 48, 64, "nt", 1), "fast", "tensor");
  std::map<std::string, int> calls;
  {
    Machine machine;
    CHECK(machine.error(point).empty());
    calls = machine.library.calls();
  }
  int failed = 0;
  for (const auto& [call, times] : calls) {
    // Given back in destructors, which cannot tell; a fact of the algorithm that is not told is left out.
    const bool told = !call.ends_with("Destroy") && call != "cublasLtMatmulAlgoConfigGetAttribute";
    for (int nth = 1; nth <= times; ++nth) {
      CAPTURE(call, nth);
      Machine machine;
      machine.library.fail(call, nth, CUBLAS_STATUS_EXECUTION_FAILED);
      const std::string error = machine.error(point);
      CHECK(error.empty() != told);
      if (!told) continue;
      CHECK(error == call +
                         ": CUBLAS_STATUS_EXECUTION_FAILED (13): m 32, n 48, k 64, e4m3·e4m3 → f32 (fast "
                         "accumulation), layout nt, batch 1 on ptx:0");
      CHECK(machine.library.left().empty());
      ++failed;
    }
  }
  std::cout << failed << " failing calls told\n";
  CHECK(failed == 20);
}

TEST_CASE("work of the library waits in the stream, and what goes wrong there is the GPU's error") {
  Machine machine;
  machine.with_case(point_of("f32", 16, 16, 16), [&](Case& prepared) {
    machine.gpu.device().stream().synchronize();
    machine.gpu.reference().clear_notes();
    prepared.run(3);
    CHECK(machine.gpu.reference().launches().empty());
    machine.gpu.device().stream().synchronize();
    CHECK(machine.gpu.reference().launches().size() == 3);
  });
}

// A reference GPU that plays a real one: its events give the host's time.
TEST_CASE("where there is a clock, each of the heuristic's algorithms is timed before one is chosen") {
  ptx::ReferenceSettings settings;
  settings.multiprocessors = 2;
  settings.host_clock = true;
  ptx::Reference reference(settings);
  const auto driver = reference.driver();
  driver->cuInit(0);
  device::cuda::Devices devices(driver, device::Kind::cuda, [](const char*) -> const char* { return nullptr; });
  auto& device = devices.open(0);
  const ptx::CublasLt library(*driver);
  const auto point = point_of("f32", 16, 16, 64);
  std::int64_t needed = 0;
  for (const std::int64_t bytes : bg::buffers(point)) needed += device::borrow_cost(bytes);
  const auto arena = device.make_arena(needed);
  CudaContext context{device, *arena, 1, Fill::random};
  const auto prepared =
      bg::make_cuda_case(bg::question_of(point), context, [&](const auto& question, const auto& pointers, auto& on) {
        return bg::make_cuda_library(question, pointers, on, library.table());
      });
  CHECK(library.calls().at("cublasLtMatmul") == 3 * (1 + 3));
  CHECK(prepared->work()->counting.find(", the fastest of 3; alpha 1, beta 0; workspace of ") != std::string::npos);
  CHECK(prepared->verify().status == record::Check::passed);
}

TEST_CASE("wrong products of a library are refused: the list and the count") {
  int killed = 0, tried = 0;
  const auto refuse = [&](const char* mistake, const record::Point& point, const auto& change) {
    const bool refused = bg::refused(point, change);
    std::cout << (refused ? "killed: " : "SURVIVED: ") << mistake << "\n";
    CHECK(refused);
    ++tried;
    killed += refused ? 1 : 0;
  };
  static const float twice = 2;
  refuse("nothing computed", point_of("f32", 8, 8, 8), [](cublaslt::Table& wrong, const cublaslt::Table&) {
    wrong.Matmul = [](auto...) { return CUBLAS_STATUS_SUCCESS; };
  });
  refuse("operands exchanged", point_of("f32", 8, 8, 8),
         call_with([](auto& all) { std::swap(std::get<3>(all), std::get<5>(all)); }));
  refuse("another factor", point_of("bf16", 8, 8, 8), call_with([](auto& all) { std::get<2>(all) = &twice; }));
  refuse("another factor, C of 16 bits", halved(point_of("bf16", 8, 8, 8)),
         call_with([](auto& all) { std::get<2>(all) = &twice; }));
  refuse("C of another type", halved(scaled(point_of("e4m3", 16, 16, 32, "nt"), "full", "none")),
         [](cublaslt::Table& wrong, const cublaslt::Table& right) {
           wrong.MatrixLayoutCreate = [create = right.MatrixLayoutCreate](auto out, auto type, auto... more) {
             return create(out, type == CUDA_R_16BF ? CUDA_R_16F : type, more...);
           };
         });
  refuse("k of the last tile lost, C of 16 bits", halved(point_of("bf16", 40, 8, 64)),
         [](cublaslt::Table& wrong, const cublaslt::Table& right) {
           wrong.MatrixLayoutCreate = [create = right.MatrixLayoutCreate, made = 0](
                                          auto out, auto type, auto rows, auto columns, auto leading) mutable {
             ++made;  // A (m, k) is (k, m) there, B (k, n) is (n, k)
             return create(out, type, made == 1 ? rows - 1 : rows, made == 2 ? columns - 1 : columns, leading);
           };
         });
  refuse("the result 16 bytes on", point_of("f64", 8, 8, 8),
         call_with([](auto& all) { std::get<10>(all) = static_cast<char*>(std::get<10>(all)) + 16; }));
  refuse("scales forgotten", scaled(point_of("e4m3", 16, 16, 32, "nt"), "full", "tensor"),
         [](cublaslt::Table& wrong, const cublaslt::Table& right) {
           wrong.MatmulDescSetAttribute = [set = right.MatmulDescSetAttribute](auto operation, auto which, auto value,
                                                                               auto bytes) {
             if (which == CUBLASLT_MATMUL_DESC_A_SCALE_POINTER) return CUBLAS_STATUS_SUCCESS;
             return set(operation, which, value, bytes);
           };
         });
  refuse("tf32 where f32 was asked", point_of("f32", 8, 8, 8),
         [](cublaslt::Table& wrong, const cublaslt::Table& right) {
           wrong.MatmulDescCreate = [create = right.MatmulDescCreate](auto out, auto, auto scale) {
             return create(out, CUBLAS_COMPUTE_32F_FAST_TF32, scale);
           };
         });
  refuse("one product of the batch", point_of("f16", 8, 8, 8, "nn", 3),
         [](cublaslt::Table& wrong, const cublaslt::Table& right) {
           wrong.MatrixLayoutSetAttribute = [set = right.MatrixLayoutSetAttribute](auto layout, auto which, auto value,
                                                                                   auto bytes) {
             if (which == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT) return CUBLAS_STATUS_SUCCESS;
             return set(layout, which, value, bytes);
           };
         });
  std::cout << killed << " of " << tried << " wrong products refused\n";
  CHECK(tried == 10);
}

TEST_CASE("what exists on a GPU: types of their own are benchmarks of their own, with their own metric") {
  std::map<std::string, const Definition*> by_name;
  const auto all = bg::definitions();
  for (const Definition& d : all) by_name[d.name] = &d;
  CHECK(by_name.at("gemm.tf32")->metrics.front().name == "tf32_flops");
  CHECK(by_name.at("gemm.int8")->metrics.front().unit == record::Unit::op_per_second);
  for (const char* name : {"gemm.float", "gemm.int8", "gemm.tf32", "gemm.fp8", "gemm.fp4", "gemm.ladder"})
    CHECK(by_name.at(name)->prepare_cuda);
  CHECK_FALSE(by_name.at("gemm.tf32")->prepare_cpu);
  auto other = point_of("f32", 8, 8, 8);
  other.set("engine", std::string("onednn"));
  CHECK(bg::unsupported(other) == "on a GPU the engine is the library: cuBLASLt");
  CHECK(bg::unsupported(halved(point_of("f32", 8, 8, 8))) == "C of products of f32 has no 16 bits");
  CHECK(bg::question_of(halved(point_of("f16", 8, 8, 8))).problem.c == rg::Type::f16);
  CHECK(bg::question_of(halved(point_of("e4m3", 8, 8, 8))).problem.c == rg::Type::bf16);
  CHECK(bg::question_of(point_of("e5m2", 16, 16, 16, "nt")).problem.b == rg::Type::e4m3);
  CHECK(bg::buffers(point_of("e2m1", 16, 16, 64, "nt"))[1] == 16 * 64 / 2);
}
