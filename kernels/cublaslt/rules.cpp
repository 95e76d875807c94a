// What cuBLASLt's documentation asks of the narrow types ("cublasLtMatmul()", the tables of supported types and their
// footnotes), for the reason of a product that the library refuses.
#include <fmt/format.h>

#include "kernels/cublaslt/asked.hpp"

namespace ridge::cublaslt {
namespace {

using gemm::Problem;
using gemm::Type;

bool of_8_bits(Type type) {
  return type == Type::e4m3 || type == Type::e5m2;
}

std::string multiple_rule(const Problem& p, std::int64_t of_m_and_n, std::int64_t of_k) {
  if (p.m % of_m_and_n != 0) return fmt::format("m must be a multiple of {}", of_m_and_n);
  if (p.n % of_m_and_n != 0) return fmt::format("n must be a multiple of {}", of_m_and_n);
  if (p.k % of_k != 0) return fmt::format("k must be a multiple of {}", of_k);
  return "";
}

std::string older_than(int capability, int needed, const char* what) {
  if (capability >= needed) return "";
  return fmt::format("{} from compute capability {}.{} on, and this GPU has {}.{}", what, needed / 10, needed % 10,
                     capability / 10, capability % 10);
}

}  // namespace

std::string broken_rule(const Product& product, int capability) {
  const Problem& p = product.problem;
  const bool bytes = p.a == Type::s8, narrow = of_8_bits(p.a), nibbles = p.a == Type::e2m1;
  std::string rule;
  if (bytes) rule = multiple_rule(p, 4, 4);
  if (narrow) rule = multiple_rule(p, 16, 16);
  if (nibbles) rule = multiple_rule(p, 16, 32);
  if (!rule.empty()) return rule;
  if ((bytes || narrow || nibbles) && (p.a_transposed || !p.b_transposed))
    return "layout must be nt, so that k is contiguous in both operands";
  if (narrow && p.a == Type::e5m2 && p.b == Type::e5m2) return "one operand of two with 8 bits must be e4m3";
  if (nibbles && product.scale != Scale::block) return "numbers of 4 bits are scaled in blocks";
  if (narrow) rule = older_than(capability, 89, "numbers of 8 bits are multiplied");
  if (nibbles) rule = older_than(capability, 100, "numbers of 4 bits are multiplied");
  if (rule.empty() && narrow && product.scale == Scale::outer)
    rule = older_than(capability, 90, "rows and columns have scales");
  if (rule.empty() && narrow && product.scale == Scale::block)
    rule = older_than(capability, 100, "blocks of 32 have scales");
  return rule;
}

}  // namespace ridge::cublaslt
