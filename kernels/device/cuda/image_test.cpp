// The embedded container gives back its PTX, damaged ones are told apart, and resource lines are read.
#include "kernels/device/cuda/image.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "kernels/device/cuda/timing_image.hpp"

using namespace ridge::device::cuda;

namespace {

std::vector<unsigned char> embedded() {
  return {timing_image.begin, timing_image.end};
}

}  // namespace

TEST_CASE("the embedded fatbin holds PTX for compute_80 with our kernels") {
  const auto ptx = ptx_of(timing_image.begin, 90);
  CHECK(ptx.find(".version") != std::string_view::npos);
  CHECK(ptx.find(".target sm_80") != std::string_view::npos);
  CHECK(ptx.find("ridge_gate_wait") != std::string_view::npos);
  CHECK(ptx.find('\0') == std::string_view::npos);
  CHECK(ptx_of(timing_image.begin, 75).empty());
}

TEST_CASE("source paths in the PTX are relative to the source tree") {
  const auto ptx = ptx_of(timing_image.begin, 80);
  CHECK(ptx.find("\"kernels/device/cuda/timing.cu\"") != std::string_view::npos);
}

TEST_CASE("PTX text is its own PTX") {
  CHECK(ptx_of("  .version 9.0\n", 80) == "  .version 9.0\n");
  CHECK(ptx_of("// by hand\n.version 9.0\n", 80).size() == 24);
  CHECK_THROWS_WITH(ptx_of("hello", 80), "neither a fatbin nor PTX");
}

TEST_CASE("a container cut short anywhere is an error and is never read past its end") {
  const auto whole = embedded();
  REQUIRE(whole.size() > 200);
  for (const std::size_t size : {std::size_t{5}, std::size_t{16}, std::size_t{40}, std::size_t{90}, whole.size() - 1}) {
    const std::vector<unsigned char> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    INFO(size);
    CHECK_THROWS_AS(ptx_of(cut.data(), 80, cut.size()), std::runtime_error);
  }
  CHECK_FALSE(ptx_of(whole.data(), 80, whole.size()).empty());
}

TEST_CASE("an entry that claims to be longer than the container is an error") {
  auto damaged = embedded();
  const std::uint64_t huge = ~std::uint64_t{0} - 8;
  std::memcpy(damaged.data() + 16 + 8, &huge, sizeof huge);
  CHECK_THROWS_WITH(ptx_of(damaged.data(), 80, damaged.size()), "an entry of the fatbin is longer than the fatbin");
}

TEST_CASE("machine code in a container is found by its architecture, and PTX is none") {
  auto patched = embedded();
  patched[16] = 2;  // the first entry's kind, were it machine code
  std::uint32_t architecture = 90;
  std::memcpy(patched.data() + 16 + 28, &architecture, sizeof architecture);
  CHECK(has_code_for(patched.data(), 90, patched.size()));
  CHECK_FALSE(has_code_for(patched.data(), 80, patched.size()));
  patched[16] = 1;
  CHECK_FALSE(has_code_for(patched.data(), 90, patched.size()));
  CHECK_FALSE(has_code_for("// by hand\n.version 9.0\n", 90));
  CHECK_THROWS_AS(has_code_for(patched.data(), 90, 40), std::runtime_error);
}

TEST_CASE("resources are read line by line") {
  const auto all = parse_resources("sm_80 k 14 0 0 0 128\nsm_90a long_name 255 16 8 4 0\n");
  REQUIRE(all.size() == 2);
  CHECK(all[0].architecture == "sm_80");
  CHECK(all[0].registers == 14);
  CHECK(all[0].shared == 128);
  CHECK(all[1].kernel == "long_name");
  CHECK(all[1].stack == 16);
  CHECK(all[1].spill_stores == 8);
  CHECK(all[1].spill_loads == 4);
  CHECK(parse_resources("").empty());
  CHECK_THROWS_WITH(parse_resources("sm_80 k x\n"), "not a line of kernel resources: 'sm_80 k x'");
}

TEST_CASE("what is embedded has the resources of every kernel in it") {
  const auto all = parse_resources(timing_image.resources_text());
  for (const char* name : {"ridge_gate_wait", "ridge_spin_clock", "ridge_flush_read"}) {
    int found = 0;
    for (const auto& each : all)
      if (each.kernel == name) {
        ++found;
        CHECK(each.registers > 0);
        CHECK(each.spill_stores == 0);
      }
    INFO(name);
    CHECK(found >= 1);
  }
}
