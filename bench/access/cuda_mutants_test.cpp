// Wrong versions of the family's kernels, made by changing one place in their PTX: the reference machine's
// checks, the verification, the proof of work or the predicted counts must kill them all, but for those that do the
// same.
#include <catch2/catch.hpp>

#include "bench/access/banks.hpp"
#include "bench/access/cuda_cases.hpp"
#include "bench/access/points.hpp"
#include "bench/access/transpose.hpp"
#include "bench/harness/mutant.hpp"
#include "kernels/access/access_image.hpp"
#include "kernels/access/banks.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/ptx/testing/campaign.hpp"
#include "kernels/ptx/testing/mistakes.hpp"
#include "kernels/transpose/transpose_image.hpp"

using namespace ridge;
using namespace ridge::bench;
using device::cuda::Image;
using ptx::testing::Mutation;
using ptx::testing::Same;
using ptx::testing::Subject;
namespace ba = ridge::bench::access;

namespace {

// Besides the common ones; each at every place of every kernel where `from` stands, one at a time.
constexpr Mutation mutations[] = {
    {"barrier removed", R"(bar\.(warp\.)?sync\s+(0|-1);)", ""},
    {"wrong distance in a shuffle", R"((mov\.u32 %r\d+), (16|8|4|2|1);)", "$1, 0;"},
    {"or for exclusive or", R"(xor\.b(32|64))", "or.b$1"},
    {"offset or stride exchanged", R"(mul\.lo\.s64 (%\w+), (%\w+), (%\w+);)", "add.s64 $1, $2, $3;"},
    {"wrong factor", R"(-7046029254386353131)", "1234567"},
};

// Mutants that survive, since they do the same, and why.

std::vector<Same> same() {
  std::vector<Same> all;
  for (const std::string width : {"1", "2", "4", "8", "16"}) {
    // Whether the steps of an unrolled loop are counted by a division of 32 or of 64 bits.
    all.push_back({"access_load_" + width, "turned round too", 1});
    all.push_back({"access_store_" + width, "turned round too", 1});
    if (width == "1" || width == "2") continue;
    all.push_back({"access_gather_" + width, "turned round too", 1});
    all.push_back({"access_scatter_" + width, "turned round too", 1});
  }
  for (const char* kernel : {"access_load_1", "access_load_2", "access_load_4", "access_load_8", "access_load_16",
                             "access_gather_4", "access_gather_8", "access_gather_16", "access_load_fields"}) {
    // A block of 64 threads; ours have 256.
    all.push_back({kernel, "loop bound one too high", 1});
    // Which lane leaves the warp's bits, when all of them have the same.
    all.push_back({kernel, "turned round", 1});
  }
  // Joining lanes whose elements lie at different places of the word.
  all.push_back({"access_load_1", "or for exclusive or", 3});
  all.push_back({"access_load_2", "or for exclusive or", 2});
  all.push_back({"access_load_4", "or for exclusive or", 1});
  // The last of three fields that a loop unrolled by four leaves over: 1, 2 and multiples of 4 leave none.
  all.push_back({"access_load_fields", "or for exclusive or", 1});
  // A block of 64 threads, and a single round, neither of which is run.
  all.push_back({"access_banks", "loop bound one too high", 2});
  // The thread that would just have no word to fill: blocks are not that large.
  all.push_back({"access_banks", "bound one too low", 1});
  return all;
}

using Prepare = std::unique_ptr<Case> (*)(CudaContext&, const record::Point&, const Image&);

struct Kernel {
  std::string name;
  const Image* image;
  ba::Facts facts;
  Prepare prepare;
  std::vector<record::Point> points;
};

record::Point point_of(std::initializer_list<std::pair<const char*, record::Value>> values) {
  record::Point point;
  for (const auto& [axis, value] : values) point.set(axis, value);
  return point;
}

record::Point pattern(const std::string& op, const std::string& width, std::int64_t stride, const std::string& offset,
                      std::int64_t elements) {
  return point_of(
      {{"op", op}, {"stride", stride}, {"offset", offset}, {"width", width}, {"size", elements * std::stoll(width)}});
}

// One element; a few; more than one step of all threads (2048), unrolled loops included, with a remainder.
std::vector<Kernel> kernels() {
  std::vector<Kernel> all;
  for (const std::string op : {"load", "store"})
    for (const std::string width : {"1", "2", "4", "8", "16"})
      all.push_back({"access_" + op + "_" + width,
                     &ridge::access::access_image,
                     ba::strided_facts,
                     ba::prepare_strided_cuda,
                     {pattern(op, width, 1, "0", 1), pattern(op, width, 3, "5", 200),
                      pattern(op, width, 1, "1", 2048 * 7 + 77), pattern(op, width, 2, "0", 2 * 2048 * 4)}});
  for (const std::string width : {"4", "8", "16"})
    for (const std::string op : {"load", "store"}) {
      Kernel kernel{"access_" + std::string(op == "load" ? "gather_" : "scatter_") + width,
                    &ridge::access::access_image,
                    ba::indexed_facts,
                    ba::prepare_indexed_cuda,
                    {}};
      for (const std::int64_t elements : {1, 200, 2048 * 7 + 77, 2048 * 4})
        kernel.points.push_back(point_of({{"op", op}, {"width", width}, {"size", elements * std::stoll(width)}}));
      all.push_back(std::move(kernel));
    }
  for (const std::string op : {"load", "store"}) {
    Kernel kernel{"access_" + op + "_fields",
                  &ridge::access::access_image,
                  ba::structured_facts,
                  ba::prepare_structured_cuda,
                  {}};
    for (const std::string layout : {"aos", "soa"})
      for (const std::string used : {"one", "all"})
        for (const std::int64_t fields : {2, 4, 8})
          for (const std::int64_t items : {1, 301, 2048 * 2 + 9})
            kernel.points.push_back(point_of({{"op", op},
                                              {"layout", layout},
                                              {"fields", std::to_string(fields)},
                                              {"used", used},
                                              {"size", items * fields * 4}}));
    all.push_back(std::move(kernel));
  }
  all.push_back({"access_banks",
                 &ridge::access::access_image,
                 {ba::banks_work, ba::banks_buffers, ba::banks_unsupported},
                 ba::prepare_banks_cuda,
                 {point_of({{"stride", std::int64_t{1}}}), point_of({{"stride", std::int64_t{6}}})}});
  for (const std::string variant : {"naive", "tiled", "padded", "swizzled"}) {
    Kernel kernel{"transpose_" + variant,
                  &ridge::transpose::transpose_image,
                  {ba::transpose_work, ba::transpose_buffers, ba::transpose_unsupported},
                  ba::prepare_transpose_cuda,
                  {}};
    for (const std::int64_t n : {1, 33, 41, 50, 59, 64})
      kernel.points.push_back(point_of({{"variant", variant}, {"size", n * n * 4}}));
    all.push_back(std::move(kernel));
  }
  return all;
}

// Whether bank conflicts and sectors are those that arithmetic says, where it does.
bool as_predicted(const Kernel& kernel, const record::Point& point, const record::Work& work,
                  const device::Counted& counted) {
  if (kernel.name == "access_banks")
    return counted.bank_conflicts ==
           *work.bytes_read / 128 * (ridge::access::wavefronts_per_request(point.integer("stride")) - 1);
  if (point.find("variant") == nullptr) return true;
  const auto predicted = ba::predicted_counts(point);
  return !predicted || (static_cast<double>(counted.sectors) ==
                            predicted->sectors_per_request() * static_cast<double>(counted.requests) &&
                        counted.bank_conflicts == predicted->bank_conflicts);
}

// How it was killed; empty: it was not.
std::string verdict(const Kernel& kernel, const std::string& ptx) {
  const auto memory = kernel.name == "access_banks" ? testing::Memory::shared : testing::Memory::device;
  const auto judge = [&](ptx::testing::OneGpu& gpu, const Image& image) -> std::string {
    for (const record::Point& point : kernel.points) {
      std::int64_t needed = 1;
      for (const std::int64_t bytes : kernel.facts.buffers(point)) needed += device::borrow_cost(bytes);
      const auto arena = gpu.device().make_arena(needed);
      CudaContext context{gpu.device(), *arena, 1, Fill::random};
      const auto prepared = kernel.prepare(context, point, image);
      const record::Work work = prepared->work().value_or(kernel.facts.work(point));
      if (auto how = testing::given_away_by(*prepared, gpu, work, memory); !how.empty()) return how;
      if (!as_predicted(kernel, point, work, gpu.reference().counted())) return "other counts";
    }
    return {};
  };
  return ptx::testing::judged(ptx, judge, 1);
}

}  // namespace

TEST_CASE("every mutant of every access kernel is killed on the reference machine") {
  std::vector<Subject> subjects;
  for (const Kernel& kernel : kernels())
    subjects.push_back({kernel.name, device::cuda::ptx_of(kernel.image->begin, 80),
                        [kernel](const std::string& ptx) { return verdict(kernel, ptx); }});
  ptx::testing::check_campaign(ptx::testing::run_campaign(subjects, ptx::testing::with_common(mutations)), same(),
                               {"wrong answer", "fault", "other work"});
}
