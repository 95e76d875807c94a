// Wrong versions of the stream kernels, made by changing one place in their PTX: the reference machine's checks, the
// verification or the proof of work must kill them all, but for those that do the same.
#include <catch2/catch.hpp>

#include "bench/bandwidth/cuda_case.hpp"
#include "bench/bandwidth/definition.hpp"
#include "bench/harness/mutant.hpp"
#include "kernels/ptx/testing/campaign.hpp"
#include "kernels/ptx/testing/mistakes.hpp"
#include "kernels/stream/stream_image.hpp"

using namespace ridge;
using namespace ridge::bench;
using namespace ridge::bench::bandwidth;
using ptx::testing::Mutation;
using ptx::testing::Same;
using ptx::testing::Subject;

namespace {

// Besides the common ones; each at every place of every kernel where `from` stands, one at a time.
constexpr Mutation mutations[] = {
    {"barrier removed", R"(bar\.sync 0;)", ""},
    {"wrong lane in a shuffle", R"(shfl\.sync\.down)", "shfl.sync.up"},
    {"wrong distance in a shuffle", R"((mov\.u32 %r\d+), (16|8|4|2|1);)", "$1, 3;"},
    {"half of the warp in the mask", R"((mov\.u32 %r\d+), -1;)", "$1, 65535;"},
    {"elements of a piece exchanged", R"((ld\.global\.v[24]\.f\d+) \{(%\w+), (%\w+))", "$1 {$3, $2"},
    {"or for exclusive or", R"(xor\.b64)", "or.b64"},
    {"sum forgotten", R"(fma\.rn\.(f\d+) (%\w+), (%\w+), (%\w+), %\w+;)", "mul.rn.$1 $2, $3, $4;"},
    {"subtracted", R"(add\.f(32|64))", "sub.f$1"},
    {"added, not multiplied", R"(mul\.f(32|64))", "add.f$1"},
};

// Mutants that survive, since they do the same at these sizes, and why.
std::vector<Same> same() {
  std::vector<Same> all{
      // The bound inside of the loop that makes chains is that of the loop itself once more.
      {"stream_dot_f32", "bound one too high", 1},
      {"stream_dot_f64", "bound one too high", 1},
      // A chain of 1025 terms in place of 1024: arrays long enough for one take too long here.
      {"stream_dot_f32", "loop bound one too high", 1},
      {"stream_dot_f64", "loop bound one too high", 1},
      // Eight results are joined by a warp of 32 lanes: two of its five steps join zeros.
      {"stream_dot_f32", "subtracted", 2},
      {"stream_dot_f64", "subtracted", 2},
      {"stream_dot_f64", "wrong lane in a shuffle", 2},
      {"stream_read_f32", "or for exclusive or", 2},
      {"stream_read_f64", "or for exclusive or", 2},
      // The low word of an f64: zero in sums of whole numbers below 2^21, and less than the error bound of f32
      // otherwise.
      {"stream_dot_f32", "wrong lane in a shuffle", 10},
      // The high word of 32 bits zero-extended to 64.
      {"stream_read_f32", "wrong lane in a shuffle", 10},
  };
  // Whether the steps of an unrolled loop are counted by a division of 32 or of 64 bits.
  for (const std::string op : {"copy", "scale", "add", "triad", "read", "write"})
    for (const char* type : {"_f32", "_f64"}) all.push_back({"stream_" + op + type, "turned round too", 1});
  return all;
}

// How it was killed; empty: it was not.
template <class T>
std::string verdict(const Definition& definition, stream::Op op, const std::string& ptx) {
  const auto judge = [&](ptx::testing::OneGpu& gpu, const device::cuda::Image& image) -> std::string {
    const std::int64_t piece = 16 / sizeof(T);
    // On 2048 threads: 4 pieces each, as many as a loop is unrolled to, or 5; then 9 or 10; and a remainder.
    for (const std::int64_t count : {std::int64_t{1}, std::int64_t{33}, 9001 * piece - 1, 18'501 * piece - 1}) {
      record::Point point;
      point.set("size", count * std::int64_t{sizeof(T)});
      point.set("dtype", std::string(sizeof(T) == 4 ? "f32" : "f64"));
      const auto arena =
          gpu.device().make_arena(3 * device::borrow_cost(count * std::int64_t{sizeof(T)} + guard_bytes));
      CudaContext context{gpu.device(), *arena, 1, Fill::random};
      CudaStreamCase<T> prepared(op, context, count, image);
      if (auto how = testing::given_away_by(prepared, gpu, definition.work(point)); !how.empty()) return how;
    }
    return {};
  };
  return ptx::testing::judged(ptx, judge, 1);
}

}  // namespace

TEST_CASE("every mutant of every stream kernel is killed on the reference machine") {
  std::vector<Subject> subjects;
  const auto definitions = bandwidth::definitions();
  for (const Definition& definition : definitions) {
    const std::string op_name = definition.name.substr(definition.name.find('.') + 1);
    for (const stream::Facts& f : stream::all_facts()) {
      if (f.name != op_name || op_name == "memcpy") continue;  // memcpy has no kernel
      const auto file = device::cuda::ptx_of(stream::stream_image.begin, 80);
      subjects.push_back({"stream_" + op_name + "_f32", file, [&definition, op = f.op](const std::string& ptx) {
                            return verdict<float>(definition, op, ptx);
                          }});
      subjects.push_back({"stream_" + op_name + "_f64", file, [&definition, op = f.op](const std::string& ptx) {
                            return verdict<double>(definition, op, ptx);
                          }});
    }
  }
  REQUIRE(subjects.size() == 14);
  ptx::testing::check_campaign(ptx::testing::run_campaign(subjects, ptx::testing::with_common(mutations)), same(),
                               {"wrong answer", "fault", "other work"});
}
