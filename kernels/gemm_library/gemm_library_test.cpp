// Products by each library in every layout against exact whole numbers, packing ahead, and what is said where a library
// or a product is absent.
#include "kernels/gemm_library/library.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <vector>

#include "kernels/device/device.hpp"
#include "kernels/gemm/check.hpp"
#include "tests/support/skip.hpp"

using namespace ridge;
using gemm::Packing;
using gemm::Problem;
using gemm::Type;

namespace {

// Whole numbers in all matrices of a batch, C poisoned.
struct Matrices {
  Problem problem;
  std::vector<char> a, b, c;
  explicit Matrices(const Problem& p)
      : problem(p),
        a(static_cast<std::size_t>(p.batch * p.m * p.k * gemm::bytes_of(p.a))),
        b(static_cast<std::size_t>(p.batch * p.k * p.n * gemm::bytes_of(p.b))),
        c(static_cast<std::size_t>(p.batch * p.m * p.n * gemm::bytes_of(p.c)), '\x7F') {
    for (std::int64_t i = 0; i < p.batch * p.m * p.k; ++i) {
      const double value = gemm::entry<double>(3, 0, i);
      gemm::store({a.data(), p.a, 1, 1, false}, i, p.a == Type::u8 ? std::abs(value) : value);
    }
    for (std::int64_t i = 0; i < p.batch * p.k * p.n; ++i)
      gemm::store({b.data(), p.b, 1, 1, false}, i, gemm::entry<double>(3, 1, i));
  }
  [[nodiscard]] gemm::Pointers pointers() { return {c.data(), a.data(), b.data()}; }
  [[nodiscard]] std::int64_t wrong() {
    std::int64_t rows = 0;
    const Problem& p = problem;
    for (std::int64_t each = 0; each < p.batch; ++each)
      rows += gemm::wrong_rows({{a.data() + each * p.m * p.k * gemm::bytes_of(p.a), p.a, p.m, p.k, p.a_transposed},
                                {b.data() + each * p.k * p.n * gemm::bytes_of(p.b), p.b, p.k, p.n, p.b_transposed},
                                {c.data() + each * p.m * p.n * gemm::bytes_of(p.c), p.c, p.m, p.n, false}},
                               1, 0, p.m);
    return rows;
  }
};

Problem problem_of(Type a, Type b, Type c, int layout, std::int64_t batch) {
  return {a, b, c, 35, 50, 70, batch, (layout & 1) != 0, (layout & 2) != 0, 2};
}

device::LibraryOpener empty_machine(std::string error) {
  return {[error](const char*) {
            return device::LibraryOpener::Opened{nullptr, error};
          },
          [](void*, const char*) -> void* { return nullptr; }, [](void*) {}};
}

std::string reason(const std::function<void()>& open) {
  try {
    open();
  } catch (const device::Absent& absent) {
    return absent.what();
  }
  return "";
}

}  // namespace

TEST_CASE("OpenBLAS multiplies in every layout and in batches") {
  for (const Type type : {Type::f64, Type::f32})
    for (int layout = 0; layout < 4; ++layout)
      for (const std::int64_t batch : {1, 3}) {
        CAPTURE(static_cast<int>(type), layout, batch);
        Matrices matrices(problem_of(type, type, type, layout, batch));
        std::unique_ptr<gemm::Library> library;
        const auto absent = reason([&] { library = gemm::open_openblas(matrices.problem, matrices.pointers()); });
        if (!library) return test::skip("needs OpenBLAS: " + absent);
        library->multiply();
        CHECK(matrices.wrong() == 0);
        const auto made_by = library->implementation();
        CHECK(made_by.at("library").starts_with("OpenBLAS "));
        CHECK_FALSE(made_by.at("kernel").empty());
      }
}

TEST_CASE("oneDNN multiplies floats and bytes in every layout, in batches, with B packed ahead") {
  for (const auto& [a, b, c] : {std::tuple{Type::f32, Type::f32, Type::f32}, std::tuple{Type::u8, Type::s8, Type::s32}})
    for (int layout = 0; layout < 4; ++layout)
      for (const std::int64_t batch : {1, 3})
        for (const Packing packing : {Packing::as_liked, Packing::transposed}) {
          CAPTURE(static_cast<int>(a), layout, batch, static_cast<int>(packing));
          Matrices matrices(problem_of(a, b, c, layout, batch));
          std::unique_ptr<gemm::Library> library;
          const auto absent =
              reason([&] { library = gemm::open_onednn(matrices.problem, matrices.pointers(), packing); });
          if (!library) return test::skip("needs oneDNN: " + absent);
          library->multiply();
          CHECK(matrices.wrong() == 0);
          const auto made_by = library->implementation();
          CHECK(made_by.at("library").starts_with("oneDNN 2."));
          if (packing == Packing::transposed) {
            CHECK(library->packing_seconds());
            CHECK(made_by.at("packing") == "of B ahead");
            std::memset(matrices.b.data(), 0, matrices.b.size());  // packed: the product does not see it …
            library->multiply();
            CHECK(matrices.wrong() > 0);
            library->take_inputs();  // … until it is told
            library->multiply();
            CHECK(matrices.wrong() == 0);
          }
        }
}

TEST_CASE("a product that the library or the processor lacks is absent, with the rule") {
  Matrices doubles(problem_of(Type::f64, Type::f64, Type::f64, 0, 1));
  CHECK(reason([&] { gemm::open_onednn(doubles.problem, doubles.pointers()); }) ==
        "oneDNN has no f64 product on a CPU");
  Matrices halves(problem_of(Type::f16, Type::f16, Type::f32, 0, 1));
  CHECK(reason([&] { gemm::open_openblas(halves.problem, halves.pointers()); }).find("f32 and f64 only") !=
        std::string::npos);
  const auto why = reason([&] { gemm::open_onednn(halves.problem, halves.pointers()); });
  CHECK((why.find("f16 is multiplied on no CPU") != std::string::npos || why.find("not found") != std::string::npos));
}

TEST_CASE("a library that is not installed, cannot be opened or is another one is said to be so") {
  Matrices singles(problem_of(Type::f32, Type::f32, Type::f32, 0, 1));
  const auto onednn = [&](const device::LibraryOpener& opener) {
    return reason([&] { gemm::open_onednn(singles.problem, singles.pointers(), Packing::as_liked, opener); });
  };
  CHECK(onednn(empty_machine("")) == "libdnnl.so.2 not found (Debian and Ubuntu: libdnnl2)");
  CHECK(onednn(empty_machine("libdnnl.so.2: file too short")) ==
        "libdnnl.so.2 cannot be opened: libdnnl.so.2: file too short");
  CHECK(reason([&] {
          gemm::open_openblas(singles.problem, singles.pointers(),
                              empty_machine("libopenblas.so.0: cannot open shared object file: No such file"));
        }) == "libopenblas.so.0 not found (Debian and Ubuntu: libopenblas0-pthread)");
  int anything = 0;
  device::LibraryOpener stranger = empty_machine("");
  stranger.open = [&](const char*) { return device::LibraryOpener::Opened{&anything, ""}; };
  CHECK(onednn(stranger) == "libdnnl.so.2 has no dnnl_version: another version than is known here");
}

TEST_CASE("variables that hold a library back are named with their values") {
  const auto environment = [](const char* name) -> const char* {
    return std::strcmp(name, "ONEDNN_MAX_CPU_ISA") == 0 ? "SSE41" : nullptr;
  };
  CHECK(gemm::set_among({"OMP_PLACES", "ONEDNN_MAX_CPU_ISA"}, environment) == "ONEDNN_MAX_CPU_ISA=SSE41");
  CHECK(gemm::set_among({"OMP_PLACES"}, environment).empty());
}
