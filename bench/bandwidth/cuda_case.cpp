// Running and verifying the stream kernels on a GPU.
#include "bench/bandwidth/cuda_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/stream/cuda_tuning.hpp"

namespace ridge::bench::bandwidth {
namespace {

using stream::Op;

constexpr std::int64_t chunk_bytes = std::int64_t{4} << 20;

template <class T>
constexpr const stream::CudaKernels<T>& kernels() {
  if constexpr (sizeof(T) == 4)
    return stream::cuda_f32;
  else
    return stream::cuda_f64;
}

}  // namespace

template <class T>
CudaStreamCase<T>::CudaStreamCase(Op op, CudaContext& context, std::int64_t count, const device::cuda::Image& image)
    : facts_(stream::facts(op)),
      device_(context.device),
      stream_(context.device.stream()),
      count_(count),
      random_(context.seed, stream::Content::random),
      whole_(context.seed, stream::Content::whole),
      timed_(context.seed, context.fill == Fill::zero ? stream::Content::zero : stream::Content::random),
      chunk_(static_cast<std::size_t>(std::min(count, chunk_bytes / std::int64_t{sizeof(T)}))) {
  // Behind inputs lie decoys; on the reference machine nothing, for it sees every read beyond an allocation itself.
  const std::int64_t decoys = context.device.name().kind == device::Kind::ptx ? 0 : guard_bytes;
  const auto borrow = [&](std::int64_t extra) {
    return context.arena.borrow(count * std::int64_t{sizeof(T)} + extra).template as<T>();
  };
  const auto borrow_input = [&] {
    T* const array = borrow(decoys);
    if (decoys > 0) stream_.fill(array + count, stream::decoy_byte, decoys);
    return array;
  };
  if (facts_.arrays_written > 0) a_ = borrow(guard_bytes);
  if (facts_.arrays_read > 0) b_ = borrow_input();
  if (facts_.arrays_read > 1) c_ = borrow_input();
  choose(image);
  if (facts_.arrays_written == 0)
    partial_ = std::make_unique<device::cuda::DeviceBuffer>(device_.context(), std::int64_t{blocks_} * 8);
  fill(timed_);
  poison();
}

template <class T>
template <class... Args>
unsigned CudaStreamCase<T>::shape(const device::cuda::Function<Args...>& function) {
  const std::int64_t pieces = count_ / (16 / std::int64_t{sizeof(T)}) + 1;
  const std::int64_t most = (pieces + stream::cuda_threads - 1) / stream::cuda_threads;
  blocks_ = device_.grid(function, stream::cuda_threads, most, stream::cuda_waves);
  return blocks_;
}

// Everything is decided here, so that a repetition is nothing but a launch.
template <class T>
void CudaStreamCase<T>::choose(const device::cuda::Image& image) {
  const auto& all = kernels<T>();
  const T q = stream::scalar<T>;
  const auto with = [&](const auto& kernel, auto... arguments) {
    auto function = device_.function(image, kernel);
    const device::cuda::Shape launch{shape(function), stream::cuda_threads, 0};
    launch_ = [this, function, launch, arguments...] { function(stream_, launch, arguments...); };
  };
  // Partial results do not exist yet when the kernel is chosen: how many there are follows from its shape.
  const auto reducing = [&](const auto& kernel, auto call) {
    auto function = device_.function(image, kernel);
    const device::cuda::Shape launch{shape(function), stream::cuda_threads, 0};
    launch_ = [function, launch, call] { call(function, launch); };
  };
  switch (facts_.op) {
    case Op::copy:
      return with(all.copy, b_, a_, count_);
    case Op::scale:
      return with(all.scale, b_, a_, q, count_);
    case Op::add:
      return with(all.add, b_, c_, a_, count_);
    case Op::triad:
      return with(all.triad, b_, c_, a_, q, count_);
    case Op::write:
      return with(all.write, a_, q, count_);
    case Op::dot:
      return reducing(all.dot, [this](const auto& function, const auto& launch) {
        function(stream_, launch, b_, c_, partial_->template as<double>(), count_);
      });
    case Op::read:
      return reducing(all.read, [this](const auto& function, const auto& launch) {
        function(stream_, launch, b_, partial_->template as<std::uint64_t>(), count_);
      });
    case Op::memcpy:
      launch_ = [this] { stream_.copy_on_device(a_, b_, count_ * std::int64_t{sizeof(T)}); };
  }
}

template <class T>
void CudaStreamCase<T>::run(std::int64_t repetitions) {
  for (std::int64_t i = 0; i < repetitions; ++i) launch_();
}

template <class T>
void CudaStreamCase<T>::upload(T* dst, int which, const stream::Data& data) {
  const auto most = static_cast<std::int64_t>(chunk_.size());
  for (std::int64_t begin = 0; begin < count_; begin += most) {
    const std::int64_t end = std::min(count_, begin + most);
    for (std::int64_t i = begin; i < end; ++i)
      chunk_[static_cast<std::size_t>(i - begin)] = data.template value<T>(which, i);
    stream_.copy_to_device(dst + begin, chunk_.data(), (end - begin) * std::int64_t{sizeof(T)});
    stream_.synchronize();
  }
}

template <class T>
void CudaStreamCase<T>::fill(const stream::Data& data) {
  if (b_ != nullptr) upload(const_cast<T*>(b_), 0, data);
  if (c_ != nullptr) upload(const_cast<T*>(c_), 1, data);
}

template <class T>
void CudaStreamCase<T>::poison() {
  if (a_ != nullptr) stream_.fill(a_, stream::poison_byte, count_ * std::int64_t{sizeof(T)} + guard_bytes);
  if (partial_) stream_.fill(partial_->as(), stream::poison_byte, partial_->bytes());
  stream_.synchronize();
}

// Always on random data, whatever is timed: zeroes would hide most mistakes.
template <class T>
record::Verification CudaStreamCase<T>::verify_by(const std::function<void()>& once) {
  once_ = once;
  fill(random_);
  record::Verification result = facts_.arrays_written > 0 ? verify_target()
                                : facts_.op == Op::dot    ? verify_dot()
                                                          : verify_read();
  fill(timed_);
  return result;
}

template <class T>
record::Verification CudaStreamCase<T>::verify_target() {
  poison();
  once_();
  stream::Check all;
  const auto most = static_cast<std::int64_t>(chunk_.size());
  for (std::int64_t begin = 0; begin < count_; begin += most) {
    const std::int64_t end = std::min(count_, begin + most);
    stream_.copy_to_host(chunk_.data(), a_ + begin, (end - begin) * std::int64_t{sizeof(T)});
    stream_.synchronize();
    all.add(stream::check_target(facts_.op, chunk_.data() - begin, random_, begin, end));
  }
  std::vector<unsigned char> guard(guard_bytes);
  stream_.copy_to_host(guard.data(), a_ + count_, guard_bytes);
  stream_.synchronize();
  record::Verification result;
  result.checked = all.checked;
  result.max_error = all.max_error;
  result.bound = stream::bound(facts_.op);
  result.status = record::Check::failed;
  if (all.wrong > 0)
    result.reason = fmt::format("{} of {} elements wrong, the first at {}", all.wrong, all.checked, all.first_wrong);
  else if (!stream::untouched(guard.data(), guard.size()))
    result.reason = "wrote behind the last element";
  else
    result.status = record::Check::passed;
  return result;
}

template <class T>
template <class P>
std::vector<P> CudaStreamCase<T>::partials() {
  poison();
  once_();
  std::vector<P> all(blocks_);
  stream_.copy_to_host(all.data(), partial_->as(), std::int64_t{blocks_} * 8);
  stream_.synchronize();
  return all;
}

template <class T>
record::Verification CudaStreamCase<T>::verify_read() {
  std::uint64_t found = 0;
  for (const std::uint64_t part : partials<std::uint64_t>()) found ^= part;
  record::Verification result;
  result.checked = count_;
  result.max_error = 0;
  result.bound = 0;
  const bool right = found == reference(random_).bits;
  result.status = right ? record::Check::passed : record::Check::failed;
  if (!right) result.reason = "the exclusive or of all elements is wrong";
  return result;
}

// Twice: whole numbers, where the sum must be exact, so that one element lost or counted double shows however long the
// arrays; then real data, within the error bound.
template <class T>
record::Verification CudaStreamCase<T>::verify_dot() {
  const auto sum_of = [&](const stream::Data& data) {
    fill(data);
    double sum = 0;
    for (const double part : partials<double>()) sum += part;
    return sum;
  };
  record::Verification result;
  result.checked = count_;
  result.status = record::Check::failed;
  const auto whole = static_cast<double>(reference(whole_).sum);
  if (const double sum = sum_of(whole_); sum != whole) {
    result.reason = fmt::format("the sum of whole numbers is {}, not {}", sum, whole);
    return result;
  }
  const auto want = reference(random_);
  result.bound = stream::dot_bound<T>(count_, static_cast<double>(want.magnitude));
  result.max_error = std::fabs(sum_of(random_) - static_cast<double>(want.sum));
  if (*result.max_error <= *result.bound)
    result.status = record::Check::passed;
  else
    result.reason = fmt::format("the sum is off by {}, more than {}", *result.max_error, *result.bound);
  return result;
}

template <class T>
std::vector<Besides> CudaStreamCase<T>::besides_work() const {
  if (facts_.arrays_written > 0) return {};
  std::vector<Besides> all{{"one partial result for each block", 0, std::int64_t{blocks_} * 8, 0}};
  if (facts_.op == Op::dot)
    all.push_back(
        {"joining chains, threads and warps", 0, 0, dot_joining(count_, sizeof(T), blocks_, stream::cuda_threads)});
  return all;
}

std::int64_t dot_joining(std::int64_t count, int element_bytes, unsigned blocks, unsigned threads) {
  const std::int64_t elements = 16 / element_bytes;
  const std::int64_t pieces = count / elements;
  const std::int64_t all = std::int64_t{blocks} * threads;
  std::int64_t chains = 0;  // summed over threads
  for (std::int64_t thread = 0; thread < std::min(all, pieces); ++thread) {
    const std::int64_t own = (pieces - thread + all - 1) / all;
    chains += (own + stream::dot_chain - 1) / stream::dot_chain;
  }
  // Five steps join a warp's 32 lanes, each of them adding in every step; then five more in the first warp of each
  // block.
  return chains * elements + 5 * all + std::int64_t{blocks} * 5 * 32;
}

template class CudaStreamCase<float>;
template class CudaStreamCase<double>;

}  // namespace ridge::bench::bandwidth
