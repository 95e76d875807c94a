// Arrays of 4 GiB and of more elements than 32 bits count: sizes, blocks and places, without the memory for them.
#include <sys/mman.h>

#include <catch2/catch.hpp>
#include <vector>

#include "collectives/operations/rank_work.hpp"

using namespace ridge::collectives;
namespace reduce = ridge::reduce;

namespace {

// Address space that nobody may touch.
class Reserved {
 public:
  explicit Reserved(std::int64_t bytes) : bytes_(static_cast<std::size_t>(bytes)) {
    data_ = ::mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ~Reserved() {
    if (data_ != MAP_FAILED) ::munmap(data_, bytes_);
  }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;
  [[nodiscard]] std::byte* data() const { return data_ == MAP_FAILED ? nullptr : static_cast<std::byte*>(data_); }

 private:
  std::size_t bytes_;
  void* data_;
};

Job job_of(Collective collective, int ranks, std::int64_t count, reduce::Type type, bool in_place) {
  Job job;
  job.collective = collective;
  job.ranks = ranks;
  job.count = count;
  job.rule.type = type;
  job.in_place = in_place;
  return job;
}

constexpr std::int64_t gib = std::int64_t{1} << 30;

}  // namespace

TEST_CASE("blocks of more elements than 32 bits count cover the array once, each in its place") {
  for (const std::int64_t count : {gib, 2 * gib - 1, 2 * gib, 2 * gib + 1, 4 * gib + 3, 9 * gib + 1})
    for (const int n : {1, 2, 3, 5, 7, 16, 64}) {
      CAPTURE(count, n);
      Arrays arrays;
      arrays.count = count;
      std::int64_t end = 0;
      for (int b = 0; b < n; ++b) {
        const Block block = block_of(arrays, b, n);
        REQUIRE(block.begin == end);
        REQUIRE(block.end >= block.begin);
        REQUIRE(block.count() <= count / n + 16);
        end = block.end;
      }
      REQUIRE(end == count);
      arrays.count = count / n * n;
      CHECK(equal_block(arrays, n - 1, n).end == arrays.count);
      CHECK(equal_block(arrays, n - 1, n).count() == count / n);
    }
}

TEST_CASE("buffers of 4 GiB and of 2^31 elements have their bytes and their guard") {
  CHECK(buffer_bytes(job_of(Collective::allreduce, 2, gib, reduce::Type::f32, true)) ==
        std::vector<std::int64_t>{4 * gib + 64});
  CHECK(buffer_bytes(job_of(Collective::allreduce, 2, 2 * gib + 1, reduce::Type::f64, false)) ==
        std::vector<std::int64_t>{16 * gib + 8 + 64, 16 * gib + 8 + 64});
  CHECK(buffer_bytes(job_of(Collective::allgather, 4, 4 * gib, reduce::Type::f16, false)) ==
        std::vector<std::int64_t>{2 * gib + 64, 8 * gib + 64});
}

TEST_CASE("a rank's block beyond 4 GiB begins where it should, in place") {
  const std::int64_t count = 3 * (gib + 7);  // of f32: 12 GiB and a little
  const Reserved memory(4 * count + 4096);
  REQUIRE(memory.data() != nullptr);
  for (const Collective collective : {Collective::allgather, Collective::reducescatter})
    for (const int rank : {0, 1, 2}) {
      const RankWork work(job_of(collective, 3, count, reduce::Type::f32, true), rank, [&](std::int64_t bytes) {
        CHECK(bytes == 4 * count + 64);
        return memory.data();
      });
      const std::int64_t own = 4 * (gib + 7) * rank;
      const Arrays& arrays = work.arrays();
      CHECK((collective == Collective::allgather ? arrays.in : arrays.out) == memory.data() + own);
      CHECK((collective == Collective::allgather ? arrays.out : arrays.in) == memory.data());
      CHECK(work.checked() == (collective == Collective::allgather ? count : count / 3));
      CHECK(piece_of(memory.data(), arrays, equal_block(arrays, rank, 3)).data == memory.data() + own);
    }
}
