// Allocation, freeing and lookup. Each allocation has host storage of its own, so the host's tools see overruns too.
#include "kernels/ptx/memory/memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace ridge::ptx {
namespace {

constexpr std::uint64_t alignment = 256;
constexpr std::uint64_t first_address = std::uint64_t{1} << 48;  // beyond every host address
constexpr std::uint64_t device_stride = std::uint64_t{1} << 44;
constexpr std::size_t remembered_frees = 4096;
constexpr std::uint64_t poisoned_bytes = std::uint64_t{64} << 20;

struct Free {
  void operator()(std::uint8_t* p) const { std::free(p); }
};
using Bytes = std::unique_ptr<std::uint8_t, Free>;

Bytes storage(std::uint64_t bytes) {
  const std::uint64_t size = (std::max<std::uint64_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  Bytes out(static_cast<std::uint8_t*>(std::aligned_alloc(alignment, size)));
  if (!out) throw std::bad_alloc();
  // Bytes nobody wrote are NaNs in every floating type; above the limit that would cost too much time.
  if (bytes <= poisoned_bytes) std::memset(out.get(), 0xff, size);
  return out;
}

std::string hexadecimal(std::uint64_t value) {
  std::string out;
  do out.insert(out.begin(), "0123456789abcdef"[value & 15]);
  while (value >>= 4);
  return "0x" + out;
}

std::string described(const Allocation& a) {
  return "'" + a.name + "' (" + std::to_string(a.bytes) + " bytes at " + hexadecimal(a.address) + ")";
}

}  // namespace

struct Memory::Block : Allocation {
  Bytes storage_bytes, written_bytes;
  bool host = false, all_written = false;
};

OutOfMemory::OutOfMemory(std::uint64_t needed_bytes, std::uint64_t available_bytes)
    : std::runtime_error("out of device memory: " + std::to_string(needed_bytes) + " bytes needed, " +
                         std::to_string(available_bytes) + " available"),
      needed(needed_bytes),
      available(available_bytes) {}

Memory::Memory(std::uint64_t capacity, unsigned device_index)
    : capacity_(capacity), next_(first_address + device_stride * device_index), device_index_(device_index) {}

Memory::~Memory() = default;

std::uint64_t Memory::allocate(std::uint64_t bytes, std::string name, bool read_only) {
  const std::unique_lock lock(mutex_);
  if (bytes > capacity_ - used_) throw OutOfMemory(bytes, capacity_ - used_);
  auto block = std::make_unique<Block>();
  block->serial = ++serial_;
  block->name = name.empty() ? "allocation " + std::to_string(serial_) : std::move(name);
  block->bytes = bytes;
  block->address = next_;
  block->read_only = read_only;
  block->storage_bytes = storage(bytes);
  block->written_bytes = Bytes(static_cast<std::uint8_t*>(std::calloc(std::max<std::uint64_t>(bytes, 1), 1)));
  if (!block->written_bytes) throw std::bad_alloc();
  block->data = block->storage_bytes.get();
  block->written = block->written_bytes.get();
  next_ += (bytes + 2 * alignment) / alignment * alignment;
  used_ += bytes;
  ++generation_;
  const std::uint64_t address = block->address;
  live_.emplace(address, std::move(block));
  return address;
}

void Memory::free(std::uint64_t address) {
  const std::unique_lock lock(mutex_);
  auto it = live_.find(address);
  if (it == live_.end() || it->second->host) {
    throw MemoryError(freed_.count(address) ? "freed twice: " + described(freed_.at(address))
                                            : "free of " + hexadecimal(address) + ", which was never allocated");
  }
  used_ -= it->second->bytes;
  Allocation tombstone = *it->second;
  tombstone.data = tombstone.written = nullptr;
  freed_.emplace(address, std::move(tombstone));
  if (freed_.size() > remembered_frees) freed_.erase(freed_.begin());
  live_.erase(it);
  ++generation_;
}

void Memory::map_host(void* data, std::uint64_t bytes, std::string name) {
  const std::unique_lock lock(mutex_);
  auto block = std::make_unique<Block>();
  block->address = reinterpret_cast<std::uintptr_t>(data);
  block->bytes = bytes;
  block->name = std::move(name);
  block->data = static_cast<std::uint8_t*>(data);
  block->host = true;
  block->serial = ++serial_;
  ++generation_;
  live_[block->address] = std::move(block);
}

void Memory::unmap_host(void* data) {
  const std::unique_lock lock(mutex_);
  auto it = live_.find(reinterpret_cast<std::uintptr_t>(data));
  if (it == live_.end() || !it->second->host) throw MemoryError("host memory that was never mapped");
  live_.erase(it);
  ++generation_;
}

void Memory::enable_peer(const Memory& peer) {
  const std::unique_lock lock(mutex_);
  if (std::find(peers_.begin(), peers_.end(), &peer) == peers_.end()) peers_.push_back(&peer);
  ++generation_;
}

void Memory::disable_peer(const Memory& peer) {
  const std::unique_lock lock(mutex_);
  peers_.erase(std::remove(peers_.begin(), peers_.end(), &peer), peers_.end());
  ++generation_;
}

void Memory::mark_written(std::uint64_t address) {
  const std::unique_lock lock(mutex_);
  const auto it = live_.find(address);
  if (it == live_.end() || !it->second->written || it->second->all_written) return;
  std::memset(it->second->written, 1, it->second->bytes);
  it->second->all_written = true;
}

const Memory::Block* Memory::locate(std::uint64_t address, std::uint64_t bytes) const {
  auto it = live_.upper_bound(address);
  if (it == live_.begin()) return nullptr;
  const Block& block = *std::prev(it)->second;
  const std::uint64_t offset = address - block.address;
  return offset <= block.bytes && bytes <= block.bytes - offset ? &block : nullptr;
}

std::optional<Allocation> Memory::find(std::uint64_t address, std::uint64_t bytes) const {
  std::vector<const Memory*> peers;
  {
    const std::shared_lock lock(mutex_);
    if (const Block* block = locate(address, bytes)) return static_cast<const Allocation&>(*block);
    peers = peers_;
  }
  for (const Memory* peer : peers) {
    const std::shared_lock lock(peer->mutex_);
    const Block* block = peer->locate(address, bytes);
    if (block && !block->host) return static_cast<const Allocation&>(*block);
  }
  return std::nullopt;
}

Nearest Memory::nearest(std::uint64_t address) const {
  const std::shared_lock lock(mutex_);
  auto dead = freed_.upper_bound(address);
  if (dead != freed_.begin()) {
    const Allocation& a = std::prev(dead)->second;
    if (address - a.address < std::max<std::uint64_t>(a.bytes, 1)) return {"in freed " + described(a), a.name, true};
  }
  constexpr std::uint64_t far = std::uint64_t{1} << 30;
  auto above = live_.upper_bound(address);
  if (above != live_.begin()) {
    const Allocation& a = *std::prev(above)->second;
    const std::uint64_t offset = address - a.address;
    if (offset < a.bytes) return {"crossing the end of " + described(a), a.name, false};
    if (offset - a.bytes < far) {
      return {std::to_string(offset - a.bytes) + " bytes past the end of " + described(a), a.name, false};
    }
  }
  if (above != live_.end() && above->first - address < far) {
    const Allocation& a = *above->second;
    return {std::to_string(a.address - address) + " bytes before " + described(a), a.name, false};
  }
  return {address < 4096 ? "a null pointer" : "far from every allocation", "", false};
}

std::uint64_t Memory::used() const {
  const std::shared_lock lock(mutex_);
  return used_;
}

std::vector<Allocation> Memory::allocations() const {
  const std::shared_lock lock(mutex_);
  std::vector<Allocation> out;
  for (const auto& [address, block] : live_) out.push_back(*block);
  return out;
}

std::uint64_t Memory::generation() const {
  const std::shared_lock lock(mutex_);
  std::uint64_t sum = generation_;
  for (const Memory* peer : peers_) sum += peer->generation_;
  return sum;
}

Memory::Block& Memory::own(std::uint64_t address, std::uint64_t bytes, const char* what) {
  const Block* block = locate(address, bytes);
  if (!block) {
    throw MemoryError(std::string(what) + " of " + std::to_string(bytes) + " bytes at " + hexadecimal(address) +
                      " leaves every allocation");
  }
  return const_cast<Block&>(*block);
}

void Memory::write(std::uint64_t dst, const void* src, std::uint64_t bytes) {
  if (bytes == 0) return;
  const std::shared_lock lock(mutex_);
  Block& b = own(dst, bytes, "write");
  std::memcpy(b.data + (dst - b.address), src, bytes);
  if (b.written) std::memset(b.written + (dst - b.address), 1, bytes);
}

void Memory::read(void* dst, std::uint64_t src, std::uint64_t bytes) const {
  if (bytes == 0) return;
  const std::shared_lock lock(mutex_);
  const Block& b = const_cast<Memory*>(this)->own(src, bytes, "read");
  std::memcpy(dst, b.data + (src - b.address), bytes);
}

void Memory::copy(std::uint64_t dst, std::uint64_t src, std::uint64_t bytes) {
  copy_from(dst, *this, src, bytes);
}

void Memory::copy_from(std::uint64_t dst, const Memory& other, std::uint64_t src, std::uint64_t bytes) {
  if (bytes == 0) return;
  const std::shared_lock lock(mutex_);
  std::shared_lock<std::shared_mutex> other_lock;
  if (&other != this) other_lock = std::shared_lock(other.mutex_);
  const Block& from = const_cast<Memory&>(other).own(src, bytes, "copy");
  Block& to = own(dst, bytes, "copy");
  std::memmove(to.data + (dst - to.address), from.data + (src - from.address), bytes);
  if (!to.written) return;
  if (from.written) {
    std::memmove(to.written + (dst - to.address), from.written + (src - from.address), bytes);
  } else {
    std::memset(to.written + (dst - to.address), 1, bytes);
  }
}

void Memory::fill(std::uint64_t dst, std::uint32_t value, unsigned element_bytes, std::uint64_t count) {
  if (count == 0) return;
  if (element_bytes != 1 && element_bytes != 2 && element_bytes != 4) throw MemoryError("fill element size");
  if (count > capacity_) throw MemoryError("fill leaves every allocation");
  const std::shared_lock lock(mutex_);
  Block& b = own(dst, count * element_bytes, "fill");
  std::uint8_t* to = b.data + (dst - b.address);
  for (std::uint64_t i = 0; i < count; ++i) std::memcpy(to + i * element_bytes, &value, element_bytes);
  if (b.written) std::memset(b.written + (dst - b.address), 1, count * element_bytes);
}

}  // namespace ridge::ptx
