// A product by somebody's library: what every one of them is to a benchmark.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "kernels/device/driver_probe.hpp"
#include "kernels/gemm/matrix.hpp"

namespace ridge::gemm {

// C = A·B + beta·C for each of `batch` triples of matrices that lie one behind the other, with that many threads. With
// a beta of 0 what C held does not matter, whatever it is.
struct Problem {
  Type a = Type::f32, b = Type::f32, c = Type::f32;
  std::int64_t m = 0, n = 0, k = 0, batch = 1;
  bool a_transposed = false, b_transposed = false;
  int threads = 1;
  double beta = 0;
};

// What an error of a library is about: "m 8, n 8, k 8", "layout nt, batch 1, beta 0.5", and on a CPU both and more,
// "m 8, n 8, k 8, f32·f32 → f32, layout nt, batch 1, beta 0.5, 2 threads".
std::string extents_of(const Problem& problem);
std::string arrangement_of(const Problem& problem);
std::string described(const Problem& problem);

struct Pointers {
  void* c = nullptr;
  void* a = nullptr;
  void* b = nullptr;
};

// Made for one problem and one set of matrices. Calls work on the library's own threads.
class Library {
 public:
  virtual ~Library() = default;
  // Once, whole batch; returns when it is done. device::Error names the call, its status and the problem.
  virtual void multiply() = 0;
  // To be called when the matrices hold something else: packs what is packed ahead of the product.
  virtual void take_inputs() {}
  // Seconds that the last packing ahead took; nothing where the library packs inside the product.
  [[nodiscard]] virtual std::optional<double> packing_seconds() const { return std::nullopt; }
  // "library" with its version, "kernel" as the library names what it chose, "factors": "alpha 1, beta 0.5", …
  [[nodiscard]] virtual std::map<std::string, std::string> implementation() const = 0;
  // How long its threads look for work after a call before they sleep.
  [[nodiscard]] virtual double restless_seconds() const = 0;

 protected:
  Library() = default;
  Library(const Library&) = default;
  Library& operator=(const Library&) = default;
};

// Where B lies for the product: wherever the library likes it best; where it was given, as operands that each call has
// anew do; or transposed to that, which is how a test reaches packing on a processor whose kernels want none.
enum class Packing { as_liked, as_given, transposed };

// What becomes of a product: C = activation(A·B + bias) + residual, of C's type; gelu is the tanh form.
enum class Activation { none, relu, gelu };
struct Epilogue {
  void* bias = nullptr;  // (n); null: none
  Activation activation = Activation::none;
  void* residual = nullptr;  // (m, n); null: none
};
// Inside of the product, where the library offers that, or each step a pass over C behind it, in place.
enum class Steps { inside, behind };

// out = softmax(q·kᵀ / √head)·v of each head; scores (heads, sequence, sequence), the others (heads, sequence, head).
struct AttentionShape {
  std::int64_t heads = 0, sequence = 0, head = 0;
};
// Causal, in panels of so many queries, each up to its last one's key; scores are then (heads, rows, stride), the first
// `sequence` rows and columns of a head being its scores.
struct CausalPanels {
  std::int64_t queries = 0, rows = 0, stride = 0;
};
struct AttentionPointers {
  void *out = nullptr, *q = nullptr, *k = nullptr, *v = nullptr, *scores = nullptr;
};

// device::Absent where the library is not installed, or has no such product on this processor, with the rule.
std::unique_ptr<Library> open_onednn(const Problem& problem, const Pointers& pointers,
                                     Packing packing = Packing::as_liked,
                                     const device::LibraryOpener& opener = device::system_opener());
std::unique_ptr<Library> open_onednn_epilogue(const Problem& problem, const Pointers& pointers,
                                              const Epilogue& epilogue, Steps steps,
                                              Packing packing = Packing::as_liked,
                                              const device::LibraryOpener& opener = device::system_opener());
// Two products and between them a softmax in place, all by the library's threads.
std::unique_ptr<Library> open_onednn_attention(const AttentionShape& shape, const AttentionPointers& pointers,
                                               int threads,
                                               const device::LibraryOpener& opener = device::system_opener());
// Those two products by themselves, for a softmax of somebody else's between them.
struct AttentionProducts {
  std::unique_ptr<Library> scores, values;
};
AttentionProducts open_onednn_causal_products(const AttentionShape& shape, const CausalPanels& panels,
                                              const AttentionPointers& pointers, int threads,
                                              const device::LibraryOpener& opener = device::system_opener());
std::unique_ptr<Library> open_openblas(const Problem& problem, const Pointers& pointers,
                                       const device::LibraryOpener& opener = device::system_opener());

// "OPENBLAS_CORETYPE=Haswell, …": those of `names` that are set in the environment; empty where none is.
using Environment = std::function<const char*(const char*)>;
std::string set_among(std::initializer_list<const char*> names, const Environment& environment);
Environment process_environment();

}  // namespace ridge::gemm
