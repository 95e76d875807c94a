// C = A·B + beta·C through cuBLASLt's whole path on a reference GPU, the library played by its stand-in: every family
// verified and its work proven, wrong additions refused, errors told.
#include <catch2/catch.hpp>

#include <iostream>

#include "bench/gemm/cuda_library_machine.hpp"
#include "bench/harness/proof.hpp"

using namespace ridge;
using namespace ridge::bench;
using bench::gemm::call_with;
using bench::gemm::halved;
using bench::gemm::Machine;
using bench::gemm::point_of;
using bench::gemm::scaled;
namespace bg = ridge::bench::gemm;

namespace {

record::Point with_beta(record::Point point, const std::string& beta) {
  point.set("beta", beta);
  return point;
}

record::Point tensor_scaled() {
  return scaled(point_of("e4m3", 32, 48, 64, "nt"), "full", "tensor");
}

}  // namespace

TEST_CASE("cuBLASLt's path adds beta·C to products of every type, and that C is read is proven") {
  std::vector<record::Point> points;
  for (const std::string beta : {"0.5", "1"}) {
    for (const std::string dtype : {"f64", "f32", "tf32", "f16", "bf16"})
      for (const auto& [layout, batch] : {std::pair{"nn", 1}, std::pair{"tt", 3}})
        points.push_back(with_beta(point_of(dtype, 19, 70, 33, layout, batch), beta));
    points.push_back(with_beta(halved(point_of("bf16", 19, 70, 133, "nt", 2)), beta));
    points.push_back(with_beta(tensor_scaled(), beta));
    points.push_back(with_beta(scaled(point_of("e5m2", 32, 48, 64, "nt"), "fast", "block"), beta));
    points.push_back(with_beta(halved(point_of("e2m1", 32, 48, 64, "nt")), beta));
  }
  points.push_back(with_beta(halved(point_of("f16", 19, 70, 133, "nn")), "0.5"));
  for (const std::int64_t batch : {1, 3}) points.push_back(with_beta(point_of("int8", 20, 36, 68, "nt", batch), "1"));
  Machine machine;
  int seen = 0;
  for (const record::Point& point : points) {
    CAPTURE(point.to_text());
    REQUIRE_FALSE(bg::unsupported(point));
    machine.with_case(point, [&](Case& prepared) {
      const auto verified = prepared.verify();
      CHECK(verified.reason == "every entry compared with f64, and exactly on whole numbers");
      REQUIRE(verified.status == record::Check::passed);
      const auto counted = machine.gpu.count([&] { prepared.run(1); });
      const auto work = *prepared.work();
      CHECK(prove(work, prepared.besides_work(), counted).difference.empty());
      CHECK(work.counting.find(", beta " + point.text("beta") + "; workspace of ") != std::string::npos);
      CHECK(prepared.verify().status == record::Check::passed);  // whatever C has become
      ++seen;
    });
  }
  CHECK(seen == 2 * (5 * 2 + 4) + 1 + 2);
  machine.with_case(with_beta(tensor_scaled(), "0.5"), [](Case& prepared) {
    CHECK(prepared.work()->counting.find("; alpha 8, beta 0.5; workspace of ") != std::string::npos);
  });
  CHECK(machine.library.left().empty());
}

TEST_CASE("wrong additions of a library to C are refused: the list and the count") {
  int killed = 0, tried = 0;
  const auto refuse = [&](const char* mistake, const record::Point& point, const auto& change) {
    const bool refused = bg::refused(point, change);
    std::cout << (refused ? "killed: " : "SURVIVED: ") << mistake << "\n";
    CHECK(refused);
    ++tried;
    killed += refused ? 1 : 0;
  };
  const auto f32 = with_beta(point_of("f32", 8, 8, 8), "0.5");
  const auto batch = with_beta(point_of("bf16", 8, 8, 8, "nn", 3), "1");
  const auto bytes = with_beta(point_of("int8", 8, 8, 8, "nt"), "1");
  static const float none = 0, one = 1;
  static const std::int32_t no_whole = 0, two = 2;
  refuse("beta ignored, of bytes", bytes, call_with([](auto& all) { std::get<7>(all) = &no_whole; }));
  refuse("C of bytes added twice", bytes, call_with([](auto& all) { std::get<7>(all) = &two; }));
  refuse("beta ignored", f32, call_with([](auto& all) { std::get<7>(all) = &none; }));
  refuse("a beta of 1 ignored, of a batch", batch, call_with([](auto& all) { std::get<7>(all) = &none; }));
  refuse("beta ignored, C of 16 bits", with_beta(halved(point_of("bf16", 8, 8, 8)), "1"),
         call_with([](auto& all) { std::get<7>(all) = &none; }));
  refuse("C added whole", f32, call_with([](auto& all) { std::get<7>(all) = &one; }));
  refuse("the factors exchanged", with_beta(tensor_scaled(), "0.5"),
         call_with([](auto& all) { std::swap(std::get<2>(all), std::get<7>(all)); }));
  refuse("another matrix added", f32, call_with([](auto& all) { std::get<8>(all) = std::get<3>(all); }));
  refuse("C read 16 bytes on", f32,
         call_with([](auto& all) { std::get<8>(all) = static_cast<const char*>(std::get<8>(all)) + 16; }));
  refuse("a product added where none is asked for", point_of("f32", 8, 8, 8),
         call_with([](auto& all) { std::get<7>(all) = &one; }));
  std::cout << killed << " of " << tried << " wrong additions refused\n";
  CHECK(tried == 10);
}

TEST_CASE("what the library says of a product with beta names it, and calls that contradict themselves are refused") {
  const auto point = with_beta(point_of("f32", 8, 8, 8), "0.5");
  Machine machine;
  machine.library.fail("cublasLtMatmul", 1, CUBLAS_STATUS_EXECUTION_FAILED);
  CHECK(machine.error(point) ==
        "cublasLtMatmul: CUBLAS_STATUS_EXECUTION_FAILED (13): m 8, n 8, k 8, f32·f32 → f32, layout nn, batch 1, beta "
        "0.5 on ptx:0");
  const auto error = [&](const auto& change) {
    Machine other;
    const auto wrong = std::make_shared<cublaslt::Table>(*other.table);
    change(*wrong, *other.library.table());
    other.table = wrong;
    return other.error(point);
  };
  CHECK(error(call_with([](auto& all) { std::get<8>(all) = nullptr; })).find("INVALID_VALUE") != std::string::npos);
  CHECK(bg::unsupported(with_beta(halved(point_of("f16", 8, 8, 8)), "1")));
  CHECK(bg::unsupported(with_beta(point_of("int8", 8, 8, 8, "nt"), "0.5")) ==
        "cuBLASLt's factors of sums in 32 bits are whole numbers: --beta 1");
}
