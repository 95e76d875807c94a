// The patterns on the reference machine: right in every order, the stated work and no other, and exactly as many
// sectors as arithmetic says.
#include <catch2/catch.hpp>
#include <numeric>

#include "bench/access/banks.hpp"
#include "bench/access/definition.hpp"
#include "bench/access/points.hpp"
#include "bench/access/transpose.hpp"
#include "bench/harness/misstated.hpp"
#include "bench/harness/proof.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/gpus/gpus.hpp"
#include "kernels/ptx/driver/reference.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace ba = ridge::bench::access;

namespace {

record::Point point_of(const std::string& op, std::int64_t stride, const std::string& offset, const std::string& width,
                       std::int64_t elements) {
  record::Point point;
  point.set("op", op);
  point.set("stride", stride);
  point.set("offset", offset);
  point.set("width", width);
  point.set("size", elements * std::stoll(width));
  return point;
}

struct Machine {
  Machine() {
    settings.multiprocessors = 2;
    reference = std::make_unique<ptx::Reference>(settings);
    driver = reference->driver();
    driver->cuInit(0);
    devices = std::make_unique<device::cuda::Devices>(driver, device::Kind::ptx,
                                                      [](const char*) -> const char* { return nullptr; });
  }
  void order(ptx::Order order) {
    settings.launch.order = order;
    reference->set_launch_options(settings.launch);
  }
  ptx::ReferenceSettings settings;
  std::unique_ptr<ptx::Reference> reference;
  std::shared_ptr<const device::cuda::Driver> driver;
  std::unique_ptr<device::cuda::Devices> devices;
};

// All of them where elements are neighbours, some elsewhere.
std::vector<std::int64_t> offsets_at(std::int64_t stride) {
  if (stride > 1) return {0, 1, 8, 31};
  std::vector<std::int64_t> all(32);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

TEST_CASE("patterns are right on the GPU path, whatever the order of warps and blocks") {
  Machine machine;
  auto& device = machine.devices->open(0);
  for (const ptx::Order order : {ptx::Order::forward, ptx::Order::reverse, ptx::Order::random}) {
    machine.order(order);
    for (const std::string op : {"load", "store"})
      for (const std::string width : {"1", "2", "4", "8", "16"})
        for (const std::int64_t elements : {0, 1, 31, 32, 33, 1023, 5001})
          for (const std::int64_t stride : {1, 2, 7, 64})
            for (const std::string offset : {"0", "1", "31"}) {
              const auto point = point_of(op, stride, offset, width, elements);
              if (ba::strided_facts.unsupported(point)) continue;
              CAPTURE(point.to_text());
              const auto arena = device.make_arena(device::borrow_cost(ba::strided_facts.buffers(point).front()));
              CudaContext context{device, *arena, 1, Fill::random};
              const auto verified = ba::prepare_strided_cuda(context, point)->verify();
              CHECK(verified.reason.empty());
              REQUIRE(verified.status == record::Check::passed);
            }
  }
}

TEST_CASE("counted sectors and bytes are the predicted ones, and a falsified statement is seen") {
  gpus::Gpus all({.reference_gpus = 1, .reference_memory = 64 << 20, .reference_multiprocessors = 2});
  const device::Name name{device::Kind::ptx, 0};
  auto& device = all.open(name);
  for (const std::string op : {"load", "store"})
    for (const std::string width : {"1", "2", "4", "8", "16"})
      for (const std::int64_t stride : {1, 2, 4, 8, 16, 32, 64})
        for (const std::int64_t offset : offsets_at(stride)) {
          constexpr std::int64_t requests = 64;  // of whole warps
          const std::int64_t elements = offset + (requests * 32 - 1) * stride + 1;
          const auto point = point_of(op, stride, std::to_string(offset), width, elements);
          CAPTURE(point.to_text());
          const auto arena = device.make_arena(device::borrow_cost(ba::strided_facts.buffers(point).front()));
          CudaContext context{device, *arena, 1, Fill::random};
          const auto prepared = ba::prepare_strided_cuda(context, point);
          const auto counted = all.count(name, [&] { prepared->stream().time([&] { prepared->run(1); }); }).value();
          CHECK(counted.requests == requests);
          // Later warps begin elsewhere within a sector unless 32 strides are whole sectors, as here they are.
          CHECK(counted.sectors == requests * ba::sectors_per_request(stride, offset, std::stoll(width)));
          const record::Work work = ba::strided_facts.work(point);
          CHECK(prove(work, prepared->besides_work(), counted).proven);
          for (const std::int64_t by : {-1, 1}) {
            record::Work wrong = work;
            (op == "load" ? *wrong.bytes_read : *wrong.bytes_written) += by * std::stoll(width);
            CHECK_FALSE(prove(wrong, prepared->besides_work(), counted).proven);
          }
        }
}

namespace {

record::Point transpose_point(const std::string& variant, std::int64_t n) {
  record::Point point;
  point.set("variant", variant);
  point.set("size", n * n * 4);
  return point;
}

std::unique_ptr<device::Arena> arena_for(device::cuda::Device& device, const record::Point& point) {
  std::int64_t needed = 0;
  for (const std::int64_t bytes : ba::transpose_buffers(point)) needed += device::borrow_cost(bytes);
  return device.make_arena(needed);
}

}  // namespace

TEST_CASE("transposes are right at sides that fit no tile, whatever the order of warps and blocks") {
  Machine machine;
  auto& device = machine.devices->open(0);
  for (const ptx::Order order : {ptx::Order::forward, ptx::Order::reverse, ptx::Order::random}) {
    machine.order(order);
    for (const std::string variant : {"naive", "tiled", "padded", "swizzled"})
      for (const std::int64_t n : {1, 31, 32, 33, 41, 50, 59, 65, 97}) {
        const auto point = transpose_point(variant, n);
        CAPTURE(point.to_text());
        const auto arena = arena_for(device, point);
        CudaContext context{device, *arena, 1, Fill::random};
        const auto verified = ba::prepare_transpose_cuda(context, point)->verify();
        CHECK(verified.reason.empty());
        REQUIRE(verified.status == record::Check::passed);
      }
  }
}

TEST_CASE("transposes touch the sectors and meet the bank conflicts that arithmetic says") {
  gpus::Gpus all({.reference_gpus = 1, .reference_memory = 64 << 20, .reference_multiprocessors = 2});
  const device::Name name{device::Kind::ptx, 0};
  auto& device = all.open(name);
  for (const std::string variant : {"naive", "tiled", "padded", "swizzled"}) {
    const auto point = transpose_point(variant, 128);
    CAPTURE(point.to_text());
    const auto arena = arena_for(device, point);
    CudaContext context{device, *arena, 1, Fill::random};
    const auto prepared = ba::prepare_transpose_cuda(context, point);
    const auto counted = all.count(name, [&] { prepared->stream().time([&] { prepared->run(1); }); }).value();
    const auto predicted = ba::predicted_counts(point).value();
    CHECK(static_cast<double>(counted.sectors) / static_cast<double>(counted.requests) ==
          predicted.sectors_per_request());
    CHECK(counted.bank_conflicts == predicted.bank_conflicts);
    CHECK(prove(ba::transpose_work(point), {}, counted).proven);
  }
  CHECK_FALSE(ba::predicted_counts(transpose_point("tiled", 33)));
}

namespace {

using PrepareCuda = std::unique_ptr<Case> (*)(CudaContext&, const record::Point&);

void check_in_every_order(const ba::Facts& facts, PrepareCuda prepare, const std::vector<record::Point>& points) {
  Machine machine;
  auto& device = machine.devices->open(0);
  for (const ptx::Order order : {ptx::Order::forward, ptx::Order::reverse, ptx::Order::random}) {
    machine.order(order);
    for (const record::Point& point : points) {
      CAPTURE(point.to_text());
      std::int64_t needed = 0;
      for (const std::int64_t bytes : facts.buffers(point)) needed += device::borrow_cost(bytes);
      const auto arena = device.make_arena(needed);
      CudaContext context{device, *arena, 1, Fill::random};
      const auto verified = prepare(context, point)->verify();
      CHECK(verified.reason.empty());
      REQUIRE(verified.status == record::Check::passed);
    }
  }
}

// What one repetition is counted to do.
device::Counted counted_of(const ba::Facts& facts, PrepareCuda prepare, const record::Point& point) {
  gpus::Gpus all({.reference_gpus = 1, .reference_memory = 64 << 20, .reference_multiprocessors = 2});
  const device::Name name{device::Kind::ptx, 0};
  auto& device = all.open(name);
  std::int64_t needed = 0;
  for (const std::int64_t bytes : facts.buffers(point)) needed += device::borrow_cost(bytes);
  const auto arena = device.make_arena(needed);
  CudaContext context{device, *arena, 1, Fill::random};
  const auto prepared = prepare(context, point);
  const auto counted = all.count(name, [&] { prepared->stream().time([&] { prepared->run(1); }); }).value();
  CHECK(prove(facts.work(point), prepared->besides_work(), counted).proven);
  for (const record::Work& wrong : fake::misstated(facts.work(point), 4, 1))
    CHECK_FALSE(prove(wrong, prepared->besides_work(), counted).proven);
  return counted;
}

double per_request(const device::Counted& counted) {
  return static_cast<double>(counted.sectors) / static_cast<double>(counted.requests);
}

record::Point random_point(const std::string& op, const std::string& width, std::int64_t elements) {
  record::Point point;
  point.set("op", op);
  point.set("width", width);
  point.set("size", elements * std::stoll(width));
  return point;
}

record::Point layout_point(const std::string& op, const std::string& layout, const std::string& fields,
                           const std::string& used, std::int64_t items) {
  record::Point point;
  point.set("op", op);
  point.set("layout", layout);
  point.set("fields", fields);
  point.set("used", used);
  point.set("size", items * std::stoll(fields) * 4);
  return point;
}

}  // namespace

TEST_CASE("gathers and scatters are right in every order and touch the sectors that chance says") {
  std::vector<record::Point> points;
  for (const std::string op : {"load", "store"})
    for (const std::string width : {"4", "8", "16"})
      for (const std::int64_t elements : {0, 1, 31, 32, 33, 1023, 5001})
        points.push_back(random_point(op, width, elements));
  check_in_every_order(ba::indexed_facts, ba::prepare_indexed_cuda, points);
  for (const std::string op : {"load", "store"})
    for (const std::string width : {"4", "8", "16"})
      for (const std::int64_t elements : {32, 256, 8192}) {
        const auto point = random_point(op, width, elements);
        CAPTURE(point.to_text());
        const auto counted = counted_of(ba::indexed_facts, ba::prepare_indexed_cuda, point);
        CHECK(counted.requests == 2 * elements / 32);
        const double expected = (4 + ba::random_sectors_per_request(elements, std::stoll(width))) / 2;
        // One request at 32 elements is all of them; of 256 requests the mean strays by less than a hundredth.
        CHECK(per_request(counted) == Approx(expected).epsilon(elements == 32 ? 0 : elements == 256 ? 0.05 : 0.01));
      }
}

TEST_CASE("structures are right in every order and touch the sectors that their layout says") {
  std::vector<record::Point> points;
  for (const std::string op : {"load", "store"})
    for (const std::string layout : {"aos", "soa"})
      for (const std::string fields : {"2", "8", "32"})
        for (const std::string used : {"one", "all"})
          for (const std::int64_t items : {0, 1, 31, 32, 33, 301})
            points.push_back(layout_point(op, layout, fields, used, items));
  check_in_every_order(ba::structured_facts, ba::prepare_structured_cuda, points);
  for (const std::string op : {"load", "store"})
    for (const std::string layout : {"aos", "soa"})
      for (const std::string fields : {"2", "4", "8", "16", "32"})
        for (const std::string used : {"one", "all"}) {
          const auto point = layout_point(op, layout, fields, used, 640);
          CAPTURE(point.to_text());
          auto facts = ba::structured_facts;
          const auto counted = per_request(counted_of(facts, ba::prepare_structured_cuda, point));
          CHECK(counted == ba::sectors_per_request(ba::fields_of(point)));
          CHECK(counted == (layout == "soa" ? 4 : std::min(4 * std::stoll(fields), 32LL)));
        }
}

TEST_CASE("reads of shared memory are right in every order and meet as many conflicts as gcd says") {
  const auto point_of_stride = [](std::int64_t stride) {
    record::Point point;
    point.set("stride", stride);
    return point;
  };
  const ba::Facts facts{ba::banks_work, ba::banks_buffers, ba::banks_unsupported};
  check_in_every_order(facts, ba::prepare_banks_cuda, {point_of_stride(1), point_of_stride(31), point_of_stride(128)});
  gpus::Gpus all({.reference_gpus = 1, .reference_memory = 64 << 20, .reference_multiprocessors = 1});
  const device::Name name{device::Kind::ptx, 0};
  auto& device = all.open(name);
  for (const std::int64_t stride : {1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 31, 32, 33, 48, 64, 96, 128}) {
    CAPTURE(stride);
    const auto arena = device.make_arena(1);
    CudaContext context{device, *arena, 1, Fill::random};
    const auto prepared = ba::prepare_banks_cuda(context, point_of_stride(stride));
    const auto counted = all.count(name, [&] { prepared->stream().time([&] { prepared->run(1); }); }).value();
    const record::Work work = prepared->work().value();
    CHECK(prove(work, prepared->besides_work(), of_shared_memory(counted)).proven);
    CHECK(counted.bank_conflicts == *work.bytes_read / 128 * (std::gcd(stride, std::int64_t{32}) - 1));
    for (const record::Work& wrong : fake::misstated(work, 4, 1))
      CHECK_FALSE(prove(wrong, prepared->besides_work(), of_shared_memory(counted)).proven);
  }
}
