// A walk on a GPU.
#include <algorithm>
#include <cstring>
#include <functional>
#include <tuple>
#include <vector>

#include "bench/access/cuda_cases.hpp"
#include "bench/access/walk.hpp"
#include "kernels/access/access_image.hpp"
#include "kernels/access/access_kernels.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/random/order.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::access {
namespace {

namespace ra = ridge::access;
using device::cuda::Shape;
using device::cuda::Stream;

constexpr unsigned threads = 256;

// A kernel made ready to be launched on an array, with the blocks that fill the GPU. `partial` is for loads only.
template <class T>
struct Launch {
  unsigned blocks = 1;
  std::function<void(Stream&, const Shape&, T* array, std::uint64_t* partial)> go;
};

template <class T>
class CudaCase final : public Case {
 public:
  CudaCase(CudaContext& context, const record::Point& point, std::unique_ptr<Walk<T>> walk, Launch<T> launch)
      : stream_(context.device.stream()),
        walk_(std::move(walk)),
        launch_(std::move(launch)),
        shape_{launch_.blocks, threads, 0},
        stores_(stores(point)),
        elements_(walk_->elements()),
        seed_(context.seed),
        zero_(context.fill == Fill::zero),
        partial_(context.device.context(), std::int64_t{shape_.blocks} * 8) {
    array_ = context.arena.borrow(bytes() + guard_bytes).template as<T>();
    fill(false);
  }

  void run(std::int64_t repetitions) override {
    for (std::int64_t i = 0; i < repetitions; ++i) launch_.go(stream_, shape_, array_, nullptr);
  }

  record::Verification verify() override {
    if (stores_ || zero_) fill(true);  // otherwise it holds what a check needs already
    stream_.fill(partial_.as(), stream::poison_byte, partial_.bytes());
    launch_.go(stream_, shape_, array_, partial_.template as<std::uint64_t>());
    record::Verification result = stores_ ? verify_stores() : verify_loads();
    if (zero_) fill(false);
    return result;
  }

  device::Stream& stream() override { return stream_; }

 private:
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
    stream_.copy_to_host(parts.data(), partial_.as(), partial_.bytes());
    stream_.synchronize();
    std::uint64_t found = 0;
    for (const std::uint64_t part : parts) found ^= part;
    return checked_loads(walk_->items(), found, walk_->expected(words().data(), 0, walk_->items()));
  }

  record::Verification verify_stores() {
    std::vector<T> have(static_cast<std::size_t>(elements_));
    std::vector<unsigned char> guard(guard_bytes);
    stream_.copy_to_host(have.data(), array_, bytes());
    stream_.copy_to_host(guard.data(), reinterpret_cast<const std::byte*>(array_) + bytes(), guard_bytes);
    stream_.synchronize();
    return checked_stores(elements_, walk_->wrong(have.data(), 0, elements_),
                          stream::untouched(guard.data(), guard.size()));
  }

  device::cuda::Stream& stream_;
  std::unique_ptr<Walk<T>> walk_;
  Launch<T> launch_;
  Shape shape_;
  bool stores_;
  std::int64_t elements_;
  std::uint64_t seed_;
  bool zero_;
  T* array_ = nullptr;  // (elements), then guard_bytes; on the device
  device::cuda::DeviceBuffer partial_;
};

// The launch of one of the image's kernels, and `arguments(array, partial)` as what comes after the stream and shape.
template <class T, class Arguments, class... Args>
Launch<T> launch_of(CudaContext& context, const device::cuda::Image& image, const device::cuda::Kernel<Args...>& kernel,
                    std::int64_t items, Arguments arguments) {
  const auto function = context.device.function(image, kernel);
  Launch<T> launch;
  launch.blocks = context.device.grid(function, threads, (items + threads - 1) / threads);
  launch.go = [function, arguments](Stream& stream, const Shape& shape, T* array, std::uint64_t* partial) {
    std::apply([&](auto... given) { function(stream, shape, given...); }, arguments(array, partial));
  };
  return launch;
}

template <class T>
constexpr const ra::CudaKernels<T>& strided_kernels() {
  if constexpr (sizeof(T) == 1) return ra::cuda_1;
  if constexpr (sizeof(T) == 2) return ra::cuda_2;
  if constexpr (sizeof(T) == 4) return ra::cuda_4;
  if constexpr (sizeof(T) == 8) return ra::cuda_8;
  if constexpr (sizeof(T) == 16) return ra::cuda_16;
}
template <class T>
constexpr const ra::IndexedKernels<T>& indexed_kernels() {
  if constexpr (sizeof(T) == 4) return ra::cuda_indexed_4;
  if constexpr (sizeof(T) == 8) return ra::cuda_indexed_8;
  if constexpr (sizeof(T) == 16) return ra::cuda_indexed_16;
}

const std::uint32_t* make_table(CudaContext& context, std::int64_t elements) {
  const random::Order order(context.seed, elements);
  std::vector<std::uint32_t> host(static_cast<std::size_t>(elements));
  for (std::int64_t i = 0; i < elements; ++i)
    host[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(order.line(i));
  auto* const table = context.arena.borrow(elements * 4).as<std::uint32_t>();
  context.device.stream().copy_to_device(table, host.data(), elements * 4);
  context.device.stream().synchronize();
  return table;
}

}  // namespace

std::unique_ptr<Case> prepare_strided_cuda(CudaContext& context, const record::Point& point,
                                           const device::cuda::Image& image) {
  const Pattern p = pattern_of(point);
  return for_width(width_of(point), [&]<class T>() -> std::unique_ptr<Case> {
    const auto& kernels = strided_kernels<T>();
    auto launch =
        stores(point)
            ? launch_of<T>(context, image, kernels.store, p.count,
                           [p](T* array, std::uint64_t*) { return std::tuple(array, p.offset, p.stride, p.count); })
            : launch_of<T>(context, image, kernels.load, p.count, [p](T* array, std::uint64_t* partial) {
                return std::tuple(array, p.offset, p.stride, p.count, partial);
              });
    return std::make_unique<CudaCase<T>>(context, point, strided<T>(point), std::move(launch));
  });
}

std::unique_ptr<Case> prepare_indexed_cuda(CudaContext& context, const record::Point& point,
                                           const device::cuda::Image& image) {
  const std::int64_t count = elements_of(point);
  const std::uint32_t* const table = make_table(context, count);
  return for_indexed_width(width_of(point), [&]<class T>() -> std::unique_ptr<Case> {
    const auto& kernels = indexed_kernels<T>();
    auto launch =
        stores(point)
            ? launch_of<T>(context, image, kernels.scatter, count,
                           [table, count](T* array, std::uint64_t*) { return std::tuple(array, table, count); })
            : launch_of<T>(context, image, kernels.gather, count, [table, count](T* array, std::uint64_t* partial) {
                return std::tuple(array, table, count, partial);
              });
    return std::make_unique<CudaCase<T>>(context, point, indexed<T>(point, context.seed, nullptr), std::move(launch));
  });
}

std::unique_ptr<Case> prepare_structured_cuda(CudaContext& context, const record::Point& point,
                                              const device::cuda::Image& image) {
  const ra::Fields f = fields_of(point);
  auto launch = stores(point) ? launch_of<Word>(context, image, ra::store_fields, f.items,
                                                [f](Word* array, std::uint64_t*) {
                                                  return std::tuple(array, f.items, f.per_item, f.per_field, f.used);
                                                })
                              : launch_of<Word>(
                                    context, image, ra::load_fields, f.items, [f](Word* array, std::uint64_t* partial) {
                                      return std::tuple(array, f.items, f.per_item, f.per_field, f.used, partial);
                                    });
  return std::make_unique<CudaCase<Word>>(context, point, structured(point), std::move(launch));
}

std::unique_ptr<Case> prepare_strided_cuda(CudaContext& context, const record::Point& point) {
  return prepare_strided_cuda(context, point, ra::access_image);
}
std::unique_ptr<Case> prepare_indexed_cuda(CudaContext& context, const record::Point& point) {
  return prepare_indexed_cuda(context, point, ra::access_image);
}
std::unique_ptr<Case> prepare_structured_cuda(CudaContext& context, const record::Point& point) {
  return prepare_structured_cuda(context, point, ra::access_image);
}

}  // namespace ridge::bench::access
