// From a point to figures, each with what says that they are right.
#include "bench/precision/cases.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "bench/harness/told.hpp"
#include "bench/precision/prediction.hpp"
#include "kernels/precision/precision.hpp"

namespace ridge::bench::precision {
namespace {

using namespace ridge::precision;

// Work without a clock: nothing is timed.
class Untimed final : public device::Stream {
 public:
  device::Interval time(const std::function<void()>& work) override {
    work();
    return {};
  }
  void flush_caches() override {}
  [[nodiscard]] bool has_clock() const override { return false; }
};

struct Computed {
  std::vector<Figure> figures;
  std::int64_t checked = 0;
  std::string wrong;  // empty: the check passed
  std::optional<double> max_error;
  std::optional<double> bound;
};

class ComputedCase final : public Case, public TellsFigures {
 public:
  explicit ComputedCase(std::function<Computed()> compute) : compute_(std::move(compute)) {}
  void run(std::int64_t repetitions) override {
    for (std::int64_t i = 0; i < repetitions; ++i) last_ = compute_();
  }
  record::Verification verify() override {
    run(1);
    record::Verification result;
    result.status = last_.wrong.empty() ? record::Check::passed : record::Check::failed;
    result.reason = last_.wrong;
    result.checked = last_.checked;
    result.max_error = last_.max_error;
    result.bound = last_.bound;
    return result;
  }
  device::Stream& stream() override { return stream_; }
  std::vector<Figure> figures() override { return last_.figures; }

 private:
  Untimed stream_;
  std::function<Computed()> compute_;
  Computed last_;
};

std::unique_ptr<Case> make(const CpuContext& context, std::function<Computed()> compute) {
  if (context.fill == Fill::zero)
    throw device::Absent("the numbers are drawn by the axis data or by the model: zeroes have no error");
  return std::make_unique<ComputedCase>(std::move(compute));
}

formats::Format type_of(const record::Point& point) {
  return formats::format_of(point.text("dtype")).value();
}

// A share that is predicted from a distribution, met within five of its standard deviations and what the model itself
// leaves open.
std::string off_prediction(const char* what, double share, double predicted, std::int64_t count, double model) {
  const double deviation = std::sqrt(predicted * (1 - predicted) / static_cast<double>(count));
  const double room = model + 5 * deviation + 3 / static_cast<double>(count);
  if (std::fabs(share - predicted) <= room) return "";
  return fmt::format("{} {:.4g}, and {:.4g} ± {:.2g} is predicted", what, share, predicted, room);
}

double scale_of(const record::Point& point) {
  const std::string& text = point.text("scale");
  int exponent = 0;  // "2^10"
  std::from_chars(text.data() + 2, text.data() + text.size(), exponent);
  return std::exp2(exponent);
}

}  // namespace

std::unique_ptr<Case> prepare_product(CpuContext& context, const record::Point& point) {
  const ProductQuestion question = question_of(point, context.seed);
  return make(context, [question] {
    const ProductErrors e = product_errors(question);
    Computed out;
    out.figures = {{"error", e.error},
                   {"worst_error", e.worst},
                   {"accumulation_error", e.accumulation},
                   {"overflows", static_cast<double>(e.overflows)},
                   {"underflows", static_cast<double>(e.underflows)}};
    if (const auto predicted = predicted_error(question)) out.figures.push_back({"predicted_error", *predicted});
    out.checked = product_side * product_side;
    out.max_error = e.worst_bound_share;
    out.bound = 1;
    if (e.off_reference > 0)
      out.wrong = fmt::format("{} roundings differ from those made code by code", e.off_reference);
    else if (!(e.worst_bound_share <= 1))
      out.wrong = fmt::format("off by {:.3g} times the bound on rounding errors", e.worst_bound_share);
    return out;
  });
}

std::unique_ptr<Case> prepare_ones(CpuContext& context, const record::Point& point) {
  return make(context, [type = type_of(point)] {
    const double stops = sum_of_ones(type), expected = std::exp2(type.precision());
    Computed out;
    out.figures = {{"stops_at", stops}, {"predicted_stop", expected}};
    out.checked = 1;
    if (stops != expected) out.wrong = fmt::format("stops at {}, and 2^{} is predicted", stops, type.precision());
    return out;
  });
}

std::unique_ptr<Case> prepare_loss_scaling(CpuContext& context, const record::Point& point) {
  return make(context, [type = type_of(point), scale = scale_of(point), seed = context.seed] {
    const GradientLoss loss = scaled_gradients(type, scale, seed), predicted = predicted_gradients(type, scale);
    Computed out;
    out.figures = {{"lost", loss.lost},
                   {"predicted_lost", predicted.lost},
                   {"overflowed", loss.overflowed},
                   {"predicted_overflowed", predicted.overflowed},
                   {"error", loss.error}};
    out.checked = gradient_count;
    out.wrong = off_prediction("lost", loss.lost, predicted.lost, gradient_count, 0) +
                off_prediction("overflowed", loss.overflowed, predicted.overflowed, gradient_count, 0);
    return out;
  });
}

std::unique_ptr<Case> prepare_master_weights(CpuContext& context, const record::Point& point) {
  const bool master = point.text("master") == "f32";
  return make(context, [type = master ? formats::f32 : type_of(point), seed = context.seed] {
    const UpdateLoss loss = updated_weights(type, seed);
    const double predicted = predicted_lost_updates(type);
    Computed out;
    out.figures = {{"lost", loss.lost}, {"predicted_lost", predicted}, {"error", loss.error}};
    out.checked = weight_count * update_steps;
    out.wrong = off_prediction("lost", loss.lost, predicted, weight_count, 0.02);
    return out;
  });
}

}  // namespace ridge::bench::precision
