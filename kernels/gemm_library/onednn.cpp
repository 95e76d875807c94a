// oneDNN 2 through its C interface: a product, alone, with what follows it inside (post-ops) or behind it.
#include "kernels/gemm_library/onednn_calls.hpp"

namespace ridge::gemm {
namespace {

using onednn::Attributes;
using onednn::naming;
using onednn::OneDnn;
using onednn::type_of;

void require_type(const Problem& problem) {
  if (type_of(problem.a) == dnnl_data_type_undef) throw device::Absent("oneDNN has no f64 product on a CPU");
}

void add_calls(OneDnn& to, const Problem& p, const Pointers& pointers, const Epilogue& epilogue, Steps steps,
               Packing packing) {
  const auto a = to.matrix(p.a, p.m, p.k, p.a_transposed), b = to.matrix(p.b, p.k, p.n, p.b_transposed);
  const auto c = to.matrix(p.c, p.m, p.n, false);
  const bool any = epilogue.bias != nullptr || epilogue.activation != Activation::none || epilogue.residual != nullptr;
  if (any && p.batch > 1) throw device::Absent("what follows a product is tried for a batch of one only");
  if (any && p.beta != 0) throw device::Absent("what follows a product is tried for a beta of 0 only");
  if (!any || steps == Steps::behind) {
    to.add_product(a, pointers.a, b, pointers.b, c, pointers.c, packing,
                   p.beta == 0 ? Attributes{} : to.adding(p.beta));
    if (any) to.add_passes(epilogue, to.matrix(p.c, 1, p.n, false), c, pointers.c);
    return;
  }
  const auto bias = to.matrix(p.c, 1, p.n, false);
  auto attributes = to.inside(epilogue, bias, c);
  to.add_product(a, pointers.a, b, pointers.b, c, pointers.c, packing, std::move(attributes),
                 epilogue.bias == nullptr ? nullptr : &bias);
}

}  // namespace

std::unique_ptr<Library> open_onednn(const Problem& problem, const Pointers& pointers, Packing packing,
                                     const device::LibraryOpener& opener) {
  return open_onednn_epilogue(problem, pointers, {}, Steps::inside, packing, opener);
}

std::unique_ptr<Library> open_onednn_epilogue(const Problem& p, const Pointers& pointers, const Epilogue& epilogue,
                                              Steps steps, Packing packing, const device::LibraryOpener& opener) {
  require_type(p);
  auto made = naming(p, [&] {
    auto library = std::make_unique<OneDnn>(p, opener);
    add_calls(*library, p, pointers, epilogue, steps, packing);
    return library;
  });
  made->take_inputs();
  return made;
}

}  // namespace ridge::gemm
