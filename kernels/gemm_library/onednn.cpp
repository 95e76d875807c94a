// oneDNN 2 through its C interface: a product, alone, with what follows it inside (post-ops) or behind it.
#include "kernels/gemm_library/onednn_calls.hpp"

namespace ridge::gemm {
namespace {

using onednn::Attributes;
using onednn::OneDnn;
using onednn::type_of;

void require_type(const Problem& problem) {
  if (type_of(problem.a) == dnnl_data_type_undef) throw device::Absent("oneDNN has no f64 product on a CPU");
}

}  // namespace

std::unique_ptr<Library> open_onednn(const Problem& problem, const Pointers& pointers, Packing packing,
                                     const device::LibraryOpener& opener) {
  return open_onednn_epilogue(problem, pointers, {}, Steps::inside, packing, opener);
}

std::unique_ptr<Library> open_onednn_epilogue(const Problem& p, const Pointers& pointers, const Epilogue& epilogue,
                                              Steps steps, Packing packing, const device::LibraryOpener& opener) {
  require_type(p);
  auto made = std::make_unique<OneDnn>(p, opener);
  const auto a = made->matrix(p.a, p.m, p.k, p.a_transposed), b = made->matrix(p.b, p.k, p.n, p.b_transposed);
  const auto c = made->matrix(p.c, p.m, p.n, false);
  const bool any = epilogue.bias != nullptr || epilogue.activation != Activation::none || epilogue.residual != nullptr;
  if (any && p.batch > 1) throw device::Absent("what follows a product is tried for a batch of one only");
  if (any && p.beta != 0) throw device::Absent("what follows a product is tried for a beta of 0 only");
  if (!any || steps == Steps::behind) {
    made->add_product(a, pointers.a, b, pointers.b, c, pointers.c, packing,
                      p.beta == 0 ? Attributes{} : made->adding(p.beta));
    if (any) made->add_passes(epilogue, made->matrix(p.c, 1, p.n, false), c, pointers.c);
  } else {
    const auto bias = made->matrix(p.c, 1, p.n, false);
    auto attributes = made->inside(epilogue, bias, c);
    made->add_product(a, pointers.a, b, pointers.b, c, pointers.c, packing, std::move(attributes),
                      epilogue.bias == nullptr ? nullptr : &bias);
  }
  made->take_inputs();
  return made;
}

}  // namespace ridge::gemm
