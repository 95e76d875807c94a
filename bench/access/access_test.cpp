// Sectors and lines by arithmetic, and every case on the CPU.
#include <catch2/catch.hpp>

#include "bench/access/definition.hpp"
#include "bench/access/made_points.hpp"
#include "bench/access/transpose.hpp"
#include "bench/access/walk.hpp"
#include "kernels/device/cpu/device.hpp"

using namespace ridge;
using namespace ridge::bench;
using namespace ridge::bench::access::testing;
namespace ba = ridge::bench::access;

namespace {

// Verifies, runs, verifies again.
void check_on_cpu(const ba::Facts& facts, std::unique_ptr<Case> (*prepare)(CpuContext&, const record::Point&),
                  const record::Point& point) {
  CAPTURE(point.to_text());
  REQUIRE_FALSE(facts.unsupported(point));
  const auto device = device::cpu::make_device();
  std::int64_t needed = 0;
  for (const std::int64_t bytes : facts.buffers(point)) needed += device::borrow_cost(bytes);
  const auto arena = device->make_arena(needed);
  for (const Fill fill : {Fill::random, Fill::zero}) {
    arena->reset();
    CpuContext context{*device, *arena, 1, fill};
    const auto prepared = prepare(context, point);
    const auto verified = prepared->verify();
    CHECK(verified.reason.empty());
    CHECK(verified.status == record::Check::passed);
    CHECK(verified.checked > 0);
    prepared->stream().time([&] { prepared->run(2); });
    CHECK(prepared->verify().status == record::Check::passed);
  }
}

}  // namespace

TEST_CASE("sectors of a request are those on paper") {
  CHECK(ba::sectors_per_request(1, 0, 4) == 4);
  CHECK(ba::sectors_per_request(2, 0, 4) == 8);
  CHECK(ba::sectors_per_request(4, 0, 4) == 16);
  for (const std::int64_t stride : {8, 16, 32, 64, 1000}) CHECK(ba::sectors_per_request(stride, 0, 4) == 32);
  CHECK(ba::sectors_per_request(1, 1, 4) == 5);
  CHECK(ba::sectors_per_request(1, 7, 4) == 5);
  CHECK(ba::sectors_per_request(1, 8, 4) == 4);
  CHECK(ba::sectors_per_request(1, 0, 1) == 1);
  CHECK(ba::sectors_per_request(1, 1, 1) == 2);
  CHECK(ba::sectors_per_request(1, 0, 16) == 16);
}

TEST_CASE("lines move whole, once for all elements in them") {
  const auto excess = [](std::int64_t stride, std::int64_t width) { return ba::line_excess({0, stride, 100}, width); };
  CHECK(excess(1, 4) == 1);
  CHECK(excess(2, 4) == 2);
  CHECK(excess(16, 4) == 16);
  CHECK(excess(64, 4) == 16);
  CHECK(excess(4, 16) == 4);
  CHECK(excess(64, 16) == 4);
  CHECK(excess(64, 1) == 64);
}

TEST_CASE("patterns count what they reach, and what they cannot reach is refused") {
  CHECK(ba::pattern_of(point_of("load", 1, "0", "4", 400)).count == 100);
  CHECK(ba::pattern_of(point_of("load", 3, "0", "4", 400)).count == 34);
  CHECK(ba::pattern_of(point_of("load", 3, "1", "4", 400)).count == 33);
  CHECK(ba::strided_facts.work(point_of("load", 3, "1", "4", 400)).bytes_read == 33 * 4);
  CHECK(ba::strided_facts.work(point_of("store", 3, "1", "4", 400)).bytes_written == 33 * 4);
  CHECK(ba::strided_facts.work(point_of("store", 3, "1", "4", 400)).bytes_read == 0);
  CHECK_FALSE(ba::strided_facts.unsupported(point_of("load", 64, "0", "4", 260)));
  CHECK(ba::strided_facts.unsupported(point_of("load", 64, "0", "4", 256)).value() ==
        "a stride of 64 elements is beyond the array of 64");
  CHECK(ba::strided_facts.unsupported(point_of("load", 1, "9", "4", 36)).value() ==
        "an offset of 9 elements is beyond the array of 9");
  CHECK(ba::strided_facts.unsupported(point_of("load", 1, "0", "16", 15)).value() ==
        "a size of 15 bytes is below one element of 16 bytes");
}

TEST_CASE("every pattern is verified on the CPU, for one thread and several") {
  const auto device = device::cpu::make_device();
  for (const std::string op : {"load", "store"})
    for (const std::int64_t stride : {1, 3, 64})
      for (const std::string offset : {"0", "1", "31"})
        for (const std::string width : {"1", "2", "4", "8", "16"})
          for (const std::int64_t threads : {1, 3}) {
            const auto point = point_of(op, stride, offset, width, 8000, threads);
            CAPTURE(point.to_text());
            const auto arena = device->make_arena(device::borrow_cost(ba::strided_facts.buffers(point).front()));
            CpuContext context{*device, *arena, 1, Fill::random};
            const auto prepared = ba::prepare_strided_cpu(context, point);
            const auto verified = prepared->verify();
            CHECK(verified.reason.empty());
            CHECK(verified.status == record::Check::passed);
            prepared->stream().time([&] { prepared->run(2); });
            CHECK(prepared->verify().status == record::Check::passed);
          }
}

TEST_CASE("transposes are verified on the CPU, and what has no meaning there is skipped with the reason") {
  const auto device = device::cpu::make_device();
  for (const std::int64_t n : {1, 33, 100})
    for (const std::int64_t threads : {1, 3})
      for (const std::string variant : {"naive", "tiled", "padded"}) {
        record::Point point = transpose_point(variant, n * n * 4, threads);
        CHECK(ba::side_of(point) == n);
        CHECK(ba::transpose_work(point).bytes_written == n * n * 4);
        const auto arena = device->make_arena(2 * device::borrow_cost(n * n * 4 + 64));
        CpuContext context{*device, *arena, 1, Fill::random};
        CHECK(ba::prepare_transpose_cpu(context, point)->verify().status == record::Check::passed);
        CpuContext zeroes{*device, *arena, 1, Fill::zero};
        arena->reset();
        CHECK(ba::prepare_transpose_cpu(zeroes, point)->verify().status == record::Check::passed);
        point.set("variant", std::string("swizzled"));
        CHECK_THROWS_AS(ba::prepare_transpose_cpu(context, point), device::Absent);
      }
}

TEST_CASE("random elements touch as many sectors as drawing without return says") {
  CHECK(ba::random_sectors_per_request(std::int64_t{1} << 28, 4) == Approx(32).epsilon(1e-5));
  CHECK(ba::random_sectors_per_request(32, 4) == Approx(4));  // all of them, which lie in four sectors
  // Eight sectors of eight elements: one is missed by 32 of 64 with the probability C(56, 32) / C(64, 32).
  CHECK(ba::random_sectors_per_request(64, 4) == Approx(8 * (1 - 0.0023765)).epsilon(1e-5));
  CHECK(ba::random_sectors_per_request(1, 16) == Approx(1));
  CHECK(ba::random_line_excess(4) == Approx(68.0 / 8));
  CHECK(ba::random_sector_excess(std::int64_t{1} << 28, 4) == Approx(36.0 / 8).epsilon(1e-5));
}

TEST_CASE("gathers and scatters are verified on the CPU, and indices count") {
  for (const std::string op : {"load", "store"})
    for (const std::string width : {"4", "8", "16"})
      for (const auto& [size, threads] : {std::pair{16, 1}, std::pair{8000, 3}, std::pair{70000, 1}})
        check_on_cpu(ba::indexed_facts, ba::prepare_indexed_cpu, random_point(op, width, size, threads));
  const auto gather = ba::indexed_facts.work(random_point("load", "8", 8000));
  CHECK(gather.bytes_read == 1000 * 12);
  CHECK(gather.bytes_written == 0);
  const auto scatter = ba::indexed_facts.work(random_point("store", "8", 8000));
  CHECK(scatter.bytes_read == 1000 * 4);
  CHECK(scatter.bytes_written == 1000 * 8);
  CHECK(ba::indexed_facts.unsupported(random_point("load", "4", (std::int64_t{1} << 34) + 4)).value() ==
        "4294967297 elements are more than 32-bit indices reach");
  CHECK(ba::indexed_facts.unsupported(random_point("load", "8", 7)).value() ==
        "a size of 7 bytes is below one element of 8 bytes");
}

TEST_CASE("structures are verified on the CPU in both layouts, and only what is used counts") {
  for (const std::string op : {"load", "store"})
    for (const std::string layout : {"aos", "soa"})
      for (const std::string fields : {"2", "4", "8", "16", "32"})
        for (const std::string used : {"one", "all"})
          for (const auto& [size, threads] : {std::pair{128, 1}, std::pair{4 * 32 * 33 + 8, 3}})
            check_on_cpu(ba::structured_facts, ba::prepare_structured_cpu,
                         layout_point(op, layout, fields, used, size, threads));
  CHECK(ba::structured_facts.work(layout_point("load", "aos", "8", "one", 3210)).bytes_read == 100 * 4);
  CHECK(ba::structured_facts.work(layout_point("store", "soa", "8", "all", 3210)).bytes_written == 100 * 32);
  CHECK(ba::structured_facts.unsupported(layout_point("load", "aos", "8", "one", 31)).value() ==
        "a size of 31 bytes is below one structure of 32 bytes");
}

TEST_CASE("phases take every line once, a stride apart, and are verified on the CPU on either kind of pages") {
  for (const std::int64_t lines : {1, 7, 64, 100})
    for (const std::int64_t distance : {1, 3, 64}) {
      if (distance > lines) continue;
      const auto phases = ba::phases_of(phased_point("load", distance, "huge", lines * 64 + 12));
      std::vector<int> taken(static_cast<std::size_t>(lines));
      for (std::int64_t phase = 0; phase < distance; ++phase) {
        const auto p = phases.pattern_of(phase);
        CHECK(p.count == phases.begin_of(phase + 1) - phases.begin_of(phase));
        for (std::int64_t i = 0; i < p.count; ++i) {
          const std::int64_t at = p.offset + i * p.stride;
          REQUIRE(at % 16 == 0);
          ++taken.at(static_cast<std::size_t>(at / 16));
        }
      }
      CHECK(phases.begin_of(distance) == lines);
      CHECK(taken == std::vector<int>(static_cast<std::size_t>(lines), 1));
    }
  for (const std::string op : {"load", "store"})
    for (const std::string pages : {"huge", "small"})
      for (const auto& [stride, size, threads] : {std::tuple{1, 64, 1}, {1, 6400, 3}, {64, 6464, 3}, {7, 100'000, 2}})
        check_on_cpu(ba::phased_facts, ba::prepare_phased_cpu, phased_point(op, stride, pages, size, threads));
  CHECK(ba::phased_facts.work(phased_point("load", 4, "huge", 6464)).bytes_read == 101 * 4);
  CHECK(ba::phased_facts.work(phased_point("store", 4, "huge", 6464)).bytes_written == 101 * 4);
  CHECK(ba::phased_facts.unsupported(phased_point("load", 65, "huge", 4096)).value() ==
        "a stride of 65 lines is beyond the array of 64");
  CHECK(ba::phased_facts.unsupported(phased_point("load", 1, "huge", 63)).value() ==
        "a size of 63 bytes is below one line of 64 bytes");
}

namespace {

class WithMistake final : public ba::Walk<ba::Word> {
 public:
  WithMistake(const record::Point& point, int mistake) : right_(ba::phased(point)), mistake_(mistake) {}
  [[nodiscard]] std::int64_t elements() const override { return right_->elements(); }
  [[nodiscard]] std::int64_t items() const override { return right_->items(); }
  [[nodiscard]] std::uint64_t load(const ba::Word* src, std::int64_t begin, std::int64_t end) const override {
    switch (mistake_) {
      case 0:
        return right_->load(src, begin + 1, end);
      case 1:
        return right_->load(src, begin, end - 1);
      case 2:
        return right_->load(src, begin, end) ^ right_->load(src, begin, begin + 1);
      default:
        return right_->load(src + 1, begin, end);
    }
  }
  void store(ba::Word* dst, std::int64_t begin, std::int64_t end) const override {
    right_->store(mistake_ > 2 ? dst + 1 : dst, mistake_ == 0 ? begin + 1 : begin, mistake_ == 1 ? end - 1 : end);
    if (mistake_ == 2) dst[3] = 0;
  }
  [[nodiscard]] std::uint64_t expected(const ba::Word* src, std::int64_t begin, std::int64_t end) const override {
    return right_->expected(src, begin, end);
  }
  [[nodiscard]] std::int64_t wrong(const ba::Word* dst, std::int64_t begin, std::int64_t end) const override {
    return right_->wrong(dst, begin, end);
  }

 private:
  std::unique_ptr<ba::Walk<ba::Word>> right_;
  int mistake_;
};

}  // namespace

TEST_CASE("phases that lose, double or shift a line, or write beside it, are seen by what is expected of them") {
  const record::Point point = phased_point("load", 7, "huge", 6400);
  std::vector<ba::Word> array(1601);
  for (std::size_t i = 0; i < array.size(); ++i) array[i] = static_cast<ba::Word>(i * 2654435761U + 12345);
  const auto right = ba::phased(point);
  CHECK(right->load(array.data(), 0, 100) == right->expected(array.data(), 0, 100));
  CHECK((right->load(array.data(), 0, 33) ^ right->load(array.data(), 33, 100)) ==
        right->expected(array.data(), 0, 100));
  for (int mistake = 0; mistake < 4; ++mistake) {
    CAPTURE(mistake);
    const WithMistake one(point, mistake);
    CHECK(one.load(array.data(), 0, 100) != one.expected(array.data(), 0, 100));
    std::vector<ba::Word> stored(1601, ~ba::Word{0});
    one.store(stored.data(), 0, 100);
    CHECK(one.wrong(stored.data(), 0, 1600) > 0);
  }
  std::vector<ba::Word> stored(1600, ~ba::Word{0});
  right->store(stored.data(), 0, 100);
  CHECK(right->wrong(stored.data(), 0, 1600) == 0);
}
