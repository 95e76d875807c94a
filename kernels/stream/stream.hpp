// The STREAM family: what each kernel computes, on which arrays, and how many bytes that moves.
//
//   copy    a[i] = b[i]                reads b      writes a      0 operations
//   scale   a[i] = q · b[i]            reads b      writes a      1
//   add     a[i] = b[i] + c[i]         reads b, c   writes a      1
//   triad   a[i] = b[i] + q · c[i]     reads b, c   writes a      2
//   dot     Σ b[i] · c[i]              reads b, c                 2
//   read    ⊕ bits(b[i])               reads b                    0 (exclusive or: exact in any order)
//   write   a[i] = q                                writes a      0
//   memcpy  a[i] = b[i], by the C library
//
// The first four are J. McCalpin's STREAM (1995), dot is BabelStream's. All arrays are (n) of one type, do not overlap,
// and need only the alignment of their type.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ridge::stream {

enum class Op { copy, scale, add, triad, dot, read, write, memcpy };

// How results leave the core. Ordinary stores read each line of the target into the cache first (write-allocate), which
// is traffic that the counting leaves out; non-temporal stores go past the caches.
enum class Stores { ordinary, nontemporal };
std::string_view to_string(Stores stores);
std::optional<Stores> stores_from(std::string_view text);

struct Facts {
  Op op;
  std::string_view name;
  std::string_view formula;
  int arrays_read;
  int arrays_written;
  int operations;       // floating-point, per element
  bool chooses_stores;  // has both versions of Stores
};
std::span<const Facts> all_facts();
const Facts& facts(Op op);

template <class T>
struct Operands {
  T* a = nullptr;        // (n), the target
  const T* b = nullptr;  // (n)
  const T* c = nullptr;  // (n)
  T q = 0;
};

// What dot and read find; the others leave it as it is.
struct Reduction {
  double sum = 0;
  std::uint64_t bits = 0;  // 32-bit patterns are zero-extended
};

// Works on the elements [begin, end). Non-temporal stores are complete (fenced) when it returns.
template <class T>
using Kernel = Reduction (*)(const Operands<T>&, std::int64_t begin, std::int64_t end);

// The fastest version for the processor this runs on, chosen now: the caller keeps the pointer. T is float or double.
// `stores` is ignored by kernels that do not choose.
template <class T>
Kernel<T> cpu_kernel(Op op, Stores stores);

}  // namespace ridge::stream
