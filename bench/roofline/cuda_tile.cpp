// The peaks of the matrix units by an architecture's own instruction, wgmma or tcgen05.
//
// The reference machine does not execute them, so what proves them is the check on the GPU itself, before anything is
// timed, and it has to find a wrong layout of the operands as well as work left out:
//   alike       all elements are 1: the result is known however the instruction finds them, and each product that is
//               missing shows
//   whole       whole numbers of every kind: right only where each element is found in its place
//   single      one product a row, but as many steps as are timed: the steps are all done
// Sums stay whole numbers below 2^13, or wrap: exact in every order, also where, as Hopper does with 8-bit numbers,
// products are added up in 14 bits.
#include <fmt/format.h>

#include "bench/roofline/cuda_case.hpp"
#include "bench/roofline/cuda_cases.hpp"
#include "bench/roofline/cuda_operands.hpp"
#include "kernels/roofline/tile_kernels.hpp"

namespace ridge::bench::roofline {
namespace {

namespace rr = ridge::roofline;
using device::cuda::Image;

constexpr std::int64_t few_steps = 9;  // through both loops of a kernel
constexpr int most_whole = 2;

struct Stage {
  enum Operands { alike, whole, single } operands;
  const char* wrong;  // what it means when this one is
};
constexpr Stage stages[] = {
    {Stage::alike, "operands of ones: products are left out, or are of something else"},
    {Stage::whole, "whole numbers: the instruction does not find the operands where they lie"},
    {Stage::single, "one product a row: not all steps are done"},
};

template <class In>
class TileCase final : public CudaCase<typename In::Sum> {
 public:
  using Element = typename In::Element;
  using Sum = typename In::Sum;

  TileCase(CudaContext& context, const rr::TileInstruction& instruction, std::int64_t steps, const Image& image)
      : CudaCase<Sum>(context),
        instruction_(instruction),
        kernel_(context.device.function(image, instruction.kernel)),
        steps_(steps),
        blocks_(context.device.grid(
            kernel_, instruction.threads,
            std::int64_t{instruction.blocks_at_once} * context.device.properties().multiprocessors)),
        a_(context.device.context(), std::int64_t{rr::tile_m} * rr::tile_row_bytes),
        b_(context.device.context(), std::int64_t{rr::tile_n} * rr::tile_row_bytes),
        out_buffer_(context.device.context(), blocks_ * of_block * std::int64_t{sizeof(Sum)} + guard_bytes) {
    this->results_at(out_buffer_.template as<Sum>(), blocks_ * of_block);
    fill(false);
  }
  [[nodiscard]] std::optional<record::Work> work() const override {
    record::Work work;
    work.items = std::int64_t{blocks_} * (rr::tile_m / instruction_.m) * rr::tile_slabs * steps_;
    work.operations = *work.items * 2 * instruction_.m * rr::tile_n * instruction_.k;
    work.counting =
        fmt::format("2·{}·{}·{} operations for each {}", instruction_.m, rr::tile_n, instruction_.k, instruction_.text);
    return work;
  }
  record::Verification verify() override {
    record::Verification all;
    for (const Stage& stage : stages) {
      stage_ = stage.operands;
      record::Verification one = CudaCase<Sum>::verify();
      one.checked += all.checked;
      all = std::move(one);
      if (all.status != record::Check::passed) {
        all.reason = fmt::format("{}: {} ({})", instruction_.name, all.reason, stage.wrong);
        break;
      }
    }
    return all;
  }

 private:
  static constexpr std::int64_t of_block = std::int64_t{rr::tile_m} * rr::tile_n;
  static constexpr std::int64_t row = rr::tile_row_bytes / std::int64_t{sizeof(Element)};  // elements

  // Element i of A (which 0) or B as it is checked.
  [[nodiscard]] std::int64_t checked(int which, std::int64_t i) const {
    const OperandNumbers numbers{this->numbers_};
    switch (stage_) {
      case Stage::alike:
        return 1;
      case Stage::whole:
        return numbers.whole<Sum>(which, i, most_whole);
      case Stage::single:
        break;
    }
    if (which == 0) return i % row == i / row % row ? 1 : 0;
    return numbers.bits(which, i) % 2 == 0 ? 1 : -1;
  }
  [[nodiscard]] std::int64_t steps_now() const {
    return for_check_ && stage_ != Stage::single ? std::min(steps_, few_steps) : steps_;
  }

  void fill(bool for_check) override {
    for_check_ = for_check;
    products_.clear();
    const auto put = [&](const device::cuda::DeviceBuffer& to, int which) {
      this->upload(to.as<Element>(), to.bytes() / std::int64_t{sizeof(Element)}, [&](std::int64_t i) {
        return In::of(for_check ? static_cast<double>(checked(which, i))
                                : OperandNumbers{this->numbers_}.template timed<Sum>(which, i));
      });
    };
    put(a_, 0);
    put(b_, 1);
  }
  void launch() override {
    kernel_(this->stream_, {blocks_, instruction_.threads, 0}, a_.as(), b_.as(), this->out_,
            static_cast<std::int32_t>(steps_now()));
  }
  // All blocks compute the same products from starts of their own; each product is computed once here.
  stream::Check check(std::int64_t begin, std::int64_t end, const Sum* have) override {
    if (products_.empty()) multiply();
    stream::Check result;
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t want = i / of_block % rr::tile_starts + products_[static_cast<std::size_t>(i % of_block)];
      ++result.checked;
      if (have[i - begin] != wrapped<Sum>(want) && result.wrong++ == 0) result.first_wrong = i;
    }
    return result;
  }
  void multiply() {
    const auto all = [&](int which, std::int64_t rows) {
      std::vector<std::int64_t> values(static_cast<std::size_t>(rows * row));
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = checked(which, static_cast<std::int64_t>(i));
      return values;
    };
    const auto a = all(0, rr::tile_m);
    const auto b = all(1, rr::tile_n);
    for (const std::int64_t* m = a.data(); m != a.data() + a.size(); m += row)
      for (const std::int64_t* n = b.data(); n != b.data() + b.size(); n += row) {
        std::int64_t sum = 0;
        for (std::int64_t k = 0; k < row; ++k) sum += m[k] * n[k];
        products_.push_back(sum * steps_now());
      }
  }

  const rr::TileInstruction& instruction_;
  device::cuda::Function<const void*, const void*, void*, std::int32_t> kernel_;
  std::int64_t steps_;
  unsigned blocks_;
  bool for_check_ = false;
  Stage::Operands stage_ = Stage::alike;
  device::cuda::DeviceBuffer a_;           // (tile_m, row)
  device::cuda::DeviceBuffer b_;           // (tile_n, row)
  device::cuda::DeviceBuffer out_buffer_;  // (blocks, tile_m, tile_n), then guard_bytes
  std::vector<std::int64_t> products_;     // (tile_m, tile_n): what a block adds to its start
};

std::string capability_text(int architecture) {
  return fmt::format("{}.{}", architecture / 10, architecture % 10);
}

}  // namespace

std::string tile_absent(const rr::TileInstruction& instruction, int architecture, bool modelled, bool built) {
  if (modelled)
    return fmt::format("{} is not provable on the reference machine, which executes PTX for compute_80",
                       instruction.name);
  if (!instruction.on(architecture)) {
    std::string of;
    for (const int each : instruction.architectures)
      if (each != 0) of += (of.empty() ? "" : " and ") + capability_text(each);
    return fmt::format("{} of {} is an instruction of compute capability {} alone, and this GPU has {}",
                       instruction.name, instruction.dtype, of, capability_text(architecture));
  }
  if (!built)
    return fmt::format("this build has no machine code of sm_{}a, which {} needs; a release build has", architecture,
                       instruction.name);
  return "";
}

std::unique_ptr<Case> make_cuda_tile(CudaContext& context, const std::string& instruction, const std::string& dtype,
                                     std::int64_t steps, const Image& image) {
  const rr::TileInstruction* const found = rr::tile_instruction(instruction, dtype);
  if (found == nullptr) throw device::Absent(fmt::format("no {} of {} is known", instruction, dtype));
  const auto& properties = context.device.properties();
  const int architecture = 10 * properties.capability_major + properties.capability_minor;
  if (auto why = tile_absent(*found, architecture, context.device.driver().modelled,
                             device::cuda::has_code_for(image.begin, architecture));
      !why.empty())
    throw device::Absent(why);
  if (dtype == "f16") return std::make_unique<TileCase<InF16>>(context, *found, steps, image);
  if (dtype == "tf32") return std::make_unique<TileCase<InTf32>>(context, *found, steps, image);
  if (dtype == "e4m3") return std::make_unique<TileCase<InE4m3>>(context, *found, steps, image);
  if (dtype == "int8") return std::make_unique<TileCase<InInt8>>(context, *found, steps, image);
  return std::make_unique<TileCase<InBf16>>(context, *found, steps, image);
}

}  // namespace ridge::bench::roofline
