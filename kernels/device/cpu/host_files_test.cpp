// Parsers that refuse what is not exactly what they expect, and files that are missing, empty, huge or no files at all.
#include "kernels/device/cpu/host_files.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "tests/support/folder.hpp"

using namespace ridge::device::cpu;
using ridge::test::Folder;
using Ids = std::vector<int>;

TEST_CASE("integers are whole or nothing") {
  CHECK(parse_integer(" 42\n") == 42);
  CHECK(parse_integer("-1") == -1);
  CHECK(parse_integer("9223372036854775807") == INT64_MAX);
  for (const char* junk :
       {"", " ", "\n", "4 2", "42x", "0x2a", "+1", "1e3", "4.2", "max", "9223372036854775808", "--1"})
    CHECK_FALSE(parse_integer(junk));
}

TEST_CASE("cache sizes") {
  CHECK(parse_cache_size("32K\n") == 32 * 1024);
  CHECK(parse_cache_size("32768K") == 32 << 20);
  CHECK(parse_cache_size("36M") == 36 << 20);
  CHECK(parse_cache_size("1G") == 1 << 30);
  CHECK(parse_cache_size("64") == 64);
  for (const char* junk : {"", "K", "0K", "-1K", "32 K", "32KB", "32k", "9223372036854775807K", "8589934592G"})
    CHECK_FALSE(parse_cache_size(junk));
}

TEST_CASE("lists of ids") {
  CHECK(parse_id_list("0\n") == Ids{0});
  CHECK(parse_id_list("0-3") == Ids{0, 1, 2, 3});
  CHECK(parse_id_list("8,0-1,1") == Ids{0, 1, 8});
  CHECK(parse_id_list("65535") == Ids{65535});
  for (const char* junk : {"", "\n", ",", "1,", "a", "3-1", "-1", "1-", "0-65536", "99999999999999999999", "0--3",
                           "0-65535,0-65535,0-65535"})
    CHECK_FALSE(parse_id_list(junk));
}

TEST_CASE("texts for a report are printable and bounded") {
  CHECK(clean("  AMD EPYC \n") == "AMD EPYC");
  CHECK(clean("a\x01\xff\tb") == "a???b");
  CHECK_FALSE(clean(" \n\t"));
  CHECK(clean(std::string(5000, 'x'))->size() == 200);
}

TEST_CASE("fields of texts in lines") {
  constexpr auto text = "model\t\t: 1\nmodel name\t: A: B\nempty :\nlast: x";
  CHECK(field(text, "model") == "1");
  CHECK(field(text, "model name") == "A: B");
  CHECK(field(text, "empty") == "");
  CHECK(field(text, "last") == "x");
  CHECK_FALSE(field(text, "mode"));
  CHECK_FALSE(field("", "model"));
  CHECK(field("nr_throttled 3\nthrottled_time 4\n", "throttled_time", ' ') == "4");
}

TEST_CASE("files that are no values") {
  const Folder folder;
  const Files files(folder.text() + "//");
  folder.write("/good", " 7 \n");
  folder.write("/empty", "");
  folder.write("/blank", "\n\n");
  folder.write("/huge", std::string(5000, '1'));
  folder.write("/binary", std::string("\0\0\0", 3));
  folder.write("/folder/inside", "1");
  REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
  CHECK(files.integer("/good") == 7);
  CHECK(files.value("/good") == "7");
  for (const char* name : {"/missing", "/empty", "/blank", "/huge", "/binary", "/folder", "/pipe", "/good/below"}) {
    INFO(name);
    CHECK_FALSE(files.integer(name));
    CHECK_FALSE(files.ids(name));
  }
  CHECK_FALSE(files.value("/huge"));
  CHECK_FALSE(files.value("/pipe"));
}

TEST_CASE("the head of a long file is as much as was asked for") {
  const Folder folder;
  folder.write("/long", std::string(100000, 'x'));
  const Files files(folder.text());
  CHECK(files.head("/long")->size() == 65536);
  CHECK(files.head("/long", 10) == std::string(10, 'x'));
  CHECK(files.head("/long", std::size_t{1} << 20)->size() == 100000);
}

TEST_CASE("numbered entries come in order of their numbers, others are left out") {
  const Folder folder;
  for (const char* name : {"cpu10", "cpu2", "cpu0", "cpufreq", "cpu", "cpu-1", "cpu3x", "cpu99999999999", "node1"})
    folder.write(std::string("/system/") + name + "/x", "");
  const Files files(folder.text());
  CHECK(files.numbered("/system", "cpu") == Ids{0, 2, 10});
  CHECK(files.numbered("/missing", "cpu").empty());
}
