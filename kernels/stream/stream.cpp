// The table of facts of the STREAM family.
#include "kernels/stream/stream.hpp"

#include <array>

namespace ridge::stream {
namespace {

constexpr std::array<Facts, 8> table{{
    {Op::copy, "copy", "a[i] = b[i]", 1, 1, 0, true},
    {Op::scale, "scale", "a[i] = q * b[i]", 1, 1, 1, true},
    {Op::add, "add", "a[i] = b[i] + c[i]", 2, 1, 1, true},
    {Op::triad, "triad", "a[i] = b[i] + q * c[i]", 2, 1, 2, true},
    {Op::dot, "dot", "sum of b[i] * c[i]", 2, 0, 2, false},
    {Op::read, "read", "exclusive or of the bits of b[i]", 1, 0, 0, false},
    {Op::write, "write", "a[i] = q", 0, 1, 0, true},
    {Op::memcpy, "memcpy", "a[i] = b[i], by the C library's memcpy", 1, 1, 0, false},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (static_cast<std::size_t>(table[i].op) != i) return false;
  return true;
}
static_assert(in_order(), "facts() indexes the table by Op");

}  // namespace

std::span<const Facts> all_facts() {
  return table;
}

const Facts& facts(Op op) {
  return table[static_cast<std::size_t>(op)];
}

std::string_view to_string(Stores stores) {
  return stores == Stores::ordinary ? "ordinary" : "nontemporal";
}

std::optional<Stores> stores_from(std::string_view text) {
  for (const Stores stores : {Stores::ordinary, Stores::nontemporal})
    if (text == to_string(stores)) return stores;
  return std::nullopt;
}

}  // namespace ridge::stream
