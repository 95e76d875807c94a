// A device's name is its text, both ways.
#include "kernels/device/device.hpp"

#include <catch2/catch.hpp>

using namespace ridge::device;

TEST_CASE("a name is read back from its text, and other text is no name") {
  for (const Name& name : {Name{}, Name{Kind::cuda, 0}, Name{Kind::ptx, 12}}) CHECK(parse_name(name.text()) == name);
  for (const char* text : {"", "gpu", "cpu:0", "cuda", "cuda:", "cuda:-1", "cuda:1x", "ptx:99999999999", ":1"}) {
    INFO(text);
    CHECK_FALSE(parse_name(text));
  }
}
