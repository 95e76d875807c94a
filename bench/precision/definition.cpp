// The table of facts of the precision family.
#include "bench/precision/definition.hpp"

#include "bench/precision/analysis.hpp"
#include "bench/precision/cases.hpp"
#include "bench/precision/explanation.hpp"

namespace ridge::bench::precision {
namespace {

using record::Better;
using record::Unit;

// The cases compute these themselves (told.hpp): the work states no operations that a rate could come from. What may
// well be nought has no direction: the gate judges ratios.
MetricRule judged(const char* name) {
  return {name, Unit::ratio, Better::lower, Rate::operations};
}
MetricRule told(const char* name, Unit unit = Unit::ratio) {
  return {name, unit, Better::neither, Rate::operations};
}

Axis types(std::vector<std::string> names) {
  return {"dtype", "", "number type", AxisKind::choice, "all", std::move(names)};
}

Definition define(const char* name, const char* summary, std::vector<Axis> axes, std::vector<MetricRule> metrics,
                  const char* counting, Explanation text,
                  std::function<std::unique_ptr<Case>(CpuContext&, const record::Point&)> prepare) {
  Definition d;
  d.name = std::string("precision.") + name;
  d.summary = summary;
  d.axes = std::move(axes);
  d.metrics = std::move(metrics);
  d.explanation = std::move(text);
  d.explanation.counting = counting;
  d.analysis = analysis();
  d.work = [counting](const record::Point&) {
    record::Work work;
    work.counting = counting;
    return work;
  };
  d.buffers = [](const record::Point&) { return std::vector<std::int64_t>{}; };
  d.prepare_cpu = std::move(prepare);
  return d;
}

Definition product() {
  Axis k{"k", "", "length of the sums", AxisKind::count, "64,1024,16384", {}};
  k.most = 1 << 20;
  Definition d = define(
      "product", "Error of a matrix product as its sums grow longer",
      {types({"f32", "tf32", "f16", "bf16", "e4m3", "e5m2", "e2m1"}),
       {"accumulate",
        "",
        "what sums are rounded to: f32, or the type itself",
        AxisKind::choice,
        "all",
        {"f32", "same"}},
       k,
       {"data", "", "what the matrices hold", AxisKind::choice, "normal", {"normal", "positive", "wide"}}},
      {judged("error"), judged("worst_error"), told("predicted_error"), told("accumulation_error"),
       told("overflows", Unit::count), told("underflows", Unit::count)},
      "a product of 16 by k and k by 16: every rounding of inputs, products and sums; overflows and underflows are "
      "counted over all of them",
      explanation_of_product(), prepare_product);
  d.unsupported = [](const record::Point& point) -> std::optional<std::string> {
    if (point.text("dtype") == "f32" && point.text("accumulate") == "same")
      return "f32 sums are rounded to f32 either way: see accumulate=f32";
    return std::nullopt;
  };
  return d;
}

}  // namespace

std::vector<Definition> definitions() {
  std::vector<Definition> all;
  all.push_back(product());
  all.push_back(
      define("ones", "Where a sum of ones stops", {types({"f32", "tf32", "f16", "bf16", "e4m3", "e5m2", "e2m1"})},
             {{"stops_at", Unit::count, Better::higher, Rate::operations}, told("predicted_stop", Unit::count)},
             "one addition after the other, each rounded to the type", explanation_of_ones(), prepare_ones));
  all.push_back(
      define("loss_scaling", "Gradients lost to underflow, with and without loss scaling",
             {types({"f16", "bf16", "e4m3", "e5m2"}),
              {"scale",
               "",
               "what the loss is multiplied by",
               AxisKind::choice,
               "2^0,2^10,2^15",
               {"2^0", "2^7", "2^10", "2^15", "2^24"}}},
             {told("lost"), told("predicted_lost"), told("overflowed"), told("predicted_overflowed"), judged("error")},
             "2^18 gradients, each scaled, rounded to the type and scaled back", explanation_of_loss_scaling(),
             prepare_loss_scaling));
  all.push_back(
      define("master_weights", "Updates lost where weights are kept in the type itself",
             {types({"f16", "bf16"}),
              {"master", "", "a copy of the weights that takes the updates", AxisKind::choice, "all", {"none", "f32"}}},
             {told("lost"), told("predicted_lost"), judged("error")},
             "2^16 weights, eight updates each, every sum rounded to the type that holds the weights",
             explanation_of_master_weights(), prepare_master_weights));
  return all;
}

}  // namespace ridge::bench::precision
