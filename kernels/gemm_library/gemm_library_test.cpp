// Products by each library in every layout against exact whole numbers, packing ahead, and what is said where a library
// or a product is absent.
#include "kernels/gemm_library/library.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
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
  // What C is given where it is added to.
  [[nodiscard]] static double before(std::int64_t index) { return 2 * gemm::entry<double>(3, 2, index); }
  void fill_c() {
    for (std::int64_t i = 0; i < problem.batch * problem.m * problem.n; ++i)
      gemm::store({c.data(), problem.c, 1, 1, false}, i, before(i));
  }
  [[nodiscard]] gemm::Pointers pointers() { return {c.data(), a.data(), b.data()}; }
  [[nodiscard]] std::int64_t wrong() {
    std::int64_t rows = 0;
    const Problem& p = problem;
    for (std::int64_t each = 0; each < p.batch; ++each)
      rows += gemm::wrong_rows({{a.data() + each * p.m * p.k * gemm::bytes_of(p.a), p.a, p.m, p.k, p.a_transposed},
                                {b.data() + each * p.k * p.n * gemm::bytes_of(p.b), p.b, p.k, p.n, p.b_transposed},
                                {c.data() + each * p.m * p.n * gemm::bytes_of(p.c), p.c, p.m, p.n, false},
                                0,
                                p.beta,
                                [&](std::int64_t index) { return before(each * p.m * p.n + index); }},
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

TEST_CASE("libraries add what C held, times beta, in every layout and in batches") {
  for (const bool onednn : {false, true})
    for (const Type type : {Type::f64, Type::f32, Type::u8})
      for (int layout = 0; layout < 4; ++layout)
        for (const double beta : {0.5, 1.0}) {
          if (type == (onednn ? Type::f64 : Type::u8)) continue;
          CAPTURE(onednn, static_cast<int>(type), layout, beta);
          const bool bytes = type == Type::u8;
          Problem problem = problem_of(type, bytes ? Type::s8 : type, bytes ? Type::s32 : type, layout, 1 + layout % 2);
          problem.beta = beta;
          Matrices matrices(problem);
          std::unique_ptr<gemm::Library> library;
          const auto absent = reason([&] {
            library = onednn ? gemm::open_onednn(problem, matrices.pointers())
                             : gemm::open_openblas(problem, matrices.pointers());
          });
          if (!library) return test::skip("needs oneDNN and OpenBLAS: " + absent);
          matrices.fill_c();
          library->multiply();
          CHECK(matrices.wrong() == 0);
          library->multiply();  // from another C
          CHECK(matrices.wrong() > 0);
          CHECK(library->implementation().at("factors") == (beta == 1 ? "alpha 1, beta 1" : "alpha 1, beta 0.5"));
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

TEST_CASE("oneDNN does what follows a product inside of it and behind it, to the same result") {
  using gemm::Activation;
  constexpr std::int64_t m = 35, n = 50, k = 70;
  const auto gelu = [](double x) { return x / (1 + std::exp(-2 * 0.7978845608028654 * (x + 0.044715 * x * x * x))); };
  for (const Activation activation : {Activation::none, Activation::relu, Activation::gelu})
    for (const bool with_bias : {false, true})
      for (const bool with_residual : {false, true})
        for (const gemm::Steps steps : {gemm::Steps::inside, gemm::Steps::behind}) {
          CAPTURE(static_cast<int>(activation), with_bias, with_residual, static_cast<int>(steps));
          Matrices matrices(problem_of(Type::f32, Type::f32, Type::f32, 0, 1));
          auto* const a = reinterpret_cast<float*>(matrices.a.data());
          const auto* const b = reinterpret_cast<float*>(matrices.b.data());
          for (std::int64_t i = 0; i < m * k; ++i) a[i] /= 256;  // to where gelu bends
          std::vector<float> bias(n), residual(m * n);
          for (std::size_t j = 0; j < bias.size(); ++j) bias[j] = 0.1F * static_cast<float>(j) - 2;
          for (std::size_t i = 0; i < residual.size(); ++i) residual[i] = static_cast<float>(i % 13) - 6;
          const gemm::Epilogue epilogue{with_bias ? bias.data() : nullptr, activation,
                                        with_residual ? residual.data() : nullptr};
          std::unique_ptr<gemm::Library> library;
          const auto absent = reason(
              [&] { library = gemm::open_onednn_epilogue(matrices.problem, matrices.pointers(), epilogue, steps); });
          if (!library) return test::skip("needs oneDNN: " + absent);
          for (int again = 0; again < 2; ++again) library->multiply();
          const auto* const c = reinterpret_cast<float*>(matrices.c.data());
          double most = 0;
          for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < n; ++j) {
              double want = with_bias ? static_cast<double>(bias[static_cast<std::size_t>(j)]) : 0;
              for (std::int64_t l = 0; l < k; ++l) want += static_cast<double>(a[i * k + l]) * b[l * n + j];
              if (activation == Activation::relu) want = std::max(want, 0.0);
              if (activation == Activation::gelu) want = gelu(want);
              if (with_residual) want += static_cast<double>(residual[static_cast<std::size_t>(i * n + j)]);
              const double off = std::abs(static_cast<double>(c[i * n + j]) - want);
              most = std::isnan(off) ? HUGE_VAL : std::max(most, off);
            }
          CHECK(most < 2e-5);
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

namespace {

// The library of this machine, but that one of its functions answers out_of_memory (1): of dnnl_primitive_execute's
// calls, those from `executions_left` on.
int executions_left = 0;
int no_memory_to_create(void* /*primitive*/, const void* /*description*/) {
  return 1;
}
int no_memory_to_execute(const void* /*primitive*/, void* /*stream*/, int /*count*/, const void* /*arguments*/) {
  return --executions_left < 0 ? 1 : 0;
}
device::LibraryOpener failing_in(const std::string& function) {
  device::LibraryOpener opener = device::system_opener();
  opener.symbol = [symbol = opener.symbol, function](void* handle, const char* name) {
    if (name != function) return symbol(handle, name);
    return function == "dnnl_primitive_create" ? reinterpret_cast<void*>(&no_memory_to_create)
                                               : reinterpret_cast<void*>(&no_memory_to_execute);
  };
  return opener;
}

}  // namespace

TEST_CASE("an error of oneDNN names the call, its status and the product, whether it is made or computed") {
  Problem problem = problem_of(Type::f32, Type::f32, Type::f32, 2, 1);
  problem.beta = 0.5;
  Matrices singles(problem);
  const std::string product = "; oneDNN, m 35, n 50, k 70, f32·f32 → f32, layout nt, batch 1, beta 0.5, 2 threads";
  const auto open = [&](const std::string& function, int executions) {
    executions_left = executions;
    return gemm::open_onednn(problem, singles.pointers(), Packing::transposed, failing_in(function));
  };
  const auto error = [&](const std::function<void()>& act) -> std::string {
    try {
      act();
    } catch (const device::Absent& absent) {
      ridge::test::skip(absent.what());
      return "";
    } catch (const device::Error& found) {
      return found.what();
    }
    return "no error";
  };
  for (const std::string function : {"dnnl_primitive_create", "dnnl_primitive_execute"}) {
    const auto found = error([&] { open(function, 0); });
    if (!found.empty()) CHECK(found == function + " answered out_of_memory (1)" + product);
  }
  // Packing is the first call that it answers; the product fails after that.
  const auto found = error([&] { open("dnnl_primitive_execute", 1)->multiply(); });
  if (!found.empty()) CHECK(found == "dnnl_primitive_execute answered out_of_memory (1)" + product);
}

TEST_CASE("extents that OpenBLAS has no room for are refused, not cut to 32 bits") {
  Problem problem = problem_of(Type::f64, Type::f64, Type::f64, 0, 1);
  problem.m = std::int64_t{1} << 31;
  CHECK(reason([&] {
          gemm::open_openblas(problem, {});
        }).starts_with("OpenBLAS takes extents of up to 2^31 - 1: m 2147483648, n 50, k 70, f64·f64 → f64"));
}

TEST_CASE("variables that hold a library back are named with their values") {
  const auto environment = [](const char* name) -> const char* {
    return std::strcmp(name, "ONEDNN_MAX_CPU_ISA") == 0 ? "SSE41" : nullptr;
  };
  CHECK(gemm::set_among({"OMP_PLACES", "ONEDNN_MAX_CPU_ISA"}, environment) == "ONEDNN_MAX_CPU_ISA=SSE41");
  CHECK(gemm::set_among({"OMP_PLACES"}, environment).empty());
}
