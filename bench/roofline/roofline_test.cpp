// Every case prepared, run and verified at awkward sizes within the buffers it declared; wrong kernels refused.
#include <catch2/catch.hpp>

#include <iostream>

#include "bench/harness/made_points.hpp"
#include "bench/roofline/cases.hpp"
#include "bench/roofline/definition.hpp"

using namespace ridge;
using namespace ridge::bench;
using fake::find;
namespace rr = ridge::roofline;
namespace br = ridge::bench::roofline;

namespace {

record::Point point_of(const Definition& d, std::int64_t size, const std::string& dtype, std::int64_t threads,
                       const std::string& stores, const std::string& intensity) {
  return fake::point_of(
      d, {{"size", size}, {"dtype", dtype}, {"threads", threads}, {"stores", stores}, {"intensity", intensity}});
}

}  // namespace

TEST_CASE("work is what stands on paper") {
  const auto all = br::definitions();
  REQUIRE(all.size() == 12);
  const auto work = [&](const std::string& name, std::int64_t size, const std::string& intensity = "1") {
    const Definition& d = find(all, name);
    return d.work(point_of(d, size, "f64", 2, "ordinary", intensity));
  };
  CHECK(work("roofline.peak", 0).operations == 2 * 1536 * 2048);
  CHECK_FALSE(work("roofline.peak", 0).bytes_read);
  CHECK(work("roofline.ladder", 8000, "1/16").operations == 1000);
  CHECK(work("roofline.ladder", 8000, "256").operations == 4096 * 1000);
  CHECK(work("roofline.ladder", 8000, "4").bytes_read == 8000);
  CHECK(work("roofline.stencil", 8 * 64).operations == 8 * 8);  // 4³: 2³ interior points
  CHECK(work("roofline.stencil", 8 * 64).bytes_read == 8 * (8 + 6 * 4));
  CHECK(work("roofline.spmv", 128 * 10).operations == 2 * 16 * 10);
  CHECK(work("roofline.spmv", 128 * 10).bytes_read == 10 * 16 * 12 + 11 * 8 + 10 * 8);
  CHECK(work("roofline.gemv", 8 * 81).operations == 2 * 81);
  CHECK(work("roofline.gemm", 8 * 100).operations == 2000);
  CHECK(work("roofline.gemm", 8 * 100).bytes_written == 800);
  CHECK(work("roofline.triad", 800).operations == 200);
}

TEST_CASE("points that cannot be are refused with the rule") {
  const auto all = br::definitions();
  const auto why = [&](const std::string& name, std::int64_t size, const std::string& dtype,
                       const std::string& intensity) {
    const Definition& d = find(all, name);
    return d.unsupported(point_of(d, size, dtype, 1, "ordinary", intensity)).value_or("");
  };
  CHECK(why("roofline.ladder", 8000, "f32", "1/16") ==
        "one operation for each element, of 4 bytes read and written, is 0.125 FLOP/B already");
  CHECK(why("roofline.ladder", 8000, "f64", "1/16").empty());
  CHECK(why("roofline.stencil", 8 * 26, "f64", "") == "a cube of 2×2×2 points has no interior");
  CHECK(why("roofline.spmv", 100, "f64", "") == "a size of 100 bytes is below one row of 128 bytes");
  CHECK(why("roofline.gemm", 4, "f64", "") == "a size of 4 bytes is below one element of 8 bytes");
}

TEST_CASE("every case verifies and runs at awkward sizes, within the buffers it declared") {
  const auto device = device::cpu::make_device();
  for (const Definition& d : br::definitions())
    for (const std::string dtype : {"f32", "f64"})
      for (const std::int64_t threads : {1, 3})
        for (const std::string stores : {"ordinary", "nontemporal"})
          for (const std::int64_t size : {8, 216, 1000, 70'000}) {
            const auto point = point_of(d, size, dtype, threads, stores, size < 500 ? "1/8" : "4");
            if (d.unsupported(point)) continue;
            CAPTURE(d.name, point.to_text());
            std::int64_t needed = 0;
            for (const std::int64_t bytes : d.buffers(point)) needed += device::borrow_cost(bytes);
            const auto arena = device->make_arena(needed);
            CpuContext context{*device, *arena, 1, Fill::random};
            std::unique_ptr<Case> prepared;
            try {
              prepared = d.prepare_cpu(context, point);
            } catch (const device::Absent& absent) {  // of dot products, where the processor has none
              CHECK(std::string(absent.what()).find("this processor has no") == 0);
              continue;
            }
            const auto before = prepared->verify();
            CHECK(before.reason == "");
            CHECK(before.status == record::Check::passed);
            CHECK(before.checked > 0);
            CHECK(prepared->stream().time([&] { prepared->run(2); }).seconds > 0);
            CHECK(prepared->verify().status == record::Check::passed);
          }
}

TEST_CASE("wrong kernels are refused: the list and the count") {
  const auto device = device::cpu::make_device();
  const auto arena = device->make_arena(64 << 20);
  int killed = 0;
  int all = 0;
  const auto expect = [&](const char* mistake, const std::unique_ptr<Case>& c) {
    const bool refused = c->verify().status == record::Check::failed;
    std::cout << (refused ? "killed: " : "SURVIVED: ") << mistake << "\n";
    CHECK(refused);
    ++all;
    killed += refused ? 1 : 0;
    arena->reset();
  };
  CpuContext context{*device, *arena, 1, Fill::random};
  using I = std::int64_t;
  using C = const rr::Chain<double>&;
  static const auto chain = rr::chain_kernel<double>(rr::Stores::ordinary);
  const auto chains = [&](const char* mistake, rr::ChainKernel<double> kernel) {
    expect(mistake, br::make_chain<double>(kernel, 64, 5003, 2, context));
  };
  chains("chain: one step too many", [](C c, I b, I e) {
    auto m = c;
    m.operations += 2;
    chain(m, b, e);
  });
  chains("chain: one step too few", [](C c, I b, I e) {
    auto m = c;
    m.operations -= 2;
    chain(m, b, e);
  });
  chains("chain: last element lost", [](C c, I b, I e) { chain(c, b, e - 1); });
  chains("chain: first element lost", [](C c, I b, I e) { chain(c, b + 1, e); });
  chains("chain: tail lost", [](C c, I b, I e) { chain(c, b, b + (e - b) / 12 * 12); });
  chains("chain: neighbour's input", [](C c, I b, I e) {
    auto m = c;
    m.in -= b > 0 ? 1 : 0;
    chain(m, b, e);
  });
  chains("chain: copies", [](C c, I b, I e) {
    for (I i = b; i < e; ++i) c.out[i] = c.in[i];
  });
  chains("chain: does nothing", [](C, I, I) {});
  using G = const rr::Grid<double>&;
  static const auto stencil = rr::stencil_kernel<double>();
  const auto stencils = [&](const char* mistake, rr::StencilKernel<double> kernel) {
    expect(mistake, br::make_stencil<double>(kernel, 19, 2, context));
  };
  stencils("stencil: last plane lost", [](G g, I b, I e) { stencil(g, b, e - 1); });
  stencils("stencil: a face written", [](G g, I b, I e) {
    stencil(g, b, e);
    g.out[0] = g.in[0];
  });
  stencils("stencil: input and output shifted", [](G g, I b, I e) {
    auto m = g;
    ++m.in;
    stencil(m, b, e);
  });
  stencils("stencil: one point stale", [](G g, I b, I e) {
    stencil(g, b, e);
    g.out[(b * g.n + 1) * g.n + 1] = g.in[0];
  });
  using D = const rr::Dense<double>&;
  static const auto gemv = rr::gemv_kernel<double>();
  const auto gemvs = [&](const char* mistake, rr::DenseKernel<double> kernel) {
    expect(mistake, br::make_gemv<double>(kernel, 67, 2, context));
  };
  gemvs("gemv: last row lost", [](D d, I b, I e) { gemv(d, b, e - 1); });
  gemvs("gemv: one row twice", [](D d, I b, I e) {
    gemv(d, b, e);
    d.y[b] = d.y[b + 1];
  });
  gemvs("gemv: last column lost", [](D d, I b, I e) {
    gemv(d, b, e);
    for (I i = b; i < e; ++i) d.y[i] -= d.a[i * d.columns + d.columns - 1] * d.x[d.columns - 1];
  });
  using S = const rr::Sparse<double>&;
  static const auto spmv = rr::spmv_kernel<double>();
  const auto spmvs = [&](const char* mistake, rr::SparseKernel<double> kernel) {
    expect(mistake, br::make_spmv<double>(kernel, 501, 2, context));
  };
  spmvs("spmv: last row lost", [](S s, I b, I e) { spmv(s, b, e - 1); });
  spmvs("spmv: columns of the row before", [](S s, I b, I e) {
    auto m = s;
    m.columns -= b > 0 ? 16 : 0;
    spmv(m, b, e);
  });
  spmvs("spmv: last nonzero lost", [](S s, I b, I e) {
    spmv(s, b, e);
    for (I i = b; i < e; ++i) s.y[i] -= s.values[s.starts[i + 1] - 1] * s.x[s.columns[s.starts[i + 1] - 1]];
  });
  using P = const gemm::Product<double>&;
  static const auto blocked = gemm::blocked_kernel<double>();
  const auto gemms = [&](const char* mistake, gemm::Kernel<double> kernel) {
    expect(mistake, br::make_gemm<double>(kernel, 75, 2, context));
  };
  gemms("gemm: last column lost", [](P p, double* w, I b, I e) { blocked(p, w, b, e - 1); });
  gemms("gemm: last row lost", [](P p, double* w, I b, I e) {
    auto m = p;
    --m.m;
    blocked(m, w, b, e);
  });
  gemms("gemm: one entry off by one", [](P p, double* w, I b, I e) {
    blocked(p, w, b, e);
    p.c[b] += 1;
  });
  gemms("gemm: two rows exchanged", [](P p, double* w, I b, I e) {
    blocked(p, w, b, e);
    for (I j = b; j < e; ++j) std::swap(p.c[j], p.c[p.n + j]);
  });
  gemms("gemm: added to what was there", [](P p, double* w, I b, I e) {
    blocked(p, w, b, e);
    for (I j = b; j < e; ++j) p.c[j] += p.c[j];
  });
  std::cout << killed << " of " << all << " wrong kernels refused\n";
  CHECK(all == 23);
}
