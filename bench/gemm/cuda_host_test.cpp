// The data of products on a GPU is made and checked by several threads of the host: the same, bit for bit, as by one.
#include <catch2/catch.hpp>

#include <vector>

#include "bench/gemm/cuda_library_machine.hpp"

using namespace ridge;
using namespace ridge::bench;
using bench::gemm::call_with;
using bench::gemm::Machine;
using bench::gemm::point_of;
namespace bg = ridge::bench::gemm;
namespace rg = ridge::gemm;

namespace {

// What a case of so many host threads leaves: its verification, and the matrices in GPU memory.
struct Left {
  record::Verification verification;
  std::vector<std::vector<char>> matrices;
};

Left left_by(Machine& machine, const record::Point& point, int host_threads, std::int64_t compare_at_most) {
  std::int64_t needed = 0;
  for (const std::int64_t bytes : bg::buffers(point)) needed += device::borrow_cost(bytes);
  const auto arena = machine.gpu.device().make_arena(needed);
  CudaContext context{machine.gpu.device(), *arena, 1, Fill::random};
  rg::Pointers at;
  const auto make = [&](const bg::Question& question, const rg::Pointers& pointers, CudaContext& on) {
    at = pointers;
    return bg::make_cuda_library(question, pointers, on, machine.table);
  };
  const auto question = bg::question_of(point);
  const auto prepared = bg::make_cuda_case(question, context, make, compare_at_most, host_threads);
  Left left{prepared->verify(), {}};
  const auto sizes = bg::buffers(point);
  auto& stream = machine.gpu.device().stream();
  for (const auto& [pointer, bytes] :
       {std::pair{at.c, sizes[0]}, std::pair{at.a, sizes[1]}, std::pair{at.b, sizes[2]}}) {
    left.matrices.emplace_back(static_cast<std::size_t>(bytes));
    stream.copy_to_host(left.matrices.back().data(), pointer, bytes);
  }
  stream.synchronize();
  return left;
}

void check_alike(Machine& machine, const record::Point& point, record::Check status,
                 std::int64_t compare_at_most = bg::most_compared) {
  CAPTURE(point.to_text(), compare_at_most);
  const Left one = left_by(machine, point, 1, compare_at_most);
  CHECK(one.verification.status == status);
  for (const int threads : {2, 3, 9}) {
    CAPTURE(threads);
    const Left several = left_by(machine, point, threads, compare_at_most);
    CHECK(several.matrices == one.matrices);
    CHECK(several.verification.status == one.verification.status);
    CHECK(several.verification.reason == one.verification.reason);
    CHECK(several.verification.checked == one.verification.checked);
    CHECK(several.verification.max_error == one.verification.max_error);
  }
}

record::Point with_beta(record::Point point) {
  point.set("beta", std::string("0.5"));
  return point;
}

}  // namespace

TEST_CASE("matrices of a GPU and what is found wrong in them do not depend on the number of host threads") {
  Machine machine;
  check_alike(machine, with_beta(point_of("f32", 19, 70, 33, "nt", 3)), record::Check::passed);
  check_alike(machine, with_beta(point_of("f32", 60, 90, 40, "nn", 2)), record::Check::passed, 1000);
  check_alike(machine, point_of("tf32", 19, 70, 33), record::Check::passed);
  check_alike(machine, point_of("e2m1", 32, 144, 160, "nt"), record::Check::passed);
  check_alike(machine, point_of("int8", 4, 4, 8, "nt"), record::Check::passed);
}

TEST_CASE("the first wrong entry of a GPU's product is the same whoever of the host's threads finds it") {
  Machine machine;
  const auto wrong = std::make_shared<cublaslt::Table>(*machine.table);
  // Right on whole numbers, which each case is asked for first; then some of the entries are off.
  static const float nearly = 1.00001F;
  static int calls = 0;
  call_with([](auto& all) {
    if (++calls % 2 == 0) std::get<2>(all) = &nearly;
  })(*wrong, *machine.library.table());
  machine.table = wrong;
  check_alike(machine, point_of("f32", 19, 70, 33, "nn", 2), record::Check::failed);
  check_alike(machine, point_of("f32", 60, 90, 40), record::Check::failed, 1000);
  CHECK(calls == 2 * 2 * 4);
}
