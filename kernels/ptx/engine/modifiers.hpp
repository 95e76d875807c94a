// The dot-separated modifiers of an instruction, each of which somebody must have asked for: a modifier nobody
// understands is an error, never ignored.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/ptx/arith/bits.hpp"
#include "kernels/ptx/text/syntax.hpp"

namespace ridge::ptx {

class Modifiers {
 public:
  explicit Modifiers(const std::vector<std::string>& all);

  /// Whether `name` is there; it counts as understood.
  bool take(std::string_view name);
  /// Understands any of these that are there.
  void ignore(std::initializer_list<std::string_view> names);
  /// Index of the first of `names` that is there, or −1.
  int take_one_of(std::initializer_list<std::string_view> names);
  /// rn, rz, rm, rp or rna.
  std::optional<Rounding> take_rounding();
  /// The state space, generic when none is named; `shared::cta` is shared.
  Space take_space();
  /// Cache hints, memory order and scope of ld, st, atom, red; returns whether the access is ordered or volatile.
  bool take_memory_semantics();
  /// A modifier "m16n8k16" as three numbers.
  bool take_shape(int& m, int& n, int& k);

  /// Types in the order written.
  const std::vector<Type>& types() const { return types_; }
  /// The last one; throws std::invalid_argument without any.
  Type type() const;
  /// First modifier that nobody asked for; empty when all were.
  std::string unused() const;

 private:
  std::vector<std::string> names_;
  std::vector<bool> used_;
  std::vector<Type> types_;
};

}  // namespace ridge::ptx
