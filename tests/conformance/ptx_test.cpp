// Every benchmark with a CUDA kernel runs on the reference machine, is right there, and its stated work is proven.
#include <catch2/catch.hpp>

#include "bench/harness/engine.hpp"
#include "bench/harness/misstated.hpp"
#include "bench/harness/proof.hpp"
#include "bench/harness/told.hpp"
#include "kernels/gpus/gpus.hpp"
#include "tests/conformance/some_choices.hpp"

using namespace ridge;

namespace {

struct Silent : bench::Observer {};

bool needs_time(record::Unit unit) {
  using record::Unit;
  return unit == Unit::bytes_per_second || unit == Unit::seconds || unit == Unit::flop_per_second ||
         unit == Unit::op_per_second;
}

// One element, sizes around a vector and a warp, an odd one, small squares; all choices of every other axis.
std::map<std::string, std::string> smallest(const bench::Definition& definition) {
  std::map<std::string, std::string> axes;
  for (const bench::Axis& axis : definition.axes) {
    if (!bench::exists_on(axis, device::Kind::ptx)) continue;
    if (axis.name == "size") axes[axis.name] = "8,24,248,256,264,8200";
    if (axis.name == "m") axes[axis.name] = "1,33,128";  // n and k follow
    if (axis.name == "heads") axes[axis.name] = "2";
    if (axis.name == "sequence") axes[axis.name] = "1,33";
    if (axis.kind == bench::AxisKind::choice) axes[axis.name] = test::some_choices(axis);
  }
  return axes;
}

// A case as it is, which at the moment of its proof is also held against statements that are off by one: the same
// counts must refuse each of them.
class HeldAgainstWrong final : public bench::Case, public bench::TellsFigures {
 public:
  HeldAgainstWrong(std::unique_ptr<Case> inner, const bench::Definition& definition, const record::Point& point,
                   const std::optional<device::Counted>& counted, int& refused)
      : inner_(std::move(inner)), definition_(definition), counted_(counted), refused_(refused) {
    stated_ = inner_->work().value_or(definition.work(point));
  }
  void run(std::int64_t repetitions) override { inner_->run(repetitions); }
  record::Verification verify() override { return inner_->verify(); }
  device::Stream& stream() override { return inner_->stream(); }
  [[nodiscard]] std::vector<bench::Part> parts() override { return inner_->parts(); }
  [[nodiscard]] std::optional<record::Work> work() const override { return inner_->work(); }
  void warm() override { inner_->warm(); }
  [[nodiscard]] std::optional<std::int64_t> page_size() const override { return inner_->page_size(); }
  [[nodiscard]] std::vector<bench::Figure> figures() override {
    auto* const tells = dynamic_cast<bench::TellsFigures*>(inner_.get());
    return tells == nullptr ? std::vector<bench::Figure>{} : tells->figures();
  }

  // The engine asks for this between counting and proving.
  [[nodiscard]] std::vector<bench::Besides> besides_work() const override {
    auto besides = inner_->besides_work();
    auto counted = *counted_;
    if (definition_.in_shared_memory) counted = bench::of_shared_memory(counted);
    counted = bench::with_operations(counted, definition_.metrics);
    for (const record::Work& wrong : bench::fake::misstated(stated_, 1, 1)) {
      CHECK_FALSE(bench::prove(wrong, besides, counted).proven);
      ++refused_;
    }
    return besides;
  }

 private:
  std::unique_ptr<Case> inner_;
  const bench::Definition& definition_;
  const std::optional<device::Counted>& counted_;
  int& refused_;
  record::Work stated_;
};

}  // namespace

TEST_CASE(
    "definitions for GPUs are verified on the reference machine, their work proven, and work off by one refused") {
  gpus::Gpus all({.reference_gpus = 3, .reference_memory = 64 << 20, .reference_multiprocessors = 2});
  std::optional<device::Counted> counted;
  int refused = 0;
  auto registry = bench::make_registry();
  for (bench::Definition& d : registry)
    if (d.prepare_cuda)
      d.prepare_cuda = [&d, &counted, &refused, prepare = d.prepare_cuda](bench::CudaContext& context,
                                                                          const record::Point& point) {
        return std::make_unique<HeldAgainstWrong>(prepare(context, point), d, point, counted, refused);
      };
  bench::Inventory inventory;
  for (const auto& gpu : all.reference().gpus)
    inventory.devices.push_back({gpu.name, std::nullopt, gpu.memory_free, {{"L2", gpu.l2_bytes, 1}}});
  bench::Hooks hooks;
  hooks.open = [&](const device::Name& name) { return bench::OpenedDevice{&all.base(name), nullptr, &all.open(name)}; };
  hooks.interrupted = [] { return false; };
  hooks.count = [&](const device::Name& name, const std::function<void()>& work) {
    return counted = all.count(name, work);
  };
  int proven = 0;
  for (const bench::Definition& d : registry) {
    if (!d.prepare_cuda) continue;
    const auto plan =
        bench::plan(registry, {{{{d.name}, smallest(d)}}, {{device::Kind::ptx, 0}}, false}, inventory, {});
    REQUIRE_FALSE(plan.cases.empty());
    Silent silent;
    refused = 0;
    const int before = proven;
    for (const record::Record& record : bench::run(plan, {}, hooks, silent)) {
      INFO(record::identity(record) << ": " << record.reason);
      if (record.status == record::Status::skipped) continue;
      CHECK(record.status == record::Status::ok);
      CHECK(record.verification.status == record::Check::passed);
      CHECK(record.verification.checked > 0);
      CHECK(record.samples.empty());  // counts, no times
      REQUIRE(record.metric("work_proven") != nullptr);
      CHECK(record.metric("work_proven")->value == 1.0);
      for (const record::Metric& metric : record.metrics) CHECK(needs_time(metric.unit) != metric.value.has_value());
      ++proven;
    }
    INFO(d.name);
    CHECK(refused >= 2 * (proven - before));  // each states bytes or operations
  }
  CHECK(proven > 100);
}
