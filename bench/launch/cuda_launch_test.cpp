// Launches on the reference machine: counted, their arguments checked, graphs whose calls fail, and every wrong kernel
// found out.
#include <catch2/catch.hpp>

#include "bench/launch/cuda_case.hpp"
#include "kernels/launch/launch_image.hpp"
#include "kernels/launch/launch_kernels.hpp"
#include "kernels/ptx/testing/campaign.hpp"
#include "kernels/ptx/testing/mistakes.hpp"
#include "kernels/ptx/testing/one_gpu.hpp"

using namespace ridge;
using namespace ridge::bench;
using namespace ridge::bench::launch;
using ptx::testing::Mutation;
using ptx::testing::OneGpu;

namespace {

constexpr Way ways[] = {Way::event, Way::wall, Way::queued, Way::graph};

struct Prepared {
  Prepared(OneGpu& gpu, Way way, std::int64_t arguments, const device::cuda::Image& image = ridge::launch::launch_image)
      : arena(gpu.device().make_arena(64)),
        context{gpu.device(), *arena, 1, Fill::random},
        one(context, way, arguments, image) {}
  std::unique_ptr<device::Arena> arena;
  CudaContext context;
  EmptyCase one;
};

// Of one repetition, on the case's own stream.
device::Counted counted_of(OneGpu& gpu, Prepared& prepared) {
  return gpu.count([&] { prepared.one.stream().time([&] { prepared.one.run(1); }); });
}

std::string verdict(std::int64_t arguments, OneGpu& gpu, const device::cuda::Image& image) {
  Prepared prepared(gpu, Way::queued, arguments, image);
  if (prepared.one.verify().status != record::Check::passed) return "wrong answer";
  const auto counted = counted_of(gpu, prepared);
  return counted.launches == 1 && counted.bytes_read + counted.bytes_written == 0 ? "" : "other work";
}

}  // namespace

TEST_CASE("each way launches as often as it states, with every number of arguments, and touches no memory") {
  OneGpu gpu;
  for (const Way way : ways)
    for (const std::int64_t arguments : ridge::launch::argument_counts) {
      CAPTURE(static_cast<int>(way), arguments);
      Prepared prepared(gpu, way, arguments);
      const auto verified = prepared.one.verify();
      CHECK(verified.reason.empty());
      CHECK(verified.status == record::Check::passed);
      CHECK(verified.checked == (way == Way::graph ? 192 : 3));
      const auto counted = counted_of(gpu, prepared);
      CHECK(counted.launches == launches_of(way));
      CHECK(counted.bytes_read + counted.bytes_written == 0);
      CHECK(prepared.one.verify().status == record::Check::passed);
    }
}

TEST_CASE("the parameters of a launch are 8 bytes for each argument, 4096 at the most") {
  OneGpu gpu;
  const auto module = gpu.device().module(ridge::launch::launch_image);
  for (const int arguments : ridge::launch::argument_counts) {
    const std::string name = ridge::launch::kernel_name(arguments);
    CHECK(name == "launch_arguments_" + std::to_string(arguments));
    CHECK(module->find(name.c_str()) != nullptr);
  }
  CHECK(ridge::launch::kernel_name(2) == nullptr);
}

TEST_CASE("a graph whose recording or making fails says which call it was, and leaves nothing behind") {
  for (const auto* call : {"cuStreamBeginCapture", "cuStreamEndCapture", "cuGraphInstantiate", "cuGraphLaunch"}) {
    ptx::Reference reference{};
    const auto driver = reference.driver();
    driver->cuInit(0);
    {
      device::cuda::Devices devices(driver, device::Kind::ptx, [](const char*) -> const char* { return nullptr; });
      auto& device = devices.open(0);
      const auto stream = device.make_stream();
      const device::cuda::DeviceBuffer buffer(device.context(), 64);
      const auto work = [&] { stream->fill(buffer.as(), 1, 64); };
      reference.fail(call, 1, CUDA_ERROR_UNKNOWN);
      CAPTURE(call);
      CHECK_THROWS_WITH(device::cuda::Graph(device.context(), *stream, work).launch(*stream),
                        Catch::Contains(std::string(call) + ": CUDA_ERROR_UNKNOWN"));
      // The stream is as it was, but where the recording could not be ended.
      if (std::string(call) != "cuStreamEndCapture") {
        device::cuda::Graph(device.context(), *stream, work).launch(*stream);
        stream->synchronize();
      }
    }
    if (std::string(call) != "cuStreamEndCapture") CHECK(reference.left().empty());
  }
}

TEST_CASE("work that fails while it is recorded ends the recording") {
  OneGpu gpu;
  const auto stream = gpu.device().make_stream();
  const device::cuda::DeviceBuffer buffer(gpu.device().context(), 64);
  CHECK_THROWS_WITH(device::cuda::Graph(gpu.device().context(), *stream,
                                        [&] {
                                          stream->fill(buffer.as(), 1, 64);
                                          throw std::runtime_error("of the work");
                                        }),
                    "of the work");
  std::vector<std::byte> host(64);
  stream->copy_to_host(host.data(), buffer.as(), 64);  // refused by a stream that still records
  stream->synchronize();
}

TEST_CASE("every mutant of the launched kernels is killed on the reference machine") {
  // Besides the common ones. Of hundreds of arguments, those that some registers' numbers choose.
  constexpr Mutation mutations[] = {
      {"checked although there is no word", R"(setp\.eq\.s64 (%p\d+), (%rd\d+), 0;)", "setp.eq.s64 $1, $2, 1;"},
      {"an argument taken for another",
       R"((ld\.param\.u64\s+%rd\d*[27]), \[(launch_arguments_\d+_param_)([1-9]\d*)\];)", "$1, [$021];"},
      {"an argument left out", R"(xor\.b64\s+(%rd\d*4), (%rd\d+), %rd\d+;)", "mov.u64 $1, $2;"},
      {"the first left out", R"(xor\.b64\s+(%rd\d+), (%rd\d+), (\d+);)", "mov.u64 $1, $3;"},
      {"not mixed", R"(mul\.lo\.s64\s+(%rd\d*7), (%rd\d+), -?\d+;)", "mov.u64 $1, $2;"},
      {"another factor", R"((mul\.lo\.s64\s+%rd\d*7, %rd\d+), -7046029254386353131;)", "$1, -7046029254386353129;"},
      {"subtracted", R"(add\.s64)", "sub.s64"},
      {"not added to what was there", R"(add\.s64\s+(%rd\d+), (%rd\d+), (%rd\d+|-?\d+);)", "mov.u64 $1, $3;"},
      {"nothing stored", R"(st\.global\.u64 \[[^\]]+\], %rd\d+;)", ""},
      {"stored behind", R"(st\.global\.u64 \[(%rd\d+)\])", "st.global.u64 [$1+8]"},
  };
  // The first argument taken for the first.
  const ptx::testing::Same one_is_itself[] = {{"launch_arguments_16", "an argument taken for another", 1}};
  std::vector<ptx::testing::Subject> subjects;
  for (const int arguments : ridge::launch::argument_counts)
    subjects.push_back({ridge::launch::kernel_name(arguments),
                        device::cuda::ptx_of(ridge::launch::launch_image.begin, 80),
                        [arguments](const std::string& ptx) {
                          return ptx::testing::judged(ptx, [arguments](OneGpu& gpu, const device::cuda::Image& image) {
                            return verdict(arguments, gpu, image);
                          });
                        }});
  ptx::testing::check_campaign(ptx::testing::run_campaign(subjects, ptx::testing::with_common(mutations)),
                               one_is_itself, {"wrong answer", "fault"});
}
