// For tests: a GPU that says it is of some compute capability, and wgmma and tcgen05 played on the host, through their
// descriptors, as the PTX manual describes them; on demand wrong in one place.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "kernels/device/cuda/device.hpp"
#include "kernels/formats/formats.hpp"
#include "kernels/ptx/driver/reference.hpp"
#include "kernels/roofline/tile_kernels.hpp"

namespace ridge::bench::roofline::testing {

namespace rr = ridge::roofline;

enum class Mistake {
  none,
  offsets_of_a,  // leading and stride exchanged
  offsets_of_b,
  swizzled,           // reads another layout
  first_slab_twice,   // the address not moved on
  first_group_twice,  // every warpgroup takes the first rows
  last_product,       // left out
  last_slab,          // left out
  remainder,          // steps beyond a multiple of four left out
  half_of_steps,      // of many
  columns_exchanged,  // in the results
  last_row,           // not written
  one_too_many,       // writes behind the results
  same_start,         // all blocks start alike
  unsigned_bytes,
  other_type,  // 8- and 16-bit numbers read as the other kind
};

// A multiplication as one instruction of the kernel does it, by the manual.
class Played {
 public:
  Played(const rr::TileInstruction& instruction, Mistake mistake) : instruction_(instruction), mistake_(mistake) {}

  // What a block adds to its start in one step: (tile_m, tile_n).
  std::vector<double> product(const std::vector<unsigned char>& a, const std::vector<unsigned char>& b) {
    shared_.assign(end, 0);
    place(left, a, rr::tile_m);
    place(right, b, rr::tile_n);
    std::vector<double> sums(std::size_t{rr::tile_m} * rr::tile_n);
    const int slabs = rr::tile_slabs - (mistake_ == Mistake::last_slab ? 1 : 0);
    for (int first = 0; first < rr::tile_m; first += instruction_.m)
      for (int s = 0; s < slabs; ++s) {
        const int slab = mistake_ == Mistake::first_slab_twice ? 0 : s;
        const int row = mistake_ == Mistake::first_group_twice ? 0 : first;
        const auto x = operand(left + at(row, 2 * slab, rr::tile_m), rr::tile_m, instruction_.m,
                               mistake_ == Mistake::offsets_of_a);
        const auto y =
            operand(right + at(0, 2 * slab, rr::tile_n), rr::tile_n, rr::tile_n, mistake_ == Mistake::offsets_of_b);
        multiply(x, y, sums.data() + std::ptrdiff_t{first} * rr::tile_n);
      }
    if (mistake_ == Mistake::columns_exchanged)
      for (int m = 0; m < rr::tile_m; ++m) std::swap(sums[m * rr::tile_n + 8], sums[m * rr::tile_n + 9]);
    return sums;
  }

 private:
  static std::uint32_t at(int row, int chunk, int rows) {
    return static_cast<std::uint32_t>(rr::piece_at(row, chunk, rows) * rr::piece_bytes);
  }
  void place(std::uint32_t begin, const std::vector<unsigned char>& from, int rows) {
    for (int row = 0; row < rows; ++row)
      for (int chunk = 0; chunk < rr::tile_chunks; ++chunk)
        std::memcpy(shared_.data() + begin + at(row, chunk, rows),
                    from.data() + row * rr::tile_row_bytes + chunk * rr::piece_bytes, rr::piece_bytes);
  }
  // (rows, k) as the descriptor tells where it is.
  std::vector<double> operand(std::uint32_t address, int of_tile, int rows, bool exchanged) {
    const std::uint64_t descriptor = instruction_.name == "wgmma" ? rr::wgmma_descriptor(address, of_tile)
                                                                  : rr::tcgen05_descriptor(address, of_tile);
    const auto field = [&](int low) { return static_cast<std::uint32_t>(descriptor >> low & 0x3fff) << 4; };
    const std::uint32_t leading = field(exchanged ? 32 : 16), stride = field(exchanged ? 16 : 32);
    const int bytes = rr::slab_bytes / instruction_.k;
    std::vector<double> values;
    for (int row = 0; row < rows; ++row)
      for (int k = 0; k < rr::slab_bytes; k += bytes) {
        std::uint32_t from = field(0) + static_cast<std::uint32_t>(k / 16) * leading +
                             static_cast<std::uint32_t>(row / 8) * stride +
                             static_cast<std::uint32_t>(row % 8 * 16 + k % 16);
        if (mistake_ == Mistake::swizzled) from ^= (from >> 7 & 7) << 4;
        std::uint32_t code = 0;
        from = left + (from - left) % (end - left);  // what lies behind the operands is they again
        std::memcpy(&code, shared_.data() + from, static_cast<std::size_t>(bytes));
        values.push_back(value(code));
      }
    return values;
  }
  [[nodiscard]] double value(std::uint32_t code) const {
    const bool other = mistake_ == Mistake::other_type;
    const std::string_view dtype = instruction_.dtype;
    if (dtype == "int8")
      return mistake_ == Mistake::unsigned_bytes ? static_cast<int>(code) : static_cast<std::int8_t>(code);
    if (dtype == "e4m3") return formats::decode(code, other ? formats::e5m2 : formats::e4m3);
    if (dtype == "tf32") return formats::decode(code >> 13, formats::tf32);
    return formats::decode(code, (dtype == "f16") != other ? formats::f16 : formats::bf16);
  }
  void multiply(const std::vector<double>& x, const std::vector<double>& y, double* sums) const {
    const int k = instruction_.k, used = k - (mistake_ == Mistake::last_product ? 1 : 0);
    for (const double* m = x.data(); m != x.data() + x.size(); m += k)
      for (const double* n = y.data(); n != y.data() + y.size(); n += k) {
        double sum = 0;
        for (int i = 0; i < used; ++i) sum += m[i] * n[i];
        *sums++ += sum;
      }
  }

  // Where the operands lie in shared memory.
  static constexpr std::uint32_t left = 0x400;
  static constexpr std::uint32_t right = left + rr::tile_m * rr::tile_row_bytes;
  static constexpr std::uint32_t end = right + rr::tile_n * rr::tile_row_bytes;

  const rr::TileInstruction& instruction_;
  Mistake mistake_;
  std::vector<unsigned char> shared_;
};

// A fatbin with an empty kernel for the reference machine, and something that says it is machine code.
inline std::vector<unsigned char> fatbin(const rr::TileInstruction& instruction, int of_architecture) {
  std::string ptx = std::string(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry ") +
                    instruction.kernel.name +
                    "(.param .u64 a, .param .u64 b, .param .u64 o, .param .u32 s)\n{\nret;\n}\n";
  ptx.resize((ptx.size() + 8) / 8 * 8, '\0');
  std::vector<unsigned char> all(16);
  const auto entry = [&](std::uint16_t kind, int architecture, const std::string& payload) {
    unsigned char header[64] = {};
    const std::uint32_t header_bytes = sizeof header;
    const std::uint64_t bytes = payload.size();
    std::memcpy(header, &kind, sizeof kind);
    std::memcpy(header + 4, &header_bytes, sizeof header_bytes);
    std::memcpy(header + 8, &bytes, sizeof bytes);
    std::memcpy(header + 28, &architecture, sizeof architecture);
    all.insert(all.end(), header, header + sizeof header);
    all.insert(all.end(), payload.begin(), payload.end());
  };
  entry(1, 80, ptx);
  entry(2, of_architecture, "machine code");
  const std::uint32_t magic = 0xba55ed50;
  const std::uint16_t header_bytes = 16;
  const std::uint64_t bytes = all.size() - 16;
  std::memcpy(all.data(), &magic, sizeof magic);
  std::memcpy(all.data() + 6, &header_bytes, sizeof header_bytes);
  std::memcpy(all.data() + 8, &bytes, sizeof bytes);
  return all;
}

// A GPU that says it is of that capability. Not `modelled`: it says that it is no reference GPU, and plays.
class Gpu {
 public:
  Gpu(int capability, bool modelled, int multiprocessors = 1) {
    ptx::ReferenceSettings settings;
    settings.memory_bytes = 64 << 20;
    settings.multiprocessors = multiprocessors;
    reference_ = std::make_unique<ptx::Reference>(settings);
    table_ = std::make_shared<device::cuda::Driver>(*reference_->driver());
    table_->modelled = modelled;
    table_->cuDeviceGetAttribute = [capability, real = table_->cuDeviceGetAttribute](
                                       int* value, CUdevice_attribute which, CUdevice device) {
      if (which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) return *value = capability / 10, CUDA_SUCCESS;
      if (which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR) return *value = capability % 10, CUDA_SUCCESS;
      return real(value, which, device);
    };
    table_->cuInit(0);
    devices_ = std::make_unique<device::cuda::Devices>(table_, device::Kind::ptx,
                                                       [](const char*) -> const char* { return nullptr; });
  }
  device::cuda::Device& device() { return devices_->open(0); }

  void play(const rr::TileInstruction& instruction, Mistake mistake) {
    table_->cuLaunchKernel = [this, &instruction, mistake](CUfunction, unsigned blocks, unsigned, unsigned, unsigned,
                                                           unsigned, unsigned, unsigned, CUstream stream, void** given,
                                                           void**) {
      table_->cuStreamSynchronize(stream);
      CUdeviceptr a = 0, b = 0, out = 0;
      std::int32_t steps = 0;
      std::memcpy(&a, given[0], sizeof a);
      std::memcpy(&b, given[1], sizeof b);
      std::memcpy(&out, given[2], sizeof out);
      std::memcpy(&steps, given[3], sizeof steps);
      last_steps = steps;
      std::vector<unsigned char> left(rr::tile_m * rr::tile_row_bytes), right(rr::tile_n * rr::tile_row_bytes);
      table_->cuMemcpyDtoH(left.data(), a, left.size());
      table_->cuMemcpyDtoH(right.data(), b, right.size());
      const auto products = Played(instruction, mistake).product(left, right);
      if (mistake == Mistake::remainder) steps = steps / 4 * 4;
      if (mistake == Mistake::half_of_steps && steps > 100) steps /= 2;
      const std::size_t written = products.size() - (mistake == Mistake::last_row ? rr::tile_n : 0);
      for (unsigned block = 0; block < blocks; ++block) {
        const unsigned start = mistake == Mistake::same_start ? 0 : block % rr::tile_starts;
        std::vector<std::uint32_t> sums;
        for (std::size_t i = 0; i < written; ++i) {
          const double sum = start + steps * products[i];
          const auto number = static_cast<float>(sum);
          sums.push_back(static_cast<std::uint32_t>(static_cast<std::int64_t>(sum)));
          if (instruction.dtype != "int8") std::memcpy(&sums.back(), &number, sizeof number);
        }
        if (mistake == Mistake::one_too_many && block + 1 == blocks) sums.push_back(0);
        table_->cuMemcpyHtoD(out + block * products.size() * 4, sums.data(), sums.size() * 4);
      }
      return CUDA_SUCCESS;
    };
  }

  int last_steps = 0;

 private:
  std::unique_ptr<ptx::Reference> reference_;
  std::shared_ptr<device::cuda::Driver> table_;
  std::unique_ptr<device::cuda::Devices> devices_;
};

}  // namespace ridge::bench::roofline::testing
