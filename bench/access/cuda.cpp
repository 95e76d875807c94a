// A pattern on a GPU.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "bench/access/points.hpp"
#include "kernels/access/access_image.hpp"
#include "kernels/access/access_kernels.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::access {
namespace {

namespace ra = ridge::access;

constexpr unsigned threads = 256;

template <class T>
class CudaCase final : public Case {
 public:
  CudaCase(CudaContext& context, const record::Point& point, const ra::CudaKernels<T>& kernels)
      : stream_(context.device.stream()),
        pattern_(pattern_of(point)),
        stores_(stores(point)),
        elements_(point.integer("size") / std::int64_t{sizeof(T)}),
        seed_(context.seed),
        zero_(context.fill == Fill::zero),
        load_(context.device.function(ra::access_image, kernels.load)),
        store_(context.device.function(ra::access_image, kernels.store)) {
    array_ = context.arena.borrow(elements_ * std::int64_t{sizeof(T)} + guard_bytes).template as<T>();
    const std::int64_t most = (pattern_.count + threads - 1) / threads;
    shape_.blocks = stores_ ? context.device.grid(store_, threads, most) : context.device.grid(load_, threads, most);
    partial_ = std::make_unique<device::cuda::DeviceBuffer>(context.device.context(), std::int64_t{shape_.blocks} * 8);
    fill(false);
  }

  void run(std::int64_t repetitions) override {
    for (std::int64_t i = 0; i < repetitions; ++i) launch(nullptr);
  }

  record::Verification verify() override {
    if (stores_ || zero_) fill(true);  // otherwise it holds what a check needs already
    stream_.fill(partial_->as(), stream::poison_byte, partial_->bytes());
    launch(partial_->template as<std::uint64_t>());
    record::Verification result = stores_ ? verify_stores() : verify_loads();
    if (zero_) fill(false);
    return result;
  }

  device::Stream& stream() override { return stream_; }

 private:
  void launch(std::uint64_t* partial) {
    if (stores_)
      store_(stream_, shape_, array_, pattern_.offset, pattern_.stride, pattern_.count);
    else
      load_(stream_, shape_, array_, pattern_.offset, pattern_.stride, pattern_.count, partial);
  }

  [[nodiscard]] std::int64_t bytes() const { return elements_ * std::int64_t{sizeof(T)}; }

  void fill(bool for_check) {
    if (stores_ || (zero_ && !for_check)) {
      stream_.fill(array_, stores_ ? stream::poison_byte : 0, bytes());
    } else {
      const std::vector<T> host = words();
      stream_.copy_to_device(array_, host.data(), bytes());
      stream_.synchronize();
    }
    stream_.fill(reinterpret_cast<std::byte*>(array_) + bytes(), stream::poison_byte, guard_bytes);
    stream_.synchronize();
  }

  [[nodiscard]] std::vector<T> words() const {
    std::vector<T> host(static_cast<std::size_t>(elements_));
    auto* const out = reinterpret_cast<unsigned char*>(host.data());
    for (std::int64_t at = 0; at < bytes(); at += 8) {
      const std::uint64_t word = ra::word(seed_, at / 8);
      std::memcpy(out + at, &word, static_cast<std::size_t>(std::min<std::int64_t>(8, bytes() - at)));
    }
    return host;
  }

  record::Verification verify_loads() {
    std::vector<std::uint64_t> parts(shape_.blocks);
    stream_.copy_to_host(parts.data(), partial_->as(), partial_->bytes());
    stream_.synchronize();
    std::uint64_t found = 0;
    for (const std::uint64_t part : parts) found ^= part;
    const std::vector<T> host = words();
    const std::uint64_t want = ra::cpu_load(host.data(), pattern_, 0, pattern_.count);
    record::Verification result;
    result.checked = pattern_.count;
    result.max_error = 0;
    result.bound = 0;
    result.status = found == want ? record::Check::passed : record::Check::failed;
    if (found != want) result.reason = "the exclusive or of all elements is wrong";
    return result;
  }

  record::Verification verify_stores() {
    const auto size = static_cast<std::size_t>(bytes());
    std::vector<T> want(static_cast<std::size_t>(elements_));
    std::memset(static_cast<void*>(want.data()), stream::poison_byte, size);
    ra::cpu_store(want.data(), pattern_, 0, pattern_.count);
    std::vector<unsigned char> have(size + guard_bytes);
    stream_.copy_to_host(have.data(), array_, static_cast<std::int64_t>(have.size()));
    stream_.synchronize();
    record::Verification result;
    result.checked = elements_;
    result.max_error = 0;
    result.bound = 0;
    const bool right = std::memcmp(have.data(), want.data(), size) == 0;
    const bool inside = stream::untouched(have.data() + size, guard_bytes);
    result.status = right && inside ? record::Check::passed : record::Check::failed;
    if (!right) result.reason = "elements are wrong, or others were touched";
    if (right && !inside) result.reason = "wrote behind the last element";
    return result;
  }

  device::cuda::Stream& stream_;
  Pattern pattern_;
  bool stores_;
  std::int64_t elements_;
  std::uint64_t seed_;
  bool zero_;
  device::cuda::Function<const T*, std::int64_t, std::int64_t, std::int64_t, std::uint64_t*> load_;
  device::cuda::Function<T*, std::int64_t, std::int64_t, std::int64_t> store_;
  device::cuda::Shape shape_{1, threads, 0};
  T* array_ = nullptr;  // (elements), then guard_bytes; on the device
  std::unique_ptr<device::cuda::DeviceBuffer> partial_;
};

}  // namespace

std::unique_ptr<Case> prepare_cuda(CudaContext& context, const record::Point& point) {
  switch (width_of(point)) {
    case 1:
      return std::make_unique<CudaCase<std::uint8_t>>(context, point, ra::cuda_1);
    case 2:
      return std::make_unique<CudaCase<std::uint16_t>>(context, point, ra::cuda_2);
    case 8:
      return std::make_unique<CudaCase<std::uint64_t>>(context, point, ra::cuda_8);
    case 16:
      return std::make_unique<CudaCase<ra::Wide>>(context, point, ra::cuda_16);
    default:
      return std::make_unique<CudaCase<std::uint32_t>>(context, point, ra::cuda_4);
  }
}

}  // namespace ridge::bench::access
