// The GPU's roofline kernels on the reference machine: right at awkward sizes in every order, doing exactly the work
// that is stated, with operations of the type that is named; one access or operation more or less is seen.
#include <catch2/catch.hpp>

#include <map>

#include "bench/harness/misstated.hpp"
#include "bench/harness/proof.hpp"
#include "bench/roofline/cuda_kernels_list.hpp"
#include "bench/roofline/definition.hpp"
#include "kernels/gpus/gpus.hpp"
#include "kernels/ptx/driver/reference.hpp"
#include "kernels/roofline/chain_image.hpp"
#include "kernels/roofline/grid_image.hpp"
#include "kernels/roofline/matrix_image.hpp"
#include "kernels/roofline/rows_image.hpp"

using namespace ridge;
using namespace ridge::bench;
using device::Kind;
using ridge::bench::roofline::testing::Tried;
namespace rt = ridge::bench::roofline::testing;
namespace br = ridge::bench::roofline;
namespace rr = ridge::roofline;

namespace {

constexpr std::int64_t arena_bytes = 16 << 20;

const device::cuda::Image& image_of(const std::string& kernel) {
  if (kernel.starts_with("chain")) return rr::chain_image;
  if (kernel.starts_with("mma")) return rr::matrix_image;
  return kernel.starts_with("stencil") ? rr::grid_image : rr::rows_image;
}

std::vector<Tried> all_cases() {
  std::vector<Tried> all;
  const std::vector<std::int64_t> counts{0, 1, 2, 3, 31, 32, 33, 255, 1025, 4099};
  const std::vector<std::int64_t> operations{1, 2, 14, 16, 146};
  rt::add_chains<float>(all, "f32", counts, operations);
  rt::add_chains<double>(all, "f64", counts, operations);
  rt::add_packed(all, {0, 1, 3, 4, 5, 31, 32, 33, 5001}, {0, 1, 73});
  rt::add_rows<float>(all, "f32", {3, 4, 9, 10, 11, 33, 34, 35, 37}, {1, 2, 3, 4, 5, 31, 32, 33, 67, 130},
                      {1, 2, 3, 4, 5, 31, 32, 33, 501});
  rt::add_rows<double>(all, "f64", {3, 4, 9, 10, 11, 33, 34, 35, 37}, {1, 2, 3, 4, 5, 31, 32, 33, 67, 130},
                       {1, 2, 3, 4, 5, 31, 32, 33, 501});
  rt::add_matrices(all, {0, 1, 2, 9});
  return all;
}

ptx::ReferenceSettings small_gpu() {
  ptx::ReferenceSettings settings;
  settings.multiprocessors = 2;
  settings.memory_bytes = 64 << 20;
  return settings;
}

}  // namespace

TEST_CASE("every kernel of the roofline is right at awkward sizes, whatever the order of warps and blocks") {
  auto settings = small_gpu();
  ptx::Reference reference(settings);
  const auto driver = reference.driver();
  driver->cuInit(0);
  device::cuda::Devices devices(driver, Kind::ptx, [](const char*) -> const char* { return nullptr; });
  auto& device = devices.open(0);
  for (const ptx::Order order : {ptx::Order::forward, ptx::Order::reverse, ptx::Order::random}) {
    settings.launch.order = order;
    reference.set_launch_options(settings.launch);
    for (const Tried& tried : all_cases()) {
      CAPTURE(tried.kernel, tried.name, static_cast<int>(order));
      const auto arena = device.make_arena(arena_bytes);
      CudaContext context{device, *arena, 1, order == ptx::Order::reverse ? Fill::zero : Fill::random};
      const auto prepared = tried.make(context, image_of(tried.kernel));
      const auto verified = prepared->verify();
      CHECK(verified.reason.empty());
      REQUIRE(verified.status == record::Check::passed);
      CHECK(verified.checked > 0);
      if (order == ptx::Order::random) continue;
      prepared->run(2);
      CHECK(prepared->verify().status == record::Check::passed);
    }
  }
}

TEST_CASE("the stated work of the roofline is what its kernels execute, not one access or operation more or less") {
  gpus::Gpus all({.reference_gpus = 1, .reference_memory = 64 << 20, .reference_multiprocessors = 2});
  const device::Name name{Kind::ptx, 0};
  auto& device = all.open(name);
  for (const Tried& tried : all_cases()) {
    CAPTURE(tried.kernel, tried.name);
    const auto arena = device.make_arena(arena_bytes);
    CudaContext context{device, *arena, 1, Fill::random};
    const auto prepared = tried.make(context, image_of(tried.kernel));
    const auto counted = all.count(name, [&] { prepared->stream().time([&] { prepared->run(1); }); });
    REQUIRE(counted);
    CHECK(counted->launches == 1);
    const auto work = prepared->work().value_or(tried.stated);
    CHECK(prove(work, prepared->besides_work(), *counted).difference.empty());
    for (const record::Work& wrong : fake::misstated(work, 2, 2))
      CHECK_FALSE(prove(wrong, prepared->besides_work(), *counted).proven);
  }
}

TEST_CASE("operations are of the type and the unit that a peak is named after") {
  auto settings = small_gpu();
  settings.launch.counts = true;
  ptx::Reference reference(settings);
  const auto driver = reference.driver();
  driver->cuInit(0);
  device::cuda::Devices devices(driver, Kind::ptx, [](const char*) -> const char* { return nullptr; });
  auto& device = devices.open(0);
  const std::map<std::string, std::pair<ptx::FlopType, bool>> units{
      {"chain_f32", {ptx::FlopType::f32, false}},   {"chain_f64", {ptx::FlopType::f64, false}},
      {"chain_f16x2", {ptx::FlopType::f16, false}}, {"chain_bf16x2", {ptx::FlopType::bf16, false}},
      {"mma_bf16", {ptx::FlopType::bf16, true}},    {"mma_f16", {ptx::FlopType::f16, true}},
      {"mma_tf32", {ptx::FlopType::tf32, true}},    {"mma_f64", {ptx::FlopType::f64, true}},
      {"mma_int8", {ptx::FlopType::integer, true}}};
  int seen = 0;
  for (const Tried& tried : all_cases()) {
    const auto unit = units.find(tried.kernel);
    if (unit == units.end()) continue;
    CAPTURE(tried.kernel, tried.name);
    const auto arena = device.make_arena(arena_bytes);
    CudaContext context{device, *arena, 1, Fill::random};
    const auto prepared = tried.make(context, image_of(tried.kernel));
    reference.clear_notes();
    prepared->run(1);
    device.stream().synchronize();
    const auto notes = reference.launches();
    REQUIRE(notes.size() == 1);
    const ptx::Counts& counts = notes[0].counts;
    const auto [type, tensor] = unit->second;
    const auto at = static_cast<std::size_t>(type);
    CHECK(static_cast<std::int64_t>(tensor ? counts.tensor_flops[at] : counts.flops[at]) ==
          prepared->work().value_or(tried.stated).operations);
    CHECK(counts.total_flops() == (tensor ? counts.tensor_flops[at] : counts.flops[at]));
    ++seen;
  }
  CHECK(seen > 100);
}

TEST_CASE("peaks fill the GPU, and do not depend on how large it is to be right") {
  for (const int multiprocessors : {1, 3}) {
    auto settings = small_gpu();
    settings.multiprocessors = multiprocessors;
    ptx::Reference reference(settings);
    const auto driver = reference.driver();
    driver->cuInit(0);
    device::cuda::Devices devices(driver, Kind::ptx, [](const char*) -> const char* { return nullptr; });
    auto& device = devices.open(0);
    const auto arena = device.make_arena(4096);
    CudaContext context{device, *arena, 1, Fill::random};
    const auto plain = br::make_cuda_peak<float>(context, 20, 2, rr::chain_image);
    const auto packed = br::make_cuda_packed(context, "bf16", 5, 2, 0, rr::chain_image);
    const auto matrix = br::make_cuda_matrix(context, "bf16", 1, rr::matrix_image);
    CHECK(*plain->work()->items == std::int64_t{multiprocessors} * 2048 * 4 * 2);
    CHECK(*packed->work()->items == *plain->work()->items);
    CHECK(*matrix->work()->items == std::int64_t{multiprocessors} * 64 * 4);
    for (const auto* one : {&plain, &packed, &matrix}) CHECK((*one)->verify().reason.empty());
  }
}

// What the compiler for the machine needs; spilled sums would time memory. (Spills fail the build, too.)
TEST_CASE("a thread of a matrix kernel has registers for its operands and sums") {
  int seen = 0;
  for (const auto& kernel : device::cuda::parse_resources(rr::matrix_image.resources_text())) {
    CHECK(kernel.registers >= (kernel.kernel == "mma_f64" ? 2 * (1 + 4 + 8) : 4 + 8 + 16));
    CHECK(kernel.spill_loads == 0);
    ++seen;
  }
  CHECK(seen >= 5);
}
