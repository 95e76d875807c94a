// OpenBLAS: f64 and f32, by the CBLAS interface that every version has.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "kernels/gemm_library/opened.hpp"

namespace ridge::gemm {
namespace {

constexpr int row_major = 101, as_it_is = 111, transposed = 112;  // the values of CBLAS's enumerations

template <class T>
using Gemm = void (*)(int order, int of_a, int of_b, int m, int n, int k, T alpha, const T* a, int lda, const T* b,
                      int ldb, T beta, T* c, int ldc);

struct Table {
  Gemm<float> sgemm = nullptr;
  Gemm<double> dgemm = nullptr;
  char* (*config)() = nullptr;
  char* (*core_name)() = nullptr;
  void (*set_threads)(int) = nullptr;

  explicit Table(const Opened& library) {
    library.take(sgemm, "cblas_sgemm");
    library.take(dgemm, "cblas_dgemm");
    library.take(set_threads, "openblas_set_num_threads");
    library.take(config, "openblas_get_config");
    library.take(core_name, "openblas_get_corename");
  }
};

class OpenBlas final : public Library {
 public:
  OpenBlas(const Problem& problem, const Pointers& pointers, const device::LibraryOpener& opener)
      : problem_(problem),
        pointers_(pointers),
        table_(Opened(opener, "libopenblas.so.0", "libopenblas0-pthread")),
        held_back_(set_among({"OPENBLAS_CORETYPE", "OPENBLAS_VERBOSE", "OMP_THREAD_LIMIT"}, process_environment())) {}

  void multiply() override {
    table_.set_threads(problem_.threads);
    if (problem_.c == Type::f64)
      batch(table_.dgemm);
    else
      batch(table_.sgemm);
  }

  [[nodiscard]] std::map<std::string, std::string> implementation() const override {
    const std::string config = table_.config();  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH … MAX_THREADS=64"
    const std::size_t after_version = config.find(' ', config.find(' ') + 1);
    std::map<std::string, std::string> all{{"library", config.substr(0, after_version)},
                                           {"kernel", table_.core_name()},
                                           {"factors", fmt::format("alpha 1, beta {}", problem_.beta)},
                                           {"packing", "inside"}};
    if (!held_back_.empty()) all["environment"] = held_back_;
    return all;
  }

  // THREAD_TIMEOUT is 2^26 cycles, in which idle threads yield but do not sleep.
  [[nodiscard]] double restless_seconds() const override { return problem_.threads > 1 ? 0.03 : 0; }

 private:
  template <class T>
  void batch(Gemm<T> gemm) const {
    const auto m = static_cast<int>(problem_.m), n = static_cast<int>(problem_.n), k = static_cast<int>(problem_.k);
    for (std::int64_t each = 0; each < problem_.batch; ++each)
      gemm(row_major, problem_.a_transposed ? transposed : as_it_is, problem_.b_transposed ? transposed : as_it_is, m,
           n, k, T{1}, static_cast<const T*>(pointers_.a) + each * problem_.m * problem_.k,
           problem_.a_transposed ? m : k, static_cast<const T*>(pointers_.b) + each * problem_.k * problem_.n,
           problem_.b_transposed ? k : n, static_cast<T>(problem_.beta),
           static_cast<T*>(pointers_.c) + each * problem_.m * problem_.n, n);
  }

  Problem problem_;
  Pointers pointers_;
  Table table_;
  std::string held_back_;
};

}  // namespace

std::unique_ptr<Library> open_openblas(const Problem& problem, const Pointers& pointers,
                                       const device::LibraryOpener& opener) {
  if (problem.c != problem.a || (problem.c != Type::f32 && problem.c != Type::f64))
    throw device::Absent("OpenBLAS multiplies f32 and f64 only");
  if (std::max({problem.m, problem.n, problem.k}) > std::numeric_limits<int>::max())
    throw device::Absent("OpenBLAS takes extents of up to 2^31 - 1: " + described(problem));
  return std::make_unique<OpenBlas>(problem, pointers, opener);
}

}  // namespace ridge::gemm
