// How often a library is woken: before each interval of short products, and once where a product is long.
#include "kernels/gemm_library/library_stream.hpp"

#include <catch2/catch.hpp>

using namespace ridge;

namespace {

class Counted final : public gemm::Library {
 public:
  explicit Counted(std::chrono::milliseconds each) : each_(each) {}
  void multiply() override {
    ++products;
    std::this_thread::sleep_for(each_);
  }
  [[nodiscard]] std::map<std::string, std::string> implementation() const override { return {}; }
  [[nodiscard]] double restless_seconds() const override { return 0; }
  int products = 0;

 private:
  std::chrono::milliseconds each_;
};

class NoTeam final : public device::Stream {
 public:
  device::Interval time(const std::function<void()>& work) override {
    work();
    return {};
  }
  void flush_caches() override {}
};

int products_of_empty_intervals(std::chrono::milliseconds each, int intervals) {
  NoTeam team;
  Counted library(each);
  gemm::LibraryStream stream(team, library);
  for (int i = 0; i < intervals; ++i) stream.time([] {});
  return library.products;
}

}  // namespace

TEST_CASE("short products wake a library before every interval") {
  CHECK(products_of_empty_intervals(std::chrono::milliseconds(0), 5) == 5);
}

TEST_CASE("a long product is not computed again to wake a library, from the first interval on") {
  CHECK(products_of_empty_intervals(std::chrono::milliseconds(60), 5) == 1);
}
