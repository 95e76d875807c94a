// Wrong versions of the hierarchy's kernels, made by changing one place in their PTX: the reference machine's checks,
// the verification or the proof of work must kill them all, but for those that do the same.
#include <catch2/catch.hpp>
#include <functional>
#include <map>

#include "bench/harness/mutant.hpp"
#include "bench/hierarchy/cuda_chase.hpp"
#include "bench/hierarchy/cuda_in_flight.hpp"
#include "bench/hierarchy/cuda_shared.hpp"
#include "kernels/chase/chase_image.hpp"
#include "kernels/ptx/testing/campaign.hpp"
#include "kernels/ptx/testing/mistakes.hpp"

using namespace ridge;
using namespace ridge::bench;
using device::cuda::Image;
using ptx::testing::Mutation;
using ptx::testing::Same;
using ptx::testing::Subject;

namespace {

// Besides the common ones; each at every place of every kernel where `from` stands, one at a time.
constexpr Mutation mutations[] = {
    {"barrier removed", R"(bar\.(warp\.)?sync\s+(0|-1);)", ""},
    {"wrong lane in a shuffle", R"(shfl\.sync\.down)", "shfl.sync.up"},
    {"wrong distance in a shuffle", R"((mov\.u32 %r\d+), (16|8|4|2|1);)", "$1, 3;"},
    {"a link not followed", R"(ld\.global\.u64 (%rd\d+), \[(%rd\d+)\];)", "mov.u64 $1, $2;"},
    {"a link of shared memory not followed", R"(ld\.shared\.u32 (%r\d+), \[(%r\d+)\];)", "mov.u32 $1, $2;"},
    {"a link followed twice", R"(ld\.global\.u64 (%rd\d+), \[(%rd\d+)\];)",
     "ld.global.u64 $1, [$2]; ld.global.u64 $1, [$1];"},
    {"half of the threads", R"(%ntid\.x)", "16"},
    {"subtracted", R"(add\.u64 (%rd\d+), \1)", "sub.u64 $1, $1"},
    {"subtracted elsewhere", R"(add\.s(32|64) (%\w+), (%\w+), (%\w+);)", "sub.s$1 $2, $3, $4;"},
    {"a piece left out", R"(add\.u64 (%rd\d+), \1, %rd\d+;)", ""},
    {"wrong factor", R"(-1640531535)", "-1640531534"},
};

// Mutants that survive, since they do the same, and why.
const Same same[] = {
    // Time only: the first lane must not begin before the first level is filled.
    {"chase_device", "barrier removed", 1},
    // The lanes of a warp go in step on the reference machine, which looks for no race among them.
    {"chase_shared", "barrier removed", 1},
    // Whether the last 16 hops (or 4 lines of each lane) are done by the unrolled loop or by the one after it.
    {"chase_device", "loop bound one too high", 1},
    {"chase_shared", "loop bound one too high", 2},
    // The address where shared memory begins is 0 there.
    {"chase_shared", "subtracted elsewhere", 6},
    // Rounding a negative number of words.
    {"read_shared", "subtracted elsewhere", 1},
};

struct Under {
  record::Work stated;  // where the case does not tell
  testing::Memory memory = testing::Memory::device;
  std::function<std::unique_ptr<Case>(CudaContext&, const Image&)> make;
};

record::Work reads(std::int64_t bytes) {
  record::Work work;
  work.bytes_read = bytes;
  work.bytes_written = 0;
  return work;
}

// The sizes that each kernel is tried at: below and above what loops are unrolled to, with remainders.
const std::map<std::string, std::vector<Under>>& cases() {
  static const auto all = [] {
    std::map<std::string, std::vector<Under>> made;
    for (const auto& [lines, hops] : {std::pair{1, 0}, {128, 1}, {33, 17}, {450, 501}, {5000, 64}})
      made["chase_device"].push_back(
          {reads(hops * 8), testing::Memory::device, [lines = lines, hops = hops](CudaContext& c, const Image& image) {
             return std::make_unique<hierarchy::CudaChaseCase>(c, lines, hops, image);
           }});
    for (const auto& [words, hops] : {std::pair{1, 1}, {33, 35}, {450, 501}, {8192, 8192 + 15}})
      made["chase_shared"].push_back(
          {reads(hops * 4), testing::Memory::shared, [words = words, hops = hops](CudaContext& c, const Image& image) {
             return std::make_unique<hierarchy::SharedChaseCase>(c, words, hops, image);
           }});
    for (const auto& [words, passes] :
         {std::pair{4, 1}, {1020, 2}, {2048, 1}, {3076, 2}, {4100, 3}, {6144, 1}, {7168, 1}, {8192, 1}})
      made["read_shared"].push_back(
          {{}, testing::Memory::shared, [words = words, passes = passes](CudaContext& c, const Image& image) {
             return std::make_unique<hierarchy::SharedReadCase>(c, words, passes, image);
           }});
    for (const int loads : {1, 2, 4})
      for (const auto& [warps, rounds] : {std::pair{1, 1}, {3, 5}, {34, 4}})
        made["read_in_flight_" + std::to_string(loads)].push_back(
            {{}, testing::Memory::device, [loads, warps = warps, rounds = rounds](CudaContext& c, const Image& image) {
               return std::make_unique<hierarchy::InFlightCase>(c, 2 * warps * 512 * loads * 3, warps, loads, rounds,
                                                                image);
             }});
    return made;
  }();
  return all;
}

// How it was killed; empty: it was not.
std::string verdict(const std::vector<Under>& tried, const std::string& ptx) {
  return ptx::testing::judged(ptx, [&](ptx::testing::OneGpu& gpu, const Image& image) -> std::string {
    for (const Under& under : tried) {
      const auto arena = gpu.device().make_arena(4 << 20);
      CudaContext context{gpu.device(), *arena, 1, Fill::random};
      const auto prepared = under.make(context, image);
      if (auto how = testing::given_away_by(*prepared, gpu, under.stated, under.memory); !how.empty()) return how;
    }
    return {};
  });
}

}  // namespace

TEST_CASE("every mutant of every hierarchy kernel is killed on the reference machine") {
  std::vector<Subject> subjects;
  for (const auto& [name, tried] : cases())
    subjects.push_back({name, device::cuda::ptx_of(chase::chase_image.begin, 80),
                        [&tried = tried](const std::string& ptx) { return verdict(tried, ptx); }});
  ptx::testing::check_campaign(ptx::testing::run_campaign(subjects, ptx::testing::with_common(mutations)), same,
                               {"wrong answer", "fault", "other work"});
}
