// Bad input: one clear line on stderr that names the option, exit status 2, nothing on stdout.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/cli/ridge.hpp"

using Catch::Contains;
using ridge::test::invoke;
using ridge::test::Outcome;
using ridge::test::Start;

namespace {

void refused(const std::vector<std::string>& arguments, const std::string& says) {
  const Outcome outcome = invoke(arguments);
  INFO("arguments: " << Catch::StringMaker<std::vector<std::string>>::convert(arguments));
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains(says));
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
  CHECK(outcome.out.empty());
}

}  // namespace

TEST_CASE("sizes that cannot be are refused by name") {
  for (const char* size : {"0", "1", "1e400", "-1", "12Q", "", "nan", "9223372036854775808", "4Ki:1Ki", "1,,2"})
    refused({"bandwidth", "triad", "--size", size}, "--size");
  refused({"bandwidth", "triad", "--elements", "0"}, "--elements");
  refused({"bandwidth", "triad", "--elements", "7", "--size", "64"}, "--elements and --size");
  refused({"bandwidth", "triad", "--size", "L9"}, "L9");
}

TEST_CASE("unknown names are answered with the nearest ones") {
  refused({"bandwith"}, "did you mean bandwidth?");
  refused({"bandwidth", "traid"}, "did you mean bandwidth.triad?");
  refused({"bandwidth", "triad", "--sise", "4Ki"}, "did you mean --size");
  refused({"bandwidth", "triad", "--dtype", "f46"}, "did you mean f64");
  refused({"gemm", "float", "--beta", "2"}, "--beta: '2' is not one of 0, 0.5, 1\n");
  refused({"run", "--suite", "quik"}, "quick");
  refused({"explain", "bandwidth.traid"}, "did you mean bandwidth.triad?");
  refused({"list", "nothing"}, "nothing");
}

TEST_CASE("a family takes a choice that only some of its benchmarks have") {
  const Outcome outcome = invoke({"roofline", "--device", "cpu", "--dtype", "f64", "--dry-run"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("roofline.peak") && !Contains("roofline.dot_ops"));
  CHECK(invoke({"roofline", "dot_ops", "--dtype", "f64", "--dry-run"}).status == 2);
}

TEST_CASE("a family of one benchmark offers no kernels to choose from") {
  const Outcome help = invoke({"allreduce", "--help"});
  CHECK(help.status == 0);
  CHECK_THAT(help.out, Contains("All ranks' arrays are added up") && !Contains("KERNEL"));
  CHECK_THAT(invoke({"hierarchy", "--help"}).out, Contains("KERNEL"));
  CHECK(invoke({"allreduce", "ring"}).status == 2);
}

TEST_CASE("each collective has its command, its help, and only the options that mean something to it") {
  for (const char* operation :
       {"allreduce", "allgather", "reducescatter", "broadcast", "reduce", "alltoall", "sendrecv", "barrier"}) {
    INFO(operation);
    const Outcome help = invoke({operation, "--help"});
    CHECK(help.status == 0);
    CHECK_THAT(help.out, Contains("--engine") && Contains("--predict"));
    CHECK_THAT(invoke({"explain", operation}).out, Contains("Ranks are threads of one process"));
    CHECK_THAT(invoke({"list"}).out, Contains(operation));
    refused({operation, "--algorithm", "rings"}, "--algorithm");
    refused({operation, "--ranks", "0"}, "--ranks");
    refused({operation, "--ranks", "65"}, "--ranks");
    refused({operation, "--predict", "1"}, "--predict");
    refused({operation, "--predict", "many"}, "--predict");
  }
  refused({"barrier", "--size", "8"}, "--size");
  refused({"broadcast", "--op", "max"}, "--op");
  refused({"alltoall", "--place", "in"}, "--place");
  refused({"bandwidth", "--predict", "8"}, "--predict");
}

TEST_CASE("bad settings name their option") {
  refused({"bandwidth", "--rounds", "0"}, "--rounds");
  refused({"bandwidth", "--rounds", "x"}, "--rounds");
  refused({"bandwidth", "--min-time", "-1s"}, "--min-time");
  refused({"bandwidth", "--seed", "-1"}, "--seed");
  refused({"bandwidth", "--timeout", "soon"}, "--timeout");
  refused({"bandwidth", "--format", "xml"}, "--format");
  refused({"bandwidth", "--cache", "hot"}, "--cache");
  refused({"bandwidth", "--fill", "twos"}, "--fill");
  refused({"bandwidth", "--device", "gpu"}, "--device");
  refused({"bandwidth", "--threads", "0"}, "--threads");
  refused({"bandwidth", "--size"}, "--size");
  refused({"hierarchy", "--suite", "quik"}, "quick");
  refused({"hierarchy", "--suite", "ci", "--size", "4Ki"}, "--suite and --size exclude each other");
  refused({"transfer", "--suite", "ci"}, "ci measures nothing of transfer");
  refused({"precision", "product", "--k", "0"}, "--k");
  refused({"gemm", "float", "--m", "0"}, "--m");
  refused({"gemm", "float", "--layout", "xy"}, "--layout");
  refused({"gemm", "ladder", "--rung", "warp", "--device", "ptx"}, "--rung");
  refused({"gemm", "float", "--library-path", "/no/such/folder"}, "--library-path");
}

TEST_CASE("a sustained run takes twenty seconds and more, and sets its rounds itself") {
  refused({"bandwidth", "triad", "--duration", "5s"}, "--duration");
  refused({"bandwidth", "triad", "--duration", "soon"}, "--duration");
  refused({"bandwidth", "triad", "--duration", "30s", "--rounds", "3"}, "--duration");
}

TEST_CASE("an output that cannot be written is found before measuring") {
  const auto measured_nothing = [](const Outcome& outcome) {
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
  };
  measured_nothing(invoke(ridge::test::quick({"--json", "/nonexistent/folder/report.json"})));
  measured_nothing(invoke(ridge::test::quick({"--json", "/"})));
  Start closed;
  closed.close_out = true;
  const Outcome outcome = invoke(ridge::test::quick(), closed);
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("stdout is closed"));
}

TEST_CASE("a full disk is said, with status 2") {
  Start full;
  full.out_path = "/dev/full";
  const Outcome outcome = invoke(ridge::test::quick(), full);
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("No space left on device"));
}

TEST_CASE("no command shows the help and is a usage error, --help is not") {
  const Outcome none = invoke({});
  CHECK(none.status == 2);
  CHECK_THAT(none.err, Contains("Exit status"));
  const Outcome help = invoke({"--help"});
  CHECK(help.status == 0);
  CHECK_THAT(help.out, Contains("bandwidth") && Contains("nothing ran") && Contains("130, 143"));
  for (const char* command : {"run", "bandwidth", "precision", "info", "list", "explain"}) {
    const Outcome outcome = invoke({command, "--help"});
    INFO(command);
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.out, Contains("Usage: ridge " + std::string(command)));
  }
}
