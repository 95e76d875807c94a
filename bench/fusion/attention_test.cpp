// Attention by a library's products: verified as our own, its memory counted, and the faster of the two compared with.
#include <catch2/catch.hpp>

#include "bench/fusion/analysis.hpp"
#include "bench/fusion/attention.hpp"
#include "bench/harness/told.hpp"
#include "kernels/device/cpu/device.hpp"
#include "tests/support/skip.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace bf = ridge::bench::fusion;
using I = std::int64_t;

namespace {

record::Point point_of(const std::string& side, const std::string& causal, I heads, I sequence) {
  record::Point point;
  point.set("side", side);
  point.set("head", std::string("64"));
  point.set("causal", causal);
  point.set("heads", heads);
  point.set("sequence", sequence);
  point.set("threads", I{2});
  return point;
}

record::Record timed(const std::string& side, I sequence, double seconds, const std::string& level) {
  record::Record r;
  r.benchmark = bf::attention_name;
  r.device = "cpu";
  r.point = point_of(side, "no", 1, sequence);
  r.status = record::Status::ok;
  r.work = bf::attention_work(r.point);
  r.statistics.median = seconds;
  r.method.level = level;
  return r;
}

}  // namespace

TEST_CASE("attention by a library's products is verified, and takes scores' memory and no other") {
  const auto device = device::cpu::make_device();
  for (const auto& [heads, sequence] : {std::pair{1, 1}, {2, 33}, {3, 130}}) {
    const auto point = point_of("library", "no", heads, sequence);
    CAPTURE(point.to_text());
    I needed = 0, bytes = 0;
    for (const I each : bf::attention_buffers(point)) needed += device::borrow_cost(each), bytes += each;
    const auto arena = device->make_arena(needed);
    CpuContext context{*device, *arena, 1, Fill::random};
    std::unique_ptr<Case> prepared;
    try {
      prepared = bf::prepare_library_attention(context, point);
    } catch (const device::Absent& absent) {
      return test::skip(std::string("needs oneDNN: ") + absent.what());
    }
    for (int round = 0; round < 2; ++round) {
      const auto verified = prepared->verify();
      CHECK(verified.reason.empty());
      CHECK(verified.status == record::Check::passed);
      CHECK(verified.checked == 2 * heads * sequence * 64);
      prepared->run(2);
    }
    CHECK(dynamic_cast<TellsFigures&>(*prepared).figures().at(0).value == static_cast<double>(bytes));
    CHECK(prepared->work()->counting.find("; by oneDNN 2.") != std::string::npos);
    CHECK(prepared->work()->items == I{heads} * sequence * sequence);
  }
}

TEST_CASE("a library's causal attention is not there, with a reason") {
  const Definition d = bf::attention_definition();
  CHECK(d.unsupported(point_of("library", "yes", 1, 8)).value().find("causal") != std::string::npos);
  CHECK_FALSE(d.unsupported(point_of("library", "no", 1, 8)));
  CHECK_FALSE(d.unsupported(point_of("fused", "yes", 1, 8)));
}

TEST_CASE("tiled attention is compared with the faster of those that keep scores in memory") {
  for (const double by_library : {0.5, 2.0}) {
    std::vector<record::Record> records{timed("unfused", 2048, 1.0, "memory"),
                                        timed("library", 2048, by_library, "memory"),
                                        timed("fused", 2048, 0.25, "memory")};
    bf::conclude(records);
    CHECK(records[2].metric("speedup")->value == Approx(std::min(1.0, by_library) / 0.25));
    CHECK(records[1].metric("speedup") == nullptr);
  }
}
