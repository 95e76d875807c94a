// The kernels that help measuring, on the reference machine: right at every awkward size in every order with all checks
// on, and wrong versions of them are caught.
#include <catch2/catch.hpp>
#include <cstring>
#include <set>
#include <stdexcept>

#include "kernels/device/cuda/device.hpp"
#include "kernels/device/cuda/timing_image.hpp"
#include "kernels/device/cuda/timing_kernels.hpp"
#include "kernels/ptx/driver/reference.hpp"
#include "kernels/ptx/testing/campaign.hpp"
#include "kernels/ptx/testing/mistakes.hpp"

using namespace ridge;
namespace cuda = device::cuda;
using ptx::testing::Mutation;
using ptx::testing::Same;
using ptx::testing::Subject;

namespace {

constexpr std::uint32_t magic = 0x9e3779b9;  // what timing.cu writes its sink for
constexpr std::uint32_t poison = 0xA5A5A5A5;
constexpr std::uint64_t clock_step = 32;  // of the reference machine's clocks, with every read

// A kernel did not do what its contract says.
struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void require(bool right, const char* what) {
  if (!right) throw Wrong(what);
}

struct Machine {
  Machine(const cuda::Image& image, ptx::Order order) : image_(image), reference(settings_for(order)) {
    const auto driver = reference.driver();
    driver->cuInit(0);
    devices =
        std::make_unique<cuda::Devices>(driver, device::Kind::ptx, [](const char*) -> const char* { return nullptr; });
    stream = devices->open(0).make_stream();
  }
  static ptx::ReferenceSettings settings_for(ptx::Order order) {
    ptx::ReferenceSettings settings;
    settings.launch.order = order;
    settings.launch.counts = true;
    settings.launch.step_limit = 100'000;
    return settings;
  }
  // Runs it and returns what it did.
  template <class... Args>
  ptx::Counts run(const cuda::Kernel<Args...>& kernel, const cuda::Shape& shape, Args... arguments) {
    reference.clear_notes();
    devices->open(0).function(image_, kernel)(*stream, shape, arguments...);
    stream->synchronize();
    return reference.launches().at(0).counts;
  }
  template <class T>
  T* upload(const std::vector<T>& values) {
    const auto bytes = static_cast<std::int64_t>(values.size() * sizeof(T));
    T* const there = buffers.emplace_back(devices->open(0).context(), std::max<std::int64_t>(bytes, 1)).as<T>();
    if (bytes > 0) stream->copy_to_device(there, values.data(), bytes);
    stream->synchronize();
    return there;
  }
  template <class T>
  std::vector<T> download(const T* there, std::size_t count) {
    std::vector<T> values(count);
    stream->copy_to_host(values.data(), there, static_cast<std::int64_t>(count * sizeof(T)));
    stream->synchronize();
    return values;
  }

  const cuda::Image& image_;
  ptx::Reference reference;
  std::unique_ptr<cuda::Devices> devices;
  std::unique_ptr<cuda::Stream> stream;
  std::vector<cuda::DeviceBuffer> buffers;
};

// Open: it reads once and writes nothing. Shut: it gives up as soon as the limit is passed, and says so.
void check_gate(Machine& m) {
  for (const std::uint64_t limit : {0, 1, 31, 32, 33, 63, 64, 65, 1001})
    for (const std::uint32_t opened : {1U, 7U, 0x80000000U, 0U}) {
      const auto* const open = m.upload<std::uint32_t>({opened});
      auto* const timed_out = m.upload<std::uint32_t>({poison});
      const auto counts =
          m.run(cuda::gate_wait_kernel, {}, static_cast<const volatile std::uint32_t*>(open), timed_out, limit);
      const bool shut = opened == 0;
      require(m.download(open, 1)[0] == opened, "the gate's word was written");
      require(m.download(timed_out, 1)[0] == (shut ? 1 : poison), "timed out is wrong");
      const std::uint64_t turns = shut ? limit / clock_step + 1 : 1;
      require(counts.global.load.requests == turns, "it waited longer or shorter than the limit");
    }
}

void check_spin(Machine& m) {
  for (const std::uint64_t duration : {0, 1, 31, 32, 33, 64, 65, 1001}) {
    auto* const result = m.upload<std::uint64_t>({poison, poison, poison});
    m.run(cuda::spin_clock_kernel, {}, duration, result);
    const auto found = m.download(result, 3);
    // Both clocks are one counter there. Between the first two reads of the timer lies one of the cycles.
    const std::uint64_t steps = (duration + clock_step - 1) / clock_step;
    const std::uint64_t turns = duration == 0 ? 0 : std::max<std::uint64_t>(1, steps - 1);
    require(found[1] == (turns == 0 ? 0 : turns + 1) * clock_step, "the spin is too long or too short");
    require(found[0] == (turns + 1) * clock_step, "the cycles are not those of the spin");
    require(found[2] == poison, "wrote behind the result");
  }
}

// Every byte is read once and nothing is written, unless one thread's exclusive or is the magic value.
void check_flush(Machine& m) {
  for (const cuda::Shape& shape : {cuda::Shape{1, 1}, cuda::Shape{1, 32}, cuda::Shape{3, 33}, cuda::Shape{2, 64}})
    for (const std::int64_t count : {0, 1, 4, 31, 32, 33, 101, 128, 256, 511, 640}) {
      const std::int64_t threads = std::int64_t{shape.blocks} * shape.threads;
      std::vector<std::uint32_t> data(static_cast<std::size_t>(count) * 4);
      std::uint32_t state = 1;
      for (std::uint32_t& word : data) word = state = state * 1664525 + 1013904223;
      const std::int64_t chosen =
          std::min(count, threads) - 1;  // the thread whose exclusive or is made the magic value
      for (const bool hit : {false, true}) {
        if (hit && count == 0) continue;
        if (hit) {
          std::uint32_t rest = magic;
          for (std::int64_t i = chosen; i < count; i += threads)
            for (int k = 0; k < 4; ++k) rest ^= data[static_cast<std::size_t>(4 * i + k)];
          data[static_cast<std::size_t>(4 * chosen)] ^= rest;
        }
        const auto* const there = m.upload(data);
        auto* const sink = m.upload<std::uint32_t>({poison, poison});
        const auto counts = m.run(cuda::flush_read_kernel, shape, static_cast<const void*>(there), count, sink);
        const auto bytes = static_cast<std::uint64_t>(count) * 16;
        require(counts.global.load.bytes == bytes && counts.global.load.unique_bytes == bytes, "did not read all once");
        require(counts.global.store.bytes == (hit ? 4 : 0), "wrote what it should not, or did not write");
        require(m.download(sink, 2) == std::vector{hit ? magic : poison, poison}, "the sink is wrong");
      }
      m.buffers.clear();
    }
}

struct Checked {
  const char* kernel;
  void (*check)(Machine&);
};
constexpr Checked all_kernels[] = {
    {"ridge_gate_wait", check_gate}, {"ridge_spin_clock", check_spin}, {"ridge_flush_read", check_flush}};

// Besides the common ones.
constexpr Mutation mutations[] = {
    {"limit one too low", R"(setp\.le)", "setp.lt"},
    {"other way round", R"(sub\.s64)", "add.s64"},
    {"added, not taken away", R"(add\.s64(\s+%rd\d+, %rd\d+), -(\d);)", "add.s64$1, $2;"},
    {"or for exclusive or", R"(xor\.b32)", "or.b32"},
    {"one word of a piece twice", R"((ld\.global\.v4\.u32\s+)\{(%r\d+), (%r\d+), (%r\d+), (%r\d+)\}(.*))",
     "$1{$2, $3, $4, $5}$6 mov.u32 $5, $4;"},
    {"a step left out", R"(and\.b64(\s+%rd\d+, %rd\d+), 3;)", "and.b64$1, 1;"},
    {"result beside its place", R"(\[%rd12\+8\])", "[%rd12+16]"},
    {"results in one place", R"(\[%rd12\+8\])", "[%rd12]"},
    {"wrong value stored", R"((mov\.u32\s+%r2), 1;)", "$1, 2;"},
    {"store forgotten", R"(st\.global[^;]*;)", ""},
    {"jump never taken", R"(@%p\d+ bra[^;]*;)", ""},
    {"jump always taken", R"(@%p\d+ bra)", "bra"},
    {"clock of another moment", R"(mov\.u64\s+(%rd\d+), %(clock64|globaltimer);)", "mov.u64 $1, 0;"},
};

// Mutants that survive, since they do the same, and why.
const Same same[] = {
    // Whether the compiler's division takes 32 or 64 bits: lengths here fit both.
    {"ridge_flush_read", "jump always taken", 1},
    {"ridge_flush_read", "jump never taken", 1},
    {"ridge_flush_read", "turned round too", 1},
    // The start of the interval: the reference machine's clocks begin at 0 with every launch.
    {"ridge_gate_wait", "clock of another moment", 1},
    {"ridge_spin_clock", "clock of another moment", 1},
};

// How it was killed; empty: it was not.
std::string verdict(const std::string& ptx, void (*check)(Machine&)) {
  const cuda::Image image{"mutant", reinterpret_cast<const unsigned char*>(ptx.c_str()), nullptr, nullptr, nullptr};
  try {
    Machine machine(image, ptx::Order::forward);
    check(machine);
  } catch (const Wrong&) {
    return "contract";
  } catch (const std::exception&) {
    return "fault";
  }
  return {};
}

}  // namespace

TEST_CASE("the kernels that help measuring are right at awkward sizes in every order") {
  for (const ptx::Order order : {ptx::Order::forward, ptx::Order::reverse, ptx::Order::random})
    for (const Checked& each : all_kernels) {
      CAPTURE(each.kernel, static_cast<int>(order));
      Machine machine(cuda::timing_image, order);
      CHECK_NOTHROW(each.check(machine));
    }
}

TEST_CASE("every mutant of the kernels that help measuring is killed") {
  std::vector<Subject> subjects;
  for (const Checked& each : all_kernels)
    subjects.push_back({each.kernel, cuda::ptx_of(cuda::timing_image.begin, 80),
                        [check = each.check](const std::string& ptx) { return verdict(ptx, check); }});
  ptx::testing::check_campaign(ptx::testing::run_campaign(subjects, ptx::testing::with_common(mutations)), same,
                               {"contract", "fault"});
}
