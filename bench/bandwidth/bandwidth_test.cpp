// The definitions as the harness sees them: work, buffers, every case prepared, run and verified at awkward sizes.
#include <catch2/catch.hpp>

#include "bench/bandwidth/definition.hpp"
#include "bench/bandwidth/prepare.hpp"
#include "bench/harness/made_points.hpp"
#include "kernels/device/cpu/device.hpp"

using namespace ridge;
using namespace ridge::bench;
using fake::find;

namespace {

record::Point point_of(const Definition& d, std::int64_t size, const std::string& dtype, std::int64_t threads,
                       const std::string& stores) {
  return fake::point_of(d, {{"size", size}, {"dtype", dtype}, {"threads", threads}, {"stores", stores}});
}

}  // namespace

TEST_CASE("there is one benchmark for each kernel, with the axes it has a use for") {
  const auto all = bandwidth::definitions();
  REQUIRE(all.size() == 8);
  for (const Definition& d : all) {
    CAPTURE(d.name);
    CHECK(d.family() == "bandwidth");
    CHECK(d.metrics.front().name == "bandwidth");
    CHECK(d.axes[0].name == "size");
    CHECK(static_cast<bool>(d.prepare_cpu));
    for (const std::string& text : {d.summary, d.explanation.measures, d.explanation.formula, d.explanation.counting,
                                    d.explanation.spoil, d.explanation.normal})
      CHECK_FALSE(text.empty());
  }
  CHECK(find(all, "bandwidth.triad").axes.size() == 5);
  CHECK(find(all, "bandwidth.dot").axes.size() == 4);
  CHECK(find(all, "bandwidth.memcpy").axes.size() == 4);
}

TEST_CASE("work counts each array once, of whole elements") {
  const auto all = bandwidth::definitions();
  const Definition& triad = find(all, "bandwidth.triad");
  const auto point = point_of(triad, 1003, "f64", 2, "ordinary");  // 125 elements
  const record::Work work = triad.work(point);
  CHECK(work.bytes_read == 2000);
  CHECK(work.bytes_written == 1000);
  CHECK(work.operations == 250);
  CHECK(work.items == 125);
  CHECK(triad.buffers(point) == std::vector<std::int64_t>{1064, 1064, 1064});
  const Definition& read = find(all, "bandwidth.read");
  CHECK(read.work(point).bytes_written == 0);
  CHECK(read.buffers(point) == std::vector<std::int64_t>{1064});
  CHECK(triad.work(point_of(triad, std::int64_t{1} << 40, "f32", 2, "ordinary")).bytes_read == std::int64_t{1} << 41);
}

TEST_CASE("less than one element is refused with the reason") {
  const auto all = bandwidth::definitions();
  for (const Definition& d : all) {
    CHECK(d.unsupported(point_of(d, 7, "f64", 1, "ordinary")).value() ==
          "a size of 7 bytes is below one element of 8 bytes");
    CHECK(d.unsupported(point_of(d, 0, "f32", 1, "ordinary")).has_value());
    CHECK_FALSE(d.unsupported(point_of(d, 8, "f64", 1, "ordinary")).has_value());
  }
}

TEST_CASE("every case verifies and runs at awkward sizes, within the buffers it declared") {
  const auto device = device::cpu::make_device();
  for (const Definition& d : bandwidth::definitions())
    for (const std::string dtype : {"f32", "f64"})
      for (const std::string stores : {"ordinary", "nontemporal"})
        for (const std::int64_t threads : {1, 2, 3})
          for (const std::int64_t elements : {1, 7, 100'003}) {
            const auto point = point_of(d, elements * (dtype == "f32" ? 4 : 8), dtype, threads, stores);
            CAPTURE(d.name, point.to_text());
            std::int64_t needed = 0;
            for (const std::int64_t bytes : d.buffers(point)) needed += device::borrow_cost(bytes);
            const auto arena = device->make_arena(needed);
            CpuContext context{*device, *arena, 1, Fill::random};
            const auto prepared = d.prepare_cpu(context, point);
            const auto before = prepared->verify();
            CHECK(before.status == record::Check::passed);
            CHECK(before.checked == elements);
            prepared->stream().flush_caches();
            CHECK(prepared->stream().time([&] { prepared->run(3); }).seconds > 0);
            CHECK(prepared->verify().status == record::Check::passed);
          }
}
